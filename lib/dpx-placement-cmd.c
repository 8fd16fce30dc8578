/* SPDX-License-Identifier: Apache-2.0
 *
 * dpif-netdev/pmd-placement-show: who polls what, where that is in the
 * machine, how busy it is, what is wrong, and what the planner thinks of it.
 * Main thread only; decides nothing. */

#include <config.h>

#include <stdlib.h>

#include "dpx-cmd.h"
#include "dpx-dpif.h"
#include "dpx-findings.h"
#include "dpx-load.h"
#include "dpx-machine.h"
#include "dpx-placement-hand.h"
#include "dpx-report.h"
#include "openvswitch/dynamic-string.h"
#include "util.h"

enum { OPT_SECS };

static const struct dpx_cmd_option options[] = {
    [OPT_SECS] = { "-secs", "N" },
    { NULL, NULL },
};

static const char *
cross_numa_name(enum dpx_cross_numa mode)
{
    switch (mode) {
    case DPX_CROSS_NUMA_NEVER: return "never";
    case DPX_CROSS_NUMA_OVERLOAD: return "overload";
    case DPX_CROSS_NUMA_ALWAYS: return "always";
    default: OVS_NOT_REACHED();
    }
}

static void
put_facts(struct dpx_report *report, const struct dpx_dpif_state *state,
          const struct dpx_plan *plan)
{
    dpx_report_fact(report, "datapath");
    dpx_report_text(report, "%s", state->name);
    dpx_report_fact(report, "dpx-enable");
    dpx_report_bool(report, state->enabled);
    dpx_report_fact(report, "pmd-rxq-assign");
    dpx_report_text(report, "%s", state->policy);
    dpx_report_fact(report, "pmd-rxq-isolate");
    dpx_report_bool(report, state->isolate);
    dpx_report_fact(report, "load window s");
    dpx_report_int(report, state->window_s);
    dpx_report_fact(report, "busiest core now %");
    dpx_report_percent(report, plan->busiest_now, 0);
    dpx_report_fact(report, "busiest core planned %");
    dpx_report_percent(report, plan->busiest_planned, 0);
    dpx_report_fact(report, "lower bound %");
    dpx_report_percent(report, plan->lower_bound, 0);
    dpx_report_fact(report, "moves planned");
    dpx_report_int(report, plan->n_moves);
    dpx_report_fact(report, "plan");
    dpx_report_text(report, "%s", plan->summary);
    dpx_report_fact(report, "refused options");
    if (state->refused) {
        dpx_report_text(report, "%s", state->refused);
    } else {
        dpx_report_text(report, "none");
    }
}

static void
put_options(struct dpx_report *report, const struct dpx_dpif_state *state)
{
    const struct dpx_placement_options *o = &state->options;

    dpx_report_table(report, "options", "Options in force");
    dpx_report_column(report, "KEY", DPX_LEFT);
    dpx_report_column(report, "VALUE", DPX_LEFT);

    dpx_report_row(report);
    dpx_report_text(report, "pmd-placement-smt-factor");
    dpx_report_text(report, "%.2f", o->smt_factor);
    dpx_report_row(report);
    dpx_report_text(report, "pmd-placement-cross-numa");
    dpx_report_text(report, "%s", cross_numa_name(o->cross_numa));
    dpx_report_row(report);
    dpx_report_text(report, "pmd-placement-cross-numa-cost");
    dpx_report_text(report, "%.0f", o->cross_numa_cost * 100);
    dpx_report_row(report);
    dpx_report_text(report, "pmd-placement-tolerance");
    dpx_report_text(report, "%.0f", o->tolerance * 100);
    dpx_report_row(report);
    dpx_report_text(report, "pmd-placement-max-moves");
    dpx_report_text(report, "%d", MAX(0, o->max_moves));
    dpx_report_row(report);
    dpx_report_text(report, "pmd-placement-handoff");
    dpx_report_text(report, "%s", state->handoff ? "true" : "false");
}

/* "22*, 23": the other CPUs of the core of 'pmd', those with a PMD marked. */
static void
put_siblings(struct dpx_report *report, const struct dpx_view *view,
             const struct dpx_view_pmd *pmd)
{
    const struct dpx_topology *machine = dpx_machine_get();
    struct ds s = DS_EMPTY_INITIALIZER;
    struct dpx_cpuset siblings;

    if (!machine || pmd->smt_id == DPX_ID_UNKNOWN) {
        dpx_report_unknown(report);
        return;
    }
    dpx_topology_siblings(machine, pmd->core_id, &siblings);
    dpx_cpuset_remove(&siblings, pmd->core_id);
    for (unsigned cpu = 0; cpu < machine->n_cpus; cpu++) {
        if (dpx_cpuset_has(&siblings, cpu)) {
            ds_put_format(&s, "%s%u", s.length ? "," : "", cpu);
            for (size_t i = 0; i < view->n_pmds; i++) {
                if (view->pmds[i].core_id == cpu) {
                    ds_put_char(&s, '*');
                }
            }
        }
    }
    dpx_report_text(report, "%s", s.length ? ds_cstr(&s) : "none");
    ds_destroy(&s);
}

static void
put_pmds(struct dpx_report *report, const struct dpx_view *view)
{
    dpx_report_table(report, "pmds", "PMD threads");
    dpx_report_column(report, "CORE", DPX_RIGHT);
    dpx_report_column(report, "NUMA", DPX_RIGHT);
    dpx_report_column(report, "PACKAGE", DPX_RIGHT);
    dpx_report_column(report, "L3", DPX_RIGHT);
    dpx_report_column(report, "SIBLINGS", DPX_LEFT);
    dpx_report_column(report, "ISOLATED", DPX_LEFT);
    dpx_report_column(report, "RXQS", DPX_RIGHT);
    dpx_report_column(report, "BUSY %", DPX_RIGHT);

    for (size_t i = 0; i < view->n_pmds; i++) {
        const struct dpx_view_pmd *pmd = &view->pmds[i];
        int n_rxqs = 0;

        for (size_t j = 0; j < view->n_rxqs; j++) {
            n_rxqs += view->rxqs[j].current == (int) i;
        }
        dpx_report_row(report);
        dpx_report_int(report, pmd->core_id);
        dpx_report_id(report, pmd->numa_id);
        dpx_report_id(report, pmd->package_id);
        dpx_report_id(report, pmd->l3_id);
        put_siblings(report, view, pmd);
        dpx_report_bool(report, pmd->isolated);
        dpx_report_int(report, n_rxqs);
        dpx_report_percent(report, pmd->busy, 100);
    }
}

/* Why the queue is not where it was asked to be. */
static void
put_why(struct dpx_report *report, const struct dpx_view *view,
        const struct dpx_view_rxq *rxq)
{
    char *why = dpx_rxq_why(view, rxq);

    if (why) {
        dpx_report_text(report, "%s", why);
    } else {
        dpx_report_unknown(report);
    }
    free(why);
}

static void
put_rxqs(struct dpx_report *report, const struct dpx_view *view,
         const struct dpx_plan *plan)
{
    dpx_report_table(report, "rxqs", "Rx queues");
    dpx_report_column(report, "PORT", DPX_LEFT);
    dpx_report_column(report, "QUEUE", DPX_RIGHT);
    dpx_report_column(report, "NUMA", DPX_RIGHT);
    dpx_report_column(report, "CORE", DPX_RIGHT);
    dpx_report_column(report, "PLAN", DPX_RIGHT);
    dpx_report_column(report, "ASKED", DPX_RIGHT);
    dpx_report_column(report, "ENABLED", DPX_LEFT);
    dpx_report_column(report, "LOAD %", DPX_RIGHT);
    dpx_report_column(report, "PPS", DPX_RIGHT);
    dpx_report_column(report, "WHY", DPX_LEFT);

    for (size_t i = 0; i < view->n_rxqs; i++) {
        const struct dpx_view_rxq *rxq = &view->rxqs[i];

        dpx_report_row(report);
        dpx_report_text(report, "%s", rxq->port);
        dpx_report_int(report, rxq->queue_id);
        dpx_report_id(report, rxq->numa_id);
        dpx_report_core(report, dpx_view_core(view, rxq->current));
        dpx_report_core(report, dpx_view_core(view, plan->pmd_of_rxq[i]));
        dpx_report_id(report, rxq->asked_core);
        dpx_report_bool(report, rxq->enabled);
        dpx_report_percent(report, rxq->load, 100);
        dpx_report_amount(report, rxq->pps, 0);
        put_why(report, view, rxq);
    }
}

static char *
placement_show(const struct dpx_cmd_args *args, struct dpx_report *report)
{
    struct dpx_findings findings = { .n = 0 };
    struct dpx_dpif_state *state;
    struct dpx_plan *plan;
    int secs = DPX_LOAD_WINDOW_S;
    char *error;

    error = dpx_cmd_int(&dpx_cmd_placement_show, args, OPT_SECS, 1,
                        DPX_LOAD_WINDOW_MAX_S, &secs);
    if (!error) {
        error = dpx_dpif_state_get(args->n_words ? args->words[0] : NULL,
                                   secs, &state);
    }
    if (error) {
        return error;
    }
    plan = dpx_placement_plan_by_hand(&state->view, &state->options,
                                      state->auto_improvement);
    put_facts(report, state, plan);
    put_pmds(report, &state->view);
    put_rxqs(report, &state->view, plan);
    dpx_findings_of_state(&findings, state);
    dpx_findings_report(&findings, report);
    dpx_findings_destroy(&findings);
    put_options(report, state);
    dpx_plan_destroy(plan);
    dpx_dpif_state_destroy(state);
    return NULL;
}

const struct dpx_cmd dpx_cmd_placement_show = {
    .name = "dpif-netdev/pmd-placement-show",
    .words = "[DP]",
    .max_words = 1,
    .options = options,
    .run = placement_show,
};
