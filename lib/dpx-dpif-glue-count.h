/* SPDX-License-Identifier: Apache-2.0
 *
 * Part of dpx-dpif-glue.h: what the packet path counts, and how the main
 * thread reads one counter.
 *
 * The counting functions run on the thread that polls the queue or owns the
 * flow, per burst and never per packet: plain loads and stores, no lock, no
 * atomic read-modify-write. */

/* Before a poll of 'rxq': has '*fillp' point at 'fill' if main wants to know
 * how full the ring is, which only the thread that polls it may find out. */
static inline void
dpx_rxq_poll(struct dp_netdev_pmd_thread *pmd, struct dp_netdev_rxq *rxq,
             int *fill, int **fillp)
{
    uint32_t asked, seen;

    dpx_burst_poll(pmd);
    atomic_read_relaxed(&rxq->dpx.fill_asked, &asked);
    atomic_read_relaxed(&rxq->dpx.fill_seen, &seen);
    if (OVS_UNLIKELY(asked != seen)) {
        *fillp = fill;
    }
}

/* Bytes of the 'n' packets in 'batch', whose lengths are still in the cache
 * because the driver has just written them.  Eight at a time: the loop would
 * cost more than the sum. */
static inline uint32_t
dpx_batch_bytes(const struct dp_packet_batch *batch, size_t n)
{
    struct dp_packet *const *p = batch->packets;
    struct dp_packet *const *eights = p + (n & ~(size_t) 7);
    struct dp_packet *const *end = p + n;
    uint32_t bytes = 0;

    for (; p < eights; p += 8) {
        bytes += dp_packet_size(p[0]) + dp_packet_size(p[1])
                 + dp_packet_size(p[2]) + dp_packet_size(p[3])
                 + dp_packet_size(p[4]) + dp_packet_size(p[5])
                 + dp_packet_size(p[6]) + dp_packet_size(p[7]);
    }
    for (; p < end; p++) {
        bytes += dp_packet_size(*p);
    }
    return bytes;
}

/* After it: 'batch' came, null if none did, and left '*fill' in the ring,
 * unless 'fill' is null: not asked for. */
static inline void
dpx_rxq_polled(struct dp_netdev_pmd_thread *pmd, struct dp_netdev_rxq *rxq,
               const struct dp_packet_batch *batch, const int *fill)
{
    size_t n = 0;

    if (batch) {
        n = dp_packet_batch_size(batch);
        dpx_count(&rxq->dpx.packets, n);
        dpx_count(&rxq->dpx.bytes, dpx_batch_bytes(batch, n));
        dpx_count(&rxq->dpx.bursts, 1);
        dpx_count(&rxq->dpx.full, n >= NETDEV_MAX_BURST);
    } else {
        dpx_count(&rxq->dpx.empty, 1);
    }
    if (OVS_UNLIKELY(fill)) {
        uint32_t asked;

        atomic_read_relaxed(&rxq->dpx.fill_asked, &asked);
        atomic_store_relaxed(&rxq->dpx.fill, *fill < 0 ? -1
                                             : *fill + (int) n);
        atomic_store_explicit(&rxq->dpx.fill_seen, asked,
                              memory_order_release);
    }
    dpx_burst_received(pmd, batch);
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

/* Does a thread poll 'rxq'?  Main thread. */
static bool
dpx_rxq_is_polled(const struct dp_netdev_rxq *rxq)
{
    return rxq->pmd || !netdev_is_pmd(rxq->port->netdev);
}
