/* SPDX-License-Identifier: Apache-2.0
 *
 * Decides which PMD thread polls which rx queue: from a view to a plan.
 *
 * This file splits the task into groups of cores that trade queues (as a rule
 * one per NUMA node; an idle node must not hide what another needs), has each
 * solved, and writes the plan down.  Called from the main thread and from
 * offline tools.  Must not lock, log, or read a clock: the search is limited
 * in steps, so that the same view gives the same plan on a busy machine. */

#include <config.h>
#include "dpx-placement.h"

#include <math.h>
#include <stdlib.h>

#include "dpx-placement-demand.h"
#include "dpx-placement-load.h"
#include "dpx-placement-reason.h"
#include "dpx-placement-solve.h"
#include "dpx-placement-task.h"
#include "util.h"

/* What the search gets done in a millisecond on a slow machine of today. */
#define STEPS_PER_MS 80000

/* The answer in units. */
struct outcome {
    int *pmd_of_rxq;          /* Per queue of the view. */
    dpx_units best;
    dpx_units bound;
    bool cap_binds;
};

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
    return n_rxqs <= 24 ? 3 : MAX(0.5, n_rxqs / 128.0);
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

/* Groups of cores that may trade queues. */

static int
group_find(int *group, int core)
{
    while (group[core] != core) {
        core = group[core] = group[group[core]];
    }
    return core;
}

/* Returns, per core, the lowest core of its group. */
static int *
find_groups(const struct dpx_problem *p)
{
    int *group = xcalloc(p->n_cores + 1, sizeof *group);
    bool *used = xcalloc(p->n_kinds + 1, sizeof *used);

    for (int q = 0; q < p->n_queues; q++) {
        used[p->kind[q]] = true;
    }
    for (int c = 0; c < p->n_cores; c++) {
        group[c] = c;
    }
    for (int k = 0; k < p->n_kinds; k++) {
        int first = -1;

        for (int t = 0; used[k] && t < p->n_threads; t++) {
            if (p->reach[k * p->n_threads + t] != DPX_REACH_NO) {
                int root = group_find(group, p->core_of[t]);
                int low = first < 0 ? root : MIN(root, first);

                group[root] = low;
                if (first >= 0) {
                    group[first] = low;
                }
                first = low;
            }
        }
    }
    for (int c = 0; c < p->n_cores; c++) {
        group[c] = group_find(group, c);
    }
    free(used);
    return group;
}

static int
group_of_queue(const struct dpx_problem *p, const int *group, int q)
{
    for (int t = 0; t < p->n_threads; t++) {
        if (dpx_problem_reach(p, q, t) != DPX_REACH_NO) {
            return group[p->core_of[t]];
        }
    }
    return -1;
}

/* Cuts the group of core 'root' out of 'p'. */
static struct dpx_problem *
cut_group(const struct dpx_problem *p, const int *group, int root)
{
    bool *cores = xcalloc(p->n_cores + 1, sizeof *cores);
    bool *queues = xcalloc(p->n_queues + 1, sizeof *queues);
    struct dpx_problem *part;

    for (int c = 0; c < p->n_cores; c++) {
        cores[c] = group[c] == root;
    }
    for (int q = 0; q < p->n_queues; q++) {
        queues[q] = group_of_queue(p, group, q) == root;
    }
    part = dpx_problem_part(p, cores, queues, p->base);
    free(cores);
    free(queues);
    return part;
}

/* Returns the roots of the groups of 'p', the one with the busiest core now
 * first: it gets the first of the moves that a cap leaves. */
static int *
order_groups(const struct dpx_problem *p, const int *group, int *n)
{
    int *roots = xcalloc(p->n_cores + 1, sizeof *roots);
    dpx_units *heat = xcalloc(p->n_cores + 1, sizeof *heat);
    struct dpx_layout *now = dpx_layout_create(p);

    for (int q = 0; q < p->n_queues; q++) {
        dpx_layout_set(now, q, p->home[q]);
    }
    *n = 0;
    for (int c = 0; c < p->n_cores; c++) {
        heat[group[c]] = MAX(heat[group[c]], now->core_load[c]);
    }
    for (int c = 0; c < p->n_cores; c++) {
        if (group[c] == c) {
            int i = (*n)++;

            for (; i > 0 && heat[roots[i - 1]] < heat[c]; i--) {
                roots[i] = roots[i - 1];
            }
            roots[i] = c;
        }
    }
    dpx_layout_destroy(now);
    free(heat);
    return roots;
}

static void
solve_group(struct dpx_problem *part, struct dpx_task *task,
            struct dpx_solve_limits *limits, struct dpx_effort *effort,
            struct outcome *outcome)
{
    struct dpx_layout *l = dpx_layout_create(part);
    struct dpx_solved solved;

    limits->max_moves = task->moves_left;
    solved = dpx_solve(l, limits, effort);
    outcome->best = MAX(outcome->best, solved.best);
    outcome->bound = MAX(outcome->bound, solved.bound);
    outcome->cap_binds |= solved.cap_binds;
    for (int q = 0; q < part->n_queues; q++) {
        outcome->pmd_of_rxq[part->rxq[q]] = part->pmd[l->at[q]];
    }
    if (task->moves_left > 0) {
        task->moves_left -= l->n_moved;
    }
    dpx_layout_destroy(l);
}

/* Solves all groups of 'p'. */
static void
solve_problem(const struct dpx_problem *p, struct dpx_task *task,
              struct dpx_solve_limits *limits, struct dpx_effort *effort,
              struct outcome *outcome)
{
    int *group = find_groups(p);
    int n_groups;
    int *roots = order_groups(p, group, &n_groups);

    for (int i = 0; i < n_groups; i++) {
        struct dpx_problem *part = cut_group(p, group, roots[i]);
        struct dpx_effort share = { effort->left / (n_groups - i) };
        int64_t given = share.left;

        solve_group(part, task, limits, &share, outcome);
        effort->left -= given - share.left;
        dpx_problem_destroy(part);
    }
    free(roots);
    free(group);
}

/* Makes the busier of two threads the second choice for a queue of unknown
 * load, by less than such a queue counts. */
static void
prefer_idle_threads(struct dpx_task *task, const struct outcome *outcome)
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
           struct outcome *outcome)
{
    struct dpx_effort effort = { options->time_limit_ms * STEPS_PER_MS };
    struct dpx_solve_limits limits = { .tolerance = options->tolerance };
    struct outcome few = { .pmd_of_rxq = outcome->pmd_of_rxq };

    for (size_t i = 0; i < view->n_rxqs; i++) {
        outcome->pmd_of_rxq[i] = task->fixed[i];
    }
    solve_problem(task->all, task, &limits, &effort, outcome);
    prefer_idle_threads(task, outcome);
    limits.tolerance = 0;
    limits.slack = DPX_FEW_UNIT / 4;
    solve_problem(task->few, task, &limits, &effort, &few);
    outcome->cap_binds |= few.cap_binds || task->n_held > 0;
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
           const struct dpx_task *task, const struct outcome *outcome)
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
    struct dpx_task *task = dpx_task_create(view, &options, NULL);
    struct outcome outcome = {
        .pmd_of_rxq = xcalloc(view->n_rxqs + 1, sizeof(int)),
    };
    struct dpx_plan *plan;

    solve_task(task, view, &options, &outcome);
    plan = write_plan(view, &options, task, &outcome);
    dpx_task_destroy(task);
    return plan;
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
        free(plan->summary);
        free(plan);
    }
}
