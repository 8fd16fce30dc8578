/* SPDX-License-Identifier: Apache-2.0
 *
 * Statistics of the netdev "dpx-paced" as Open vSwitch knows them: they grow
 * as long as the netdev lives, whatever the commands reset.  Main thread. */

#include <config.h>
#include "netdev-dpx-paced-private.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "util.h"

void
dpx_paced_add_totals(void *to_, const void *from_, size_t size)
{
    const uint64_t *from = from_;
    uint64_t *to = to_;

    for (size_t i = 0; i < size / sizeof *to; i++) {
        to[i] += from[i];
    }
}

int
dpx_paced_get_stats(const struct netdev *netdev, struct netdev_stats *stats)
{
    struct dpx_paced_dev *dev = dpx_paced_dev_cast(netdev);
    struct dpx_paced_rx_totals rx, rx_queue;
    struct dpx_paced_tx_totals tx, tx_queue;

    ovs_mutex_lock(&dev->mutex);
    rx = dev->old_rx;
    for (int i = 0; i < dev->n_rx; i++) {
        dpx_paced_rx_totals(dev->rx[i], &rx_queue);
        dpx_paced_add_totals(&rx, &rx_queue, sizeof rx);
    }
    tx = dev->old_tx;
    for (int i = 0; i < dev->n_tx; i++) {
        dpx_paced_tx_totals(dev->tx[i], &tx_queue);
        dpx_paced_add_totals(&tx, &tx_queue, sizeof tx);
    }
    ovs_mutex_unlock(&dev->mutex);

    stats->rx_packets = rx.packets;
    stats->rx_bytes = rx.bytes;
    stats->rx_missed_errors = rx.missed;
    stats->rx_dropped = 0;
    stats->rx_errors = 0;
    stats->tx_packets = tx.packets;
    stats->tx_bytes = tx.bytes;
    stats->tx_dropped = tx.dropped;
    stats->tx_errors = 0;
    return 0;
}

static void OVS_PRINTF_FORMAT(3, 4)
put(struct netdev_custom_stats *stats, uint64_t value,
    const char *format, ...)
{
    struct netdev_custom_counter *counter = &stats->counters[stats->size++];
    va_list args;

    va_start(args, format);
    vsnprintf(counter->name, sizeof counter->name, format, args);
    va_end(args);
    counter->value = value;
}

static void
add_tally(const struct dpx_paced_source *source OVS_UNUSED,
          const struct dpx_paced_tally *tally, void *sum)
{
    dpx_paced_add_totals(sum, tally, sizeof *tally);
}

int
dpx_paced_get_custom_stats(const struct netdev *netdev,
                           struct netdev_custom_stats *stats)
{
    struct dpx_paced_dev *dev = dpx_paced_dev_cast(netdev);
    struct dpx_paced_tally sum = { .received = 0 };

    ovs_mutex_lock(&dev->mutex);
    stats->size = 0;
    stats->counters = xcalloc(dev->n_rx * 5 + dev->n_tx * 4 + 4,
                              sizeof *stats->counters);
    for (int i = 0; i < dev->n_rx; i++) {
        struct dpx_paced_rx_totals rx;

        dpx_paced_rx_totals(dev->rx[i], &rx);
        put(stats, rx.packets, "rx_q%d_packets", i);
        put(stats, rx.bytes, "rx_q%d_bytes", i);
        put(stats, rx.missed, "rx_q%d_missed", i);
        put(stats, rx.double_polls, "rx_q%d_double_polls", i);
        put(stats, dpx_paced_rx_own_cycles(&rx), "rx_q%d_own_cycles", i);
    }
    for (int i = 0; i < dev->n_tx; i++) {
        struct dpx_paced_tx_totals tx;

        dpx_paced_tx_totals(dev->tx[i], &tx);
        put(stats, tx.packets, "tx_q%d_packets", i);
        put(stats, tx.bytes, "tx_q%d_bytes", i);
        put(stats, tx.dropped, "tx_q%d_dropped", i);
        put(stats, tx.double_sends, "tx_q%d_double_sends", i);
    }
    dpx_paced_sink_each(&dev->sink, add_tally, &sum);
    ovs_mutex_unlock(&dev->mutex);

    put(stats, sum.received, "sink_received");
    put(stats, sum.lost, "sink_lost");
    put(stats, sum.duplicated, "sink_duplicated");
    put(stats, sum.reordered, "sink_reordered");
    return 0;
}
