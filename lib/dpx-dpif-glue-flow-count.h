/* SPDX-License-Identifier: Apache-2.0
 *
 * Part of dpx-dpif-glue.h: what the packet path counts of megaflows.
 *
 * Runs on the thread that owns the flow.  Per burst of a flow it stores the rx
 * queue and adds one; a packet costs one addition only if it came by another
 * way than the EMC, whose hits are what is left.  Every Nth burst from a queue
 * is timed. */

static inline bool
dpx_counts_flows(const struct dp_netdev_pmd_thread *pmd)
{
    bool counting;

    atomic_read_relaxed(&CONST_CAST(struct dp_netdev_pmd_thread *, pmd)
                        ->dpx_flows.counting, &counting);
    return OVS_LIKELY(counting);
}

/* Before a poll. */
static inline void
dpx_burst_poll(struct dp_netdev_pmd_thread *pmd)
{
    struct dpx_cost_clock *clock = &pmd->dpx_flows.clock;

    if (dpx_cost_wants(clock)) {
        dpx_cost_poll(clock, cycles_counter_update(&pmd->perf_stats));
    }
}

/* After it; 'batch' is null if it gave nothing. */
static inline void
dpx_burst_received(struct dp_netdev_pmd_thread *pmd,
                   const struct dp_packet_batch *batch)
{
    struct dpx_cost_clock *clock = &pmd->dpx_flows.clock;

    if (dpx_cost_on(clock)) {
        size_t n = batch ? dp_packet_batch_size(batch) : 0;

        dpx_cost_received(clock, n,
                          cycles_counter_update(&pmd->perf_stats));
        for (size_t i = 0; i < n; i++) {
            dpx_cost_size(clock, dp_packet_size(batch->packets[i]));
        }
    } else if (batch) {
        dpx_cost_pass_by(clock);
    }
    if (batch) {
        dpx_hitters_received(pmd, batch);
    }
}

/* All of it has been worked off. */
static inline void
dpx_rxq_done(struct dp_netdev_pmd_thread *pmd)
{
    dpx_hitters_done(pmd);
    if (dpx_cost_on(&pmd->dpx_flows.clock)) {
        dpx_cost_done(&pmd->dpx_flows.clock,
                      cycles_counter_update(&pmd->perf_stats));
    }
}

/* A packet has found 'flow' by 'tier'. */
static inline void
dpx_flow_hit(struct dp_netdev_flow *flow,
             const struct dp_netdev_pmd_thread *pmd, enum dpx_flow_tier tier)
{
    if (dpx_counts_flows(pmd)) {
        dpx_count32(&flow->dpx.hits[tier], 1);
    }
}

static inline void
dpx_flow_note_rxq(struct dp_netdev_flow *flow,
                  const struct dp_netdev_pmd_thread *pmd)
{
    struct dp_netdev_rxq *rxq = pmd->ctx.last_rxq;

    if (OVS_LIKELY(rxq)) {
        dpx_rxq_id id;

        atomic_read_relaxed(&rxq->dpx.id, &id);
        atomic_store_relaxed(&flow->dpx.rxq, id);
    }
}

/* 'flow' takes 'batch' from the queue that 'pmd' is working on, and its
 * actions begin. */
static inline void
dpx_flow_burst(struct dp_netdev_flow *flow, struct dp_netdev_pmd_thread *pmd,
               const struct dp_packet_batch *batch)
{
    struct dpx_cost_clock *clock = &pmd->dpx_flows.clock;

    if (dpx_counts_flows(pmd)) {
        dpx_count32(&flow->dpx.bursts, 1);
        dpx_flow_note_rxq(flow, pmd);
    }
    if (dpx_cost_on(clock)) {
        dpx_cost_begin(clock, *recirc_depth_get(), &flow->dpx_more.cost,
                       dp_packet_batch_size(batch),
                       cycles_counter_update(&pmd->perf_stats));
    }
}

/* They end. */
static inline void
dpx_flow_burst_end(struct dp_netdev_pmd_thread *pmd)
{
    if (dpx_cost_on(&pmd->dpx_flows.clock)) {
        dpx_cost_end(&pmd->dpx_flows.clock, *recirc_depth_get(),
                     cycles_counter_update(&pmd->perf_stats));
    }
}

#if DPX_OVS_RELEASE < 400
/* The same where nobody tells how the packets found the flow. */
static inline void
dpx_flow_burst_untold(struct dp_netdev_flow *flow,
                      const struct dp_netdev_pmd_thread *pmd,
                      const struct dp_packet_batch *batch)
{
    if (dpx_counts_flows(pmd)) {
        dpx_count32(&flow->dpx.bursts, 1);
        dpx_flow_note_rxq(flow, pmd);
        dpx_count32(&flow->dpx.hits[DPX_TIER_OTHER],
                    dp_packet_batch_size(batch));
    }
}
#endif

/* 'batch' is about to be looked up, 'again' if it came back. */
static inline void
dpx_input(struct dp_netdev_pmd_thread *pmd,
          const struct dp_packet_batch *batch, bool again)
{
    if (dpx_cost_on(&pmd->dpx_flows.clock) && again) {
        dpx_cost_again(&pmd->dpx_flows.clock, *recirc_depth_get(),
                       dp_packet_batch_size(batch),
                       cycles_counter_update(&pmd->perf_stats));
    }
}

/* No tier knows 'packet'.  Returns its size, because the upcall may take the
 * packet. */
static inline uint32_t
dpx_upcall(struct dp_netdev_pmd_thread *pmd, const struct dp_packet *packet)
{
    if (dpx_cost_on(&pmd->dpx_flows.clock)) {
        dpx_cost_upcall(&pmd->dpx_flows.clock);
    }
    return dp_packet_size(packet);
}

/* Its upcall, which began at 'start', made or found 'flow'. */
static inline void
dpx_flow_upcall(struct dp_netdev_flow *flow, struct dp_netdev_pmd_thread *pmd,
                uint32_t bytes, uint64_t start)
{
    uint64_t cycles = cycles_counter_update(&pmd->perf_stats) - start;

    if (dpx_counts_flows(pmd)) {
        dpx_flow_note_rxq(flow, pmd);
        dpx_count32(&flow->dpx_more.upcalls, 1);
        dpx_count(&flow->dpx_more.upcall_bytes, bytes);
        dpx_count(&flow->dpx_more.upcall_cycles, cycles);
    }
    if (dpx_cost_on(&pmd->dpx_flows.clock)) {
        dpx_cost_upcall_end(&pmd->dpx_flows.clock, cycles);
    }
}

static inline void
dpx_flow_init(struct dp_netdev_flow *flow,
              const struct dp_netdev_pmd_thread *pmd)
{
    memset(&flow->dpx, 0, sizeof flow->dpx);
    memset(&flow->dpx_more, 0, sizeof flow->dpx_more);
    flow->dpx_more.born_usec = time_usec();
    flow->dpx_more.ledger = pmd->dp->dpx->ledger->serial;
}
