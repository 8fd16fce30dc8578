/* SPDX-License-Identifier: Apache-2.0
 *
 * Part of dpx-dpif-glue.h: the sweep, which brings what the packet path
 * counted of megaflows into the table of the main thread.
 *
 * It walks the flow tables in small steps when the main thread has nothing
 * else to do, under RCU and without a lock; no PMD thread ever waits for it.
 * It takes at most a tenth of the main thread's time.  Main thread only. */

/* Flows per step: less than a millisecond, then the main thread may do what
 * else it has to do. */
#define DPX_SWEEP_STEP 2000

/* After a sweep the main thread has so many times its duration for itself. */
#define DPX_SWEEP_REST 9

static int
dpx_flow_core(const struct dp_netdev_flow *flow)
{
    return flow->pmd_id == NON_PMD_CORE_ID ? DPX_CORE_MAIN
           : (int) flow->pmd_id;
}

/* Finds out over time whether several queues use 'flow'. */
static void
dpx_flow_note_shared(struct dp_netdev_flow *flow)
{
    struct dpx_flow_more *more = &flow->dpx_more;
    dpx_rxq_id id;

    atomic_read_relaxed(&flow->dpx.rxq, &id);
    more->shared |= more->seen && id && more->seen != id;
    more->seen = id ? id : more->seen;
}

static void
dpx_flow_read(struct dp_netdev_flow *flow, struct dpx_flow_reading *now)
{
    struct dpx_flow_more *more = &flow->dpx_more;
    unsigned long long value;
    uint32_t upcalls;

    atomic_read_relaxed(&flow->stats.packet_count, &value);
    now->packets = value;
    atomic_read_relaxed(&flow->stats.byte_count, &value);
    now->bytes = value;
    atomic_read_relaxed(&flow->stats.used, &now->used_ms);
    dpx_flow_read_hardware(flow, &now->hw_packets, &now->hw_bytes);
    atomic_read_relaxed(&flow->dpx.bursts, &now->bursts);
    atomic_read_relaxed(&flow->dpx.rxq, &now->rxq);
    for (int i = 0; i < DPX_N_COUNTED_TIERS; i++) {
        atomic_read_relaxed(&flow->dpx.hits[i], &now->hits[i]);
    }
    atomic_read_relaxed(&more->upcalls, &upcalls);
    now->upcalls = upcalls;
    atomic_read_relaxed(&more->upcall_bytes, &now->upcall_bytes);
    atomic_read_relaxed(&more->upcall_cycles, &now->upcall_cycles);
    dpx_cost_read(&more->cost, &now->cost);
    dpx_flow_note_shared(flow);
}

/* Whether packets of 'flow' come from a port, and not from an earlier pass. */
static bool
dpx_flow_is_first_pass(const struct dp_netdev *dp,
                       const struct dp_netdev_flow *flow)
    OVS_REQ_RDLOCK(dp->port_rwlock)
{
    const struct dp_netdev_port *port;

    port = dp_netdev_lookup_port(dp, flow->flow.in_port.odp_port);
    return !flow->flow.recirc_id
           && !(port && netdev_has_tunnel_push_pop(port->netdev));
}

static struct dpx_flow_part *
dpx_flow_add_part(struct dp_netdev *dp, struct dp_netdev_flow *flow)
    OVS_REQ_RDLOCK(dp->port_rwlock)
{
    struct dpx_mega_id id = {
        .key = flow->mega_ufid,
        .mask = flow->cr.mask->hash,
    };

    return dpx_flow_table_add(&dp->dpx->flows, flow, &id, dpx_flow_core(flow),
                              odp_to_u32(flow->flow.in_port.odp_port),
                              dpx_flow_is_first_pass(dp, flow),
                              flow->dpx_more.born_usec);
}

static void
dpx_flow_see(struct dp_netdev *dp, struct dp_netdev_flow *flow, uint64_t now,
             bool rate)
    OVS_REQ_RDLOCK(dp->port_rwlock)
{
    struct dpx_flow_reading reading;

    if (!flow->dpx_more.part) {
        flow->dpx_more.part = dpx_flow_add_part(dp, flow);
    }
    dpx_flow_read(flow, &reading);
    dpx_flow_part_update(&dp->dpx->flows, flow->dpx_more.part, &reading, now,
                         rate);
}

/* Takes in the last words of flows that are gone. */
static void
dpx_flows_bury(struct dp_netdev *dp)
    OVS_REQ_RDLOCK(dp->port_rwlock)
{
    struct dpx_dp *dpx = dp->dpx;
    struct dp_netdev_flow *flow, *next;
    uint64_t now = time_usec();

    for (flow = dpx_ledger_take(dpx->ledger, true); flow; flow = next) {
        next = flow->dpx_more.next;
        if (flow->dpx_more.part
            || flow->dpx_more.born_usec >= dpx->flows.counting_usec) {
            dpx_flow_see(dp, flow, now, false);
            dpx_flow_table_remove(&dpx->flows, flow->dpx_more.part);
        }
        dp_netdev_flow_unref(flow);
    }
}

/* Tells the threads whether to count and how often to time: a thread that is
 * new does neither. */
static void
dpx_flows_tell(struct dp_netdev *dp)
{
    const struct dpx_config *config = &dp->dpx->config;
    struct dp_netdev_pmd_thread *pmd;

    CMAP_FOR_EACH (pmd, node, &dp->poll_threads) {
        atomic_store_relaxed(&pmd->dpx_flows.counting, dp->dpx->counting);
        atomic_store_relaxed(&pmd->dpx_flows.clock.every,
                             dp->dpx->counting ? config->flow_cost_sampling
                             : 0);
    }
    dpx_hitters_tell(dp);
}

/* Forgets all flows.  Those that are removed from here on are not waited for,
 * and none can be freed before main is quiescent. */
static void
dpx_flows_stop(struct dpx_dp *dpx)
{
    struct dp_netdev_flow *flow, *next;
    struct dpx_flow_part *part;
    size_t at = 0;

    flow = dpx_ledger_take(dpx->ledger, false);
    while ((part = dpx_flow_table_next(&dpx->flows, &at))) {
        ((struct dp_netdev_flow *) part->flow)->dpx_more.part = NULL;
    }
    dpx_flow_table_uninit(&dpx->flows);
    dpx_flow_table_init(&dpx->flows);
    for (; flow; flow = next) {
        next = flow->dpx_more.next;
        dp_netdev_flow_unref(flow);
    }
    dpx->sweep = (struct dpx_sweep) { .active = false };
    dpx->counting = false;
}

/* After a change of options. */
static void
dpx_flows_configure(struct dp_netdev *dp)
{
    struct dpx_dp *dpx = dp->dpx;
    bool wanted = dpx->config.enable && dpx->config.flow_stats;

    if (wanted && !dpx->counting) {
        dpx->counting = true;
        dpx_ledger_take(dpx->ledger, true);
        dpx_flow_table_counting(&dpx->flows, time_usec());
    } else if (!wanted && dpx->counting) {
        dpx_flows_stop(dpx);
    }
    dpx_flows_tell(dp);
}

static void
dpx_sweep_start(struct dpx_sweep *sweep)
{
    if (!sweep->active && time_msec() >= sweep->rest_until_ms) {
        *sweep = (struct dpx_sweep) {
            .active = true,
            .started_ms = time_msec(),
            .done_ms = sweep->done_ms,
            .took_ms = sweep->took_ms,
        };
    }
}

/* The thread with the smallest core id that is at least 'core_id'; the main
 * thread's is the largest of all. */
static struct dp_netdev_pmd_thread *
dpx_pmd_from(struct dp_netdev *dp, unsigned core_id)
{
    struct dp_netdev_pmd_thread *best = NULL, *pmd;

    CMAP_FOR_EACH (pmd, node, &dp->poll_threads) {
        if (pmd->core_id >= core_id
            && (!best || pmd->core_id < best->core_id)) {
            best = pmd;
        }
    }
    return best;
}

static void
dpx_sweep_done(struct dpx_sweep *sweep)
{
    sweep->active = false;
    sweep->done_ms = time_msec();
    sweep->took_ms = sweep->done_ms - sweep->started_ms;
    sweep->rest_until_ms = (sweep->done_ms
                            + sweep->busy_us * DPX_SWEEP_REST / 1000);
}

/* Goes on with the sweep for at most 'budget' flows. */
static void
dpx_sweep_step(struct dp_netdev *dp, struct dpx_sweep *sweep, int budget,
               bool rate)
    OVS_REQ_RDLOCK(dp->port_rwlock)
{
    uint64_t now = time_usec();

    while (sweep->active && budget > 0) {
        struct dp_netdev_pmd_thread *pmd = dpx_pmd_from(dp, sweep->core_id);
        struct cmap_node *node = NULL;

        if (pmd && pmd->core_id != sweep->core_id) {
            sweep->core_id = pmd->core_id;
            memset(&sweep->pos, 0, sizeof sweep->pos);
        }
        while (pmd && budget-- > 0
               && (node = cmap_next_position(&pmd->flow_table,
                                             &sweep->pos))) {
            dpx_flow_see(dp, CONTAINER_OF(node, struct dp_netdev_flow, node),
                         now, rate);
        }
        if (node) {
            continue;           /* Out of budget. */
        }
        if (!pmd || pmd->core_id == NON_PMD_CORE_ID) {
            dpx_sweep_done(sweep);
        } else {
            sweep->core_id = pmd->core_id + 1;
            memset(&sweep->pos, 0, sizeof sweep->pos);
        }
    }
}

/* One step of the sweep. */
static void
dpx_sweep_run(struct dp_netdev *dp)
    OVS_REQ_RDLOCK(dp->port_rwlock)
{
    struct dpx_sweep *sweep = &dp->dpx->sweep;

    if (dp->dpx->counting) {
        dpx_flows_bury(dp);
    }
    if (sweep->active) {
        struct pmd_perf_stats clock;
        uint64_t start = cycles_counter_update(&clock);

        dpx_sweep_step(dp, sweep, DPX_SWEEP_STEP, true);
        sweep->busy_us += ((cycles_counter_update(&clock) - start) * 1e6
                           / MAX(dpx_hz(dp->dpx), 1e9));
    }
}

/* Takes in what is new at once where that is no more than a step, and leaves
 * the rates alone. */
static void
dpx_sweep_now(struct dp_netdev *dp)
    OVS_REQ_RDLOCK(dp->port_rwlock)
{
    struct dpx_sweep sweep = { .active = true };
    struct dp_netdev_pmd_thread *pmd;
    size_t n = 0;

    dpx_flows_bury(dp);
    CMAP_FOR_EACH (pmd, node, &dp->poll_threads) {
        n += cmap_count(&pmd->flow_table);
    }
    if (n < DPX_SWEEP_STEP) {
        dpx_sweep_step(dp, &sweep, 2 * DPX_SWEEP_STEP, false);
    }
}
