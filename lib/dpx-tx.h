/* SPDX-License-Identifier: Apache-2.0
 *
 * What one thread sends to one port: by which tx queue, and how much.
 *
 * The port owns one of these for each thread that ever sent to it, so counts
 * outlive reloads, reconfigurations and the thread.  The thread counts per
 * burst, with plain loads and stores; the main thread reads at any time and
 * changes the size only while no thread sends to the port. */

#ifndef DPX_TX_H
#define DPX_TX_H 1

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compiler.h"
#include "dpx-counter.h"
#include "dpx-tx-note.h"
#include "ovs-atomic.h"
#include "util.h"

/* No queue: nothing sent yet, or nothing decided. */
#define DPX_TXQ_NONE (-1)

/* A thread leaves its tx queue for another only when it has sent nothing to
 * the port for so long, in microseconds: what it sent before has left the
 * queue by then (1,024 descriptors of 1,500 bytes take 12 ms at 1 Gbit/s), and
 * nothing is overtaken. */
#define DPX_TX_QUIET_US 20000

/* Written by the thread that sends, read by main. */
#define DPX_TX_COUNTERS                                                     \
    DPX_TX_COUNTER(packets)     /* Given to the device... */                \
    DPX_TX_COUNTER(bytes)       /* ...and their bytes. */                   \
    DPX_TX_COUNTER(sends)       /* Bursts. */                               \
    DPX_TX_COUNTER(contended)   /* Times that the queue was locked. */      \
    DPX_TX_COUNTER(dropped)     /* Packets that the device did not take. */ \
    DPX_TX_COUNTER(remaps)      /* Times that the thread came from          \
                                 * another queue. */

struct dpx_txq {
#define DPX_TX_COUNTER(NAME) atomic_uint64_t NAME;
    DPX_TX_COUNTERS
#undef DPX_TX_COUNTER
};

/* Sums of the same, of any number of queues and threads.  Main thread. */
struct dpx_txq_totals {
#define DPX_TX_COUNTER(NAME) uint64_t NAME;
    DPX_TX_COUNTERS
#undef DPX_TX_COUNTER
};

struct dpx_tx {
    /* Set by main while nobody sends to the port. */
    int n;                      /* Elements of 'q', at least one. */
    bool locked;                /* Other threads may be on the same queue:
                                 * the device is told to take its lock. */

    atomic_int placed;          /* Queue to send on, or DPX_TXQ_NONE: stock's
                                 * choice.  Main: write.  Thread: read. */
    atomic_int now;             /* Queue of the last burst.  Thread: write.
                                 * Main: read. */
    long long int sent_us;      /* When that was, if placed.  Thread only. */
    struct dpx_txq q[];
};

/* Makes one for 'n' tx queues; freed with dpx_tx_destroy(). */
struct dpx_tx *dpx_tx_create(int n);
void dpx_tx_destroy(struct dpx_tx *tx);

/* Makes 'tx' one for 'n' queues, and adds to '*gone' what was counted for
 * queues beyond.  Returns the new one; nobody may use 'tx' any more. */
struct dpx_tx *dpx_tx_resize(struct dpx_tx *tx, int n,
                             struct dpx_txq_totals *gone);

/* Adds what 'tx' counted for 'queue', which it must have. */
void dpx_tx_add(const struct dpx_tx *tx, int queue,
                struct dpx_txq_totals *totals);

/* Packets that 'tx' sent, on any queue. */
uint64_t dpx_tx_packets(const struct dpx_tx *tx);

/* The device may have fewer queues than the datapath thinks: then it takes
 * one of its own, which is not known here. */
static inline struct dpx_txq *
dpx_tx_queue(struct dpx_tx *tx, int queue)
{
    return &tx->q[OVS_LIKELY((unsigned int) queue < (unsigned int) tx->n)
                  ? queue : tx->n - 1];
}

/* The queue to send on now: 'stock', unless the thread is placed.  Sets
 * '*concurrent' if the queue may have other senders.  'now_us' is the thread's
 * clock.  Calling thread: the one that 'tx' is of. */
static inline int
dpx_tx_pick(struct dpx_tx *tx, int stock, long long int now_us,
            bool *concurrent)
{
    int placed, now;

    *concurrent |= tx->locked;
    atomic_read_relaxed(&tx->placed, &placed);
    if (OVS_LIKELY(placed == DPX_TXQ_NONE)) {
        return stock;
    }
    atomic_read_relaxed(&tx->now, &now);
    if (OVS_UNLIKELY(placed != now) && now >= 0 && now < tx->n
        && now_us - tx->sent_us < DPX_TX_QUIET_US) {
        placed = now;
    }
    tx->sent_us = now_us;
    return placed;
}

/* A burst of 'packets' with 'bytes' goes to 'queue'. */
static inline void
dpx_tx_sending(struct dpx_txq *q, uint32_t packets, uint32_t bytes)
{
    dpx_count(&q->packets, packets);
    dpx_count(&q->bytes, bytes);
    dpx_count(&q->sends, 1);
}

/* 'queue' is the one and only queue that the thread now sends on. */
static inline void
dpx_tx_on(struct dpx_tx *tx, struct dpx_txq *q, int queue)
{
    int now;

    atomic_read_relaxed(&tx->now, &now);
    if (OVS_UNLIKELY(now != queue)) {
        if (now != DPX_TXQ_NONE) {
            dpx_count(&q->remaps, 1);
        }
        atomic_store_relaxed(&tx->now, queue);
    }
}

/* The device has returned: takes what it noted. */
static inline void
dpx_tx_sent(struct dpx_txq *q)
{
    struct dpx_tx_note *note = dpx_tx_note_get();

    if (OVS_UNLIKELY(note->waited | note->dropped)) {
        dpx_count(&q->contended, note->waited);
        dpx_count(&q->dropped, note->dropped);
        note->waited = note->dropped = 0;
    }
}

#endif /* dpx-tx.h */
