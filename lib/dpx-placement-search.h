/* SPDX-License-Identifier: Apache-2.0
 *
 * Local search of the planner: lowest busiest core, then fewest moves.
 * Private to the planner. */

#ifndef DPX_PLACEMENT_SEARCH_H
#define DPX_PLACEMENT_SEARCH_H 1

#include "dpx-placement-layout.h"

/* Lowers the busiest core of 'l' by moves and swaps, until it is at most
 * 'target', nothing helps, or the effort is spent.  Never has more than
 * 'max_moved' queues away from home (negative: no limit). */
void dpx_search_lower(struct dpx_layout *l, dpx_units target, int max_moved,
                      struct dpx_effort *);

/* Takes one step down by exchanging up to two queues of the busiest core for
 * up to two of another.  False if there is none, or the effort is spent. */
bool dpx_search_exchange(struct dpx_layout *l, struct dpx_effort *);

/* Makes starting points without regard to the present one. */
void dpx_search_start_largest_first(struct dpx_layout *);
void dpx_search_start_by_thread(struct dpx_layout *);
void dpx_search_start_to_and_fro(struct dpx_layout *);

#endif /* dpx-placement-search.h */
