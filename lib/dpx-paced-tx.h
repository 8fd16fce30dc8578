/* SPDX-License-Identifier: Apache-2.0
 *
 * The sending side of the paced test netdev: tx rings.
 *
 * A tx ring takes packets until its descriptors are used up and gives them
 * back at the drain rate; what does not fit is dropped and never checked, so
 * the check counts it as lost.  A tx queue has one sender at a time: the
 * datapath says so, and it is believed only as far as a real driver would,
 * which takes a lock if it is told that there are several.  If it is told
 * that there is one and two send at once, the event is treated like a double
 * poll. */

#ifndef DPX_PACED_TX_H
#define DPX_PACED_TX_H 1

#include "dpx-paced-config.h"
#include "dpx-paced-counter.h"
#include "dpx-paced-guard.h"
#include "dpx-paced-ring.h"
#include "dpx-paced-sink.h"
#include "openvswitch/thread.h"

struct dp_packet_batch;

/* Counters that a tx queue adds up. */
#define DPX_PACED_TX_COUNTERS                                           \
    DPX_PACED_TX_COUNTER(packets)       /* Taken into the ring. */      \
    DPX_PACED_TX_COUNTER(bytes)                                         \
    DPX_PACED_TX_COUNTER(dropped)       /* The ring was full. */        \
    DPX_PACED_TX_COUNTER(foreign)       /* Taken, without a stamp. */   \
    DPX_PACED_TX_COUNTER(sends)                                         \
    DPX_PACED_TX_COUNTER(locked)        /* Sends that took the lock. */ \
    DPX_PACED_TX_COUNTER(double_sends)                                  \
    DPX_PACED_TX_COUNTER(timed_packets)                                 \
    DPX_PACED_TX_COUNTER(timed_cycles)

struct dpx_paced_tx_totals {
#define DPX_PACED_TX_COUNTER(NAME) uint64_t NAME;
    DPX_PACED_TX_COUNTERS
#undef DPX_PACED_TX_COUNTER
};

struct dpx_paced_tx {
    /* Set by the main thread while nobody sends. */
    char *port;                 /* For messages. */
    int queue;
    uint32_t size;              /* Descriptors. */
    bool abort_on_double_send;
    struct dpx_paced_sink *sink;    /* Of the port. */

    atomic_uint64_t rate;       /* Main: write.  Sender: read.  0: no limit. */

    struct ovs_mutex mutex;     /* Held by a sender that is not alone. */
    struct dpx_paced_guard guard;   /* Entered by one that is. */

    /* The one sender, or the holder of 'mutex'. */
    struct dpx_paced_meter meter;
    uint64_t used;              /* Descriptors. */

    /* The same: write.  Main: read. */
#define DPX_PACED_TX_COUNTER(NAME) atomic_uint64_t NAME;
    DPX_PACED_TX_COUNTERS
#undef DPX_PACED_TX_COUNTER

    struct dpx_paced_tx_totals base;    /* Main: at the last reset. */
};

/* Makes tx queue 'queue' of the netdev called 'port'; its packets end in
 * 'sink'. */
struct dpx_paced_tx *dpx_paced_tx_create(const char *port, int queue,
                                         struct dpx_paced_sink *sink);
void dpx_paced_tx_destroy(struct dpx_paced_tx *);

/* Sets the queue up anew; nobody may send meanwhile.  Counters go on. */
void dpx_paced_tx_setup(struct dpx_paced_tx *,
                        const struct dpx_paced_config *);

/* Sends 'batch', whose packets the call takes. */
void dpx_paced_tx_send(struct dpx_paced_tx *, struct dp_packet_batch *batch,
                       bool concurrent);

/* Totals since the queue was made, or since the last reset. */
void dpx_paced_tx_totals(const struct dpx_paced_tx *,
                         struct dpx_paced_tx_totals *);
void dpx_paced_tx_since_reset(const struct dpx_paced_tx *,
                              struct dpx_paced_tx_totals *);
void dpx_paced_tx_reset(struct dpx_paced_tx *);

#endif /* dpx-paced-tx.h */
