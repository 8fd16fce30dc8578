/* SPDX-License-Identifier: Apache-2.0
 *
 * Publishes what ovs-dpx knows in OVSDB, beside the interface statistics and
 * in their transaction.  Main thread of ovs-vswitchd only. */

#ifndef VSWITCHD_DPX_BRIDGE_H
#define VSWITCHD_DPX_BRIDGE_H 1

struct ovsdb_idl;
struct ovsrec_interface;
struct ovsrec_open_vswitch;

/* Declares the columns of ovs-dpx as written by us, before the first run of
 * 'idl'. */
void dpx_bridge_init(struct ovsdb_idl *idl);

/* Sets the columns of 'iface' in the open transaction.  Writes only what
 * differs from the database, and nothing that the database lacks. */
void dpx_bridge_iface_stats(const struct ovsrec_interface *iface);

/* Does the same for the rest: the PMD threads and the state of the placement.
 * 'cfg' is the only row of its table. */
void dpx_bridge_stats(const struct ovsrec_open_vswitch *cfg);

#endif /* vswitchd/dpx-bridge.h */
