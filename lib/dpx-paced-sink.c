/* SPDX-License-Identifier: Apache-2.0
 *
 * The accounts that a sink of the paced test netdev keeps, one per source
 * queue, and their look-up. */

#include <config.h>
#include "dpx-paced-sink.h"

#include <stdlib.h>

#include "ovs-thread.h"
#include "util.h"

void
dpx_paced_sink_init(struct dpx_paced_sink *sink)
{
    ovs_mutex_init(&sink->mutex);
    for (int i = 0; i < DPX_PACED_PORTS_MAX; i++) {
        atomic_init(&sink->ports[i], NULL);
    }
}

static void
source_destroy(struct dpx_paced_source *source)
{
    if (source) {
        dpx_paced_check_destroy(&source->check);
        ovs_mutex_destroy(&source->mutex);
        free(source);
    }
}

void
dpx_paced_sink_destroy(struct dpx_paced_sink *sink)
{
    for (int i = 0; i < DPX_PACED_PORTS_MAX; i++) {
        struct dpx_paced_source_port *port;

        atomic_read_relaxed(&sink->ports[i], &port);
        for (int j = 0; port && j < DPX_PACED_QUEUES_MAX; j++) {
            struct dpx_paced_source *source;

            atomic_read_relaxed(&port->queues[j], &source);
            source_destroy(source);
        }
        free(port);
    }
    ovs_mutex_destroy(&sink->mutex);
}

/* Makes the account of 'stamp''s source.  The first packet of each source
 * comes here, and the sender waits for memory then. */
static struct dpx_paced_source *
source_create(struct dpx_paced_sink *sink,
              const struct dpx_paced_stamp *stamp)
{
    struct dpx_paced_source_port *port;
    struct dpx_paced_source *source;

    ovs_mutex_lock(&sink->mutex);
    atomic_read_relaxed(&sink->ports[stamp->port], &port);
    if (!port) {
        port = xmalloc(sizeof *port);
        for (int i = 0; i < DPX_PACED_QUEUES_MAX; i++) {
            atomic_init(&port->queues[i], NULL);
        }
        atomic_store_explicit(&sink->ports[stamp->port], port,
                              memory_order_release);
    }
    /* Another sender may have come first. */
    atomic_read_relaxed(&port->queues[stamp->queue], &source);
    if (!source) {
        source = xzalloc(sizeof *source);
        ovs_mutex_init(&source->mutex);
        ovs_mutex_lock(&source->mutex);
        dpx_paced_check_init(&source->check);
        ovs_mutex_unlock(&source->mutex);
        source->port = stamp->port;
        source->queue = stamp->queue;
        atomic_store_explicit(&port->queues[stamp->queue], source,
                              memory_order_release);
    }
    ovs_mutex_unlock(&sink->mutex);
    return source;
}

struct dpx_paced_source *
dpx_paced_sink_source(struct dpx_paced_sink *sink,
                      const struct dpx_paced_stamp *stamp)
{
    struct dpx_paced_source_port *port;
    struct dpx_paced_source *source = NULL;

    if (stamp->port >= DPX_PACED_PORTS_MAX) {
        return NULL;
    }
    atomic_read_explicit(&sink->ports[stamp->port], &port,
                         memory_order_acquire);
    if (port) {
        atomic_read_explicit(&port->queues[stamp->queue], &source,
                             memory_order_acquire);
    }
    return source ? source : source_create(sink, stamp);
}

void
dpx_paced_sink_each(const struct dpx_paced_sink *sink_,
                    void (*cb)(const struct dpx_paced_source *,
                               const struct dpx_paced_tally *, void *aux),
                    void *aux)
{
    struct dpx_paced_sink *sink = CONST_CAST(struct dpx_paced_sink *, sink_);

    for (int i = 0; i < DPX_PACED_PORTS_MAX; i++) {
        struct dpx_paced_source_port *port;

        atomic_read_explicit(&sink->ports[i], &port, memory_order_acquire);
        for (int j = 0; port && j < DPX_PACED_QUEUES_MAX; j++) {
            struct dpx_paced_source *source;
            struct dpx_paced_tally tally;

            atomic_read_explicit(&port->queues[j], &source,
                                 memory_order_acquire);
            if (source) {
                ovs_mutex_lock(&source->mutex);
                dpx_paced_check_tally(&source->check, &tally);
                ovs_mutex_unlock(&source->mutex);
                cb(source, &tally, aux);
            }
        }
    }
}

static void
source_reset(const struct dpx_paced_source *source_,
             const struct dpx_paced_tally *tally OVS_UNUSED,
             void *aux OVS_UNUSED)
{
    struct dpx_paced_source *source
        = CONST_CAST(struct dpx_paced_source *, source_);

    ovs_mutex_lock(&source->mutex);
    dpx_paced_check_reset(&source->check);
    ovs_mutex_unlock(&source->mutex);
}

void
dpx_paced_sink_reset(struct dpx_paced_sink *sink)
{
    dpx_paced_sink_each(sink, source_reset, NULL);
}
