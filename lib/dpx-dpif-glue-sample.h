/* SPDX-License-Identifier: Apache-2.0
 *
 * Part of dpx-dpif-glue.h: the samples that loads are made of, one a second
 * of each thread and rx queue.  Main thread only, port_rwlock held. */

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
    struct dpx_load_rates rates;

    dpx_load_get_rates(&rxq->dpx.load, window_s, &rates);
    v->load = rates.demand;
    v->busy = rates.busy;
    v->pps = rates.pps;
    v->drops = rates.drops;
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
    uint32_t asked;
    uint64_t raw;

    atomic_read_relaxed(&rxq->dpx.fill_asked, &asked);
    atomic_store_relaxed(&rxq->dpx.fill_asked, asked + 1);
    dpx_sample_clock(&sample);
    dpx_sample_rxq_drops(rxq, &sample);
    if (!dpx_rxq_is_polled(rxq)) {
        /* What it would cost is not known, and what it cost is not 0. */
        rxq->dpx.load.n = 0;
        return;
    }
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
 * to know how much of the processor their thread had, and what the devices
 * lost.  Main thread. */
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
    dpx_read_drops(dp);
    HMAP_FOR_EACH (port, node, &dp->ports) {
        for (int i = 0; i < port->n_rxq; i++) {
            dpx_sample_rxq(dp->dpx, &port->rxqs[i]);
        }
    }
}
