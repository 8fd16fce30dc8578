/* SPDX-License-Identifier: Apache-2.0
 *
 * Puts a step of the placement into a report. */

#include <config.h>

#include "dpx-step-report.h"

#include "dpx-history.h"
#include "dpx-report.h"

void
dpx_step_cost_columns(struct dpx_report *report)
{
    dpx_report_column(report, "BLOCKED US", DPX_RIGHT);
    dpx_report_column(report, "COPIED", DPX_RIGHT);
    dpx_report_column(report, "UPCALLS", DPX_RIGHT);
    dpx_report_column(report, "LOST", DPX_RIGHT);
}

void
dpx_step_put_cost(struct dpx_report *report, const struct dpx_step_move *move)
{
    dpx_report_amount(report, move->blocked_us, 1);
    dpx_report_id(report, move->copied);
    dpx_report_id(report, move->upcalls);
    dpx_report_id(report, move->lost);
}

void
dpx_step_report(struct dpx_report *report, const struct dpx_step *step)
{
    dpx_report_fact(report, "queues moved");
    dpx_report_int(report, step->n_moves);
    dpx_report_fact(report, "plan");
    dpx_report_text(report, "%s", step->why);
    dpx_report_fact(report, "busiest core before %");
    dpx_report_percent(report, step->before, 0);
    dpx_report_fact(report, "busiest core predicted %");
    dpx_report_percent(report, step->predicted, 0);

    dpx_report_table(report, "moves", "Moves");
    dpx_report_column(report, "PORT", DPX_LEFT);
    dpx_report_column(report, "QUEUE", DPX_RIGHT);
    dpx_report_column(report, "FROM", DPX_RIGHT);
    dpx_report_column(report, "TO", DPX_RIGHT);
    dpx_step_cost_columns(report);
    dpx_report_column(report, "REASON", DPX_LEFT);
    for (size_t i = 0; i < step->n_moves; i++) {
        const struct dpx_step_move *m = &step->moves[i];

        dpx_report_row(report);
        dpx_report_text(report, "%s", m->port);
        dpx_report_int(report, m->queue_id);
        dpx_report_core(report, m->from);
        dpx_report_core(report, m->to);
        dpx_step_put_cost(report, m);
        dpx_report_text(report, "%s", m->reason);
    }
}
