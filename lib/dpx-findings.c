/* SPDX-License-Identifier: Apache-2.0
 *
 * The list of findings, and those about cores that PMDs share. */

#include <config.h>
#include "dpx-findings.h"

#include <stdarg.h>
#include <stdlib.h>

#include "dpx-cpu-busy.h"
#include "dpx-report.h"
#include "dpx-topology.h"
#include "openvswitch/dynamic-string.h"
#include "util.h"

void
dpx_findings_destroy(struct dpx_findings *f)
{
    for (size_t i = 0; i < f->n; i++) {
        free(f->rows[i].text);
    }
    free(f->rows);
    *f = (struct dpx_findings) { .n = 0 };
}

void
dpx_findings_add(struct dpx_findings *f, enum dpx_severity severity,
                 const char *format, ...)
{
    va_list args;

    if (f->n >= f->allocated) {
        f->rows = x2nrealloc(f->rows, &f->allocated, sizeof *f->rows);
    }
    va_start(args, format);
    f->rows[f->n++] = (struct dpx_finding) {
        .severity = severity, .text = xvasprintf(format, args),
    };
    va_end(args);
}

static const char *
severity_name(enum dpx_severity severity)
{
    switch (severity) {
    case DPX_NOTE: return "note";
    case DPX_CHECK: return "check";
    case DPX_PROBLEM: return "problem";
    default: OVS_NOT_REACHED();
    }
}

void
dpx_findings_report(const struct dpx_findings *f, struct dpx_report *report)
{
    dpx_report_table(report, "findings", "Findings");
    dpx_report_column(report, "KIND", DPX_LEFT);
    dpx_report_column(report, "FINDING", DPX_LEFT);
    /* The severest first, each kind in the order of its making. */
    for (int severity = DPX_PROBLEM; severity >= DPX_NOTE; severity--) {
        for (size_t i = 0; i < f->n; i++) {
            if (f->rows[i].severity == (enum dpx_severity) severity) {
                dpx_report_row(report);
                dpx_report_text(report, "%s", severity_name(severity));
                dpx_report_text(report, "%s", f->rows[i].text);
            }
        }
    }
}

enum dpx_severity
dpx_findings_worst(const struct dpx_findings *f)
{
    enum dpx_severity worst = DPX_NOTE;

    for (size_t i = 0; i < f->n; i++) {
        worst = MAX(worst, f->rows[i].severity);
    }
    return worst;
}

/* A PMD of the same node whose physical core is free, or null. */
static const struct dpx_view_pmd *
free_core(const struct dpx_view *view, const struct dpx_view_pmd *like)
{
    for (size_t i = 0; i < view->n_pmds; i++) {
        const struct dpx_view_pmd *pmd = &view->pmds[i];
        bool is_free = (!pmd->isolated && pmd->numa_id == like->numa_id
                        && pmd->smt_id != like->smt_id);

        for (size_t j = 0; j < view->n_pmds && is_free; j++) {
            const struct dpx_view_pmd *other = &view->pmds[j];

            if (other == pmd || (pmd->smt_id >= 0
                                 && other->smt_id == pmd->smt_id)) {
                is_free = other->busy >= 0 && other->busy < DPX_FREE;
            }
        }
        if (is_free) {
            return pmd;
        }
    }
    return NULL;
}

static void
judge_pair(struct dpx_findings *f, const struct dpx_view *view,
           const struct dpx_view_pmd *a, const struct dpx_view_pmd *b)
{
    const struct dpx_view_pmd *room = free_core(view, a);
    char *what = xasprintf("cores %u and %u are at %.0f and %.0f %% and are "
                           "one physical core", a->core_id, b->core_id,
                           a->busy * 100, b->busy * 100);

    if (room) {
        dpx_findings_add(f, DPX_PROBLEM, "%s, while that of core %u is free",
                         what, room->core_id);
    } else if (a->busy + b->busy > 2 * DPX_FULL * 0.65) {
        dpx_findings_add(f, DPX_PROBLEM, "%s: together they want more than "
                         "it has, and no other core of the PMDs is free",
                         what);
    } else {
        dpx_findings_add(f, DPX_NOTE, "%s; no other core of the PMDs is free",
                         what);
    }
    free(what);
}

void
dpx_findings_of_siblings(struct dpx_findings *f, const struct dpx_view *view)
{
    for (size_t i = 0; i < view->n_pmds; i++) {
        const struct dpx_view_pmd *a = &view->pmds[i];

        for (size_t j = i + 1; j < view->n_pmds; j++) {
            const struct dpx_view_pmd *b = &view->pmds[j];

            if (a->smt_id >= 0 && a->smt_id == b->smt_id
                && a->busy >= DPX_BUSY && b->busy >= DPX_BUSY) {
                judge_pair(f, view, a, b);
            }
        }
    }
}

/* Adds those siblings of 'pmd' that are not in 'seen', which are the PMDs and
 * those that were judged before: a finding for each that is busy, and to
 * 'unknown' each of which that is not known. */
static void
judge_outsiders(struct dpx_findings *f, const struct dpx_view_pmd *pmd,
                const struct dpx_topology *machine,
                const struct dpx_cpu_busy *busy, struct dpx_cpuset *seen,
                struct dpx_cpuset *unknown)
{
    struct dpx_cpuset siblings;

    dpx_topology_siblings(machine, pmd->core_id, &siblings);
    for (unsigned int cpu = 0; cpu < machine->n_cpus; cpu++) {
        double share = dpx_cpu_busy_get(busy, cpu);

        if (!dpx_cpuset_has(&siblings, cpu) || dpx_cpuset_has(seen, cpu)) {
            continue;
        }
        dpx_cpuset_add(seen, cpu);
        if (share < 0) {
            dpx_cpuset_add(unknown, cpu);
        } else if (share >= DPX_FREE) {
            dpx_findings_add(f, DPX_PROBLEM, "CPU %u, the sibling of PMD core "
                             "%u, is %.0f %% busy with something that is no "
                             "PMD: they share one physical core", cpu,
                             pmd->core_id, share * 100);
        }
    }
}

void
dpx_findings_of_outsiders(struct dpx_findings *f, const struct dpx_view *view,
                          const struct dpx_topology *machine,
                          const struct dpx_cpu_busy *busy)
{
    struct dpx_cpuset seen = { .bits = { 0 } }, unknown = { .bits = { 0 } };
    struct ds list = DS_EMPTY_INITIALIZER;

    for (size_t i = 0; i < view->n_pmds; i++) {
        dpx_cpuset_add(&seen, view->pmds[i].core_id);
    }
    for (size_t i = 0; i < view->n_pmds; i++) {
        judge_outsiders(f, &view->pmds[i], machine, busy, &seen, &unknown);
    }
    if (dpx_cpuset_count(&unknown)) {
        dpx_cpuset_put_list(&unknown, &list);
        dpx_findings_add(f, DPX_CHECK, "siblings of PMD cores that have no "
                         "PMD: %s; what runs there, if anything does, slows "
                         "the PMDs down", ds_cstr(&list));
    }
    ds_destroy(&list);
}

void
dpx_findings_of_guests(struct dpx_findings *f, const struct dpx_view *view,
                       const struct dpx_topology *machine,
                       const struct dpx_cpuset *others)
{
    for (size_t i = 0; i < view->n_pmds; i++) {
        unsigned int core = view->pmds[i].core_id;

        if (dpx_cpuset_has(others, core)) {
            dpx_findings_add(f, DPX_PROBLEM, "core %u has a PMD and is used "
                             "by a guest as well", core);
        }
        for (unsigned int cpu = 0; machine && cpu < machine->n_cpus; cpu++) {
            if (cpu != core && dpx_cpuset_has(others, cpu)
                && dpx_topology_are_siblings(machine, core, cpu)) {
                dpx_findings_add(f, DPX_PROBLEM, "core %u has a PMD and its "
                                 "sibling %u is used by a guest: they share "
                                 "one physical core", core, cpu);
            }
        }
    }
}
