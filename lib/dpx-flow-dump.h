/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads what a stock 'dpctl/dump-flows' printed, as far as it says which
 * thread has how many flows and how they hang together.
 *
 * Packets that recirculate (conntrack, tunnels, bonds) hit several flows, so
 * adding up flows counts them again: a path is all flows that recirculation
 * ids tie together, and its packets are those that came in.  Pure. */

#ifndef DPX_FLOW_DUMP_H
#define DPX_FLOW_DUMP_H 1

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compiler.h"

/* Flows of one thread. */
struct dpx_flow_dump_pmd {
    int core_id;                /* -1: main thread. */
    size_t n_flows, n_paths;
    size_t n_recirculated;      /* Flows behind a recirculation. */
    size_t n_offloaded;         /* Also partially. */
    size_t n_single;            /* Flows of at most one packet. */
    size_t n_cut;               /* Lines without counters. */
    uint64_t packets, bytes;    /* That came in: recirc_id(0). */
};

struct dpx_flow_dump {
    struct dpx_flow_dump_pmd *pmds;
    size_t n_pmds;
};

/* Returns null, or an error with line and word, to be freed; '*dump' is null
 * then. */
char *dpx_flow_dump_parse(const char *text, size_t length,
                          struct dpx_flow_dump **dump)
    OVS_WARN_UNUSED_RESULT;
void dpx_flow_dump_destroy(struct dpx_flow_dump *);

#endif /* dpx-flow-dump.h */
