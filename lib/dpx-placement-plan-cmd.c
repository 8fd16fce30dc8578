/* SPDX-License-Identifier: Apache-2.0
 *
 * dpif-netdev/pmd-placement-plan: what would move and why, also with PMD
 * threads on other cores.  Main thread only; changes nothing. */

#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "dpx-cmd.h"
#include "dpx-core-choice.h"
#include "dpx-dpif.h"
#include "dpx-findings.h"
#include "dpx-load.h"
#include "dpx-machine.h"
#include "dpx-placement-hand.h"
#include "dpx-report.h"
#include "dpx-step-report.h"
#include "dpx-topology.h"
#include "dpx-view-mask.h"
#include "openvswitch/dynamic-string.h"
#include "ovs-numa.h"
#include "util.h"

enum { OPT_MASK, OPT_THREADS, OPT_SECS };

static const struct dpx_cmd_option options[] = {
    [OPT_MASK] = { "-mask", "MASK" },
    [OPT_THREADS] = { "-threads", "N" },
    [OPT_SECS] = { "-secs", "N" },
    { NULL, NULL },
};

/* All that is printed. */
struct answer {
    struct dpx_dpif_state *state;
    bool what_if;               /* 'then' is another set of cores. */
    struct dpx_view then;       /* Else empty. */
    struct dpx_cpuset mask;     /* Of 'then'. */
    struct dpx_core_choice *choice;     /* With -threads. */
    double *now;                /* Per PMD of the state: load now. */
    double busiest_now;
    struct dpx_plan *plan;
};

static const struct dpx_view *
planned_view(const struct answer *a)
{
    return a->what_if ? &a->then : &a->state->view;
}

/* The CPUs and nodes that Open vSwitch knows: nothing about siblings.  To be
 * destroyed. */
static struct dpx_topology *
machine_of_numa(void)
{
    struct dpx_topology *machine = dpx_topology_create();
    unsigned int n = MIN(DPX_MAX_CPUS, ovs_numa_get_largest_core_id() + 1);

    for (unsigned int cpu = 0; cpu < n; cpu++) {
        int node = ovs_numa_get_numa_id(cpu);

        if (node >= 0 && node != OVS_NUMA_UNSPEC) {
            dpx_topology_add(machine, cpu)->numa_id = node;
            dpx_cpuset_add(&machine->nodes, node);
        }
    }
    return machine;
}

static char *
choose_cores(struct answer *a, const struct dpx_topology *machine,
             const char *word, int n_threads)
{
    struct dpx_core_wish wish = { .n_threads = n_threads };
    double *loads;

    for (size_t i = 0; i < a->state->view.n_pmds; i++) {
        dpx_cpuset_add(&wish.current, a->state->view.pmds[i].core_id);
    }
    loads = dpx_view_node_loads(&a->state->view, &wish.n_nodes);
    wish.node_load = loads;
    a->choice = dpx_core_choose(machine, &wish);
    a->mask = a->choice->mask;
    free(loads);
    return a->choice->shortage
           ? xasprintf("\"%s\": %s", word, a->choice->shortage) : NULL;
}

/* The cores that -mask or -threads ask for. */
static char *
read_cores(struct answer *a, const struct dpx_cmd_args *args,
           const struct dpx_topology *machine)
{
    const char *mask = args->options[OPT_MASK];
    const char *threads = args->options[OPT_THREADS];
    int n_threads = 0;
    char *error;

    if (mask && threads) {
        return xasprintf("\"%s\": give either -mask or -threads", threads);
    } else if (threads) {
        error = dpx_cmd_int(&dpx_cmd_placement_plan, args, OPT_THREADS, 1,
                            DPX_MAX_CPUS, &n_threads);
        return error ? error : choose_cores(a, machine, threads, n_threads);
    }
    error = dpx_cpuset_from_mask(&a->mask, mask);
    if (!error && !dpx_cpuset_count(&a->mask)) {
        error = xasprintf("\"%s\": the mask names no core", mask);
    }
    return error;
}

static char *
make_then(struct answer *a, const struct dpx_cmd_args *args)
{
    struct dpx_topology *bare = machine_of_numa();
    const struct dpx_topology *machine = dpx_machine_get();
    char *error;
    unsigned int core;

    machine = machine ? machine : bare;
    error = read_cores(a, args, machine);
    if (!error) {
        a->what_if = true;
        if (!dpx_view_with_mask(&a->then, &a->state->view, &a->mask, machine,
                                a->state->isolate, &core)) {
            error = xasprintf("\"%s\": core %u is not an on-line CPU",
                              args->options[OPT_MASK], core);
        }
        dpx_machine_set_distances(&a->then);
    }
    dpx_topology_destroy(bare);
    return error;
}

static void
put_facts(struct dpx_report *report, const struct answer *a)
{
    const struct dpx_dpif_state *state = a->state;

    dpx_report_fact(report, "datapath");
    dpx_report_text(report, "%s", state->name);
    dpx_report_fact(report, "pmd-rxq-assign");
    dpx_report_text(report, "%s", state->policy);
    if (a->what_if) {
        struct ds mask = DS_EMPTY_INITIALIZER;

        dpx_cpuset_put_mask(&a->mask, &mask);
        dpx_report_fact(report, "pmd-cpu-mask");
        dpx_report_text(report, "%s", ds_cstr(&mask));
        ds_destroy(&mask);
    }
    dpx_report_fact(report, "busiest core now %");
    dpx_report_percent(report, a->busiest_now, 0);
    dpx_report_fact(report, "busiest core planned %");
    dpx_report_percent(report, a->plan->busiest_planned, 0);
    dpx_report_fact(report, "lower bound %");
    dpx_report_percent(report, a->plan->lower_bound, 0);
    dpx_report_fact(report, "queues to move");
    dpx_report_int(report, a->plan->n_moves);
    dpx_report_fact(report, "cap binds");
    dpx_report_bool(report, a->plan->cap_binds);
    dpx_report_fact(report, "plan");
    dpx_report_text(report, "%s", a->plan->summary);
    dpx_report_fact(report, "automatic mode");
    dpx_report_text(report, "%s", dpx_dpif_auto_text(state));
}

static void
put_cores(struct dpx_report *report, const struct dpx_core_choice *choice)
{
    dpx_report_table(report, "cores", "Cores, in the order of choice");
    dpx_report_column(report, "CORE", DPX_RIGHT);
    dpx_report_column(report, "REASON", DPX_LEFT);
    for (size_t i = 0; i < choice->n_picks; i++) {
        dpx_report_row(report);
        dpx_report_int(report, choice->picks[i].cpu);
        dpx_report_text(report, "%s", choice->picks[i].reason);
    }
}

/* Core that polls queue 'i' now. */
static int
core_now(const struct answer *a, size_t i)
{
    const struct dpx_view *now = &a->state->view;

    return dpx_view_core(now, now->rxqs[i].current);
}

static void
put_moves(struct dpx_report *report, const struct answer *a)
{
    const struct dpx_view *view = planned_view(a);

    dpx_report_table(report, "moves", "Moves");
    dpx_report_column(report, "PORT", DPX_LEFT);
    dpx_report_column(report, "QUEUE", DPX_RIGHT);
    dpx_report_column(report, "FROM", DPX_RIGHT);
    dpx_report_column(report, "TO", DPX_RIGHT);
    dpx_report_column(report, "LOAD %", DPX_RIGHT);
    dpx_report_column(report, "REASON", DPX_LEFT);
    for (size_t i = 0; i < a->plan->n_moves; i++) {
        const struct dpx_placement_move *m = &a->plan->moves[i];
        const struct dpx_view_rxq *rxq = &view->rxqs[m->rxq];
        int from = core_now(a, m->rxq);

        dpx_report_row(report);
        dpx_report_text(report, "%s", rxq->port);
        dpx_report_int(report, rxq->queue_id);
        dpx_report_core(report, from);
        dpx_report_core(report, dpx_view_core(view, m->to));
        dpx_report_percent(report, rxq->load, 0);
        if (a->what_if && m->from == DPX_NO_PMD && m->to != DPX_NO_PMD
            && from != DPX_CORE_NONE) {
            dpx_report_text(report, "core %d has no PMD then", from);
        } else {
            dpx_report_text(report, "%s", m->reason);
        }
    }
}

static void
put_pmds(struct dpx_report *report, const struct answer *a)
{
    const struct dpx_view *view = planned_view(a);

    dpx_report_table(report, "pmds", "PMD threads");
    dpx_report_column(report, "CORE", DPX_RIGHT);
    dpx_report_column(report, "NUMA", DPX_RIGHT);
    dpx_report_column(report, "ISOLATED", DPX_LEFT);
    dpx_report_column(report, "RXQS", DPX_RIGHT);
    dpx_report_column(report, "NOW %", DPX_RIGHT);
    dpx_report_column(report, "PLANNED %", DPX_RIGHT);
    for (size_t i = 0; i < view->n_pmds; i++) {
        const struct dpx_view_pmd *pmd = &view->pmds[i];
        int now = dpx_view_find_pmd(&a->state->view, pmd->core_id);
        int n_rxqs = 0;

        for (size_t j = 0; j < a->plan->n_rxqs; j++) {
            n_rxqs += a->plan->pmd_of_rxq[j] == (int) i;
        }
        dpx_report_row(report);
        dpx_report_int(report, pmd->core_id);
        dpx_report_id(report, pmd->numa_id);
        dpx_report_bool(report, pmd->isolated);
        dpx_report_int(report, n_rxqs);
        dpx_report_percent(report, now == DPX_NO_PMD || a->busiest_now < 0
                                   ? DPX_LOAD_UNKNOWN : a->now[now], 0);
        dpx_report_percent(report, a->busiest_now < 0 ? DPX_LOAD_UNKNOWN
                                   : a->plan->pmd_load[i], 0);
    }
}

static void
make_plan(struct answer *a)
{
    const struct dpx_dpif_state *state = a->state;

    a->now = xcalloc(state->view.n_pmds + 1, sizeof *a->now);
    a->busiest_now = dpx_placement_loads(&state->view, &state->options,
                                         a->now);
    a->plan = dpx_placement_plan_by_hand(planned_view(a), &state->options,
                                         state->auto_improvement);
}

static char *
placement_plan(const struct dpx_cmd_args *args, struct dpx_report *report)
{
    struct dpx_findings findings = { .n = 0 };
    struct answer a = { .what_if = false };
    int secs = DPX_LOAD_WINDOW_S;
    char *error;

    error = dpx_cmd_int(&dpx_cmd_placement_plan, args, OPT_SECS, 1,
                        DPX_LOAD_WINDOW_MAX_S, &secs);
    if (!error) {
        error = dpx_dpif_state_get(args->n_words ? args->words[0] : NULL,
                                   secs, &a.state);
    }
    if (!error && (args->options[OPT_MASK] || args->options[OPT_THREADS])) {
        error = make_then(&a, args);
    }
    if (!error) {
        make_plan(&a);
        put_facts(report, &a);
        if (a.choice) {
            put_cores(report, a.choice);
        }
        put_moves(report, &a);
        put_pmds(report, &a);
        dpx_findings_of_state(&findings, a.state);
        dpx_findings_report(&findings, report);
    }
    dpx_findings_destroy(&findings);
    dpx_plan_destroy(a.plan);
    free(a.now);
    dpx_core_choice_destroy(a.choice);
    dpx_view_mask_destroy(&a.then);
    dpx_dpif_state_destroy(a.state);
    return error;
}

const struct dpx_cmd dpx_cmd_placement_plan = {
    .name = "dpif-netdev/pmd-placement-plan",
    .words = "[DP]",
    .max_words = 1,
    .options = options,
    .run = placement_plan,
};
