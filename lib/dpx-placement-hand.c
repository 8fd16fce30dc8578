/* SPDX-License-Identifier: Apache-2.0
 *
 * Plans around queues that an operator has placed by hand.  Main thread or
 * offline programs; keeps nothing. */

#include <config.h>

#include "dpx-placement-hand.h"

#include <stdlib.h>

#include "openvswitch/dynamic-string.h"
#include "util.h"

/* A gain that is smaller is no reason to undo what a person has done, even
 * with a threshold of 0. */
#define MIN_GAIN 0.01

/* A hand cannot hold what isolation or a missing thread forces. */
static bool
is_held(const struct dpx_view *view, const struct dpx_view_rxq *rxq)
{
    return rxq->by_hand && rxq->pinned == DPX_NO_PMD && rxq->current >= 0
           && (size_t) rxq->current < view->n_pmds
           && !view->pmds[rxq->current].isolated;
}

/* The plan in which queues that are held count as pinned where they are. */
static struct dpx_plan *
plan_held(const struct dpx_view *view,
          const struct dpx_placement_options *options, size_t *n_held)
{
    struct dpx_view held = *view;
    struct dpx_plan *plan;

    *n_held = 0;
    held.rxqs = xmemdup(view->rxqs, view->n_rxqs * sizeof *held.rxqs);
    for (size_t i = 0; i < view->n_rxqs; i++) {
        if (is_held(view, &view->rxqs[i])) {
            held.rxqs[i].pinned = view->rxqs[i].current;
            ++*n_held;
        }
    }
    plan = *n_held ? dpx_placement_plan(&held, options) : NULL;
    free(held.rxqs);
    return plan;
}

/* Adds to the summary of the plan that was chosen what becomes of the 'n'
 * queues that are held. */
static void
say(struct dpx_plan *plan, size_t n, bool may_move, double gain)
{
    struct ds s = DS_EMPTY_INITIALIZER;

    ds_put_format(&s, "%s; %"PRIuSIZE" queue%s placed by hand ",
                  plan->summary, n, n > 1 ? "s" : "");
    if (may_move) {
        ds_put_cstr(&s, "may move, because that pays");
    } else {
        ds_put_format(&s, "stay%s", n > 1 ? "" : "s");
        if (gain >= MIN_GAIN) {
            ds_put_format(&s, ", without that the busiest core would be at "
                          "%.0f %%", (plan->busiest_planned - gain) * 100);
        }
    }
    free(plan->summary);
    plan->summary = ds_steal_cstr(&s);
}

struct dpx_plan *
dpx_placement_plan_by_hand(const struct dpx_view *view,
                           const struct dpx_placement_options *options,
                           double improvement)
{
    struct dpx_plan *held, *plan;
    size_t n_held;
    double gain;

    if (!view->n_rxqs) {
        return dpx_placement_plan(view, options);
    }
    held = plan_held(view, options, &n_held);
    plan = dpx_placement_plan(view, options);
    if (!held) {
        return plan;
    }
    gain = held->busiest_planned - plan->busiest_planned;
    if (gain >= MIN_GAIN && gain >= held->busiest_planned * improvement) {
        say(plan, n_held, true, gain);
        dpx_plan_destroy(held);
        return plan;
    }
    say(held, n_held, false, gain);
    dpx_plan_destroy(plan);
    return held;
}
