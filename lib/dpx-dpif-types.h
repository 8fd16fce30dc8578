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
