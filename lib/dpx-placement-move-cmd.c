/* SPDX-License-Identifier: Apache-2.0
 *
 * dpif-netdev/pmd-rxq-move: puts one rx queue on a core by hand.  Main thread
 * only. */

#include <config.h>

#include "dpx-cmd.h"
#include "dpx-cpuset.h"
#include "dpx-dpif.h"
#include "dpx-step-report.h"
#include "util.h"

/* Reads 'word', a number below 'limit'. */
static char *
read_number(const char *word, const char *what, int limit, int *value)
{
    if (!str_to_int(word, 10, value) || *value < 0 || *value >= limit) {
        return xasprintf("\"%s\": %s is a number from 0 to %d", word, what,
                         limit - 1);
    }
    return NULL;
}

static char *
rxq_move(const struct dpx_cmd_args *args, struct dpx_report *report)
{
    struct dpx_step *step;
    int queue_id, core;
    char *error;

    error = read_number(args->words[1], "QUEUE", UINT16_MAX, &queue_id);
    if (!error) {
        error = read_number(args->words[2], "CORE", DPX_MAX_CPUS, &core);
    }
    if (!error) {
        error = dpx_dpif_rxq_move(args->n_words > 3 ? args->words[3] : NULL,
                                  args->words[0], queue_id, core, &step);
    }
    if (!error) {
        dpx_step_report(report, step);
        dpx_step_destroy(step);
    }
    return error;
}

const struct dpx_cmd dpx_cmd_rxq_move = {
    .name = "dpif-netdev/pmd-rxq-move",
    .words = "PORT QUEUE CORE [DP]",
    .min_words = 3,
    .max_words = 4,
    .run = rxq_move,
};
