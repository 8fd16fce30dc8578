/* SPDX-License-Identifier: Apache-2.0
 *
 * A rival: the sketch of DPDK's rte_member library (NitroSketch; Liu et al.,
 * SIGCOMM 2019), where this build has DPDK.  It samples by itself; its memory
 * follows from the error rate. */

#include <config.h>
#include "bench-hh-methods.h"

#include <stdio.h>
#include <stdlib.h>

#include "util.h"

#ifdef DPDK_NETDEV

#ifndef ALLOW_EXPERIMENTAL_API
#define ALLOW_EXPERIMENTAL_API
#endif
#include <rte_eal.h>
#include <rte_member.h>

#define ERROR_RATE 0.05f
#define SAMPLE_RATE 0.01f
#define TOP_K 200

static bool
start_dpdk(void)
{
    static char words[][20] = {
        "bench", "--no-huge", "-m", "64", "--no-pci", "--no-shconf",
        "--no-telemetry", "--log-level=1", "-l", "0"
    };
    static char *argv[ARRAY_SIZE(words)];
    static int started = -1;

    if (started < 0) {
        for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
            argv[i] = words[i];
        }
        started = rte_eal_init(ARRAY_SIZE(words), argv) >= 0;
    }
    return started;
}

static void *
member_create(size_t size OVS_UNUSED, uint32_t sampling OVS_UNUSED,
              uint64_t seed, uint32_t n_flows OVS_UNUSED)
{
    static int serial;
    char name[32];
    struct rte_member_parameters params = {
        .name = name,
        .type = RTE_MEMBER_TYPE_SKETCH,
        .key_len = sizeof(struct dpx_hh_key),
        .prim_hash_seed = seed,
        .sec_hash_seed = seed >> 32,
        .error_rate = ERROR_RATE,
        .sample_rate = SAMPLE_RATE,
        .top_k = TOP_K,
        .socket_id = 0,
    };

    snprintf(name, sizeof name, "bench%d", serial++);
    return start_dpdk() ? rte_member_create(&params) : NULL;
}

static void
member_destroy(void *m)
{
    rte_member_free(m);
}

static void
member_count(void *m, struct burst *b)
{
    for (size_t i = 0; i < DPX_HH_BURST; i++) {
        rte_member_add(m, &b->in.key[i], 1);
    }
}

static size_t
member_top(void *m, struct report *reports, size_t k)
{
    void *keys[TOP_K];
    uint64_t counts[TOP_K];
    struct report all[TOP_K];
    int n = rte_member_report_heavyhitter(m, keys, counts);

    for (int i = 0; i < n; i++) {
        memcpy(&all[i].key, keys[i], sizeof all[i].key);
        all[i].packets = counts[i];
    }
    return report_first(all, MAX(n, 0), reports, k);
}

/* The counters; the heap of keys and its index come on top. */
static size_t
member_memory(void *m_)
{
    const struct rte_member_setsum *m = m_;

    return (size_t) m->num_row * m->num_col * sizeof(uint64_t);
}

#else /* !DPDK_NETDEV */

static void *
member_create(size_t size OVS_UNUSED, uint32_t sampling OVS_UNUSED,
              uint64_t seed OVS_UNUSED, uint32_t n_flows OVS_UNUSED)
{
    return NULL;
}

#define member_destroy NULL
#define member_count NULL
#define member_top NULL
#define member_memory NULL

#endif

const struct method method_member = {
    "rte_member .01", 1, member_create, member_destroy, member_count,
    member_top, member_memory
};
