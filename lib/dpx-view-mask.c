/* SPDX-License-Identifier: Apache-2.0
 *
 * What a datapath would look like with PMD threads on other cores.  Main
 * thread or offline programs. */

#include <config.h>

#include "dpx-view-mask.h"

#include <stdlib.h>
#include <string.h>

#include "util.h"

/* What a queue of unknown load counts in the choice of nodes. */
#define UNKNOWN_LOAD 0.01

int
dpx_view_find_pmd(const struct dpx_view *view, int core)
{
    for (size_t i = 0; i < view->n_pmds; i++) {
        if (core >= 0 && view->pmds[i].core_id == (unsigned int) core) {
            return i;
        }
    }
    return DPX_NO_PMD;
}

/* Adds the PMD on 'core'; false if there is no such CPU. */
static bool
add_pmd(struct dpx_view *then, const struct dpx_view *now, unsigned int core,
        const struct dpx_topology *machine)
{
    struct dpx_view_pmd *pmd = &then->pmds[then->n_pmds];
    int old = dpx_view_find_pmd(now, core);

    if (old != DPX_NO_PMD) {
        *pmd = now->pmds[old];
    } else {
        *pmd = (struct dpx_view_pmd) {
            .core_id = core, .numa_id = DPX_ID_UNKNOWN,
            .package_id = DPX_ID_UNKNOWN, .l3_id = DPX_ID_UNKNOWN,
            .smt_id = DPX_ID_UNKNOWN,
        };
        if (!machine || !dpx_topology_place_pmd(machine, pmd)) {
            return false;
        }
    }
    then->n_pmds++;
    return true;
}

static void
add_rxq(struct dpx_view *then, const struct dpx_view *now,
        const struct dpx_view_rxq *rxq, bool isolate)
{
    struct dpx_view_rxq *r = &then->rxqs[then->n_rxqs++];

    *r = *rxq;
    r->current = r->current < 0 ? DPX_NO_PMD
                 : dpx_view_find_pmd(then, now->pmds[r->current].core_id);
    r->pinned = dpx_view_find_pmd(then, r->asked_core);
    if (r->pinned >= 0 && isolate) {
        then->pmds[r->pinned].isolated = true;
    }
}

bool
dpx_view_with_mask(struct dpx_view *then, const struct dpx_view *now,
                   const struct dpx_cpuset *mask,
                   const struct dpx_topology *machine, bool isolate,
                   unsigned int *stranger)
{
    *then = (struct dpx_view) {
        .pmds = xcalloc(dpx_cpuset_count(mask) + 1, sizeof *then->pmds),
        .rxqs = xcalloc(now->n_rxqs + 1, sizeof *then->rxqs),
        .numa_distance = now->numa_distance,
        .n_numa = now->n_numa,
    };
    if (machine && machine->distance) {
        then->numa_distance = machine->distance;
        then->n_numa = machine->n_numa;
    }
    for (unsigned int core = 0; core < DPX_MAX_CPUS; core++) {
        if (dpx_cpuset_has(mask, core)
            && !add_pmd(then, now, core, machine)) {
            *stranger = core;
            return false;
        }
    }
    for (size_t i = 0; i < now->n_rxqs; i++) {
        add_rxq(then, now, &now->rxqs[i], isolate);
    }
    return true;
}

void
dpx_view_mask_destroy(struct dpx_view *then)
{
    free(then->pmds);
    free(then->rxqs);
}

double *
dpx_view_node_loads(const struct dpx_view *view, size_t *n_nodes)
{
    double *loads;

    *n_nodes = 0;
    for (size_t i = 0; i < view->n_rxqs; i++) {
        *n_nodes = MAX(*n_nodes, (size_t) MAX(0, view->rxqs[i].numa_id) + 1);
    }
    loads = xcalloc(*n_nodes + 1, sizeof *loads);
    for (size_t i = 0; i < view->n_rxqs; i++) {
        loads[MAX(0, view->rxqs[i].numa_id)] += MAX(UNKNOWN_LOAD,
                                                    view->rxqs[i].load);
    }
    return loads;
}
