/* SPDX-License-Identifier: Apache-2.0
 *
 * Findings about who polls what.  Pure; goes by the view alone. */

#include <config.h>

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "dpx-cpuset.h"
#include "dpx-findings.h"
#include "openvswitch/dynamic-string.h"
#include "util.h"

/* Is it one of those that are looked for? */
typedef bool pmd_picker(const struct dpx_view *, size_t pmd, int numa);

/* Puts "3, 5, 7" into 'list', and returns how many there are. */
static size_t
list_pmds(const struct dpx_view *view, pmd_picker *pick, int numa,
          struct ds *list)
{
    size_t n = 0;

    ds_clear(list);
    for (size_t i = 0; i < view->n_pmds; i++) {
        if (pick(view, i, numa)) {
            ds_put_format(list, "%s%u", n++ ? ", " : "",
                          view->pmds[i].core_id);
        }
    }
    return n;
}

static size_t
count_queues(const struct dpx_view *view, size_t pmd)
{
    size_t n = 0;

    for (size_t i = 0; i < view->n_rxqs; i++) {
        n += view->rxqs[i].current == (int) pmd;
    }
    return n;
}

static bool
on_node(const struct dpx_view *view, size_t pmd, int numa)
{
    return view->pmds[pmd].numa_id == numa;
}

static bool
open_on_node(const struct dpx_view *view, size_t pmd, int numa)
{
    return on_node(view, pmd, numa) && !view->pmds[pmd].isolated;
}

static bool
unused_on_node(const struct dpx_view *view, size_t pmd, int numa)
{
    return open_on_node(view, pmd, numa) && !count_queues(view, pmd);
}

static bool
free_on_node(const struct dpx_view *view, size_t pmd, int numa)
{
    return (open_on_node(view, pmd, numa) && view->pmds[pmd].busy < DPX_FREE
            && (view->pmds[pmd].busy >= 0 || !count_queues(view, pmd)));
}

static bool
full_on_node(const struct dpx_view *view, size_t pmd, int numa)
{
    return on_node(view, pmd, numa) && view->pmds[pmd].busy >= DPX_FULL;
}

static bool
open_anywhere(const struct dpx_view *view, size_t pmd, int numa OVS_UNUSED)
{
    return !view->pmds[pmd].isolated;
}

static size_t
count_pmds(const struct dpx_view *view, pmd_picker *pick, int numa)
{
    size_t n = 0;

    for (size_t i = 0; i < view->n_pmds; i++) {
        n += pick(view, i, numa);
    }
    return n;
}

/* Steps '*numa' to the next node that has a PMD; start with INT_MIN. */
static bool
next_node(const struct dpx_view *view, int *numa)
{
    int next = INT_MAX;

    for (size_t i = 0; i < view->n_pmds; i++) {
        int id = view->pmds[i].numa_id;

        if (id > *numa && id < next) {
            next = id;
        }
    }
    *numa = next;
    return next != INT_MAX;
}

static char *
node_name(int numa)
{
    return numa < 0 ? xstrdup("the machine")
                    : xasprintf("NUMA node %d", numa);
}

static void
judge_isolation(struct dpx_findings *f, const struct dpx_view *view)
{
    int numa = INT_MIN;

    if (!view->n_pmds) {
        return;
    }
    if (!count_pmds(view, open_anywhere, 0)) {
        dpx_findings_add(f, DPX_PROBLEM, "every PMD is isolated: the next "
                         "port will not be polled");
        return;
    }
    while (next_node(view, &numa)) {
        char *name = node_name(numa);

        if (!count_pmds(view, open_on_node, numa)) {
            dpx_findings_add(f, DPX_PROBLEM, "every PMD of %s is isolated: "
                             "its next port will be polled from another node",
                             name);
        }
        free(name);
    }
}

/* A node all of whose PMDs are full.  Returns whether it is. */
static bool
judge_full_node(struct dpx_findings *f, const struct dpx_view *view, int numa)
{
    size_t n = count_pmds(view, on_node, numa);
    double least = 1, most = 0;
    char *name;

    if (!n || count_pmds(view, full_on_node, numa) < n) {
        return false;
    }
    for (size_t i = 0; i < view->n_pmds; i++) {
        if (on_node(view, i, numa)) {
            least = MIN(least, view->pmds[i].busy);
            most = MAX(most, view->pmds[i].busy);
        }
    }
    name = node_name(numa);
    if (n == 1) {
        dpx_findings_add(f, DPX_PROBLEM, "full: the only PMD of %s is at "
                         "%.0f %%, only more PMDs help (and more rx queues to "
                         "fill them)", name, MIN(1, most) * 100);
    } else {
        dpx_findings_add(f, DPX_PROBLEM, "full: the %"PRIuSIZE" PMDs of %s "
                         "are at %.0f to %.0f %%, only more PMDs help", n,
                         name, MIN(1, least) * 100, MIN(1, most) * 100);
    }
    free(name);
    return true;
}

/* Queues that alone fill their PMD while others of the node are free. */
static void
judge_hot_queues(struct dpx_findings *f, const struct dpx_view *view, int numa)
{
    for (size_t i = 0; i < view->n_rxqs; i++) {
        const struct dpx_view_rxq *rxq = &view->rxqs[i];
        const struct dpx_view_pmd *pmd;
        struct ds list = DS_EMPTY_INITIALIZER;
        size_t n;

        if (rxq->current < 0 || rxq->load < DPX_FULL
            || view->pmds[rxq->current].numa_id != numa) {
            continue;
        }
        pmd = &view->pmds[rxq->current];
        n = list_pmds(view, free_on_node, numa, &list);
        dpx_findings_add(f, DPX_PROBLEM, "queue %d of %s carries %.0f %% of "
                         "core %u: no move helps, more rx queues of %s do%s"
                         "%s%s%s", rxq->queue_id, rxq->port, rxq->load * 100,
                         pmd->core_id, rxq->port,
                         n > 1 ? "; PMDs " : n ? "; PMD " : "",
                         ds_cstr(&list),
                         n > 1 ? " are free" : n ? " is free" : "",
                         n && numa >= 0 ? " on its node" : "");
        ds_destroy(&list);
    }
}

static void
judge_unused(struct dpx_findings *f, const struct dpx_view *view, int numa)
{
    size_t n_queues = 0, n_unused, n;
    struct ds list = DS_EMPTY_INITIALIZER;
    char *name = node_name(numa);

    for (size_t i = 0; i < view->n_pmds; i++) {
        n_queues += on_node(view, i, numa) ? count_queues(view, i) : 0;
    }
    n = count_pmds(view, on_node, numa);
    n_unused = list_pmds(view, unused_on_node, numa, &list);
    if (n_unused && !n_queues) {
        dpx_findings_add(f, DPX_PROBLEM, "PMD%s %s of %s %s no port to poll",
                         n_unused > 1 ? "s" : "", ds_cstr(&list), name,
                         n_unused > 1 ? "have" : "has");
    } else if (n_unused) {
        dpx_findings_add(f, DPX_PROBLEM, "%"PRIuSIZE" rx queue%s for the "
                         "%"PRIuSIZE" PMDs of %s: core%s %s poll%s nothing; "
                         "more rx queues or fewer PMDs", n_queues,
                         n_queues > 1 ? "s" : "", n, name,
                         n_unused > 1 ? "s" : "", ds_cstr(&list),
                         n_unused > 1 ? "" : "s");
    }
    ds_destroy(&list);
    free(name);
}

static void
judge_nodes(struct dpx_findings *f, const struct dpx_view *view)
{
    int numa = INT_MIN;

    while (next_node(view, &numa)) {
        if (!judge_full_node(f, view, numa)) {
            judge_hot_queues(f, view, numa);
        }
        if (view->n_rxqs) {
            judge_unused(f, view, numa);
        }
    }
}

static void
judge_queue(struct dpx_findings *f, const struct dpx_view *view,
            const struct dpx_view_rxq *rxq)
{
    const struct dpx_view_pmd *pmd;

    if (rxq->asked_core >= 0 && rxq->pinned < 0) {
        dpx_findings_add(f, DPX_PROBLEM, "queue %d of %s is pinned to core "
                         "%d, which has no PMD", rxq->queue_id, rxq->port,
                         rxq->asked_core);
    }
    if (rxq->current < 0) {
        dpx_findings_add(f, DPX_PROBLEM, "queue %d of %s is not polled",
                         rxq->queue_id, rxq->port);
        return;
    }
    pmd = &view->pmds[rxq->current];
    if (rxq->numa_id >= 0 && pmd->numa_id >= 0
        && rxq->numa_id != pmd->numa_id) {
        dpx_findings_add(f, DPX_PROBLEM, "queue %d of %s, which is on NUMA "
                         "node %d, is polled by core %u of node %d",
                         rxq->queue_id, rxq->port, rxq->numa_id,
                         pmd->core_id, pmd->numa_id);
    }
}

char *
dpx_rxq_why(const struct dpx_view *view, const struct dpx_view_rxq *rxq)
{
    if (rxq->current < 0) {
        return xstrdup(!view->n_pmds ? "there is no PMD"
                       : !count_pmds(view, open_anywhere, 0)
                       ? "every PMD is isolated"
                       : "no PMD was found for it");
    } else if (rxq->asked_core < 0
               || view->pmds[rxq->current].core_id
                  == (unsigned int) rxq->asked_core) {
        return NULL;
    }
    return rxq->pinned < 0
           ? xasprintf("core %d has no PMD", rxq->asked_core)
           : xasprintf("it has not moved to core %d yet", rxq->asked_core);
}

void
dpx_findings_of_view(struct dpx_findings *f, const struct dpx_view *view)
{
    size_t n_unknown = 0;

    judge_isolation(f, view);
    judge_nodes(f, view);
    for (size_t i = 0; i < view->n_rxqs; i++) {
        judge_queue(f, view, &view->rxqs[i]);
        n_unknown += view->rxqs[i].load < 0;
    }
    if (n_unknown && n_unknown == view->n_rxqs) {
        dpx_findings_add(f, DPX_CHECK, "no rx queue has a measured load");
    } else if (n_unknown) {
        dpx_findings_add(f, DPX_CHECK, "%"PRIuSIZE" of %"PRIuSIZE" rx queues "
                         "%s no measured load", n_unknown, view->n_rxqs,
                         n_unknown > 1 ? "have" : "has");
    }
}
