/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads the machine through hwloc.  Apart from the rest, so that only programs
 * that want it link hwloc.  Main thread or offline programs only: it allocates
 * and, for the live machine, reads a few hundred files. */

#ifndef DPX_TOPOLOGY_HWLOC_H
#define DPX_TOPOLOGY_HWLOC_H 1

#include "dpx-topology.h"

/* Each returns null, or an error that quotes the word, to be freed;
 * '*topology' is null then. */

/* The machine that this program runs on, also CPUs it may not use itself; or
 * the one that hwloc's environment describes (HWLOC_SYNTHETIC, HWLOC_XMLFILE,
 * HWLOC_FSROOT).  Leaves the binding of the calling thread alone. */
char *dpx_topology_from_live(struct dpx_topology **topology)
    OVS_WARN_UNUSED_RESULT;

/* What 'lstopo FILE.xml' writes: the text itself. */
char *dpx_topology_from_xml(const char *xml, size_t length,
                            struct dpx_topology **topology)
    OVS_WARN_UNUSED_RESULT;

/* "numa:2 l3:1 core:22 pu:2": see hwloc's synthetic topologies. */
char *dpx_topology_from_synthetic(const char *description,
                                  struct dpx_topology **topology)
    OVS_WARN_UNUSED_RESULT;

#endif /* dpx-topology-hwloc.h */
