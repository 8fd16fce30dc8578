/* SPDX-License-Identifier: Apache-2.0
 *
 * Pictures and plans in the figures that the automatic mode judges by.  Main
 * thread only. */

#include <config.h>

#include "dpx-auto-facts.h"

#include <math.h>
#include <stdlib.h>

#include "util.h"

/* Loads that differ by less are the same. */
#define SAME_LOAD 1e-6

/* The busiest of the cores in 'which' with queue i on PMD place[i], or where
 * it is when 'place' is null or has no PMD for it. */
static double
busiest_of(const struct dpx_view *view, const int *place,
           const struct dpx_placement_options *options,
           const struct dpx_cpuset *which)
{
    double *loads = xcalloc(view->n_pmds + 1, sizeof *loads);
    struct dpx_view moved = *view;
    double busiest = 0;

    moved.rxqs = xcalloc(view->n_rxqs + 1, sizeof *moved.rxqs);
    for (size_t i = 0; i < view->n_rxqs; i++) {
        moved.rxqs[i] = view->rxqs[i];
        if (place && place[i] != DPX_NO_PMD) {
            moved.rxqs[i].current = place[i];
        }
    }
    dpx_placement_loads(&moved, options, loads);
    for (size_t i = 0; i < view->n_pmds; i++) {
        if (dpx_cpuset_has(which, view->pmds[i].core_id)) {
            busiest = MAX(busiest, loads[i]);
        }
    }
    free(moved.rxqs);
    free(loads);
    return busiest;
}

static bool
is_measured(const struct dpx_view *view)
{
    for (size_t i = 0; i < view->n_rxqs; i++) {
        if (view->rxqs[i].enabled && view->rxqs[i].load < 0) {
            return false;
        }
    }
    return true;
}

static double
total_pps(const struct dpx_view *view)
{
    double pps = 0;

    for (size_t i = 0; i < view->n_rxqs; i++) {
        pps += MAX(0, view->rxqs[i].pps);
    }
    return pps;
}

void
dpx_auto_facts_init(struct dpx_auto_facts *facts, const struct dpx_view *view,
                    const struct dpx_view *recent,
                    const struct dpx_plan *plan,
                    const struct dpx_placement_options *options,
                    struct dpx_cpuset *changed)
{
    *changed = (struct dpx_cpuset) { .bits = { 0 } };
    *facts = (struct dpx_auto_facts) {
        .measured = is_measured(view) && is_measured(recent),
        .cores_now = plan->busiest_now,
        .cores_planned = plan->busiest_planned,
        .n_moves = plan->n_moves,
        .summary = plan->summary,
        .pps = total_pps(view),
    };
    for (size_t i = 0; i < view->n_pmds; i++) {
        double now = plan->pmd_now[i], then = plan->pmd_load[i];
        double thread = MAX(now, view->pmds[i].busy);

        facts->busiest = MAX(facts->busiest, thread);
        if (fabs(now - then) > SAME_LOAD) {
            dpx_cpuset_add(changed, view->pmds[i].core_id);
            facts->now = MAX(facts->now, now);
            facts->planned = MAX(facts->planned, then);
            if (now > then) {
                facts->above = MAX(facts->above, thread);
            }
        }
    }
    facts->recent_now = busiest_of(recent, NULL, options, changed);
    facts->recent_planned = busiest_of(recent, plan->pmd_of_rxq, options,
                                       changed);
}

void
dpx_auto_result_init(struct dpx_auto_result *result,
                     const struct dpx_view *view, const int *undone,
                     const struct dpx_placement_options *options,
                     const struct dpx_cpuset *changed)
{
    *result = (struct dpx_auto_result) {
        .undone = busiest_of(view, undone, options, changed),
        .realised = busiest_of(view, NULL, options, changed),
        .pps = total_pps(view),
    };
}
