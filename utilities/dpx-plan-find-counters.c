/* SPDX-License-Identifier: Apache-2.0
 *
 * What statistics, flow dumps and counts of tx queues say.  Pure. */

#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dpx-plan.h"
#include "dpx-plan-find.h"
#include "util.h"

/* Histograms of 2.10 and 2.11 count each packet twice. */
static void
find_histogram(struct dpx_findings *f, const struct dpx_stats_show_pmd *pmd)
{
    if (pmd->packets > 0 && pmd->batch_packets > 0
        && fabs(pmd->batch_packets / pmd->packets - 2) < 0.02) {
        dpx_findings_add(f, DPX_CHECK, "core %u: the histogram pkts/batch "
                         "holds %.0f packets, %.0f were received: 2.10 and "
                         "2.11 count each packet twice", pmd->core_id,
                         pmd->batch_packets, pmd->packets);
    }
}

static void
find_stats(struct dpx_findings *f, const struct dpx_stats_show *stats)
{
    size_t n_cumulative = 0, n_cut = 0;
    double cycles = 0;

    for (size_t i = 0; i < stats->n_pmds; i++) {
        const struct dpx_stats_show_pmd *pmd = &stats->pmds[i];

        find_histogram(f, pmd);
        if (dpx_plan_is_cumulative(pmd)) {
            n_cumulative++;
            cycles = MAX(cycles, pmd->idle_cycles + pmd->busy_cycles);
        }
        n_cut += pmd->packets > 0 && pmd->busy < 0;
    }
    if (n_cumulative) {
        dpx_findings_add(f, DPX_CHECK, "pmd-stats-show counts since the last "
                         "pmd-stats-clear, up to %.0f cycles here (about "
                         "%.0f h at 2.5 GHz): these totals say nothing about "
                         "the present load", cycles, cycles / 2.5e9 / 3600);
    }
    if (n_cut) {
        dpx_findings_add(f, DPX_NOTE, "%"PRIuSIZE" PMD%s received packets "
                         "but the lines with cycles are missing: the output "
                         "was cut", n_cut, n_cut > 1 ? "s" : "");
    }
}

static void
find_flows(struct dpx_findings *f, const struct dpx_flow_dump *flows)
{
    for (size_t i = 0; i < flows->n_pmds; i++) {
        const struct dpx_flow_dump_pmd *pmd = &flows->pmds[i];
        char *who = pmd->core_id < 0 ? xstrdup("the main thread")
                                     : xasprintf("core %d", pmd->core_id);

        if (pmd->n_recirculated) {
            dpx_findings_add(f, DPX_NOTE, "%s: %"PRIuSIZE" flows are "
                             "%"PRIuSIZE" path%s: flows that recirculate "
                             "hand packets on, and adding them up counts "
                             "packets again", who, pmd->n_flows, pmd->n_paths,
                             pmd->n_paths > 1 ? "s" : "");
        }
        if (pmd->n_flows >= 1000 && pmd->n_single > pmd->n_flows / 2) {
            dpx_findings_add(f, DPX_PROBLEM, "%s: %"PRIuSIZE" of %"PRIuSIZE
                             " flows have at most one packet: each costs an "
                             "upcall; some rule or NORMAL matches too much",
                             who, pmd->n_single, pmd->n_flows);
        }
        free(who);
    }
}

/* PMDs that send: those of the view, or what a port asked for. */
static int
count_senders(const struct dpx_txq_text *dpif, const struct dpx_view *view)
{
    int n = view->n_pmds;

    for (size_t i = 0; i < dpif->n_ports && !view->n_pmds; i++) {
        const struct dpx_txq_port *port = &dpif->ports[i];

        if (!dpx_txq_is_vhost(port->type)) {
            n = MAX(n, port->txqs_asked - 1);
        }
    }
    return n;
}

static void
find_txqs(struct dpx_findings *f, const struct dpx_txq_text *dpif,
          const struct dpx_view *view)
{
    int n_pmds = count_senders(dpif, view);

    for (size_t i = 0; i < dpif->n_ports; i++) {
        const struct dpx_txq_port *port = &dpif->ports[i];

        if (port->txqs <= 0 || n_pmds <= 0) {
            continue;
        }
        if (port->txqs == n_pmds + 1) {
            dpx_findings_add(f, DPX_NOTE, "%s has %d tx queues: %d PMDs and "
                             "the main thread, one each", port->name,
                             port->txqs, n_pmds);
        } else if (port->txqs < n_pmds + 1) {
            dpx_findings_add(f, DPX_CHECK, "%s has %d tx queue%s for %d PMDs "
                             "and the main thread: shared under a lock%s",
                             port->name, port->txqs,
                             port->txqs > 1 ? "s" : "", n_pmds,
                             dpx_txq_is_vhost(port->type)
                             ? "; its guest decides how many there are" : "");
        }
    }
}

static void
find_refusals(struct dpx_findings *f, const struct dpx_txq_text *log)
{
    if (!log->n_refusals) {
        dpx_findings_add(f, DPX_NOTE, "the log has no word about tx queues "
                         "that a device refused");
    }
    for (size_t i = 0; i < log->n_refusals; i++) {
        const struct dpx_txq_refusal *r = &log->refusals[i];

        dpx_findings_add(f, DPX_CHECK, "%s: %d or more tx queues were asked "
                         "(one per PMD and one for the main thread), its "
                         "device refuses number %d%s", r->name,
                         r->refused + 1, r->refused,
                         r->retried > 0 ? "" : "; it may be down");
        if (r->retried > 0) {
            dpx_findings_add(f, DPX_NOTE, "%s goes on with %d tx queues, "
                             "which threads share under a lock", r->name,
                             r->retried);
        }
    }
}

void
dpx_plan_find_counters(struct dpx_findings *f,
                       const struct dpx_plan_input *in,
                       const struct dpx_view *view)
{
    if (in->stats) {
        find_stats(f, in->stats);
    }
    if (in->flows) {
        find_flows(f, in->flows);
    }
    if (in->dpif) {
        find_txqs(f, in->dpif, view);
    }
    if (in->log) {
        find_refusals(f, in->log);
    }
}
