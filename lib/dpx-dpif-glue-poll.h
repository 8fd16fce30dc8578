/* SPDX-License-Identifier: Apache-2.0
 *
 * Part of dpx-dpif-glue.h: what a PMD thread does for the hand-off of rx
 * queues.
 *
 * Outside of a move: one relaxed read per queue and round, of a word beside
 * the counters that a poll writes, and one per round, of a word beside
 * upstream's 'reload'.  All else is off that path.  Runs on the PMD thread. */

/* Time that all threads share, in nanoseconds.  Not that of the main loop,
 * which a test may stop. */
static uint64_t
dpx_handoff_clock(void)
{
    struct timespec ts;

    xclock_gettime(CLOCK_MONOTONIC, &ts);
    return ts.tv_sec * UINT64_C(1000000000) + ts.tv_nsec;
}

/* 'pmd' holds in its hands the list that main asked it to read. */
static inline void
dpx_listed(struct dp_netdev_pmd_thread *pmd)
    OVS_REQUIRES(pmd->port_mutex)
{
    uint16_t asked;

    atomic_read_relaxed(&pmd->dpx.list_asked, &asked);
    atomic_store_explicit(&pmd->dpx.list_seen, asked, memory_order_release);
}

/* As upstream's reading at a reload, without the tx ports, which no move
 * changes: so nothing that is buffered for them is lost. */
static int
dpx_read_list(struct dp_netdev_pmd_thread *pmd, struct polled_queue **listp)
{
    struct polled_queue *list;
    struct rxq_poll *poll;
    int n = 0;

    ovs_mutex_lock(&pmd->port_mutex);
    list = xrealloc(*listp, (hmap_count(&pmd->poll_list) + 1) * sizeof *list);
    HMAP_FOR_EACH (poll, node, &pmd->poll_list) {
        const struct dp_netdev_port *port = poll->rxq->port;

        list[n++] = (struct polled_queue) {
            .rxq = poll->rxq,
            .port_no = port->port_no,
            .emc_enabled = port->emc_enabled,
            .rxq_enabled = netdev_rxq_enabled(poll->rxq->rx),
            .change_seq = netdev_get_change_seq(port->netdev),
        };
    }
    *listp = list;
    dpx_listed(pmd);
    ovs_mutex_unlock(&pmd->port_mutex);
    return n;
}

/* Between two rounds: reads the list again if main has changed it, and returns
 * how many queues it has; 'n' as it is if not. */
static inline int
dpx_relist(struct dp_netdev_pmd_thread *pmd, struct polled_queue **listp,
           int n)
{
    uint16_t asked, seen;

    atomic_read_relaxed(&pmd->dpx.list_asked, &asked);
    atomic_read_relaxed(&pmd->dpx.list_seen, &seen);
    return OVS_LIKELY(asked == seen) ? n : dpx_read_list(pmd, listp);
}

/* The last poll by this thread, and what it has buffered is sent: the next
 * thread must not overtake it. */
static void
dpx_rxq_give(struct dp_netdev_pmd_thread *pmd, const struct polled_queue *poll)
{
    uint64_t now = dpx_handoff_clock();

    if (poll->rxq_enabled) {
        if (poll->emc_enabled) {
            atomic_read_relaxed(&pmd->dp->emc_insert_min,
                                &pmd->ctx.emc_insert_min);
        } else {
            pmd->ctx.emc_insert_min = 0;
        }
        dp_netdev_process_rxq_port(pmd, poll->rxq, poll->port_no);
    }
    dp_netdev_pmd_flush_output_packets(pmd, true);
    dpx_handoff_give(&poll->rxq->dpx.handoff, pmd->core_id, now);
}

/* The queue moves: does what it is this thread's turn to do, and returns true
 * if it is to poll the queue now.  While it waits for a queue it does not
 * sleep, or the queue would wait for it. */
static bool
dpx_rxq_turn_moving(struct dp_netdev_pmd_thread *pmd,
                    const struct polled_queue *poll, uint64_t *sleep_time)
{
    struct dpx_handoff *handoff = &poll->rxq->dpx.handoff;

    switch (dpx_handoff_turn(handoff, pmd->core_id)) {
    case DPX_TURN_POLL:
        return true;
    case DPX_TURN_TAKE:
        dpx_handoff_take(handoff, pmd->core_id, dpx_handoff_clock());
        return true;
    case DPX_TURN_GIVE:
        dpx_rxq_give(pmd, poll);
        return false;
    case DPX_TURN_SOON:
        *sleep_time = 0;
        return false;
    case DPX_TURN_SKIP:
    default:
        return false;
    }
}

/* Before each poll: is it this thread's turn to poll the queue? */
static inline bool
dpx_rxq_turn(struct dp_netdev_pmd_thread *pmd, const struct polled_queue *poll,
             uint64_t *sleep_time)
{
    return dpx_handoff_settled(&poll->rxq->dpx.handoff)
           || dpx_rxq_turn_moving(pmd, poll, sleep_time);
}

/* May this thread, which lists 'rxq', clear and harvest its history? */
static inline bool
dpx_rxq_accounts(const struct dp_netdev_pmd_thread *pmd,
                 struct dp_netdev_rxq *rxq)
{
    return dpx_handoff_accounts(&rxq->dpx.handoff, pmd->core_id);
}
