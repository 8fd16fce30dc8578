/* SPDX-License-Identifier: Apache-2.0
 *
 * dpif-netdev/flow-stats-show: the megaflows that matter, best first.
 * Main thread only; decides nothing. */

#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "dpx-cmd.h"
#include "dpx-dpif.h"
#include "dpx-report.h"
#include "openvswitch/dynamic-string.h"
#include "util.h"
#include "uuid.h"

enum { OPT_N, OPT_KEY, OPT_PMD, OPT_PORT };

static const struct dpx_cmd_option options[] = {
    [OPT_N] = { "-n", "N" },
    [OPT_KEY] = { "-s", "KEY" },
    [OPT_PMD] = { "-pmd", "CORE" },
    [OPT_PORT] = { "-port", "PORT" },
    { NULL, NULL },
};

static const char *const key_names[DPX_N_FLOW_KEYS] = {
    [DPX_FLOW_PPS] = "pps",
    [DPX_FLOW_BPS] = "bps",
    [DPX_FLOW_PACKETS] = "packets",
    [DPX_FLOW_BYTES] = "bytes",
};

static char *
parse_key(const char *word, enum dpx_flow_key *key)
{
    struct ds names = DS_EMPTY_INITIALIZER;
    char *error;

    for (int i = 0; i < DPX_N_FLOW_KEYS; i++) {
        if (!strcmp(word, key_names[i])) {
            *key = i;
            ds_destroy(&names);
            return NULL;
        }
        ds_put_format(&names, " %s", key_names[i]);
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
    return error;
}

static void
put_rate(struct dpx_report *report, double rate)
{
    if (rate < 0) {
        dpx_report_unknown(report);
    } else {
        dpx_report_number(report, rate, 0);
    }
}

static void
put_rows(struct dpx_report *report, const struct dpx_flow_list *list)
{
    dpx_report_table(report, "flows", NULL);
    dpx_report_column(report, "RANK", DPX_RIGHT);
    dpx_report_column(report, "CORE", DPX_RIGHT);
    dpx_report_column(report, "RXQ", DPX_LEFT);
    dpx_report_column(report, "PPS", DPX_RIGHT);
    dpx_report_column(report, "BPS", DPX_RIGHT);
    dpx_report_column(report, "SHARE %", DPX_RIGHT);
    dpx_report_column(report, "PACKETS", DPX_RIGHT);
    dpx_report_column(report, "BYTES", DPX_RIGHT);
    dpx_report_column(report, "UFID", DPX_LEFT);
    dpx_report_column(report, "MATCH", DPX_LEFT);
    dpx_report_column(report, "ACTIONS", DPX_LEFT);

    for (size_t i = 0; i < list->n; i++) {
        const struct dpx_flow_row *row = &list->rows[i];

        dpx_report_row(report);
        dpx_report_int(report, i + 1);
        if (row->core_id == DPX_CORE_MAIN) {
            dpx_report_text(report, "main");
        } else {
            dpx_report_int(report, row->core_id);
        }
        if (row->port) {
            dpx_report_text(report, "%s:%d", row->port, row->queue_id);
        } else {
            dpx_report_unknown(report);
        }
        put_rate(report, row->pps);
        put_rate(report, row->bps);
        dpx_report_percent(report, row->share, 100);
        dpx_report_int(report, row->packets);
        dpx_report_int(report, row->bytes);
        dpx_report_text(report, UUID_FMT,
                        UUID_ARGS((const struct uuid *) &row->ufid));
        dpx_report_text(report, "%s", row->match);
        dpx_report_text(report, "%s", row->actions);
    }
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
    dpx_report_fact(report, "datapath");
    dpx_report_text(report, "%s", list->name);
    dpx_report_fact(report, "sorted by");
    dpx_report_text(report, "%s", key_names[query.key]);
    dpx_report_fact(report, "flows matched");
    dpx_report_int(report, list->n_flows);
    dpx_report_fact(report, "age of rates s");
    if (list->age_s < 0) {
        dpx_report_unknown(report);
    } else {
        dpx_report_number(report, list->age_s, 1);
    }
    put_rows(report, list);
    dpx_flow_list_destroy(list);
    return NULL;
}

const struct dpx_cmd dpx_cmd_flow_stats_show = {
    .name = "dpif-netdev/flow-stats-show",
    .words = "[DP]",
    .max_words = 1,
    .options = options,
    .run = flow_stats_show,
};
