/* SPDX-License-Identifier: Apache-2.0
 *
 * Which flow the packet with a given sequence number belongs to.
 *
 * The choice is a pure function of the number, so a missed packet costs no
 * draw, two queues can share one table, and a run can be repeated.  The
 * flow of rank i has a share proportional to 1 / (i + 1)**skew; 0 makes all
 * flows equally likely and needs no table.  Otherwise Walker's alias method
 * gives one table look-up per packet, whatever the number of flows.
 *
 * Made by the main thread, then only read, by every polling thread. */

#ifndef DPX_PACED_FLOWS_H
#define DPX_PACED_FLOWS_H 1

#include <stdint.h>

/* A draw lands in a column; the lower part of the column stands for its own
 * flow, the rest for another one. */
struct dpx_paced_column {
    uint32_t cut;               /* Below it: own flow; in 2**-32. */
    uint32_t alias;             /* The other flow. */
};

struct dpx_paced_flows {
    uint32_t n;
    struct dpx_paced_column *columns;   /* 'n' of them; NULL: uniform. */
};

#define DPX_PACED_FLOWS_MAX (1 << 20)   /* What the packet can carry. */

/* Makes the table for 'n' flows, 1 to DPX_PACED_FLOWS_MAX. */
struct dpx_paced_flows *dpx_paced_flows_create(uint32_t n, double skew);
void dpx_paced_flows_destroy(struct dpx_paced_flows *);

/* Returns the flow of packet 'seq'.  'seed' tells queues apart. */
static inline uint32_t
dpx_paced_flows_pick(const struct dpx_paced_flows *flows, uint64_t seed,
                     uint64_t seq)
{
    /* The finalizer of splitmix64: neighbouring numbers draw independently. */
    uint64_t draw = seed + seq * UINT64_C(0x9e3779b97f4a7c15);
    uint32_t column;

    draw = (draw ^ (draw >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    draw = (draw ^ (draw >> 27)) * UINT64_C(0x94d049bb133111eb);
    draw ^= draw >> 31;

    column = ((draw >> 32) * flows->n) >> 32;
    if (!flows->columns || (uint32_t) draw < flows->columns[column].cut) {
        return column;
    }
    return flows->columns[column].alias;
}

#endif /* dpx-paced-flows.h */
