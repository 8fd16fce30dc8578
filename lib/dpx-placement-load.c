/* SPDX-License-Identifier: Apache-2.0
 *
 * Loads of PMDs and cores under an assignment, for people to read.
 *
 * Called by the planner for the loads before and after.  Sums in the order of
 * the task, not of the view, so that the last digit does not depend on the
 * order of the view. */

#include <config.h>
#include "dpx-placement-load.h"

#include <stdlib.h>

#include "dpx-placement-demand.h"
#include "util.h"

/* Two busy siblings slow each other down: what a thread does takes longer by
 * the same factor on all threads of the core. */
static void
share_cores(struct dpx_loads *loads, const struct dpx_problem *p,
            double smt_factor)
{
    for (int c = 0; c < p->n_cores; c++) {
        double sum = 0, max = 0, stretch;
        int n_busy = 0;

        for (int t = p->core_first[c]; t < p->core_first[c + 1]; t++) {
            double own = loads->own[p->pmd[t]];

            sum += own;
            max = MAX(max, own);
            n_busy += own > 0;
        }
        stretch = max > 0 ? MAX(1, sum / smt_factor / max) : 1;
        for (int t = p->core_first[c]; t < p->core_first[c + 1]; t++) {
            loads->pmd[p->pmd[t]] = (n_busy > 1
                                     ? loads->own[p->pmd[t]] * stretch
                                     : loads->own[p->pmd[t]]);
            loads->n_busy[p->pmd[t]] = n_busy;
        }
    }
}

void
dpx_loads_init(struct dpx_loads *loads, const struct dpx_view *view,
               const struct dpx_placement_options *options,
               const struct dpx_task *task, const int *pmd_of_rxq)
{
    bool *measured = xcalloc(view->n_pmds + 1, sizeof *measured);
    bool *unmeasured = xcalloc(view->n_pmds + 1, sizeof *unmeasured);

    loads->pmd = xcalloc(view->n_pmds + 1, sizeof *loads->pmd);
    loads->own = xcalloc(view->n_pmds + 1, sizeof *loads->own);
    loads->n_busy = xcalloc(view->n_pmds + 1, sizeof *loads->n_busy);
    for (size_t r = 0; r < view->n_rxqs; r++) {
        int i = task->order[r];
        int pmd = pmd_of_rxq[i];

        if (!dpx_placement_is_pmd(view, pmd)) {
            continue;
        } else if (task->load[i] < 0) {
            unmeasured[pmd] = true;
            continue;
        }
        measured[pmd] = true;
        loads->own[pmd] += (dpx_placement_is_far(view, &view->rxqs[i], pmd)
                            ? task->load[i] * (1 + options->cross_numa_cost)
                            : task->load[i]);
    }
    share_cores(loads, task->all, options->smt_factor);
    loads->busiest = task->measured ? 0 : DPX_LOAD_UNKNOWN;
    for (size_t i = 0; i < view->n_pmds; i++) {
        if (unmeasured[i] && !measured[i]) {
            loads->pmd[i] = DPX_LOAD_UNKNOWN;
        }
        if (task->measured) {
            loads->busiest = MAX(loads->busiest, loads->pmd[i]);
        }
    }
    free(measured);
    free(unmeasured);
}

void
dpx_loads_uninit(struct dpx_loads *loads)
{
    free(loads->pmd);
    free(loads->own);
    free(loads->n_busy);
}
