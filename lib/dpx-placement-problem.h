/* SPDX-License-Identifier: Apache-2.0
 *
 * The planner's own picture of its task: whole numbers, canonical order.
 *
 * Private to the lib/dpx-placement*.c files and their tests.  Loads are whole
 * numbers ("units"), so that a sum does not depend on the order of its terms
 * and two equal plans compare equal; threads and queues are sorted by what
 * they are (core id, port name), so that the order in the view is without
 * effect.  Never modified once built; no lock, no log. */

#ifndef DPX_PLACEMENT_PROBLEM_H
#define DPX_PLACEMENT_PROBLEM_H 1

#include "dpx-placement.h"

/* A load in units; see 'unit' in struct dpx_problem. */
typedef int64_t dpx_units;

#define DPX_UNITS_MAX INT64_MAX

/* Bits after the point in the reciprocal of a core's capacity.  The largest
 * queue has at most 26 bits, so 2**19 queues do not overflow. */
#define DPX_INV_BITS 18
#define DPX_WEIGHT_BITS 26

/* A queue without a load, in the problem that counts such queues. */
#define DPX_FEW_UNIT (1 << 20)

/* May a queue of some kind be polled by some thread? */
enum dpx_reach {
    DPX_REACH_NO,
    DPX_REACH_NEAR,
    DPX_REACH_FAR             /* Other NUMA node: costs more. */
};

/* Threads that may trade queues, and the queues they trade.  What cannot move
 * (pinned queues) is in 'base'. */
struct dpx_problem {
    double unit;              /* Load of one unit, as a fraction of a core. */

    int n_threads;            /* Ordered by core: siblings are neighbours. */
    int *pmd;                 /* Thread: PMD index in the view. */
    int *core_of;             /* Thread: core. */
    dpx_units *base;          /* Thread: load that stays there. */

    int n_cores;
    int *core_first;          /* Core: its first thread; one more at the end. */
    uint32_t *inv;            /* Core: 2**DPX_INV_BITS / capacity. */

    int n_queues;             /* Largest first, then by name. */
    int *rxq;                 /* Queue: index in the view. */
    dpx_units *weight;        /* Queue: load on its own node. */
    dpx_units *weight_far;    /* Queue: load on another node. */
    int *kind;                /* Queue: row of 'reach'. */
    int *home;                /* Queue: thread that polls it now, or -1 when
                               * it has to be placed anew. */

    int n_kinds;              /* Queues of one NUMA node are of one kind. */
    uint8_t *reach;           /* Kind x thread: enum dpx_reach. */
};

/* Where may 'q' be polled, and what does it weigh there? */
static inline enum dpx_reach
dpx_problem_reach(const struct dpx_problem *p, int q, int thread)
{
    return p->reach[p->kind[q] * p->n_threads + thread];
}

static inline dpx_units
dpx_problem_weight(const struct dpx_problem *p, int q, int thread)
{
    return dpx_problem_reach(p, q, thread) == DPX_REACH_FAR
           ? p->weight_far[q] : p->weight[q];
}

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
    struct dpx_problem *all;  /* All threads; queues with a load that counts. */
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

/* Returns the part of 'p' that has the cores in 'cores' and the queues in
 * 'queues' (one flag each), with 'base' (per thread of 'p') as what stays.  A
 * home outside the part becomes "to be placed anew". */
struct dpx_problem *dpx_problem_part(const struct dpx_problem *p,
                                     const bool *cores, const bool *queues,
                                     const dpx_units *base);
void dpx_problem_destroy(struct dpx_problem *);

/* A view may name a PMD that it does not have: that is no PMD. */
static inline bool
dpx_placement_is_pmd(const struct dpx_view *view, int pmd)
{
    return pmd >= 0 && (size_t) pmd < view->n_pmds;
}

/* Is PMD 'pmd' known to sit on another NUMA node than the port of 'rxq'? */
bool dpx_placement_is_far(const struct dpx_view *,
                          const struct dpx_view_rxq *rxq, int pmd);

/* The order that replaces the order of the view: by port, queue id, load. */
int dpx_placement_compare_rxqs(const struct dpx_view_rxq *,
                               const struct dpx_view_rxq *);

#endif /* dpx-placement-problem.h */
