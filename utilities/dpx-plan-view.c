/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes the planner's view from what was read, and the view of another PMD
 * mask from that.  Pure. */

#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "dpx-plan.h"
#include "dpx-view-mask.h"
#include "openvswitch/dynamic-string.h"
#include "util.h"

/* Total cycles above which pmd-stats-show is no measure of the present: five
 * minutes at 2 GHz. */
#define CUMULATIVE_CYCLES 6e11

bool
dpx_plan_is_cumulative(const struct dpx_stats_show_pmd *pmd)
{
    return (pmd->idle_cycles >= 0 && pmd->busy_cycles >= 0
            && pmd->idle_cycles + pmd->busy_cycles > CUMULATIVE_CYCLES);
}

/* A PMD of which only core and node are known. */
static struct dpx_view_pmd
bare_pmd(unsigned int core, int numa)
{
    return (struct dpx_view_pmd) {
        .core_id = core, .numa_id = numa,
        .package_id = DPX_ID_UNKNOWN, .l3_id = DPX_ID_UNKNOWN,
        .smt_id = DPX_ID_UNKNOWN, .busy = DPX_LOAD_UNKNOWN,
    };
}

static void
put_distances(struct dpx_view *view, const struct dpx_topology *machine)
{
    if (machine && machine->distance) {
        view->numa_distance = machine->distance;
        view->n_numa = machine->n_numa;
    }
}

/* What the statistics say of a PMD whose queues say nothing. */
static double
busy_of_stats(const struct dpx_stats_show *stats, unsigned int core)
{
    const struct dpx_stats_show_pmd *pmd;

    pmd = stats ? dpx_stats_show_pmd(stats, core) : NULL;
    return (pmd && !dpx_plan_is_cumulative(pmd) ? pmd->busy
                                                : DPX_LOAD_UNKNOWN);
}

/* How busy PMD 'i' of 'show' is: its queues and its overhead. */
static double
busy_of_queues(const struct dpx_rxq_show *show, size_t i)
{
    double busy = MAX(0, show->pmds[i].overhead);
    size_t n = 0;

    for (size_t j = 0; j < show->n_rxqs; j++) {
        const struct dpx_rxq_show_rxq *rxq = &show->rxqs[j];

        if (rxq->pmd == i) {
            if (rxq->usage < 0) {
                return DPX_LOAD_UNKNOWN;
            }
            busy += rxq->usage;
            n++;
        }
    }
    /* In an output without usage, a PMD without queue is not known idle. */
    return n || show->has_usage ? MIN(1, busy) : DPX_LOAD_UNKNOWN;
}

static int
numa_of_port(const struct dpx_plan_options *options, const char *port,
             int otherwise)
{
    const void *node = shash_find_data(&options->port_numa, port);

    return node ? (int) (uintptr_t) node - 1 : otherwise;
}

static void
put_rxq_show(struct dpx_view *view, const struct dpx_plan_input *in,
             const struct dpx_plan_options *options)
{
    const struct dpx_rxq_show *show = in->rxq;

    view->n_pmds = show->n_pmds;
    view->pmds = xcalloc(show->n_pmds + 1, sizeof *view->pmds);
    for (size_t i = 0; i < show->n_pmds; i++) {
        const struct dpx_rxq_show_pmd *pmd = &show->pmds[i];
        struct dpx_view_pmd *p = &view->pmds[i];

        *p = bare_pmd(pmd->core_id, pmd->numa_id);
        p->isolated = pmd->isolated == DPX_SAID_YES;
        p->busy = busy_of_queues(show, i);
        if (p->busy < 0) {
            p->busy = busy_of_stats(in->stats, p->core_id);
        }
    }
    view->n_rxqs = show->n_rxqs;
    view->rxqs = xcalloc(show->n_rxqs + 1, sizeof *view->rxqs);
    for (size_t i = 0; i < show->n_rxqs; i++) {
        const struct dpx_rxq_show_rxq *rxq = &show->rxqs[i];
        const struct dpx_view_pmd *pmd = &view->pmds[rxq->pmd];
        bool pinned = pmd->isolated;

        view->rxqs[i] = (struct dpx_view_rxq) {
            .port = rxq->port,
            .queue_id = rxq->queue_id,
            .numa_id = numa_of_port(options, rxq->port, pmd->numa_id),
            .pinned = pinned ? (int) rxq->pmd : DPX_NO_PMD,
            .asked_core = pinned ? (int) pmd->core_id : -1,
            .current = rxq->pmd,
            .enabled = rxq->enabled != DPX_SAID_NO,
            .load = rxq->usage,
            .pps = DPX_LOAD_UNKNOWN,
        };
    }
}

/* PMDs without queues, from a table or from statistics. */
static void
put_pmds_only(struct dpx_view *view, const struct dpx_plan_input *in)
{
    size_t n = in->table ? in->table->n_rows
               : in->stats ? in->stats->n_pmds : 0;

    view->pmds = xcalloc(n + 1, sizeof *view->pmds);
    for (size_t i = 0; i < n; i++) {
        if (in->table) {
            view->pmds[view->n_pmds++] = bare_pmd(in->table->rows[i].core_id,
                                                  in->table->rows[i].numa_id);
        } else if (dpx_stats_show_pmd(in->stats, in->stats->pmds[i].core_id)
                   == &in->stats->pmds[i]) {
            struct dpx_view_pmd *p = &view->pmds[view->n_pmds++];

            *p = bare_pmd(in->stats->pmds[i].core_id,
                          in->stats->pmds[i].numa_id);
            p->busy = busy_of_stats(in->stats, p->core_id);
        }
    }
}

void
dpx_plan_view_init(struct dpx_view *view, const struct dpx_plan_input *in,
                   const struct dpx_plan_options *options)
{
    memset(view, 0, sizeof *view);
    if (in->rxq) {
        put_rxq_show(view, in, options);
    } else {
        put_pmds_only(view, in);
    }
    for (size_t i = 0; i < view->n_pmds && in->machine; i++) {
        dpx_topology_place_pmd(in->machine, &view->pmds[i]);
    }
    put_distances(view, in->machine);
}

char *
dpx_plan_view_with_mask(struct dpx_view *view, const struct dpx_view *now,
                        const struct dpx_cpuset *mask,
                        const struct dpx_topology *machine)
{
    unsigned int core;

    if (dpx_view_with_mask(view, now, mask, machine, true, &core)) {
        return NULL;
    } else if (!machine) {
        return xasprintf("core %u of the mask has no PMD now: give --machine, "
                         "which knows its NUMA node and siblings", core);
    }
    return xasprintf("core %u of the mask is not an on-line CPU of the "
                     "machine", core);
}

void
dpx_plan_view_destroy(struct dpx_view *view)
{
    free(view->pmds);
    free(view->rxqs);
}
