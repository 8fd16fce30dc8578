/* SPDX-License-Identifier: Apache-2.0
 *
 * Why a plan is as it is, in words.  Private to the planner. */

#ifndef DPX_PLACEMENT_REASON_H
#define DPX_PLACEMENT_REASON_H 1

#include "dpx-placement-load.h"

/* All that a sentence may be about. */
struct dpx_story {
    const struct dpx_view *view;
    const struct dpx_placement_options *options;
    const struct dpx_task *task;
    const struct dpx_plan *plan;      /* All but its words. */
    struct dpx_loads now;
    struct dpx_loads then;
    double best;                      /* Lowest busiest core at any number of
                                       * moves, or DPX_LOAD_UNKNOWN. */
};

/* Each returns a sentence that the caller frees. */
char *dpx_reason_for_move(const struct dpx_story *,
                          const struct dpx_placement_move *);
char *dpx_reason_for_plan(const struct dpx_story *);

#endif /* dpx-placement-reason.h */
