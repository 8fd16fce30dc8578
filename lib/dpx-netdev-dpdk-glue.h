/* SPDX-License-Identifier: Apache-2.0
 *
 * Glue to DPDK devices: included at the end of netdev-dpdk.c, the only place
 * where their structure is known.  It may lock, copy and call; it decides
 * nothing.  Main thread only. */

#ifndef DPX_NETDEV_DPDK_GLUE_H
#define DPX_NETDEV_DPDK_GLUE_H 1

#include "dpx-netdev-dpdk.h"

void
dpx_netdev_dpdk_guest_txqs(const struct netdev *netdev, int *guests, int n)
{
    struct netdev_dpdk *dev = is_dpdk_class(netdev->netdev_class)
                              ? netdev_dpdk_cast(netdev) : NULL;
    int n_guest = 0;

    if (dev && dev->type == DPDK_DEV_VHOST) {
        ovs_mutex_lock(&dev->mutex);
        n_guest = MIN(n, dev->tx_q ? netdev->n_txq : 0);
        for (int i = 0; i < n_guest; i++) {
            guests[i] = dev->tx_q[i].map < 0 ? DPX_TXQ_GUEST_OFF
                        : dev->tx_q[i].map;
        }
        ovs_mutex_unlock(&dev->mutex);
    }
    for (int i = n_guest; i < n; i++) {
        guests[i] = DPX_TXQ_NO_GUEST;
    }
}

#endif /* dpx-netdev-dpdk-glue.h */
