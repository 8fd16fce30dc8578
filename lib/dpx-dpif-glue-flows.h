/* SPDX-License-Identifier: Apache-2.0
 *
 * Part of dpx-dpif-glue.h: rates of megaflows, and the best N of them.
 *
 * A low-priority sweep of the main thread walks the flow tables in small steps
 * and turns upstream's packet counters into rates; a query reads what the
 * sweep left.  Both walk the concurrent tables under RCU, without a lock, and
 * no PMD thread ever waits for them. */

/* Flows per step: tens of microseconds, then the main thread may do what else
 * it has to do. */
#define DPX_SWEEP_STEP 2000

static void
dpx_flow_counters(struct dp_netdev_flow *flow, uint64_t *packets,
                  uint64_t *bytes)
{
    unsigned long long value;

    atomic_read_relaxed(&flow->stats.packet_count, &value);
    *packets = value;
    atomic_read_relaxed(&flow->stats.byte_count, &value);
    *bytes = value;
}

static void
dpx_flow_rate_update(struct dp_netdev_flow *flow, uint64_t now)
{
    struct dpx_flow_rate *rate = &flow->dpx_rate;
    uint64_t packets, bytes;

    if (now < rate->usec + DPX_SAMPLE_INTERVAL_MS * 1000 / 2) {
        return;
    }
    dpx_flow_counters(flow, &packets, &bytes);
    if (packets < rate->packets || bytes < rate->bytes) {
        /* The statistics were zeroed: the next interval tells. */
        rate->pps = rate->bps = -1;
    } else {
        double seconds = (now - rate->usec) / 1e6;

        rate->pps = (packets - rate->packets) / seconds;
        rate->bps = (bytes - rate->bytes) * 8 / seconds;
    }
    rate->packets = packets;
    rate->bytes = bytes;
    rate->usec = now;
}

static void
dpx_sweep_start(struct dpx_sweep *sweep)
{
    if (!sweep->active) {
        *sweep = (struct dpx_sweep) {
            .active = true,
            .started_ms = time_msec(),
            .done_ms = sweep->done_ms,
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

/* One step of the sweep. */
static void
dpx_sweep_run(struct dp_netdev *dp)
{
    struct dpx_sweep *sweep = &dp->dpx->sweep;
    uint64_t now = time_usec();
    int budget = DPX_SWEEP_STEP;

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
            struct dp_netdev_flow *flow;

            flow = CONTAINER_OF(node, struct dp_netdev_flow, node);
            dpx_flow_rate_update(flow, now);
        }
        if (node) {
            continue;           /* Out of budget. */
        }
        if (!pmd || pmd->core_id == NON_PMD_CORE_ID) {
            sweep->active = false;
            sweep->done_ms = time_msec();
        } else {
            sweep->core_id = pmd->core_id + 1;
            memset(&sweep->pos, 0, sizeof sweep->pos);
        }
    }
}

/* A flow that may be among the best. */
struct dpx_candidate {
    double value;
    struct dp_netdev_flow *flow;
};

/* The best so far, the worst of them on top. */
struct dpx_top {
    struct dpx_candidate *heap;
    size_t n, max;
};

/* Equal values are ordered by ufid and core, so that a query repeated gives
 * the same order. */
static bool
dpx_candidate_less(const struct dpx_candidate *a,
                   const struct dpx_candidate *b)
{
    int cmp;

    if (a->value != b->value) {
        return a->value < b->value;
    }
    cmp = memcmp(&a->flow->ufid, &b->flow->ufid, sizeof a->flow->ufid);
    return cmp ? cmp > 0 : a->flow->pmd_id > b->flow->pmd_id;
}

static void
dpx_top_sink(struct dpx_top *top, size_t i)
{
    struct dpx_candidate moved = top->heap[i];

    for (;;) {
        size_t child = 2 * i + 1;

        if (child + 1 < top->n
            && dpx_candidate_less(&top->heap[child + 1], &top->heap[child])) {
            child++;
        }
        if (child >= top->n
            || !dpx_candidate_less(&top->heap[child], &moved)) {
            break;
        }
        top->heap[i] = top->heap[child];
        i = child;
    }
    top->heap[i] = moved;
}

static void
dpx_top_offer(struct dpx_top *top, struct dpx_candidate candidate)
{
    if (top->n < top->max) {
        size_t i = top->n++;

        while (i && dpx_candidate_less(&candidate, &top->heap[(i - 1) / 2])) {
            top->heap[i] = top->heap[(i - 1) / 2];
            i = (i - 1) / 2;
        }
        top->heap[i] = candidate;
    } else if (dpx_candidate_less(&top->heap[0], &candidate)) {
        top->heap[0] = candidate;
        dpx_top_sink(top, 0);
    }
}

/* Takes the worst out; the heap must not be empty. */
static struct dpx_candidate
dpx_top_pop(struct dpx_top *top)
{
    struct dpx_candidate worst = top->heap[0];

    top->heap[0] = top->heap[--top->n];
    if (top->n) {
        dpx_top_sink(top, 0);
    }
    return worst;
}

static double
dpx_flow_value(struct dp_netdev_flow *flow, enum dpx_flow_key key)
{
    uint64_t packets, bytes;

    dpx_flow_counters(flow, &packets, &bytes);
    switch (key) {
    case DPX_FLOW_PPS: return flow->dpx_rate.pps;
    case DPX_FLOW_BPS: return flow->dpx_rate.bps;
    case DPX_FLOW_PACKETS: return packets;
    case DPX_FLOW_BYTES: return bytes;
    case DPX_N_FLOW_KEYS:
    default: OVS_NOT_REACHED();
    }
}

/* Packets/s of all flows of 'pmd' whose rate is known. */
static double
dpx_pmd_pps(const struct dp_netdev_pmd_thread *pmd)
{
    struct dp_netdev_flow *flow;
    double pps = 0;

    CMAP_FOR_EACH (flow, node, &pmd->flow_table) {
        pps += MAX(0, flow->dpx_rate.pps);
    }
    return pps;
}

/* Offers the flows of 'pmd' that came in by 'port_no' (ODPP_NONE: by any) and
 * returns how many there are. */
static size_t
dpx_top_offer_pmd(struct dpx_top *top, const struct dp_netdev_pmd_thread *pmd,
                  enum dpx_flow_key key, odp_port_t port_no)
{
    struct dp_netdev_flow *flow;
    size_t n = 0;

    CMAP_FOR_EACH (flow, node, &pmd->flow_table) {
        if (port_no == ODPP_NONE
            || port_no == flow->flow.in_port.odp_port) {
            n++;
            dpx_top_offer(top, (struct dpx_candidate) {
                .value = dpx_flow_value(flow, key),
                .flow = flow,
            });
        }
    }
    return n;
}
