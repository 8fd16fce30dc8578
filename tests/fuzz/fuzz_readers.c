/* SPDX-License-Identifier: Apache-2.0
 *
 * Fuzz target: every reader of ovs-pmd-plan on the same bytes, and the whole
 * way to a report with what was read.  A line "%%" separates the text of
 * pmd-rxq-show from that of the machine.
 *
 * tests/fuzz/run builds it for libFuzzer; tests/unit/check_readers.c feeds it
 * a fixed sequence of spoiled texts. */

#include <config.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../utilities/dpx-plan.h"
#include "dpx-report.h"
#include "dpx-topology-text.h"
#include "openvswitch/dynamic-string.h"
#include "openvswitch/json.h"
#include "util.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Runs READER, which gives a result or an error in words, never both or
 * none. */
#define RUN(READER, TEXT, LENGTH, RESULT)                       \
    do {                                                        \
        char *error = READER(TEXT, LENGTH, RESULT);             \
                                                                \
        ovs_assert(!error == !!*(RESULT));                      \
        ovs_assert(!error || *error);                           \
        free(error);                                            \
    } while (0)

static void
make_report(const struct dpx_plan_input *in)
{
    struct dpx_plan_options options = { .n_threads = in->machine ? 3 : 0 };
    struct dpx_plan_result result;
    char *error;

    shash_init(&options.port_numa);
    svec_init(&options.machines);
    dpx_cpuset_add(&options.housekeeping, 0);
    dpx_placement_options_default(&options.placement);
    options.placement.time_limit_ms = 1;
    error = dpx_plan_result_make(&result, in, &options);
    if (!error) {
        struct dpx_report *report = dpx_report_create();
        struct ds text = DS_EMPTY_INITIALIZER;

        dpx_plan_report(report, &result, in);
        dpx_report_to_text(report, &text);
        json_destroy(dpx_report_to_json(report));
        dpx_report_destroy(report);
        ds_destroy(&text);
    }
    free(error);
    dpx_plan_result_destroy(&result);
    dpx_plan_options_destroy(&options);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = xmemdup0((const char *) data, size);
    char *split = strstr(text, "%%\n");
    size_t first = split ? (size_t) (split - text) : size;
    const char *second = split ? split + 3 : text;
    size_t second_size = size - (second - text);
    struct dpx_plan_input in = { .rxq = NULL };

    RUN(dpx_rxq_show_parse, text, first, &in.rxq);
    RUN(dpx_load_table_parse, text, first, &in.table);
    RUN(dpx_stats_show_parse, text, first, &in.stats);
    RUN(dpx_flow_dump_parse, text, first, &in.flows);
    RUN(dpx_txq_from_dpif_show, text, first, &in.dpif);
    RUN(dpx_txq_from_log, text, first, &in.log);
    RUN(dpx_topology_from_text, second, second_size, &in.machine);
    make_report(&in);
    dpx_rxq_show_destroy(in.rxq);
    dpx_load_table_destroy(in.table);
    dpx_stats_show_destroy(in.stats);
    dpx_flow_dump_destroy(in.flows);
    dpx_txq_text_destroy(in.dpif);
    dpx_txq_text_destroy(in.log);
    dpx_topology_destroy(in.machine);
    free(text);
    return 0;
}
