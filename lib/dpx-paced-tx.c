/* SPDX-License-Identifier: Apache-2.0
 *
 * Tx rings of the paced test netdev. */

#include <config.h>
#include "dpx-paced-tx.h"

#include <stdlib.h>

#include "dp-packet.h"
#include "dpx-paced-sink.h"
#include "dpx-paced-thread.h"
#include "dpx-tx-note.h"
#include "openvswitch/vlog.h"
#include "ovs-thread.h"
#include "util.h"

VLOG_DEFINE_THIS_MODULE(dpx_paced_tx);

struct dpx_paced_tx *
dpx_paced_tx_create(const char *port, int queue, struct dpx_paced_sink *sink)
{
    struct dpx_paced_tx *tx = xzalloc_cacheline(sizeof *tx);

    tx->port = xstrdup(port);
    tx->queue = queue;
    tx->sink = sink;
    ovs_mutex_init(&tx->mutex);
    dpx_paced_guard_init(&tx->guard);
    atomic_init(&tx->rate, 0);
#define DPX_PACED_TX_COUNTER(NAME) atomic_init(&tx->NAME, 0);
    DPX_PACED_TX_COUNTERS
#undef DPX_PACED_TX_COUNTER
    return tx;
}

void
dpx_paced_tx_destroy(struct dpx_paced_tx *tx)
{
    if (tx) {
        ovs_mutex_destroy(&tx->mutex);
        free(tx->port);
        free_cacheline(tx);
    }
}

void
dpx_paced_tx_setup(struct dpx_paced_tx *tx,
                   const struct dpx_paced_config *config)
{
    tx->size = config->ring_size;
    tx->abort_on_double_send = config->abort_on_double_poll;
    tx->used = 0;
    tx->meter.running = false;
    atomic_store_relaxed(&tx->rate, config->tx_rate);
}

static void
double_send(struct dpx_paced_tx *tx)
{
    dpx_count(&tx->double_sends, 1);
    if (tx->abort_on_double_send) {
        VLOG_ERR("%s: two threads send to tx queue %d at once without a "
                 "lock", tx->port, tx->queue);
        ovs_abort(0, "%s: two threads send to tx queue %d at once without a "
                  "lock", tx->port, tx->queue);
    }
}

/* Returns how many of 'n' packets the ring takes now. */
static size_t
ring_take(struct dpx_paced_tx *tx, size_t n)
{
    uint64_t rate, drained;

    atomic_read_relaxed(&tx->rate, &rate);
    if (!rate) {
        tx->used = 0;
        tx->meter.running = false;
        return n;
    }
    drained = dpx_paced_meter_advance(&tx->meter, rate, dpx_paced_clock());
    tx->used -= MIN(tx->used, drained);
    n = MIN(n, tx->size - tx->used);
    tx->used += n;
    return n;
}

/* Finds the stamp of 'packet', which may have got more headers on its way. */
static bool
find_stamp(const struct dp_packet *packet, struct dpx_paced_stamp *stamp)
{
    const char *data = dp_packet_data(packet);
    size_t size = dp_packet_size(packet);
    const char *l4 = dp_packet_l4(packet);

    if (size >= DPX_PACED_MIN_BYTES
        && dpx_paced_stamp_read(data + DPX_PACED_STAMP_OFS,
                                size - DPX_PACED_STAMP_OFS, stamp)) {
        return true;
    }
    return l4 && dp_packet_l4_size(packet) > 8
           && dpx_paced_stamp_read(l4 + 8, dp_packet_l4_size(packet) - 8,
                                   stamp);
}

/* Checks the first 'n' packets of 'batch'.  Packets of one source come in
 * runs, so its lock is taken once per run. */
static void
check_packets(struct dpx_paced_tx *tx, const struct dp_packet_batch *batch,
              size_t n)
    OVS_NO_THREAD_SAFETY_ANALYSIS
{
    struct dpx_paced_source *held = NULL;
    uint64_t bytes = 0, foreign = 0;

    for (size_t i = 0; i < n; i++) {
        const struct dp_packet *packet = batch->packets[i];
        struct dpx_paced_source *source = NULL;
        struct dpx_paced_stamp stamp;

        bytes += dp_packet_size(packet);
        if (!find_stamp(packet, &stamp)) {
            foreign++;
            continue;
        }
        if (held && held->port == stamp.port && held->queue == stamp.queue) {
            source = held;
        } else {
            source = dpx_paced_sink_source(tx->sink, &stamp);
        }
        if (!source) {
            foreign++;
            continue;
        }
        if (source != held) {
            if (held) {
                ovs_mutex_unlock(&held->mutex);
            }
            held = source;
            ovs_mutex_lock(&held->mutex);
        }
        dpx_paced_check_packet(&source->check, &stamp);
    }
    if (held) {
        ovs_mutex_unlock(&held->mutex);
    }
    dpx_count(&tx->bytes, bytes);
    if (foreign) {
        dpx_count(&tx->foreign, foreign);
    }
}

static void
send_batch(struct dpx_paced_tx *tx, struct dpx_paced_thread *thread,
           struct dp_packet_batch *batch)
{
    size_t n = dp_packet_batch_size(batch);
    size_t taken = ring_take(tx, n);
    struct dp_packet *packet;

    check_packets(tx, batch, taken);
    dpx_count(&tx->packets, taken);
    if (taken < n) {
        dpx_count(&tx->dropped, n - taken);
        dpx_tx_note_dropped(n - taken);
    }
    DP_PACKET_BATCH_FOR_EACH (i, packet, batch) {
        dpx_paced_packet_free(thread, packet);
    }
    batch->count = 0;
}

/* Sends, being the only sender now. */
static void
send_alone(struct dpx_paced_tx *tx, struct dpx_paced_thread *thread,
           struct dp_packet_batch *batch)
{
    size_t n = dp_packet_batch_size(batch);
    uint64_t cycles;

    dpx_count(&tx->sends, 1);
    if (dpx_counter_read(&tx->sends) % DPX_PACED_SAMPLE) {
        send_batch(tx, thread, batch);
        return;
    }
    cycles = dpx_paced_cycles();
    send_batch(tx, thread, batch);
    cycles = dpx_paced_cycles() - cycles;
    if (dpx_paced_sample_ok(cycles, n)) {
        dpx_count(&tx->timed_packets, n);
        dpx_count(&tx->timed_cycles, cycles);
    }
}

void
dpx_paced_tx_send(struct dpx_paced_tx *tx, struct dp_packet_batch *batch,
                  bool concurrent)
{
    struct dpx_paced_thread *thread = dpx_paced_thread();

    if (concurrent) {
        if (ovs_mutex_trylock(&tx->mutex)) {
            dpx_tx_note_waited();
            ovs_mutex_lock(&tx->mutex);
        }
        dpx_count(&tx->locked, 1);
        send_alone(tx, thread, batch);
        ovs_mutex_unlock(&tx->mutex);
    } else if (dpx_paced_guard_enter(&tx->guard, thread->id)) {
        send_alone(tx, thread, batch);
        if (!dpx_paced_guard_leave(&tx->guard, thread->id)) {
            double_send(tx);
        }
    } else {
        dpx_paced_guard_leave(&tx->guard, thread->id);
        double_send(tx);
        dp_packet_delete_batch(batch, true);
    }
}

void
dpx_paced_tx_totals(const struct dpx_paced_tx *tx,
                    struct dpx_paced_tx_totals *totals)
{
#define DPX_PACED_TX_COUNTER(NAME) totals->NAME = dpx_counter_read(&tx->NAME);
    DPX_PACED_TX_COUNTERS
#undef DPX_PACED_TX_COUNTER
}

void
dpx_paced_tx_since_reset(const struct dpx_paced_tx *tx,
                         struct dpx_paced_tx_totals *totals)
{
    dpx_paced_tx_totals(tx, totals);
#define DPX_PACED_TX_COUNTER(NAME) totals->NAME -= tx->base.NAME;
    DPX_PACED_TX_COUNTERS
#undef DPX_PACED_TX_COUNTER
}

void
dpx_paced_tx_reset(struct dpx_paced_tx *tx)
{
    dpx_paced_tx_totals(tx, &tx->base);
}
