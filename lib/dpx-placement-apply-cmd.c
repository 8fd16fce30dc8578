/* SPDX-License-Identifier: Apache-2.0
 *
 * dpif-netdev/pmd-placement-apply: carries the best plan out and says what it
 * moved and why.  Main thread only. */

#include <config.h>

#include "dpx-cmd.h"
#include "dpx-dpif.h"
#include "dpx-step-report.h"

static char *
placement_apply(const struct dpx_cmd_args *args, struct dpx_report *report)
{
    struct dpx_step *step;
    char *error;

    error = dpx_dpif_placement_apply(args->n_words ? args->words[0] : NULL,
                                     &step);
    if (!error) {
        dpx_step_report(report, step);
        dpx_step_destroy(step);
    }
    return error;
}

const struct dpx_cmd dpx_cmd_placement_apply = {
    .name = "dpif-netdev/pmd-placement-apply",
    .words = "[DP]",
    .max_words = 1,
    .run = placement_apply,
};
