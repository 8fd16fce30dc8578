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
#include "dpx-placement-exact.h"
#include "dpx-placement-search.h"
#include "util.h"

typedef void start_func(struct dpx_layout *);

/* With more queues branch and bound has no prospect of ending. */
#define MAX_EXACT_QUEUES 64

/* A search that is this near to the bound may stop: one part in 2**13. */
#define NEAR_BITS 13

/* Takes 'percent' of 'whole' apart, to be given back with give_back(). */
static struct dpx_effort
take_share(struct dpx_effort *whole, int percent)
{
    struct dpx_effort share = { MAX(0, whole->left) / 100 * percent };

    whole->left -= share.left;
    return share;
}

static void
give_back(struct dpx_effort *whole, const struct dpx_effort *share)
{
    whole->left += share->left;
}

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

/* Goes down from 'l' as far as it goes. */
static void
descend(struct dpx_layout *l, dpx_units target, struct dpx_effort *effort)
{
    do {
        dpx_search_lower(l, target, -1, effort);
    } while (dpx_layout_busiest(l, NULL) > target
             && dpx_search_exchange(l, effort));
}

/* Replaces 'best', the present layout, by the lowest one found.  Returns true
 * if it is proven to be the lowest. */
static bool
find_lowest(struct dpx_layout *best, dpx_units bound,
            struct dpx_effort *effort)
{
    static start_func *const starts[] = {
        dpx_search_start_largest_first,
        dpx_search_start_by_thread,
        dpx_search_start_to_and_fro
    };
    dpx_units target = bound + (bound >> NEAR_BITS);
    struct dpx_layout *l = dpx_layout_create(best->p);
    struct dpx_effort share = take_share(effort, 40);

    descend(best, target, &share);
    give_back(effort, &share);
    /* Each start is looked at, even when the best is near the bound or no
     * effort is left: that is what makes a plan never worse than Open
     * vSwitch's own. */
    for (size_t i = 0; i < ARRAY_SIZE(starts); i++) {
        dpx_layout_clear(l);
        starts[i](l);
        if (dpx_layout_busiest(best, NULL) > target) {
            share = take_share(effort, 50);
            descend(l, target, &share);
            give_back(effort, &share);
        }
        if (dpx_layout_busiest(l, NULL) < dpx_layout_busiest(best, NULL)) {
            dpx_layout_copy(best, l);
        }
    }
    dpx_layout_destroy(l);
    return (best->p->n_queues <= MAX_EXACT_QUEUES
            ? dpx_exact_lowest(best, bound, -1, effort)
            : dpx_layout_busiest(best, NULL) <= bound);
}

/* Sets 'l' to the calmest layout found within 'limit': 'lowest' is one. */
static void
find_calmest(struct dpx_layout *l, const struct dpx_layout *home,
             const struct dpx_layout *lowest, dpx_units limit,
             struct dpx_effort *effort)
{
    struct dpx_effort share = take_share(effort, 30);

    dpx_layout_copy(l, home);
    if (!dpx_calm_repair(l, limit, &share)) {
        dpx_layout_copy(l, lowest);
    }
    dpx_calm_take_home(l, limit, &share);
    give_back(effort, &share);

    if (l->n_moved || l->n_far) {
        struct dpx_layout *other = dpx_layout_create(l->p);

        share = take_share(effort, 30);
        dpx_layout_copy(other, lowest);
        dpx_calm_relabel(other);
        dpx_calm_take_home(other, limit, &share);
        if (dpx_layout_calmer(other, l)) {
            dpx_layout_copy(l, other);
        }
        give_back(effort, &share);
        dpx_layout_destroy(other);
        if (l->p->n_queues <= MAX_EXACT_QUEUES) {
            dpx_exact_calmest(l, limit, effort);
        }
    }
}

static dpx_units
with_tolerance(dpx_units load, const struct dpx_solve_limits *limits)
{
    return load + (dpx_units) (load * limits->tolerance) + limits->slack;
}

/* Sets 'l' to the best layout with at most 'max_moves' moves. */
static void
solve_capped(struct dpx_layout *l, const struct dpx_layout *home,
             struct dpx_layout *lowest, dpx_units bound,
             const struct dpx_solve_limits *limits, struct dpx_effort *effort)
{
    struct dpx_effort share = take_share(effort, 50);

    dpx_layout_copy(lowest, home);
    dpx_search_lower(lowest, bound, limits->max_moves, &share);
    if (l->p->n_queues <= MAX_EXACT_QUEUES) {
        dpx_exact_lowest(lowest, bound, limits->max_moves, &share);
    }
    give_back(effort, &share);
    find_calmest(l, home, lowest,
                 with_tolerance(dpx_layout_busiest(lowest, NULL), limits),
                 effort);
    if (l->n_moved > limits->max_moves) {
        dpx_layout_copy(l, lowest);
    }
}

struct dpx_solved
dpx_solve(struct dpx_layout *l, const struct dpx_solve_limits *limits,
          struct dpx_effort *effort)
{
    struct dpx_solved s = { .bound = dpx_problem_bound(l->p) };
    struct dpx_layout *home = dpx_layout_create(l->p);
    struct dpx_layout *lowest = dpx_layout_create(l->p);
    dpx_units limit = with_tolerance(s.bound, limits);

    start_at_home(home);
    dpx_layout_copy(lowest, home);
    /* What is within the tolerance of the bound needs no search. */
    if (dpx_layout_busiest(home, NULL) > limit) {
        struct dpx_effort share = take_share(effort, 50);

        if (find_lowest(lowest, s.bound, &share)) {
            s.bound = dpx_layout_busiest(lowest, NULL);
        }
        give_back(effort, &share);
        limit = with_tolerance(dpx_layout_busiest(lowest, NULL), limits);
    }
    s.best = dpx_layout_busiest(lowest, NULL);
    find_calmest(l, home, lowest, limit, effort);
    s.best = MIN(s.best, dpx_layout_busiest(l, NULL));
    if (limits->max_moves >= 0 && l->n_moved > limits->max_moves) {
        s.cap_binds = true;
        solve_capped(l, home, lowest, s.bound, limits, effort);
    }
    dpx_layout_destroy(lowest);
    dpx_layout_destroy(home);
    return s;
}
