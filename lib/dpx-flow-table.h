/* SPDX-License-Identifier: Apache-2.0
 *
 * What the main thread knows of all megaflows: counts, rates and costs as of
 * the last sweep, and the counts of those that are gone.
 *
 * A PMD thread has its own copy of a megaflow: a part.  Parts with the same
 * masked key and mask are one megaflow, whatever their ufid, which is that of
 * the first packet's whole key.  A part that is removed leaves its counts to
 * its megaflow as long as another thread has a part of it, and then to the
 * remainder: so nothing that was ever counted is lost, and a megaflow goes on
 * counting while its queue moves from thread to thread.
 *
 * Whoever reads the flows brings a reading of each, and the table makes of it
 * what it grew by.  Parts lie in an array, so that a query goes over memory in
 * order.  Pure; main thread only. */

#ifndef DPX_FLOW_TABLE_H
#define DPX_FLOW_TABLE_H 1

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dpx-dpif-types.h"
#include "openvswitch/hmap.h"
#include "openvswitch/list.h"
#include "openvswitch/types.h"

/* What happened to packets, since some moment. */
struct dpx_flow_counts {
    uint64_t packets, bytes;    /* As upstream counts them: without the first
                                 * packet, which was an upcall. */
    uint64_t bursts;
    uint64_t tier[DPX_N_TIERS]; /* Of 'packets'. */
    uint64_t upcalls, upcall_bytes, upcall_cycles;
};

/* What a flow says of itself now. */
struct dpx_flow_reading {
    uint64_t packets, bytes;    /* Counted by the thread. */
    uint64_t hw_packets, hw_bytes;  /* Counted by the hardware, besides. */
    uint32_t bursts, hits[DPX_N_COUNTED_TIERS];     /* They wrap. */
    uint64_t upcalls, upcall_bytes, upcall_cycles;
    struct dpx_cost_sums cost;
    dpx_rxq_id rxq;
    long long int used_ms;      /* 0: never. */
};

/* Rates are means over the time that the flow is there, in which what is t
 * seconds ago weighs exp(-t / s), for each of these s. */
#define DPX_FLOW_N_RATES 3
extern const int dpx_flow_rate_seconds[DPX_FLOW_N_RATES];   /* 1, 10, 60. */

struct dpx_flow_rates {
    float pps[DPX_FLOW_N_RATES], bps[DPX_FLOW_N_RATES]; /* Negative: not known
                                                         * yet. */
};

/* Which megaflow: the hash of the masked key, and that of the mask. */
struct dpx_mega_id {
    ovs_u128 key;
    uint32_t mask;
};

struct dpx_mega {
    struct hmap_node node;      /* In 'megas' of struct dpx_flow_table. */
    struct dpx_mega_id id;
    struct ovs_list parts;      /* Of struct dpx_flow_part. */
    struct dpx_flow_counts gone;    /* Of parts that were removed. */
};

/* A megaflow in one thread's table.  Its place does not change. */
struct dpx_flow_part {
    void *flow;                 /* The caller's; null: a free place. */
    union {
        struct dpx_mega *mega;
        struct dpx_flow_part *next_free;
    };
    struct ovs_list node;       /* In 'parts' of its megaflow. */
    uint64_t born_usec;
    int core_id;                /* As struct dpx_flow_row. */
    uint32_t port;              /* Input port, as the caller numbers them. */
    bool first_pass;            /* Its packets come from a port. */
    uint64_t last_usec;         /* When 'last' was read... */
    uint64_t rated_usec;        /* ...and the rates were made... */
    uint64_t rated_packets, rated_bytes;    /* ...from these counts. */
    struct dpx_flow_reading last;
    struct dpx_flow_counts counts;  /* Since it was made, or cleared. */
    struct dpx_flow_rates rates;
    struct dpx_cost_sums cost_base[2];  /* Costs a while ago, and before. */
    uint64_t cost_usec;         /* When 'cost_base[0]' was taken. */
};

#define DPX_FLOW_CHUNK 1024     /* Parts. */

struct dpx_flow_table {
    struct hmap megas;
    struct dpx_flow_part **chunks;  /* Each of DPX_FLOW_CHUNK parts. */
    size_t n_chunks;
    struct dpx_flow_part *free; /* Places without a part. */
    size_t n_parts;
    struct dpx_flow_counts total;   /* Of flows here and gone. */
    struct dpx_flow_counts gone;    /* Of megaflows without a part... */
    uint64_t n_gone;            /* ...and parts removed, of all megaflows. */
    uint64_t counting_usec;     /* Tiers are counted since; 0: they are not. */
};

void dpx_flow_table_init(struct dpx_flow_table *);

/* Frees everything; what the parts' flows are is the caller's business. */
void dpx_flow_table_uninit(struct dpx_flow_table *);

/* Tiers are counted from 'now_usec' on, or (0) not any more: what flows
 * count in between has no tier. */
void dpx_flow_table_counting(struct dpx_flow_table *, uint64_t now_usec);

/* A flow that was not known: counts from zero at 'born_usec'. */
struct dpx_flow_part *dpx_flow_table_add(struct dpx_flow_table *, void *flow,
                                         const struct dpx_mega_id *,
                                         int core_id, uint32_t port,
                                         bool first_pass, uint64_t born_usec);

/* What a part's flow says now.  With 'rate', rates are made from it if half a
 * second has passed since they were made last. */
void dpx_flow_part_update(struct dpx_flow_table *, struct dpx_flow_part *,
                          const struct dpx_flow_reading *, uint64_t now_usec,
                          bool rate);

/* The flow is gone and will count no more; its last words are in. */
void dpx_flow_table_remove(struct dpx_flow_table *, struct dpx_flow_part *);

/* All counts start from zero, as of the last readings; the remainder too. */
void dpx_flow_table_clear(struct dpx_flow_table *);

/* Bytes that it takes. */
size_t dpx_flow_table_memory(const struct dpx_flow_table *);

/* The next part behind place '*at', which starts at 0; null: no more. */
struct dpx_flow_part *dpx_flow_table_next(const struct dpx_flow_table *,
                                          size_t *at);

/* Costs over the last one to two minutes, or since the part was made. */
void dpx_flow_part_cost(const struct dpx_flow_part *, struct dpx_cost_sums *);

void dpx_flow_counts_add(struct dpx_flow_counts *,
                         const struct dpx_flow_counts *);

#endif /* dpx-flow-table.h */
