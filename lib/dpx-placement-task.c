/* SPDX-License-Identifier: Apache-2.0
 *
 * From a view to the planner's task: for each queue, the PMDs that may poll
 * it.
 *
 * This is the only file of the planner that knows the rules (pinning,
 * isolation, NUMA); the searches behind it only see what may go where.  Called
 * by the planner's entry.  Must not search, log, or keep anything. */

#include <config.h>
#include "dpx-placement-task.h"

#include <math.h>
#include <stdlib.h>

#include "dpx-placement-demand.h"
#include "util.h"

static dpx_units
to_units(double load, double unit)
{
    /* A queue with any load at all keeps one, however small. */
    return load > 0 ? MAX(1, llround(load / unit)) : 0;
}

/* Threads and cores. */

struct pmd_ref {
    const struct dpx_view_pmd *pmd;
    unsigned first_core_id;   /* Lowest of its siblings. */
    int index;
};

static int
compare_pmds(const void *a_, const void *b_)
{
    const struct pmd_ref *a = a_;
    const struct pmd_ref *b = b_;

    if (a->first_core_id != b->first_core_id) {
        return a->first_core_id < b->first_core_id ? -1 : 1;
    }
    return ((a->pmd->core_id > b->pmd->core_id)
            - (a->pmd->core_id < b->pmd->core_id));
}

static bool
are_siblings(const struct dpx_view_pmd *a, const struct dpx_view_pmd *b)
{
    return a == b || (a->smt_id >= 0 && a->smt_id == b->smt_id);
}

static struct pmd_ref *
sorted_pmds(const struct dpx_view *view)
{
    struct pmd_ref *refs = xcalloc(view->n_pmds + 1, sizeof *refs);

    for (size_t i = 0; i < view->n_pmds; i++) {
        const struct dpx_view_pmd *pmd = &view->pmds[i];

        refs[i].pmd = pmd;
        refs[i].first_core_id = pmd->core_id;
        refs[i].index = i;
        for (size_t j = 0; j < view->n_pmds; j++) {
            if (are_siblings(pmd, &view->pmds[j])) {
                refs[i].first_core_id = MIN(refs[i].first_core_id,
                                            view->pmds[j].core_id);
            }
        }
    }
    qsort(refs, view->n_pmds, sizeof *refs, compare_pmds);
    return refs;
}

static void
set_threads(struct dpx_problem *p, const struct dpx_view *view,
            double smt_factor)
{
    struct pmd_ref *refs = sorted_pmds(view);

    for (int t = 0; t < p->n_threads; t++) {
        if (!t || !are_siblings(refs[t - 1].pmd, refs[t].pmd)) {
            p->core_first[p->n_cores++] = t;
        }
        p->pmd[t] = refs[t].index;
        p->core_of[t] = p->n_cores - 1;
    }
    p->core_first[p->n_cores] = p->n_threads;
    for (int t = 0; t < p->n_threads; t++) {
        unsigned core_id = refs[t].pmd->core_id;
        int i = t;

        for (; i > 0 && core_id < refs[p->by_id[i - 1]].pmd->core_id; i--) {
            p->by_id[i] = p->by_id[i - 1];
        }
        p->by_id[i] = t;
    }
    for (int c = 0; c < p->n_cores; c++) {
        bool shared = p->core_first[c + 1] - p->core_first[c] > 1;

        p->inv[c] = lround((1 << DPX_INV_BITS) / (shared ? smt_factor : 1));
    }
    free(refs);
}

/* Rules: who may poll what. */

static int
node_distance(const struct dpx_view *view, int a, int b)
{
    int n = view->n_numa, distance;

    if (!view->numa_distance || a < 0 || b < 0 || a >= n || b >= n) {
        return INT_MAX;
    }
    distance = view->numa_distance[a * n + b];
    return distance > 0 ? distance : INT_MAX;
}

/* Fills in one row of p->reach for queues of node 'numa_id'. */
static void
set_reach(struct dpx_problem *p, int kind, const struct dpx_view *view,
          int numa_id, bool may_leave)
{
    uint8_t *reach = &p->reach[kind * p->n_threads];
    struct dpx_view_rxq any = { .numa_id = numa_id };
    int nearest = INT_MAX;
    bool local = false;

    for (int t = 0; t < p->n_threads; t++) {
        const struct dpx_view_pmd *pmd = &view->pmds[p->pmd[t]];

        if (!pmd->isolated && pmd->numa_id == numa_id) {
            local = true;
        } else if (!pmd->isolated) {
            nearest = MIN(nearest,
                          node_distance(view, numa_id, pmd->numa_id));
        }
    }
    for (int t = 0; t < p->n_threads; t++) {
        const struct dpx_view_pmd *pmd = &view->pmds[p->pmd[t]];
        bool far = dpx_placement_is_far(view, &any, p->pmd[t]);

        if (pmd->isolated) {
            reach[t] = DPX_REACH_NO;
        } else if (!far) {
            bool stranger = pmd->numa_id != numa_id && numa_id >= 0;

            reach[t] = local && stranger ? DPX_REACH_NO : DPX_REACH_NEAR;
        } else {
            bool next = (!local && node_distance(view, numa_id, pmd->numa_id)
                                   == nearest);

            reach[t] = may_leave || next ? DPX_REACH_FAR : DPX_REACH_NO;
        }
    }
}

/* Returns the kind of queues of node 'numa_id', a new one when it is the
 * first of its node. */
static int
kind_of_node(struct dpx_problem *p, int *nodes, const struct dpx_view *view,
             int numa_id, bool may_leave)
{
    for (int k = 0; k < p->n_kinds; k++) {
        if (nodes[k] == numa_id) {
            return k;
        }
    }
    nodes[p->n_kinds] = numa_id;
    p->reach = xrealloc(p->reach,
                        ((size_t) p->n_kinds + 1) * p->n_threads + 1);
    set_reach(p, p->n_kinds, view, numa_id, may_leave);
    return p->n_kinds++;
}

static bool
anyone(const struct dpx_problem *p, int kind)
{
    for (int t = 0; t < p->n_threads; t++) {
        if (p->reach[kind * p->n_threads + t] != DPX_REACH_NO) {
            return true;
        }
    }
    return false;
}

static enum dpx_fate
decide_fate(const struct dpx_task *task, const struct dpx_view *view,
            const struct dpx_view_rxq *rxq, int kind)
{
    const struct dpx_problem *p = task->all;

    if (dpx_placement_is_pmd(view, rxq->pinned)) {
        return DPX_FATE_PINNED;
    } else if (!anyone(p, kind)) {
        return DPX_FATE_NOWHERE;
    } else if (!dpx_placement_is_pmd(view, rxq->current)) {
        return DPX_FATE_NEW;
    } else if (view->pmds[rxq->current].isolated) {
        return DPX_FATE_ISOLATED;
    }
    return p->reach[kind * p->n_threads + task->thread_of_pmd[rxq->current]]
           == DPX_REACH_NO ? DPX_FATE_NUMA : DPX_FATE_FREE;
}

/* Counts the moves that rules force, then lets as many queues go back to
 * their node as the cap leaves, largest first; holds the others. */
static void
apply_cap(struct dpx_task *task, const struct dpx_view *view, int max_moves,
          const struct dpx_demand *refs)
{
    for (size_t i = 0; i < view->n_rxqs; i++) {
        const struct dpx_view_rxq *rxq = &view->rxqs[i];
        bool polled = dpx_placement_is_pmd(view, rxq->current);

        task->n_forced += polled && (task->fate[i] == DPX_FATE_ISOLATED
                                     || task->fate[i] == DPX_FATE_NOWHERE
                                     || (task->fate[i] == DPX_FATE_PINNED
                                         && rxq->pinned != rxq->current));
    }
    if (max_moves < 0) {
        task->moves_left = -1;
        return;
    }
    task->moves_left = MAX(0, max_moves - task->n_forced);
    for (size_t i = 0; i < view->n_rxqs; i++) {
        enum dpx_fate *fate = &task->fate[refs[i].index];

        if (*fate == DPX_FATE_NUMA) {
            if (task->moves_left) {
                task->moves_left--;
            } else {
                *fate = DPX_FATE_HELD;
                task->n_held++;
            }
        }
    }
}


/* Puts one queue where its fate says: a fixed place, or a problem. */
static void
sort_queue(struct dpx_task *task, const struct dpx_view *view, int i,
           int kind, double cost)
{
    const struct dpx_view_rxq *rxq = &view->rxqs[i];
    enum dpx_fate fate = task->fate[i];
    struct dpx_problem *p = task->all;
    double load = task->load[i];
    dpx_units near = to_units(load, p->unit);
    dpx_units far = to_units(load > 0 ? load * (1 + cost) : load, p->unit);
    int home = (fate == DPX_FATE_FREE
                ? task->thread_of_pmd[rxq->current] : -1);

    if (fate == DPX_FATE_PINNED) {
        task->fixed[i] = rxq->pinned;
    } else if (fate == DPX_FATE_HELD || (home >= 0 && load == 0)) {
        task->fixed[i] = rxq->current;
    } else if (fate != DPX_FATE_NOWHERE) {
        if (load > 0) {
            dpx_problem_add_queue(p, i, near, far, kind, home);
        } else {
            dpx_problem_add_queue(task->few, i, DPX_FEW_UNIT, DPX_FEW_UNIT,
                                  kind, home);
        }
    }

    if (task->fixed[i] != DPX_NO_PMD) {
        int t = task->thread_of_pmd[task->fixed[i]];

        p->base[t] += (dpx_placement_is_far(view, rxq, task->fixed[i])
                       ? far : near);
        task->few->base[t] += load > 0 ? 0 : DPX_FEW_UNIT;
    }
}

struct dpx_task *
dpx_task_create(const struct dpx_view *view,
                const struct dpx_placement_options *options,
                const bool *may_leave)
{
    double cost = options->cross_numa_cost;
    struct dpx_demand *refs = dpx_demands_create(view, cost);
    struct dpx_task *task = xzalloc(sizeof *task);
    size_t n = view->n_rxqs;
    int *nodes = xcalloc(n + 1, sizeof *nodes);
    int *kinds = xcalloc(n + 1, sizeof *kinds);
    double max = 0;

    task->all = dpx_problem_create(view->n_pmds, n, 0);
    task->few = dpx_problem_create(view->n_pmds, n, 0);
    set_threads(task->all, view, options->smt_factor);
    set_threads(task->few, view, options->smt_factor);
    task->thread_of_pmd = xcalloc(view->n_pmds + 1,
                                  sizeof *task->thread_of_pmd);
    for (int t = 0; t < task->all->n_threads; t++) {
        task->thread_of_pmd[task->all->pmd[t]] = t;
    }

    task->fate = xcalloc(n + 1, sizeof *task->fate);
    task->fixed = xcalloc(n + 1, sizeof *task->fixed);
    task->load = xcalloc(n + 1, sizeof *task->load);
    task->order = xcalloc(n + 1, sizeof *task->order);
    for (size_t r = 0; r < n; r++) {
        int i = refs[r].index;

        task->order[r] = i;
        task->load[i] = refs[r].load;
        task->measured |= refs[r].load >= 0;
        task->fixed[i] = DPX_NO_PMD;
        max = MAX(max, refs[r].load * (1 + cost));
        kinds[i] = kind_of_node(task->all, nodes, view, refs[r].rxq->numa_id,
                                options->cross_numa == DPX_CROSS_NUMA_ALWAYS
                                || (may_leave && may_leave[i]));
        task->fate[i] = decide_fate(task, view, refs[r].rxq, kinds[i]);
    }
    if (max > 0) {
        int exponent;

        frexp(max, &exponent);
        task->all->unit = ldexp(1, exponent - DPX_WEIGHT_BITS);
    }
    apply_cap(task, view, options->max_moves, refs);

    for (size_t r = 0; r < n; r++) {
        sort_queue(task, view, refs[r].index, kinds[refs[r].index], cost);
    }
    free(task->few->reach);
    task->few->n_kinds = task->all->n_kinds;
    task->few->reach = xmemdup(task->all->reach,
                               (size_t) task->all->n_kinds
                               * task->all->n_threads + 1);
    free(nodes);
    free(kinds);
    free(refs);
    return task;
}

void
dpx_task_destroy(struct dpx_task *task)
{
    if (task) {
        dpx_problem_destroy(task->all);
        dpx_problem_destroy(task->few);
        free(task->thread_of_pmd);
        free(task->fate);
        free(task->fixed);
        free(task->load);
        free(task->order);
        free(task);
    }
}
