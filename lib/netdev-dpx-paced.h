/* SPDX-License-Identifier: Apache-2.0
 *
 * The test netdev "dpx-paced": a NIC that needs no wire and no generator.
 *
 * It is a model, for tests and measurements on machines with few cores:
 * receive queues fill at a set rate whether they are polled or not, and what
 * is sent is checked for loss, duplicates and order.  Registered together
 * with Open vSwitch's dummy netdevs, so only under --enable-dummy; it needs
 * nothing else of ours and also builds into a stock tree.
 *
 * Options are listed in dpx-paced-config.h.  Bad ones keep a new port from
 * being added (Interface:error says why); a port that is there keeps its old
 * setting, and Interface:status:refused says why. */

#ifndef NETDEV_DPX_PACED_H
#define NETDEV_DPX_PACED_H 1

/* Registers the netdev class and its commands.  Main thread, once. */
void dpx_paced_register(void);

#endif /* netdev-dpx-paced.h */
