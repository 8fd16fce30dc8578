/* SPDX-License-Identifier: Apache-2.0
 *
 * What each queue of a view asks for.  Private to the planner. */

#ifndef DPX_PLACEMENT_DEMAND_H
#define DPX_PLACEMENT_DEMAND_H 1

#include "dpx-view.h"

struct dpx_demand {
    const struct dpx_view_rxq *rxq;
    double load;              /* On its own node; DPX_LOAD_UNKNOWN when neither
                               * it nor another queue of its port is
                               * measured. */
    int index;                /* In the view. */
};

/* Returns the queues of 'view', largest first, then by name, whatever their
 * order in the view; the caller frees the array.  'cost' is what a measured
 * load holds extra when it was measured on another node. */
struct dpx_demand *dpx_demands_create(const struct dpx_view *, double cost);

/* A view may name a PMD that it does not have: that is no PMD. */
static inline bool
dpx_placement_is_pmd(const struct dpx_view *view, int pmd)
{
    return pmd >= 0 && (size_t) pmd < view->n_pmds;
}

/* Is PMD 'pmd' known to sit on another NUMA node than the port of 'rxq'? */
bool dpx_placement_is_far(const struct dpx_view *,
                          const struct dpx_view_rxq *rxq, int pmd);

#endif /* dpx-placement-demand.h */
