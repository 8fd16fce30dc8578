/* SPDX-License-Identifier: Apache-2.0
 *
 * Best plan for a group of threads and queues.  Private to the planner. */

#ifndef DPX_PLACEMENT_SOLVE_H
#define DPX_PLACEMENT_SOLVE_H 1

#include "dpx-placement-layout.h"

/* How far the search may go. */
struct dpx_solve_limits {
    double tolerance;         /* As in struct dpx_placement_options. */
    dpx_units slack;          /* Given up as well, in units. */
    int max_moves;            /* Negative: no limit. */
};

/* What it found. */
struct dpx_solved {
    dpx_units bound;          /* No plan is below it. */
    dpx_units best;           /* Lowest busiest core found, at any number of
                               * moves; equal to 'bound' when proven. */
    bool cap_binds;           /* 'max_moves' prevents what the tolerance asks
                               * for. */
};

/* Sets 'l', made by dpx_layout_create(), to the plan. */
struct dpx_solved dpx_solve(struct dpx_layout *l,
                            const struct dpx_solve_limits *,
                            struct dpx_effort *);

#endif /* dpx-placement-solve.h */
