/* SPDX-License-Identifier: Apache-2.0
 *
 * Traffic for the benchmark of heavy hitters: made up from a seed, or a
 * capture, with the true number of each flow beside it. */

#ifndef BENCH_HH_TRAFFIC_H
#define BENCH_HH_TRAFFIC_H 1

#include "dpx-heavy-hitters.h"

enum shape { ZIPF_0_8, ZIPF_1_0, ZIPF_1_2, UNIFORM, CAPTURE, N_SHAPES };
extern const char *const shape_names[];

/* A burst of 32 packets, as a PMD thread has it after parsing. */
struct burst {
    uint32_t flow[DPX_HH_BURST];
    struct dpx_hh_burst in;
};

struct traffic {
    enum shape shape;
    uint32_t n_flows;
    uint32_t train;             /* Mean packets of a flow in a row; 1: none. */

    struct dpx_hh_key *keys;    /* By flow. */
    uint64_t *truth[2];         /* By flow: packets, bytes. */
    uint64_t total[2];

    /* Private. */
    uint32_t *threshold, *alias;        /* Of Walker's method. */
    uint32_t *index, index_mask;        /* From key to flow + 1. */
    uint32_t *replay, *replay_bytes, n_replay, replayed;
    uint64_t random;
    uint32_t flow, in_train;
};

struct traffic *traffic_create(enum shape, uint32_t n_flows, uint64_t seed);
/* Exits with a message if 'file' cannot be read. */
struct traffic *traffic_from_capture(const char *file);
void traffic_destroy(struct traffic *);

/* Forgets the truth and starts another sequence. */
void traffic_restart(struct traffic *, uint64_t seed);

/* Makes 32 packets and counts them. */
void traffic_next(struct traffic *, struct burst *);

/* The flow of 'key', or UINT32_MAX. */
uint32_t traffic_find(const struct traffic *, const struct dpx_hh_key *key);

/* The 'k' flows with most packets, or fewer, heaviest first, into 'flows'.
 * Returns how many. */
size_t traffic_top(const struct traffic *, size_t k, uint32_t *flows);

uint64_t bench_random(uint64_t *state);

#endif /* bench-hh-traffic.h */
