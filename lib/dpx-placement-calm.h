/* SPDX-License-Identifier: Apache-2.0
 *
 * Fewest moves under a given limit of the busiest core.  Private to the
 * planner. */

#ifndef DPX_PLACEMENT_CALM_H
#define DPX_PLACEMENT_CALM_H 1

#include "dpx-placement-layout.h"

/* Brings every core of 'l' to at most 'limit' with few moves.  False if it
 * found no way; 'l' is then somewhere in between. */
bool dpx_calm_repair(struct dpx_layout *l, dpx_units limit,
                     struct dpx_effort *);

/* Takes queues home again where that keeps the limit, then places the queues
 * that are away anyway so that they cross fewer nodes and lie flatter.  Never
 * moves more queues than 'l' does. */
void dpx_calm_take_home(struct dpx_layout *l, dpx_units limit,
                        struct dpx_effort *);

/* Threads of the same kind are interchangeable: gives each set of queues of
 * 'l' the thread where most of them are at home. */
void dpx_calm_relabel(struct dpx_layout *l);

#endif /* dpx-placement-calm.h */
