/* SPDX-License-Identifier: Apache-2.0
 *
 * dpif-netdev/heavy-hitters-show: who has most packets or bytes, also under
 * one wide megaflow.  Main thread only; decides nothing. */

#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "dpx-cmd.h"
#include "dpx-dpif.h"
#include "dpx-report.h"
#include "openvswitch/dynamic-string.h"
#include "util.h"

enum { OPT_N, OPT_KEY, OPT_PMD };

static const struct dpx_cmd_option options[] = {
    [OPT_N] = { "-n", "N" },
    [OPT_KEY] = { "-s", "KEY" },
    [OPT_PMD] = { "-pmd", "CORE" },
    { NULL, NULL },
};

static char *
parse_query(const struct dpx_cmd_args *args, struct dpx_hitter_query *query)
{
    const char *key = args->options[OPT_KEY];
    int n = 10, core = 0;
    char *error;

    error = dpx_cmd_int(&dpx_cmd_heavy_hitters_show, args, OPT_N, 1, 100000,
                        &n);
    if (!error && key && strcmp(key, "packets") && strcmp(key, "bytes")) {
        error = xasprintf("\"%s\": -s takes one of packets bytes", key);
    }
    if (!error) {
        error = dpx_cmd_int(&dpx_cmd_heavy_hitters_show, args, OPT_PMD, 0,
                            INT_MAX, &core);
    }
    *query = (struct dpx_hitter_query) {
        .n = n,
        .rank = key && !strcmp(key, "bytes") ? DPX_HH_BYTES : DPX_HH_PACKETS,
        .any_core = !args->options[OPT_PMD],
        .core_id = core,
    };
    return error;
}

static void
put_items(struct dpx_report *report, const struct dpx_hitter_list *list)
{
    const struct dpx_hh_top *top = list->top;

    dpx_report_table(report, "hitters", NULL);
    dpx_report_column(report, "RANK", DPX_RIGHT);
    dpx_report_column(report, "PACKETS", DPX_RIGHT);
    dpx_report_column(report, "AT LEAST", DPX_RIGHT);
    dpx_report_column(report, "AT MOST", DPX_RIGHT);
    dpx_report_column(report, "SHARE %", DPX_RIGHT);
    dpx_report_column(report, "BYTES", DPX_RIGHT);
    dpx_report_column(report, "KEY", DPX_LEFT);
    for (size_t i = 0; top && i < top->n_items; i++) {
        const struct dpx_hh_item *item = &top->items[i];
        struct ds key = DS_EMPTY_INITIALIZER;
        uint64_t total = top->total[DPX_HH_PACKETS];

        dpx_hh_key_format(&item->key, list->kind, &key);
        dpx_report_row(report);
        dpx_report_int(report, i + 1);
        dpx_report_int(report, item->estimate[DPX_HH_PACKETS]);
        dpx_report_int(report, item->low);
        dpx_report_int(report, item->high);
        dpx_report_percent(report,
                           total ? (double) item->estimate[DPX_HH_PACKETS]
                                   / total : -1, 100);
        dpx_report_int(report, item->estimate[DPX_HH_BYTES]);
        dpx_report_text(report, "%s", ds_cstr(&key));
        ds_destroy(&key);
    }
}

static void
put_facts(struct dpx_report *report, const struct dpx_hitter_list *list)
{
    const struct dpx_hh_top *top = list->top;

    dpx_report_fact(report, "datapath");
    dpx_report_text(report, "%s", list->name);
    dpx_report_fact(report, "threads");
    dpx_report_int(report, list->n_threads);
    dpx_report_fact(report, "memory bytes");
    dpx_report_int(report, list->memory);
    if (top) {
        dpx_report_fact(report, "key");
        dpx_report_text(report, "%s", dpx_hh_kind_name(list->kind));
        dpx_report_fact(report, "sampling");
        dpx_report_int(report, top->sampling);
        dpx_report_fact(report, "confidence %");
        dpx_report_percent(report, top->confidence, 100);
        dpx_report_fact(report, "packets seen");
        dpx_report_int(report, top->packets);
        dpx_report_fact(report, "packets with a key");
        dpx_report_int(report, top->total[DPX_HH_PACKETS]);
        dpx_report_fact(report, "not listed at most");
        dpx_report_int(report, top->absent);
    }
}

static char *
heavy_hitters_show(const struct dpx_cmd_args *args, struct dpx_report *report)
{
    struct dpx_hitter_query query;
    struct dpx_hitter_list *list;
    char *error;

    error = parse_query(args, &query);
    if (error) {
        return error;
    }
    error = dpx_dpif_hitters_get(args->n_words ? args->words[0] : NULL,
                                 &query, &list);
    if (error) {
        return error;
    }
    put_facts(report, list);
    put_items(report, list);
    dpx_hitter_list_destroy(list);
    return NULL;
}

const struct dpx_cmd dpx_cmd_heavy_hitters_show = {
    .name = "dpif-netdev/heavy-hitters-show",
    .words = "[DP]",
    .max_words = 1,
    .options = options,
    .run = heavy_hitters_show,
};
