/* SPDX-License-Identifier: Apache-2.0
 *
 * The hash and the random numbers of heavy hitters.
 *
 * The hash is NH of UMAC (Black, Halevi, Krawczyk, Krovetz and Rogaway,
 * CRYPTO 1999) with 64-bit words: sums of products of (word + secret).  Two
 * different keys have the same 128-bit sum with a probability of at most
 * 2^-64 over the secret, whoever chose the keys, as long as he does not see
 * hashes; a second product spreads that sum over 64 bits.  A table draws its
 * secret when it is made, so nobody can send packets that fall into one
 * bucket.  The hash that a network card computes is no substitute: its key is
 * public.
 *
 * The same product stirs a counter into random numbers for sampling. */

#ifndef DPX_HEAVY_HITTERS_HASH_H
#define DPX_HEAVY_HITTERS_HASH_H 1

#include <stdint.h>

#include "dpx-heavy-hitters-key.h"

/* Six words for the sum, two to spread it: a cache line. */
struct dpx_hh_secret {
    uint64_t k[8];
};

/* A number of 128 bits. */
struct dpx_hh_wide {
    uint64_t hi, lo;
};

static inline struct dpx_hh_wide
dpx_hh_multiply(uint64_t a, uint64_t b)
{
#ifdef __SIZEOF_INT128__
    unsigned __int128 product = (unsigned __int128) a * b;

    return (struct dpx_hh_wide) { product >> 64, product };
#else
    uint64_t al = (uint32_t) a, ah = a >> 32;
    uint64_t bl = (uint32_t) b, bh = b >> 32;
    uint64_t mid = ah * bl + (al * bl >> 32);
    uint64_t cross = al * bh + (uint32_t) mid;

    return (struct dpx_hh_wide) {
        ah * bh + (mid >> 32) + (cross >> 32), a * b,
    };
#endif
}

static inline struct dpx_hh_wide
dpx_hh_add(struct dpx_hh_wide a, struct dpx_hh_wide b)
{
    a.lo += b.lo;
    a.hi += b.hi + (a.lo < b.lo);
    return a;
}

static inline uint64_t
dpx_hh_fold(uint64_t a, uint64_t b)
{
    struct dpx_hh_wide product = dpx_hh_multiply(a, b);

    return product.hi ^ product.lo;
}

static inline uint64_t
dpx_hh_hash(const struct dpx_hh_secret *s, const struct dpx_hh_key *key)
{
    struct dpx_hh_wide sum;

    sum = dpx_hh_multiply(key->meta + s->k[0], key->addr[0] + s->k[1]);
    /* Words 1 to 3 of IPv4 are zero: their products are a constant, which
     * changes no hash into another's. */
    if (dpx_hh_key_family(key) != DPX_HH_IPV4) {
        sum = dpx_hh_add(sum, dpx_hh_multiply(key->addr[1] + s->k[2],
                                              key->addr[2] + s->k[3]));
        sum = dpx_hh_add(sum, dpx_hh_multiply(key->addr[3] + s->k[4],
                                              s->k[5]));
    }
    return dpx_hh_fold(sum.hi + s->k[6], sum.lo + s->k[7]);
}

/* A random number: '*state' is the caller's. */
static inline uint64_t
dpx_hh_random(const struct dpx_hh_secret *s, uint64_t *state)
{
    *state += UINT64_C(0x9e3779b97f4a7c15);     /* Odd: visits all. */
    return dpx_hh_fold(*state ^ s->k[0], (*state >> 29) ^ s->k[1]);
}

/* Fills a secret from 'seed', which is to be unknown to others. */
static inline void
dpx_hh_secret_init(struct dpx_hh_secret *s, uint64_t seed)
{
    for (int i = 0; i < 8; i++) {
        uint64_t x;

        seed += UINT64_C(0x9e3779b97f4a7c15);
        x = (seed ^ seed >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
        x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
        s->k[i] = x ^ x >> 31;
    }
}

#endif /* dpx-heavy-hitters-hash.h */
