/* SPDX-License-Identifier: Apache-2.0
 *
 * What each queue of a view asks for: measured, estimated, or unknown.
 *
 * Called once per plan.  Must not depend on the order of the view: sums are
 * made in the order of the names. */

#include <config.h>
#include "dpx-placement-demand.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "util.h"

static const char *
port_name(const struct dpx_view_rxq *rxq)
{
    return rxq->port ? rxq->port : "";
}

static int
compare_rxqs(const struct dpx_view_rxq *a, const struct dpx_view_rxq *b)
{
    int order = strcmp(port_name(a), port_name(b));

    if (!order) {
        order = (a->queue_id > b->queue_id) - (a->queue_id < b->queue_id);
    }
    return order ? order : (a->load > b->load) - (a->load < b->load);
}

bool
dpx_placement_is_far(const struct dpx_view *view,
                     const struct dpx_view_rxq *rxq, int pmd)
{
    int node = view->pmds[pmd].numa_id;

    return node >= 0 && rxq->numa_id >= 0 && node != rxq->numa_id;
}

static int
compare_by_name(const void *a_, const void *b_)
{
    const struct dpx_demand *a = a_;
    const struct dpx_demand *b = b_;

    return compare_rxqs(a->rxq, b->rxq);
}

static int
compare_by_load(const void *a_, const void *b_)
{
    const struct dpx_demand *a = a_;
    const struct dpx_demand *b = b_;

    return (a->load != b->load ? (a->load < b->load ? 1 : -1)
            : compare_by_name(a, b));
}

/* Load of 'rxq' on its own node.  What was measured on another node holds the
 * price of the distance already. */
static double
measured_load(const struct dpx_view *view, const struct dpx_view_rxq *rxq,
              double cost)
{
    if (!isfinite(rxq->load) || rxq->load < 0) {
        /* A queue that the guest has switched off receives nothing. */
        return rxq->enabled ? DPX_LOAD_UNKNOWN : 0;
    }
    return dpx_placement_is_pmd(view, rxq->current)
           && dpx_placement_is_far(view, rxq, rxq->current)
           ? rxq->load / (1 + cost) : rxq->load;
}

/* Gives the unmeasured queues of each port the mean of the measured ones.  The
 * array is in order of port and queue, so that the sum has one order. */
static void
estimate_port(struct dpx_demand *all, size_t n)
{
    double sum = 0;
    size_t n_known = 0;

    for (size_t i = 0; i < n; i++) {
        if (all[i].load >= 0 && all[i].rxq->enabled) {
            sum += all[i].load;
            n_known++;
        }
    }
    for (size_t i = 0; i < n && n_known; i++) {
        if (all[i].load < 0) {
            all[i].load = sum / n_known;
        }
    }
}

/* Returns the queues of 'view', largest first. */
struct dpx_demand *
dpx_demands_create(const struct dpx_view *view, double cost)
{
    struct dpx_demand *all = xcalloc(view->n_rxqs + 1, sizeof *all);

    for (size_t i = 0; i < view->n_rxqs; i++) {
        all[i].rxq = &view->rxqs[i];
        all[i].load = measured_load(view, &view->rxqs[i], cost);
        all[i].index = i;
    }
    qsort(all, view->n_rxqs, sizeof *all, compare_by_name);
    for (size_t i = 0, j; i < view->n_rxqs; i = j) {
        for (j = i + 1; j < view->n_rxqs; j++) {
            if (strcmp(port_name(all[i].rxq), port_name(all[j].rxq))) {
                break;
            }
        }
        estimate_port(&all[i], j - i);
    }
    qsort(all, view->n_rxqs, sizeof *all, compare_by_load);
    return all;
}
