/* SPDX-License-Identifier: Apache-2.0
 *
 * Commands of the netdev "dpx-paced":
 *
 *     dpx-paced/show [PORT]                   since the last reset
 *     dpx-paced/gaps [PORT]                   distribution of poll gaps
 *     dpx-paced/set-rate PORT QUEUE|all PPS   until rx-rate is next changed
 *     dpx-paced/reset [PORT]
 *
 * A word that names nothing is an error that quotes it.  "-" is a value that
 * is not known. */

#include <config.h>
#include "netdev-dpx-paced-private.h"

#include <stdlib.h>
#include <string.h>

#include "openvswitch/dynamic-string.h"
#include "unixctl.h"
#include "util.h"

/* Returns the netdev called 'name', or null after replying that there is
 * none. */
static struct dpx_paced_dev *
find_dev(struct unixctl_conn *conn, const char *name)
    OVS_REQUIRES(dpx_paced_mutex)
{
    struct dpx_paced_dev *dev;
    char *error;

    LIST_FOR_EACH (dev, node, &dpx_paced_devs) {
        if (!strcmp(netdev_get_name(&dev->up), name)) {
            return dev;
        }
    }
    error = xasprintf("\"%s\" is not a dpx-paced port", name);
    unixctl_command_reply_error(conn, error);
    free(error);
    return NULL;
}

/* Calls 'cb' with the port that 'argv' names, or with each, and replies with
 * the text that it adds. */
static void
for_each_dev(struct unixctl_conn *conn, int argc, const char *argv[],
             void (*cb)(struct dpx_paced_dev *, struct ds *))
{
    struct ds ds = DS_EMPTY_INITIALIZER;
    struct dpx_paced_dev *dev, *only = NULL;

    ovs_mutex_lock(&dpx_paced_mutex);
    if (argc > 1) {
        only = find_dev(conn, argv[1]);
        if (!only) {
            goto out;
        }
    }
    LIST_FOR_EACH (dev, node, &dpx_paced_devs) {
        if (!only || dev == only) {
            ovs_mutex_lock(&dev->mutex);
            cb(dev, &ds);
            ovs_mutex_unlock(&dev->mutex);
        }
    }
    unixctl_command_reply(conn, ds_cstr(&ds));
out:
    ovs_mutex_unlock(&dpx_paced_mutex);
    ds_destroy(&ds);
}

/* Appends 'sum' / 'n', right-aligned in 'width', or "-" if there were none. */
static void
put_mean(struct ds *ds, int width, uint64_t sum, uint64_t n)
{
    if (n) {
        ds_put_format(ds, "%*.1f", width, (double) sum / n);
    } else {
        ds_put_format(ds, "%*s", width, "-");
    }
}

static void
show_rx(const struct dpx_paced_rx *rx, struct ds *ds)
{
    struct dpx_paced_rx_totals totals;
    uint64_t now = dpx_paced_clock();
    uint64_t seen_at = dpx_counter_read(&rx->rate_seen_at);
    char *fill;

    dpx_paced_rx_since_reset(rx, &totals);
    ds_put_format(ds, "  %5d %11"PRIu64, rx->queue,
                  dpx_counter_read(&rx->rate));
    if (seen_at && now < seen_at + 3 * DPX_PACED_NSEC) {
        ds_put_format(ds, " %11"PRIu64, dpx_counter_read(&rx->rate_seen));
    } else {
        ds_put_format(ds, " %11s", "-");
    }
    fill = xasprintf("%"PRIu64"/%"PRIu32, dpx_counter_read(&rx->ring.fill),
                     rx->ring.size);
    ds_put_format(ds, " %13"PRIu64" %11"PRIu64" %11s %13"PRIu64,
                  totals.packets, totals.missed, fill, totals.polls);
    free(fill);
    ds_put_format(ds, " %10.1f", dpx_counter_read(&rx->gaps.max) / 1e3);
    for (int i = 0; i < DPX_PACED_N_GAP_KINDS; i++) {
        ds_put_format(ds, " %7"PRIu64, totals.gaps_long[i]);
    }
    ds_put_format(ds, " %10.1f", dpx_counter_read(
                      &rx->gaps.max_long[DPX_PACED_GAP_OFF]) / 1e3);
    put_mean(ds, 8, totals.timed_cycles, totals.timed_packets);
    put_mean(ds, 10, totals.timed_empty_cycles, totals.timed_empty);
    if (totals.double_polls) {
        ds_put_format(ds, "  POLLED BY TWO THREADS AT ONCE %"PRIu64" times",
                      totals.double_polls);
    }
    ds_put_char(ds, '\n');
}

static void
show_tx(const struct dpx_paced_tx *tx, struct ds *ds)
{
    struct dpx_paced_tx_totals totals;

    dpx_paced_tx_since_reset(tx, &totals);
    ds_put_format(ds, "  %5d %13"PRIu64" %11"PRIu64" %11"PRIu64" %11"PRIu64
                  " %11"PRIu64,
                  tx->queue, totals.packets, totals.dropped, totals.foreign,
                  totals.sends, totals.locked);
    put_mean(ds, 8, totals.timed_cycles, totals.timed_packets);
    if (totals.double_sends) {
        ds_put_format(ds, "  SENT TO BY TWO THREADS AT ONCE %"PRIu64" times",
                      totals.double_sends);
    }
    ds_put_char(ds, '\n');
}

/* Returns the name of the source port with 'number', or null if it is gone. */
static const char *
source_name(uint16_t number)
    OVS_REQUIRES(dpx_paced_mutex)
{
    struct dpx_paced_dev *dev;

    LIST_FOR_EACH (dev, node, &dpx_paced_devs) {
        if (dev->number == number) {
            return netdev_get_name(&dev->up);
        }
    }
    return NULL;
}

static void
show_source(const struct dpx_paced_source *source,
            const struct dpx_paced_tally *tally, void *ds)
    OVS_REQUIRES(dpx_paced_mutex)
{
    const char *name = source_name(source->port);

    if (!tally->received) {
        return;
    }
    ds_put_format(ds, "  %-15s %5d %13"PRIu64" %11"PRIu64" %11"PRIu64
                  " %11"PRIu64" %11"PRIu64"\n", name ? name : "-",
                  source->queue, tally->received, tally->lost,
                  tally->duplicated, tally->reordered, tally->ancient);
}

static void
show_dev(struct dpx_paced_dev *dev, struct ds *ds)
    OVS_REQUIRES(dev->mutex)
{
    ds_put_format(ds, "%s: model of a NIC, ", netdev_get_name(&dev->up));
    if (dev->pcap) {
        ds_put_format(ds, "%"PRIuSIZE" packets of a capture (not stamped: a "
                      "sink can only count them)\n", dev->pcap->n);
    } else {
        ds_put_format(ds, "frames of %"PRIu32" bytes, %"PRIu32" flows per "
                      "queue, skew %g\n", dev->config.frame_size,
                      dev->config.n_flows, dev->config.skew);
    }

    if (dev->refused) {
        ds_put_format(ds, "  refused: %s\n", dev->refused);
    }
    ds_put_format(ds, "  %5s %11s %11s %13s %11s %11s %13s %10s %7s %7s %7s "
                  "%7s %10s %7s %9s\n", "RXQ", "RATE_SET", "RATE_SEEN",
                  "PACKETS", "MISSED", "RING", "POLLS", "MAXGAP_US", "GAPS_ON",
                  "OFF", "MOVED", "UNKNOWN", "MAXOFF_US", "CYC/PKT",
                  "CYC/EMPTY");
    for (int i = 0; i < dev->n_rx; i++) {
        show_rx(dev->rx[i], ds);
    }
    ds_put_format(ds, "  %5s %13s %11s %11s %11s %11s %7s\n", "TXQ",
                  "PACKETS", "DROPPED", "FOREIGN", "SENDS", "LOCKED",
                  "CYC/PKT");
    for (int i = 0; i < dev->n_tx; i++) {
        show_tx(dev->tx[i], ds);
    }
    ds_put_format(ds, "  %-15s %5s %13s %11s %11s %11s %11s\n", "SOURCE",
                  "QUEUE", "RECEIVED", "LOST", "DUPLICATED", "REORDERED",
                  "ANCIENT");
    dpx_paced_sink_each(&dev->sink, show_source, ds);
}

static void
cmd_show(struct unixctl_conn *conn, int argc, const char *argv[],
         void *aux OVS_UNUSED)
{
    for_each_dev(conn, argc, argv, show_dev);
}

static void
show_gaps(struct dpx_paced_dev *dev, struct ds *ds)
    OVS_REQUIRES(dev->mutex)
{
    for (int i = 0; i < dev->n_rx; i++) {
        struct dpx_paced_rx_totals totals;
        uint64_t sum = 0, n = 0;

        dpx_paced_rx_since_reset(dev->rx[i], &totals);
        for (int j = 0; j < DPX_PACED_GAP_BUCKETS; j++) {
            sum += totals.gaps[j];
        }
        ds_put_format(ds, "%s: rx queue %d, %"PRIu64" gaps\n",
                      netdev_get_name(&dev->up), i, sum);
        for (int j = 0; j < DPX_PACED_GAP_BUCKETS; j++) {
            if (totals.gaps[j]) {
                n += totals.gaps[j];
                ds_put_format(ds, "  below %14.3f us: %13"PRIu64
                              "  (%9.5f %% up to here)\n",
                              (UINT64_C(2) << j) / 1e3, totals.gaps[j],
                              100.0 * n / sum);
            }
        }
        for (int j = 0; j < DPX_PACED_N_GAP_KINDS; j++) {
            ds_put_format(ds, "  above %14.3f us, %7s: %6"PRIu64
                          ", longest %.1f us\n",
                          dev->rx[i]->gap_threshold / 1e3,
                          dpx_paced_gap_kind_name(j), totals.gaps_long[j],
                          dpx_counter_read(&dev->rx[i]->gaps.max_long[j])
                          / 1e3);
        }
    }
}

static void
cmd_gaps(struct unixctl_conn *conn, int argc, const char *argv[],
         void *aux OVS_UNUSED)
{
    for_each_dev(conn, argc, argv, show_gaps);
}

static void
reset_dev(struct dpx_paced_dev *dev, struct ds *ds OVS_UNUSED)
    OVS_REQUIRES(dev->mutex)
{
    for (int i = 0; i < dev->n_rx; i++) {
        dpx_paced_rx_reset(dev->rx[i]);
    }
    for (int i = 0; i < dev->n_tx; i++) {
        dpx_paced_tx_reset(dev->tx[i]);
    }
    dpx_paced_sink_reset(&dev->sink);
}

static void
cmd_reset(struct unixctl_conn *conn, int argc, const char *argv[],
          void *aux OVS_UNUSED)
{
    for_each_dev(conn, argc, argv, reset_dev);
}

/* Sets the rate of rx queue 'word', a number or "all".  Returns what is wrong,
 * or null. */
static char *
set_rate(struct dpx_paced_dev *dev, const char *word, uint64_t rate)
    OVS_REQUIRES(dev->mutex)
{
    int first = 0, last = dev->n_rx - 1;

    if (strcmp(word, "all")) {
        if (!str_to_int(word, 10, &first)
            || first < 0 || first >= dev->n_rx) {
            return xasprintf("\"%s\" is not an rx queue of %s (0 to %d, or "
                             "\"all\")", word, netdev_get_name(&dev->up),
                             dev->n_rx - 1);
        }
        last = first;
    }
    for (int i = first; i <= last; i++) {
        dev->rates[i] = rate;
        atomic_store_relaxed(&dev->rx[i]->rate, rate);
    }
    return NULL;
}

static void
cmd_set_rate(struct unixctl_conn *conn, int argc OVS_UNUSED,
             const char *argv[], void *aux OVS_UNUSED)
{
    struct dpx_paced_dev *dev;
    char *error = NULL;
    uint64_t rate;

    ovs_mutex_lock(&dpx_paced_mutex);
    dev = find_dev(conn, argv[1]);
    if (dev) {
        ovs_mutex_lock(&dev->mutex);
        if (!dpx_paced_rate_parse(argv[3], &rate)) {
            error = xasprintf("\"%s\" is not a number of packets/s from 0 to "
                              "%"PRIu64, argv[3], DPX_PACED_RATE_MAX);
        } else {
            error = set_rate(dev, argv[2], rate);
        }
        ovs_mutex_unlock(&dev->mutex);
        if (error) {
            unixctl_command_reply_error(conn, error);
            free(error);
        } else {
            unixctl_command_reply(conn, NULL);
        }
    }
    ovs_mutex_unlock(&dpx_paced_mutex);
}

void
dpx_paced_cmd_register(void)
{
    unixctl_command_register("dpx-paced/show", "[port]", 0, 1, cmd_show,
                             NULL);
    unixctl_command_register("dpx-paced/gaps", "[port]", 0, 1, cmd_gaps,
                             NULL);
    unixctl_command_register("dpx-paced/set-rate", "port queue|all pps",
                             3, 3, cmd_set_rate, NULL);
    unixctl_command_register("dpx-paced/reset", "[port]", 0, 1, cmd_reset,
                             NULL);
}
