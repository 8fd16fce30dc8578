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
    int *by_id;               /* The threads in order of their CPU number. */
    dpx_units *base;          /* Thread: load that stays there. */

    int n_cores;
    int *core_first;          /* Core: first thread; one more at the end. */
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

/* Makes a problem without queues, with room for 'n_queues'. */
struct dpx_problem *dpx_problem_create(int n_threads, int n_queues,
                                       int n_kinds);
void dpx_problem_destroy(struct dpx_problem *);

/* Queues are added largest first. */
void dpx_problem_add_queue(struct dpx_problem *, int rxq, dpx_units weight,
                           dpx_units weight_far, int kind, int home);

/* Returns the part of 'p' that has the cores in 'cores' and the queues in
 * 'queues' (one flag each), with 'base' (per thread of 'p') as what stays.  A
 * home outside the part becomes "to be placed anew". */
struct dpx_problem *dpx_problem_part(const struct dpx_problem *p,
                                     const bool *cores, const bool *queues,
                                     const dpx_units *base);

/* Do two cores of 'p' differ in nothing but their names? */
bool dpx_problem_are_alike(const struct dpx_problem *p, int core_a,
                           int core_b);

#endif /* dpx-placement-problem.h */
