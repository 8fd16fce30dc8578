/* SPDX-License-Identifier: Apache-2.0
 *
 * The planner's own picture of its task: making it, cutting a part out of it.
 *
 * Called by the files that know where queues may go.  Must not search. */

#include <config.h>
#include "dpx-placement-problem.h"

#include <stdlib.h>

#include "util.h"

struct dpx_problem *
dpx_problem_create(int n_threads, int n_queues, int n_kinds)
{
    struct dpx_problem *p = xzalloc(sizeof *p);

    p->unit = 1;
    p->n_threads = n_threads;
    p->pmd = xcalloc(n_threads + 1, sizeof *p->pmd);
    p->core_of = xcalloc(n_threads + 1, sizeof *p->core_of);
    p->by_id = xcalloc(n_threads + 1, sizeof *p->by_id);
    p->base = xcalloc(n_threads + 1, sizeof *p->base);
    p->core_first = xcalloc(n_threads + 1, sizeof *p->core_first);
    p->inv = xcalloc(n_threads + 1, sizeof *p->inv);
    p->rxq = xcalloc(n_queues + 1, sizeof *p->rxq);
    p->weight = xcalloc(n_queues + 1, sizeof *p->weight);
    p->weight_far = xcalloc(n_queues + 1, sizeof *p->weight_far);
    p->kind = xcalloc(n_queues + 1, sizeof *p->kind);
    p->home = xcalloc(n_queues + 1, sizeof *p->home);
    p->n_kinds = n_kinds;
    p->reach = xcalloc((size_t) n_kinds * n_threads + 1, sizeof *p->reach);
    return p;
}

void
dpx_problem_destroy(struct dpx_problem *p)
{
    if (p) {
        free(p->pmd);
        free(p->core_of);
        free(p->by_id);
        free(p->base);
        free(p->core_first);
        free(p->inv);
        free(p->rxq);
        free(p->weight);
        free(p->weight_far);
        free(p->kind);
        free(p->home);
        free(p->reach);
        free(p);
    }
}

void
dpx_problem_add_queue(struct dpx_problem *p, int index, dpx_units weight,
                      dpx_units weight_far, int kind, int home)
{
    int q = p->n_queues++;

    p->rxq[q] = index;
    p->weight[q] = weight;
    p->weight_far[q] = weight_far;
    p->kind[q] = kind;
    p->home[q] = home;
}

struct dpx_problem *
dpx_problem_part(const struct dpx_problem *p, const bool *cores,
                 const bool *queues, const dpx_units *base)
{
    struct dpx_problem *part = dpx_problem_create(p->n_threads, p->n_queues,
                                                  p->n_kinds);
    int *thread = xcalloc(p->n_threads + 1, sizeof *thread);
    int n = 0;

    part->unit = p->unit;
    for (int t = 0; t < p->n_threads; t++) {
        int c = p->core_of[t];

        thread[t] = cores[c] ? n : -1;
        if (cores[c]) {
            if (t == p->core_first[c]) {
                part->inv[part->n_cores] = p->inv[c];
                part->core_first[part->n_cores++] = n;
            }
            part->pmd[n] = p->pmd[t];
            part->core_of[n] = part->n_cores - 1;
            part->base[n++] = base[t];
        }
    }
    part->core_first[part->n_cores] = n;
    part->n_threads = n;
    n = 0;
    for (int i = 0; i < p->n_threads; i++) {
        if (thread[p->by_id[i]] >= 0) {
            part->by_id[n++] = thread[p->by_id[i]];
        }
    }
    for (int k = 0; k < p->n_kinds; k++) {
        for (int t = 0; t < p->n_threads; t++) {
            if (thread[t] >= 0) {
                part->reach[k * n + thread[t]] = p->reach[k * p->n_threads
                                                          + t];
            }
        }
    }
    for (int q = 0; q < p->n_queues; q++) {
        if (queues[q]) {
            dpx_problem_add_queue(part, p->rxq[q], p->weight[q],
                                  p->weight_far[q], p->kind[q],
                                  (p->home[q] < 0 ? -1
                                   : thread[p->home[q]]));
        }
    }
    free(thread);
    return part;
}

bool
dpx_problem_are_alike(const struct dpx_problem *p, int core_a, int core_b)
{
    int a = p->core_first[core_a], b = p->core_first[core_b];
    int n = p->core_first[core_a + 1] - a;

    if (n != p->core_first[core_b + 1] - b
        || p->inv[core_a] != p->inv[core_b]) {
        return false;
    }
    for (int i = 0; i < n; i++) {
        if (p->base[a + i] != p->base[b + i]) {
            return false;
        }
        for (int k = 0; k < p->n_kinds; k++) {
            const uint8_t *reach = &p->reach[k * p->n_threads];

            if (reach[a + i] != reach[b + i]) {
                return false;
            }
        }
    }
    return true;
}
