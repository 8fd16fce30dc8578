/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads what a stock pmd-stats-show (2.6 to 3.7) or pmd-perf-show (2.10 to
 * 4.0) printed, as far as it says how busy each PMD was.
 *
 * Pure: text in, rows or an error out.  What is not there (cut by grep, or not
 * printed for a PMD without packets) is negative. */

#ifndef DPX_STATS_SHOW_H
#define DPX_STATS_SHOW_H 1

#include <stdbool.h>
#include <stddef.h>

#include "compiler.h"

struct dpx_stats_show_pmd {
    unsigned int core_id;
    int numa_id;
    double packets;             /* Received. */
    double idle_cycles, busy_cycles;
    double busy;                /* Fraction, or DPX_LOAD_UNKNOWN. */
    double batch_packets;       /* Sum over the histogram of pkts/batch. */
};

struct dpx_stats_show {
    struct dpx_stats_show_pmd *pmds;
    size_t n_pmds;
    bool perf;                  /* Text of pmd-perf-show. */
    double seconds;             /* Measured; negative: not said. */
};

/* Returns null, or an error with line and word, to be freed; '*stats' is null
 * then. */
char *dpx_stats_show_parse(const char *text, size_t length,
                           struct dpx_stats_show **stats)
    OVS_WARN_UNUSED_RESULT;
void dpx_stats_show_destroy(struct dpx_stats_show *);

/* Were two outputs of one PMD in the text, the last one counts.  Returns the
 * row of 'core', or null. */
const struct dpx_stats_show_pmd *
dpx_stats_show_pmd(const struct dpx_stats_show *, unsigned int core);

#endif /* dpx-stats-show.h */
