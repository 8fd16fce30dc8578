/* SPDX-License-Identifier: Apache-2.0
 *
 * Proposes the N best CPUs for PMD threads.
 *
 * Whole physical cores before siblings, the node of the ports before others
 * and near before far, CPUs of guests and of the host's housekeeping left
 * alone and with them their siblings; CPUs that have a PMD already first, so
 * that little changes.  Pure and deterministic. */

#ifndef DPX_CORE_CHOICE_H
#define DPX_CORE_CHOICE_H 1

#include <stddef.h>

#include "dpx-cpuset.h"
#include "dpx-topology.h"

/* What the threads are for. */
struct dpx_core_wish {
    size_t n_threads;
    struct dpx_cpuset guests;       /* CPUs of guests or pods. */
    struct dpx_cpuset housekeeping; /* CPUs of the host itself. */
    struct dpx_cpuset current;      /* CPUs that have a PMD now. */
    const double *node_load;        /* By NUMA node id: what its ports bring;
                                     * 0: no port there. */
    size_t n_nodes;                 /* Length of 'node_load'. */
};

struct dpx_core_pick {
    unsigned int cpu;
    char *reason;                   /* One phrase. */
};

struct dpx_core_choice {
    struct dpx_core_pick *picks;    /* In the order of choice. */
    size_t n_picks;
    struct dpx_cpuset mask;         /* The same as a set. */
    struct dpx_cpuset left_idle;    /* Siblings that must stay unused. */
    char *shortage;                 /* Why there are fewer than asked, or
                                     * null. */
};

struct dpx_core_choice *dpx_core_choose(const struct dpx_topology *,
                                        const struct dpx_core_wish *);
void dpx_core_choice_destroy(struct dpx_core_choice *);

#endif /* dpx-core-choice.h */
