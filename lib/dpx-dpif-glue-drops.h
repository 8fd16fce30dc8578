/* SPDX-License-Identifier: Apache-2.0
 *
 * Part of dpx-dpif-glue.h: what the devices lost for want of polling.  Main
 * thread only, port_rwlock held.
 *
 * The statistics of a device are the business of its driver: they may cost
 * microseconds or a millisecond, and no packet waits for them, but the main
 * thread does.  So a second has a budget.  Ports whose queues run full bursts
 * come first, because no other port can lose packets for long. */

/* Time of the main thread per second.  One port is read at least. */
#define DPX_DROPS_BUDGET_USEC 2000

/* A port to be read, and why. */
struct dpx_drops_turn {
    struct dp_netdev_port *port;
    bool urgent;                /* It may be losing packets. */
    uint64_t usec;              /* When it was read last. */
};

static struct dpx_port_drops *
dpx_port_drops(const struct dp_netdev_port *port)
{
    return &port->rxqs[0].dpx.drops.port;
}

static int
dpx_drops_compare_turns(const void *a_, const void *b_)
{
    const struct dpx_drops_turn *a = a_, *b = b_;

    if (a->urgent != b->urgent) {
        return a->urgent ? -1 : 1;
    }
    return (a->usec > b->usec) - (a->usec < b->usec);
}

/* The ports that count drops, in the order in which they are read; to be
 * freed. */
static struct dpx_drops_turn *
dpx_drops_turns(struct dp_netdev *dp, size_t *n)
    OVS_REQ_RDLOCK(dp->port_rwlock)
{
    struct dpx_drops_turn *turns;
    struct dp_netdev_port *port;

    *n = 0;
    turns = xcalloc(hmap_count(&dp->ports), sizeof *turns);
    HMAP_FOR_EACH (port, node, &dp->ports) {
        const struct dpx_port_drops *pd;
        struct dpx_drops_turn *turn;

        if (!port->n_rxq || !netdev_is_pmd(port->netdev)
            || dpx_port_drops(port)->uncounted) {
            continue;
        }
        pd = dpx_port_drops(port);
        turn = &turns[(*n)++];
        *turn = (struct dpx_drops_turn) {
            .port = port, .urgent = pd->rate > 0, .usec = pd->usec,
        };
        for (int i = 0; i < port->n_rxq; i++) {
            turn->urgent |= port->rxqs[i].dpx.drops.runs_full;
        }
    }
    if (*n) {
        qsort(turns, *n, sizeof *turns, dpx_drops_compare_turns);
    }
    return turns;
}

/* Finds the device's count of the drops of each queue of 'port'.  Returns
 * whether it has them; 'counts' is set for the queues that it names. */
static bool
dpx_read_queue_drops(const struct dp_netdev_port *port, uint64_t *counts,
                     bool *counted)
{
    struct netdev_custom_stats stats;
    bool any = false;

    if (netdev_get_custom_stats(port->netdev, &stats)) {
        return false;
    }
    for (size_t i = 0; i < stats.size; i++) {
        int queue = dpx_drops_queue_of(stats.counters[i].name);

        if (queue >= 0 && queue < port->n_rxq) {
            counts[queue] = stats.counters[i].value;
            counted[queue] = any = true;
        }
    }
    netdev_free_custom_stats_counters(&stats);
    return any;
}

/* 'port' lost 'lost' packets since it was read last, 'sec' seconds ago: gives
 * them to its queues.  'counts' are the device's own, where 'counted'. */
static void
dpx_share_drops(struct dp_netdev_port *port, double lost, double sec,
                const uint64_t *counts, const bool *counted)
{
    struct dpx_drops_queue *queues = xcalloc(port->n_rxq, sizeof *queues);

    for (int i = 0; i < port->n_rxq; i++) {
        struct dp_netdev_rxq *rxq = &port->rxqs[i];
        const struct dpx_rxq_drops *last = &rxq->dpx.drops;
        uint64_t packets, bursts, full;

        atomic_read_relaxed(&rxq->dpx.packets, &packets);
        atomic_read_relaxed(&rxq->dpx.bursts, &bursts);
        atomic_read_relaxed(&rxq->dpx.full, &full);
        queues[i] = (struct dpx_drops_queue) {
            .polled = dpx_rxq_is_polled(rxq),
            .packets = packets - last->packets,
            .bursts = bursts - last->bursts,
            .full = full - last->full,
            .device = DPX_LOAD_UNKNOWN,
        };
        if (counted[i] && last->counted && counts[i] >= last->device) {
            queues[i].device = counts[i] - last->device;
        }
    }
    dpx_drops_share(queues, port->n_rxq, lost);
    for (int i = 0; i < port->n_rxq; i++) {
        struct dpx_rxq_drops *drops = &port->rxqs[i].dpx.drops;

        drops->rate = DPX_LOAD_UNKNOWN;
        if (queues[i].drops >= 0) {
            drops->rate = queues[i].drops / sec;
            drops->lost += queues[i].drops;
        }
    }
    free(queues);
}

/* Takes note of where the counters of 'port' are now. */
static void
dpx_drops_note(struct dp_netdev_port *port, const uint64_t *counts,
               const bool *counted)
{
    for (int i = 0; i < port->n_rxq; i++) {
        struct dp_netdev_rxq *rxq = &port->rxqs[i];
        struct dpx_rxq_drops *drops = &rxq->dpx.drops;

        atomic_read_relaxed(&rxq->dpx.packets, &drops->packets);
        atomic_read_relaxed(&rxq->dpx.bursts, &drops->bursts);
        atomic_read_relaxed(&rxq->dpx.full, &drops->full);
        drops->device = counts[i];
        drops->counted = counted[i];
    }
}

static void
dpx_forget_drop_rates(struct dp_netdev_port *port)
{
    dpx_port_drops(port)->rate = DPX_LOAD_UNKNOWN;
    for (int i = 0; i < port->n_rxq; i++) {
        port->rxqs[i].dpx.drops.rate = DPX_LOAD_UNKNOWN;
    }
}

static void
dpx_read_port_drops(struct dp_netdev_port *port, uint64_t now)
{
    struct dpx_port_drops *pd = dpx_port_drops(port);
    uint64_t *counts = xcalloc(port->n_rxq, sizeof *counts);
    bool *counted = xcalloc(port->n_rxq, sizeof *counted);
    bool first = !pd->usec, again;
    struct netdev_stats stats;
    uint64_t missed;
    int error;

    error = netdev_get_stats(port->netdev, &stats);
    missed = stats.rx_missed_errors;
    if (error || missed == UINT64_MAX) {
        /* A device that is not there yet may count later. */
        pd->uncounted = !error;
        missed = pd->missed;
    } else if (port->n_rxq > 1 && !pd->per_port) {
        pd->per_port = !dpx_read_queue_drops(port, counts, counted);
    }
    again = missed < pd->missed;
    if (error || pd->uncounted || first || again || now <= pd->usec) {
        dpx_forget_drop_rates(port);
    } else {
        double sec = (now - pd->usec) / 1e6;
        uint64_t lost = missed - pd->missed;

        pd->lost += lost;
        pd->rate = lost / sec;
        dpx_share_drops(port, lost, sec, counts, counted);
    }
    pd->usec = now;
    pd->missed = missed;
    dpx_drops_note(port, counts, counted);
    free(counted);
    free(counts);
}

/* Reads the ports whose turn it is. */
static void
dpx_read_drops(struct dp_netdev *dp)
    OVS_REQ_RDLOCK(dp->port_rwlock)
{
    uint64_t now = time_usec(), start = now;
    struct dpx_drops_turn *turns;
    size_t n;

    turns = dpx_drops_turns(dp, &n);
    for (size_t i = 0; i < n; i++) {
        dpx_read_port_drops(turns[i].port, now);
        now = time_usec();
        if (now - start > DPX_DROPS_BUDGET_USEC) {
            break;
        }
    }
    free(turns);
}

/* Adds the drops since the last sample of 'rxq' to those for its samples, and
 * sets them in 'sample'.  A port that is not read every second is taken to
 * lose as many as it did before. */
static void
dpx_sample_rxq_drops(struct dp_netdev_rxq *rxq,
                     struct dpx_load_sample *sample)
{
    struct dpx_rxq_drops *drops = &rxq->dpx.drops;
    bool known = dpx_port_drops(rxq->port)->usec && drops->rate >= 0;
    uint64_t bursts, full;

    atomic_read_relaxed(&rxq->dpx.bursts, &bursts);
    atomic_read_relaxed(&rxq->dpx.full, &full);
    drops->runs_full = dpx_drops_runs_full(bursts - drops->seen_bursts,
                                           full - drops->seen_full);
    if (known && drops->seen_usec) {
        drops->sum += drops->rate * (sample->usec - drops->seen_usec) / 1e6;
    }
    sample->drops = known ? (uint64_t) drops->sum : DPX_LOAD_NO_DROPS;
    drops->seen_bursts = bursts;
    drops->seen_full = full;
    drops->seen_usec = sample->usec;
}
