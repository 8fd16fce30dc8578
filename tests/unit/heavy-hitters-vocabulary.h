/* SPDX-License-Identifier: Apache-2.0
 *
 * Words for the tests of heavy hitters. */

#ifndef HEAVY_HITTERS_VOCABULARY_H
#define HEAVY_HITTERS_VOCABULARY_H 1

#undef NDEBUG
#include <check.h>
#include <stdlib.h>

#include "dpx-heavy-hitters-top.h"

#define SEED 20241130
#define SMALL DPX_HH_MIN_SIZE

static inline struct dpx_hh *
table(size_t size, uint32_t sampling, enum dpx_hh_weight weight, uint64_t seed)
{
    struct dpx_hh_config config = {
        .size = size, .sampling = sampling, .weight = weight, .seed = seed,
    };
    struct dpx_hh *hh = dpx_hh_create(&config);

    ck_assert_ptr_nonnull(hh);
    return hh;
}

/* The key of flow 'n', one in two IPv6. */
static inline struct dpx_hh_key
key_of(uint32_t n)
{
    uint32_t src[4] = { htonl(0x20010db8), 0, 0, htonl(n) };
    uint32_t dst[4] = { htonl(0x20010db8), 1, 1, 1 };
    struct dpx_hh_key key;

    if (n % 2) {
        dpx_hh_key_ipv6(&key, DPX_HH_5TUPLE, src, dst, 17, htons(1), htons(n));
    } else {
        dpx_hh_key_ipv4(&key, DPX_HH_5TUPLE, htonl(n), htonl(1), 6, htons(n),
                        htons(80));
    }
    return key;
}

/* A burst of 'n' packets of one key goes by. */
static inline void
see_burst(struct dpx_hh *hh, const struct dpx_hh_key *key, uint32_t bytes,
          size_t n)
{
    static struct dpx_hh_burst burst;
    uint8_t at[DPX_HH_BURST];
    size_t n_at = dpx_hh_sample(hh, n, at);

    for (size_t i = 0; i < n_at; i++) {
        ck_assert_uint_lt(at[i], n);
        *dpx_hh_next(&burst, bytes) = *key;
    }
    dpx_hh_prefetch(hh, &burst);
    dpx_hh_commit(hh, &burst);
    ck_assert_uint_eq(burst.n, 0);
}

static inline void
see(struct dpx_hh *hh, const struct dpx_hh_key *key, uint32_t bytes,
    uint64_t n)
{
    while (n) {
        size_t now = n < DPX_HH_BURST ? n : DPX_HH_BURST;

        see_burst(hh, key, bytes, now);
        n -= now;
    }
}

/* What a snapshot says about 'key', which is in 'hh' or not. */
struct range {
    bool there;
    uint64_t low, high;
};

static inline struct range
range_of(struct dpx_hh *hh, const struct dpx_hh_key *key)
{
    struct dpx_hh_snapshot *s = dpx_hh_snapshot(hh);
    struct range r = { false, 1, 0 };

    r.there = dpx_hh_snapshot_find(s, key, &r.low, &r.high) != NULL;
    dpx_hh_snapshot_destroy(s);
    return r;
}

#define ck_range(HH, KEY, THERE, LOW, HIGH)                 \
    do {                                                    \
        struct range r_ = range_of(HH, KEY);                \
                                                            \
        ck_assert_int_eq(r_.there, THERE);                  \
        ck_assert_uint_eq(r_.low, LOW);                     \
        ck_assert_uint_eq(r_.high, HIGH);                   \
    } while (0)

static inline struct dpx_hh_top *
top_of(struct dpx_hh *const *tables, size_t n, size_t k,
       enum dpx_hh_weight rank, double confidence)
{
    struct dpx_hh_snapshot **s = xcalloc(n + 1, sizeof *s);
    struct dpx_hh_top *top;

    for (size_t i = 0; i < n; i++) {
        s[i] = dpx_hh_snapshot(tables[i]);
    }
    top = dpx_hh_top(s, n, k, rank, confidence);
    for (size_t i = 0; i < n; i++) {
        dpx_hh_snapshot_destroy(s[i]);
    }
    free(s);
    return top;
}

static inline uint64_t
any(uint64_t *state)
{
    uint64_t x = *state += UINT64_C(0x9e3779b97f4a7c15);

    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    return x ^ x >> 31;
}

static inline int
run_suite(Suite *suite)
{
    SRunner *runner = srunner_create(suite);
    int failed;

    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif /* heavy-hitters-vocabulary.h */
