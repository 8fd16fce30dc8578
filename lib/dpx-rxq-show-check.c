/* SPDX-License-Identifier: Apache-2.0
 *
 * Judges an output of pmd-rxq-show as a whole: is it one, is it the last of
 * several, can it be true.  Called by its reader only. */

#include <config.h>
#include "dpx-rxq-show-check.h"

#include <stdlib.h>
#include <string.h>

#include "dpx-cpuset.h"
#include "dpx-paste.h"
#include "dpx-view.h"
#include "openvswitch/shash.h"
#include "util.h"

/* What ovs-appctl says instead of an output, and what that means. */
static const struct {
    const char *said;
    const char *means;
} refusals[] = {
    { "please specify an existing datapath",
      "not a userspace datapath: the bridges of this host have no "
      "datapath_type=netdev, or there are several and the command needs the "
      "name of one" },
    { "is not a valid command",
      "this ovs-vswitchd does not know the command" },
    { "cannot connect to",
      "ovs-vswitchd was not running" },
    { "connection attempt failed",
      "ovs-vswitchd was not running" },
    { "Permission denied",
      "the command has to be run by root" },
};

char *
dpx_rxq_show_refuse(const struct dpx_paste *p)
{
    for (size_t i = 0; i < p->n_lines; i++) {
        const struct dpx_paste_line *line = &p->lines[i];

        for (size_t j = 0; j < ARRAY_SIZE(refusals); j++) {
            if (strstr(line->s, refusals[j].said)) {
                return xasprintf("line %d: '%s': %s", line->number,
                                 refusals[j].said, refusals[j].means);
            }
        }
    }
    return NULL;
}

/* Words that lines of pmd-stats-show begin with. */
static const char *foreign[] = {
    "packets", "packet", "avg.", "avg", "emc", "smc", "phwol", "mfex",
    "simple", "megaflow", "miss:", "miss", "lost:", "lost", "idle", "polling",
    "processing", "main",
};

bool
dpx_rxq_show_is_foreign(const struct dpx_paste *p)
{
    const struct dpx_paste_word *w = dpx_paste_peek(p, 0);

    for (size_t i = 0; w->first && i < ARRAY_SIZE(foreign); i++) {
        if (!strcmp(w->s, foreign[i])) {
            return true;
        }
    }
    return false;
}

/* Returns the PMD with which the last output of the text begins. */
static size_t
find_last_output(const struct dpx_rxq_show *show)
{
    struct dpx_cpuset seen = { { 0 } };
    size_t start = 0;

    for (size_t i = 0; i < show->n_pmds; i++) {
        const struct dpx_rxq_show_pmd *pmd = &show->pmds[i];

        if (pmd->foreign) {
            continue;
        }
        if (dpx_cpuset_has(&seen, pmd->core_id)) {
            size_t first = i;

            memset(&seen, 0, sizeof seen);
            while (first > start && show->pmds[first - 1].block == pmd->block
                   && show->pmds[first - 1].core_id != pmd->core_id) {
                first--;
                if (!show->pmds[first].foreign) {
                    dpx_cpuset_add(&seen, show->pmds[first].core_id);
                }
            }
            start = first;
        }
        dpx_cpuset_add(&seen, pmd->core_id);
    }
    return start;
}

/* Keeps the PMDs from 'start' on that are of this output. */
static void
keep_pmds(struct dpx_rxq_show *show, size_t start)
{
    size_t *new_index = xcalloc(show->n_pmds + 1, sizeof *new_index);
    size_t n = 0, n_rxqs = 0;

    for (size_t i = 0; i < show->n_pmds; i++) {
        new_index[i] = SIZE_MAX;
        if (i >= start && !show->pmds[i].foreign) {
            new_index[i] = n;
            show->pmds[n++] = show->pmds[i];
        }
    }
    for (size_t i = 0; i < show->n_rxqs; i++) {
        struct dpx_rxq_show_rxq *rxq = &show->rxqs[i];

        if (new_index[rxq->pmd] == SIZE_MAX) {
            free(rxq->port);
        } else {
            rxq->pmd = new_index[rxq->pmd];
            show->rxqs[n_rxqs++] = *rxq;
        }
    }
    show->n_pmds = n;
    show->n_rxqs = n_rxqs;
    free(new_index);
}

static char *
find_duplicates(const struct dpx_rxq_show *show)
{
    struct shash seen = SHASH_INITIALIZER(&seen);
    char *error = NULL;

    for (size_t i = 0; i < show->n_rxqs && !error; i++) {
        const struct dpx_rxq_show_rxq *rxq = &show->rxqs[i];
        char *key = xasprintf("%d %s", rxq->queue_id, rxq->port);
        const struct dpx_rxq_show_rxq *other = shash_find_data(&seen, key);

        if (other) {
            error = xasprintf("line %d: queue %d of port '%.40s' is listed "
                              "twice, first in line %d", rxq->line,
                              rxq->queue_id, rxq->port, other->line);
        } else {
            shash_add(&seen, key, rxq);
        }
        free(key);
    }
    shash_destroy(&seen);
    return error;
}

/* Releases up to 2.16 print more than 100 % after a reload. */
static void
hold_loads(struct dpx_rxq_show *show)
{
    double *sum = xcalloc(show->n_pmds + 1, sizeof *sum);

    for (size_t i = 0; i < show->n_rxqs; i++) {
        struct dpx_rxq_show_rxq *rxq = &show->rxqs[i];

        if (rxq->usage > 1) {
            svec_add_nocopy(&show->notes,
                            xasprintf("line %d: %.0f %% is taken as 100 %%",
                                      rxq->line, rxq->usage * 100));
            rxq->usage = 1;
            show->low_confidence = true;
        }
        sum[rxq->pmd] += MAX(0, rxq->usage);
    }
    for (size_t i = 0; i < show->n_pmds; i++) {
        struct dpx_rxq_show_pmd *pmd = &show->pmds[i];

        pmd->overhead = MIN(1, pmd->overhead);
        if (sum[i] > 1.05) {
            svec_add_nocopy(&show->notes,
                            xasprintf("core %u: its queues add up to %.0f %%",
                                      pmd->core_id, sum[i] * 100));
            show->low_confidence = true;
        }
    }
    free(sum);
}

char *
dpx_rxq_show_check(struct dpx_rxq_show *show)
{
    bool any = show->n_pmds > 0;
    size_t start = find_last_output(show);
    char *error;

    if (start) {
        svec_add_nocopy(&show->notes,
                        xasprintf("the text holds several outputs: the last "
                                  "one, from line %d on, counts",
                                  show->pmds[start].line));
    }
    keep_pmds(show, start);
    if (!show->n_pmds) {
        return xstrdup(any ? "this is no output of pmd-rxq-show but of "
                             "pmd-stats-show or pmd-perf-show: give it with "
                             "--stats"
                           : "there is no PMD in the text: no line says 'pmd "
                             "thread numa_id N core_id N:'");
    }
    error = find_duplicates(show);
    if (!error) {
        hold_loads(show);
    }
    return error;
}

const char *
dpx_rxq_show_release(const struct dpx_rxq_show *show)
{
    return (show->seconds ? "3.1 or later"
            : show->has_overhead ? "2.16 to 3.0"
            : show->has_enabled ? "2.12 to 2.15"
            : show->has_usage ? "2.9 to 2.11"
            : show->has_isolated && show->n_rxqs ? "2.6 to 2.8"
            : show->has_isolated ? "2.6 or later"
            : "2.5 or earlier");
}
