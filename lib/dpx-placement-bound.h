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

#endif /* dpx-placement-bound.h */
