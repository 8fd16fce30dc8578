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

BUILD_ASSERT_DECL(sizeof(struct dpx_flow_rate) == DPX_FLOW_RATE_SIZE);
BUILD_ASSERT_DECL(offsetof(struct dp_netdev_flow, stats)
                  - offsetof(struct dp_netdev_flow, dpx)
                  == sizeof(struct dpx_flow));

static dpx_rxq_id
dpx_rxq_id_make(odp_port_t port_no, int queue_id)
{
    uint32_t port = odp_to_u32(port_no);

    return port <= UINT16_MAX && queue_id < UINT16_MAX
           ? port << 16 | (queue_id + 1) : 0;
}

static odp_port_t
dpx_rxq_id_port(dpx_rxq_id id)
{
    return u32_to_odp(id >> 16);
}

static int
dpx_rxq_id_queue(dpx_rxq_id id)
{
    return (int) (id & UINT16_MAX) - 1;
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

/* How much of the time that 'pmd' wanted the processor since the last sample
 * it had it: 0 to 1.  A thread that is preempted, by another thread or by the
 * hypervisor, goes on counting time stamp cycles, in busy stretches as in idle
 * ones, so that what it counts as busy is too much by this factor.  Time
 * asleep is not wanted time. */
static double
dpx_pmd_on_cpu(struct dpx_pmd_load *pl,
               const struct dp_netdev_pmd_thread *pmd,
               const struct dpx_load_sample *now)
{
    double wall = (now->usec - pl->clock.usec) * 1e3, share;
    uint64_t cpu_ns, sleep;
    struct timespec ts;
    clockid_t clock;

    if (pthread_getcpuclockid(pmd->thread, &clock)
        || clock_gettime(clock, &ts)) {
        return 1.0;
    }
    cpu_ns = ts.tv_sec * UINT64_C(1000000000) + ts.tv_nsec;
    atomic_read_relaxed(&CONST_CAST(struct dp_netdev_pmd_thread *, pmd)
                        ->perf_stats.counters.n[PMD_CYCLES_SLEEP], &sleep);
    if (!pl->clock.usec || cpu_ns < pl->cpu_ns || sleep < pl->sleep) {
        /* The first sample of this thread. */
        share = 1.0;
    } else {
        wall *= 1.0 - MIN(1.0, (double) (sleep - pl->sleep)
                               / (now->tsc - pl->clock.tsc));
        share = wall > 0 ? MIN(1.0, (cpu_ns - pl->cpu_ns) / wall) : 1.0;
    }
    pl->cpu_ns = cpu_ns;
    pl->sleep = sleep;
    pl->clock = *now;
    return share;
}

/* Adds to '*own' what 'raw' grew by since '*last', less the time off the
 * processor. */
static void
dpx_own_cycles(uint64_t raw, uint64_t *last, uint64_t *own, double on_cpu)
{
    *own += raw >= *last ? (raw - *last) * on_cpu : raw * on_cpu;
    *last = raw;
}

static void
dpx_view_forget_load(struct dpx_view_rxq *v)
{
    v->load = v->busy = v->pps = v->drops = DPX_LOAD_UNKNOWN;
}

/* Fills the figures of 'v' from the samples of 'rxq'. */
static void
dpx_rxq_view_load(struct dpx_view_rxq *v, const struct dp_netdev_rxq *rxq,
                  unsigned int window_s)
{
    dpx_view_forget_load(v);
    dpx_load_get(&rxq->dpx.load, window_s, &v->busy, &v->pps);
    v->load = v->busy;
}

static void
dpx_sample_pmd(struct dpx_dp *dpx, struct dp_netdev_pmd_thread *pmd)
{
    struct dpx_pmd_load *pl = dpx_pmd_load_find(dpx, pmd->core_id);
    struct dpx_load_sample sample;
    uint64_t busy;

    if (!pl) {
        pl = xzalloc(sizeof *pl);
        pl->core_id = pmd->core_id;
        hmap_insert(&dpx->pmd_loads, &pl->node, hash_int(pmd->core_id, 0));
    }
    /* The raw counters: pmd-stats-clear moves their zero, not them. */
    atomic_read_relaxed(&pmd->perf_stats.counters.n[PMD_CYCLES_ITER_BUSY],
                        &busy);
    atomic_read_relaxed(&pmd->perf_stats.counters.n[PMD_STAT_RECV],
                        &sample.packets);
    dpx_sample_clock(&sample);
    pl->on_cpu = dpx_pmd_on_cpu(pl, pmd, &sample);
    dpx_own_cycles(busy, &pl->raw, &pl->own, pl->on_cpu);
    sample.cycles = pl->own;
    dpx_load_add(&pl->load, &sample);
}

static void
dpx_sample_rxq(const struct dpx_dp *dpx, struct dp_netdev_rxq *rxq)
{
    const struct dpx_pmd_load *pl;
    struct dpx_load_sample sample;
    uint64_t raw;

    if (!dpx_rxq_total_cycles(rxq, &raw)) {
        return;
    }
    pl = rxq->pmd ? dpx_pmd_load_find(dpx, rxq->pmd->core_id) : NULL;
    dpx_own_cycles(raw, &rxq->dpx.raw, &rxq->dpx.own, pl ? pl->on_cpu : 1.0);
    sample.cycles = rxq->dpx.own;
    atomic_read_relaxed(&rxq->dpx.packets, &sample.packets);
    dpx_sample_clock(&sample);
    dpx_load_add(&rxq->dpx.load, &sample);
}

/* Takes one sample of everything: the threads first, because the queues need
 * to know how much of the processor their thread had.  Main thread. */
static void
dpx_sample(struct dp_netdev *dp)
    OVS_REQ_RDLOCK(dp->port_rwlock)
{
    struct dp_netdev_pmd_thread *pmd;
    struct dp_netdev_port *port;

    CMAP_FOR_EACH (pmd, node, &dp->poll_threads) {
        if (pmd->core_id != NON_PMD_CORE_ID) {
            dpx_sample_pmd(dp->dpx, pmd);
        }
    }
    HMAP_FOR_EACH (port, node, &dp->ports) {
        for (int i = 0; i < port->n_rxq; i++) {
            dpx_sample_rxq(dp->dpx, &port->rxqs[i]);
        }
    }
}
