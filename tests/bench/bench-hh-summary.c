/* SPDX-License-Identifier: Apache-2.0
 *
 * A rival: Space-Saving with the stream summary of its paper (Metwally,
 * Agrawal and El Abbadi, ICDT 2005): the smallest of all counters goes, found
 * at once in a list of groups of equal count, where a counter moves up by one
 * group at a time.  A hash table finds the counter of a key. */

#include <config.h>
#include "bench-hh-methods.h"

#include <stdlib.h>

#include "dpx-heavy-hitters.h"

#define NONE UINT32_MAX

struct item {
    struct dpx_hh_key key;
    uint64_t error;
    uint32_t group, prev, next; /* Within the group. */
    uint32_t chain, slot;       /* Of the hash table. */
};

struct group {
    uint64_t count;
    uint32_t first;             /* Item. */
    uint32_t prev, next;        /* Group with less, with more. */
};

struct summary {
    struct dpx_hh *sampler;
    struct dpx_hh_secret secret;
    uint32_t sampling, n_items, used, mask;
    struct item *items;
    struct group *groups;       /* One more than items: there is a free one. */
    uint32_t *table;
    uint32_t least, free;       /* Groups. */
};

static void *
summary_create(size_t size, uint32_t sampling, uint64_t seed,
               uint32_t n_flows OVS_UNUSED)
{
    struct dpx_hh_config config = {
        .size = DPX_HH_MIN_SIZE, .sampling = sampling, .seed = seed,
    };
    struct summary *s = xzalloc(sizeof *s);

    s->sampler = dpx_hh_create(&config);
    dpx_hh_secret_init(&s->secret, seed);
    s->sampling = sampling;
    for (s->mask = 1; s->mask * 128 < size;) {
        s->mask *= 2;
    }
    s->n_items = ((size - s->mask * sizeof *s->table)
                  / (sizeof *s->items + sizeof *s->groups));
    s->items = xcalloc(s->n_items, sizeof *s->items);
    s->groups = xcalloc(s->n_items + 1, sizeof *s->groups);
    s->table = xcalloc(s->mask, sizeof *s->table);
    memset(s->table, 0xff, s->mask * sizeof *s->table);
    s->mask--;
    for (uint32_t i = 0; i <= s->n_items; i++) {
        s->groups[i].next = i < s->n_items ? i + 1 : NONE;
    }
    s->least = NONE;
    return s;
}

static void
summary_destroy(void *s_)
{
    struct summary *s = s_;

    if (s) {
        dpx_hh_destroy(s->sampler);
        free(s->items);
        free(s->groups);
        free(s->table);
        free(s);
    }
}

/* Puts 'item' into the group with 'count', which is, or comes to be, behind
 * the group 'after' (NONE: the first one). */
static void
join(struct summary *s, uint32_t item, uint64_t count, uint32_t after)
{
    uint32_t g = after == NONE ? s->least : s->groups[after].next;
    struct item *it = &s->items[item];

    if (g == NONE || s->groups[g].count != count) {
        uint32_t made = s->free;
        struct group *new = &s->groups[made];

        s->free = new->next;
        *new = (struct group) { count, NONE, after, g };
        if (g != NONE) {
            s->groups[g].prev = made;
        }
        if (after == NONE) {
            s->least = made;
        } else {
            s->groups[after].next = made;
        }
        g = made;
    }
    it->group = g;
    it->prev = NONE;
    it->next = s->groups[g].first;
    if (it->next != NONE) {
        s->items[it->next].prev = item;
    }
    s->groups[g].first = item;
}

/* Takes 'item' out of its group; returns the group behind which the next one
 * comes. */
static uint32_t
leave(struct summary *s, uint32_t item)
{
    struct item *it = &s->items[item];
    uint32_t g = it->group;
    struct group *group = &s->groups[g];

    if (it->next != NONE) {
        s->items[it->next].prev = it->prev;
    }
    if (it->prev != NONE) {
        s->items[it->prev].next = it->next;
        return g;
    }
    group->first = it->next;
    if (group->first != NONE) {
        return g;
    }
    if (group->next != NONE) {
        s->groups[group->next].prev = group->prev;
    }
    if (group->prev != NONE) {
        s->groups[group->prev].next = group->next;
    } else {
        s->least = group->next;
    }
    g = group->prev;
    group->next = s->free;
    s->free = it->group;
    return g;
}

static void
unchain(struct summary *s, uint32_t item)
{
    uint32_t *link = &s->table[s->items[item].slot];

    while (*link != item) {
        link = &s->items[*link].chain;
    }
    *link = s->items[item].chain;
}

static void
summary_add(struct summary *s, const struct dpx_hh_key *key, uint32_t slot)
{
    uint32_t i = s->table[slot];
    uint64_t count;

    while (i != NONE && !dpx_hh_key_equal(&s->items[i].key, key)) {
        i = s->items[i].chain;
    }
    if (i == NONE && s->used < s->n_items) {
        i = s->used++;
        s->items[i] = (struct item) { .key = *key, .slot = slot,
                                      .chain = s->table[slot] };
        s->table[slot] = i;
        join(s, i, 1, NONE);
        return;
    } else if (i == NONE) {
        i = s->groups[s->least].first;
        unchain(s, i);
        s->items[i].key = *key;
        s->items[i].error = s->groups[s->least].count;
        s->items[i].slot = slot;
        s->items[i].chain = s->table[slot];
        s->table[slot] = i;
    }
    count = s->groups[s->items[i].group].count + 1;
    join(s, i, count, leave(s, i));
}

static void
summary_count(void *s_, struct burst *b)
{
    struct summary *s = s_;
    uint8_t at[DPX_HH_BURST];
    size_t n = dpx_hh_sample(s->sampler, DPX_HH_BURST, at);
    uint32_t slot[DPX_HH_BURST];

    for (size_t i = 0; i < n; i++) {
        slot[i] = dpx_hh_hash(&s->secret, &b->in.key[at[i]]) & s->mask;
        OVS_PREFETCH(&s->table[slot[i]]);
    }
    for (size_t i = 0; i < n; i++) {
        if (s->table[slot[i]] != NONE) {
            OVS_PREFETCH_WRITE(&s->items[s->table[slot[i]]]);
        }
    }
    for (size_t i = 0; i < n; i++) {
        summary_add(s, &b->in.key[at[i]], slot[i]);
    }
}

static size_t
summary_top(void *s_, struct report *reports, size_t k)
{
    struct summary *s = s_;
    struct report *all = xcalloc(s->used + 1, sizeof *all);
    size_t n;

    for (uint32_t i = 0; i < s->used; i++) {
        all[i].key = s->items[i].key;
        all[i].packets = (s->groups[s->items[i].group].count
                          - s->items[i].error) * s->sampling;
    }
    n = report_first(all, s->used, reports, k);
    free(all);
    return n;
}

static size_t
summary_memory(void *s_)
{
    struct summary *s = s_;

    return (s->n_items * (sizeof *s->items + sizeof *s->groups)
            + (s->mask + 1) * sizeof *s->table);
}

const struct method method_summary = {
    "summary 1/16", 16, summary_create, summary_destroy, summary_count,
    summary_top, summary_memory
};
const struct method method_summary_full = {
    "summary 1/1", 1, summary_create, summary_destroy, summary_count,
    summary_top, summary_memory
};
