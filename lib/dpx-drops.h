/* SPDX-License-Identifier: Apache-2.0
 *
 * Which rx queue of a port lost the packets that the device missed, and what
 * load a queue would make if it lost none.
 *
 * A queue that its thread cannot keep up with costs less than it asks for:
 * what the device throws away is not processed.  Most devices count that per
 * port only.  Pure. */

#ifndef DPX_DROPS_H
#define DPX_DROPS_H 1

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Highest demand that is believed, in cores: more is a counter that jumped,
 * not traffic. */
#define DPX_DEMAND_MAX 100.0

/* A queue of the port, over the time for which its drops are known. */
struct dpx_drops_queue {
    bool polled;                /* Does a thread poll it? */
    uint64_t packets;           /* Packets received. */
    uint64_t bursts;            /* Polls that gave packets... */
    uint64_t full;              /* ...and as many as a poll may give. */
    double device;              /* What the device itself counted for this
                                 * queue, or DPX_LOAD_UNKNOWN. */
    double drops;               /* The answer, packets, or DPX_LOAD_UNKNOWN. */
};

/* The rx queue whose drops a device counts under 'name' ("rx_q7_errors"), or a
 * negative number if the name is something else. */
int dpx_drops_queue_of(const char *name);

/* Does a queue with such polls run full bursts: at least half of them? */
bool dpx_drops_runs_full(uint64_t bursts, uint64_t full);

/* Gives the 'drops' packets that the port lost to its 'n' 'queues': sets
 * their 'drops', which add up to it, or are all unknown.
 *
 * By the device's own counts per queue where it has them.  Else to the queues
 * that run full bursts, because a ring that overflows gives nothing else, and
 * so that what was sent to them comes out as even as it can be, because that
 * is how RSS spreads traffic; if none does for half of its polls, in
 * proportion to full bursts.  Unknown if there was no full burst, or if a
 * queue that nobody polls may have lost them. */
void dpx_drops_share(struct dpx_drops_queue *queues, size_t n, double drops);

/* The load in cores, from 0 to DPX_DEMAND_MAX, of a queue that takes 'busy' of
 * its core for 'pps' packets/s and loses 'drops' packets/s: as if it received
 * them all at the same price.  Without drops, or when they are not known, that
 * is 'busy'; unknown if 'busy' is. */
double dpx_drops_demand(double busy, double pps, double drops);

#endif /* dpx-drops.h */
