/* SPDX-License-Identifier: Apache-2.0
 *
 * A device under test that is only arithmetic: known capacity, known loss
 * curve, noise of known probability.  What a search finds can be compared
 * with the truth, in no time. */

#ifndef BENCH_DEVICE_H
#define BENCH_DEVICE_H 1

#include <math.h>
#include <stdint.h>

#include "dpx-search.h"
#include "util.h"

struct device {
    double capacity;            /* Packets/s without loss. */
    double slope;               /* Part of what exceeds it that is lost. */
    double noise;               /* Probability that a trial is disturbed. */
    double noise_loss;          /* What a disturbed trial loses more. */
    double edge;                /* Above 0: loss comes by chance, with even
                                 * odds at the capacity; its relative width. */
    uint64_t state;             /* Of the random numbers. */
};

/* 0 to below 1.  (Sebastiano Vigna's splitmix64, in the public domain, by
 * its definition.) */
static inline double
device_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return ((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static inline double
device_between(uint64_t *state, double low, double high)
{
    return low + (high - low) * device_random(state);
}

/* A trial: what is lost is a whole number of packets. */
static inline struct dpx_trial
device_try(struct device *d, double load, double duration)
{
    double sent = floor(load * duration), lost = 0;

    if (d->edge > 0) {
        double off = (load - d->capacity) / (d->capacity * d->edge);

        lost = device_random(&d->state) < 1 / (1 + exp(-off)) ? 0.01 : 0;
    } else if (load > d->capacity) {
        lost = d->slope * (load - d->capacity) / load;
    }
    if (device_random(&d->state) < d->noise) {
        lost += d->noise_loss;
    }
    lost = floor(sent * MIN(lost, 1));
    return (struct dpx_trial) { load, duration, sent ? lost / sent : 0 };
}

/* The load that loses just 'ratio', undisturbed. */
static inline double
device_load(const struct device *d, double ratio)
{
    return (d->edge > 0 ? d->capacity
            : d->slope * d->capacity / (d->slope - ratio));
}

/* What comes through at that load: the conditional throughput of a goal that
 * excuses more trials than are disturbed. */
static inline double
device_throughput(const struct device *d, double ratio)
{
    return device_load(d, ratio) * (1 - (d->edge > 0 ? 0 : ratio));
}

/* Runs 'search' on the device; returns the seconds of all its trials.  Ends
 * after 'most' trials, so that a search without end is seen as one. */
static inline double
device_search(struct device *d, struct dpx_search *search, size_t most)
{
    double load, duration, seconds = 0;

    for (size_t i = 0; i < most && dpx_search_next(search, &load, &duration);
         i++) {
        struct dpx_trial trial = device_try(d, load, duration);

        dpx_search_add(search, &trial);
        seconds += duration;
    }
    return seconds;
}

#endif /* bench-device.h */
