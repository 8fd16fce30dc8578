/* SPDX-License-Identifier: Apache-2.0
 *
 * Best plan for a group of threads and queues that trade with each other.
 *
 * First the lowest busiest core from several starts, then the fewest moves
 * that keep within the tolerance of it.  Called once per group; sees only the
 * problem, no view and no rule. */

#include <config.h>
#include "dpx-placement-solve.h"

#include <math.h>

#include "dpx-placement-bound.h"
#include "dpx-placement-calm.h"
#include "dpx-placement-search.h"
#include "util.h"

typedef void start_func(struct dpx_layout *);

/* Everything at home; queues that have none are placed largest first. */
static void
start_at_home(struct dpx_layout *l)
{
    const struct dpx_problem *p = l->p;

    for (int q = 0; q < p->n_queues; q++) {
        if (p->home[q] >= 0) {
            dpx_layout_set(l, q, p->home[q]);
        }
    }
    for (int q = 0; q < p->n_queues; q++) {
        if (p->home[q] < 0) {
            dpx_layout_insert(l, q);
        }
    }
}

/* Replaces 'best' by a better layout from one of the other starts. */
static void
find_lowest(struct dpx_layout *best, dpx_units bound,
            struct dpx_effort *effort)
{
    static start_func *const starts[] = {
        dpx_search_start_largest_first,
        dpx_search_start_by_thread,
        dpx_search_start_to_and_fro
    };

    for (size_t i = 0; i < ARRAY_SIZE(starts); i++) {
        struct dpx_layout *l;

        if (dpx_layout_busiest(best, NULL) <= bound) {
            return;
        }
        l = dpx_layout_create(best->p);
        starts[i](l);
        dpx_search_lower(l, bound, -1, effort);
        if (dpx_layout_busiest(l, NULL) < dpx_layout_busiest(best, NULL)) {
            dpx_layout_copy(best, l);
        }
        dpx_layout_destroy(l);
    }
}

/* Sets 'l' to the calmest layout found within 'limit': 'lowest' is one. */
static void
find_calmest(struct dpx_layout *l, const struct dpx_layout *home,
             const struct dpx_layout *lowest, dpx_units limit,
             struct dpx_effort *effort)
{
    struct dpx_layout *repaired = dpx_layout_create(l->p);

    dpx_layout_copy(l, lowest);
    dpx_calm_relabel(l);
    dpx_calm_take_home(l, limit, effort);

    dpx_layout_copy(repaired, home);
    if (dpx_calm_repair(repaired, limit, effort)) {
        dpx_calm_take_home(repaired, limit, effort);
        if (dpx_layout_calmer(repaired, l)) {
            dpx_layout_copy(l, repaired);
        }
    }
    dpx_layout_destroy(repaired);
}

static dpx_units
with_tolerance(dpx_units load, const struct dpx_solve_limits *limits)
{
    return load + (dpx_units) (load * limits->tolerance) + limits->slack;
}

struct dpx_solved
dpx_solve(struct dpx_layout *l, const struct dpx_solve_limits *limits,
          struct dpx_effort *effort)
{
    struct dpx_solved s = { .bound = dpx_problem_bound(l->p) };
    struct dpx_layout *home = dpx_layout_create(l->p);
    struct dpx_layout *lowest = dpx_layout_create(l->p);
    dpx_units limit;

    start_at_home(home);
    dpx_layout_copy(lowest, home);
    if (dpx_layout_busiest(home, NULL) > with_tolerance(s.bound, limits)) {
        dpx_search_lower(lowest, s.bound, -1, effort);
        find_lowest(lowest, s.bound, effort);
    }
    s.best = dpx_layout_busiest(lowest, NULL);

    limit = with_tolerance(s.best, limits);
    find_calmest(l, home, lowest, limit, effort);
    if (limits->max_moves >= 0 && l->n_moved > limits->max_moves) {
        s.cap_binds = true;
        dpx_layout_copy(lowest, home);
        dpx_search_lower(lowest, s.bound, limits->max_moves, effort);
        limit = with_tolerance(dpx_layout_busiest(lowest, NULL), limits);
        find_calmest(l, home, lowest, limit, effort);
        if (l->n_moved > limits->max_moves) {
            dpx_layout_copy(l, lowest);
        }
    }
    dpx_layout_destroy(lowest);
    dpx_layout_destroy(home);
    return s;
}
