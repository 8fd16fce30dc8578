/* SPDX-License-Identifier: Apache-2.0
 *
 * Words in which the tests of the planner are written: given a machine and its
 * queues, plan, expect.  Included by tests/unit/check_placement*.c and by the
 * benchmark; each is one program with one picture at a time. */

#ifndef PLACEMENT_VOCABULARY_H
#define PLACEMENT_VOCABULARY_H 1

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dpx-placement.h"

#define MAX_PMDS 512
#define MAX_RXQS 4096
#define MAX_NODES 16

/* The picture and the options of the test that runs. */
static struct dpx_view_pmd pmds[MAX_PMDS];
static struct dpx_view_rxq rxqs[MAX_RXQS];
static char port_names[MAX_RXQS][16];
static struct dpx_view view;
static struct dpx_placement_options options;

/* An empty machine and the documented options, without a cap. */
static inline void
given_nothing(void)
{
    memset(&view, 0, sizeof view);
    view.pmds = pmds;
    view.rxqs = rxqs;
    dpx_placement_options_default(&options);
    options.max_moves = -1;
}

/* A PMD on 'core' of NUMA node 'node', with physical core 'smt_id'. */
static inline struct dpx_view_pmd *
given_pmd(unsigned core, int node, int smt_id)
{
    struct dpx_view_pmd *pmd = &pmds[view.n_pmds++];

    *pmd = (struct dpx_view_pmd) {
        .core_id = core, .numa_id = node, .package_id = DPX_ID_UNKNOWN,
        .l3_id = DPX_ID_UNKNOWN, .smt_id = smt_id, .busy = DPX_LOAD_UNKNOWN,
    };
    return pmd;
}

/* 'n' PMDs on node 'node', each on a core of its own, numbered on from the
 * last one. */
static inline void
given_pmds(int n, int node)
{
    while (n--) {
        given_pmd(view.n_pmds, node, DPX_ID_UNKNOWN);
    }
}

/* A queue of 'port' on node 'node' with 'load', polled by PMD 'current'. */
static inline struct dpx_view_rxq *
given_rxq(const char *port, int queue, int node, double load, int current)
{
    size_t i = view.n_rxqs++;

    snprintf(port_names[i], sizeof port_names[i], "%s", port);
    rxqs[i] = (struct dpx_view_rxq) {
        .port = port_names[i], .queue_id = queue, .numa_id = node,
        .pinned = DPX_NO_PMD, .asked_core = -1, .current = current,
        .enabled = true, .load = load, .pps = DPX_LOAD_UNKNOWN,
    };
    return &rxqs[i];
}

static inline struct dpx_plan *
plan(void)
{
    return dpx_placement_plan(&view, &options);
}

/* The next number of a fixed sequence: every run tests the same. */
static uint64_t random_state = 1;

static inline uint32_t
any_number(uint32_t below)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (random_state >> 11) % below;
}

static inline double
any_fraction(void)
{
    return any_number(1 << 30) / (double) (1 << 30);
}

/* Is 'pmd' known to be on another node than queue 'i'? */
static inline bool
is_far(size_t i, int pmd)
{
    return (rxqs[i].numa_id >= 0 && pmds[pmd].numa_id >= 0
            && rxqs[i].numa_id != pmds[pmd].numa_id);
}

/* Load of queue 'i' on 'pmd'; what is measured far holds the cost already. */
static inline double
load_on(size_t i, int pmd)
{
    double cost = 1 + options.cross_numa_cost;
    double near = rxqs[i].load;

    if (rxqs[i].current >= 0 && is_far(i, rxqs[i].current)) {
        near /= cost;
    }
    return is_far(i, pmd) ? near * cost : near;
}

/* The model again, written from its description and not from the planner: the
 * busiest physical core if at[i] polls queue i. */
static inline double
busiest_of(const int *at)
{
    static double own[MAX_PMDS];
    double busiest = 0;

    for (size_t p = 0; p < view.n_pmds; p++) {
        own[p] = 0;
    }
    for (size_t i = 0; i < view.n_rxqs; i++) {
        if (at[i] >= 0 && rxqs[i].load > 0) {
            own[at[i]] += load_on(i, at[i]);
        }
    }
    for (size_t p = 0; p < view.n_pmds; p++) {
        double sum = 0;

        for (size_t s = 0; s < view.n_pmds; s++) {
            if (s == p || (pmds[p].smt_id >= 0
                           && pmds[s].smt_id == pmds[p].smt_id)) {
                sum += own[s];
            }
        }
        if (own[p] > busiest) {
            busiest = own[p];
        }
        if (sum > own[p] && sum / options.smt_factor > busiest) {
            busiest = sum / options.smt_factor;
        }
    }
    return busiest;
}

/* May 'pmd' poll queue 'i' under the rule "never"?  Written from the rule:
 * non-isolated PMDs of the own node, else those of the nearest node. */
static inline int
distance_of(int a, int b)
{
    if (!view.numa_distance || a < 0 || b < 0 || (size_t) a >= view.n_numa
        || (size_t) b >= view.n_numa) {
        return 1 << 20;
    }
    return view.numa_distance[a * view.n_numa + b];
}

static inline bool
may_poll(size_t i, int pmd)
{
    int node = rxqs[i].numa_id, nearest = 1 << 20;
    bool local = false;

    if (rxqs[i].pinned >= 0) {
        return pmd == rxqs[i].pinned;
    } else if (pmds[pmd].isolated) {
        return false;
    } else if (node < 0 || options.cross_numa == DPX_CROSS_NUMA_ALWAYS) {
        return true;
    }
    for (size_t p = 0; p < view.n_pmds; p++) {
        if (!pmds[p].isolated) {
            int distance = distance_of(node, pmds[p].numa_id);

            local |= pmds[p].numa_id == node;
            nearest = distance < nearest ? distance : nearest;
        }
    }
    return (local ? pmds[pmd].numa_id == node
            : distance_of(node, pmds[pmd].numa_id) == nearest);
}

#endif /* placement-vocabulary.h */
