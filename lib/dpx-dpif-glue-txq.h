/* SPDX-License-Identifier: Apache-2.0
 *
 * Part of dpx-dpif-glue.h: what each thread sends to each port by which tx
 * queue, and what pmd-txq-affinity asks for.
 *
 * The sending functions run on the thread that sends and stand in for
 * netdev_send(); all else is on the main thread, port_rwlock held.
 *
 * In static mode a device takes no lock.  So pins, which may put two threads
 * on one queue, come into force only while no thread has the port, and from
 * then on every send to the port takes the lock. */

/* A thread that has sent to a port, or will. */
struct dpx_tx_thread {
    unsigned core_id;           /* Or NON_PMD_CORE_ID. */
    struct dpx_tx *tx;
    uint64_t packets;           /* When the rate was taken... */
    double pps;                 /* ...which is negative: not known. */
};

/* The tx queues of a port.  Main thread only, but for what 'tx' points to. */
struct dpx_port_tx {
    struct dpx_tx_thread *threads;      /* In no order of its own. */
    size_t n_threads;
    int n_txq;                  /* Elements in each 'tx'. */
    struct dpx_txq_totals gone; /* Of queues that the port had. */
    long long int rate_ms;      /* When rates were taken last; 0: never. */

    /* pmd-txq-affinity. */
    char *list;                 /* As in the database, or null. */
    char *error;                /* Why that was refused, or null. */
    char *good;                 /* The last one that was not, or null. */
    struct dpx_txq_affinity affinity;   /* The same, read. */
    bool pinned;                /* It is in force. */
    bool placed;                /* Placement decides for the others. */
};

static inline void
dpx_tx_send_on(struct tx_port *p, struct dpx_txq *q, int queue,
               struct dp_packet_batch *batch, bool concurrent)
{
    size_t n = dp_packet_batch_size(batch);

    dpx_tx_sending(q, n, dpx_batch_bytes(batch, n));
    netdev_send(p->port->netdev, queue, batch, concurrent);
    dpx_tx_sent(q);
}

/* Sends what 'p' holds by one tx queue: 'queue', unless the thread is pinned
 * or placed. */
static inline void
dpx_tx_send(const struct dp_netdev_pmd_thread *pmd, struct tx_port *p,
            int queue, bool concurrent)
{
    struct dpx_txq *q;

    queue = dpx_tx_pick(p->dpx, queue, pmd->ctx.now, &concurrent);
    q = dpx_tx_queue(p->dpx, queue);
    dpx_tx_on(p->dpx, q, queue);
    dpx_tx_send_on(p, q, queue, &p->output_pkts, concurrent);
}

/* Sends what 'p' holds for 'queue', by a hash of the packets. */
static inline void
dpx_tx_send_hashed(struct tx_port *p, int queue)
{
    dpx_tx_send_on(p, dpx_tx_queue(p->dpx, queue), queue,
                   &p->txq_pkts[queue], true);
}

static struct dpx_port_tx *
dpx_port_tx(struct dp_netdev_port *port)
{
    if (!port->dpx_tx) {
        port->dpx_tx = xzalloc(sizeof *port->dpx_tx);
        port->dpx_tx->n_txq = netdev_n_txq(port->netdev);
    }
    return port->dpx_tx;
}

/* 'port' goes; no thread has it any more. */
static void
dpx_port_tx_destroy(struct dp_netdev_port *port)
{
    struct dpx_port_tx *pt = port->dpx_tx;

    if (pt) {
        for (size_t i = 0; i < pt->n_threads; i++) {
            dpx_tx_destroy(pt->threads[i].tx);
        }
        dpx_txq_affinity_uninit(&pt->affinity);
        free(pt->threads);
        free(pt->list);
        free(pt->error);
        free(pt->good);
        free(pt);
    }
}

static struct dpx_tx_thread *
dpx_tx_thread(struct dpx_port_tx *pt, unsigned core_id)
{
    struct dpx_tx_thread *thread;

    for (size_t i = 0; i < pt->n_threads; i++) {
        if (pt->threads[i].core_id == core_id) {
            return &pt->threads[i];
        }
    }
    pt->threads = xrealloc(pt->threads, (pt->n_threads + 1)
                                        * sizeof *pt->threads);
    thread = &pt->threads[pt->n_threads++];
    *thread = (struct dpx_tx_thread) {
        .core_id = core_id,
        .tx = dpx_tx_create(pt->n_txq),
        .pps = -1,
    };
    thread->tx->locked = pt->pinned;
    return thread;
}

/* What 'pmd' counts for 'port', which it is about to get. */
static struct dpx_tx *
dpx_tx_of(const struct dp_netdev_pmd_thread *pmd, struct dp_netdev_port *port)
{
    return dpx_tx_thread(dpx_port_tx(port), pmd->core_id)->tx;
}

/* The database asks 'port' for 'list' (null: for none).  A new one takes the
 * port from every thread until it is in force. */
static void
dpx_txq_asked(struct dp_netdev *dp, struct dp_netdev_port *port,
              const char *list)
{
    const char *name = netdev_get_name(port->netdev);
    struct dpx_port_tx *pt = dpx_port_tx(port);
    struct dpx_txq_affinity affinity;

    if (nullable_string_is_equal(list, pt->list)) {
        return;
    }
    free(pt->list);
    free(pt->error);
    pt->list = nullable_xstrdup(list);
    pt->error = dpx_txq_affinity_parse(list, &affinity);
    if (pt->error) {
        VLOG_WARN("%s: pmd-txq-affinity is refused: %s; %s%s%s", name,
                  pt->error, pt->good ? "\"" : "",
                  pt->good ? pt->good : "no thread is pinned",
                  pt->good ? "\" stays in force" : "");
        return;
    }
    dpx_txq_affinity_uninit(&pt->affinity);
    pt->affinity = affinity;
    free(pt->good);
    pt->good = nullable_xstrdup(list);
    port->need_reconfigure = true;
    dp_netdev_request_reconfigure(dp);
}

/* dpx-enable has changed: pins come into force, or out of it. */
static void
dpx_txq_enable_changed(struct dp_netdev *dp)
{
    struct dp_netdev_port *port;

    ovs_rwlock_wrlock(&dp->port_rwlock);
    HMAP_FOR_EACH (port, node, &dp->ports) {
        if (port->dpx_tx && port->dpx_tx->affinity.n) {
            port->need_reconfigure = true;
        }
    }
    ovs_rwlock_unlock(&dp->port_rwlock);
}

static int
dpx_tx_core(unsigned core_id)
{
    return core_id == NON_PMD_CORE_ID ? DPX_TXQ_MAIN : (int) core_id;
}
