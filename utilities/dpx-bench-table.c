/* SPDX-License-Identifier: Apache-2.0
 *
 * "ovs-dpx-bench table": one of the published tables in its own shape, from
 * result files that say which cell they are for. */

#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "dpx-bench-cells.h"
#include "dpx-report.h"
#include "util.h"

const struct dpx_bench_option dpx_bench_table_options[] = {
    { "from", "DIR", "results that were measured before; without it they are "
      "measured now, with the options of pvp" },
    { "json", NULL, "print JSON" },
    { NULL, NULL, NULL }
};

static const struct {
    const char *name, *title;
    void (*emit)(struct dpx_report *, const struct dpx_bench_cells *);
} tables[] = {
    { "opnfv-baseline", "64 bytes, zero loss: Mpps (Gbit/s on the wire)",
      dpx_bench_table_opnfv },
    { "rfc2544-vms", "RFC 2544, zero loss, two guests: gain",
      dpx_bench_table_vms },
    { "smt-iommu", "Hyperthreads and VT-d: Gbit/s", dpx_bench_table_smt },
    { "xps", "Transmit queue selection, one stream: Mbit/s",
      dpx_bench_table_xps },
};

static char *
emit(const char *name, const char *dir, bool as_json)
{
    struct dpx_bench_cells cells;
    char *error = dpx_bench_cells_read(&cells, dir, name);

    for (size_t i = 0; i < ARRAY_SIZE(tables) && !error; i++) {
        if (!strcmp(tables[i].name, name)) {
            struct dpx_report *report = dpx_report_create();

            dpx_report_fact(report, "table");
            dpx_report_text(report, "%s", name);
            dpx_report_fact(report, "of");
            dpx_report_text(report, "%s", tables[i].title);
            tables[i].emit(report, &cells);
            dpx_bench_print(report, as_json);
            dpx_report_destroy(report);
        }
    }
    dpx_bench_cells_destroy(&cells);
    return error;
}

static bool
is_table(const char *name)
{
    for (size_t i = 0; i < ARRAY_SIZE(tables); i++) {
        if (!strcmp(tables[i].name, name)) {
            return true;
        }
    }
    return false;
}

static char *
no_table(const char *name)
{
    return xasprintf("'%s' is no table: there are opnfv-baseline, "
                     "rfc2544-vms, smt-iommu and xps", name);
}

int
dpx_bench_cmd_table(int argc, char *argv[])
{
    struct dpx_bench_args args;
    bool from = false;
    char *error;
    int code = DPX_BENCH_USAGE;

    for (int i = 1; i < argc; i++) {
        from = from || !strncmp(argv[i], "--from", 6);
    }
    if (!from && (argc < 2 || !is_table(argv[1]))) {
        return dpx_bench_fail(argv[0], no_table(argc < 2 ? "" : argv[1]),
                              code);
    } else if (!from) {
        return dpx_bench_cmd_scenario(argc, argv);
    }
    error = dpx_bench_args_parse(&args, argc, argv, dpx_bench_table_options);
    if (!error && (args.n_words != 1 || !is_table(args.words[0]))) {
        error = no_table(args.n_words ? args.words[args.n_words - 1] : "");
    }
    if (!error) {
        code = DPX_BENCH_FAILED;
        error = emit(args.words[0], dpx_bench_text(&args, "from", NULL),
                     dpx_bench_text(&args, "json", NULL) != NULL);
    }
    dpx_bench_args_destroy(&args);
    return error ? dpx_bench_fail(argv[0], error, code) : DPX_BENCH_OK;
}
