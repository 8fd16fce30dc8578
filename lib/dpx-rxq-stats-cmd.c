/* SPDX-License-Identifier: Apache-2.0
 *
 * dpif-netdev/rxq-stats-show: what came in by each rx queue, what it cost and
 * what was lost.  Main thread only; decides nothing. */

#include <config.h>

#include "dpx-cmd.h"
#include "dpx-dpif.h"
#include "dpx-load.h"
#include "dpx-report.h"
#include "util.h"

enum { OPT_SECS };

static const struct dpx_cmd_option options[] = {
    [OPT_SECS] = { "-secs", "N" },
    { NULL, NULL },
};

static void
put_columns(struct dpx_report *report)
{
    static const char *const numbers[] = {
        "PACKETS", "BYTES", "BURSTS", "FULL BURSTS", "MEAN BURST",
        "EMPTY POLLS", "CYCLES", "CYCLES/PACKET", "PPS", "BUSY %",
        "DEMAND CORES", "DROPS", "DROPS OF", "DROPS/S", "FILL",
    };

    dpx_report_table(report, "rxqs", NULL);
    dpx_report_column(report, "PORT", DPX_LEFT);
    dpx_report_column(report, "QUEUE", DPX_RIGHT);
    dpx_report_column(report, "CORE", DPX_RIGHT);
    for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
        dpx_report_column(report, numbers[i], DPX_RIGHT);
    }
}

static void
put_drops(struct dpx_report *report, const struct dpx_rxq_row *row)
{
    if (row->drops_of == DPX_DROPS_UNKNOWN) {
        dpx_report_unknown(report);
        dpx_report_unknown(report);
    } else {
        dpx_report_int(report, row->drops);
        dpx_report_text(report, row->drops_of == DPX_DROPS_PORT ? "port"
                                                                : "queue");
    }
    dpx_report_amount(report, row->rates.drops, 1);
}

static void
put_row(struct dpx_report *report, const struct dpx_rxq_row *row)
{
    dpx_report_row(report);
    dpx_report_text(report, "%s", row->port);
    dpx_report_int(report, row->queue_id);
    dpx_report_core(report, row->core_id);
    dpx_report_int(report, row->packets);
    dpx_report_int(report, row->bytes);
    dpx_report_int(report, row->bursts);
    dpx_report_int(report, row->full);
    dpx_report_amount(report, row->bursts ? (double) row->packets / row->bursts
                                          : -1, 1);
    dpx_report_int(report, row->empty);
    dpx_report_id(report, row->cycles);
    dpx_report_amount(report, row->rates.cycles, 1);
    dpx_report_amount(report, row->rates.pps, 1);
    dpx_report_percent(report, row->rates.busy, 100);
    /* Not in percent: no percentage of ours is above 100. */
    dpx_report_amount(report, row->rates.demand, 3);
    put_drops(report, row);
    dpx_report_id(report, row->fill);
}

static char *
rxq_stats_show(const struct dpx_cmd_args *args, struct dpx_report *report)
{
    struct dpx_rxq_list *list;
    int secs = DPX_LOAD_WINDOW_S;
    char *error;

    error = dpx_cmd_int(&dpx_cmd_rxq_stats_show, args, OPT_SECS, 1,
                        DPX_LOAD_WINDOW_MAX_S, &secs);
    if (!error) {
        error = dpx_dpif_rxqs_get(args->n_words > 1 ? args->words[1] : NULL,
                                  args->n_words ? args->words[0] : NULL,
                                  secs, &list);
    }
    if (error) {
        return error;
    }
    dpx_report_fact(report, "datapath");
    dpx_report_text(report, "%s", list->name);
    dpx_report_fact(report, "load window s");
    dpx_report_int(report, list->window_s);
    put_columns(report);
    for (size_t i = 0; i < list->n; i++) {
        put_row(report, &list->rows[i]);
    }
    dpx_rxq_list_destroy(list);
    return NULL;
}

const struct dpx_cmd dpx_cmd_rxq_stats_show = {
    .name = "dpif-netdev/rxq-stats-show",
    .words = "[PORT] [DP]",
    .max_words = 2,
    .options = options,
    .run = rxq_stats_show,
};
