/* SPDX-License-Identifier: Apache-2.0
 *
 * Branch and bound: proves, for few queues, what the local search found.
 * Private to the planner. */

#ifndef DPX_PLACEMENT_EXACT_H
#define DPX_PLACEMENT_EXACT_H 1

#include "dpx-placement-layout.h"

/* Replaces 'best' by the layout with the lowest busiest core among those with
 * at most 'max_moved' queues away from home (negative: any number).  Returns
 * true if 'best' is proven: it reached 'bound', or everything was searched;
 * false if the effort ended first. */
bool dpx_exact_lowest(struct dpx_layout *best, dpx_units bound, int max_moved,
                      struct dpx_effort *);

/* Replaces 'best', which keeps every core within 'limit', by the layout that
 * does so with the fewest moves, then the fewest queues on another node.
 * Returns true if it is proven. */
bool dpx_exact_calmest(struct dpx_layout *best, dpx_units limit,
                       struct dpx_effort *);

#endif /* dpx-placement-exact.h */
