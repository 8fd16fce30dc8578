/* SPDX-License-Identifier: Apache-2.0
 *
 * The load that no plan can go below.  Private to the planner. */

#ifndef DPX_PLACEMENT_BOUND_H
#define DPX_PLACEMENT_BOUND_H 1

#include "dpx-placement-problem.h"

/* Returns a load that the busiest core of 'p' has in every plan, the highest
 * of: what a core cannot give away; the largest queue; for each set of
 * threads that some queues are confined to, their total over the capacity
 * left, and the pigeonhole (k * m + 1 queues on m threads: one has k + 1). */
dpx_units dpx_problem_bound(const struct dpx_problem *p);

/* The part of it that no better search could lower and no other core share:
 * what a core cannot give away, or the largest queue. */
dpx_units dpx_problem_floor(const struct dpx_problem *p);

/* Load of core 'c' by what cannot move. */
dpx_units dpx_problem_base_load(const struct dpx_problem *p, int c);

#endif /* dpx-placement-bound.h */
