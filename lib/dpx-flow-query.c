/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the best N megaflows: a heap with the worst of them on top, filled in
 * one go over the table. */

#include <config.h>
#include "dpx-flow-query.h"

#include <stdlib.h>
#include <string.h>

#include "bitmap.h"
#include "dpx-view.h"
#include "util.h"

struct search {
    const struct dpx_flow_query *query;
    const unsigned long *ports;
    bool (*alive)(const void *flow);
    struct dpx_flow_pick *heap;
    size_t n, n_flows;
    struct dpx_flow_core_sum *cores;
    size_t n_cores;
};

const char *
dpx_flow_key_name(enum dpx_flow_key key)
{
    switch (key) {
#define DPX_FLOW_KEY(ENUM, NAME) case DPX_FLOW_##ENUM: return NAME;
    DPX_FLOW_KEYS
#undef DPX_FLOW_KEY
    case DPX_N_FLOW_KEYS:
    default: OVS_NOT_REACHED();
    }
}

/* Equal values are ordered by time and core, so that a query repeated gives
 * the same order. */
static bool
less(const struct dpx_flow_pick *a, const struct dpx_flow_pick *b)
{
    if (a->value != b->value) {
        return a->value < b->value;
    }
    if (a->part->born_usec != b->part->born_usec) {
        return a->part->born_usec > b->part->born_usec;
    }
    if (a->part->core_id != b->part->core_id) {
        return a->part->core_id > b->part->core_id;
    }
    return memcmp(&a->part->mega->id.key, &b->part->mega->id.key,
                  sizeof a->part->mega->id.key) > 0;
}

/* Moves the pick at 'i' down to where it belongs. */
static void
sink(struct search *s, size_t i)
{
    struct dpx_flow_pick moved = s->heap[i];

    for (;;) {
        size_t child = 2 * i + 1;

        if (child + 1 < s->n && less(&s->heap[child + 1], &s->heap[child])) {
            child++;
        }
        if (child >= s->n || !less(&s->heap[child], &moved)) {
            break;
        }
        s->heap[i] = s->heap[child];
        i = child;
    }
    s->heap[i] = moved;
}

static void
offer(struct search *s, const struct dpx_flow_pick *pick)
{
    bool room = s->n < s->query->n;
    size_t i;

    if ((!room && !less(&s->heap[0], pick))
        || (s->alive && !s->alive(pick->part->flow))) {
        return;
    }
    if (!room) {
        s->heap[0] = *pick;
        sink(s, 0);
        return;
    }
    i = s->n++;
    while (i && less(pick, &s->heap[(i - 1) / 2])) {
        s->heap[i] = s->heap[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    s->heap[i] = *pick;
}

static void
add_rate(float *sum, float rate)
{
    if (rate >= 0) {
        *sum = *sum < 0 ? rate : *sum + rate;
    }
}

/* Adds 'part' to '*pick', and its costs to '*sums'. */
static void
pick_add(struct dpx_flow_pick *pick, const struct dpx_flow_part *part,
         struct dpx_cost_sums *sums)
{
    struct dpx_cost_sums its;

    if (!pick->n_parts++) {
        pick->part = part;
        pick->core_id = part->core_id;
    } else {
        pick->core_id = DPX_CORE_NONE;
    }
    dpx_flow_counts_add(&pick->counts, &part->counts);
    for (int i = 0; i < DPX_FLOW_N_RATES; i++) {
        add_rate(&pick->rates.pps[i], part->rates.pps[i]);
        add_rate(&pick->rates.bps[i], part->rates.bps[i]);
    }
    dpx_flow_part_cost(part, &its);
    dpx_cost_add(sums, &its);
}

static double
value_of(const struct dpx_flow_pick *pick, enum dpx_flow_key key)
{
    switch (key) {
    case DPX_FLOW_PPS: return pick->rates.pps[0];
    case DPX_FLOW_BPS: return pick->rates.bps[0];
    case DPX_FLOW_PACKETS: return pick->counts.packets;
    case DPX_FLOW_BYTES: return pick->counts.bytes;
    case DPX_FLOW_CYCLES: return pick->cycles;
    case DPX_FLOW_COST: return pick->cost.cycles;
    case DPX_N_FLOW_KEYS:
    default: OVS_NOT_REACHED();
    }
}

static void
pick_init(struct dpx_flow_pick *pick)
{
    memset(pick, 0, sizeof *pick);
    for (int i = 0; i < DPX_FLOW_N_RATES; i++) {
        pick->rates.pps[i] = pick->rates.bps[i] = -1;
    }
}

/* All is in it: what follows from that, and may it be picked? */
static void
finish(struct search *s, struct dpx_flow_pick *pick,
       const struct dpx_cost_sums *sums)
{
    pick->cost = dpx_cost_estimate(sums, s->query->root);
    pick->cycles = (pick->cost.cycles < 0 || pick->rates.pps[0] < 0 ? -1
                    : pick->cost.cycles * pick->rates.pps[0]);
    pick->value = value_of(pick, s->query->key);
    s->n_flows++;
    offer(s, pick);
}

static bool
matches(const struct search *s, const struct dpx_flow_part *part)
{
    const struct dpx_flow_query *q = s->query;

    return ((q->any_core || q->core_id == part->core_id)
            && (!s->ports || (part->port < DPX_FLOW_PORTS
                              && bitmap_is_set(s->ports, part->port)))
            && (!q->root || part->first_pass));
}

/* The parts of 'mega' that match; 'first' is the first of them in the table's
 * order, so that each megaflow is met once. */
static void
offer_mega(struct search *s, const struct dpx_flow_part *first)
{
    struct dpx_cost_sums sums = { .sum = { 0 } };
    const struct dpx_flow_part *part;
    struct dpx_flow_pick pick;

    pick_init(&pick);
    LIST_FOR_EACH (part, node, &first->mega->parts) {
        if (matches(s, part)) {
            if (!pick.n_parts && part != first) {
                return;
            }
            pick_add(&pick, part, &sums);
        }
    }
    dpx_flow_counts_add(&pick.counts, &first->mega->gone);
    finish(s, &pick, &sums);
}

static void
offer_part(struct search *s, const struct dpx_flow_part *part)
{
    struct dpx_cost_sums sums = { .sum = { 0 } };
    struct dpx_flow_pick pick;

    pick_init(&pick);
    pick_add(&pick, part, &sums);
    finish(s, &pick, &sums);
}

static struct dpx_flow_core_sum *
core_get(struct search *s, int core_id)
{
    for (size_t i = 0; i < s->n_cores; i++) {
        if (s->cores[i].core_id == core_id) {
            return &s->cores[i];
        }
    }
    s->cores = xrealloc(s->cores, (s->n_cores + 1) * sizeof *s->cores);
    s->cores[s->n_cores] = (struct dpx_flow_core_sum) { .core_id = core_id };
    return &s->cores[s->n_cores++];
}

static void
core_add(struct dpx_flow_core_sum *core, const struct dpx_flow_part *part)
{
    struct dpx_cost_sums sums;

    dpx_flow_part_cost(part, &sums);
    core->pps += part->rates.pps[0];
    if (sums.sum[DPX_COST_P]) {
        core->cycles += ((double) sums.sum[DPX_COST_C] * part->rates.pps[0]
                         / sums.sum[DPX_COST_P]);
    }
}

/* Takes the picks out of the heap, the worst first, into their order. */
static void
put_in_order(struct search *s, struct dpx_flow_picks *picks)
{
    picks->n = s->n;
    picks->n_flows = s->n_flows;
    picks->picks = s->heap;
    while (s->n) {
        struct dpx_flow_pick worst = s->heap[0];

        s->heap[0] = s->heap[--s->n];
        if (s->n) {
            sink(s, 0);
        }
        s->heap[s->n] = worst;
    }
    for (size_t i = 0; i < picks->n; i++) {
        struct dpx_flow_pick *p = &picks->picks[i];
        double pps = p->n_parts == 1 ? core_get(s, p->core_id)->pps : 0;

        p->share = (pps > 0 && p->rates.pps[0] >= 0
                    ? p->rates.pps[0] / pps : -1);
    }
    picks->cores = s->cores;
    picks->n_cores = s->n_cores;
}

void
dpx_flow_query_run(const struct dpx_flow_table *table,
                   const struct dpx_flow_query *query,
                   const unsigned long *ports,
                   bool (*alive)(const void *flow),
                   struct dpx_flow_picks *picks)
{
    struct search s = { .query = query, .ports = ports, .alive = alive };
    const struct dpx_flow_part *part;
    size_t at = 0;

    s.heap = xmalloc(MAX(1, MIN(query->n, table->n_parts)) * sizeof *s.heap);
    while ((part = dpx_flow_table_next(table, &at))) {
        if (part->rates.pps[0] > 0) {
            core_add(core_get(&s, part->core_id), part);
        }
        if (!matches(&s, part)) {
            continue;
        }
        if (query->merge) {
            offer_mega(&s, part);
        } else {
            offer_part(&s, part);
        }
    }
    put_in_order(&s, picks);
}

void
dpx_flow_picks_uninit(struct dpx_flow_picks *picks)
{
    free(picks->picks);
    free(picks->cores);
    *picks = (struct dpx_flow_picks) { .n = 0 };
}
