/* SPDX-License-Identifier: Apache-2.0
 *
 * Who polls what, while the planner is trying things.  Called by the
 * searches.  Must not decide anything. */

#include <config.h>
#include "dpx-placement-layout.h"

#include <stdlib.h>
#include <string.h>

#include "util.h"

struct dpx_layout *
dpx_layout_create(const struct dpx_problem *p)
{
    struct dpx_layout *l = xzalloc(sizeof *l);

    l->p = p;
    l->at = xcalloc(p->n_queues + 1, sizeof *l->at);
    l->next = xcalloc(p->n_queues + 1, sizeof *l->next);
    l->prev = xcalloc(p->n_queues + 1, sizeof *l->prev);
    l->thread_load = xcalloc(p->n_threads + 1, sizeof *l->thread_load);
    l->core_load = xcalloc(p->n_cores + 1, sizeof *l->core_load);
    l->head = xcalloc(p->n_threads + 1, sizeof *l->head);
    dpx_layout_clear(l);
    return l;
}

void
dpx_layout_clear(struct dpx_layout *l)
{
    const struct dpx_problem *p = l->p;

    for (int q = 0; q < p->n_queues; q++) {
        l->at[q] = -1;
    }
    for (int t = 0; t < p->n_threads; t++) {
        l->head[t] = -1;
        l->thread_load[t] = p->base[t];
    }
    for (int c = 0; c < p->n_cores; c++) {
        l->core_load[c] = dpx_layout_core_if(l, c, -1, 0, -1, 0);
    }
    l->n_moved = 0;
    l->n_far = 0;
}

void
dpx_layout_destroy(struct dpx_layout *l)
{
    if (l) {
        free(l->at);
        free(l->next);
        free(l->prev);
        free(l->thread_load);
        free(l->core_load);
        free(l->head);
        free(l);
    }
}

void
dpx_layout_copy(struct dpx_layout *to, const struct dpx_layout *from)
{
    const struct dpx_problem *p = from->p;

    memcpy(to->at, from->at, p->n_queues * sizeof *to->at);
    memcpy(to->next, from->next, p->n_queues * sizeof *to->next);
    memcpy(to->prev, from->prev, p->n_queues * sizeof *to->prev);
    memcpy(to->head, from->head, p->n_threads * sizeof *to->head);
    memcpy(to->thread_load, from->thread_load,
           p->n_threads * sizeof *to->thread_load);
    memcpy(to->core_load, from->core_load,
           p->n_cores * sizeof *to->core_load);
    to->n_moved = from->n_moved;
    to->n_far = from->n_far;
}

static void
account(struct dpx_layout *l, int q, int thread, int sign)
{
    const struct dpx_problem *p = l->p;
    int c = p->core_of[thread];

    l->thread_load[thread] += sign * dpx_problem_weight(p, q, thread);
    l->core_load[c] = dpx_layout_core_if(l, c, -1, 0, -1, 0);
    if (p->home[q] >= 0 && p->home[q] != thread) {
        l->n_moved += sign;
    }
    if (dpx_problem_reach(p, q, thread) == DPX_REACH_FAR) {
        l->n_far += sign;
    }
}

void
dpx_layout_set(struct dpx_layout *l, int q, int thread)
{
    int old = l->at[q];

    if (old >= 0) {
        if (l->prev[q] >= 0) {
            l->next[l->prev[q]] = l->next[q];
        } else {
            l->head[old] = l->next[q];
        }
        if (l->next[q] >= 0) {
            l->prev[l->next[q]] = l->prev[q];
        }
        account(l, q, old, -1);
    }
    l->at[q] = thread;
    if (thread >= 0) {
        l->prev[q] = -1;
        l->next[q] = l->head[thread];
        if (l->head[thread] >= 0) {
            l->prev[l->head[thread]] = q;
        }
        l->head[thread] = q;
        account(l, q, thread, 1);
    }
}

void
dpx_layout_insert(struct dpx_layout *l, int q)
{
    const struct dpx_problem *p = l->p;
    dpx_units best_core = DPX_UNITS_MAX;
    dpx_units best_thread = DPX_UNITS_MAX;
    int best = -1;

    for (int t = 0; t < p->n_threads; t++) {
        dpx_units w, core, thread;

        if (dpx_problem_reach(p, q, t) == DPX_REACH_NO) {
            continue;
        }
        w = dpx_problem_weight(p, q, t);
        core = dpx_layout_core_if(l, p->core_of[t], t, w, -1, 0);
        thread = l->thread_load[t] + w;
        if (core < best_core || (core == best_core && thread < best_thread)) {
            best_core = core;
            best_thread = thread;
            best = t;
        }
    }
    dpx_layout_set(l, q, best);
}

dpx_units
dpx_layout_busiest(const struct dpx_layout *l, int *core)
{
    dpx_units max = -1;

    for (int c = 0; c < l->p->n_cores; c++) {
        if (l->core_load[c] > max) {
            max = l->core_load[c];
            if (core) {
                *core = c;
            }
        }
    }
    return max;
}

int
dpx_layout_idlest(const struct dpx_layout *l)
{
    int idlest = 0;

    for (int c = 1; c < l->p->n_cores; c++) {
        if (l->core_load[c] < l->core_load[idlest]) {
            idlest = c;
        }
    }
    return idlest;
}

dpx_units
dpx_layout_half_of_both(const struct dpx_layout *l, int core_a, int core_b)
{
    const struct dpx_problem *p = l->p;
    const int cores[2] = { core_a, core_b };
    dpx_units sum = 0;

    for (int i = 0; i < 2; i++) {
        for (int t = p->core_first[cores[i]]; t < p->core_first[cores[i] + 1];
             t++) {
            sum += l->thread_load[t];
        }
    }
    return (sum / 2 * MIN(p->inv[core_a], p->inv[core_b])) >> DPX_INV_BITS;
}

double
dpx_layout_unevenness(const struct dpx_layout *l)
{
    double sum = 0;

    for (int c = 0; c < l->p->n_cores; c++) {
        sum += (double) l->core_load[c] * l->core_load[c];
    }
    return sum;
}

bool
dpx_layout_calmer(const struct dpx_layout *a, const struct dpx_layout *b)
{
    if (a->n_moved != b->n_moved) {
        return a->n_moved < b->n_moved;
    } else if (a->n_far != b->n_far) {
        return a->n_far < b->n_far;
    }
    return dpx_layout_unevenness(a) < dpx_layout_unevenness(b);
}
