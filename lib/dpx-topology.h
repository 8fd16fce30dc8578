/* SPDX-License-Identifier: Apache-2.0
 *
 * The machine: which CPUs there are, and which share a core, a last-level
 * cache, a NUMA node, a package.
 *
 * Plain values that any source can fill: hwloc, what lscpu and numactl print,
 * the list of --dummy-numa.  What a source does not say is DPX_ID_UNKNOWN.
 * Main thread or offline programs only. */

#ifndef DPX_TOPOLOGY_H
#define DPX_TOPOLOGY_H 1

#include <stdbool.h>
#include <stddef.h>

#include "dpx-cpuset.h"
#include "dpx-view.h"
#include "svec.h"

struct dpx_topology_cpu {
    bool present;               /* Some source names it. */
    bool online;
    int package_id;
    int numa_id;
    int l3_id;                  /* CPUs of equal value share a cache. */
    int core_id;                /* CPUs of equal value are SMT siblings. */
};

struct dpx_topology {
    struct dpx_topology_cpu *cpus;  /* By CPU number. */
    size_t n_cpus;                  /* Highest CPU number plus 1. */
    struct dpx_cpuset nodes;        /* NUMA nodes, also those without CPU. */
    int *distance;                  /* n_numa x n_numa by node id, row-major,
                                     * 0: not said.  Null: none is. */
    size_t n_numa;                  /* Highest node id plus 1. */
    struct svec notes;              /* Sentences on what was assumed. */
};

/* Makes a machine without CPUs; free with dpx_topology_destroy(). */
struct dpx_topology *dpx_topology_create(void);
void dpx_topology_destroy(struct dpx_topology *);

/* Returns CPU 'cpu' (below DPX_MAX_CPUS), made present if it was not: on line,
 * everything else unknown. */
struct dpx_topology_cpu *dpx_topology_add(struct dpx_topology *,
                                          unsigned int cpu);

/* Returns CPU 'cpu', or null if it is not present. */
const struct dpx_topology_cpu *dpx_topology_cpu(const struct dpx_topology *,
                                                unsigned int cpu);

/* Sets the distance between two nodes (10 is "the same"). */
void dpx_topology_set_distance(struct dpx_topology *, unsigned int from,
                               unsigned int to, int distance);

/* The distance between two nodes, or 0: not known. */
int dpx_topology_distance(const struct dpx_topology *, int from, int to);

/* Fills '*siblings' with the on-line CPUs of the physical core of 'cpu', which
 * is one of them. */
void dpx_topology_siblings(const struct dpx_topology *, unsigned int cpu,
                           struct dpx_cpuset *siblings);

/* Do two CPUs share a physical core? */
bool dpx_topology_are_siblings(const struct dpx_topology *, unsigned int,
                               unsigned int);

/* What the machine has, counted over on-line CPUs. */
struct dpx_topology_totals {
    size_t n_cpus, n_offline, n_cores, n_l3, n_nodes, n_packages;
    size_t max_siblings;        /* Threads of the fullest core. */
};
void dpx_topology_count(const struct dpx_topology *,
                        struct dpx_topology_totals *);

/* Returns how siblings are numbered, "c and c+24", "neighbours", "none",
 * "irregular" or "unknown"; to be freed. */
char *dpx_topology_numbering(const struct dpx_topology *);

/* Fills the ids of 'pmd' from its core_id.  A NUMA node that the view has
 * already is kept.  False if the machine has no such CPU on line. */
bool dpx_topology_place_pmd(const struct dpx_topology *,
                            struct dpx_view_pmd *pmd);

/* The machine as --dummy-numa gives it: the node of CPU 0, 1, 2, ...  Returns
 * null or an error that quotes the word, to be freed. */
char *dpx_topology_from_numa_list(const char *list, struct dpx_topology **)
    OVS_WARN_UNUSED_RESULT;

#endif /* dpx-topology.h */
