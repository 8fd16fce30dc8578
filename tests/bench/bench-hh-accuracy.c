/* SPDX-License-Identifier: Apache-2.0
 *
 * How well a method of heavy hitters does, against the truth. */

#include <config.h>
#include "bench-hh-accuracy.h"

#include <math.h>
#include <stdlib.h>

#include "dpx-heavy-hitters-top.h"

#define REPORTS 1000            /* There cannot be more above 0.1 %. */

static double
measure_recall(const struct report *reports, size_t n,
               const struct traffic *t)
{
    static uint32_t flows[TOP];
    size_t n_true = traffic_top(t, TOP, flows), hits = 0;
    uint64_t least = n_true ? t->truth[0][flows[n_true - 1]] : 0;

    /* Any of several flows that are equal at the end is right. */
    for (size_t i = 0; i < MIN(n, n_true); i++) {
        uint32_t flow = traffic_find(t, &reports[i].key);

        hits += flow != UINT32_MAX && t->truth[0][flow] >= least;
    }
    return n_true ? hits / (double) n_true : NAN;
}

struct accuracy
measure_accuracy(const struct method *m, void *instance,
                 const struct traffic *t)
{
    static struct report reports[REPORTS];
    static uint32_t flows[REPORTS];
    size_t n = m->top(instance, reports, REPORTS);
    size_t n_true = traffic_top(t, REPORTS, flows), judged = 0;
    double *estimate = xcalloc(t->n_flows, sizeof *estimate);
    struct accuracy a = { .recall = measure_recall(reports, n, t) };

    for (size_t i = 0; i < n; i++) {
        uint32_t flow = traffic_find(t, &reports[i].key);

        /* A place may be twice in a sketch: the first is the larger. */
        if (flow != UINT32_MAX && !estimate[flow]) {
            estimate[flow] = reports[i].packets;
        }
    }
    for (size_t i = 0; i < n_true; i++) {
        double truth = t->truth[0][flows[i]];

        if (truth * 1000 >= t->total[0]) {
            double error = estimate[flows[i]] / truth - 1;

            a.error += fabs(error);
            a.over += fmax(error, 0);
            judged++;
        }
    }
    free(estimate);
    a.error = judged ? a.error / judged : NAN;
    a.over = judged ? a.over / judged : NAN;
    return a;
}

/* Bounds. */

#define MAX_TABLES 3

static void
judge_bounds(struct dpx_hh *const *tables, size_t n_tables,
             const struct traffic *t, double confidence,
             struct trials *result)
{
    struct dpx_hh_snapshot *s[MAX_TABLES];
    enum dpx_hh_weight weight = tables[0]->config.weight;
    uint64_t low, high;
    struct dpx_hh_top *top;
    bool absent_wrong = false;

    for (size_t i = 0; i < n_tables; i++) {
        s[i] = dpx_hh_snapshot(tables[i]);
    }
    top = dpx_hh_top(s, n_tables, TOP, weight, confidence);
    for (size_t i = 0; i < top->n_items; i++) {
        const struct dpx_hh_item *item = &top->items[i];
        uint64_t truth = t->truth[weight][traffic_find(t, &item->key)];

        result->wrong += truth < item->low || truth > item->high;
        result->items++;
    }
    for (uint32_t f = 0; f < t->n_flows; f++) {
        bool there = false;

        if (t->truth[weight][f] <= top->absent) {
            continue;
        }
        for (size_t i = 0; i < n_tables; i++) {
            there |= dpx_hh_snapshot_find(s[i], &t->keys[f], &low,
                                          &high) != NULL;
        }
        absent_wrong |= !there;
    }
    result->absent_wrong += absent_wrong;
    result->trials++;
    dpx_hh_top_destroy(top);
    for (size_t i = 0; i < n_tables; i++) {
        dpx_hh_snapshot_destroy(s[i]);
    }
}

struct trials
measure_bounds(unsigned int n, uint64_t packets, uint32_t sampling,
               double confidence, uint64_t seed)
{
    static const uint32_t flows[] = { 1000, 10000, 100000, 1000000 };
    struct trials result = { 0 };
    unsigned int r = 0;

    while (r < n) {
        enum shape shape = r / 16 % (UNIFORM + 1);
        struct traffic *t = traffic_create(shape, flows[r / 64 % 4], seed + r);

        /* Tables small enough that keys are thrown out all the time. */
        for (int i = 0; i < 16 && r < n; i++, r++) {
            size_t n_tables = 1 + r % MAX_TABLES;
            struct dpx_hh *tables[MAX_TABLES];
            struct dpx_hh_burst burst = { .n = 0 };
            struct burst b;

            traffic_restart(t, seed + r);
            t->train = 1 + r % 2 * 31;
            for (size_t j = 0; j < n_tables; j++) {
                struct dpx_hh_config config = {
                    .size = 1 << (13 + r % 8), .sampling = sampling,
                    .weight = r / 2 % 2, .seed = seed + r * MAX_TABLES + j,
                };

                tables[j] = dpx_hh_create(&config);
            }
            while (t->total[0] < packets) {
                traffic_next(t, &b);
                /* As queues do it: bursts go to one table or the other. */
                struct dpx_hh *hh = tables[bench_random(&t->random)
                                           % n_tables];
                uint8_t at[DPX_HH_BURST];
                size_t n_at = dpx_hh_sample(hh, DPX_HH_BURST, at);

                for (size_t j = 0; j < n_at; j++) {
                    *dpx_hh_next(&burst, b.in.bytes[at[j]]) = b.in.key[at[j]];
                }
                dpx_hh_prefetch(hh, &burst);
                dpx_hh_commit(hh, &burst);
            }
            judge_bounds(tables, n_tables, t, confidence, &result);
            for (size_t j = 0; j < n_tables; j++) {
                dpx_hh_destroy(tables[j]);
            }
        }
        traffic_destroy(t);
    }
    return result;
}
