/* SPDX-License-Identifier: Apache-2.0
 *
 * Loads of PMDs and cores under an assignment, for people to read.  Private to
 * the planner. */

#ifndef DPX_PLACEMENT_LOAD_H
#define DPX_PLACEMENT_LOAD_H 1

#include "dpx-placement-task.h"

struct dpx_loads {
    double *pmd;              /* Per PMD of the view: relative to capacity, or
                               * DPX_LOAD_UNKNOWN: polls unmeasured queues
                               * only. */
    double *own;              /* The same without the sibling's share. */
    int *n_busy;              /* Siblings with load on its core, itself
                               * included. */
    double busiest;           /* Highest of 'pmd', or DPX_LOAD_UNKNOWN when no
                               * load is known at all. */
};

/* Computes the loads if pmd_of_rxq[i] polls queue 'i' of the view. */
void dpx_loads_init(struct dpx_loads *, const struct dpx_view *,
                    const struct dpx_placement_options *,
                    const struct dpx_task *, const int *pmd_of_rxq);
void dpx_loads_uninit(struct dpx_loads *);

#endif /* dpx-placement-load.h */
