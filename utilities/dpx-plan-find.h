/* SPDX-License-Identifier: Apache-2.0
 *
 * Between the two files that find what the texts say. */

#ifndef DPX_PLAN_FIND_H
#define DPX_PLAN_FIND_H 1

struct dpx_findings;
struct dpx_plan_input;
struct dpx_view;

/* Findings from counters: statistics, flows, tx queues. */
void dpx_plan_find_counters(struct dpx_findings *,
                            const struct dpx_plan_input *,
                            const struct dpx_view *);

#endif /* dpx-plan-find.h */
