/* SPDX-License-Identifier: Apache-2.0
 *
 * The best N of the megaflows in a table, by a key.  Goes over the table once
 * and touches no flow.  Pure; main thread only. */

#ifndef DPX_FLOW_QUERY_H
#define DPX_FLOW_QUERY_H 1

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dpx-flow-table.h"

struct sset;

/* Port numbers that a query can tell apart. */
#define DPX_FLOW_PORTS 65536

/* What megaflows are ordered by; the word is the one that users write. */
#define DPX_FLOW_KEYS \
    DPX_FLOW_KEY(PPS, "pps") \
    DPX_FLOW_KEY(BPS, "bps") \
    DPX_FLOW_KEY(PACKETS, "packets") \
    DPX_FLOW_KEY(BYTES, "bytes") \
    DPX_FLOW_KEY(CYCLES, "cycles")      /* Per second. */ \
    DPX_FLOW_KEY(COST, "cost")          /* Cycles per packet. */

enum dpx_flow_key {
#define DPX_FLOW_KEY(ENUM, NAME) DPX_FLOW_##ENUM,
    DPX_FLOW_KEYS
#undef DPX_FLOW_KEY
    DPX_N_FLOW_KEYS
};

/* "pps"; static. */
const char *dpx_flow_key_name(enum dpx_flow_key);

/* Which megaflows, how many, by what. */
struct dpx_flow_query {
    size_t n;                   /* Most rows wanted. */
    enum dpx_flow_key key;
    bool any_core;              /* False: only those of 'core_id'. */
    int core_id;
    const char *port;           /* Input port, or null: any. */
    const struct sset *ports;   /* One of these, or null: any. */
    bool root;                  /* First passes only, each with what the later
                                 * passes of its packets cost. */
    bool merge;                 /* One row for the parts of a megaflow in all
                                 * threads. */
};

/* A megaflow, or a part of it. */
struct dpx_flow_pick {
    const struct dpx_flow_part *part;   /* The only one, or the first. */
    size_t n_parts;
    int core_id;                /* DPX_CORE_NONE: several. */
    struct dpx_flow_counts counts;
    struct dpx_flow_rates rates;
    struct dpx_cost cost;       /* Cycles per packet. */
    double cycles;              /* Per second; negative: not known. */
    double share;               /* Of its thread's lookups per second;
                                 * negative: not known. */
    double value;               /* Of the key. */
};

/* All parts of a thread, picked or not. */
struct dpx_flow_core_sum {
    int core_id;
    double pps;                 /* Lookups per second. */
    double cycles;              /* Per second, as far as costs are known. */
};

struct dpx_flow_picks {
    struct dpx_flow_pick *picks;    /* Best first. */
    size_t n;
    size_t n_flows;             /* That the query matched. */
    struct dpx_flow_core_sum *cores;    /* Those with a part that has packets,
                                         * in no order. */
    size_t n_cores;
};

/* Fills '*picks' from 'table'; 'ports' stands for the query's ports, a bit for
 * each of the first DPX_FLOW_PORTS, or null for any.  A part that 'alive'
 * (null: all are) says no to is not picked. */
void dpx_flow_query_run(const struct dpx_flow_table *table,
                        const struct dpx_flow_query *,
                        const unsigned long *ports,
                        bool (*alive)(const void *flow),
                        struct dpx_flow_picks *picks);
void dpx_flow_picks_uninit(struct dpx_flow_picks *picks);

#endif /* dpx-flow-query.h */
