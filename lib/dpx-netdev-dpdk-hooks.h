/* SPDX-License-Identifier: Apache-2.0
 *
 * What the hook lines in netdev-dpdk.c call.  Included at its top; the thread
 * that sends. */

#ifndef DPX_NETDEV_DPDK_HOOKS_H
#define DPX_NETDEV_DPDK_HOOKS_H 1

#include <rte_spinlock.h>

#include "dpx-tx-note.h"

/* Takes the lock of a tx queue and notes if it had to wait. */
static inline void
dpx_tx_lock(rte_spinlock_t *lock)
{
    if (OVS_UNLIKELY(!rte_spinlock_trylock(lock))) {
        dpx_tx_note_waited();
        rte_spinlock_lock(lock);
    }
}

#endif /* dpx-netdev-dpdk-hooks.h */
