/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of heavy hitters: what happens less than once per packet.  How it
 * works is in the header.  Whoever owns a table makes and destroys it; the
 * thread that counts never allocates and never waits. */

#include <config.h>
#include "dpx-heavy-hitters.h"

#include "entropy.h"

struct dpx_hh *
dpx_hh_create(const struct dpx_hh_config *config)
{
    size_t per_bucket = (sizeof(struct dpx_hh_bucket)
                         + DPX_HH_WAYS * sizeof(struct dpx_hh_label));
    struct dpx_hh *hh;
    uint64_t seed = config->seed;

    if (config->size < DPX_HH_MIN_SIZE || config->size > DPX_HH_MAX_SIZE
        || !config->sampling || config->sampling > DPX_HH_MAX_SAMPLING
        || config->weight > DPX_HH_BYTES) {
        return NULL;
    }
    if (!seed) {
        get_entropy_or_die(&seed, sizeof seed);
    }
    hh = xzalloc_cacheline(sizeof *hh);
    hh->config = *config;
    hh->config.seed = seed;
    hh->sampling = config->sampling;
    hh->weight = config->weight;
    dpx_hh_secret_init(&hh->secret, seed);
    hh->n_buckets = MAX(1, (config->size - sizeof *hh) / per_bucket);
    hh->buckets = xzalloc_cacheline(hh->n_buckets * sizeof *hh->buckets);
    hh->labels = xzalloc_cacheline(hh->n_buckets * DPX_HH_WAYS
                                   * sizeof *hh->labels);
    hh->left = (dpx_hh_random(&hh->secret, &hh->random) >> 32)
               * config->sampling >> 32;
    hh->skip = config->sampling - 1 - hh->left;
    return hh;
}

void
dpx_hh_destroy(struct dpx_hh *hh)
{
    if (hh) {
        free_cacheline(hh->labels);
        free_cacheline(hh->buckets);
        free_cacheline(hh);
    }
}

size_t
dpx_hh_memory(const struct dpx_hh *hh)
{
    return (sizeof *hh + hh->n_buckets * (sizeof *hh->buckets
                                          + (DPX_HH_WAYS
                                             * sizeof *hh->labels)));
}

void
dpx_hh_clear(struct dpx_hh *hh)
{
    uint32_t orig;

    atomic_add_relaxed(&hh->wanted_epoch, 1, &orig);
}

/* Starts counting for 'epoch'. */
void
dpx_hh_adopt(struct dpx_hh *hh, uint32_t epoch)
{
    atomic_store_relaxed(&hh->packets, 0);
    atomic_store_relaxed(&hh->counted[DPX_HH_PACKETS], 0);
    atomic_store_relaxed(&hh->counted[DPX_HH_BYTES], 0);
    atomic_store_relaxed(&hh->replaced, 0);
    atomic_store_relaxed(&hh->largest, 0);
    atomic_store_explicit(&hh->epoch, epoch, memory_order_release);
}

/* Between these two, a reader of 'b' waits. */
static uint32_t
write_begin(struct dpx_hh_bucket *b)
{
    uint32_t version;

    atomic_read_relaxed(&b->version, &version);
    atomic_store_relaxed(&b->version, version + 1);
    atomic_thread_fence(memory_order_release);
    return version + 2;
}

static void
write_end(struct dpx_hh_bucket *b, uint32_t version)
{
    atomic_store_explicit(&b->version, version, memory_order_release);
}

/* Empties a bucket that is of another epoch. */
static void
reset(struct dpx_hh_bucket *b, uint32_t epoch)
{
    uint32_t version = write_begin(b);

    for (int i = 0; i < DPX_HH_WAYS; i++) {
        atomic_store_relaxed(&b->tag[i], 0);
        atomic_store_relaxed(&b->way[i].count[DPX_HH_PACKETS], 0);
        atomic_store_relaxed(&b->way[i].count[DPX_HH_BYTES], 0);
    }
    atomic_store_relaxed(&b->epoch, epoch);
    write_end(b, version);
}

/* The way of 'b' with the smallest count; an empty one has 0. */
static int
find_smallest(struct dpx_hh_bucket *b, enum dpx_hh_weight weight,
              uint64_t *smallest)
{
    int way = 0;

    atomic_read_relaxed(&b->way[0].count[weight], smallest);
    for (int i = 1; i < DPX_HH_WAYS; i++) {
        uint64_t count;

        atomic_read_relaxed(&b->way[i].count[weight], &count);
        if (count < *smallest) {
            *smallest = count;
            way = i;
        }
    }
    return way;
}

/* Writes the key 'i' of 'burst' over the way 'way', of which 'error' was the
 * count. */
static void
write_key(struct dpx_hh_bucket *b, int way, struct dpx_hh_label *label,
          const struct dpx_hh_burst *burst, size_t i, const uint64_t own[2],
          uint64_t error)
{
    const struct dpx_hh_key *key = &burst->key[i];
    uint32_t version = write_begin(b);

    atomic_store_relaxed(&b->tag[way], burst->tag[i]);
    atomic_store_relaxed(&b->way[way].count[0], own[0]);
    atomic_store_relaxed(&b->way[way].count[1], own[1]);
    atomic_store_relaxed(&label->key[0], key->meta);
    for (int w = 0; w < 4; w++) {
        atomic_store_relaxed(&label->key[1 + w], key->addr[w]);
    }
    atomic_store_relaxed(&label->error, error);
    write_end(b, version);
}

/* Counts the key 'i' of 'burst', which was not in its bucket, in the place of
 * the smallest. */
static void
replace(struct dpx_hh *hh, const struct dpx_hh_burst *burst, size_t i)
{
    struct dpx_hh_bucket *b = &hh->buckets[burst->bucket[i]];
    uint32_t match = dpx_hh_match(b, burst->tag[i]);
    enum dpx_hh_weight weight = hh->weight;
    uint64_t own[2] = { 1, burst->bytes[i] };
    uint64_t error;
    int way;

    if (match) {
        /* An earlier packet of this burst has put it there. */
        way = raw_ctz(match);
        dpx_count(&b->way[way].count[DPX_HH_PACKETS], own[0]);
        dpx_count(&b->way[way].count[DPX_HH_BYTES], own[1]);
        return;
    }
    way = find_smallest(b, weight, &error);
    own[weight] += error;
    write_key(b, way, &hh->labels[burst->bucket[i] * DPX_HH_WAYS + way], burst,
              i, own, error);
    dpx_count(&hh->replaced, error > 0);
}

/* Counts the 'n' keys 'missed' of 'burst', which were not in their buckets.
 * Asks for the labels first, so that they travel together; what an earlier key
 * changes in a bucket only makes that in vain. */
void
dpx_hh_replace(struct dpx_hh *hh, const struct dpx_hh_burst *burst,
               const uint8_t *missed, size_t n)
{
    uint32_t epoch;

    atomic_read_relaxed(&hh->epoch, &epoch);
    for (size_t i = 0; i < n; i++) {
        uint32_t bucket = burst->bucket[missed[i]], its_epoch;
        struct dpx_hh_bucket *b = &hh->buckets[bucket];
        struct dpx_hh_label *label;
        uint64_t smallest;

        atomic_read_relaxed(&b->epoch, &its_epoch);
        if (OVS_UNLIKELY(epoch != its_epoch)) {
            reset(b, epoch);
        }
        label = &hh->labels[bucket * DPX_HH_WAYS
                            + find_smallest(b, hh->weight, &smallest)];
        OVS_PREFETCH_WRITE(label);
        OVS_PREFETCH_WRITE((char *) (label + 1) - 1);
    }
    for (size_t i = 0; i < n; i++) {
        replace(hh, burst, missed[i]);
    }
}

/* As dpx_hh_sample(), where at least one packet is to be counted. */
size_t
dpx_hh_sample_slow(struct dpx_hh *hh, size_t n, uint8_t *at)
{
    uint32_t window = hh->sampling;
    size_t next = hh->skip, n_at = 0;

    if (window == 1) {
        for (size_t i = 0; i < n; i++) {
            at[i] = i;
        }
        return n;
    }
    do {
        /* The next window's place, of which 'left' are behind it. */
        uint32_t left = (dpx_hh_random(&hh->secret, &hh->random) >> 32)
                        * window >> 32;

        at[n_at++] = next;
        next += hh->left + window - left;
        hh->left = left;
    } while (next < n);
    hh->skip = next - n;
    return n_at;
}
