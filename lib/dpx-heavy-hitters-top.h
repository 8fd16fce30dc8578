/* SPDX-License-Identifier: Apache-2.0
 *
 * Who the heavy hitters are: snapshots of tables, merged, with bounds.
 *
 * Used by the thread that answers a query.  A snapshot is taken while its
 * table is counted into; from there on all is plain memory of the caller.
 *
 * What is stated.  Of the packets that were sampled, a key's number lies
 * between its count without the error and its count with it; over several
 * tables these add up, where a table that does not have the key adds the
 * smallest count of the key's bucket to the upper end only.  These are no
 * guesses.  Sampling takes a packet of each window of N, so the number of a
 * key's sampled packets s is a sum of independent indicators with the mean
 * n / N, where n is what we want to know.  Chernoff's and Bernstein's bounds
 * hold for such a sum (and, for bytes, for terms between 0 and the largest
 * packet), and their inversion, with L = ln(2 / (1 - confidence)), is
 *
 *     n / N <= s + L + sqrt(L^2 + 2 s L)
 *     n / N >= s + 2 L / 3 - sqrt(4 L^2 / 9 + 2 s L)
 *
 * with L times the largest packet for bytes: the largest one that was
 * sampled, so one assumes that no larger one matters. */

#ifndef DPX_HEAVY_HITTERS_TOP_H
#define DPX_HEAVY_HITTERS_TOP_H 1

#include "dpx-heavy-hitters.h"

/* A key of a table, in packets and bytes that were counted.  Both are without
 * the error, so they are what was counted for sure. */
struct dpx_hh_entry {
    struct dpx_hh_key key;
    uint64_t count[2];          /* By weight. */
    uint64_t error;             /* In the table's weight. */
};

struct dpx_hh_snapshot {
    struct dpx_hh_config config;
    struct dpx_hh_secret secret;
    uint64_t packets;           /* Seen. */
    uint64_t counted[2];        /* By weight. */
    uint64_t replaced;          /* Keys that had to go for another. */
    uint64_t largest;           /* Bytes of the largest packet counted. */
    uint32_t n_torn;            /* Buckets that did not stand still. */

    uint32_t n_buckets;
    struct dpx_hh_entry *entries;       /* DPX_HH_WAYS per bucket. */
    uint8_t *used;              /* Of these, the first so many. */
    uint64_t *absent;           /* At most so much of a key not there. */
};

/* Any thread.  To be destroyed by the caller. */
struct dpx_hh_snapshot *dpx_hh_snapshot(struct dpx_hh *);
void dpx_hh_snapshot_destroy(struct dpx_hh_snapshot *);

/* Returns the entry of 'key', or null.  Of 'key', not less than '*low' and not
 * more than '*high' was counted, in the table's weight. */
const struct dpx_hh_entry *dpx_hh_snapshot_find(const struct dpx_hh_snapshot *,
                                                const struct dpx_hh_key *key,
                                                uint64_t *low, uint64_t *high);

/* A heavy hitter, of all packets and not only of the counted ones. */
struct dpx_hh_item {
    struct dpx_hh_key key;
    uint64_t estimate[2];       /* By weight. */
    uint64_t low, high;         /* In the tables' weight, with confidence. */
};

struct dpx_hh_top {
    enum dpx_hh_weight weight;
    uint32_t sampling;
    double confidence;          /* Of each item's bounds; 1: certain. */
    uint64_t packets;           /* Seen by all tables. */
    uint64_t total[2];          /* Estimate of all that has a key. */
    uint64_t absent;            /* At most so much of a key in no table, in
                                 * the tables' weight, with confidence. */
    uint32_t n_torn;
    size_t n_items;
    struct dpx_hh_item *items;  /* Heaviest first. */
};

/* Returns the 'k' heaviest keys, or fewer if there are not so many, by the
 * estimate of 'rank', over 'n' snapshots of one configuration, or null if
 * they differ in sampling or weight.  'confidence' is above 0 and below 1. */
struct dpx_hh_top *dpx_hh_top(struct dpx_hh_snapshot *const *, size_t n,
                              size_t k, enum dpx_hh_weight rank,
                              double confidence);
void dpx_hh_top_destroy(struct dpx_hh_top *);

#endif /* dpx-heavy-hitters-top.h */
