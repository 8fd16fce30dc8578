/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads the machine from what lscpu, 'lscpu -e', 'lscpu -p' and
 * 'numactl --hardware' print, one or several of them in one text.
 *
 * Pure: text in, machine or an error out.  Where lscpu alone does not say
 * which CPUs are siblings, the usual numbering is assumed and noted. */

#ifndef DPX_TOPOLOGY_TEXT_H
#define DPX_TOPOLOGY_TEXT_H 1

#include "dpx-topology.h"

/* Returns null, or an error with line and word, to be freed; '*topology' is
 * null then. */
char *dpx_topology_from_text(const char *text, size_t length,
                             struct dpx_topology **topology)
    OVS_WARN_UNUSED_RESULT;

#endif /* dpx-topology-text.h */
