/* SPDX-License-Identifier: Apache-2.0
 *
 * Part of dpx-dpif-glue.h: moves rx queues between running threads.
 *
 * Upstream has chosen a thread for every queue and has changed no list yet.
 * Each queue that one thread lists and another is to have is handed over
 * (dpx-handoff-move.h decides when what may happen), so that upstream, which
 * then compares lists and choices, finds them equal and reloads nobody.
 * Main thread only, port_rwlock held for reading. */

/* How long an offer stands, and how long main waits for the end of a move.
 * What has not ended by then ends in the background. */
#define DPX_HANDOFF_LIMIT_NS UINT64_C(100000000)
#define DPX_HANDOFF_WAIT_NS UINT64_C(200000000)

/* Between two looks at how far a move is.  It goes on without us: the pause
 * only leaves the core to a thread that may share it. */
#define DPX_HANDOFF_PAUSE_NS 5000

/* After how long a move that had to be, and was cancelled, is tried again. */
#define DPX_HANDOFF_RETRY_MS 1000

/* A move that is under way. */
struct dpx_moving {
    struct ovs_list node;       /* In 'moving' of struct dpx_dp, if it goes on
                                 * in the background. */
    struct dpx_move move;
    struct dp_netdev_rxq *rxq;
    struct dp_netdev_pmd_thread *source, *dest;
};

static struct rxq_poll *
dpx_list_find(struct dp_netdev_pmd_thread *pmd,
              const struct dp_netdev_rxq *rxq)
    OVS_REQUIRES(pmd->port_mutex)
{
    struct rxq_poll *poll;

    HMAP_FOR_EACH (poll, node, &pmd->poll_list) {
        if (poll->rxq == rxq) {
            return poll;
        }
    }
    return NULL;
}

static bool
dpx_list_has(struct dp_netdev_pmd_thread *pmd,
             const struct dp_netdev_rxq *rxq)
{
    bool has;

    ovs_mutex_lock(&pmd->port_mutex);
    has = dpx_list_find(pmd, rxq);
    ovs_mutex_unlock(&pmd->port_mutex);
    return has;
}

/* A thread without queues has no tx ports either, or old ones. */
static void
dpx_list_add_ports(struct dp_netdev *dp, struct dp_netdev_pmd_thread *pmd)
    OVS_REQUIRES(pmd->port_mutex)
    OVS_REQ_RDLOCK(dp->port_rwlock)
{
    struct dp_netdev_port *port;
    struct tx_bond *bond;

    HMAP_FOR_EACH (port, node, &dp->ports) {
        dp_netdev_add_port_tx_to_pmd(pmd, port);
    }
    CMAP_FOR_EACH (bond, node, &dp->tx_bonds) {
        dp_netdev_add_bond_tx_to_pmd(pmd, bond, false);
    }
}

/* Changes the list of 'pmd' as 'end' wants it and asks the thread to read it.
 * A thread that polls reads it after its round; one without queues sleeps and
 * has nothing to lose, so upstream's reload wakes it. */
static void
dpx_moving_ask(struct dp_netdev *dp, const struct dp_netdev_rxq *rxq_,
               struct dpx_move_end *end, struct dp_netdev_pmd_thread *pmd)
    OVS_REQ_RDLOCK(dp->port_rwlock)
{
    struct dp_netdev_rxq *rxq = CONST_CAST(struct dp_netdev_rxq *, rxq_);
    bool need_reload = pmd->need_reload, asleep;
    struct rxq_poll *poll;
    uint16_t asked;

    ovs_mutex_lock(&pmd->port_mutex);
    asleep = hmap_is_empty(&pmd->poll_list);
    poll = dpx_list_find(pmd, rxq);
    if (end->wants) {
        dp_netdev_add_rxq_to_pmd(pmd, rxq);
    } else if (poll) {
        dp_netdev_del_rxq_from_pmd(pmd, poll);
    }
    if (asleep) {
        dpx_list_add_ports(dp, pmd);
    }
    atomic_read_relaxed(&pmd->dpx.list_asked, &asked);
    end->ticket = ++asked;
    atomic_store_explicit(&pmd->dpx.list_asked, asked, memory_order_release);
    ovs_mutex_unlock(&pmd->port_mutex);
    pmd->need_reload = need_reload;
    if (asleep) {
        dp_netdev_reload_pmd__(pmd);
    }
}

/* Has the thread read the list that it was asked to?  A reload that wakes it
 * has to be over too: upstream would not notice that it is not. */
static bool
dpx_moving_answered(struct dp_netdev_pmd_thread *pmd,
                    const struct dpx_move_end *end)
{
    uint16_t seen;
    bool reload;

    atomic_read_explicit(&pmd->dpx.list_seen, &seen, memory_order_acquire);
    atomic_read_explicit(&pmd->reload, &reload, memory_order_acquire);
    return !reload && (int16_t) (seen - (uint16_t) end->ticket) >= 0;
}

static void
dpx_moving_end(struct dp_netdev *dp, struct dpx_moving *m,
               struct dpx_move_end *end, struct dp_netdev_pmd_thread *pmd)
    OVS_REQ_RDLOCK(dp->port_rwlock)
{
    if (dpx_move_asks(end)) {
        dpx_moving_ask(dp, m->rxq, end, pmd);
    }
    if (!end->answered) {
        end->answered = dpx_moving_answered(pmd, end);
    } else if (end->asked && !pmd->need_reload
               && !dpx_list_has(pmd, m->rxq)) {
        /* Upstream has reloaded it without the queue meanwhile. */
        dpx_move_thread_gone(&m->move, end->thread);
    }
}

/* Goes on as far as the threads let it; returns true if the move has ended. */
static bool
dpx_moving_step(struct dp_netdev *dp, struct dpx_moving *m)
    OVS_REQ_RDLOCK(dp->port_rwlock)
{
    dpx_move_step(&m->move, dpx_handoff_clock());
    dpx_moving_end(dp, m, &m->move.source, m->source);
    dpx_moving_end(dp, m, &m->move.dest, m->dest);
    return dpx_move_ended(&m->move);
}

/* A thread that has no queue left is to sleep, as upstream would have it: at
 * the next reload of all that need one.  Only when no other queue comes. */
static void
dpx_moving_let_sleep(struct dp_netdev_pmd_thread *pmd)
{
    ovs_mutex_lock(&pmd->port_mutex);
    pmd->need_reload |= hmap_is_empty(&pmd->poll_list);
    ovs_mutex_unlock(&pmd->port_mutex);
}

/* Upstream is to believe in the thread that has the queue, or will be the next
 * to have it. */
static void
dpx_moving_note(struct dpx_moving *m)
{
    struct dpx_handoff_view view = dpx_handoff_look(&m->rxq->dpx.handoff);
    bool to_dest = dpx_move_ended(&m->move) ? m->move.moved
                   : view.owner == m->dest->core_id;

    m->rxq->pmd = m->move.orphan ? NULL : to_dest ? m->dest : m->source;
}

/* Is a move of one of the two threads under way still? */
static enum dpx_move_reason
dpx_moving_busy(const struct dpx_dp *dpx, const struct dpx_moving *m)
{
    const struct dpx_moving *other;

    LIST_FOR_EACH (other, node, &dpx->moving) {
        if (other->source == m->source || other->dest == m->source) {
            return DPX_MOVE_NOT_GIVEN;
        } else if (other->source == m->dest || other->dest == m->dest) {
            return DPX_MOVE_NOT_LISTED;
        }
    }
    return DPX_MOVE_NONE;
}

/* Drives 'm' to its end, or for as long as main may wait. */
static bool
dpx_moving_drive(struct dp_netdev *dp, struct dpx_moving *m)
    OVS_REQ_RDLOCK(dp->port_rwlock)
{
    uint64_t start = dpx_handoff_clock();

    dpx_move_begin(&m->move, &m->rxq->dpx.handoff, m->source->core_id,
                   m->dest->core_id, start + DPX_HANDOFF_LIMIT_NS);
    while (!dpx_moving_step(dp, m)) {
        if (dpx_handoff_clock() - start > DPX_HANDOFF_WAIT_NS) {
            return false;
        }
        xnanosleep_no_quiesce(DPX_HANDOFF_PAUSE_NS);
    }
    return true;
}

/* Hands 'rxq' from 'source', which polls it, to 'dest'; both run.  Writes into
 * the queue how it went, and into 'rxq->pmd' who has it. */
static void
dpx_handoff_move(struct dp_netdev *dp, struct dp_netdev_rxq *rxq,
                 struct dp_netdev_pmd_thread *source,
                 struct dp_netdev_pmd_thread *dest)
    OVS_REQ_RDLOCK(dp->port_rwlock)
{
    struct dpx_moving *m = xzalloc(sizeof *m);
    enum dpx_move_reason busy;
    bool ended = true;
    int copied = 0;

    *m = (struct dpx_moving) { .rxq = rxq, .source = source, .dest = dest };
    busy = dpx_moving_busy(dp->dpx, m);
    if (busy) {
        m->move.phase = DPX_MOVE_ENDED;
        m->move.reason = busy;
    } else {
        dpx_after_begin(rxq, dest);
        copied = dpx_copy_flows(dp, rxq, source, dest);
        ended = dpx_moving_drive(dp, m);
    }
    dpx_moving_note(m);
    rxq->dpx.moved = (struct dpx_moved) {
        .tried = true,
        .cancelled = rxq->pmd == dest ? DPX_MOVE_NONE : m->move.reason,
        .blocked_us = ended && m->move.moved ? m->move.blocked / 1e3 : -1,
        .copied = copied,
    };
    if (ended) {
        free(m);
    } else {
        ovs_list_push_back(&dp->dpx->moving, &m->node);
    }
}

/* A queue in the list of a thread that is not to have it, and who is. */
struct dpx_misplaced {
    struct dp_netdev_rxq *rxq;
    struct dp_netdev_pmd_thread *source, *dest;
};

static struct dpx_misplaced *
dpx_misplaced_find(struct dp_netdev *dp, size_t *n)
{
    struct dpx_misplaced *found = NULL;
    struct dp_netdev_pmd_thread *pmd;
    struct rxq_poll *poll;
    size_t allocated = 0;

    *n = 0;
    CMAP_FOR_EACH (pmd, node, &dp->poll_threads) {
        ovs_mutex_lock(&pmd->port_mutex);
        HMAP_FOR_EACH (poll, node, &pmd->poll_list) {
            if (poll->rxq->pmd && poll->rxq->pmd != pmd) {
                if (*n == allocated) {
                    found = x2nrealloc(found, &allocated, sizeof *found);
                }
                found[(*n)++] = (struct dpx_misplaced) {
                    .rxq = poll->rxq,
                    .source = pmd,
                    .dest = poll->rxq->pmd,
                };
            }
        }
        ovs_mutex_unlock(&pmd->port_mutex);
    }
    return found;
}

/* Hands over every queue that upstream has given to another thread than the
 * one that polls it. */
static void
dpx_handoff_run(struct dp_netdev *dp)
    OVS_REQ_RDLOCK(dp->port_rwlock)
{
    struct dpx_misplaced *found;
    size_t n;

    found = dpx_misplaced_find(dp, &n);
    for (size_t i = 0; i < n; i++) {
        dpx_handoff_move(dp, found[i].rxq, found[i].source, found[i].dest);
    }
    for (size_t i = 0; i < n; i++) {
        dpx_moving_let_sleep(found[i].source);
        dpx_moving_let_sleep(found[i].dest);
    }
    free(found);
}

/* A move that went on in the background has ended. */
static void
dpx_moving_done(struct dp_netdev *dp, struct dpx_moving *m)
    OVS_REQ_RDLOCK(dp->port_rwlock)
{
    struct dp_netdev_pmd_thread *was = m->rxq->pmd;

    dpx_moving_note(m);
    dpx_moving_let_sleep(m->source);
    dpx_moving_let_sleep(m->dest);
    reload_affected_pmds(dp);
    if (m->rxq->pmd != was) {
        dp_netdev_request_reconfigure(dp);
    }
    ovs_list_remove(&m->node);
    free(m);
}

/* What is still under way goes on. */
static void
dpx_handoff_background(struct dp_netdev *dp)
    OVS_REQ_RDLOCK(dp->port_rwlock)
{
    struct dpx_moving *m, *next;

    LIST_FOR_EACH_SAFE (m, next, node, &dp->dpx->moving) {
        if (dpx_moving_step(dp, m)) {
            dpx_moving_done(dp, m);
        }
    }
    if (dp->dpx->retry_ms && time_msec() >= dp->dpx->retry_ms) {
        dp->dpx->retry_ms = 0;
        dp_netdev_request_reconfigure(dp);
    }
}

static void
dpx_handoff_wait(const struct dpx_dp *dpx)
{
    if (!ovs_list_is_empty(&dpx->moving)) {
        poll_timer_wait(1);
    }
    if (dpx->retry_ms) {
        poll_timer_wait_until(dpx->retry_ms);
    }
}

/* Upstream is about to change threads and ports: the threads must be through
 * with what moves.  It waits for them in the same way itself. */
static void
dpx_reconfigure(struct dp_netdev *dp)
    OVS_REQ_RDLOCK(dp->port_rwlock)
{
    while (!ovs_list_is_empty(&dp->dpx->moving)) {
        dpx_handoff_background(dp);
        xnanosleep_no_quiesce(DPX_HANDOFF_PAUSE_NS);
    }
}
