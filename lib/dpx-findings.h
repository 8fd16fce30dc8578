/* SPDX-License-Identifier: Apache-2.0
 *
 * What is wrong with a placement, in sentences.
 *
 * A plan says what to move; findings say what no move can help, and what an
 * operator has to look at.  Pure: a view in, sentences out.  Called on the
 * main thread and by offline programs. */

#ifndef DPX_FINDINGS_H
#define DPX_FINDINGS_H 1

#include <stddef.h>

#include "compiler.h"
#include "dpx-view.h"

struct dpx_cpu_busy;
struct dpx_cpuset;
struct dpx_dpif_state;
struct dpx_report;
struct dpx_topology;

enum dpx_severity {
    DPX_NOTE,                   /* Good to know. */
    DPX_CHECK,                  /* Cannot be judged from here. */
    DPX_PROBLEM                 /* Costs packets or cores. */
};

struct dpx_finding {
    enum dpx_severity severity;
    char *text;
};

struct dpx_findings {
    struct dpx_finding *rows;
    size_t n, allocated;
};

/* A PMD above this is full: what arrives in a burst does not fit any more. */
#define DPX_FULL 0.85

/* A PMD below this is free. */
#define DPX_FREE 0.05

/* Two PMDs above this on one core get in each other's way. */
#define DPX_BUSY 0.30

void dpx_findings_destroy(struct dpx_findings *);
void dpx_findings_add(struct dpx_findings *, enum dpx_severity,
                      const char *format, ...) OVS_PRINTF_FORMAT(3, 4);

/* Appends a table "findings" to 'report'. */
void dpx_findings_report(const struct dpx_findings *, struct dpx_report *);

/* The severest finding, or DPX_NOTE. */
enum dpx_severity dpx_findings_worst(const struct dpx_findings *);

/* Isolation, queues nobody polls, queues that fill a PMD, full nodes, idle
 * PMDs, crossed nodes, loads not measured. */
void dpx_findings_of_view(struct dpx_findings *, const struct dpx_view *);

/* Busy PMDs that share a physical core.  (The view's smt_id says so.) */
void dpx_findings_of_siblings(struct dpx_findings *, const struct dpx_view *);

/* Siblings of PMDs that have no PMD themselves: those that 'busy' knows to be
 * at work, those of which it knows nothing.  (An idle one does no harm.) */
void dpx_findings_of_outsiders(struct dpx_findings *, const struct dpx_view *,
                               const struct dpx_topology *,
                               const struct dpx_cpu_busy *busy);

/* Returns why nobody polls queue 'rxq' of 'view', or why another core does
 * than pmd-rxq-affinity asks for; to be freed.  Null: neither is so. */
char *dpx_rxq_why(const struct dpx_view *view, const struct dpx_view_rxq *rxq);

/* All of the above, and refused or useless words of pmd-rxq-affinity.  Main
 * thread of ovs-vswitchd. */
void dpx_findings_of_state(struct dpx_findings *,
                           const struct dpx_dpif_state *);

/* PMDs whose CPU or sibling is in 'others', which guests or pods use. */
void dpx_findings_of_guests(struct dpx_findings *, const struct dpx_view *,
                            const struct dpx_topology *,
                            const struct dpx_cpuset *others);

#endif /* dpx-findings.h */
