/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads a table of heavy hitters while another thread counts into it. */

#include <config.h>
#include "dpx-heavy-hitters-top.h"

#include <sched.h>
#include <stdlib.h>

/* A bucket is copied, and written, in well under a microsecond.  One that does
 * not stand still for so long is of a thread that lost its CPU right there;
 * waiting for it would be a lock. */
#define MAX_TRIES 1000

/* A bucket and its labels as they were at one moment. */
struct copy {
    uint32_t epoch;
    uint32_t tag[DPX_HH_WAYS];
    uint64_t count[DPX_HH_WAYS][2];
    uint64_t key[DPX_HH_WAYS][5];
    uint64_t error[DPX_HH_WAYS];
};

static void
copy_words(struct dpx_hh_bucket *b, struct dpx_hh_label *labels,
           struct copy *copy)
{
    atomic_read_relaxed(&b->epoch, &copy->epoch);
    for (int i = 0; i < DPX_HH_WAYS; i++) {
        atomic_read_relaxed(&b->tag[i], &copy->tag[i]);
        for (int w = 0; w < 2; w++) {
            atomic_read_relaxed(&b->way[i].count[w], &copy->count[i][w]);
        }
        for (int w = 0; w < 5; w++) {
            atomic_read_relaxed(&labels[i].key[w], &copy->key[i][w]);
        }
        atomic_read_relaxed(&labels[i].error, &copy->error[i]);
    }
}

/* Returns false if the bucket does not stand still. */
static bool
copy_bucket(struct dpx_hh_bucket *b, struct dpx_hh_label *labels,
            struct copy *copy)
{
    for (int i = 0; i < MAX_TRIES; i++) {
        uint32_t before, after;

        atomic_read_explicit(&b->version, &before, memory_order_acquire);
        copy_words(b, labels, copy);
        atomic_thread_fence(memory_order_acquire);
        atomic_read_relaxed(&b->version, &after);
        if (before == after && !(before & 1)) {
            return true;
        }
        if (i % 100 == 99) {
            sched_yield();
        }
    }
    return false;
}

static void
store_bucket(struct dpx_hh_snapshot *s, uint32_t bucket,
             const struct copy *copy)
{
    struct dpx_hh_entry *e = &s->entries[bucket * DPX_HH_WAYS];
    enum dpx_hh_weight weight = s->config.weight;
    uint64_t smallest = UINT64_MAX;
    int n = 0;

    for (int i = 0; i < DPX_HH_WAYS; i++) {
        smallest = MIN(smallest, copy->count[i][weight]);
        if (copy->tag[i]) {
            e[n].key.meta = copy->key[i][0];
            memcpy(e[n].key.addr, &copy->key[i][1], sizeof e[n].key.addr);
            e[n].error = copy->error[i];
            memcpy(e[n].count, copy->count[i], sizeof e[n].count);
            e[n++].count[weight] -= copy->error[i];
        }
    }
    s->used[bucket] = n;
    s->absent[bucket] = smallest;
}

static void
read_totals(struct dpx_hh *hh, struct dpx_hh_snapshot *s)
{
    atomic_read_relaxed(&hh->packets, &s->packets);
    for (int w = 0; w < 2; w++) {
        atomic_read_relaxed(&hh->counted[w], &s->counted[w]);
    }
    atomic_read_relaxed(&hh->replaced, &s->replaced);
    atomic_read_relaxed(&hh->largest, &s->largest);
}

struct dpx_hh_snapshot *
dpx_hh_snapshot(struct dpx_hh *hh)
{
    struct dpx_hh_snapshot *s = xzalloc(sizeof *s);
    uint32_t wanted, epoch;

    s->config = hh->config;
    s->secret = hh->secret;
    s->n_buckets = hh->n_buckets;
    s->entries = xcalloc(s->n_buckets * DPX_HH_WAYS, sizeof *s->entries);
    s->used = xcalloc(s->n_buckets, sizeof *s->used);
    s->absent = xcalloc(s->n_buckets, sizeof *s->absent);

    /* Until the counting thread has seen that it is to forget all, what it
     * has counted is of the past. */
    atomic_read_relaxed(&hh->wanted_epoch, &wanted);
    atomic_read_explicit(&hh->epoch, &epoch, memory_order_acquire);
    if (epoch != wanted) {
        return s;
    }
    for (uint32_t i = 0; i < s->n_buckets; i++) {
        struct copy copy;

        if (!copy_bucket(&hh->buckets[i], &hh->labels[i * DPX_HH_WAYS],
                         &copy)) {
            s->n_torn++;
            s->absent[i] = UINT64_MAX;
        } else if (copy.epoch == epoch) {
            store_bucket(s, i, &copy);
        }
    }
    /* Last, so that no key has more than all. */
    read_totals(hh, s);
    for (uint32_t i = 0; s->n_torn && i < s->n_buckets; i++) {
        s->absent[i] = MIN(s->absent[i], s->counted[s->config.weight]);
    }
    return s;
}

void
dpx_hh_snapshot_destroy(struct dpx_hh_snapshot *s)
{
    if (s) {
        free(s->entries);
        free(s->used);
        free(s->absent);
        free(s);
    }
}

const struct dpx_hh_entry *
dpx_hh_snapshot_find(const struct dpx_hh_snapshot *s,
                     const struct dpx_hh_key *key, uint64_t *low,
                     uint64_t *high)
{
    uint64_t hash = dpx_hh_hash(&s->secret, key);
    uint32_t bucket = (hash >> 32) * s->n_buckets >> 32;
    const struct dpx_hh_entry *e = &s->entries[bucket * DPX_HH_WAYS];

    for (int i = 0; i < s->used[bucket]; i++) {
        if (dpx_hh_key_equal(&e[i].key, key)) {
            *low = e[i].count[s->config.weight];
            *high = *low + e[i].error;
            return &e[i];
        }
    }
    *low = 0;
    *high = s->absent[bucket];
    return NULL;
}
