/* SPDX-License-Identifier: Apache-2.0
 *
 * The planner's task: a view after the rules have been applied.  Private to
 * the planner. */

#ifndef DPX_PLACEMENT_TASK_H
#define DPX_PLACEMENT_TASK_H 1

#include "dpx-placement-problem.h"

/* A queue without a load, in the problem that counts such queues. */
#define DPX_FEW_UNIT (1 << 20)

/* What became of a queue of the view before any search. */
enum dpx_fate {
    DPX_FATE_NOWHERE,         /* No PMD may poll it. */
    DPX_FATE_PINNED,          /* Stays on, or goes to, its pinned PMD. */
    DPX_FATE_HELD,            /* Breaks the NUMA rule, but the cap holds it. */
    DPX_FATE_NEW,             /* Not polled now. */
    DPX_FATE_ISOLATED,        /* Its PMD is isolated: has to leave. */
    DPX_FATE_NUMA,            /* Breaks the NUMA rule: has to leave. */
    DPX_FATE_FREE             /* May stay or move. */
};

/* The whole task, made from a view. */
struct dpx_task {
    struct dpx_problem *all;  /* All threads; queues with a load. */
    struct dpx_problem *few;  /* The same threads; queues without a load, each
                               * counting one.  Its 'base' is empty. */
    int *thread_of_pmd;       /* PMD of the view: thread. */
    int *order;               /* Queues of the view, largest first. */
    enum dpx_fate *fate;      /* Per queue of the view. */
    int *fixed;               /* Per queue of the view: PMD that it gets
                               * whatever the search finds, or DPX_NO_PMD. */
    double *load;             /* Per queue of the view: load on its own node,
                               * or DPX_LOAD_UNKNOWN. */
    bool measured;            /* Any load known? */
    int n_forced;             /* Moves that no cap prevents. */
    int n_held;               /* DPX_FATE_HELD. */
    int moves_left;           /* Of the cap, or -1: unlimited. */
};

/* Makes the task.  'may_leave' has a flag per queue of the view: its own node
 * is full, so that with DPX_CROSS_NUMA_OVERLOAD another node may poll it.
 * Null: none is. */
struct dpx_task *dpx_task_create(const struct dpx_view *,
                                 const struct dpx_placement_options *,
                                 const bool *may_leave);
void dpx_task_destroy(struct dpx_task *);

#endif /* dpx-placement-task.h */
