/* SPDX-License-Identifier: Apache-2.0
 *
 * Part of dpx-dpif-glue.h: what a hand-off cost in its first second.
 *
 * Two counters are read before a queue moves and again a second later: the
 * upcalls of the thread that got it, of all its queues, and the packets that
 * the device lost, of the queue where the device counts so, else of its port.
 * Main thread only, port_rwlock held. */

#define DPX_AFTER_MS 1000

/* Reads what the device has lost of 'rxq' so far into '*lost'; false if it
 * does not count. */
static bool
dpx_after_lost(const struct dp_netdev_rxq *rxq, uint64_t *lost)
{
    const struct dp_netdev_port *port = rxq->port;
    int queue_id = netdev_rxq_get_queue_id(rxq->rx);
    uint64_t *counts = xcalloc(port->n_rxq, sizeof *counts);
    bool *counted = xcalloc(port->n_rxq, sizeof *counted);
    struct netdev_stats stats;
    bool known;

    dpx_read_queue_drops(port, counts, counted);
    known = counted[queue_id];
    *lost = counts[queue_id];
    if (!known && !netdev_get_stats(port->netdev, &stats)) {
        *lost = stats.rx_missed_errors;
        known = *lost != UINT64_MAX;
    }
    free(counted);
    free(counts);
    return known;
}

static uint64_t
dpx_after_upcalls(struct dp_netdev_pmd_thread *pmd)
{
    uint64_t upcalls;

    atomic_read_relaxed(&pmd->perf_stats.counters.n[PMD_STAT_MISS], &upcalls);
    return upcalls;
}

/* 'rxq' is about to move to 'dest'. */
static void
dpx_after_begin(struct dp_netdev_rxq *rxq, struct dp_netdev_pmd_thread *dest)
{
    struct dpx_after *after = &rxq->dpx.after;

    *after = (struct dpx_after) { .due_ms = time_msec() + DPX_AFTER_MS };
    after->counts = dpx_after_lost(rxq, &after->lost);
    after->upcalls = dpx_after_upcalls(dest);
}

/* A second after: writes into the step in which 'rxq' moved what that cost. */
static void
dpx_after_end(struct dp_netdev *dp, struct dp_netdev_rxq *rxq)
{
    const struct dpx_after *after = &rxq->dpx.after;
    struct dpx_step_move *move;
    struct dp_netdev_pmd_thread *pmd;
    struct dpx_step *step;
    uint64_t lost;

    step = dpx_history_find(&dp->dpx->engine.history, after->step);
    move = step ? dpx_step_find_move(step, netdev_rxq_get_name(rxq->rx),
                                     netdev_rxq_get_queue_id(rxq->rx)) : NULL;
    pmd = move ? dp_netdev_get_pmd(dp, move->to) : NULL;
    if (!pmd) {
        return;
    }
    /* A thread that is another one meanwhile has begun to count again. */
    move->upcalls = dpx_after_upcalls(pmd) >= after->upcalls
                    ? dpx_after_upcalls(pmd) - after->upcalls : -1;
    if (after->counts && dpx_after_lost(rxq, &lost) && lost >= after->lost) {
        move->lost = lost - after->lost;
    }
    dp_netdev_pmd_unref(pmd);
}

/* The queues that have just moved did so in step 'serial'. */
static void
dpx_after_name(struct dp_netdev *dp, uint64_t serial)
    OVS_REQ_RDLOCK(dp->port_rwlock)
{
    struct dp_netdev_port *port;

    HMAP_FOR_EACH (port, node, &dp->ports) {
        for (int i = 0; i < port->n_rxq; i++) {
            struct dpx_after *after = &port->rxqs[i].dpx.after;

            if (after->due_ms && !after->step) {
                after->step = serial;
                dp->dpx->after_ms = dp->dpx->after_ms
                                    ? MIN(dp->dpx->after_ms, after->due_ms)
                                    : after->due_ms;
            }
        }
    }
}

static void
dpx_after_run(struct dp_netdev *dp)
    OVS_REQ_RDLOCK(dp->port_rwlock)
{
    long long int now = time_msec(), next = 0;
    struct dp_netdev_port *port;

    if (!dp->dpx->after_ms || now < dp->dpx->after_ms) {
        return;
    }
    HMAP_FOR_EACH (port, node, &dp->ports) {
        for (int i = 0; i < port->n_rxq; i++) {
            struct dpx_after *after = &port->rxqs[i].dpx.after;

            if (after->due_ms && now >= after->due_ms) {
                dpx_after_end(dp, &port->rxqs[i]);
                after->due_ms = 0;
            } else if (after->due_ms) {
                next = next ? MIN(next, after->due_ms) : after->due_ms;
            }
        }
    }
    dp->dpx->after_ms = next;
}

static void
dpx_after_wait(const struct dpx_dp *dpx)
{
    if (dpx->after_ms) {
        poll_timer_wait_until(dpx->after_ms);
    }
}
