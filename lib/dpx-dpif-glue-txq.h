/* SPDX-License-Identifier: Apache-2.0
 *
 * Part of dpx-dpif-glue.h: by which tx queue each thread sends to each port,
 * and what is counted there.
 *
 * The sending functions run on the thread that sends and stand in for
 * netdev_send(); all else is on the main thread, port_rwlock held.
 *
 * In static mode a device takes no lock.  So pins, which may put two threads
 * on one queue, come into force only while no thread has the port, and from
 * then on every send to the port takes the lock. */

/* How often the packets that threads send to a port are looked at. */
#define DPX_TXQ_RATE_MS 5000

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

/* Will 'pmd' send?  Upstream has a thread for every rx queue but has told
 * none yet. */
static bool
dpx_tx_sends(struct dp_netdev *dp, const struct dp_netdev_pmd_thread *pmd)
    OVS_REQ_RDLOCK(dp->port_rwlock)
{
    struct dp_netdev_port *port;

    if (pmd->core_id == NON_PMD_CORE_ID) {
        return true;
    }
    HMAP_FOR_EACH (port, node, &dp->ports) {
        for (int i = 0; i < port->n_rxq; i++) {
            if (port->rxqs[i].pmd == pmd) {
                return true;
            }
        }
    }
    return false;
}

/* The threads that will send, main among them, by core; to be freed. */
static struct dp_netdev_pmd_thread **
dpx_tx_senders(struct dp_netdev *dp, size_t *n)
    OVS_REQ_RDLOCK(dp->port_rwlock)
{
    struct dp_netdev_pmd_thread **list;
    size_t n_all;

    *n = 0;
    sorted_poll_thread_list(dp, &list, &n_all);
    for (size_t i = 0; i < n_all; i++) {
        if (dpx_tx_sends(dp, list[i])) {
            list[(*n)++] = list[i];
        }
    }
    return list;
}

static int
dpx_tx_core(unsigned core_id)
{
    return core_id == NON_PMD_CORE_ID ? DPX_TXQ_MAIN : (int) core_id;
}

/* 'port' has another number of tx queues, and no thread has it. */
static void
dpx_port_tx_resize(struct dpx_port_tx *pt, int n_txq)
{
    for (size_t i = 0; i < pt->n_threads; i++) {
        struct dpx_tx_thread *thread = &pt->threads[i];

        thread->tx = dpx_tx_resize(thread->tx, n_txq, &pt->gone);
    }
    pt->n_txq = n_txq;
    /* What was counted for queues that are gone is not a rate. */
    pt->rate_ms = 0;
}

/* Fills in what the planner wants to know of a thread. */
static void
dpx_txq_sender_fill(struct dpx_txq_sender *s, struct dpx_port_tx *pt,
                    unsigned core_id)
{
    const struct dpx_tx_thread *thread = dpx_tx_thread(pt, core_id);
    int placed, now;

    atomic_read_relaxed(&thread->tx->placed, &placed);
    atomic_read_relaxed(&thread->tx->now, &now);
    *s = (struct dpx_txq_sender) {
        .core = dpx_tx_core(core_id),
        .pps = thread->pps,
        .current = placed != DPX_TXQ_NONE ? placed : now,
        .pinned = pt->pinned
                  ? dpx_txq_affinity_find(&pt->affinity, dpx_tx_core(core_id),
                                          pt->n_txq)
                  : DPX_TXQ_PLACE_NONE,
    };
}

static void
dpx_txq_sender_use(struct dpx_port_tx *pt, const struct dpx_txq_sender *s)
{
    unsigned core_id = s->core == DPX_TXQ_MAIN ? NON_PMD_CORE_ID
                       : (unsigned) s->core;
    bool decided = pt->placed || s->pinned != DPX_TXQ_PLACE_NONE;

    atomic_store_relaxed(&dpx_tx_thread(pt, core_id)->tx->placed,
                         decided ? s->queue : DPX_TXQ_NONE);
}

/* Says by which tx queue each of the 'n' threads of 'pmds' sends to 'port'.
 * 'may_move': also those that could stay. */
static void
dpx_port_tx_plan(struct dp_netdev *dp, struct dp_netdev_port *port,
                 struct dp_netdev_pmd_thread **pmds, size_t n, bool may_move)
{
    struct dpx_port_tx *pt = dpx_port_tx(port);
    int n_txq = netdev_n_txq(port->netdev);
    bool hash = port->txq_mode == TXQ_MODE_XPS_HASH;
    struct dpx_txq_sender *senders = xcalloc(n, sizeof *senders);

    if (n_txq != pt->n_txq) {
        dpx_port_tx_resize(pt, n_txq);
    }
    pt->pinned = pt->affinity.n && n_txq && !hash && dp->dpx->config.enable;
    pt->placed = port->txq_mode == TXQ_MODE_XPS && n_txq && dpx_places(dp);
    for (size_t i = 0; i < n; i++) {
        dpx_txq_sender_fill(&senders[i], pt, pmds[i]->core_id);
    }
    if (pt->pinned || pt->placed) {
        dpx_txq_place(senders, n, n_txq, may_move);
    }
    for (size_t i = 0; i < pt->n_threads; i++) {
        struct dpx_tx *tx = pt->threads[i].tx;

        /* It differs only if no thread has the port. */
        if (tx->locked != pt->pinned) {
            tx->locked = pt->pinned;
        }
        if (!pt->pinned && !pt->placed) {
            atomic_store_relaxed(&tx->placed, DPX_TXQ_NONE);
        }
    }
    for (size_t i = 0; i < n && (pt->pinned || pt->placed); i++) {
        dpx_txq_sender_use(pt, &senders[i]);
    }
    free(senders);
}

/* Upstream has handed out every rx queue and set up every port. */
static void
dpx_txq_scheduled(struct dp_netdev *dp, bool may_move)
    OVS_REQ_RDLOCK(dp->port_rwlock)
{
    struct dp_netdev_pmd_thread **pmds;
    struct dp_netdev_port *port;
    size_t n;

    pmds = dpx_tx_senders(dp, &n);
    HMAP_FOR_EACH (port, node, &dp->ports) {
        dpx_port_tx_plan(dp, port, pmds, n, may_move);
    }
    free(pmds);
}

/* Takes the rates at which threads send, every few seconds. */
static void
dpx_txq_sample(struct dp_netdev *dp)
    OVS_REQ_RDLOCK(dp->port_rwlock)
{
    long long int now = time_msec();
    struct dp_netdev_port *port;

    HMAP_FOR_EACH (port, node, &dp->ports) {
        struct dpx_port_tx *pt = dpx_port_tx(port);
        bool first = !pt->rate_ms;

        if (!first && now - pt->rate_ms < DPX_TXQ_RATE_MS) {
            continue;
        }
        for (size_t i = 0; i < pt->n_threads; i++) {
            struct dpx_tx_thread *thread = &pt->threads[i];
            uint64_t packets = dpx_tx_packets(thread->tx);

            if (!first) {
                thread->pps = (packets - thread->packets) * 1000.0
                              / (now - pt->rate_ms);
            }
            thread->packets = packets;
        }
        pt->rate_ms = now;
    }
}
