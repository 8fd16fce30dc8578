/* SPDX-License-Identifier: Apache-2.0
 *
 * What a datapath would look like with PMD threads on other cores.  Pure. */

#ifndef DPX_VIEW_MASK_H
#define DPX_VIEW_MASK_H 1

#include <stdbool.h>

#include "dpx-cpuset.h"
#include "dpx-topology.h"
#include "dpx-view.h"

/* Fills 'then' with the queues of 'now' and a PMD on each core of 'mask'.  A
 * core that has no PMD now is looked up in 'machine' (null: not known).
 * Pinned queues go where they ask for; with 'isolate' they have that PMD to
 * themselves.  A queue whose PMD is not there any more is polled by none.
 *
 * Returns true, or false and sets '*stranger' when a core is not an on-line
 * CPU of 'machine'.  Free 'then' with dpx_view_mask_destroy() either way; it
 * borrows the ports of 'now' and the distances of 'machine'. */
bool dpx_view_with_mask(struct dpx_view *then, const struct dpx_view *now,
                        const struct dpx_cpuset *mask,
                        const struct dpx_topology *machine, bool isolate,
                        unsigned int *stranger);
void dpx_view_mask_destroy(struct dpx_view *then);

/* Returns the index of the PMD on 'core', or DPX_NO_PMD. */
int dpx_view_find_pmd(const struct dpx_view *view, int core);

/* Returns what the queues of each NUMA node bring, by node id, to be freed; a
 * queue without a load counts a little, so that its node is not forgotten. */
double *dpx_view_node_loads(const struct dpx_view *view, size_t *n_nodes);

#endif /* dpx-view-mask.h */
