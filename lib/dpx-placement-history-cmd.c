/* SPDX-License-Identifier: Apache-2.0
 *
 * dpif-netdev/pmd-placement-history: what was done to the placement, what it
 * was to bring and what it brought, and what was not done and why.  Main
 * thread only. */

#include <config.h>

#include <stdlib.h>

#include "dpx-cmd.h"
#include "dpx-dpif.h"
#include "dpx-report.h"
#include "dpx-step-report.h"
#include "openvswitch/dynamic-string.h"
#include "util.h"

static void
put_time(struct dpx_report *report, long long int ms)
{
    char *when = xastrftime_msec("%Y-%m-%d %H:%M:%S", ms, true);

    dpx_report_text(report, "%s", when);
    free(when);
}

static void
put_steps(struct dpx_report *report, const struct dpx_step_list *list)
{
    dpx_report_table(report, "steps", "Steps, newest first");
    dpx_report_column(report, "STEP", DPX_RIGHT);
    dpx_report_column(report, "UTC", DPX_LEFT);
    dpx_report_column(report, "LAST UTC", DPX_LEFT);
    dpx_report_column(report, "COUNT", DPX_RIGHT);
    dpx_report_column(report, "CAUSE", DPX_LEFT);
    dpx_report_column(report, "DONE", DPX_LEFT);
    dpx_report_column(report, "MOVES", DPX_RIGHT);
    dpx_report_column(report, "PLACED", DPX_RIGHT);
    dpx_report_column(report, "BEFORE %", DPX_RIGHT);
    dpx_report_column(report, "PREDICTED %", DPX_RIGHT);
    dpx_report_column(report, "REALISED %", DPX_RIGHT);
    dpx_report_column(report, "WHY", DPX_LEFT);
    for (size_t i = 0; i < list->n; i++) {
        const struct dpx_step *step = list->steps[i];

        dpx_report_row(report);
        dpx_report_int(report, step->serial);
        put_time(report, step->first_ms);
        put_time(report, step->last_ms);
        dpx_report_int(report, step->count);
        dpx_report_text(report, "%s", dpx_cause_name(step->cause));
        dpx_report_bool(report, !step->declined);
        dpx_report_int(report, step->n_moves);
        dpx_report_int(report, step->n_placed);
        dpx_report_percent(report, step->before, 0);
        dpx_report_percent(report, step->predicted, 0);
        dpx_report_percent(report, step->realised, 0);
        dpx_report_text(report, "%s", step->why);
    }
}

static void
put_moves(struct dpx_report *report, const struct dpx_step_list *list)
{
    dpx_report_table(report, "moves", "Moves");
    dpx_report_column(report, "STEP", DPX_RIGHT);
    dpx_report_column(report, "PORT", DPX_LEFT);
    dpx_report_column(report, "QUEUE", DPX_RIGHT);
    dpx_report_column(report, "FROM", DPX_RIGHT);
    dpx_report_column(report, "TO", DPX_RIGHT);
    dpx_step_cost_columns(report);
    dpx_report_column(report, "REASON", DPX_LEFT);
    for (size_t i = 0; i < list->n; i++) {
        const struct dpx_step *step = list->steps[i];

        for (size_t j = 0; j < step->n_moves; j++) {
            const struct dpx_step_move *m = &step->moves[j];

            dpx_report_row(report);
            dpx_report_int(report, step->serial);
            dpx_report_text(report, "%s", m->port);
            dpx_report_int(report, m->queue_id);
            dpx_report_core(report, m->from);
            dpx_report_core(report, m->to);
            dpx_step_put_cost(report, m);
            dpx_report_text(report, "%s", m->reason);
        }
    }
}

static char *
placement_history(const struct dpx_cmd_args *args, struct dpx_report *report)
{
    struct dpx_step_list list;
    char *error;

    error = dpx_dpif_history_get(args->n_words ? args->words[0] : NULL,
                                 &list);
    if (!error) {
        dpx_report_fact(report, "datapath");
        dpx_report_text(report, "%s", list.name);
        put_steps(report, &list);
        put_moves(report, &list);
    }
    dpx_step_list_uninit(&list);
    return error;
}

const struct dpx_cmd dpx_cmd_placement_history = {
    .name = "dpif-netdev/pmd-placement-history",
    .words = "[DP]",
    .max_words = 1,
    .run = placement_history,
};
