/* SPDX-License-Identifier: Apache-2.0
 *
 * Pictures and plans in the figures that the automatic mode judges by.
 * Pure. */

#ifndef DPX_AUTO_FACTS_H
#define DPX_AUTO_FACTS_H 1

#include "dpx-auto.h"
#include "dpx-cpuset.h"
#include "dpx-placement.h"

/* Fills 'facts' from 'plan', which was made for 'view'.  'recent' is the same
 * picture with the loads of the last DPX_AUTO_RECENT_S seconds: same threads,
 * same queues, in the same order.  'facts' borrows the plan's summary.  Sets
 * '*changed' to the cores whose load the plan changes. */
void dpx_auto_facts_init(struct dpx_auto_facts *facts,
                         const struct dpx_view *view,
                         const struct dpx_view *recent,
                         const struct dpx_plan *plan,
                         const struct dpx_placement_options *options,
                         struct dpx_cpuset *changed);

/* Fills 'result' from 'view', some time after the step that changed the cores
 * of 'changed'.  Queue i was on PMD undone[i] (DPX_NO_PMD: not known, it is
 * taken to be where it is) before the step. */
void dpx_auto_result_init(struct dpx_auto_result *result,
                          const struct dpx_view *view, const int *undone,
                          const struct dpx_placement_options *options,
                          const struct dpx_cpuset *changed);

#endif /* dpx-auto-facts.h */
