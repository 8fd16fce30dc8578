/* SPDX-License-Identifier: Apache-2.0
 *
 * The lscpu part of the text readers of a machine.  Private to them. */

#ifndef DPX_TOPOLOGY_LSCPU_H
#define DPX_TOPOLOGY_LSCPU_H 1

#include "dpx-topology.h"

/* NUMA node ids are below this, as in Linux. */
#define DPX_MAX_NODES 1024

#define DPX_LSCPU_MAX_COLUMNS 32

/* Columns of a table that matter; others are stepped over. */
enum dpx_lscpu_column {
    DPX_LSCPU_OTHER,
    DPX_LSCPU_CPU,
    DPX_LSCPU_CORE,
    DPX_LSCPU_SOCKET,
    DPX_LSCPU_NODE,
    DPX_LSCPU_L3,
    DPX_LSCPU_CACHES,           /* "L1d:L1i:L2:L3" in one. */
    DPX_LSCPU_ONLINE
};

/* What has been read so far. */
struct dpx_lscpu {
    struct dpx_topology *topology;

    /* "Key: value" lines. */
    bool has_keys, has_online, in_flags;
    unsigned int n_cpus, threads_per_core, cores_per_socket, n_sockets;
    struct dpx_cpuset online, offline;

    /* Tables. */
    enum dpx_lscpu_column columns[DPX_LSCPU_MAX_COLUMNS];
    size_t n_columns;           /* 0: not in a table. */
    int l3_of_caches;           /* Position of L3 in DPX_LSCPU_CACHES. */
    bool parsable;              /* Of 'lscpu -p': commas. */
    unsigned int n_tables;
};

/* Offers 'line' (number 'number').  Sets '*taken' if it is one of lscpu's.
 * Returns null or an error. */
char *dpx_lscpu_line(struct dpx_lscpu *, const char *line, int number,
                     bool *taken);

/* Same, for "Key: value". */
char *dpx_lscpu_key(struct dpx_lscpu *, const char *line, int number,
                    bool *taken);

/* At the end: takes off-line CPUs out and completes what is missing. */
void dpx_lscpu_finish(struct dpx_lscpu *);

#endif /* dpx-topology-lscpu.h */
