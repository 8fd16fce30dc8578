/* SPDX-License-Identifier: Apache-2.0
 *
 * Part of dpx-dpif-glue.h: the counters of rx queues, for a command.  Main
 * thread only; takes dp_netdev_mutex, then port_rwlock. */

static void
dpx_rxq_row_counters(struct dpx_rxq_row *row, struct dp_netdev_rxq *rxq)
{
    uint64_t cycles;

    atomic_read_relaxed(&rxq->dpx.packets, &row->packets);
    atomic_read_relaxed(&rxq->dpx.bytes, &row->bytes);
    atomic_read_relaxed(&rxq->dpx.bursts, &row->bursts);
    atomic_read_relaxed(&rxq->dpx.full, &row->full);
    atomic_read_relaxed(&rxq->dpx.empty, &row->empty);
    row->cycles = dpx_rxq_total_cycles(rxq, &cycles) ? cycles : -1;
}

/* How full the ring was when the thread was asked last.  It answers at its
 * next poll; a thread that has not by the next sample does not poll. */
static int
dpx_rxq_fill(struct dp_netdev_rxq *rxq)
{
    uint32_t asked, seen;
    int fill;

    atomic_read_relaxed(&rxq->dpx.fill_asked, &asked);
    atomic_read_explicit(&rxq->dpx.fill_seen, &seen, memory_order_acquire);
    atomic_read_relaxed(&rxq->dpx.fill, &fill);
    return seen && asked - seen <= 1 ? fill : -1;
}

/* The device's count where it has one for this queue, else for its port. */
static void
dpx_rxq_row_drops(struct dpx_rxq_row *row, const struct dp_netdev_rxq *rxq)
{
    const struct dpx_rxq_drops *drops = &rxq->dpx.drops;
    const struct dpx_port_drops *pd = dpx_port_drops(rxq->port);

    if (!pd->usec || pd->uncounted) {
        row->drops_of = DPX_DROPS_UNKNOWN;
    } else if (rxq->port->n_rxq > 1 && pd->per_port) {
        row->drops_of = DPX_DROPS_PORT;
        row->drops = pd->lost;
    } else {
        row->drops_of = DPX_DROPS_QUEUE;
        row->drops = drops->lost + 0.5;
    }
}

static void
dpx_rxq_row_fill(struct dpx_rxq_row *row, struct dp_netdev_rxq *rxq,
                 bool enabled, unsigned int window_s)
{
    row->port = xstrdup(netdev_rxq_get_name(rxq->rx));
    row->queue_id = netdev_rxq_get_queue_id(rxq->rx);
    row->core_id = dpx_rxq_core(rxq);
    dpx_rxq_row_counters(row, rxq);
    dpx_rxq_row_drops(row, rxq);
    /* A window of 0 is unknown: what is held is of another time. */
    dpx_load_get_rates(&rxq->dpx.load, enabled ? window_s : 0, &row->rates);
    row->fill = enabled ? dpx_rxq_fill(rxq) : -1;
}

static int
dpx_rxq_row_compare(const void *a_, const void *b_)
{
    const struct dpx_rxq_row *a = a_, *b = b_;
    int cmp = strcmp(a->port, b->port);

    return cmp ? cmp : a->queue_id - b->queue_id;
}

static struct dpx_rxq_list *
dpx_rxqs_collect(struct dp_netdev *dp, const struct dp_netdev_port *only,
                 unsigned int window_s)
    OVS_REQ_RDLOCK(dp->port_rwlock)
{
    struct dpx_rxq_list *list = xzalloc(sizeof *list);
    struct dp_netdev_port *port;

    list->name = xstrdup(dp->name);
    list->window_s = window_s;
    HMAP_FOR_EACH (port, node, &dp->ports) {
        if (only && port != only) {
            continue;
        }
        list->rows = xrealloc(list->rows, (list->n + port->n_rxq)
                                          * sizeof *list->rows);
        for (int i = 0; i < port->n_rxq; i++) {
            dpx_rxq_row_fill(&list->rows[list->n++], &port->rxqs[i],
                             dp->dpx->config.enable, window_s);
        }
    }
    if (list->n) {
        qsort(list->rows, list->n, sizeof *list->rows, dpx_rxq_row_compare);
    }
    return list;
}

char *
dpx_dpif_rxqs_get(const char *name, const char *port, unsigned int window_s,
                  struct dpx_rxq_list **listp)
{
    struct dp_netdev *dp;
    char *error;

    *listp = NULL;
    ovs_mutex_lock(&dp_netdev_mutex);
    error = dpx_dp_find(name, &dp);
    if (!error) {
        struct dp_netdev_port *only;

        ovs_rwlock_rdlock(&dp->port_rwlock);
        error = dpx_port_named(dp, port, &only);
        if (!error) {
            *listp = dpx_rxqs_collect(dp, only, window_s);
        }
        ovs_rwlock_unlock(&dp->port_rwlock);
    }
    ovs_mutex_unlock(&dp_netdev_mutex);
    return error;
}
