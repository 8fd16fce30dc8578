/* SPDX-License-Identifier: Apache-2.0
 *
 * Part of dpx-dpif-glue.h: asks which thread is to send by which tx queue, and
 * carries the answer out.
 *
 * At the end of a scheduling, when upstream has handed out every rx queue and
 * set up every port.  Main thread only, port_rwlock held. */

/* How often the packets that threads send to a port are looked at. */
#define DPX_TXQ_RATE_MS 5000

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
