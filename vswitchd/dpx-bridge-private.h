/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files that publish in OVSDB share.  Main thread only. */

#ifndef VSWITCHD_DPX_BRIDGE_PRIVATE_H
#define VSWITCHD_DPX_BRIDGE_PRIVATE_H 1

struct ovsdb_idl;
struct ovsrec_open_vswitch;

/* Declares what dpx-bridge-threads.c writes, for dpx_bridge_init(). */
void dpx_bridge_threads_init(struct ovsdb_idl *idl);

/* The same for dpx-bridge-flows.c; and publishes, for dpx_bridge_stats(). */
void dpx_bridge_flows_init(struct ovsdb_idl *idl);
void dpx_bridge_flows(const struct ovsrec_open_vswitch *);

/* A load, a fraction of a core, in permille; -1 if it is unknown. */
int dpx_bridge_permille(double load);

#endif /* vswitchd/dpx-bridge-private.h */
