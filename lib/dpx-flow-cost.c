/* SPDX-License-Identifier: Apache-2.0
 *
 * The clock of timed bursts: what happens once in N bursts, and what is made
 * of the sums. */

#include <config.h>
#include "dpx-flow-cost.h"

#include <math.h>

#include "dpx-counter.h"
#include "util.h"

/* The stretch that ends now; it belongs to 'stage'. */
static uint64_t
stretch(struct dpx_cost_clock *clock, enum dpx_cost_stage stage, uint64_t now)
{
    uint64_t cycles = now - clock->last;

    if (cycles > DPX_COST_INTERRUPTED) {
        /* Also if the counter ran backwards. */
        clock->broken = true;
    }
    clock->last = now;
    clock->stages[stage] += cycles;
    return cycles;
}

/* The pass at 'depth', or null: nothing to do. */
static struct dpx_cost_pass *
pass_at(struct dpx_cost_clock *clock, size_t depth)
{
    if (clock->upcalls || clock->broken) {
        return NULL;
    }
    if (depth >= DPX_COST_PASSES) {
        clock->broken = true;
        return NULL;
    }
    return &clock->passes[depth];
}

static void
pass_init(struct dpx_cost_pass *pass, size_t n)
{
    *pass = (struct dpx_cost_pass) { .packets = n, .batch = -1 };
}

void
dpx_cost_poll(struct dpx_cost_clock *clock, uint64_t now)
{
    clock->on = true;
    clock->broken = false;
    clock->upcalls = 0;
    clock->n_batches = 0;
    clock->start = clock->last = now;
    for (int i = 0; i < DPX_N_STAGES; i++) {
        clock->stages[i] = 0;
    }
}

void
dpx_cost_received(struct dpx_cost_clock *clock, size_t n, uint64_t now)
{
    uint32_t every;

    if (!n) {
        clock->on = false;
        return;
    }
    atomic_read_relaxed(&clock->every, &every);
    clock->left = every ? every - 1 : 0;
    clock->packets = n;
    clock->receive = stretch(clock, DPX_STAGE_RECEIVE, now);
    pass_init(&clock->passes[0], n);
}

static size_t
slot_of(uint64_t value, size_t n_slots)
{
    size_t slot = value ? log_2_floor(value) + 1 : 0;

    return MIN(slot, n_slots - 1);
}

void
dpx_cost_size(struct dpx_cost_clock *clock, uint32_t bytes)
{
    dpx_count(&clock->totals.sizes[slot_of(bytes, DPX_COST_SIZES)], 1);
}

void
dpx_cost_again(struct dpx_cost_clock *clock, size_t depth, size_t n,
               uint64_t now)
{
    struct dpx_cost_pass *pass = pass_at(clock, depth);
    int16_t outer = pass && depth ? clock->passes[depth - 1].batch : -1;

    if (!pass) {
        return;
    }
    if (outer >= 0) {
        clock->batches[outer].own += stretch(clock, DPX_STAGE_ACT, now);
        clock->batches[outer].leaf = false;
    }
    pass_init(pass, n);
}

void
dpx_cost_begin(struct dpx_cost_clock *clock, size_t depth,
               struct dpx_cost_cell *cell, size_t n, uint64_t now)
{
    struct dpx_cost_pass *pass = pass_at(clock, depth);
    struct dpx_cost_batch *batch;
    uint64_t cycles;

    if (!pass) {
        return;
    }
    if (clock->n_batches >= DPX_COST_BATCHES) {
        clock->broken = true;
        return;
    }
    batch = &clock->batches[clock->n_batches];
    cycles = stretch(clock, DPX_STAGE_CLASSIFY, now);
    *batch = (struct dpx_cost_batch) {
        .cell = cell,
        .packets = n,
        .parent = depth ? clock->passes[depth - 1].batch : -1,
        .leaf = true,
    };
    if (!pass->found) {
        pass->found = true;
        pass->lookup = cycles;
    } else {
        batch->own = cycles;
    }
    batch->own += pass->lookup * n / MAX(1, pass->packets);
    pass->batch = clock->n_batches++;
}

void
dpx_cost_end(struct dpx_cost_clock *clock, size_t depth, uint64_t now)
{
    struct dpx_cost_pass *pass = pass_at(clock, depth);

    if (pass && pass->batch >= 0) {
        clock->batches[pass->batch].own += stretch(clock, DPX_STAGE_ACT, now);
        pass->batch = -1;
    }
}

void
dpx_cost_upcall(struct dpx_cost_clock *clock)
{
    clock->upcalls++;
}

void
dpx_cost_upcall_end(struct dpx_cost_clock *clock, uint64_t cycles)
{
    if (clock->upcalls && !--clock->upcalls) {
        clock->last += cycles;
        clock->start += cycles;
    }
}

/* Gives each batch its part of receiving and sending, and its tree. */
static void
share_out(struct dpx_cost_clock *clock, uint64_t sending)
{
    uint64_t sent = 0;

    for (size_t i = 0; i < clock->n_batches; i++) {
        sent += clock->batches[i].leaf ? clock->batches[i].packets : 0;
    }
    for (size_t i = clock->n_batches; i > 0; i--) {
        struct dpx_cost_batch *b = &clock->batches[i - 1];

        if (b->parent < 0) {
            b->own += clock->receive * b->packets / clock->packets;
        }
        if (b->leaf) {
            b->own += sending * b->packets / MAX(1, sent);
        }
        /* Children come after their parents: theirs are complete. */
        b->tree += b->own;
        if (b->parent >= 0) {
            clock->batches[b->parent].tree += b->tree;
        }
    }
}

static void
put_sums(const struct dpx_cost_batch *b)
{
    const uint64_t p = b->packets;
    const uint64_t add[DPX_COST_SUMS] = {
        [DPX_COST_N] = 1,
        [DPX_COST_P] = p,
        [DPX_COST_PP] = p * p,
        [DPX_COST_C] = b->own,
        [DPX_COST_CC] = b->own * b->own,
        [DPX_COST_CP] = b->own * p,
        [DPX_COST_T] = b->tree,
        [DPX_COST_TT] = b->tree * b->tree,
        [DPX_COST_TP] = b->tree * p,
    };

    for (int i = 0; i < DPX_COST_SUMS; i++) {
        dpx_count(&b->cell->sum[i], add[i]);
    }
}

void
dpx_cost_done(struct dpx_cost_clock *clock, uint64_t now)
{
    struct dpx_cost_totals *totals = &clock->totals;
    uint64_t sending = stretch(clock, DPX_STAGE_SEND, now);

    clock->on = false;
    if (clock->broken || clock->upcalls) {
        dpx_count(&totals->interrupted, 1);
        return;
    }
    share_out(clock, sending);
    for (size_t i = 0; i < clock->n_batches; i++) {
        put_sums(&clock->batches[i]);
    }
    for (int i = 0; i < DPX_N_STAGES; i++) {
        dpx_count(&totals->cycles[i], clock->stages[i]);
    }
    dpx_count(&totals->bursts, 1);
    dpx_count(&totals->packets, clock->packets);
    dpx_count(&totals->times[slot_of(now - clock->start, DPX_COST_TIMES)],
              clock->packets);
}

void
dpx_cost_read(struct dpx_cost_cell *cell, struct dpx_cost_sums *sums)
{
    for (int i = 0; i < DPX_COST_SUMS; i++) {
        atomic_read_relaxed(&cell->sum[i], &sums->sum[i]);
    }
}

void
dpx_cost_subtract(struct dpx_cost_sums *sums,
                  const struct dpx_cost_sums *base)
{
    for (int i = 0; i < DPX_COST_SUMS; i++) {
        sums->sum[i] -= base->sum[i];
    }
}

void
dpx_cost_add(struct dpx_cost_sums *sums, const struct dpx_cost_sums *other)
{
    for (int i = 0; i < DPX_COST_SUMS; i++) {
        sums->sum[i] += other->sum[i];
    }
}

/* The ratio estimator of survey sampling: batches are the sample, and what
 * varies is by how much the cycles of a batch miss the ratio times its
 * packets. */
struct dpx_cost
dpx_cost_estimate(const struct dpx_cost_sums *sums, bool tree)
{
    const uint64_t *s = sums->sum;
    const int c = tree ? DPX_COST_T : DPX_COST_C;
    struct dpx_cost cost = { -1, -1 };
    double n = s[DPX_COST_N], p = s[DPX_COST_P], miss;

    if (!p) {
        return cost;
    }
    cost.cycles = s[c] / p;
    if (n > 1) {
        miss = (s[c + 1] - 2 * cost.cycles * s[c + 2]
                + cost.cycles * cost.cycles * s[DPX_COST_PP]);
        cost.half_width = 1.96 * sqrt(MAX(0, miss) * n / (n - 1)) / p;
    }
    return cost;
}

uint64_t
dpx_cost_quantile(const uint64_t slots[], size_t n_slots, double quantile)
{
    uint64_t total = 0, seen = 0;

    for (size_t i = 0; i < n_slots; i++) {
        total += slots[i];
    }
    for (size_t i = 0; i < n_slots; i++) {
        seen += slots[i];
        if (total && seen >= total * quantile) {
            return UINT64_C(1) << i;
        }
    }
    return 0;
}
