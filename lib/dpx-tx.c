/* SPDX-License-Identifier: Apache-2.0
 *
 * Making, resizing and reading what threads count per tx queue.  Main thread
 * only. */

#include <config.h>

#include "dpx-tx.h"

#include "util.h"

/* On cache lines of its own: another thread writes what lies beside it. */
struct dpx_tx *
dpx_tx_create(int n)
{
    struct dpx_tx *tx;

    n = MAX(n, 1);
    tx = xzalloc_cacheline(sizeof *tx + n * sizeof tx->q[0]);
    tx->n = n;
    atomic_init(&tx->placed, DPX_TXQ_NONE);
    atomic_init(&tx->now, DPX_TXQ_NONE);
    return tx;
}

void
dpx_tx_destroy(struct dpx_tx *tx)
{
    free_cacheline(tx);
}

void
dpx_tx_add(const struct dpx_tx *tx, int queue, struct dpx_txq_totals *totals)
{
#define DPX_TX_COUNTER(NAME)                                    \
    totals->NAME += dpx_counter_read(&tx->q[queue].NAME);
    DPX_TX_COUNTERS
#undef DPX_TX_COUNTER
}

uint64_t
dpx_tx_packets(const struct dpx_tx *tx)
{
    uint64_t packets = 0;

    for (int i = 0; i < tx->n; i++) {
        packets += dpx_counter_read(&tx->q[i].packets);
    }
    return packets;
}

struct dpx_tx *
dpx_tx_resize(struct dpx_tx *tx, int n, struct dpx_txq_totals *gone)
{
    struct dpx_tx *resized = dpx_tx_create(n);
    int now;

    resized->locked = tx->locked;
    resized->sent_us = tx->sent_us;
    atomic_read_relaxed(&tx->now, &now);
    atomic_store_relaxed(&resized->now, now);
    for (int i = 0; i < tx->n; i++) {
        if (i >= resized->n) {
            dpx_tx_add(tx, i, gone);
            continue;
        }
#define DPX_TX_COUNTER(NAME) \
        atomic_init(&resized->q[i].NAME, dpx_counter_read(&tx->q[i].NAME));
        DPX_TX_COUNTERS
#undef DPX_TX_COUNTER
    }
    dpx_tx_destroy(tx);
    return resized;
}
