/* SPDX-License-Identifier: Apache-2.0
 *
 * dpif-netdev/flow-stats-show: the megaflows that matter, best first; and
 * dpif-netdev/flow-stats-clear.  Main thread only; decides nothing. */

#include <config.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "dpx-cmd.h"
#include "dpx-dpif.h"
#include "dpx-report.h"
#include "openvswitch/dynamic-string.h"
#include "util.h"
#include "uuid.h"

enum { OPT_N, OPT_KEY, OPT_PMD, OPT_PORT, OPT_ROOT, OPT_MERGE };

static const struct dpx_cmd_option options[] = {
    [OPT_N] = { "-n", "N" },
    [OPT_KEY] = { "-s", "KEY" },
    [OPT_PMD] = { "-pmd", "CORE" },
    [OPT_PORT] = { "-port", "PORT" },
    [OPT_ROOT] = { "-root", NULL },
    [OPT_MERGE] = { "-merge", NULL },
    { NULL, NULL },
};

static char *
parse_key(const char *word, enum dpx_flow_key *key)
{
    struct ds names = DS_EMPTY_INITIALIZER;
    char *error;

    for (int i = 0; i < DPX_N_FLOW_KEYS; i++) {
        if (!strcmp(word, dpx_flow_key_name(i))) {
            *key = i;
            ds_destroy(&names);
            return NULL;
        }
        ds_put_format(&names, " %s", dpx_flow_key_name(i));
    }
    error = xasprintf("\"%s\": -s takes one of%s", word, ds_cstr(&names));
    ds_destroy(&names);
    return error;
}

static char *
parse_query(const struct dpx_cmd_args *args, struct dpx_flow_query *query)
{
    int n = 10, core = DPX_CORE_MAIN;
    char *error;

    *query = (struct dpx_flow_query) { .key = DPX_FLOW_PPS };
    error = dpx_cmd_int(&dpx_cmd_flow_stats_show, args, OPT_N, 1, 100000, &n);
    if (!error && args->options[OPT_KEY]) {
        error = parse_key(args->options[OPT_KEY], &query->key);
    }
    if (!error && args->options[OPT_PMD]
        && strcmp(args->options[OPT_PMD], "main")) {
        error = dpx_cmd_int(&dpx_cmd_flow_stats_show, args, OPT_PMD, 0,
                            INT_MAX, &core);
    }
    query->n = n;
    query->any_core = !args->options[OPT_PMD];
    query->core_id = core;
    query->port = args->options[OPT_PORT];
    query->root = args->options[OPT_ROOT];
    query->merge = args->options[OPT_MERGE];
    return error;
}

static void
put_columns(struct dpx_report *report)
{
    static const struct {
        const char *name;
        enum dpx_align align;
    } columns[] = {
        { "RANK", DPX_RIGHT }, { "CORE", DPX_RIGHT }, { "RXQ", DPX_LEFT },
        { "OUT", DPX_LEFT },
        { "PPS", DPX_RIGHT }, { "PPS 10S", DPX_RIGHT },
        { "PPS 60S", DPX_RIGHT },
        { "BPS", DPX_RIGHT }, { "BPS 10S", DPX_RIGHT },
        { "BPS 60S", DPX_RIGHT },
        { "SHARE %", DPX_RIGHT }, { "BUSY %", DPX_RIGHT },
        { "COST", DPX_RIGHT }, { "COST CI", DPX_RIGHT },
        { "PACKETS", DPX_RIGHT }, { "BYTES", DPX_RIGHT },
        { "BURSTS", DPX_RIGHT },
        { "SIMPLE", DPX_RIGHT }, { "EMC", DPX_RIGHT }, { "SMC", DPX_RIGHT },
        { "DPCLS", DPX_RIGHT }, { "OFFLOAD", DPX_RIGHT },
        { "OTHER", DPX_RIGHT }, { "UPCALLS", DPX_RIGHT },
        { "HW", DPX_LEFT },
        { "FIRST S", DPX_RIGHT }, { "LAST S", DPX_RIGHT },
        { "UFID", DPX_LEFT }, { "MATCH", DPX_LEFT }, { "ACTIONS", DPX_LEFT },
    };

    for (size_t i = 0; i < ARRAY_SIZE(columns); i++) {
        dpx_report_column(report, columns[i].name, columns[i].align);
    }
}

static void
put_rates(struct dpx_report *report, const struct dpx_flow_pick *pick)
{
    for (int i = 0; i < DPX_FLOW_N_RATES; i++) {
        dpx_report_amount(report, pick->rates.pps[i], 0);
    }
    for (int i = 0; i < DPX_FLOW_N_RATES; i++) {
        dpx_report_amount(report, pick->rates.bps[i], 0);
    }
}

static void
put_counts(struct dpx_report *report, const struct dpx_flow_counts *counts)
{
    static const enum dpx_flow_tier tiers[] = {
        DPX_TIER_SIMPLE, DPX_TIER_EMC, DPX_TIER_SMC, DPX_TIER_DPCLS,
        DPX_TIER_OFFLOAD, DPX_TIER_OTHER,
    };

    BUILD_ASSERT_DECL(ARRAY_SIZE(tiers) == DPX_N_TIERS);
    dpx_report_int(report, counts->packets);
    dpx_report_int(report, counts->bytes);
    dpx_report_int(report, counts->bursts);
    for (size_t i = 0; i < ARRAY_SIZE(tiers); i++) {
        dpx_report_int(report, counts->tier[tiers[i]]);
    }
    dpx_report_int(report, counts->upcalls);
}

static void
put_row(struct dpx_report *report, size_t rank,
        const struct dpx_flow_pick *pick, const struct dpx_flow_row *row)
{
    dpx_report_row(report);
    dpx_report_int(report, rank);
    if (pick->core_id >= 0) {
        dpx_report_int(report, pick->core_id);
    } else {
        dpx_report_text(report, "%s", row->cores);
    }
    if (row->port) {
        dpx_report_text(report, "%s:%d", row->port, row->queue_id);
    } else {
        dpx_report_unknown(report);
    }
    dpx_report_text(report, "%s", row->outputs);
    put_rates(report, pick);
    dpx_report_percent(report, pick->share, 100);
    dpx_report_percent(report, row->busy, 0);
    dpx_report_amount(report, pick->cost.cycles, 1);
    dpx_report_amount(report, pick->cost.half_width, 1);
    put_counts(report, &pick->counts);
    dpx_report_text(report, "%s", row->offloaded);
    dpx_report_amount(report, row->first_s, 1);
    dpx_report_amount(report, row->last_s, 1);
    dpx_report_text(report, UUID_FMT,
                    UUID_ARGS((const struct uuid *) &row->ufid));
    dpx_report_text(report, "%s", row->match);
    dpx_report_text(report, "%s", row->actions);
}

static void
put_time(struct dpx_report *report, const struct dpx_flow_core *core,
         double quantile)
{
    uint64_t cycles = dpx_cost_quantile(core->times, DPX_COST_TIMES,
                                        quantile);

    dpx_report_amount(report, core->hz > 0 && cycles
                              ? cycles / core->hz * 1e6 : -1, 1);
}

static void
put_sizes(struct dpx_report *report, const struct dpx_flow_core *core)
{
    struct ds s = DS_EMPTY_INITIALIZER;

    for (int i = 0; i < DPX_COST_SIZES; i++) {
        if (core->sizes[i]) {
            ds_put_format(&s, "%s<%u:%"PRIu64, s.length ? " " : "", 1u << i,
                          core->sizes[i]);
        }
    }
    if (s.length) {
        dpx_report_text(report, "%s", ds_cstr(&s));
    } else {
        dpx_report_unknown(report);
    }
    ds_destroy(&s);
}

static void
put_cores(struct dpx_report *report, const struct dpx_flow_list *list)
{
    dpx_report_table(report, "pmds", "Timed bursts:");
    dpx_report_column(report, "CORE", DPX_RIGHT);
    dpx_report_column(report, "BURSTS", DPX_RIGHT);
    dpx_report_column(report, "PACKETS", DPX_RIGHT);
    dpx_report_column(report, "INTERRUPTED", DPX_RIGHT);
    dpx_report_column(report, "RECEIVE", DPX_RIGHT);
    dpx_report_column(report, "CLASSIFY", DPX_RIGHT);
    dpx_report_column(report, "ACT", DPX_RIGHT);
    dpx_report_column(report, "SEND", DPX_RIGHT);
    dpx_report_column(report, "EXPLAINED %", DPX_RIGHT);
    dpx_report_column(report, "P50 US", DPX_RIGHT);
    dpx_report_column(report, "P99 US", DPX_RIGHT);
    dpx_report_column(report, "SIZES", DPX_LEFT);
    for (size_t i = 0; i < list->n_cores; i++) {
        const struct dpx_flow_core *core = &list->cores[i];

        dpx_report_row(report);
        dpx_report_int(report, core->core_id);
        dpx_report_int(report, core->bursts);
        dpx_report_int(report, core->packets);
        dpx_report_int(report, core->interrupted);
        for (int j = 0; j < DPX_N_STAGES; j++) {
            dpx_report_amount(report, core->stages[j], 1);
        }
        dpx_report_percent(report, core->explained, 0);
        put_time(report, core, 0.5);
        put_time(report, core, 0.99);
        put_sizes(report, core);
    }
}

static void
put_facts(struct dpx_report *report, const struct dpx_flow_list *list,
          enum dpx_flow_key key)
{
    dpx_report_fact(report, "datapath");
    dpx_report_text(report, "%s", list->name);
    dpx_report_fact(report, "sorted by");
    dpx_report_text(report, "%s", dpx_flow_key_name(key));
    dpx_report_fact(report, "counting");
    dpx_report_bool(report, list->counting);
    dpx_report_fact(report, "flows matched");
    dpx_report_int(report, list->picks.n_flows);
    dpx_report_fact(report, "age of rates s");
    dpx_report_amount(report, list->age_s, 1);
    dpx_report_fact(report, "sweep took s");
    dpx_report_amount(report, list->sweep_s, 2);
    dpx_report_fact(report, "packets of all flows");
    dpx_report_int(report, list->total.packets);
    dpx_report_fact(report, "bytes of all flows");
    dpx_report_int(report, list->total.bytes);
    dpx_report_fact(report, "upcalls of all flows");
    dpx_report_int(report, list->total.upcalls);
    dpx_report_fact(report, "flows removed");
    dpx_report_int(report, list->n_gone);
    dpx_report_fact(report, "packets of removed flows");
    dpx_report_int(report, list->gone.packets);
    dpx_report_fact(report, "bytes of removed flows");
    dpx_report_int(report, list->gone.bytes);
    dpx_report_fact(report, "memory bytes");
    dpx_report_int(report, list->memory);
}

static char *
flow_stats_show(const struct dpx_cmd_args *args, struct dpx_report *report)
{
    struct dpx_flow_query query;
    struct dpx_flow_list *list;
    char *error;

    error = parse_query(args, &query);
    if (error) {
        return error;
    }
    error = dpx_dpif_flows_get(args->n_words ? args->words[0] : NULL, &query,
                               &list);
    if (error) {
        return error;
    }
    put_facts(report, list, query.key);
    dpx_report_table(report, "flows", NULL);
    put_columns(report);
    for (size_t i = 0; i < list->picks.n; i++) {
        put_row(report, i + 1, &list->picks.picks[i], &list->rows[i]);
    }
    put_cores(report, list);
    dpx_flow_list_destroy(list);
    return NULL;
}

static char *
flow_stats_clear(const struct dpx_cmd_args *args, struct dpx_report *report)
{
    char *error, *dp;

    error = dpx_dpif_flows_clear(args->n_words ? args->words[0] : NULL, &dp);
    if (!error) {
        dpx_report_fact(report, "cleared");
        dpx_report_text(report, "%s", dp);
        free(dp);
    }
    return error;
}

const struct dpx_cmd dpx_cmd_flow_stats_show = {
    .name = "dpif-netdev/flow-stats-show",
    .words = "[DP]",
    .max_words = 1,
    .options = options,
    .run = flow_stats_show,
};

const struct dpx_cmd dpx_cmd_flow_stats_clear = {
    .name = "dpif-netdev/flow-stats-clear",
    .words = "[DP]",
    .max_words = 1,
    .run = flow_stats_clear,
};
