/* SPDX-License-Identifier: Apache-2.0
 *
 * The parts of ovs-pmd-plan, in the order in which they run: options, inputs,
 * view, result, report.  Each is one file; the program itself has no logic. */

#ifndef DPX_PLAN_H
#define DPX_PLAN_H 1

#include <stdbool.h>
#include <stddef.h>

#include "compiler.h"
#include "dpx-core-choice.h"
#include "dpx-cpuset.h"
#include "dpx-findings.h"
#include "dpx-flow-dump.h"
#include "dpx-load-table.h"
#include "dpx-placement.h"
#include "dpx-rxq-show.h"
#include "dpx-stats-show.h"
#include "dpx-topology.h"
#include "dpx-txq-text.h"
#include "dpx-view.h"
#include "openvswitch/shash.h"
#include "svec.h"

struct dpx_report;

/* What the program exits with; the manual page explains it. */
enum dpx_plan_exit {
    DPX_EXIT_NOTHING = 0,       /* Nothing to do. */
    DPX_EXIT_INPUT = 1,         /* Input unusable. */
    DPX_EXIT_USAGE = 2,         /* Wrong words on the command line. */
    DPX_EXIT_PLAN = 3,          /* Moves or commands were printed. */
    DPX_EXIT_PROBLEM = 4        /* Problems, but nothing here solves them. */
};

/* What the operator asked for.  Strings belong to the command line. */
struct dpx_plan_options {
    const char *rxq, *stats, *flows, *dpif, *log;   /* Null: not given. */
    struct svec machines;
    struct dpx_cpuset guests;
    struct dpx_cpuset housekeeping;
    unsigned int n_threads;                         /* 0: not asked. */
    struct dpx_cpuset mask;
    bool has_mask;
    struct shash port_numa;                         /* Port: node + 1. */
    struct dpx_placement_options placement;
    bool json;
    bool help, version;
};

/* Reads the command line.  Returns null, or an error that quotes the word, to
 * be freed. */
char *dpx_plan_options_parse(struct dpx_plan_options *, int argc,
                             char *argv[]) OVS_WARN_UNUSED_RESULT;
void dpx_plan_options_destroy(struct dpx_plan_options *);

/* Prints how to use the program. */
void dpx_plan_usage(void);

/* What was read; null: not given. */
struct dpx_plan_input {
    struct dpx_rxq_show *rxq;
    struct dpx_load_table *table;
    struct dpx_stats_show *stats;
    struct dpx_flow_dump *flows;
    struct dpx_txq_text *dpif, *log;
    struct dpx_topology *machine;
};

/* Reads all inputs.  Returns null, or an error that names the file, to be
 * freed. */
char *dpx_plan_input_read(struct dpx_plan_input *,
                          const struct dpx_plan_options *)
    OVS_WARN_UNUSED_RESULT;
void dpx_plan_input_destroy(struct dpx_plan_input *);

/* The PMDs and queues as the inputs show them. */
void dpx_plan_view_init(struct dpx_view *, const struct dpx_plan_input *,
                        const struct dpx_plan_options *);

/* The same queues with the PMDs of 'mask'.  Returns null, or an error to be
 * freed. */
char *dpx_plan_view_with_mask(struct dpx_view *, const struct dpx_view *now,
                              const struct dpx_cpuset *mask,
                              const struct dpx_topology *)
    OVS_WARN_UNUSED_RESULT;
void dpx_plan_view_destroy(struct dpx_view *);

/* The answer. */
struct dpx_plan_result {
    struct dpx_view now;            /* As the inputs show it. */
    struct dpx_view then;           /* With another mask, if there is one. */
    bool has_then;
    struct dpx_core_choice *choice; /* Of --threads, or null. */
    struct dpx_plan *plan;          /* Null: there is no load to plan by. */
    struct dpx_load_shift *shifts;  /* Of a table of loads. */
    size_t n_shifts;
    struct dpx_findings findings;
    struct svec commands;
};

/* Makes the answer.  Returns null, or an error to be freed. */
char *dpx_plan_result_make(struct dpx_plan_result *,
                           const struct dpx_plan_input *,
                           const struct dpx_plan_options *)
    OVS_WARN_UNUSED_RESULT;
void dpx_plan_result_destroy(struct dpx_plan_result *);
enum dpx_plan_exit dpx_plan_result_exit(const struct dpx_plan_result *);

/* The view that the plan is for. */
const struct dpx_view *dpx_plan_result_view(const struct dpx_plan_result *);

/* Findings that come from the texts, not from a view. */
void dpx_plan_find(struct dpx_findings *, const struct dpx_plan_input *,
                   const struct dpx_view *now);

/* Commands that do what the result says. */
void dpx_plan_commands(struct svec *commands, const struct dpx_plan_result *,
                       const struct dpx_plan_input *,
                       const struct dpx_plan_options *);

/* Can the release that wrote 'in' pin queues without isolating their PMD? */
bool dpx_plan_can_share_pins(const struct dpx_plan_input *in);

/* Does 'port' belong to a guest, which decides on its queues itself? */
bool dpx_plan_is_vhost(const struct dpx_plan_input *, const char *port);

/* Is this pmd-stats-show text too old to say anything about the load now? */
bool dpx_plan_is_cumulative(const struct dpx_stats_show_pmd *);

void dpx_plan_report(struct dpx_report *, const struct dpx_plan_result *,
                     const struct dpx_plan_input *);

#endif /* dpx-plan.h */
