/* SPDX-License-Identifier: Apache-2.0
 *
 * The method of ours, and perfect counting of the packets that it samples:
 * no method that counts the same sample can do better than that. */

#include <config.h>
#include "bench-hh-methods.h"

#include <stdlib.h>

#include "dpx-heavy-hitters-top.h"

struct ours {
    struct dpx_hh *hh;
    struct dpx_hh_burst sampled;
    struct dpx_hh_burst *last;  /* Not committed yet. */
};

static void *
ours_create(size_t size, uint32_t sampling, uint64_t seed,
            uint32_t n_flows OVS_UNUSED)
{
    struct dpx_hh_config config = {
        .size = size, .sampling = sampling, .weight = DPX_HH_PACKETS,
        .seed = seed,
    };
    struct ours *o = xzalloc(sizeof *o);

    o->hh = dpx_hh_create(&config);
    o->last = &o->sampled;
    return o;
}

static void
ours_destroy(void *o_)
{
    struct ours *o = o_;

    if (o) {
        dpx_hh_destroy(o->hh);
        free(o);
    }
}

/* Commits a burst when the next one comes: its lines have arrived then. */
static void
ours_count(void *o_, struct burst *b)
{
    struct ours *o = o_;
    uint8_t at[DPX_HH_BURST];
    size_t n;

    if (o->last->n) {
        dpx_hh_commit(o->hh, o->last);
    }
    n = dpx_hh_sample(o->hh, DPX_HH_BURST, at);
    for (size_t i = 0; i < n; i++) {
        *dpx_hh_next(&o->sampled, b->in.bytes[at[i]]) = b->in.key[at[i]];
    }
    dpx_hh_prefetch(o->hh, &o->sampled);
}

/* Every packet: what was parsed is counted from where it is. */
static void
ours_count_all(void *o_, struct burst *b)
{
    struct ours *o = o_;
    uint8_t at[DPX_HH_BURST];

    if (o->last->n) {
        dpx_hh_commit(o->hh, o->last);
    }
    dpx_hh_sample(o->hh, DPX_HH_BURST, at);
    dpx_hh_prefetch(o->hh, &b->in);
    o->last = &b->in;
}

static size_t
ours_top(void *o_, struct report *reports, size_t k)
{
    struct ours *o = o_;
    struct dpx_hh_snapshot *s;
    struct dpx_hh_top *top;
    size_t n;

    dpx_hh_commit(o->hh, o->last);
    s = dpx_hh_snapshot(o->hh);
    top = dpx_hh_top(&s, 1, k, DPX_HH_PACKETS, 0.99);
    n = top->n_items;
    for (size_t i = 0; i < n; i++) {
        reports[i].key = top->items[i].key;
        reports[i].packets = top->items[i].estimate[DPX_HH_PACKETS];
    }
    dpx_hh_top_destroy(top);
    dpx_hh_snapshot_destroy(s);
    return n;
}

static size_t
ours_memory(void *o_)
{
    struct ours *o = o_;

    return dpx_hh_memory(o->hh);
}

const struct method method_ours = {
    "ours 1/16", 16, ours_create, ours_destroy, ours_count, ours_top,
    ours_memory
};
const struct method method_ours_full = {
    "ours 1/1", 1, ours_create, ours_destroy, ours_count_all, ours_top,
    ours_memory
};

/* Perfect counting: a counter per flow, and the sampler of a table. */
struct perfect {
    struct dpx_hh *sampler;
    uint32_t n_flows;
    uint64_t *counts;
    struct dpx_hh_key *keys;
};

static void *
perfect_create(size_t size, uint32_t sampling, uint64_t seed, uint32_t n_flows)
{
    struct dpx_hh_config config = {
        .size = size, .sampling = sampling, .seed = seed,
    };
    struct perfect *p = xzalloc(sizeof *p);

    p->sampler = dpx_hh_create(&config);
    p->n_flows = n_flows;
    p->counts = xcalloc(n_flows, sizeof *p->counts);
    p->keys = xcalloc(n_flows, sizeof *p->keys);
    return p;
}

static void
perfect_destroy(void *p_)
{
    struct perfect *p = p_;

    if (p) {
        dpx_hh_destroy(p->sampler);
        free(p->counts);
        free(p->keys);
        free(p);
    }
}

static void
perfect_count(void *p_, struct burst *b)
{
    struct perfect *p = p_;
    uint8_t at[DPX_HH_BURST];
    size_t n = dpx_hh_sample(p->sampler, DPX_HH_BURST, at);

    for (size_t i = 0; i < n; i++) {
        uint32_t flow = b->flow[at[i]];

        if (!p->counts[flow]++) {
            p->keys[flow] = b->in.key[at[i]];
        }
    }
}

static int
compare_reports(const void *a_, const void *b_)
{
    const struct report *a = a_, *b = b_;

    return a->packets > b->packets ? -1 : a->packets < b->packets;
}

size_t
report_first(struct report *all, size_t n, struct report *reports, size_t k)
{
    qsort(all, n, sizeof *all, compare_reports);
    k = MIN(k, n);
    memcpy(reports, all, k * sizeof *reports);
    return k;
}

static size_t
perfect_top(void *p_, struct report *reports, size_t k)
{
    struct perfect *p = p_;
    struct report *all = xcalloc(p->n_flows, sizeof *all);
    size_t n = 0;

    for (uint32_t i = 0; i < p->n_flows; i++) {
        if (p->counts[i]) {
            all[n].key = p->keys[i];
            all[n++].packets = p->counts[i] * p->sampler->config.sampling;
        }
    }
    n = report_first(all, n, reports, k);
    free(all);
    return n;
}

static size_t
perfect_memory(void *p_)
{
    struct perfect *p = p_;

    return p->n_flows * (sizeof *p->counts + sizeof *p->keys);
}

const struct method method_perfect = {
    "perfect 1/16", 16, perfect_create, perfect_destroy, perfect_count,
    perfect_top, perfect_memory
};
