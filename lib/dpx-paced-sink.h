/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the packets end that the paced test netdev sends: one account per
 * source queue, whatever tx queue a packet comes by, because a source queue
 * that moves to another thread changes its tx queue and must still be in
 * order.  The order is that of the calls.
 *
 * Senders look accounts up and hold an account's lock while they check a run
 * of packets; a source queue has one sender at a time, so nobody waits.  The
 * main thread reads and resets. */

#ifndef DPX_PACED_SINK_H
#define DPX_PACED_SINK_H 1

#include "dpx-paced-check.h"
#include "dpx-paced-config.h"
#include "openvswitch/thread.h"
#include "ovs-atomic.h"

#define DPX_PACED_PORTS_MAX 1024    /* Numbers that sources can have. */

/* A source queue as a sink sees it. */
struct dpx_paced_source {
    struct ovs_mutex mutex;
    struct dpx_paced_check check OVS_GUARDED;
    uint16_t port;
    uint8_t queue;
};

struct dpx_paced_source_port {
    ATOMIC(struct dpx_paced_source *) queues[DPX_PACED_QUEUES_MAX];
};

/* Entries are added under 'mutex' by whoever meets a source first, read
 * without it, and stay as long as the sink. */
struct dpx_paced_sink {
    struct ovs_mutex mutex;
    ATOMIC(struct dpx_paced_source_port *) ports[DPX_PACED_PORTS_MAX];
};

void dpx_paced_sink_init(struct dpx_paced_sink *);
void dpx_paced_sink_destroy(struct dpx_paced_sink *);

/* Forgets what was received. */
void dpx_paced_sink_reset(struct dpx_paced_sink *);

/* Returns the account of 'stamp''s source, making it if it is new; null if no
 * paced netdev can have that number. */
struct dpx_paced_source *dpx_paced_sink_source(struct dpx_paced_sink *,
                                               const struct dpx_paced_stamp *);

/* Calls 'cb' with each source queue that has been seen, in order of port and
 * queue, and its tally.  Any thread. */
void dpx_paced_sink_each(const struct dpx_paced_sink *,
                         void (*cb)(const struct dpx_paced_source *,
                                    const struct dpx_paced_tally *,
                                    void *aux), void *aux);

#endif /* dpx-paced-sink.h */
