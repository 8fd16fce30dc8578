/* SPDX-License-Identifier: Apache-2.0
 *
 * Decides which PMD thread polls which rx queue.
 *
 * A pure function: a picture in, a plan out.  It takes no lock, logs nothing,
 * touches no datapath, allocates only the plan, and gives the same plan for
 * the same input.  Called from the main thread and from offline tools. */

#ifndef DPX_PLACEMENT_H
#define DPX_PLACEMENT_H 1

#include "dpx-view.h"

/* pmd-placement-cross-numa. */
enum dpx_cross_numa {
    DPX_CROSS_NUMA_NEVER,     /* Only where the own node has no PMD for it. */
    DPX_CROSS_NUMA_OVERLOAD,  /* Also when the own node is full. */
    DPX_CROSS_NUMA_ALWAYS     /* Wherever the cost pays. */
};

/* What the operator may choose; see dpx_placement_options_default(). */
struct dpx_placement_options {
    double smt_factor;        /* 1.0..2.0: capacity of a sibling pair. */
    enum dpx_cross_numa cross_numa;
    double cross_numa_cost;   /* Added to a remote queue's load: 0.2 is
                               * 20 %. */
    double tolerance;         /* Given up to move fewer queues, 0.02 = 2 %. */
    int max_moves;            /* Cap; negative: unlimited. 0 moves nothing
                               * (a queue nobody polls is still placed).  What
                               * pinning and isolation force is done even
                               * above the cap, and counts. */
    double time_limit_ms;     /* Search time; 0: the built-in default.  Kept by
                               * counting steps, so that a plan does not depend
                               * on how busy the machine is. */
};

/* One queue that changes its PMD. */
struct dpx_placement_move {
    size_t rxq;               /* Index in the view. */
    int from;                 /* PMD index, or DPX_NO_PMD: was not polled. */
    int to;                   /* PMD index, or DPX_NO_PMD: cannot be polled. */
    char *reason;             /* One sentence; owned by the plan. */
};

/* The answer.  Owned by the caller; free with dpx_plan_destroy(). */
struct dpx_plan {
    size_t n_rxqs;
    int *pmd_of_rxq;          /* Per rx queue of the view: PMD index, or
                               * DPX_NO_PMD when no PMD may poll it. */
    double *pmd_load;         /* Per PMD of the view: planned load relative to
                               * its capacity (SMT and NUMA cost included), or
                               * DPX_LOAD_UNKNOWN. */
    double *pmd_now;          /* The same as it is now. */
    size_t n_pmds;
    struct dpx_placement_move *moves;
    size_t n_moves;
    double busiest_now;       /* Load of the busiest core, relative to its
                               * capacity; DPX_LOAD_UNKNOWN if unmeasured. */
    double busiest_planned;
    double lower_bound;       /* No plan can be below it. */
    bool exact;               /* Proven: no plan has a busiest core below
                               * 'lower_bound', and one that reaches it is
                               * known; this one is within the tolerance of
                               * it. */
    bool cap_binds;           /* max_moves kept it from doing better. */
    char *summary;            /* Why it moves, or why it does nothing. */
};

/* Fills 'options' with the documented defaults of the pmd-placement-* keys. */
void dpx_placement_options_default(struct dpx_placement_options *options);

/* Makes the best plan for 'view' under 'options'.  Never fails: a view without
 * PMDs or queues gives an empty plan with a summary that says so.
 *
 * Objective, in order: pinned queues and isolated PMDs respected; NUMA rule;
 * busiest core lowest; among plans within the tolerance the fewest moves; then
 * fewest cross-NUMA polls; then flattest.  Queues of unknown load count as the
 * mean of their port's measured queues, else are spread by count.
 *
 * "Busiest core" is judged for each set of cores that trade queues (as a rule
 * a NUMA node) on its own, and beside a core that nothing can help, because
 * one queue fills it: so a plan may have moves that relieve other cores while
 * 'busiest_planned' equals 'busiest_now'.
 *
 * A load measured on another node than the port's holds the cross-NUMA cost
 * already: it is taken off when the queue goes home, not added twice. */
struct dpx_plan *dpx_placement_plan(
    const struct dpx_view *view, const struct dpx_placement_options *options);

/* Stores in pmd_load[] the load of each PMD of 'view', relative to its
 * capacity, with every queue where it is ('current'), as a plan would call
 * it.  Returns the highest, or DPX_LOAD_UNKNOWN when no load is known. */
double dpx_placement_loads(const struct dpx_view *view,
                           const struct dpx_placement_options *options,
                           double *pmd_load);

/* Frees 'plan'; null is allowed. */
void dpx_plan_destroy(struct dpx_plan *plan);

#endif /* dpx-placement.h */
