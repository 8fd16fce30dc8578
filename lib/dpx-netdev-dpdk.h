/* SPDX-License-Identifier: Apache-2.0
 *
 * What ovs-dpx asks of DPDK devices.  Main thread only. */

#ifndef DPX_NETDEV_DPDK_H
#define DPX_NETDEV_DPDK_H 1

#include "dpx-txq-view.h"

struct netdev;

#ifdef DPDK_NETDEV
/* Stores in 'guests' for each of the first 'n' tx queues of 'netdev' which
 * queue of the guest its packets go to; DPX_TXQ_GUEST_OFF: none;
 * DPX_TXQ_NO_GUEST: 'netdev' is not a port of a guest, or has fewer queues. */
void dpx_netdev_dpdk_guest_txqs(const struct netdev *netdev, int *guests,
                                int n);
#else
static inline void
dpx_netdev_dpdk_guest_txqs(const struct netdev *netdev OVS_UNUSED,
                           int *guests, int n)
{
    for (int i = 0; i < n; i++) {
        guests[i] = DPX_TXQ_NO_GUEST;
    }
}
#endif

#endif /* dpx-netdev-dpdk.h */
