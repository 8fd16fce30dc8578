/* SPDX-License-Identifier: Apache-2.0
 *
 * The methods that the benchmark of heavy hitters compares. */

#ifndef BENCH_HH_METHODS_H
#define BENCH_HH_METHODS_H 1

#include "bench-hh-traffic.h"

/* A reported flow. */
struct report {
    struct dpx_hh_key key;
    uint64_t packets;           /* Estimate. */
};

struct method {
    const char *name;
    uint32_t sampling;          /* One packet in so many. */
    /* Returns null if the method is not to be had here.  'size' is the memory
     * that it may take, 'n_flows' how many flows there are. */
    void *(*create)(size_t size, uint32_t sampling, uint64_t seed,
                    uint32_t n_flows);
    void (*destroy)(void *);
    /* The burst stays as it is until the call after this one has returned, so
     * a method may finish its work then, as a datapath can. */
    void (*count)(void *, struct burst *);
    /* Heaviest first, at most 'k'; returns how many. */
    size_t (*top)(void *, struct report *, size_t k);
    size_t (*memory)(void *);
};

extern const struct method method_ours, method_ours_full;
extern const struct method method_perfect;      /* Of the sample of ours. */
extern const struct method method_coco, method_coco_full;
extern const struct method method_summary, method_summary_full;
extern const struct method method_member;

/* Sorts the 'n' reports in 'all' and copies the first 'k'. */
size_t report_first(struct report *all, size_t n, struct report *, size_t k);

#endif /* bench-hh-methods.h */
