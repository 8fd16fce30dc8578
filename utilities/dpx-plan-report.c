/* SPDX-License-Identifier: Apache-2.0
 *
 * Puts the answer of ovs-pmd-plan into a report, which becomes text or JSON.
 * Decides nothing. */

#include <config.h>

#include <stdlib.h>

#include "dpx-plan.h"
#include "dpx-report.h"
#include "openvswitch/dynamic-string.h"
#include "util.h"

/* A count of something that only some sources tell. */
static void
put_count(struct dpx_report *report, const char *label, size_t n)
{
    dpx_report_fact(report, label);
    if (n) {
        dpx_report_int(report, n);
    } else {
        dpx_report_unknown(report);
    }
}

static void
facts_of_machine(struct dpx_report *report, const struct dpx_topology *machine)
{
    struct dpx_topology_totals totals;
    char *numbering = dpx_topology_numbering(machine);

    dpx_topology_count(machine, &totals);
    put_count(report, "CPUs on line", totals.n_cpus);
    dpx_report_fact(report, "CPUs off line");
    dpx_report_int(report, totals.n_offline);
    put_count(report, "cores", totals.n_cores);
    put_count(report, "last-level caches", totals.n_l3);
    put_count(report, "NUMA nodes", totals.n_nodes);
    put_count(report, "packages", totals.n_packages);
    dpx_report_fact(report, "siblings");
    dpx_report_text(report, "%s", numbering);
    free(numbering);
}

static void
facts_of_plan(struct dpx_report *report, const struct dpx_plan_result *r)
{
    const struct dpx_plan *plan = r->plan;

    dpx_report_fact(report, "busiest core now %");
    dpx_report_percent(report, plan ? plan->busiest_now : -1, 0);
    dpx_report_fact(report, "busiest core planned %");
    dpx_report_percent(report, plan ? plan->busiest_planned : -1, 0);
    dpx_report_fact(report, "lower bound %");
    dpx_report_percent(report, plan ? plan->lower_bound : -1, 0);
    dpx_report_fact(report, "plan");
    if (plan) {
        dpx_report_text(report, "%s", plan->summary);
    } else if (r->n_shifts) {
        dpx_report_text(report, "moves load between cores of a node; the "
                        "table does not say which queues it is of");
    } else {
        dpx_report_text(report, "none: the input has no load of an rx queue "
                        "to plan by");
    }
}

static void
put_node(struct dpx_report *report, const struct dpx_topology *machine,
         int node)
{
    struct dpx_cpuset cpus = { { 0 } };
    struct ds s = DS_EMPTY_INITIALIZER;

    for (unsigned int i = 0; i < machine->n_cpus; i++) {
        if (machine->cpus[i].present && machine->cpus[i].online
            && machine->cpus[i].numa_id == node) {
            dpx_cpuset_add(&cpus, i);
        }
    }
    dpx_cpuset_put_list(&cpus, &s);
    dpx_report_row(report);
    dpx_report_int(report, node);
    dpx_report_text(report, "%s", ds_cstr(&s));
    ds_clear(&s);
    for (size_t to = 0; to < machine->n_numa; to++) {
        int distance = dpx_topology_distance(machine, node, to);

        if (distance) {
            ds_put_format(&s, "%s%d", s.length ? " " : "", distance);
        }
    }
    if (s.length) {
        dpx_report_text(report, "%s", ds_cstr(&s));
    } else {
        dpx_report_unknown(report);
    }
    ds_destroy(&s);
}

static void
put_nodes(struct dpx_report *report, const struct dpx_topology *machine)
{
    dpx_report_table(report, "nodes", "NUMA nodes");
    dpx_report_column(report, "NODE", DPX_RIGHT);
    dpx_report_column(report, "CPUS", DPX_LEFT);
    dpx_report_column(report, "DISTANCES", DPX_LEFT);
    for (unsigned int node = 0; node < DPX_MAX_CPUS; node++) {
        if (dpx_cpuset_has(&machine->nodes, node)) {
            put_node(report, machine, node);
        }
    }
}

static void
put_pmd(struct dpx_report *report, const struct dpx_plan_result *r,
        const struct dpx_plan_input *in, size_t i)
{
    const struct dpx_view *view = dpx_plan_result_view(r);
    const struct dpx_view_pmd *pmd = &view->pmds[i];
    const struct dpx_stats_show_pmd *stats;
    int n_rxqs = 0;

    for (size_t j = 0; j < view->n_rxqs; j++) {
        n_rxqs += view->rxqs[j].current == (int) i;
    }
    stats = in->stats ? dpx_stats_show_pmd(in->stats, pmd->core_id) : NULL;
    dpx_report_row(report);
    dpx_report_int(report, pmd->core_id);
    dpx_report_id(report, pmd->numa_id);
    if (in->machine) {
        struct dpx_cpuset siblings;
        struct ds s = DS_EMPTY_INITIALIZER;

        dpx_topology_siblings(in->machine, pmd->core_id, &siblings);
        dpx_cpuset_remove(&siblings, pmd->core_id);
        dpx_cpuset_put_list(&siblings, &s);
        dpx_report_text(report, "%s", ds_cstr(&s));
        ds_destroy(&s);
    } else {
        dpx_report_unknown(report);
    }
    dpx_report_bool(report, pmd->isolated);
    dpx_report_int(report, n_rxqs);
    if (stats && stats->packets >= 0) {
        dpx_report_number(report, stats->packets, 0);
    } else {
        dpx_report_unknown(report);
    }
    dpx_report_percent(report, pmd->busy, 100);
    dpx_report_percent(report, r->plan ? r->plan->pmd_load[i] : -1, 0);
}

static void
put_pmds(struct dpx_report *report, const struct dpx_plan_result *r,
         const struct dpx_plan_input *in)
{
    dpx_report_table(report, "pmds", "PMD threads");
    dpx_report_column(report, "CORE", DPX_RIGHT);
    dpx_report_column(report, "NUMA", DPX_RIGHT);
    dpx_report_column(report, "SIBLINGS", DPX_RIGHT);
    dpx_report_column(report, "ISOLATED", DPX_LEFT);
    dpx_report_column(report, "RXQS", DPX_RIGHT);
    dpx_report_column(report, "PACKETS", DPX_RIGHT);
    dpx_report_column(report, "BUSY %", DPX_RIGHT);
    dpx_report_column(report, "PLANNED %", DPX_RIGHT);
    for (size_t i = 0; i < dpx_plan_result_view(r)->n_pmds; i++) {
        put_pmd(report, r, in, i);
    }
}

static void
put_moves(struct dpx_report *report, const struct dpx_plan_result *r)
{
    const struct dpx_view *view = dpx_plan_result_view(r);

    dpx_report_table(report, "moves", "Moves");
    dpx_report_column(report, "PORT", DPX_LEFT);
    dpx_report_column(report, "QUEUE", DPX_RIGHT);
    dpx_report_column(report, "FROM", DPX_RIGHT);
    dpx_report_column(report, "TO", DPX_RIGHT);
    dpx_report_column(report, "LOAD %", DPX_RIGHT);
    dpx_report_column(report, "REASON", DPX_LEFT);
    for (size_t i = 0; r->plan && i < r->plan->n_moves; i++) {
        const struct dpx_placement_move *move = &r->plan->moves[i];
        const struct dpx_view_rxq *rxq = &view->rxqs[move->rxq];

        dpx_report_row(report);
        dpx_report_text(report, "%s", rxq->port);
        dpx_report_int(report, rxq->queue_id);
        dpx_report_core(report, dpx_view_core(view, move->from));
        dpx_report_core(report, dpx_view_core(view, move->to));
        dpx_report_percent(report, rxq->load, 100);
        dpx_report_text(report, "%s", move->reason);
    }
}

static void
put_shifts(struct dpx_report *report, const struct dpx_plan_result *r,
           const struct dpx_load_table *table)
{
    dpx_report_table(report, "shifts", "Load to move");
    dpx_report_column(report, "FROM", DPX_RIGHT);
    dpx_report_column(report, "TO", DPX_RIGHT);
    dpx_report_column(report, "NUMA", DPX_RIGHT);
    dpx_report_column(report, "AMOUNT", DPX_RIGHT);
    dpx_report_column(report, "UNIT", DPX_LEFT);
    for (size_t i = 0; i < r->n_shifts; i++) {
        const struct dpx_load_shift *shift = &r->shifts[i];

        dpx_report_row(report);
        dpx_report_int(report, shift->from);
        dpx_report_int(report, shift->to);
        dpx_report_int(report, shift->numa_id);
        dpx_report_number(report, shift->amount, 0);
        dpx_report_text(report, "%s", table->unit);
    }
}

static void
put_choice(struct dpx_report *report, const struct dpx_core_choice *choice)
{
    struct ds idle = DS_EMPTY_INITIALIZER;

    dpx_report_table(report, "threads", "Proposed cores");
    dpx_report_column(report, "CORE", DPX_RIGHT);
    dpx_report_column(report, "REASON", DPX_LEFT);
    for (size_t i = 0; i < choice->n_picks; i++) {
        dpx_report_row(report);
        dpx_report_int(report, choice->picks[i].cpu);
        dpx_report_text(report, "%s", choice->picks[i].reason);
    }
    if (dpx_cpuset_count(&choice->left_idle)) {
        dpx_cpuset_put_list(&choice->left_idle, &idle);
        dpx_report_table(report, "left_idle", "Siblings to be left unused");
        dpx_report_column(report, "CPUS", DPX_LEFT);
        dpx_report_row(report);
        dpx_report_text(report, "%s", ds_cstr(&idle));
    }
    ds_destroy(&idle);
}

static void
put_flows(struct dpx_report *report, const struct dpx_flow_dump *flows)
{
    dpx_report_table(report, "flows", "Flows");
    dpx_report_column(report, "CORE", DPX_RIGHT);
    dpx_report_column(report, "FLOWS", DPX_RIGHT);
    dpx_report_column(report, "PATHS", DPX_RIGHT);
    dpx_report_column(report, "OFFLOADED", DPX_RIGHT);
    dpx_report_column(report, "PACKETS IN", DPX_RIGHT);
    dpx_report_column(report, "BYTES IN", DPX_RIGHT);
    for (size_t i = 0; i < flows->n_pmds; i++) {
        const struct dpx_flow_dump_pmd *pmd = &flows->pmds[i];

        dpx_report_row(report);
        dpx_report_core(report, pmd->core_id);
        dpx_report_int(report, pmd->n_flows);
        dpx_report_int(report, pmd->n_paths);
        dpx_report_int(report, pmd->n_offloaded);
        dpx_report_int(report, pmd->packets);
        dpx_report_int(report, pmd->bytes);
    }
}

static void
put_commands(struct dpx_report *report, const struct svec *commands)
{
    dpx_report_table(report, "commands", "Commands");
    dpx_report_column(report, "COMMAND", DPX_LEFT);
    for (size_t i = 0; i < commands->n; i++) {
        dpx_report_row(report);
        dpx_report_text(report, "%s", commands->names[i]);
    }
}

void
dpx_plan_report(struct dpx_report *report, const struct dpx_plan_result *r,
                const struct dpx_plan_input *in)
{
    if (in->rxq) {
        dpx_report_fact(report, "written by Open vSwitch");
        dpx_report_text(report, "%s", dpx_rxq_show_release(in->rxq));
    }
    if (in->machine) {
        facts_of_machine(report, in->machine);
    }
    if (in->rxq || in->table || in->stats) {
        facts_of_plan(report, r);
    }
    dpx_findings_report(&r->findings, report);
    put_moves(report, r);
    if (r->n_shifts) {
        put_shifts(report, r, in->table);
    }
    if (r->choice) {
        put_choice(report, r->choice);
    }
    put_commands(report, &r->commands);
    put_pmds(report, r, in);
    if (in->flows) {
        put_flows(report, in->flows);
    }
    if (in->machine) {
        put_nodes(report, in->machine);
    }
}
