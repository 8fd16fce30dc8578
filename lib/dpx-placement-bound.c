/* SPDX-License-Identifier: Apache-2.0
 *
 * The load that no plan can go below.
 *
 * A plan that reaches it is proven; else the difference is the most that a
 * better search could still win.  Called by the planner and, for its proof,
 * by the branch and bound.  Must never return more than the true optimum:
 * each term below says why it holds. */

#include <config.h>
#include "dpx-placement-bound.h"

#include <stdlib.h>

#include "util.h"

static dpx_units
core_load(const struct dpx_problem *p, int c, int thread, dpx_units more)
{
    dpx_units sum = 0, max = 0;

    for (int t = p->core_first[c]; t < p->core_first[c + 1]; t++) {
        dpx_units load = p->base[t] + (t == thread ? more : 0);

        sum += load;
        max = MAX(max, load);
    }
    return MAX(max, (sum * p->inv[c]) >> DPX_INV_BITS);
}

/* What cannot move stays on its core. */
static dpx_units
bound_by_base(const struct dpx_problem *p)
{
    dpx_units bound = 0;

    for (int c = 0; c < p->n_cores; c++) {
        bound = MAX(bound, core_load(p, c, -1, 0));
    }
    return bound;
}

/* The largest queue of each kind goes, whole, to some core. */
static dpx_units
bound_by_largest(const struct dpx_problem *p)
{
    bool *done = xcalloc(p->n_kinds + 1, sizeof *done);
    dpx_units bound = 0;

    for (int q = 0; q < p->n_queues; q++) {
        dpx_units least = DPX_UNITS_MAX;

        if (done[p->kind[q]]) {
            continue;
        }
        done[p->kind[q]] = true;
        for (int t = 0; t < p->n_threads; t++) {
            if (dpx_problem_reach(p, q, t) != DPX_REACH_NO) {
                least = MIN(least, core_load(p, p->core_of[t], t,
                                             dpx_problem_weight(p, q, t)));
            }
        }
        bound = MAX(bound, least);
    }
    free(done);
    return bound;
}

/* Room on the threads 'in' when no core may be above 'limit'. */
static dpx_units
room_under(const struct dpx_problem *p, const bool *in, dpx_units limit)
{
    dpx_units room = 0;

    for (int c = 0; c < p->n_cores; c++) {
        dpx_units threads = 0, sum = 0, core;

        for (int t = p->core_first[c]; t < p->core_first[c + 1]; t++) {
            sum += p->base[t];
            threads += in[t] ? MAX(0, limit - p->base[t]) : 0;
        }
        /* Largest sum that core_load() still rounds to 'limit'. */
        core = ((((limit + 1) << DPX_INV_BITS) - 1) / p->inv[c]) - sum;
        room += MAX(0, MIN(threads, core));
    }
    return room;
}

/* All of 'total' has to fit somewhere. */
static dpx_units
bound_by_total(const struct dpx_problem *p, const bool *in, dpx_units total)
{
    dpx_units low = 0, high = total;

    for (int t = 0; t < p->n_threads; t++) {
        high += p->base[t];
    }
    while (low < high) {
        dpx_units middle = low + (high - low) / 2;

        if (room_under(p, in, middle) >= total) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

/* Of the k * m + 1 largest queues on m boxes, one box has at least k + 1,
 * which together are at least the k + 1 smallest of these. */
static dpx_units
pigeonhole(const dpx_units *w, int n, int m, dpx_units inv)
{
    dpx_units bound = 0;

    for (int k = 1; m > 0 && k * m < n; k++) {
        dpx_units sum = 0;

        for (int i = 0; i <= k; i++) {
            sum += w[k * m - i];
        }
        bound = MAX(bound, (sum * inv) >> DPX_INV_BITS);
    }
    return bound;
}

/* Bounds for the queues that can only be polled by the threads 'in'. */
static dpx_units
bound_by_confined(const struct dpx_problem *p, const bool *in)
{
    dpx_units *w = xcalloc(p->n_queues + 1, sizeof *w);
    int n = 0, n_threads = 0, n_cores = 0;
    int *fits = xcalloc(p->n_kinds + 1, sizeof *fits);
    dpx_units total = 0, inv = 1 << DPX_INV_BITS, bound;

    for (int k = 0; k < p->n_kinds; k++) {
        fits[k] = 2;                    /* Weighs as on another node. */
        for (int t = 0; t < p->n_threads; t++) {
            enum dpx_reach reach = p->reach[k * p->n_threads + t];

            if (reach != DPX_REACH_NO && !in[t]) {
                fits[k] = 0;
                break;
            } else if (reach == DPX_REACH_NEAR) {
                fits[k] = 1;
            }
        }
    }
    for (int q = 0; q < p->n_queues; q++) {
        int f = fits[p->kind[q]];

        if (f) {
            /* Weights of the two kinds may interleave: keep them sorted. */
            dpx_units weight = f == 1 ? p->weight[q] : p->weight_far[q];
            int i = n++;

            for (; i > 0 && w[i - 1] < weight; i--) {
                w[i] = w[i - 1];
            }
            w[i] = weight;
            total += weight;
        }
    }
    for (int c = 0; c < p->n_cores; c++) {
        int here = 0;

        for (int t = p->core_first[c]; t < p->core_first[c + 1]; t++) {
            here += in[t];
        }
        n_threads += here;
        n_cores += here > 0;
        if (here) {
            inv = MIN(inv, p->inv[c]);
        }
    }
    bound = bound_by_total(p, in, total);
    bound = MAX(bound, pigeonhole(w, n, n_threads, 1 << DPX_INV_BITS));
    bound = MAX(bound, pigeonhole(w, n, n_cores, inv));
    free(fits);
    free(w);
    return bound;
}

dpx_units
dpx_problem_base_load(const struct dpx_problem *p, int c)
{
    return core_load(p, c, -1, 0);
}

dpx_units
dpx_problem_floor(const struct dpx_problem *p)
{
    return MAX(bound_by_base(p), bound_by_largest(p));
}

dpx_units
dpx_problem_bound(const struct dpx_problem *p)
{
    dpx_units bound = dpx_problem_floor(p);
    bool *in = xcalloc(p->n_threads + 1, sizeof *in);
    bool *any = xcalloc(p->n_threads + 1, sizeof *any);

    for (int k = 0; k < p->n_kinds; k++) {
        for (int t = 0; t < p->n_threads; t++) {
            in[t] = p->reach[k * p->n_threads + t] != DPX_REACH_NO;
            any[t] |= in[t];
        }
        bound = MAX(bound, bound_by_confined(p, in));
    }
    if (p->n_kinds > 1) {
        bound = MAX(bound, bound_by_confined(p, any));
    }
    free(any);
    free(in);
    return bound;
}
