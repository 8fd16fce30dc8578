/* SPDX-License-Identifier: Apache-2.0
 *
 * Branch and bound: proves, for few queues, what the local search found.
 *
 * Decides queue by queue, largest first, and gives up a branch as soon as it
 * cannot beat the best layout known.  Called by the planner while effort is
 * left; must stop when it is spent, with the best layout so far. */

#include <config.h>
#include "dpx-placement-exact.h"

#include <stdlib.h>

#include "util.h"

/* A place for the next queue. */
struct place {
    int thread;
    int cost;                 /* Moves. */
    bool far;
    dpx_units core_load;
};

struct exact {
    struct dpx_layout *l;     /* What is decided so far. */
    struct dpx_layout *best;
    struct dpx_effort *effort;
    dpx_units limit;          /* No core may be above it. */
    dpx_units bound;          /* Good enough to stop. */
    int max_moved;            /* Negative: any number. */
    bool calm;                /* Look for fewest moves, not for lowest. */
    bool done;                /* Best is proven, stop. */

    dpx_units *rest;          /* Queue: least load of it and those after. */
    dpx_units *smallest;      /* Queue: least load of any of those. */
    int *twin_of;             /* Core: lowest core that is like it. */
    bool *even;               /* Core: all kinds reach its threads alike. */
    bool far;                 /* Some queue can be polled from afar. */
    struct place *places;     /* Queue x thread: work space. */
};

static int
compare_places(const void *a_, const void *b_)
{
    const struct place *a = a_;
    const struct place *b = b_;

    if (a->cost != b->cost) {
        return a->cost < b->cost ? -1 : 1;
    } else if (a->far != b->far) {
        return a->far ? 1 : -1;
    } else if (a->core_load != b->core_load) {
        return a->core_load < b->core_load ? -1 : 1;
    }
    return (a->thread > b->thread) - (a->thread < b->thread);
}

static void
exact_init(struct exact *x, struct dpx_layout *best,
           struct dpx_effort *effort)
{
    const struct dpx_problem *p = best->p;
    int n = p->n_queues;

    *x = (struct exact) { .best = best, .effort = effort, .max_moved = -1 };
    x->l = dpx_layout_create(p);
    x->rest = xcalloc(n + 1, sizeof *x->rest);
    x->smallest = xcalloc(n + 1, sizeof *x->smallest);
    x->twin_of = xcalloc(p->n_cores + 1, sizeof *x->twin_of);
    x->places = xcalloc((size_t) n * p->n_threads + 1, sizeof *x->places);
    x->smallest[n] = DPX_UNITS_MAX;
    for (int q = n - 1; q >= 0; q--) {
        dpx_units least = p->weight_far[q];

        for (int t = 0; t < p->n_threads; t++) {
            if (dpx_problem_reach(p, q, t) == DPX_REACH_NEAR) {
                least = p->weight[q];
                break;
            }
        }
        x->rest[q] = x->rest[q + 1] + least;
        x->smallest[q] = MIN(x->smallest[q + 1], least);
    }
    x->even = xcalloc(p->n_cores + 1, sizeof *x->even);
    for (int c = 0; c < p->n_cores; c++) {
        x->even[c] = true;
        for (int k = 0; k < p->n_kinds; k++) {
            const uint8_t *reach = &p->reach[k * p->n_threads];

            for (int t = p->core_first[c]; t < p->core_first[c + 1]; t++) {
                x->even[c] &= reach[t] == reach[p->core_first[c]];
                x->far |= reach[t] == DPX_REACH_FAR;
            }
        }
        for (x->twin_of[c] = 0; x->twin_of[c] < c; x->twin_of[c]++) {
            if (dpx_problem_are_alike(p, x->twin_of[c], c)) {
                break;
            }
        }
    }
}

static void
exact_uninit(struct exact *x)
{
    dpx_layout_destroy(x->l);
    free(x->rest);
    free(x->smallest);
    free(x->twin_of);
    free(x->even);
    free(x->places);
}

/* Is there room for the queues from 'q' on?  Room that is smaller than the
 * smallest of them is no room. */
static bool
has_room(const struct exact *x, int q)
{
    const struct dpx_problem *p = x->l->p;
    dpx_units room = 0;

    for (int c = 0; c < p->n_cores; c++) {
        dpx_units threads = 0, sum = 0, core;

        if (x->l->core_load[c] > x->limit) {
            return false;               /* The limit fell meanwhile. */
        }
        for (int t = p->core_first[c]; t < p->core_first[c + 1]; t++) {
            dpx_units left = x->limit - x->l->thread_load[t];

            sum += x->l->thread_load[t];
            threads += left >= x->smallest[q] ? left : 0;
        }
        core = ((((x->limit + 1) << DPX_INV_BITS) - 1) / p->inv[c]) - sum;
        core = core >= x->smallest[q] ? core : 0;
        room += MIN(threads, core);
        if (room >= x->rest[q]) {
            return true;
        }
    }
    return room >= x->rest[q];
}

/* Fewest of the queues from 'q' on that have to leave home, given what is
 * decided: where all of them would stay and a core is too full, the largest
 * go. */
static int
moves_to_come(const struct exact *x, int q)
{
    const struct dpx_layout *l = x->l;
    const struct dpx_problem *p = l->p;
    int moves = 0;

    for (int c = 0; c < p->n_cores; c++) {
        dpx_units excess = -((((x->limit + 1) << DPX_INV_BITS) - 1)
                             / p->inv[c]);
        int of_core = 0, of_threads = 0;

        for (int t = p->core_first[c]; t < p->core_first[c + 1]; t++) {
            dpx_units above = l->thread_load[t] - x->limit;

            for (int i = q; i < p->n_queues; i++) {
                above += p->home[i] == t ? dpx_problem_weight(p, i, t) : 0;
            }
            excess += above + x->limit;
            for (int i = q; i < p->n_queues && above > 0; i++) {
                if (p->home[i] == t) {
                    above -= dpx_problem_weight(p, i, t);
                    of_threads++;
                }
            }
        }
        for (int i = q; i < p->n_queues && excess > 0; i++) {
            if (p->home[i] >= 0 && p->core_of[p->home[i]] == c) {
                excess -= dpx_problem_weight(p, i, p->home[i]);
                of_core++;
            }
        }
        moves += MAX(of_core, of_threads);
    }
    return moves;
}

/* Can no layout below this branch beat the best one? */
static bool
is_hopeless(struct exact *x, int q)
{
    const struct dpx_layout *l = x->l;
    bool homes = x->calm || x->max_moved >= 0;

    x->effort->left -= 8 + 8 * l->p->n_threads;
    if (!has_room(x, q)) {
        return true;
    } else if (homes) {
        int moves;

        x->effort->left -= 2 * l->p->n_threads + l->p->n_queues - q;
        moves = l->n_moved + moves_to_come(x, q);
        if (x->calm) {
            return (moves > x->best->n_moved
                    || (moves == x->best->n_moved
                        && l->n_far >= x->best->n_far));
        }
        return moves > x->max_moved;
    }
    return false;
}

/* From 'q' on, is it without effect on which thread of core 'c' a queue is?
 *
 * Let k be the threads, f the capacity, T the limit.  The least busy thread
 * has at most 1/k of the core, so that with a queue w added it has at most
 * (f T - w) / k + w.  When that is at most T for the largest queue left, the
 * least busy thread always does, and only the core's total counts.  (T is
 * never below the bound, and the inequality is hardest there.) */
static bool
threads_are_equal(const struct exact *x, int c, int q)
{
    const struct dpx_problem *p = x->l->p;
    int k = p->core_first[c + 1] - p->core_first[c];
    double f = (double) (1 << DPX_INV_BITS) / p->inv[c] + 1e-5;
    dpx_units w = x->far ? p->weight_far[q] : p->weight[q];

    return (k > 1 && x->even[c] && x->bound > 2
            && (double) w * (k - 1) <= (x->bound - 2) * (k - f));
}

static dpx_units
core_total(const struct dpx_layout *l, int c)
{
    dpx_units sum = 0;

    for (int t = l->p->core_first[c]; t < l->p->core_first[c + 1]; t++) {
        sum += l->thread_load[t];
    }
    return sum;
}

/* has_twin() where only the totals of cores count. */
static bool
core_has_twin(const struct exact *x, int thread)
{
    const struct dpx_layout *l = x->l;
    const struct dpx_problem *p = l->p;
    int core = p->core_of[thread];

    for (int t = p->core_first[core]; t < p->core_first[core + 1]; t++) {
        if (l->thread_load[t] < l->thread_load[thread]
            || (l->thread_load[t] == l->thread_load[thread] && t < thread)) {
            return true;
        }
    }
    for (int c = x->twin_of[core]; c < core; c++) {
        if (x->twin_of[c] == x->twin_of[core]
            && core_total(l, c) == core_total(l, core)) {
            return true;
        }
    }
    return false;
}

/* Would 'q' on 'thread' be the same but for names as on an earlier thread?
 * Only where homes do not tell threads apart. */
static bool
has_twin(const struct exact *x, int q, int thread)
{
    const struct dpx_layout *l = x->l;
    const struct dpx_problem *p = l->p;
    int core = p->core_of[thread];
    int first = p->core_first[core];
    int n = p->core_first[core + 1] - first;

    if (threads_are_equal(x, core, q)) {
        return core_has_twin(x, thread);
    }

    for (int c = x->twin_of[core]; c < core; c++) {
        int other = p->core_first[c];
        int i = 0;

        if (x->twin_of[c] != x->twin_of[core]) {
            continue;
        }
        while (i < n && (l->thread_load[first + i]
                         == l->thread_load[other + i])) {
            i++;
        }
        if (i == n) {
            return true;
        }
    }
    for (int t = first; t < thread; t++) {
        bool alike = (l->thread_load[t] == l->thread_load[thread]
                      && p->base[t] == p->base[thread]);

        for (int k = 0; alike && k < p->n_kinds; k++) {
            alike = (p->reach[k * p->n_threads + t]
                     == p->reach[k * p->n_threads + thread]);
        }
        if (alike) {
            return true;
        }
    }
    return false;
}

/* Everything is decided: keeps the layout if it is better than the best. */
static void
keep(struct exact *x)
{
    dpx_units busiest = dpx_layout_busiest(x->l, NULL);

    if (busiest > x->limit) {
        return;                         /* The limit fell meanwhile. */
    } else if (x->calm) {
        if (dpx_layout_calmer(x->l, x->best)) {
            dpx_layout_copy(x->best, x->l);
            x->done = !x->best->n_moved && !x->best->n_far;
        }
    } else if (x->max_moved < 0 || x->l->n_moved <= x->max_moved) {
        dpx_layout_copy(x->best, x->l);
        x->limit = busiest - 1;
        x->done = busiest <= x->bound;
    }
}

/* Decides queue 'q' and all after it. */
static void
branch(struct exact *x, int q)
{
    struct dpx_layout *l = x->l;
    const struct dpx_problem *p = l->p;
    struct place *places;
    bool homes = x->calm || x->max_moved >= 0;
    int n = 0;

    if (q == p->n_queues) {
        keep(x);
        return;
    } else if (is_hopeless(x, q)) {
        return;
    }

    places = &x->places[q * p->n_threads];
    for (int t = 0; t < p->n_threads; t++) {
        enum dpx_reach reach = dpx_problem_reach(p, q, t);

        if (reach != DPX_REACH_NO && (homes || !has_twin(x, q, t))) {
            places[n++] = (struct place) {
                .thread = t,
                .cost = homes && p->home[q] >= 0 && p->home[q] != t,
                .far = x->calm && reach == DPX_REACH_FAR,
                .core_load = dpx_layout_core_if(
                    l, p->core_of[t], t, dpx_problem_weight(p, q, t), -1, 0),
            };
        }
    }
    qsort(places, n, sizeof *places, compare_places);
    for (int i = 0; i < n && !x->done && x->effort->left > 0; i++) {
        if (places[i].core_load <= x->limit) {
            dpx_layout_set(l, q, places[i].thread);
            branch(x, q + 1);
            dpx_layout_set(l, q, -1);
        }
    }
}

/* Starts the search, unless the best is proven already. */
static bool
run(struct exact *x)
{
    if (!x->done) {
        branch(x, 0);
        x->done |= x->effort->left > 0;
    }
    exact_uninit(x);
    return x->done;
}

bool
dpx_exact_lowest(struct dpx_layout *best, dpx_units bound, int max_moved,
                 struct dpx_effort *effort)
{
    struct exact x;

    exact_init(&x, best, effort);
    x.bound = bound;
    x.max_moved = max_moved;
    x.limit = dpx_layout_busiest(best, NULL) - 1;
    x.done = x.limit < bound;
    return run(&x);
}

bool
dpx_exact_calmest(struct dpx_layout *best, dpx_units limit,
                  struct dpx_effort *effort)
{
    struct exact x;

    exact_init(&x, best, effort);
    x.calm = true;
    x.limit = limit;
    x.done = !best->n_moved && !best->n_far;
    return run(&x);
}
