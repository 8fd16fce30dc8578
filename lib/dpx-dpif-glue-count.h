/* SPDX-License-Identifier: Apache-2.0
 *
 * Part of dpx-dpif-glue.h: what the packet path counts, and how the main
 * thread reads it.
 *
 * The counting functions run on the thread that polls the queue or owns the
 * flow, per burst and never per packet: plain loads and stores, no lock, no
 * atomic read-modify-write. */

static inline void
dpx_count(atomic_uint64_t *counter, uint64_t n)
{
    uint64_t value;

    atomic_read_relaxed(counter, &value);
    atomic_store_relaxed(counter, value + n);
}

/* A burst of 'n_packets' came from 'rxq'. */
static inline void
dpx_rxq_received(struct dp_netdev_rxq *rxq, int n_packets)
{
    dpx_count(&rxq->dpx.packets, n_packets);
}

/* Upstream is about to start counter 'type' of 'rxq' again at 'cycles', once
 * per 5 s and at every reload.  What it held goes into a base that is never
 * cleared, so that base plus counter is the work since the queue was made and
 * the packet path itself pays nothing for it.  A sequence number lets the
 * reader see both or neither. */
static inline void
dpx_rxq_set_cycles(struct dp_netdev_rxq *rxq, int type,
                   unsigned long long cycles)
{
    if (type == RXQ_CYCLES_PROC_CURR) {
        uint32_t folds;

        atomic_read_relaxed(&rxq->dpx.folds, &folds);
        atomic_store_relaxed(&rxq->dpx.folds, folds + 1);
        atomic_thread_fence(memory_order_release);
        dpx_count(&rxq->dpx.base, dp_netdev_rxq_get_cycles(rxq, type));
        atomic_store_relaxed(&rxq->cycles[type], cycles);
        atomic_store_explicit(&rxq->dpx.folds, folds + 2,
                              memory_order_release);
    }
}

/* 'flow' takes a burst from the queue that 'pmd' is working on.  With
 * dpx-enable=false the queue has no name, and 0 is written: not known. */
static inline void
dpx_flow_burst(struct dp_netdev_flow *flow,
               const struct dp_netdev_pmd_thread *pmd)
{
    struct dp_netdev_rxq *rxq = pmd->ctx.last_rxq;

    if (OVS_LIKELY(rxq)) {
        dpx_rxq_id id;

        atomic_read_relaxed(&rxq->dpx.id, &id);
        atomic_store_relaxed(&flow->dpx.rxq, id);
    }
}

static inline void
dpx_flow_init(struct dp_netdev_flow *flow)
{
    atomic_init(&flow->dpx.rxq, 0);
    flow->dpx_rate = (struct dpx_flow_rate) {
        .usec = time_usec(),
        .pps = -1,
        .bps = -1,
    };
}

static dpx_rxq_id
dpx_rxq_id_make(odp_port_t port_no, int queue_id)
{
    return ((uint64_t) odp_to_u32(port_no) << 32) | (queue_id + 1);
}

/* Reads all the cycles that 'rxq' ever cost.  Main thread.  Fails when the
 * polling thread kept moving them, which a later sample makes good. */
static bool
dpx_rxq_total_cycles(struct dp_netdev_rxq *rxq, uint64_t *cycles)
{
    for (int i = 0; i < 16; i++) {
        uint32_t before, after;
        uint64_t base;

        atomic_read_explicit(&rxq->dpx.folds, &before, memory_order_acquire);
        atomic_read_relaxed(&rxq->dpx.base, &base);
        *cycles = base + dp_netdev_rxq_get_cycles(rxq, RXQ_CYCLES_PROC_CURR);
        atomic_thread_fence(memory_order_acquire);
        atomic_read_relaxed(&rxq->dpx.folds, &after);
        if (before == after && !(before & 1)) {
            return true;
        }
    }
    return false;
}

/* The clock of a sample: both readings from one moment. */
static void
dpx_sample_clock(struct dpx_load_sample *sample)
{
    struct pmd_perf_stats clock;

    sample->tsc = cycles_counter_update(&clock);
    sample->usec = time_usec();
}

static struct dpx_pmd_load *
dpx_pmd_load_find(const struct dpx_dp *dpx, unsigned core_id)
{
    struct dpx_pmd_load *pl;

    HMAP_FOR_EACH_WITH_HASH (pl, node, hash_int(core_id, 0),
                             &dpx->pmd_loads) {
        if (pl->core_id == core_id) {
            return pl;
        }
    }
    return NULL;
}

static void
dpx_sample_pmd(struct dpx_dp *dpx, struct dp_netdev_pmd_thread *pmd)
{
    struct dpx_pmd_load *pl = dpx_pmd_load_find(dpx, pmd->core_id);
    struct dpx_load_sample sample;

    if (!pl) {
        pl = xzalloc(sizeof *pl);
        pl->core_id = pmd->core_id;
        hmap_insert(&dpx->pmd_loads, &pl->node, hash_int(pmd->core_id, 0));
    }
    /* The raw counters: pmd-stats-clear moves their zero, not them. */
    atomic_read_relaxed(&pmd->perf_stats.counters.n[PMD_CYCLES_ITER_BUSY],
                        &sample.cycles);
    atomic_read_relaxed(&pmd->perf_stats.counters.n[PMD_STAT_RECV],
                        &sample.packets);
    dpx_sample_clock(&sample);
    dpx_load_add(&pl->load, &sample);
}

static void
dpx_sample_rxq(struct dp_netdev_rxq *rxq)
{
    struct dpx_load_sample sample;

    if (!dpx_rxq_total_cycles(rxq, &sample.cycles)) {
        return;
    }
    atomic_read_relaxed(&rxq->dpx.packets, &sample.packets);
    dpx_sample_clock(&sample);
    dpx_load_add(&rxq->dpx.load, &sample);
}

/* Takes one sample of everything.  Main thread. */
static void
dpx_sample(struct dp_netdev *dp)
    OVS_REQ_RDLOCK(dp->port_rwlock)
{
    struct dp_netdev_pmd_thread *pmd;
    struct dp_netdev_port *port;

    HMAP_FOR_EACH (port, node, &dp->ports) {
        for (int i = 0; i < port->n_rxq; i++) {
            dpx_sample_rxq(&port->rxqs[i]);
        }
    }
    CMAP_FOR_EACH (pmd, node, &dp->poll_threads) {
        if (pmd->core_id != NON_PMD_CORE_ID) {
            dpx_sample_pmd(dp->dpx, pmd);
        }
    }
}
