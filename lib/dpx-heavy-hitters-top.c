/* SPDX-License-Identifier: Apache-2.0
 *
 * The heaviest keys of one or several snapshots, with bounds.  Runs in the
 * thread that answers a query; cost grows with the entries of all snapshots,
 * not with their product. */

#include <config.h>
#include "dpx-heavy-hitters-top.h"

#include <math.h>
#include <stdlib.h>

/* A key and what was counted of it in all tables. */
struct sum {
    const struct dpx_hh_entry *entry;
    uint64_t count[2];
};

/* Sums by key: a hash table with open addressing. */
struct sums {
    struct sum *table;
    uint64_t mask;
    const struct dpx_hh_secret *secret;
};

static void
add_entry(struct sums *sums, const struct dpx_hh_entry *entry)
{
    uint64_t i = dpx_hh_hash(sums->secret, &entry->key);
    struct sum *sum;

    for (;; i++) {
        sum = &sums->table[i & sums->mask];
        if (!sum->entry) {
            sum->entry = entry;
            break;
        } else if (dpx_hh_key_equal(&sum->entry->key, &entry->key)) {
            break;
        }
    }
    for (int w = 0; w < 2; w++) {
        sum->count[w] += entry->count[w];
    }
}

static void
add_snapshot(struct sums *sums, const struct dpx_hh_snapshot *s)
{
    for (uint32_t b = 0; b < s->n_buckets; b++) {
        for (int i = 0; i < s->used[b]; i++) {
            add_entry(sums, &s->entries[b * DPX_HH_WAYS + i]);
        }
    }
}

static struct sums
sum_up(struct dpx_hh_snapshot *const *snapshots, size_t n)
{
    struct sums sums = { .secret = &snapshots[0]->secret };
    size_t n_entries = 1;

    for (size_t i = 0; i < n; i++) {
        n_entries += (size_t) snapshots[i]->n_buckets * DPX_HH_WAYS;
    }
    for (sums.mask = 1; sums.mask < 2 * n_entries; sums.mask *= 2) {
        continue;
    }
    sums.table = xcalloc(sums.mask, sizeof *sums.table);
    sums.mask--;
    for (size_t i = 0; i < n; i++) {
        add_snapshot(&sums, snapshots[i]);
    }
    return sums;
}

/* Is 'a' before 'b'?  Of equal ones, one that does not depend on the seed. */
static bool
before(const struct sum *a, const struct sum *b, enum dpx_hh_weight rank)
{
    if (a->count[rank] != b->count[rank]) {
        return a->count[rank] > b->count[rank];
    }
    return memcmp(&a->entry->key, &b->entry->key, sizeof a->entry->key) < 0;
}

/* Lets 'heap[i]' sink to its place: the last one of the order is on top. */
static void
sink(struct sum *heap, size_t n, size_t i, enum dpx_hh_weight rank)
{
    for (;;) {
        size_t last = i, child = 2 * i + 1;
        struct sum moved;

        for (size_t c = child; c < n && c < child + 2; c++) {
            if (before(&heap[last], &heap[c], rank)) {
                last = c;
            }
        }
        if (last == i) {
            return;
        }
        moved = heap[i];
        heap[i] = heap[last];
        heap[last] = moved;
        i = last;
    }
}

/* Leaves the first 'k' in the order in 'heap', sorted.  Returns how many there
 * are. */
static size_t
select_first(const struct sums *sums, struct sum *heap, size_t k,
             enum dpx_hh_weight rank)
{
    size_t n = 0;

    for (uint64_t i = 0; k && i <= sums->mask; i++) {
        const struct sum *sum = &sums->table[i];

        if (!sum->entry) {
            continue;
        } else if (n < k) {
            heap[n++] = *sum;
            for (size_t j = n / 2; n == k && j-- > 0;) {
                sink(heap, n, j, rank);
            }
        } else if (before(sum, &heap[0], rank)) {
            heap[0] = *sum;
            sink(heap, n, 0, rank);
        }
    }
    for (size_t j = n / 2; j-- > 0;) {
        sink(heap, n, j, rank);
    }
    for (size_t left = n; left > 1; left--) {
        struct sum moved = heap[0];

        heap[0] = heap[left - 1];
        heap[left - 1] = moved;
        sink(heap, left - 1, 0, rank);
    }
    return n;
}

/* What the bounds of sampling need. */
struct bounds {
    uint32_t sampling;
    double l;                   /* L of the header, in the tables' weight. */
};

/* The largest amount of which 's' may have been sampled. */
static uint64_t
bound_high(const struct bounds *b, uint64_t s)
{
    return b->sampling == 1 ? s
           : ceil(b->sampling * (s + b->l + sqrt(b->l * b->l
                                                 + 2 * b->l * s)));
}

/* The smallest one: not less than what was sampled. */
static uint64_t
bound_low(const struct bounds *b, uint64_t s)
{
    double l = 2 * b->l / 3, low;

    if (b->sampling == 1) {
        return s;
    }
    low = b->sampling * (s + l - sqrt(l * l + 2 * b->l * s));
    return MAX(low, s);
}

static void
set_item(struct dpx_hh_item *item, const struct sum *sum,
         const struct bounds *bounds, struct dpx_hh_snapshot *const *snapshots,
         size_t n)
{
    uint64_t low = 0, high = 0;

    item->key = sum->entry->key;
    for (size_t i = 0; i < n; i++) {
        uint64_t its_low, its_high;

        dpx_hh_snapshot_find(snapshots[i], &item->key, &its_low, &its_high);
        low += its_low;
        high += its_high;
    }
    for (int w = 0; w < 2; w++) {
        item->estimate[w] = sum->count[w] * bounds->sampling;
    }
    item->low = bound_low(bounds, low);
    item->high = bound_high(bounds, high);
}

/* Sets what 'top' says about all keys. */
static void
set_totals(struct dpx_hh_top *top, struct bounds *bounds,
           struct dpx_hh_snapshot *const *snapshots, size_t n)
{
    uint64_t absent = 0, largest = 0;

    for (size_t i = 0; i < n; i++) {
        const struct dpx_hh_snapshot *s = snapshots[i];
        uint64_t its_absent = 0;

        for (uint32_t b = 0; b < s->n_buckets; b++) {
            its_absent = MAX(its_absent, s->absent[b]);
        }
        absent += its_absent;
        top->packets += s->packets;
        top->total[0] += s->counted[0] * top->sampling;
        top->total[1] += s->counted[1] * top->sampling;
        top->n_torn += s->n_torn;
        largest = MAX(largest, s->largest);
    }
    bounds->sampling = top->sampling;
    bounds->l = log(2 / (1 - top->confidence));
    if (top->weight == DPX_HH_BYTES) {
        bounds->l *= largest;
    }
    top->absent = bound_high(bounds, absent);
    if (top->sampling == 1) {
        top->confidence = 1;
    }
}

struct dpx_hh_top *
dpx_hh_top(struct dpx_hh_snapshot *const *snapshots, size_t n, size_t k,
           enum dpx_hh_weight rank, double confidence)
{
    struct dpx_hh_top *top;
    struct bounds bounds;
    struct sum *heap;
    struct sums sums;

    for (size_t i = 0; i < n; i++) {
        if (snapshots[i]->config.sampling != snapshots[0]->config.sampling
            || snapshots[i]->config.weight != snapshots[0]->config.weight) {
            return NULL;
        }
    }
    top = xzalloc(sizeof *top);
    top->confidence = confidence;
    if (!n) {
        top->sampling = 1;
        return top;
    }
    top->sampling = snapshots[0]->config.sampling;
    top->weight = snapshots[0]->config.weight;
    set_totals(top, &bounds, snapshots, n);

    sums = sum_up(snapshots, n);
    k = MIN(k, sums.mask + 1);
    heap = xcalloc(k + 1, sizeof *heap);
    top->n_items = select_first(&sums, heap, k, rank);
    top->items = xcalloc(top->n_items + 1, sizeof *top->items);
    for (size_t i = 0; i < top->n_items; i++) {
        set_item(&top->items[i], &heap[i], &bounds, snapshots, n);
    }
    free(heap);
    free(sums.table);
    return top;
}

void
dpx_hh_top_destroy(struct dpx_hh_top *top)
{
    if (top) {
        free(top->items);
        free(top);
    }
}
