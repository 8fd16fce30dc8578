/* SPDX-License-Identifier: Apache-2.0
 *
 * Receive queue of the paced test netdev. */

#include <config.h>
#include "dpx-paced-rx.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "dp-packet.h"
#include "dpx-paced-thread.h"
#include "openvswitch/vlog.h"
#include "ovs-thread.h"
#include "util.h"

VLOG_DEFINE_THIS_MODULE(dpx_paced);

BUILD_ASSERT_DECL(sizeof(struct dpx_paced_rx_totals) % sizeof(uint64_t) == 0);

struct dpx_paced_rx *
dpx_paced_rx_create(const char *port, int queue)
{
    struct dpx_paced_rx *rx = xzalloc_cacheline(sizeof *rx);

    rx->port = xstrdup(port);
    rx->queue = queue;
    atomic_init(&rx->rate, 0);
    atomic_init(&rx->up, true);
    atomic_init(&rx->rate_seen, 0);
    atomic_init(&rx->rate_seen_at, 0);
#define DPX_PACED_RX_COUNTER(NAME) atomic_init(&rx->NAME, 0);
    DPX_PACED_RX_COUNTERS
#undef DPX_PACED_RX_COUNTER
    dpx_paced_guard_init(&rx->guard);
    dpx_paced_ring_init(&rx->ring, 1);
    dpx_paced_gaps_init(&rx->gaps);
    return rx;
}

void
dpx_paced_rx_destroy(struct dpx_paced_rx *rx)
{
    if (rx) {
        dpx_paced_ring_destroy(&rx->ring);
        free(rx->pcap_index);
        free(rx->port);
        free_cacheline(rx);
    }
}

/* Chooses the packets of the capture that a NIC would put into this queue. */
static void
setup_pcap(struct dpx_paced_rx *rx, const struct dpx_paced_pcap *pcap,
           uint32_t n_rxq)
{
    free(rx->pcap_index);
    rx->pcap = pcap;
    rx->pcap_index = NULL;
    rx->n_pcap = 0;
    if (pcap) {
        rx->pcap_index = xmalloc(pcap->n * sizeof *rx->pcap_index);
        for (size_t i = 0; i < pcap->n; i++) {
            if (pcap->packets[i].hash % n_rxq == rx->queue) {
                rx->pcap_index[rx->n_pcap++] = i;
            }
        }
    }
}

void
dpx_paced_rx_setup(struct dpx_paced_rx *rx,
                   const struct dpx_paced_config *config,
                   const struct dpx_paced_stamp *stamp,
                   const struct dpx_paced_flows *flows,
                   const struct dpx_paced_pcap *pcap)
{
    rx->seed = (uint64_t) stamp->port << 8 | stamp->queue;
    rx->abort_on_double_poll = config->abort_on_double_poll;
    rx->gap_threshold = config->gap_threshold;
    rx->flows = flows;
    dpx_paced_template_init(&rx->template, stamp, config->frame_size);
    setup_pcap(rx, pcap, config->n_rxq);
    dpx_paced_ring_restart(&rx->ring, config->ring_size);
    dpx_paced_gaps_restart(&rx->gaps);
    rx->window_start = 0;
    atomic_store_relaxed(&rx->rate_seen_at, 0);
}

/* Two threads poll this queue: whatever is measured from now on is wrong. */
static void
double_poll(struct dpx_paced_rx *rx)
{
    dpx_count(&rx->double_polls, 1);
    if (rx->abort_on_double_poll) {
        VLOG_ERR("%s: rx queue %d is polled by two threads at once",
                 rx->port, rx->queue);
        ovs_abort(0, "%s: rx queue %d is polled by two threads at once",
                  rx->port, rx->queue);
    }
}

/* Makes packets 'seq' to 'seq' + 'n' - 1.  Returns their bytes. */
static uint64_t
generate(struct dpx_paced_rx *rx, struct dpx_paced_thread *thread,
         struct dp_packet_batch *batch, uint64_t seq, uint32_t n)
{
    uint64_t bytes = (uint64_t) n * rx->template.size;

    while (n--) {
        struct dp_packet *packet = dpx_paced_packet_new(thread,
                                                        rx->template.size);
        uint32_t flow = dpx_paced_flows_pick(rx->flows, rx->seed, seq);

        dp_packet_set_rss_hash(
            packet, dpx_paced_template_write(&rx->template,
                                             dp_packet_data(packet),
                                             flow, seq));
        dp_packet_batch_add(batch, packet);
        seq++;
    }
    return bytes;
}

/* The same from the capture: a missed packet takes its turn too. */
static uint64_t
replay(struct dpx_paced_rx *rx, struct dpx_paced_thread *thread,
       struct dp_packet_batch *batch, uint64_t seq, uint32_t n)
{
    uint32_t turn = seq % rx->n_pcap;
    uint64_t bytes = 0;

    while (n--) {
        const struct dpx_paced_pcap_packet *from
            = &rx->pcap->packets[rx->pcap_index[turn]];
        struct dp_packet *packet = dpx_paced_packet_new(thread, from->size);

        memcpy(dp_packet_data(packet), from->data, from->size);
        dp_packet_set_rss_hash(packet, from->hash);
        dp_packet_batch_add(batch, packet);
        bytes += from->size;
        if (++turn == rx->n_pcap) {
            turn = 0;
        }
    }
    return bytes;
}

/* Lets arrive what is due at 'now' and hands over a burst.  Returns its
 * size. */
static uint32_t
poll_ring(struct dpx_paced_rx *rx, struct dpx_paced_thread *thread,
          struct dp_packet_batch *batch, uint64_t now)
{
    uint32_t left = NETDEV_MAX_BURST, n;
    uint64_t rate, seq, bytes = 0;
    bool up;

    atomic_read_relaxed(&rx->up, &up);
    if (!up || (rx->pcap && !rx->n_pcap)) {
        rx->ring.meter.running = false;
        return 0;
    }
    atomic_read_relaxed(&rx->rate, &rate);
    dpx_paced_ring_poll(&rx->ring, rate, now);

    while ((n = dpx_paced_ring_take(&rx->ring, left, &seq))) {
        bytes += (rx->pcap
                  ? replay(rx, thread, batch, seq, n)
                  : generate(rx, thread, batch, seq, n));
        left -= n;
    }

    n = NETDEV_MAX_BURST - left;
    if (n) {
        dpx_count(&rx->packets, n);
        dpx_count(&rx->bytes, bytes);
    }
    return n;
}

/* Measures the rate over the second that ends now. */
static void
measure_rate(struct dpx_paced_rx *rx, uint64_t now)
{
    uint64_t packets = dpx_counter_read(&rx->packets);
    uint64_t elapsed = now - rx->window_start;

    if (rx->window_start) {
        atomic_store_relaxed(&rx->rate_seen,
                             (uint64_t) ((double) (packets
                                                   - rx->window_packets)
                                         * DPX_PACED_NSEC / elapsed + 0.5));
        atomic_store_relaxed(&rx->rate_seen_at, now);
    }
    rx->window_start = now;
    rx->window_packets = packets;
}

/* Notes that a poll that returned 'n' packets took 'cycles'. */
static void
note_cycles(struct dpx_paced_rx *rx, uint64_t cycles, uint32_t n)
{
    if (!dpx_paced_sample_ok(cycles, n)) {
        return;
    }
    if (n) {
        dpx_count(&rx->timed_polls, 1);
        dpx_count(&rx->timed_packets, n);
        dpx_count(&rx->timed_cycles, cycles);
    } else {
        dpx_count(&rx->timed_empty, 1);
        dpx_count(&rx->timed_empty_cycles, cycles);
    }
}

int
dpx_paced_rx_recv(struct dpx_paced_rx *rx, struct dp_packet_batch *batch,
                  int *qfill)
{
    struct dpx_paced_thread *thread = dpx_paced_thread();
    bool timed = !(++rx->n_calls % DPX_PACED_SAMPLE);
    uint64_t begin = timed ? dpx_paced_cycles() : 0;
    uint64_t now;
    uint32_t n;

    if (OVS_UNLIKELY(!dpx_paced_guard_enter(&rx->guard, thread->id))) {
        dpx_paced_guard_leave(&rx->guard, thread->id);
        double_poll(rx);
        return EAGAIN;
    }

    now = dpx_paced_clock();
    dpx_paced_gaps_poll(&rx->gaps, now, thread->id, rx->gap_threshold,
                        &thread->oncpu);
    dpx_paced_oncpu_refresh(&thread->oncpu, now);
    dpx_count(&rx->polls, 1);
    n = poll_ring(rx, thread, batch, now);
    if (!n) {
        dpx_count(&rx->empty, 1);
    }
    if (OVS_UNLIKELY(now - rx->window_start >= DPX_PACED_NSEC)) {
        measure_rate(rx, now);
    }
    if (qfill) {
        *qfill = rx->ring.used;
    }
    if (timed) {
        note_cycles(rx, dpx_paced_cycles() - begin, n);
    }

    if (OVS_UNLIKELY(!dpx_paced_guard_leave(&rx->guard, thread->id))) {
        double_poll(rx);
    }
    return n ? 0 : EAGAIN;
}

void
dpx_paced_rx_totals(const struct dpx_paced_rx *rx,
                    struct dpx_paced_rx_totals *totals)
{
#define DPX_PACED_RX_COUNTER(NAME) totals->NAME = dpx_counter_read(&rx->NAME);
    DPX_PACED_RX_COUNTERS
#undef DPX_PACED_RX_COUNTER
    totals->arrived = dpx_counter_read(&rx->ring.arrived);
    totals->missed = dpx_counter_read(&rx->ring.missed);
    for (int i = 0; i < DPX_PACED_N_GAP_KINDS; i++) {
        totals->gaps_long[i] = dpx_counter_read(&rx->gaps.n_long[i]);
    }
    for (int i = 0; i < DPX_PACED_GAP_BUCKETS; i++) {
        totals->gaps[i] = dpx_counter_read(&rx->gaps.buckets[i]);
    }
}

void
dpx_paced_rx_since_reset(const struct dpx_paced_rx *rx,
                         struct dpx_paced_rx_totals *totals)
{
    const uint64_t *base = (const uint64_t *) &rx->base;
    uint64_t *value = (uint64_t *) totals;

    dpx_paced_rx_totals(rx, totals);
    for (size_t i = 0; i < sizeof *totals / sizeof *value; i++) {
        value[i] -= base[i];
    }
}

void
dpx_paced_rx_reset(struct dpx_paced_rx *rx)
{
    dpx_paced_rx_totals(rx, &rx->base);
    dpx_paced_gaps_clear_max(&rx->gaps);
}

uint64_t
dpx_paced_rx_own_cycles(const struct dpx_paced_rx_totals *totals)
{
    double cycles = 0.0;

    if (totals->timed_polls) {
        cycles += (double) totals->timed_cycles / totals->timed_polls
                  * (totals->polls - totals->empty);
    }
    if (totals->timed_empty) {
        cycles += (double) totals->timed_empty_cycles / totals->timed_empty
                  * totals->empty;
    }
    return cycles;
}
