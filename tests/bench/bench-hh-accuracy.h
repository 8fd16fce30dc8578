/* SPDX-License-Identifier: Apache-2.0
 *
 * How well a method of heavy hitters does, against the truth. */

#ifndef BENCH_HH_ACCURACY_H
#define BENCH_HH_ACCURACY_H 1

#include "bench-hh-methods.h"

#define TOP 100                 /* Recall is that of so many flows. */

struct accuracy {
    double recall;              /* Of the true top TOP, 0..1. */
    double error;               /* Mean relative error of flows above 0.1 % of
                                 * the packets; NAN if there are none. */
    double over;                /* The same of what is too much, only. */
};

struct accuracy measure_accuracy(const struct method *, void *instance,
                                 const struct traffic *);

/* Trials with the bounds that ours states. */
struct trials {
    unsigned int trials;
    unsigned long items, wrong;         /* Bounds looked at, bounds missed. */
    unsigned long absent_wrong;         /* Trials where a key in no table had
                                         * more than stated. */
};

/* 'n' trials of 'packets' each, over shapes, trains of packets and merged
 * tables; each traffic and each table from another seed.  Bounds are stated
 * with 'confidence'. */
struct trials measure_bounds(unsigned int n, uint64_t packets,
                             uint32_t sampling, double confidence,
                             uint64_t seed);

#endif /* bench-hh-accuracy.h */
