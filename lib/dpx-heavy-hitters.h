/* SPDX-License-Identifier: Apache-2.0
 *
 * Heavy hitters: the keys with most packets or bytes, in bounded memory.
 *
 * One table per PMD thread.  That thread alone counts; any other thread may
 * take a snapshot at any time, without a lock and without a word to the
 * counting thread.  Per burst of packets, the counting thread
 *
 *     n = dpx_hh_sample(hh, batch_size, at)   which packets are counted
 *     dpx_hh_key_ipv4(dpx_hh_next(burst, bytes), ...)     for each of those
 *     dpx_hh_prefetch(hh, burst)      asks for the lines of the table
 *     dpx_hh_commit(hh, burst)        counts, best after other work
 *
 * Sampling takes exactly one packet of each 'sampling' consecutive ones, at
 * a random place: unbiased whatever the order of packets, and for no order
 * less exact than taking each packet with that probability.
 *
 * The table is Space-Saving (Metwally, Agrawal and El Abbadi, ICDT 2005) in
 * buckets of DPX_HH_WAYS counters that share two cache lines.  A key hashes
 * to one bucket.  A key that is not there takes the place of the smallest,
 * and remembers that size as its error: so of the packets counted,
 *
 *     count - error <= true number of the key <= count,
 *
 * and a key that is not in a full bucket has at most its smallest count.  The
 * keys themselves lie apart, and are written only when they change.
 * A key is told by its bucket and a tag of 32 bits: two are taken for one with
 * a probability of 2^-32 per pair in a bucket.
 *
 * Order of memory accesses: counters of a bucket change by relaxed stores of
 * 64 bits.  Replacing a key is a write to several words: the bucket's version
 * becomes odd, a release fence, the words (relaxed), the version becomes even
 * with release.  A reader loads the version with acquire, the words (relaxed),
 * an acquire fence and the version again; if it was odd or has changed, it
 * reads again.  That is right on arm64 too.  A count is exact up to the last
 * commit; packets and bytes of a key may be one packet apart. */

#ifndef DPX_HEAVY_HITTERS_H
#define DPX_HEAVY_HITTERS_H 1

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "dpx-counter.h"
#include "dpx-heavy-hitters-hash.h"
#include "dpx-heavy-hitters-key.h"
#include "openvswitch/compiler.h"
#include "openvswitch/util.h"
#include "ovs-atomic.h"
#include "util.h"

#define DPX_HH_WAYS 6
#define DPX_HH_BURST 32

#define DPX_HH_MIN_SIZE 4096        /* Bytes. */
#define DPX_HH_MAX_SIZE (1 << 30)
#define DPX_HH_MAX_SAMPLING 65536

/* By what keys are ranked and thrown out. */
enum dpx_hh_weight { DPX_HH_PACKETS, DPX_HH_BYTES };

struct dpx_hh_config {
    size_t size;                /* Bytes that the table may take. */
    uint32_t sampling;          /* One packet in so many; 1: every packet. */
    enum dpx_hh_weight weight;
    uint64_t seed;              /* For tests; 0: drawn at random. */
};

/* pmd: writes, with relaxed stores; any thread: reads. */
struct dpx_hh_counter {
    atomic_uint64_t count[2];   /* By weight.  That of the table's weight has
                                 * the error in it, the other has not. */
};

/* Two cache lines, all that a hit touches.  pmd: writes; any thread: reads. */
struct dpx_hh_bucket {
    atomic_uint32_t version;    /* Odd: words are being replaced. */
    atomic_uint32_t epoch;      /* Another one than the table's: empty. */
    atomic_uint32_t tag[DPX_HH_WAYS];
    struct dpx_hh_counter way[DPX_HH_WAYS];
};
BUILD_ASSERT_DECL(sizeof(struct dpx_hh_bucket) == 128);

/* A key, apart from its counter. */
struct dpx_hh_label {
    atomic_uint64_t key[5];     /* As struct dpx_hh_key. */
    atomic_uint64_t error;      /* In the table's weight. */
};

/* Packets on their way into a table; the counting thread's own.  Starts with
 * n = 0. */
struct dpx_hh_burst {
    size_t n;
    struct dpx_hh_key key[DPX_HH_BURST];
    uint32_t bytes[DPX_HH_BURST];
    uint32_t bucket[DPX_HH_BURST], tag[DPX_HH_BURST];
};

/* Ordered so that a burst touches three cache lines besides its buckets. */
struct dpx_hh {
    OVS_ALIGNED_VAR(CACHE_LINE_SIZE) struct dpx_hh_secret secret;

    /* Constant. */
    OVS_ALIGNED_VAR(CACHE_LINE_SIZE) struct dpx_hh_bucket *buckets;
    struct dpx_hh_label *labels;        /* DPX_HH_WAYS per bucket. */
    uint32_t n_buckets;
    uint32_t sampling;          /* As configured. */
    enum dpx_hh_weight weight;  /* As configured. */

    /* main: writes, hardly ever; pmd: reads once per burst. */
    atomic_uint32_t wanted_epoch;

    /* pmd only. */
    uint32_t skip;              /* Packets before the next one to count. */
    uint32_t left;              /* Packets behind that, of its window. */
    uint64_t random;            /* State of the random numbers. */

    /* pmd: writes; any thread: reads.  Since the last clear: of 'epoch',
     * which is written last. */
    OVS_ALIGNED_VAR(CACHE_LINE_SIZE) atomic_uint32_t epoch;
    atomic_uint64_t packets;    /* Seen, counted or not. */
    atomic_uint64_t counted[2]; /* Into the table, by weight. */
    atomic_uint64_t replaced;   /* Keys that had to go. */
    atomic_uint64_t largest;    /* Bytes of the largest packet counted. */

    /* Constant, and not of a burst's concern. */
    OVS_ALIGNED_VAR(CACHE_LINE_SIZE) struct dpx_hh_config config;
};

/* Returns a table, or null if 'config' is not in range.  Any thread. */
struct dpx_hh *dpx_hh_create(const struct dpx_hh_config *);
void dpx_hh_destroy(struct dpx_hh *);

/* Bytes that a table takes in all. */
size_t dpx_hh_memory(const struct dpx_hh *);

/* Forgets all that was counted.  Any thread but the counting one: a snapshot
 * is empty from here on, and the counting thread empties each bucket when it
 * next comes by, so it never stops for this. */
void dpx_hh_clear(struct dpx_hh *);

/* The rest is for the counting thread. */

void dpx_hh_replace(struct dpx_hh *, const struct dpx_hh_burst *,
                    const uint8_t *missed, size_t n_missed);
void dpx_hh_adopt(struct dpx_hh *, uint32_t epoch);
size_t dpx_hh_sample_slow(struct dpx_hh *, size_t n, uint8_t *at);

/* Which of 'n' packets, at most DPX_HH_BURST, are to be counted: writes their
 * indexes to 'at', of 'n' elements, and returns how many there are. */
static inline size_t
dpx_hh_sample(struct dpx_hh *hh, size_t n, uint8_t *at)
{
    uint32_t wanted, epoch;

    atomic_read_relaxed(&hh->wanted_epoch, &wanted);
    atomic_read_relaxed(&hh->epoch, &epoch);
    if (OVS_UNLIKELY(wanted != epoch)) {
        dpx_hh_adopt(hh, wanted);
    }
    dpx_count(&hh->packets, n);
    if (hh->skip >= n) {
        hh->skip -= n;
        return 0;
    }
    return dpx_hh_sample_slow(hh, n, at);
}

/* Returns where to write the key of a packet of 'bytes'. */
static inline struct dpx_hh_key *
dpx_hh_next(struct dpx_hh_burst *burst, uint32_t bytes)
{
    burst->bytes[burst->n] = bytes;
    return &burst->key[burst->n++];
}

/* Gives back the last place: its packet turned out to have no key. */
static inline void
dpx_hh_drop(struct dpx_hh_burst *burst)
{
    burst->n--;
}

/* Finds the buckets of all keys of 'burst', and asks for their lines, so that
 * they all travel at once. */
static inline void
dpx_hh_prefetch(struct dpx_hh *hh, struct dpx_hh_burst *burst)
{
    for (size_t i = 0; i < burst->n; i++) {
        uint64_t hash = dpx_hh_hash(&hh->secret, &burst->key[i]);
        char *bucket;

        /* The upper half says which bucket, the lower half is the tag; no tag
         * is 0, which is that of an empty place. */
        burst->bucket[i] = (hash >> 32) * hh->n_buckets >> 32;
        burst->tag[i] = (uint32_t) hash + !(uint32_t) hash;
        bucket = (char *) &hh->buckets[burst->bucket[i]];
        OVS_PREFETCH_WRITE(bucket);
        OVS_PREFETCH_WRITE(bucket + 64);
    }
}

/* Bit i: way i has 'tag'.  Without a branch per way: which way it is cannot be
 * predicted.  Only the thread that writes tags comes here. */
static inline uint32_t
dpx_hh_match(struct dpx_hh_bucket *b, uint32_t tag)
{
#ifdef __SSE2__
    /* Two words before the tags are compared with them, and dropped. */
    const __m128i *words = (const __m128i *) (const void *) b;
    __m128i wanted = _mm_set1_epi32(tag);
    __m128i low = _mm_cmpeq_epi32(_mm_load_si128(words), wanted);
    __m128i high = _mm_cmpeq_epi32(_mm_load_si128(words + 1), wanted);

    return (_mm_movemask_ps(_mm_castsi128_ps(low)) >> 2
            | _mm_movemask_ps(_mm_castsi128_ps(high)) << 2);
#else
    uint32_t match = 0;

    for (int i = 0; i < DPX_HH_WAYS; i++) {
        uint32_t t;

        atomic_read_relaxed(&b->tag[i], &t);
        match |= (uint32_t) (t == tag) << i;
    }
    return match;
#endif
}

/* Counts 'burst', which dpx_hh_prefetch() has seen, and empties it: first all
 * keys that are in their buckets, then the others. */
static inline void
dpx_hh_commit(struct dpx_hh *hh, struct dpx_hh_burst *burst)
{
    uint64_t bytes = 0, largest;
    uint8_t missed[DPX_HH_BURST];
    size_t n_missed = 0;
    uint32_t epoch;

    atomic_read_relaxed(&hh->epoch, &epoch);
    atomic_read_relaxed(&hh->largest, &largest);
    for (size_t i = 0; i < burst->n; i++) {
        struct dpx_hh_bucket *b = &hh->buckets[burst->bucket[i]];
        uint32_t match, its_epoch;

        atomic_read_relaxed(&b->epoch, &its_epoch);
        match = dpx_hh_match(b, burst->tag[i]);
        if (OVS_LIKELY(match && its_epoch == epoch)) {
            struct dpx_hh_counter *c = &b->way[raw_ctz(match)];

            dpx_count(&c->count[DPX_HH_PACKETS], 1);
            dpx_count(&c->count[DPX_HH_BYTES], burst->bytes[i]);
        } else {
            missed[n_missed++] = i;
        }
        bytes += burst->bytes[i];
        largest = MAX(largest, burst->bytes[i]);
    }
    if (n_missed) {
        dpx_hh_replace(hh, burst, missed, n_missed);
    }
    dpx_count(&hh->counted[DPX_HH_PACKETS], burst->n);
    dpx_count(&hh->counted[DPX_HH_BYTES], bytes);
    atomic_store_relaxed(&hh->largest, largest);
    burst->n = 0;
}

#endif /* dpx-heavy-hitters.h */
