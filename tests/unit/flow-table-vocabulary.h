/* SPDX-License-Identifier: Apache-2.0
 *
 * The vocabulary of the tests of the table of megaflows: flows that are born,
 * count, are seen and die. */

#include "dpx-flow-table.h"

#include <check.h>
#include <string.h>

#define SECOND UINT64_C(1000000)

/* A flow in some thread, and what it has counted. */
struct flow {
    struct dpx_flow_part *part;
    struct dpx_flow_reading says;
    bool dead;
};

static struct dpx_flow_table table;
static uint64_t now;

static inline void
setup(void)
{
    dpx_flow_table_init(&table);
    now = 100 * SECOND;
    dpx_flow_table_counting(&table, now++);
}

static inline void
teardown(void)
{
    dpx_flow_table_uninit(&table);
}

/* Megaflow 'id' comes up on 'core'. */
static inline void
born(struct flow *flow, int core, uint64_t id)
{
    struct dpx_mega_id mega = { .key.u64.lo = id };

    memset(flow, 0, sizeof *flow);
    flow->part = dpx_flow_table_add(&table, flow, &mega, core, id % 4,
                                    id != 99, now);
}

static inline void
seen(struct flow *flow)
{
    dpx_flow_part_update(&table, flow->part, &flow->says, now, true);
}

/* It counts packets of 100 bytes, which come by 'tier'. */
static inline void
counts(struct flow *flow, uint64_t packets, enum dpx_flow_tier tier)
{
    flow->says.packets += packets;
    flow->says.bytes += packets * 100;
    if (tier < DPX_N_COUNTED_TIERS) {
        flow->says.hits[tier] += packets;
    }
}

static inline void
dies(struct flow *flow)
{
    seen(flow);
    dpx_flow_table_remove(&table, flow->part);
    flow->part = NULL;
}
