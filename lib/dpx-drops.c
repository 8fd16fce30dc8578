/* SPDX-License-Identifier: Apache-2.0
 *
 * Shares the drops of a port among its queues.  Called by the main thread
 * once a second for a port at most; allocates nothing that it keeps. */

#include <config.h>

#include "dpx-drops.h"

#include <stdlib.h>
#include <string.h>

#include "dpx-view.h"
#include "util.h"

int
dpx_drops_queue_of(const char *name)
{
    /* DPDK's own name, for what its drivers report as packets of a queue that
     * were dropped; then names of single drivers and of our test netdev. */
    static const char *const counters[] = {
        "_errors", "_dropped", "_missed",
    };
    int queue, end = 0;

    if (!ovs_scan(name, "rx_q%d%n", &queue, &end) || queue < 0) {
        return -1;
    }
    for (size_t i = 0; i < ARRAY_SIZE(counters); i++) {
        if (!strcmp(name + end, counters[i])) {
            return queue;
        }
    }
    return -1;
}

bool
dpx_drops_runs_full(uint64_t bursts, uint64_t full)
{
    return full && full >= bursts - full;
}

static void
give_all(struct dpx_drops_queue *queues, size_t n, double drops)
{
    for (size_t i = 0; i < n; i++) {
        queues[i].drops = drops;
    }
}

/* In proportion to what the device counted.  Its counts per queue may hold
 * other errors as well, and were read a moment later than that of the port:
 * the port's is the sum.  Returns false if it counted nothing. */
static bool
share_by_device(struct dpx_drops_queue *queues, size_t n, double drops)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++) {
        if (queues[i].device < 0) {
            return false;
        }
        sum += queues[i].device;
    }
    for (size_t i = 0; i < n && sum > 0; i++) {
        queues[i].drops = drops * queues[i].device / sum;
    }
    return sum > 0;
}

static int
compare_packets(const void *a_, const void *b_)
{
    const struct dpx_drops_queue *const *a = a_;
    const struct dpx_drops_queue *const *b = b_;

    return ((*a)->packets > (*b)->packets) - ((*a)->packets < (*b)->packets);
}

/* So that packets and drops together are as even as they can be among the
 * queues that run full bursts.  Returns false if there is none. */
static bool
share_evenly(struct dpx_drops_queue *queues, size_t n, double drops)
{
    struct dpx_drops_queue **full = xcalloc(n, sizeof *full);
    double level = 0, sum = 0;
    size_t n_full = 0;

    give_all(queues, n, 0);
    for (size_t i = 0; i < n; i++) {
        if (dpx_drops_runs_full(queues[i].bursts, queues[i].full)) {
            full[n_full++] = &queues[i];
        }
    }
    if (n_full) {
        qsort(full, n_full, sizeof *full, compare_packets);
    }
    /* The level that the first 'i' queues reach, until the next is above. */
    for (size_t i = 1; i <= n_full; i++) {
        sum += full[i - 1]->packets;
        level = (sum + drops) / i;
        if (i < n_full && level <= full[i]->packets) {
            break;
        }
    }
    for (size_t i = 0; i < n_full; i++) {
        full[i]->drops = MAX(0, level - full[i]->packets);
    }
    free(full);
    return n_full > 0;
}

static bool
share_by_full_bursts(struct dpx_drops_queue *queues, size_t n, double drops)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++) {
        sum += queues[i].full;
    }
    for (size_t i = 0; i < n && sum > 0; i++) {
        queues[i].drops = drops * queues[i].full / sum;
    }
    return sum > 0;
}

static bool
are_all_polled(const struct dpx_drops_queue *queues, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!queues[i].polled) {
            return false;
        }
    }
    return true;
}

void
dpx_drops_share(struct dpx_drops_queue *queues, size_t n, double drops)
{
    if (n == 1 || drops <= 0) {
        give_all(queues, n, MAX(0, drops));
    } else if (!share_by_device(queues, n, drops)
               && (!are_all_polled(queues, n)
                   || (!share_evenly(queues, n, drops)
                       && !share_by_full_bursts(queues, n, drops)))) {
        give_all(queues, n, DPX_LOAD_UNKNOWN);
    }
}

double
dpx_drops_demand(double busy, double pps, double drops)
{
    if (busy < 0) {
        return DPX_LOAD_UNKNOWN;
    }
    return pps > 0 && drops > 0
           ? MIN(DPX_DEMAND_MAX, busy * (1 + drops / pps)) : busy;
}
