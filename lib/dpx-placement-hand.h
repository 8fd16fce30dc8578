/* SPDX-License-Identifier: Apache-2.0
 *
 * Plans around queues that an operator has placed by hand.
 *
 * Such a queue stays until a plan that may move it makes the busiest core
 * idler by the improvement threshold than one that may not.  Pure. */

#ifndef DPX_PLACEMENT_HAND_H
#define DPX_PLACEMENT_HAND_H 1

#include "dpx-placement.h"

/* What dpx_placement_plan() does, but queues of the view that are 'by_hand'
 * stay unless moving them pays by 'improvement' (0.25: the busiest core gets
 * 25 % idler, and by at least 1 % of a core).  The plan's summary says which
 * of the two it was. */
struct dpx_plan *dpx_placement_plan_by_hand(
    const struct dpx_view *view, const struct dpx_placement_options *options,
    double improvement);

#endif /* dpx-placement-hand.h */
