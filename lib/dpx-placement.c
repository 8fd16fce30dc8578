/* SPDX-License-Identifier: Apache-2.0
 *
 * Decides which PMD thread polls which rx queue: from a view to a plan.
 *
 * This file has the task made and solved, and writes the plan down.  Called
 * from the main thread and from offline tools.  Must not lock, log, or read a
 * clock: the search is limited in steps, so that the same view gives the same
 * plan on a busy machine. */

#include <config.h>
#include "dpx-placement.h"

#include <math.h>
#include <stdlib.h>

#include "dpx-placement-demand.h"
#include "dpx-placement-groups.h"
#include "dpx-placement-load.h"
#include "dpx-placement-reason.h"
#include "dpx-placement-task.h"
#include "util.h"

/* What the search gets done in a millisecond on a slow machine of today. */
#define STEPS_PER_MS 80000

void
dpx_placement_options_default(struct dpx_placement_options *options)
{
    *options = (struct dpx_placement_options) {
        .smt_factor = 1.3,
        .cross_numa = DPX_CROSS_NUMA_NEVER,
        .cross_numa_cost = 0.20,
        .tolerance = 0.02,
        .max_moves = 8,
        .time_limit_ms = 0,
    };
}

/* Enough for a plan that is near the best one; few queues get what it takes to
 * prove it. */
static double
default_time_limit(size_t n_rxqs)
{
    return n_rxqs <= 24 ? 12 : MAX(0.4, n_rxqs / 200.0);
}

/* Keeps a careless caller from making nonsense: the options are checked, with
 * a message, where the operator's words are read. */
static struct dpx_placement_options
sane(const struct dpx_placement_options *options, size_t n_rxqs)
{
    struct dpx_placement_options sane, defaults;

    dpx_placement_options_default(&defaults);
    sane = options ? *options : defaults;
    if (!(sane.smt_factor >= 1 && sane.smt_factor <= 2)) {
        sane.smt_factor = defaults.smt_factor;
    }
    if (!(sane.cross_numa_cost >= 0 && sane.cross_numa_cost <= 100)) {
        sane.cross_numa_cost = defaults.cross_numa_cost;
    }
    if (!(sane.tolerance >= 0 && sane.tolerance <= 100)) {
        sane.tolerance = defaults.tolerance;
    }
    if (!(sane.time_limit_ms > 0 && sane.time_limit_ms <= 60000)) {
        sane.time_limit_ms = default_time_limit(n_rxqs);
    }
    return sane;
}

/* Makes the busier of two threads the second choice for a queue of unknown
 * load, by less than such a queue counts. */
static void
prefer_idle_threads(struct dpx_task *task, const struct dpx_outcome *outcome)
{
    const struct dpx_problem *p = task->all;
    dpx_units *load = xmemdup(p->base, (p->n_threads + 1) * sizeof *load);
    dpx_units max = 1;

    for (int q = 0; q < p->n_queues; q++) {
        int pmd = outcome->pmd_of_rxq[p->rxq[q]];
        int t = task->thread_of_pmd[pmd];

        load[t] += dpx_problem_weight(p, q, t);
    }
    for (int t = 0; t < p->n_threads; t++) {
        max = MAX(max, load[t]);
    }
    for (int t = 0; t < p->n_threads; t++) {
        task->few->base[t] += (double) load[t] / max * 1024;
    }
    free(load);
}

static void
solve_task(struct dpx_task *task, const struct dpx_view *view,
           const struct dpx_placement_options *options,
           struct dpx_outcome *outcome)
{
    struct dpx_effort effort = { options->time_limit_ms * STEPS_PER_MS };
    struct dpx_solve_limits limits = { .tolerance = options->tolerance };
    struct dpx_outcome few = { .pmd_of_rxq = outcome->pmd_of_rxq };

    for (size_t i = 0; i < view->n_rxqs; i++) {
        outcome->pmd_of_rxq[i] = task->fixed[i];
    }
    dpx_groups_solve(task->all, &limits, &task->moves_left, &effort, outcome);
    prefer_idle_threads(task, outcome);
    limits.tolerance = 0;
    limits.slack = DPX_FEW_UNIT / 4;
    dpx_groups_solve(task->few, &limits, &task->moves_left, &effort, &few);
    outcome->cap_binds |= few.cap_binds || task->n_held > 0;
}

/* A node is full when the best that can be done on it leaves a PMD with more
 * than it can do.  Once some of its queues are elsewhere, they come back only
 * when there is some room: a load that swings about the limit must not send
 * them to and fro. */
static bool
is_full(const struct dpx_view *view, const struct dpx_loads *loads, int node)
{
    double limit = 1;

    for (size_t i = 0; i < view->n_rxqs; i++) {
        const struct dpx_view_rxq *rxq = &view->rxqs[i];

        if (rxq->numa_id == node && rxq->pinned < 0
            && dpx_placement_is_pmd(view, rxq->current)
            && dpx_placement_is_far(view, rxq, rxq->current)) {
            limit = 0.9;
        }
    }
    for (size_t i = 0; i < view->n_pmds; i++) {
        if (view->pmds[i].numa_id == node && !view->pmds[i].isolated
            && loads->pmd[i] > limit) {
            return true;
        }
    }
    return false;
}

/* Returns, per queue, whether its node is full, from a plan in which every
 * queue stays on its node; null if none is. */
static bool *
find_full_nodes(const struct dpx_view *view,
                const struct dpx_placement_options *options)
{
    struct dpx_placement_options strict = *options;
    struct dpx_outcome outcome = {
        .pmd_of_rxq = xcalloc(view->n_rxqs + 1, sizeof(int)),
    };
    bool *may_leave = xcalloc(view->n_rxqs + 1, sizeof *may_leave);
    struct dpx_task *task;
    struct dpx_loads loads;
    bool any = false;

    strict.max_moves = -1;
    strict.tolerance = 0;
    task = dpx_task_create(view, &strict, NULL);
    solve_task(task, view, &strict, &outcome);
    dpx_loads_init(&loads, view, &strict, task, outcome.pmd_of_rxq);
    for (size_t i = 0; i < view->n_rxqs; i++) {
        may_leave[i] = is_full(view, &loads, view->rxqs[i].numa_id);
        any |= may_leave[i];
    }
    dpx_loads_uninit(&loads);
    dpx_task_destroy(task);
    free(outcome.pmd_of_rxq);
    if (!any) {
        free(may_leave);
        return NULL;
    }
    return may_leave;
}

/* Writing the plan down. */

static int
valid_pmd(const struct dpx_view *view, int pmd)
{
    return dpx_placement_is_pmd(view, pmd) ? pmd : DPX_NO_PMD;
}

static void
list_moves(struct dpx_plan *plan, const struct dpx_view *view)
{
    plan->moves = xcalloc(view->n_rxqs + 1, sizeof *plan->moves);
    for (size_t i = 0; i < view->n_rxqs; i++) {
        int from = valid_pmd(view, view->rxqs[i].current);

        if (from != plan->pmd_of_rxq[i]) {
            plan->moves[plan->n_moves++] = (struct dpx_placement_move) {
                .rxq = i, .from = from, .to = plan->pmd_of_rxq[i],
            };
        }
    }
}

static struct dpx_plan *
write_plan(const struct dpx_view *view,
           const struct dpx_placement_options *options,
           const struct dpx_task *task, const struct dpx_outcome *outcome)
{
    struct dpx_plan *plan = xzalloc(sizeof *plan);
    int *now = xcalloc(view->n_rxqs + 1, sizeof *now);
    struct dpx_story story = {
        .view = view, .options = options, .task = task, .plan = plan,
    };

    plan->n_rxqs = view->n_rxqs;
    plan->n_pmds = view->n_pmds;
    plan->pmd_of_rxq = outcome->pmd_of_rxq;
    for (size_t i = 0; i < view->n_rxqs; i++) {
        now[i] = valid_pmd(view, view->rxqs[i].current);
    }
    list_moves(plan, view);
    dpx_loads_init(&story.now, view, options, task, now);
    dpx_loads_init(&story.then, view, options, task, plan->pmd_of_rxq);
    plan->pmd_load = xmemdup(story.then.pmd,
                             (view->n_pmds + 1) * sizeof *plan->pmd_load);
    plan->pmd_now = xmemdup(story.now.pmd,
                            (view->n_pmds + 1) * sizeof *plan->pmd_now);
    plan->busiest_now = story.now.busiest;
    plan->busiest_planned = story.then.busiest;
    plan->cap_binds = outcome->cap_binds;
    plan->exact = task->measured && outcome->best <= outcome->bound;
    if (task->measured) {
        double unit = task->all->unit;

        story.best = MIN(outcome->best * unit, plan->busiest_planned);
        plan->lower_bound = MIN(outcome->bound * unit, story.best);
    } else {
        story.best = plan->lower_bound = DPX_LOAD_UNKNOWN;
    }
    for (size_t i = 0; i < plan->n_moves; i++) {
        plan->moves[i].reason = dpx_reason_for_move(&story, &plan->moves[i]);
    }
    plan->summary = dpx_reason_for_plan(&story);
    dpx_loads_uninit(&story.now);
    dpx_loads_uninit(&story.then);
    free(now);
    return plan;
}

struct dpx_plan *
dpx_placement_plan(const struct dpx_view *view,
                   const struct dpx_placement_options *options_)
{
    struct dpx_placement_options options = sane(options_, view->n_rxqs);
    struct dpx_outcome outcome = {
        .pmd_of_rxq = xcalloc(view->n_rxqs + 1, sizeof(int)),
    };
    bool *may_leave = NULL;
    struct dpx_task *task;
    struct dpx_plan *plan;

    if (options.cross_numa == DPX_CROSS_NUMA_OVERLOAD) {
        options.time_limit_ms /= 2;     /* Two plans in the time of one. */
        may_leave = find_full_nodes(view, &options);
    }
    task = dpx_task_create(view, &options, may_leave);
    solve_task(task, view, &options, &outcome);
    plan = write_plan(view, &options, task, &outcome);
    dpx_task_destroy(task);
    free(may_leave);
    return plan;
}

double
dpx_placement_loads(const struct dpx_view *view,
                    const struct dpx_placement_options *options_,
                    double *pmd_load)
{
    struct dpx_placement_options options = sane(options_, view->n_rxqs);
    struct dpx_task *task = dpx_task_create(view, &options, NULL);
    int *now = xcalloc(view->n_rxqs + 1, sizeof *now);
    struct dpx_loads loads;
    double busiest;

    for (size_t i = 0; i < view->n_rxqs; i++) {
        now[i] = valid_pmd(view, view->rxqs[i].current);
    }
    dpx_loads_init(&loads, view, &options, task, now);
    for (size_t i = 0; i < view->n_pmds; i++) {
        pmd_load[i] = loads.pmd[i];
    }
    busiest = loads.busiest;
    dpx_loads_uninit(&loads);
    dpx_task_destroy(task);
    free(now);
    return busiest;
}

void
dpx_plan_destroy(struct dpx_plan *plan)
{
    if (plan) {
        for (size_t i = 0; i < plan->n_moves; i++) {
            free(plan->moves[i].reason);
        }
        free(plan->moves);
        free(plan->pmd_of_rxq);
        free(plan->pmd_load);
        free(plan->pmd_now);
        free(plan->summary);
        free(plan);
    }
}
