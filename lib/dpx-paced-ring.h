/* SPDX-License-Identifier: Apache-2.0
 *
 * Model of a receive queue's descriptor ring that a wire fills at a set rate.
 *
 * Nothing runs between two polls.  A poll asks how many packets the wire
 * carried since the previous one (rate times time, in integers, the remainder
 * kept, so that it never drifts), puts as many into the ring as there are
 * free descriptors, and counts the rest as missed: they arrived when the ring
 * was full.  Every arrival takes the next sequence number, missed or not, so
 * that what a receiver does not see can be told from what was never sent.
 *
 * Time starts with the first poll: before it nothing arrives, because there
 * is no earlier moment to count from.  A changed rate counts from the last
 * poll before the change.
 *
 * Called by the thread that polls the queue; no lock, no allocation after
 * initialization. */

#ifndef DPX_PACED_RING_H
#define DPX_PACED_RING_H 1

#include <stdbool.h>
#include <stdint.h>

#include "dpx-paced-counter.h"

/* Events (packets) that happen at a rate. */
struct dpx_paced_meter {
    bool running;               /* False until the first call. */
    uint64_t last;              /* Time of the last call, ns. */
    uint64_t residue;           /* Packets times ns, less than one packet. */
};

/* Greatest rate.  It keeps 'rate' times one second below 2**64. */
#define DPX_PACED_RATE_MAX UINT64_C(1000000000)

/* Returns how many events happened since the last call at 'rate' events/s,
 * 0 at the first one.  A 'now' before the last one counts as no time. */
static inline uint64_t
dpx_paced_meter_advance(struct dpx_paced_meter *meter, uint64_t rate,
                        uint64_t now)
{
    uint64_t elapsed, n;

    if (!meter->running) {
        meter->running = true;
        meter->last = now;
        return 0;
    }
    if (now <= meter->last) {
        return 0;
    }
    elapsed = now - meter->last;
    meter->last = now;

    n = 0;
    if (elapsed >= DPX_PACED_NSEC) {
        n = rate * (elapsed / DPX_PACED_NSEC);
        elapsed %= DPX_PACED_NSEC;
    }
    meter->residue += rate * elapsed;
    n += meter->residue / DPX_PACED_NSEC;
    meter->residue %= DPX_PACED_NSEC;
    return n;
}

/* Packets with consecutive sequence numbers that sit in the ring.  Two runs
 * are apart by the packets that were missed between them. */
struct dpx_paced_run {
    uint64_t seq;
    uint32_t n;
};

/* All members belong to the polling thread, except that any thread may read
 * the counters and 'fill'. */
struct dpx_paced_ring {
    struct dpx_paced_meter meter;
    uint32_t size;              /* Descriptors. */
    uint32_t used;              /* Descriptors that hold a packet. */
    uint64_t next_seq;          /* Of the next arrival. */

    struct dpx_paced_run *runs; /* Circular, a power of 2 that is >= 'size':
                                 * each run holds at least one packet. */
    uint32_t run_mask;
    uint32_t first_run;
    uint32_t n_runs;

    atomic_uint64_t fill;       /* 'used' after the last poll. */
    atomic_uint64_t arrived;    /* Packets that came by the wire. */
    atomic_uint64_t missed;     /* Those that found the ring full. */
};

/* Makes an empty ring of 'size' descriptors, at least 1. */
void dpx_paced_ring_init(struct dpx_paced_ring *, uint32_t size);
void dpx_paced_ring_destroy(struct dpx_paced_ring *);

/* Changes the number of descriptors, as a driver does by starting the queue
 * again: what is in the ring is lost and counted as missed, sequence numbers
 * and counters go on, and time starts with the next poll.  Nobody may poll
 * meanwhile. */
void dpx_paced_ring_restart(struct dpx_paced_ring *, uint32_t size);

/* Lets 'n' packets arrive. */
void dpx_paced_ring_arrive(struct dpx_paced_ring *, uint64_t n);

/* Lets arrive what 'rate' packets/s make since the last poll. */
static inline void
dpx_paced_ring_poll(struct dpx_paced_ring *ring, uint64_t rate, uint64_t now)
{
    uint64_t n = dpx_paced_meter_advance(&ring->meter, rate, now);

    if (n) {
        dpx_paced_ring_arrive(ring, n);
    }
}

/* Takes the oldest packets with consecutive sequence numbers, at most 'max'.
 * Returns how many, 0 if the ring is empty; the first has number '*seq'. */
uint32_t dpx_paced_ring_take(struct dpx_paced_ring *, uint32_t max,
                             uint64_t *seq);

#endif /* dpx-paced-ring.h */
