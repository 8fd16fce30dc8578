/* SPDX-License-Identifier: Apache-2.0
 *
 * A receive queue of the paced test netdev: descriptor ring, packets, poll
 * gaps, and what the queue itself costs.
 *
 * The main thread makes it, changes it while nobody polls it, and reads it;
 * one thread at a time polls it.  If two do at once, the model is void: the
 * process ends with a message, or, if so configured, the event is counted. */

#ifndef DPX_PACED_RX_H
#define DPX_PACED_RX_H 1

#include "dpx-paced-config.h"
#include "dpx-paced-counter.h"
#include "dpx-paced-flows.h"
#include "dpx-paced-gap.h"
#include "dpx-paced-guard.h"
#include "dpx-paced-packet.h"
#include "dpx-paced-pcap.h"
#include "dpx-paced-ring.h"

struct dp_packet_batch;

/* Counters that the queue adds up. */
#define DPX_PACED_RX_COUNTERS                                           \
    DPX_PACED_RX_COUNTER(packets)       /* Given to the poller. */      \
    DPX_PACED_RX_COUNTER(bytes)                                         \
    DPX_PACED_RX_COUNTER(polls)                                         \
    DPX_PACED_RX_COUNTER(empty)         /* Polls without a packet. */   \
    DPX_PACED_RX_COUNTER(double_polls)                                  \
    DPX_PACED_RX_COUNTER(timed_polls)   /* Timed ones with packets. */  \
    DPX_PACED_RX_COUNTER(timed_packets)                                 \
    DPX_PACED_RX_COUNTER(timed_cycles)                                  \
    DPX_PACED_RX_COUNTER(timed_empty)   /* Timed ones without. */       \
    DPX_PACED_RX_COUNTER(timed_empty_cycles)

/* A copy of everything that only grows, so that a command can show what came
 * since it was last reset. */
struct dpx_paced_rx_totals {
#define DPX_PACED_RX_COUNTER(NAME) uint64_t NAME;
    DPX_PACED_RX_COUNTERS
#undef DPX_PACED_RX_COUNTER
    uint64_t arrived;
    uint64_t missed;
    uint64_t gaps_long[DPX_PACED_N_GAP_KINDS];
    uint64_t gaps[DPX_PACED_GAP_BUCKETS];
};

struct dpx_paced_rx {
    /* Set by the main thread while nobody polls. */
    char *port;                 /* For messages. */
    int queue;
    uint64_t seed;              /* Of the flow mix. */
    bool abort_on_double_poll;
    uint64_t gap_threshold;
    struct dpx_paced_template template;
    const struct dpx_paced_flows *flows;    /* Of the port. */
    const struct dpx_paced_pcap *pcap;      /* Of the port; may be null. */
    uint32_t *pcap_index;       /* Packets of 'pcap' that hash here. */
    uint32_t n_pcap;

    /* Main: write.  Poller: read. */
    atomic_uint64_t rate;       /* Packets/s. */
    atomic_bool up;             /* False: the wire is silent. */

    struct dpx_paced_guard guard;

    /* Poller only, but see the members' own types. */
    struct dpx_paced_ring ring;
    struct dpx_paced_gaps gaps;
    uint32_t n_calls;
    uint64_t window_start;      /* Of the second that is being measured. */
    uint64_t window_packets;    /* Packets before it. */

    /* Poller: write.  Main: read. */
    atomic_uint64_t rate_seen;  /* Packets/s in the last whole window. */
    atomic_uint64_t rate_seen_at;   /* When it ended, ns; 0: none. */
#define DPX_PACED_RX_COUNTER(NAME) atomic_uint64_t NAME;
    DPX_PACED_RX_COUNTERS
#undef DPX_PACED_RX_COUNTER

    struct dpx_paced_rx_totals base;    /* Main: at the last reset. */
};

/* Makes queue 'queue' of the netdev called 'port', which is silent until it
 * is set up. */
struct dpx_paced_rx *dpx_paced_rx_create(const char *port, int queue);
void dpx_paced_rx_destroy(struct dpx_paced_rx *);

/* Sets the queue up anew; nobody may poll meanwhile.  Sequence numbers and
 * counters go on.  'flows' and 'pcap' must outlive the queue or the next
 * call; with 'pcap' the queue replays the packets whose hash falls on it
 * among the 'config->n_rxq' queues, possibly none. */
void dpx_paced_rx_setup(struct dpx_paced_rx *,
                        const struct dpx_paced_config *config,
                        const struct dpx_paced_stamp *stamp,
                        const struct dpx_paced_flows *flows,
                        const struct dpx_paced_pcap *pcap);

/* Polls: fills the empty 'batch' with at most NETDEV_MAX_BURST packets.
 * Returns 0, or EAGAIN if there are none. */
int dpx_paced_rx_recv(struct dpx_paced_rx *, struct dp_packet_batch *batch,
                      int *qfill);

/* Totals since the queue was made, or since the last reset. */
void dpx_paced_rx_totals(const struct dpx_paced_rx *,
                         struct dpx_paced_rx_totals *);
void dpx_paced_rx_since_reset(const struct dpx_paced_rx *,
                              struct dpx_paced_rx_totals *);
void dpx_paced_rx_reset(struct dpx_paced_rx *);

/* Estimates the cycles that all calls behind 'totals' took together. */
uint64_t dpx_paced_rx_own_cycles(const struct dpx_paced_rx_totals *totals);

#endif /* dpx-paced-rx.h */
