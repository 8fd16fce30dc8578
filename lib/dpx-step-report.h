/* SPDX-License-Identifier: Apache-2.0
 *
 * Puts a step of the placement into a report.  Main thread only. */

#ifndef DPX_STEP_REPORT_H
#define DPX_STEP_REPORT_H 1

struct dpx_report;
struct dpx_step;
struct dpx_step_move;

/* What was done and what it is to bring: facts, then a table "moves". */
void dpx_step_report(struct dpx_report *, const struct dpx_step *);

/* The columns of what a move cost, and their cells. */
void dpx_step_cost_columns(struct dpx_report *);
void dpx_step_put_cost(struct dpx_report *, const struct dpx_step_move *);

#endif /* dpx-step-report.h */
