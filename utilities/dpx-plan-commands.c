/* SPDX-License-Identifier: Apache-2.0
 *
 * The ovs-vsctl commands that do on a stock switch what a result says.  Pure.
 *
 * Stock assigns every queue that is not pinned anew when anything changes, and
 * a pinned queue isolates its PMD.  So a plan holds only if all queues of the
 * nodes that it touches are pinned, and, where the release can, pinning does
 * not isolate. */

#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "dpx-plan.h"
#include "openvswitch/dynamic-string.h"
#include "util.h"

/* More rx queues than this no one asks for at once. */
#define MAX_PROPOSED_RXQS 16

/* Appends 'word' so that a shell takes it as one. */
static void
put_quoted(struct ds *s, const char *word)
{
    if (*word && word[strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                             "abcdefghijklmnopqrstuvwxyz0123456789._+-")]
        == '\0') {
        ds_put_cstr(s, word);
        return;
    }
    ds_put_char(s, '\'');
    for (; *word; word++) {
        if (*word == '\'') {
            ds_put_cstr(s, "'\\''");
        } else {
            ds_put_char(s, *word);
        }
    }
    ds_put_char(s, '\'');
}

/* 'overhead' came with pmd-rxq-isolate, in 2.16. */
bool
dpx_plan_can_share_pins(const struct dpx_plan_input *in)
{
    return in->rxq->has_overhead || in->rxq->seconds;
}

bool
dpx_plan_is_vhost(const struct dpx_plan_input *in, const char *port)
{
    for (size_t i = 0; in->dpif && i < in->dpif->n_ports; i++) {
        if (!strcmp(in->dpif->ports[i].name, port)) {
            return dpx_txq_is_vhost(in->dpif->ports[i].type);
        }
    }
    /* Without types, the names that OpenStack and the manuals give. */
    return !strncmp(port, "vhu", 3) || !strncmp(port, "vhost", 5)
           || strstr(port, "vhost");
}

/* Appends "-- set RECORD KEY=" to a command of several steps: one transaction
 * is one reconfiguration, so queues move once. */
static void
put_step(struct ds *s, const char *table, const char *record, const char *key)
{
    ds_put_format(s, "%s -- set %s ", s->length ? "" : "ovs-vsctl", table);
    put_quoted(s, record);
    ds_put_format(s, " %s=", key);
}

static void
put_mask(struct ds *s, const struct dpx_plan_result *result,
         const struct dpx_plan_options *options)
{
    const struct dpx_cpuset *mask = (result->choice ? &result->choice->mask
                                     : options->has_mask ? &options->mask
                                     : NULL);
    struct dpx_cpuset current = { { 0 } };

    for (size_t i = 0; i < result->now.n_pmds; i++) {
        dpx_cpuset_add(&current, result->now.pmds[i].core_id);
    }
    if (mask && dpx_cpuset_count(mask)
        && memcmp(&current, mask, sizeof current)) {
        put_step(s, "Open_vSwitch", ".", "other_config:pmd-cpu-mask");
        dpx_cpuset_put_mask(mask, s);
    }
}

/* Marks the nodes that a move leaves or enters. */
static void
mark_nodes(const struct dpx_view *view, const struct dpx_plan *plan,
           struct dpx_cpuset *nodes)
{
    for (size_t i = 0; i < plan->n_moves; i++) {
        int ends[] = { plan->moves[i].from, plan->moves[i].to };

        for (size_t j = 0; j < ARRAY_SIZE(ends); j++) {
            if (ends[j] >= 0) {
                dpx_cpuset_add(nodes, MAX(0, view->pmds[ends[j]].numa_id));
            }
        }
    }
}

static int
compare_queues(const void *a_, const void *b_)
{
    const struct dpx_view_rxq *const *a = a_, *const *b = b_;

    return (*a)->queue_id < (*b)->queue_id ? -1
           : (*a)->queue_id > (*b)->queue_id;
}

/* Pins all queues of 'port' as planned; the key's value is one string. */
static void
pin_port(struct ds *s, const struct dpx_view *view,
         const struct dpx_plan *plan, const char *port)
{
    const struct dpx_view_rxq **queues;
    const char *comma = "";
    size_t n = 0;

    queues = xcalloc(view->n_rxqs + 1, sizeof *queues);
    for (size_t i = 0; i < view->n_rxqs; i++) {
        if (!strcmp(view->rxqs[i].port, port)) {
            queues[n++] = &view->rxqs[i];
        }
    }
    qsort(queues, n, sizeof *queues, compare_queues);
    put_step(s, "Interface", port, "other_config:pmd-rxq-affinity");
    ds_put_char(s, '"');
    for (size_t i = 0; i < n; i++) {
        int pmd = plan->pmd_of_rxq[queues[i] - view->rxqs];

        if (pmd >= 0) {
            ds_put_format(s, "%s%d:%u", comma, queues[i]->queue_id,
                          view->pmds[pmd].core_id);
            comma = ",";
        }
    }
    ds_put_char(s, '"');
    free(queues);
}

static void
put_pins(struct ds *s, const struct dpx_plan_result *result,
         const struct dpx_plan_input *in)
{
    const struct dpx_view *view = dpx_plan_result_view(result);
    const struct dpx_plan *plan = result->plan;
    struct shash ports = SHASH_INITIALIZER(&ports);
    struct dpx_cpuset nodes = { { 0 } };

    if (!plan->n_moves) {
        return;
    }
    mark_nodes(view, plan, &nodes);
    if (dpx_plan_can_share_pins(in)) {
        put_step(s, "Open_vSwitch", ".", "other_config:pmd-rxq-assign");
        ds_put_cstr(s, "group other_config:pmd-rxq-isolate=false");
    }
    for (size_t i = 0; i < view->n_rxqs; i++) {
        int pmd = plan->pmd_of_rxq[i];
        int numa = pmd >= 0 ? MAX(0, view->pmds[pmd].numa_id) : 0;

        if (pmd >= 0 && dpx_cpuset_has(&nodes, numa)
            && view->rxqs[i].pinned < 0
            && shash_add_once(&ports, view->rxqs[i].port, NULL)) {
            pin_port(s, view, plan, view->rxqs[i].port);
        }
    }
    shash_destroy(&ports);
}

/* PMDs that could take a share of what fills 'like'. */
static size_t
count_with_room(const struct dpx_view *view, const struct dpx_view_pmd *like)
{
    size_t n = 0;

    for (size_t i = 0; i < view->n_pmds; i++) {
        const struct dpx_view_pmd *pmd = &view->pmds[i];

        n += (!pmd->isolated && pmd->numa_id == like->numa_id
              && pmd->busy >= 0 && pmd->busy < DPX_FULL / 2
              && (pmd->smt_id < 0 || pmd->smt_id != like->smt_id));
    }
    return n;
}

/* More rx queues for a port one of whose queues fills a PMD. */
static void
command_rxqs(struct svec *commands, const struct dpx_plan_result *result,
             const struct dpx_plan_input *in)
{
    const struct dpx_view *view = &result->now;
    struct shash ports = SHASH_INITIALIZER(&ports);

    for (size_t i = 0; i < view->n_rxqs; i++) {
        const struct dpx_view_rxq *rxq = &view->rxqs[i];
        size_t n_queues = 0, n_room;
        struct ds s = DS_EMPTY_INITIALIZER;

        if (rxq->current < 0 || rxq->load < DPX_FULL
            || dpx_plan_is_vhost(in, rxq->port)
            || !shash_add_once(&ports, rxq->port, NULL)) {
            continue;
        }
        n_room = count_with_room(view, &view->pmds[rxq->current]);
        for (size_t j = 0; j < view->n_rxqs; j++) {
            n_queues += !strcmp(view->rxqs[j].port, rxq->port);
        }
        if (n_room && n_queues < MAX_PROPOSED_RXQS) {
            ds_put_cstr(&s, "ovs-vsctl set Interface ");
            put_quoted(&s, rxq->port);
            ds_put_format(&s, " options:n_rxq=%"PRIuSIZE,
                          MIN(MAX_PROPOSED_RXQS, n_queues + n_room));
            svec_add_nocopy(commands, ds_steal_cstr(&s));
        }
        ds_destroy(&s);
    }
    shash_destroy(&ports);
}

void
dpx_plan_commands(struct svec *commands, const struct dpx_plan_result *result,
                  const struct dpx_plan_input *in,
                  const struct dpx_plan_options *options)
{
    struct ds s = DS_EMPTY_INITIALIZER;

    put_mask(&s, result, options);
    if (result->plan) {
        put_pins(&s, result, in);
    }
    if (s.length) {
        svec_add(commands, ds_cstr(&s));
    }
    if (result->plan) {
        command_rxqs(commands, result, in);
    }
    ds_destroy(&s);
}
