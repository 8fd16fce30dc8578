/* SPDX-License-Identifier: Apache-2.0
 *
 * What the trials at one load say about one goal: RFC 9971, "Load
 * Classification Logic" and "Conditional Throughput Logic". */

#include <config.h>
#include "dpx-search-private.h"

#include <stdlib.h>

#include "util.h"

/* Durations are sums of decimal fractions. */
#define EPSILON 1e-9

/* Seconds at one load, by how the trials went. */
struct sums {
    double good_long, bad_long, good_short, bad_short;
};

static struct sums
sum_up(const struct dpx_trial *trials, size_t n, double load,
       const struct dpx_goal *goal)
{
    struct sums s = { 0, 0, 0, 0 };

    for (const struct dpx_trial *t = trials; t < trials + n; t++) {
        bool full = t->duration >= goal->final_duration - EPSILON;
        bool good = t->loss_ratio <= goal->loss_ratio;

        if (t->load == load) {
            *(full ? (good ? &s.good_long : &s.bad_long)
              : (good ? &s.good_short : &s.bad_short)) += t->duration;
        }
    }
    return s;
}

enum dpx_load_class
dpx_load_classify(const struct dpx_trial *trials, size_t n, double load,
                  const struct dpx_goal *goal)
{
    struct sums s = sum_up(trials, n, load, goal);
    double allowed = goal->exceed_ratio;
    double excused = s.good_short * allowed / (1 - allowed);
    double bad = s.bad_long + MAX(0, s.bad_short - excused);
    double whole = MAX(s.good_long + bad, goal->duration_sum);

    /* Missing time counted as bad, then as good. */
    if (whole - s.good_long <= whole * allowed + EPSILON) {
        return DPX_LOAD_LOWER;
    }
    return (bad > whole * allowed + EPSILON ? DPX_LOAD_UPPER
            : DPX_LOAD_UNDECIDED);
}

static int
compare_loss(const void *a_, const void *b_)
{
    const struct dpx_trial *a = a_, *b = b_;

    return (a->loss_ratio > b->loss_ratio) - (a->loss_ratio < b->loss_ratio);
}

double
dpx_load_throughput(const struct dpx_trial *trials, size_t n, double load,
                    const struct dpx_goal *goal)
{
    struct dpx_trial *here = xcalloc(n + 1, sizeof *here);
    size_t m = 0;
    double sum = 0, loss = 1, rest;

    for (const struct dpx_trial *t = trials; t < trials + n; t++) {
        if (t->load == load && t->duration >= goal->final_duration - EPSILON) {
            here[m++] = *t;
            sum += t->duration;
        }
    }
    qsort(here, m, sizeof *here, compare_loss);
    rest = MAX(sum, goal->duration_sum) * (1 - goal->exceed_ratio);
    for (size_t i = 0; i < m && rest > EPSILON; i++) {
        loss = here[i].loss_ratio;
        rest -= here[i].duration;
    }
    free(here);
    return load * (1 - (rest > EPSILON ? 1 : loss));
}
