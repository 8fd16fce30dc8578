/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes the answer of ovs-pmd-plan: asks the planner, the chooser of cores and
 * those who find, in that order.  Pure. */

#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "dpx-plan.h"
#include "dpx-view-mask.h"
#include "util.h"

/* Loads of a table that differ by less than this share of the mean are
 * equal. */
#define TABLE_TOLERANCE 0.02

const struct dpx_view *
dpx_plan_result_view(const struct dpx_plan_result *r)
{
    return r->has_then ? &r->then : &r->now;
}

static bool
has_loads(const struct dpx_view *view)
{
    for (size_t i = 0; i < view->n_rxqs; i++) {
        if (view->rxqs[i].load >= 0) {
            return true;
        }
    }
    return false;
}

static char *
choose_cores(struct dpx_plan_result *r, const struct dpx_plan_input *in,
             const struct dpx_plan_options *options)
{
    struct dpx_core_wish wish = {
        .n_threads = options->n_threads,
        .guests = options->guests,
        .housekeeping = options->housekeeping,
    };
    double *loads;

    if (!in->machine) {
        return xstrdup("--threads needs --machine (live, or what lscpu -p "
                       "and numactl --hardware print on the host)");
    }
    for (size_t i = 0; i < r->now.n_pmds; i++) {
        dpx_cpuset_add(&wish.current, r->now.pmds[i].core_id);
    }
    loads = dpx_view_node_loads(&r->now, &wish.n_nodes);
    wish.node_load = loads;
    r->choice = dpx_core_choose(in->machine, &wish);
    free(loads);
    if (!r->choice->n_picks) {
        return xasprintf("--threads: %s", r->choice->shortage);
    }
    if (r->choice->shortage) {
        dpx_findings_add(&r->findings, DPX_PROBLEM, "%s", r->choice->shortage);
    }
    return NULL;
}

/* The PMDs that --threads or --mask want. */
static char *
make_then(struct dpx_plan_result *r, const struct dpx_plan_input *in,
          const struct dpx_plan_options *options)
{
    const struct dpx_cpuset *mask = options->has_mask ? &options->mask : NULL;
    char *error = NULL;

    if (options->n_threads) {
        error = choose_cores(r, in, options);
        if (error) {
            return error;
        }
        mask = &r->choice->mask;
    }
    if (mask) {
        r->has_then = true;
        error = dpx_plan_view_with_mask(&r->then, &r->now, mask, in->machine);
    }
    return error;
}

/* What the commands do besides. */
static void
find_side_effects(struct dpx_plan_result *r, const struct dpx_plan_input *in)
{
    if (r->plan && r->plan->n_moves && !dpx_plan_can_share_pins(in)) {
        dpx_findings_add(&r->findings, DPX_NOTE, "before 2.16 a pinned queue "
                         "isolates its PMD: once the command is given, the "
                         "next port needs a PMD that polls no pinned queue");
    }
    for (size_t i = 0; r->plan && i < r->now.n_rxqs; i++) {
        const struct dpx_view_rxq *rxq = &r->now.rxqs[i];

        if (rxq->load >= DPX_FULL && dpx_plan_is_vhost(in, rxq->port)) {
            dpx_findings_add(&r->findings, DPX_NOTE, "%s is a port of a "
                             "guest: the guest decides how many queues it "
                             "has, n_rxq has no effect", rxq->port);
        }
    }
}

char *
dpx_plan_result_make(struct dpx_plan_result *r,
                     const struct dpx_plan_input *in,
                     const struct dpx_plan_options *options)
{
    const struct dpx_view *view;
    char *error;

    memset(r, 0, sizeof *r);
    svec_init(&r->commands);
    dpx_plan_view_init(&r->now, in, options);
    error = make_then(r, in, options);
    if (error) {
        return error;
    }
    view = dpx_plan_result_view(r);
    if (has_loads(view)) {
        r->plan = dpx_placement_plan(view, &options->placement);
    }
    if (in->table) {
        r->shifts = dpx_load_table_balance(in->table, TABLE_TOLERANCE,
                                           &r->n_shifts);
    }
    dpx_findings_of_view(&r->findings, &r->now);
    dpx_findings_of_siblings(&r->findings, &r->now);
    dpx_findings_of_guests(&r->findings, &r->now, in->machine,
                           &options->guests);
    dpx_plan_find(&r->findings, in, &r->now);
    dpx_plan_commands(&r->commands, r, in, options);
    find_side_effects(r, in);
    return NULL;
}

void
dpx_plan_result_destroy(struct dpx_plan_result *r)
{
    dpx_plan_view_destroy(&r->now);
    dpx_plan_view_destroy(&r->then);
    dpx_core_choice_destroy(r->choice);
    dpx_plan_destroy(r->plan);
    free(r->shifts);
    dpx_findings_destroy(&r->findings);
    svec_destroy(&r->commands);
}

enum dpx_plan_exit
dpx_plan_result_exit(const struct dpx_plan_result *r)
{
    if (r->commands.n || r->n_shifts || (r->plan && r->plan->n_moves)) {
        return DPX_EXIT_PLAN;
    }
    return (dpx_findings_worst(&r->findings) == DPX_PROBLEM
            ? DPX_EXIT_PROBLEM : DPX_EXIT_NOTHING);
}
