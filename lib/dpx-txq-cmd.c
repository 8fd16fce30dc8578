/* SPDX-License-Identifier: Apache-2.0
 *
 * dpif-netdev/txq-show: by which tx queues threads send, and what went there.
 * Main thread only; decides nothing. */

#include <config.h>

#include "dpx-cmd.h"

#include <stdlib.h>

#include "dpx-dpif-txq.h"
#include "dpx-report.h"
#include "util.h"

static void
put_columns(struct dpx_report *report, size_t n_left, size_t n,
            const char *const names[])
{
    for (size_t i = 0; i < n; i++) {
        dpx_report_column(report, names[i], i < n_left ? DPX_LEFT
                                                       : DPX_RIGHT);
    }
}

static void
put_text(struct dpx_report *report, const char *text)
{
    if (text) {
        dpx_report_text(report, "%s", text);
    } else {
        dpx_report_unknown(report);
    }
}

/* Where the device may not tell. */
static void
put_count(struct dpx_report *report, bool known, uint64_t n)
{
    if (known) {
        dpx_report_int(report, n);
    } else {
        dpx_report_unknown(report);
    }
}

static void
put_port(struct dpx_report *report, const struct dpx_port_txqs *port)
{
    int guests = dpx_txq_guest_queues(port);

    dpx_report_row(report);
    dpx_report_text(report, "%s", port->name);
    dpx_report_text(report, "%s", port->type);
    dpx_report_text(report, "%s", dpx_txq_mode_name(port->mode));
    put_text(report, port->affinity);
    dpx_report_int(report, port->n);
    dpx_report_int(report, port->asked);
    dpx_report_id(report, guests);
    dpx_report_int(report, dpx_txq_can_be_busy(port));
    dpx_report_int(report, port->gone.packets);
    dpx_report_int(report, port->gone.bytes);
}

static void
put_queue(struct dpx_report *report, const struct dpx_port_txqs *port,
          int queue)
{
    const struct dpx_txq_row *row = &port->rows[queue];
    const struct dpx_txq_totals *t = &row->totals;
    bool choice = port->mode != DPX_TXQ_HASH;
    char *cores = dpx_txq_cores(port, queue);

    dpx_report_row(report);
    dpx_report_text(report, "%s", port->name);
    dpx_report_int(report, queue);
    dpx_report_text(report, "%s",
                    dpx_txq_mode_name(dpx_txq_mode_of(port, queue)));
    put_text(report, cores);
    dpx_report_id(report, row->guest);
    dpx_report_int(report, t->packets);
    dpx_report_int(report, t->bytes);
    dpx_report_int(report, t->sends);
    put_count(report, port->noted, t->contended);
    put_count(report, port->noted, t->dropped);
    put_count(report, choice, t->remaps);
    free(cores);
}

static void
put_ports(struct dpx_report *report, const struct dpx_txq_list *list)
{
    static const char *const columns[] = {
        "PORT", "TYPE", "MODE", "AFFINITY", "TXQS", "ASKED", "GUEST QUEUES",
        "CAN BE BUSY", "EARLIER PACKETS", "EARLIER BYTES",
    };

    dpx_report_table(report, "ports", NULL);
    put_columns(report, 4, ARRAY_SIZE(columns), columns);
    for (size_t i = 0; i < list->n; i++) {
        put_port(report, &list->ports[i]);
    }
}

static void
put_queues(struct dpx_report *report, const struct dpx_txq_list *list)
{
    static const char *const columns[] = {
        "PORT", "QUEUE", "MODE", "CORES", "GUEST QUEUE", "PACKETS", "BYTES",
        "SENDS", "CONTENDED", "DROPS", "REMAPS",
    };

    dpx_report_table(report, "txqs", NULL);
    put_columns(report, 1, ARRAY_SIZE(columns), columns);
    for (size_t i = 0; i < list->n; i++) {
        for (int j = 0; j < list->ports[i].n; j++) {
            put_queue(report, &list->ports[i], j);
        }
    }
}

static void
put_remarks(struct dpx_report *report, const struct dpx_txq_list *list)
{
    static const char *const columns[] = { "PORT", "REMARK" };

    dpx_report_table(report, "remarks", "Remarks");
    put_columns(report, 2, ARRAY_SIZE(columns), columns);
    for (size_t i = 0; i < list->n; i++) {
        if (list->ports[i].remark) {
            dpx_report_row(report);
            dpx_report_text(report, "%s", list->ports[i].name);
            dpx_report_text(report, "%s", list->ports[i].remark);
        }
    }
}

static char *
txq_show(const struct dpx_cmd_args *args, struct dpx_report *report)
{
    struct dpx_txq_list *list;
    char *error;

    error = dpx_dpif_txqs_get(args->n_words > 1 ? args->words[1] : NULL,
                              args->n_words ? args->words[0] : NULL, &list);
    if (error) {
        return error;
    }
    dpx_report_fact(report, "datapath");
    dpx_report_text(report, "%s", list->name);
    put_ports(report, list);
    put_queues(report, list);
    put_remarks(report, list);
    dpx_txq_list_destroy(list);
    return NULL;
}

const struct dpx_cmd dpx_cmd_txq_show = {
    .name = "dpif-netdev/txq-show",
    .words = "[PORT] [DP]",
    .max_words = 2,
    .run = txq_show,
};
