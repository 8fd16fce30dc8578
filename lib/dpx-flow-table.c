/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of megaflows: what they grew by, who is whose part, what is
 * left of those that are gone.  Main thread only. */

#include <config.h>
#include "dpx-flow-table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hash.h"
#include "util.h"

const int dpx_flow_rate_seconds[DPX_FLOW_N_RATES] = { 1, 10, 60 };

/* Rates are not made from less. */
#define RATE_INTERVAL_USEC 500000

/* How often the costs of the past are put aside. */
#define COST_INTERVAL_USEC 60000000

void
dpx_flow_table_init(struct dpx_flow_table *table)
{
    *table = (struct dpx_flow_table) { .n_parts = 0 };
    hmap_init(&table->megas);
}

/* Gives all places back. */
static void
shrink(struct dpx_flow_table *table)
{
    for (size_t i = 0; i < table->n_chunks; i++) {
        free(table->chunks[i]);
    }
    free(table->chunks);
    table->chunks = NULL;
    table->n_chunks = 0;
    table->free = NULL;
}

void
dpx_flow_table_uninit(struct dpx_flow_table *table)
{
    struct dpx_mega *mega;

    HMAP_FOR_EACH_POP (mega, node, &table->megas) {
        free(mega);
    }
    hmap_destroy(&table->megas);
    shrink(table);
}

void
dpx_flow_table_counting(struct dpx_flow_table *table, uint64_t now_usec)
{
    table->counting_usec = now_usec;
}

void
dpx_flow_counts_add(struct dpx_flow_counts *sum,
                    const struct dpx_flow_counts *c)
{
    sum->packets += c->packets;
    sum->bytes += c->bytes;
    sum->bursts += c->bursts;
    sum->upcalls += c->upcalls;
    sum->upcall_bytes += c->upcall_bytes;
    sum->upcall_cycles += c->upcall_cycles;
    for (int i = 0; i < DPX_N_TIERS; i++) {
        sum->tier[i] += c->tier[i];
    }
}

static struct dpx_mega *
mega_get(struct dpx_flow_table *table, const struct dpx_mega_id *id)
{
    uint32_t hash = hash_add(id->mask, id->key.u32[0]);
    struct dpx_mega *mega;

    HMAP_FOR_EACH_WITH_HASH (mega, node, hash, &table->megas) {
        if (ovs_u128_equals(mega->id.key, id->key)
            && mega->id.mask == id->mask) {
            return mega;
        }
    }
    mega = xzalloc(sizeof *mega);
    mega->id = *id;
    ovs_list_init(&mega->parts);
    hmap_insert(&table->megas, &mega->node, hash);
    return mega;
}

/* A place keeps its address for good. */
static void
grow(struct dpx_flow_table *table)
{
    struct dpx_flow_part *chunk = xcalloc(DPX_FLOW_CHUNK, sizeof *chunk);

    table->chunks = xrealloc(table->chunks, (table->n_chunks + 1)
                                            * sizeof *table->chunks);
    table->chunks[table->n_chunks++] = chunk;
    for (size_t i = DPX_FLOW_CHUNK; i > 0; i--) {
        chunk[i - 1].next_free = table->free;
        table->free = &chunk[i - 1];
    }
}

struct dpx_flow_part *
dpx_flow_table_add(struct dpx_flow_table *table, void *flow,
                   const struct dpx_mega_id *id, int core_id, uint32_t port,
                   bool first_pass, uint64_t born_usec)
{
    struct dpx_flow_part *part;

    if (!table->free) {
        grow(table);
    }
    part = table->free;
    table->free = part->next_free;
    *part = (struct dpx_flow_part) {
        .flow = flow,
        .mega = mega_get(table, id),
        .born_usec = born_usec,
        .core_id = core_id,
        .port = port,
        .first_pass = first_pass,
        .last_usec = born_usec,
        .rated_usec = born_usec,
        .cost_usec = born_usec,
    };
    for (int i = 0; i < DPX_FLOW_N_RATES; i++) {
        part->rates.pps[i] = part->rates.bps[i] = -1;
    }
    ovs_list_push_back(&part->mega->parts, &part->node);
    table->n_parts++;
    return part;
}

static uint64_t
growth(uint64_t now, uint64_t last)
{
    return now > last ? now - last : 0;
}

/* Adds to 'counts' what 'now' has more than 'last'.  What no tier has counted
 * came through the EMC if 'counted', else nobody knows. */
static void
count_growth(struct dpx_flow_counts *counts,
             const struct dpx_flow_reading *now,
             const struct dpx_flow_reading *last, bool counted)
{
    uint64_t packets = growth(now->packets, last->packets), rest = packets;
    uint64_t hw = growth(now->hw_packets, last->hw_packets);

    counts->packets += packets + hw;
    counts->bytes += (growth(now->bytes, last->bytes)
                      + growth(now->hw_bytes, last->hw_bytes));
    counts->tier[DPX_TIER_OFFLOAD] += hw;
    counts->bursts += (uint32_t) (now->bursts - last->bursts);
    for (int i = 0; i < DPX_N_COUNTED_TIERS; i++) {
        uint32_t hits = now->hits[i] - last->hits[i];

        counts->tier[i] += hits;
        rest -= MIN(rest, hits);
    }
    counts->tier[counted ? DPX_TIER_EMC : DPX_TIER_OTHER] += rest;
    counts->upcalls += growth(now->upcalls, last->upcalls);
    counts->upcall_bytes += growth(now->upcall_bytes, last->upcall_bytes);
    counts->upcall_cycles += growth(now->upcall_cycles, last->upcall_cycles);
}

/* The mean over an exponential window that is only as long as the flow: at
 * first it is that of the flow's life. */
static void
rate_update(float *rate, double now, double dt, double age, double window)
{
    double whole = 1 - exp(-age / window), part = 1 - exp(-dt / window);

    *rate = *rate < 0 ? now : *rate + (now - *rate) * MIN(1, part / whole);
}

static void
rates_update(struct dpx_flow_part *part, uint64_t packets, uint64_t bytes,
             uint64_t now_usec)
{
    double dt = (now_usec - part->rated_usec) / 1e6;
    double age = (now_usec - part->born_usec) / 1e6;
    double pps = growth(packets, part->rated_packets) / dt;
    double bps = growth(bytes, part->rated_bytes) * 8 / dt;

    for (int i = 0; i < DPX_FLOW_N_RATES; i++) {
        /* The first is that of the last interval, as it is. */
        double window = i ? dpx_flow_rate_seconds[i] : 1e-3;

        rate_update(&part->rates.pps[i], pps, dt, age, window);
        rate_update(&part->rates.bps[i], bps, dt, age, window);
    }
    part->rated_packets = packets;
    part->rated_bytes = bytes;
    part->rated_usec = now_usec;
}

void
dpx_flow_part_update(struct dpx_flow_table *table, struct dpx_flow_part *part,
                     const struct dpx_flow_reading *now, uint64_t now_usec,
                     bool rate)
{
    bool counted = (table->counting_usec
                    && part->last_usec > table->counting_usec);
    struct dpx_flow_counts grown = { .packets = 0 };

    count_growth(&grown, now, &part->last, counted);
    dpx_flow_counts_add(&part->counts, &grown);
    dpx_flow_counts_add(&table->total, &grown);
    part->last = *now;
    part->last_usec = now_usec;
    if (rate && now_usec >= part->rated_usec + RATE_INTERVAL_USEC) {
        rates_update(part, now->packets + now->hw_packets,
                     now->bytes + now->hw_bytes, now_usec);
    }
    if (now_usec >= part->cost_usec + COST_INTERVAL_USEC) {
        part->cost_base[1] = part->cost_base[0];
        part->cost_base[0] = now->cost;
        part->cost_usec = now_usec;
    }
}

void
dpx_flow_table_remove(struct dpx_flow_table *table,
                      struct dpx_flow_part *part)
{
    struct dpx_mega *mega = part->mega;

    dpx_flow_counts_add(&mega->gone, &part->counts);
    ovs_list_remove(&part->node);
    if (ovs_list_is_empty(&mega->parts)) {
        dpx_flow_counts_add(&table->gone, &mega->gone);
        hmap_remove(&table->megas, &mega->node);
        free(mega);
    }
    part->flow = NULL;
    part->next_free = table->free;
    table->free = part;
    table->n_gone++;
    if (!--table->n_parts) {
        hmap_shrink(&table->megas);
        shrink(table);
    }
}

void
dpx_flow_table_clear(struct dpx_flow_table *table)
{
    struct dpx_flow_part *part;
    struct dpx_mega *mega;
    size_t at = 0;

    while ((part = dpx_flow_table_next(table, &at))) {
        memset(&part->counts, 0, sizeof part->counts);
        part->cost_base[0] = part->cost_base[1] = part->last.cost;
    }
    HMAP_FOR_EACH (mega, node, &table->megas) {
        memset(&mega->gone, 0, sizeof mega->gone);
    }
    memset(&table->gone, 0, sizeof table->gone);
    memset(&table->total, 0, sizeof table->total);
    table->n_gone = 0;
}

size_t
dpx_flow_table_memory(const struct dpx_flow_table *table)
{
    return (table->n_chunks * DPX_FLOW_CHUNK * sizeof(struct dpx_flow_part)
            + hmap_count(&table->megas) * sizeof(struct dpx_mega)
            + (table->megas.mask + 1) * sizeof(struct hmap_node *));
}

struct dpx_flow_part *
dpx_flow_table_next(const struct dpx_flow_table *table, size_t *at)
{
    while (*at < table->n_chunks * DPX_FLOW_CHUNK) {
        struct dpx_flow_part *part;

        part = &table->chunks[*at / DPX_FLOW_CHUNK][*at % DPX_FLOW_CHUNK];
        ++*at;
        if (part->flow) {
            return part;
        }
    }
    return NULL;
}

void
dpx_flow_part_cost(const struct dpx_flow_part *part,
                   struct dpx_cost_sums *sums)
{
    *sums = part->last.cost;
    dpx_cost_subtract(sums, &part->cost_base[1]);
}
