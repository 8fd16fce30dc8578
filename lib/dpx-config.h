/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads the other_config keys of ovs-dpx.
 *
 * A bad value never takes effect: the old setting stays, one sentence says
 * what was refused.  Main thread only. */

#ifndef DPX_CONFIG_H
#define DPX_CONFIG_H 1

#include <stdbool.h>

#include "dpx-heavy-hitters-key.h"
#include "dpx-placement.h"

struct smap;

struct dpx_config {
    bool enable;                        /* dpx-enable. */
    struct dpx_placement_options placement;
    bool handoff;                       /* pmd-placement-handoff. */
    int interval_s;                     /* pmd-placement-interval. */
    bool flow_stats;                    /* flow-stats. */
    int flow_cost_sampling;             /* flow-stats-cost-sampling: every Nth
                                         * burst; 0: none. */
    int flow_top;                       /* flow-stats-top, per bridge. */
    bool hitters;                       /* flow-stats-heavy-hitters... */
    int hitters_size;                   /* ...-size, bytes per thread... */
    int hitters_sampling;               /* ...-sampling... */
    enum dpx_hh_kind hitters_key;       /* ...-key. */
    bool stock_interval;                /* pmd-auto-lb-rebal-interval, in
                                         * minutes, is set: it wins. */
};

/* Sets 'config' to the documented defaults. */
void dpx_config_init(struct dpx_config *config);

/* Takes every key of ours from 'other_config' into 'config'; a key that is
 * absent goes back to its default.  Returns null, or a sentence per refused
 * value ("; " between them) naming key, value and range, to be freed. */
char *dpx_config_parse(struct dpx_config *config,
                       const struct smap *other_config);

#endif /* dpx-config.h */
