/* SPDX-License-Identifier: Apache-2.0
 *
 * Puts a step of the placement into a report. */

#include <config.h>

#include "dpx-step-report.h"

#include "dpx-history.h"
#include "dpx-report.h"

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
    dpx_report_column(report, "REASON", DPX_LEFT);
    for (size_t i = 0; i < step->n_moves; i++) {
        const struct dpx_step_move *m = &step->moves[i];

        dpx_report_row(report);
        dpx_report_text(report, "%s", m->port);
        dpx_report_int(report, m->queue_id);
        dpx_report_core(report, m->from);
        dpx_report_core(report, m->to);
        dpx_report_text(report, "%s", m->reason);
    }
}
