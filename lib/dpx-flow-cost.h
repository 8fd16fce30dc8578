/* SPDX-License-Identifier: Apache-2.0
 *
 * What the packets of a flow cost, by timing every Nth burst.
 *
 * A thread has a clock.  Of a burst that is timed, each stretch of time
 * between two events belongs to somebody: receiving to all packets of the
 * burst, finding flows to all packets that were looked up together, carrying
 * out actions to the flow whose actions they are, and sending to the packets
 * that were not passed on to another flow.  A packet that recirculates is
 * looked up again, and what comes then belongs to the flow of that pass.  So
 * the parts add up to the whole.
 *
 * The clock reads no time itself: the thread tells it what time it is, in
 * cycles, at each event.  A flow's sums are written when the burst is done,
 * by the thread that owns clock and flow; any other thread may read them.
 * They are six sums for a ratio with its error (packets and cycles, their
 * squares and products) and three more for the flow with all later passes of
 * its packets.
 *
 * A burst of which one stretch took more than DPX_COST_INTERRUPTED cycles was
 * interrupted, by the kernel or a hypervisor: it says nothing about the flow
 * and is left out, and counted.  Pure. */

#ifndef DPX_FLOW_COST_H
#define DPX_FLOW_COST_H 1

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "openvswitch/compiler.h"
#include "ovs-atomic.h"

/* About half a millisecond. */
#define DPX_COST_INTERRUPTED (UINT64_C(1) << 20)

/* Batches of flows that a timed burst may consist of. */
#define DPX_COST_BATCHES 256

/* Passes of a packet, more than Open vSwitch allows. */
#define DPX_COST_PASSES 12

/* Sums over batches of packets of one flow. */
enum dpx_cost_sum {
    DPX_COST_N,                 /* Batches. */
    DPX_COST_P,                 /* Packets... */
    DPX_COST_PP,                /* ...squared. */
    DPX_COST_C,                 /* Cycles of this pass... */
    DPX_COST_CC,                /* ...squared... */
    DPX_COST_CP,                /* ...times packets. */
    DPX_COST_T,                 /* Cycles with later passes... */
    DPX_COST_TT,                /* ...squared... */
    DPX_COST_TP,                /* ...times packets. */
    DPX_COST_SUMS
};

/* In each flow.  Written by the thread that owns it, read by any. */
struct dpx_cost_cell {
    atomic_uint64_t sum[DPX_COST_SUMS];
};

/* A copy, or the difference of two. */
struct dpx_cost_sums {
    uint64_t sum[DPX_COST_SUMS];
};

/* Where the cycles of the timed bursts went. */
enum dpx_cost_stage {
    DPX_STAGE_RECEIVE,
    DPX_STAGE_CLASSIFY,
    DPX_STAGE_ACT,
    DPX_STAGE_SEND,
    DPX_N_STAGES
};

/* Packets by size, and by time from the poll to the end of sending: slot i
 * holds values below 2^i that do not belong into slot i - 1. */
#define DPX_COST_SIZES 17
#define DPX_COST_TIMES 21

/* A thread's totals.  Written by that thread, read by any. */
struct dpx_cost_totals {
    atomic_uint64_t bursts, packets;    /* Timed. */
    atomic_uint64_t interrupted;        /* Bursts left out. */
    atomic_uint64_t cycles[DPX_N_STAGES];
    atomic_uint64_t sizes[DPX_COST_SIZES];  /* Bytes. */
    atomic_uint64_t times[DPX_COST_TIMES];  /* Cycles. */
};

/* Packets of one flow on one pass. */
struct dpx_cost_batch {
    struct dpx_cost_cell *cell;
    uint64_t own, tree;         /* Cycles; with later passes. */
    uint32_t packets;
    int16_t parent;             /* Batch whose actions brought them; -1. */
    bool leaf;                  /* None of its packets came back. */
};

/* The packets that were looked up together at one depth. */
struct dpx_cost_pass {
    uint64_t lookup;            /* Cycles. */
    uint32_t packets;
    bool found;                 /* A batch has begun: 'lookup' is whole. */
    int16_t batch;              /* The one whose actions are running. */
};

/* A thread's clock; zeroed memory is ready to use.  The thread's own but for
 * what says otherwise. */
struct dpx_cost_clock {
    atomic_uint32_t every;      /* Main: write.  The thread: read.  0: off. */
    uint32_t left;              /* Bursts to go before one is timed. */
    bool on;                    /* Timing... */
    bool broken;                /* ...a burst that will be left out. */
    uint16_t upcalls;           /* Nested upcalls that are under way. */
    uint32_t packets;           /* In the burst. */
    uint64_t start, last;       /* Of the burst; the last event. */
    uint64_t receive;           /* Cycles. */
    uint64_t stages[DPX_N_STAGES];
    struct dpx_cost_pass passes[DPX_COST_PASSES];
    size_t n_batches;
    struct dpx_cost_batch batches[DPX_COST_BATCHES];
    struct dpx_cost_totals totals;
};

/* For the functions below, in the order in which they are called; 'depth' is
 * the number of times that the packets have come back.  All but the first
 * must be called only while dpx_cost_on(). */

/* Before a poll: should it be timed?  Then call dpx_cost_poll(). */
static inline bool
dpx_cost_wants(struct dpx_cost_clock *clock)
{
    uint32_t every;

    atomic_read_relaxed(&clock->every, &every);
    return OVS_UNLIKELY(every && !clock->left);
}

static inline bool
dpx_cost_on(const struct dpx_cost_clock *clock)
{
    return OVS_UNLIKELY(clock->on);
}

/* A burst has come that is not timed. */
static inline void
dpx_cost_pass_by(struct dpx_cost_clock *clock)
{
    clock->left -= clock->left > 0;
}

void dpx_cost_poll(struct dpx_cost_clock *, uint64_t now);

/* The poll gave 'n' packets; 0: the next poll is timed instead. */
void dpx_cost_received(struct dpx_cost_clock *, size_t n, uint64_t now);

/* One of them has 'bytes'. */
void dpx_cost_size(struct dpx_cost_clock *, uint32_t bytes);

/* 'n' packets are looked up again. */
void dpx_cost_again(struct dpx_cost_clock *, size_t depth, size_t n,
                    uint64_t now);

/* The actions of a flow begin for 'n' packets, and end. */
void dpx_cost_begin(struct dpx_cost_clock *, size_t depth,
                    struct dpx_cost_cell *, size_t n, uint64_t now);
void dpx_cost_end(struct dpx_cost_clock *, size_t depth, uint64_t now);

/* An upcall begins; and it has ended and took 'cycles', which are its flow's
 * own and not the burst's. */
void dpx_cost_upcall(struct dpx_cost_clock *);
void dpx_cost_upcall_end(struct dpx_cost_clock *, uint64_t cycles);

/* All has been sent: writes the sums of all flows, so before any of them may
 * be freed. */
void dpx_cost_done(struct dpx_cost_clock *, uint64_t now);

/* The rest is for other threads. */

void dpx_cost_read(struct dpx_cost_cell *, struct dpx_cost_sums *);

/* '*sums' less 'base'. */
void dpx_cost_subtract(struct dpx_cost_sums *sums,
                       const struct dpx_cost_sums *base);
void dpx_cost_add(struct dpx_cost_sums *sums,
                  const struct dpx_cost_sums *other);

/* Cycles per packet and the half width of its 95 % confidence interval; with
 * 'tree', of this and all later passes, per packet of this one.  Both are
 * negative if no batch was timed, the half width also if only one was. */
struct dpx_cost {
    double cycles, half_width;
};
struct dpx_cost dpx_cost_estimate(const struct dpx_cost_sums *, bool tree);

/* The upper end of the slot that holds the part 'quantile' (0 to 1) of what
 * 'slots' counted, or 0 if they counted nothing. */
uint64_t dpx_cost_quantile(const uint64_t slots[], size_t n_slots,
                           double quantile);

#endif /* dpx-flow-cost.h */
