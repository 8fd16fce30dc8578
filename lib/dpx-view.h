/* SPDX-License-Identifier: Apache-2.0
 *
 * Neutral picture of the datapath: what a plan is made from and what a
 * command prints.  Plain values, no lock, no Open vSwitch type, so that the
 * datapath glue, an offline reader and a unit test can all fill it.
 *
 * Filled and read by one thread (the main thread of ovs-vswitchd, or an
 * offline program); never touched by a PMD thread. */

#ifndef DPX_VIEW_H
#define DPX_VIEW_H 1

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A load that nobody has measured.  Loads are fractions of one unshared core
 * (1.0 is a core that does nothing else), so any negative value is free to
 * mean "unknown": print it as "-" and JSON null, never as 0. */
#define DPX_LOAD_UNKNOWN (-1.0)

/* Index of "no PMD": not pinned, or not polled now. */
#define DPX_NO_PMD (-1)

/* Core ids that stand for something else. */
#define DPX_CORE_MAIN (-1)      /* The main thread. */
#define DPX_CORE_NONE (-2)      /* No thread. */

/* A topology id (package, NUMA node, L3, core) that is not known. */
#define DPX_ID_UNKNOWN (-1)

/* A PMD thread and where its CPU sits in the machine. */
struct dpx_view_pmd {
    unsigned core_id;       /* CPU number as in pmd-cpu-mask. */
    int numa_id;            /* NUMA node, or DPX_ID_UNKNOWN. */
    int package_id;         /* Physical package, or DPX_ID_UNKNOWN. */
    int l3_id;              /* CPUs of equal value share a last-level cache. */
    int smt_id;             /* PMDs of equal value are SMT siblings of one
                             * physical core; DPX_ID_UNKNOWN: unshared. */
    bool isolated;          /* Polls pinned queues only. */
    double busy;            /* Fraction of the core, or DPX_LOAD_UNKNOWN. */
};

/* A receive queue. */
struct dpx_view_rxq {
    const char *port;       /* Name of the port; owned by the caller. */
    int queue_id;
    int numa_id;            /* NUMA node of the port, or DPX_ID_UNKNOWN. */
    int pinned;             /* Index of the PMD that pmd-rxq-affinity asks for
                             * and that exists, else DPX_NO_PMD. */
    int asked_core;         /* Core that pmd-rxq-affinity names, whether or
                             * not it has a PMD; negative: none.  The planner
                             * goes by 'pinned'. */
    int current;            /* Index of the PMD that polls it, DPX_NO_PMD if
                             * none does. */
    bool by_hand;           /* Put on 'current' by pmd-rxq-move. */
    bool enabled;           /* False: the guest has switched it off. */
    double load;            /* Demand, or DPX_LOAD_UNKNOWN.  Above 1 when one
                             * core is not enough: show 100 %. */
    double busy;            /* What it takes of its core, 0 to 1, or
                             * DPX_LOAD_UNKNOWN; less than 'load' when it
                             * loses packets. */
    double pps;             /* Packets/s received, or DPX_LOAD_UNKNOWN. */
    double drops;           /* Packets/s lost for want of polling, or
                             * DPX_LOAD_UNKNOWN. */
};

/* The whole picture. */
struct dpx_view {
    struct dpx_view_pmd *pmds;
    size_t n_pmds;
    struct dpx_view_rxq *rxqs;
    size_t n_rxqs;
    const int *numa_distance;   /* n_numa x n_numa, row-major, 0: not
                                 * said; null: all equal. */
    size_t n_numa;
};

/* The core of PMD 'pmd' of 'view', an index or DPX_NO_PMD. */
static inline int
dpx_view_core(const struct dpx_view *view, int pmd)
{
    return pmd == DPX_NO_PMD ? DPX_CORE_NONE : (int) view->pmds[pmd].core_id;
}

#endif /* dpx-view.h */
