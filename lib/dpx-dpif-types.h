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

#include "dpx-load.h"
#include "ovs-atomic.h"

/* Names an rx queue in one word: port number in the upper 16 bits, queue id
 * plus one in the lower.  0 is "not known", also where a number is larger.
 * Addresses of rx queues change with every reconfiguration, this does not. */
typedef uint32_t dpx_rxq_id;

/* In each rx queue.  Zeroed when the queue is made; survives reloads, moves
 * and reconfigurations of its port. */
struct dpx_rxq {
    /* Written by the thread that polls the queue, read by main. */
    atomic_uint64_t packets;    /* Packets received. */
    atomic_uint64_t base;       /* Cycles that were in upstream's current
                                 * counter each time it was started again. */
    atomic_uint32_t folds;      /* Odd while 'base' is being moved. */

    /* Written by main, read by the polling thread. */
    ATOMIC(dpx_rxq_id) id;

    /* Main thread only. */
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
    struct dpx_load load;
};

/* In each megaflow, in the hole before upstream's packet counters, which are
 * written at the same time: no member moves to another cache line. */
struct dpx_flow {
    ATOMIC(dpx_rxq_id) rxq;     /* Queue of the last burst: written by the
                                 * thread that owns the flow, read by main. */
};

/* In each megaflow, away from what the packet path touches.  Written by the
 * thread that makes the flow, before anyone can see it; then main only.
 *
 * Its size is that of a cache line, so that all behind it lies in its line as
 * in stock Open vSwitch. */
#define DPX_FLOW_RATE_SIZE 64
struct dpx_flow_rate {
    uint64_t usec;              /* When 'packets' and 'bytes' were read. */
    uint64_t packets, bytes;
    double pps, bps;            /* Negative: not known yet. */
    uint64_t room[3];           /* Unused, makes up the size. */
};

#endif /* dpx-dpif-types.h */
