/* SPDX-License-Identifier: Apache-2.0
 *
 * Solves a problem group by group.  Private to the planner. */

#ifndef DPX_PLACEMENT_GROUPS_H
#define DPX_PLACEMENT_GROUPS_H 1

#include "dpx-placement-solve.h"

/* The answer so far. */
struct dpx_outcome {
    int *pmd_of_rxq;          /* Per queue of the view: PMD index. */
    dpx_units best;           /* Of the busiest group; see dpx_solved. */
    dpx_units bound;
    bool cap_binds;
};

/* Solves each group of cores of 'p' that trade queues with each other, and
 * adds what comes out to 'outcome'.  '*moves_left' is what the cap leaves, or
 * negative: no limit; what is used is taken off. */
void dpx_groups_solve(const struct dpx_problem *p,
                      const struct dpx_solve_limits *, int *moves_left,
                      struct dpx_effort *, struct dpx_outcome *outcome);

#endif /* dpx-placement-groups.h */
