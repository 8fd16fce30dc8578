/* SPDX-License-Identifier: Apache-2.0
 *
 * What ovs-dpx embeds in the private structures of the userspace datapath.
 *
 * Included from upstream's flow header and from dpif-netdev.c, so it may use
 * no type of the datapath.  Embedded by value: upstream moves and frees these
 * structures with plain realloc() and free(), a pointer would leak. */

#ifndef DPX_DPIF_TYPES_H
#define DPX_DPIF_TYPES_H 1

#include <stdbool.h>
#include <stdint.h>

#include "dpx-flow-cost.h"
#include "dpx-handoff-move.h"
#include "dpx-load.h"
#include "ovs-atomic.h"
#include "ovs-rcu.h"

/* Names an rx queue in one word: port number in the upper 16 bits, queue id
 * plus one in the lower.  0 is "not known", also where a number is larger.
 * Addresses of rx queues change with every reconfiguration, this does not. */
typedef uint32_t dpx_rxq_id;

/* What the device says about a port, kept in its rx queue 0, which lives as
 * long as the port does.  Main thread only. */
struct dpx_port_drops {
    uint64_t usec;              /* When it was read last; 0: never yet. */
    uint64_t missed;            /* Its counter then... */
    uint64_t lost;              /* ...and what it grew by since the port was
                                 * added, over all times it started again. */
    double rate;                /* Packets/s lost, or negative: not known. */
    bool uncounted;             /* The device has no such counter. */
    bool per_port;              /* It has none per queue. */
};

/* Drops of an rx queue.  Main thread only. */
struct dpx_rxq_drops {
    /* When the port was read last. */
    uint64_t packets, bursts, full;
    uint64_t device;            /* The device's own count... */
    bool counted;               /* ...if it gave one. */

    double rate;                /* Packets/s given to this queue, or
                                 * negative: not known. */
    double lost;                /* Packets given to it so far. */

    /* At the last sample. */
    uint64_t seen_bursts, seen_full, seen_usec;
    bool runs_full;             /* It ran full bursts in the last second. */
    double sum;                 /* 'rate' over time: for the samples. */

    struct dpx_port_drops port;
};

/* How the last move of an rx queue went, until a step takes it.  Main thread
 * only. */
struct dpx_moved {
    bool tried;                 /* It was to be handed over. */
    enum dpx_move_reason cancelled; /* Nonzero: it was not, why. */
    double blocked_us;          /* Negative: not known. */
    int copied;                 /* Megaflows copied before. */
};

/* What was counted before an rx queue moved.  Main thread only. */
struct dpx_after {
    long long int due_ms;       /* When to read again; 0: not at all. */
    uint64_t step;              /* Its serial number; 0: not known yet. */
    uint64_t upcalls;           /* Of the thread that gets the queue. */
    uint64_t lost;              /* By the device, */
    bool counts;                /* if it counts that. */
};

/* In each rx queue.  Zeroed when the queue is made; survives reloads, moves
 * and reconfigurations of its port. */
struct dpx_rxq {
    /* Written by the thread that polls the queue, read by main. */
    atomic_uint64_t packets;    /* Packets received... */
    atomic_uint64_t bytes;      /* ...and their bytes. */
    atomic_uint64_t bursts;     /* Polls that gave packets... */
    atomic_uint64_t full;       /* ...and as many as a poll may give. */
    atomic_uint64_t empty;      /* Polls that gave none. */
    atomic_uint64_t base;       /* Cycles that were in upstream's current
                                 * counter each time it was started again. */
    atomic_uint32_t folds;      /* Odd while 'base' is being moved. */
    atomic_uint32_t fill_seen;  /* 'fill_asked' as of 'fill'. */
    atomic_int fill;            /* Descriptors that were filled when it was
                                 * polled; negative: the device cannot say. */

    /* Written by main, read by the polling thread. */
    ATOMIC(dpx_rxq_id) id;
    atomic_uint32_t fill_asked; /* How often 'fill' was asked for. */

    struct dpx_handoff handoff; /* Who polls it while it moves. */

    /* Main thread only. */
    struct dpx_rxq_drops drops;
    uint64_t raw;               /* Cycles at the last sample. */
    uint64_t own;               /* The same without time off the CPU. */
    bool known;                 /* It has been handed out before. */
    bool placed;                /* 'core_id' holds where it was put last. */
    bool polled;                /* It is polled there still. */
    bool planned;               /* 'plan_core' holds for this scheduling. */
    bool by_hand;               /* pmd-rxq-move has put it there. */
    bool undoable;              /* 'undo_core' holds where it was before the
                                 * last step of the automatic mode. */
    unsigned core_id;
    unsigned plan_core;
    unsigned undo_core;
    unsigned asked_core;        /* pmd-rxq-affinity when it was put there. */
    struct dpx_moved moved;
    struct dpx_after after;
    struct dpx_load load;
};

struct dpx_hitters;
/* In each PMD thread, in the hole behind upstream's 'exit'.  Zeroed memory is
 * ready to use.  Two counters that wrap: only whether they are equal, or one
 * ahead of the other by less than half of their range, means something. */
struct dpx_pmd {
    atomic_uint16_t list_asked; /* Times that main has changed 'poll_list'
                                 * and asked to read it again.  Written by
                                 * main with 'port_mutex' held. */
    atomic_uint16_t list_seen;  /* 'list_asked' as of the list that the thread
                                 * works with.  Written by the thread with
                                 * 'port_mutex' held, read by main. */
};

/* How a packet found its megaflow.  "Other" are packets of a way that tells no
 * tier, or that passed while nothing was counted. */
enum dpx_flow_tier {
    DPX_TIER_SIMPLE,            /* Simple match. */
    DPX_TIER_SMC,               /* Signature match cache. */
    DPX_TIER_DPCLS,             /* Classifier. */
    DPX_TIER_OFFLOAD,           /* A mark of the hardware. */
    DPX_TIER_OTHER,
    DPX_N_COUNTED_TIERS,

    /* Not counted by itself: what upstream's packet counter has more than all
     * of the above, so that the commonest way costs nothing. */
    DPX_TIER_EMC = DPX_N_COUNTED_TIERS,
    DPX_N_TIERS
};

/* In each megaflow, before upstream's packet counters, which are written at
 * the same time.  Written by the thread that owns the flow, read by main,
 * which adds up what they grew by: they wrap. */
struct dpx_flow {
    atomic_uint32_t hits[DPX_N_COUNTED_TIERS];
    atomic_uint32_t bursts;     /* Batches of packets. */
    ATOMIC(dpx_rxq_id) rxq;     /* Queue of the last burst. */
};

/* In each megaflow, away from what the packet path touches: see
 * dpx-flow-cost.h for the sums. */
struct dpx_flow_more {
    /* Written by the thread that makes the flow, before anyone can see it. */
    uint64_t born_usec;
    uint32_t ledger;            /* Whose flow it is; 0: nobody's. */

    /* Written by the thread that owns the flow, read by main. */
    atomic_uint32_t upcalls;    /* Packets that no tier knew... */
    atomic_uint64_t upcall_bytes;   /* ...their bytes... */
    atomic_uint64_t upcall_cycles;  /* ...and what they cost. */
    struct dpx_cost_cell cost;

    struct dpx_flow_part *part; /* Main only: what it knows of the flow. */
    dpx_rxq_id seen;            /* Main only: queue of the last burst at the
                                 * last sweep; */
    bool shared;                /* it has been another one before. */
    void *next;                 /* In its ledger, see dpx-dpif-glue-ledger.h;
                                 * under the ledgers' mutex. */
};

/* In each PMD thread, at its end.  Zeroed memory is ready to use. */
struct dpx_pmd_flows {
    atomic_bool counting;       /* Main: write.  The thread: read. */
    OVSRCU_TYPE(struct dpx_hitters *) hitters;  /* The same; null: none. */
    struct dpx_cost_clock clock;
};

#endif /* dpx-dpif-types.h */
