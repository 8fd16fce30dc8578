/* SPDX-License-Identifier: Apache-2.0
 *
 * The published tables: their rows, columns and figures, and how what was
 * measured goes into them.  "-" is a value that the source does not have. */

#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dpx-bench-cells.h"
#include "dpx-report.h"
#include "dpx-summary.h"
#include "util.h"

/* Bits on the wire of a frame of 64 bytes with preamble and gap. */
#define WIRE_BITS_64 ((64 + 20) * 8)

static void
why(struct dpx_report *report, const char *missing)
{
    dpx_report_text(report, "- (%s)", missing);
}

/* opnfv-baseline: OPNFV's wiki pages on Open vSwitch performance. */

static const struct {
    const char *cores;
    const char *published[3];   /* Of the columns below. */
    const char *other[4];       /* What only the source has. */
} opnfv[] = {
    { "1", { "6.1 (4.1)", "2.3 (1.5)", "3.8 (2.6)" },
      { "14.1 / 3.7", "-", "-", "-" } },
    { "2", { "16.1 (10.8)", "4.7 (3.1)", "6.8 (4.6)" },
      { "23.5 / 7.5", "-", "-", "15.1 / 4.63" } },
    { "4", { "36.0 (24.2), NIC limit", "10.1 (6.8), 20 B added",
             "12.9 (8.6), 20 B added" },
      { "23.3 (11.9), NIC limit / 7.9 (4.0)", "4.2", "23.5 / 12.7",
        "- / 6.6 (2 cores, 4 hyperthreads)" } },
};

static const char *const opnfv_columns[] = {
    "P2P 10K FLOWS", "PVP 10K FLOWS", "PVP 4 FLOWS"
};

static const char *const opnfv_others[] = {
    "CI BEFORE TUNING, 2 FLOWS P2P / PVP", "CI LATER PVP",
    "SANDBOX P2P / PVP", "SECOND LAB P2P / PVP"
};

void
dpx_bench_table_opnfv(struct dpx_report *report,
                      const struct dpx_bench_cells *cells)
{
    dpx_report_table(report, "measured", "Measured");
    dpx_report_column(report, "PMD CORES", DPX_RIGHT);
    for (size_t c = 0; c < ARRAY_SIZE(opnfv_columns); c++) {
        dpx_report_column(report, opnfv_columns[c], DPX_LEFT);
    }
    for (size_t r = 0; r < ARRAY_SIZE(opnfv); r++) {
        dpx_report_row(report);
        dpx_report_text(report, "%s", opnfv[r].cores);
        for (size_t c = 0; c < ARRAY_SIZE(opnfv_columns); c++) {
            struct dpx_summary s;
            const char *missing;
            size_t n;
            double *values = dpx_bench_cells_values(
                cells, opnfv[r].cores, opnfv_columns[c], NULL, 1e-6, &n,
                &missing);

            dpx_summary_make(values, n, &s);
            free(values);
            if (n) {
                dpx_report_text(report, "%.4f (%.4f)", s.median,
                                s.median * WIRE_BITS_64 / 1000);
            } else {
                why(report, missing);
            }
        }
    }
    dpx_report_table(report, "published", "Published");
    dpx_report_column(report, "PMD CORES", DPX_RIGHT);
    for (size_t c = 0; c < ARRAY_SIZE(opnfv_columns); c++) {
        dpx_report_column(report, opnfv_columns[c], DPX_LEFT);
    }
    for (size_t c = 0; c < ARRAY_SIZE(opnfv_others); c++) {
        dpx_report_column(report, opnfv_others[c], DPX_LEFT);
    }
    for (size_t r = 0; r < ARRAY_SIZE(opnfv); r++) {
        dpx_report_row(report);
        dpx_report_text(report, "%s", opnfv[r].cores);
        for (size_t c = 0; c < ARRAY_SIZE(opnfv[r].published); c++) {
            dpx_report_text(report, "%s", opnfv[r].published[c]);
        }
        for (size_t c = 0; c < ARRAY_SIZE(opnfv[r].other); c++) {
            dpx_report_text(report, "%s", opnfv[r].other[c]);
        }
    }
}

/* rfc2544-vms: two labels, by default stock and ours. */

static const struct {
    const char *row, *published;
} vms[] = {
    { "2 VMs, 2 PMD threads, 1 queue", "up to 15" },
    { "2 VMs, 4 PMD threads, 2 queues", "up to 28" },
};

/* The label that others are compared with, and the other one. */
static void
choose_labels(const struct dpx_bench_cells *cells, const char *labels[2])
{
    labels[0] = labels[1] = NULL;
    for (size_t i = 0; i < cells->n; i++) {
        const char *label = dpx_bench_fact(&cells->results[i], "label");

        if (!label) {
            continue;
        } else if (!labels[0]) {
            labels[0] = label;
        } else if (strcmp(label, labels[0]) && !labels[1]) {
            labels[1] = label;
        }
    }
    labels[0] = labels[0] ? labels[0] : "stock";
    labels[1] = labels[1] ? labels[1] : "ours";
    if (!strcmp(labels[1], "stock") || !strcmp(labels[1], "older")) {
        const char *base = labels[1];

        labels[1] = labels[0];
        labels[0] = base;
    }
}

static void
emit_ratio(struct dpx_report *report, const struct dpx_ratio *r,
           const char *better, const char *worse)
{
    dpx_bench_cell(report, 100 * (r->ratio - 1), 1);
    dpx_bench_cell(report, 100 * (r->low - 1), 1);
    dpx_bench_cell(report, 100 * (r->high - 1), 1);
    dpx_report_text(report, "%s", isnan(r->ratio) ? "not measured"
                    : isnan(r->low) ? "too few repetitions to tell"
                    : !r->resolved ? "no effect is shown"
                    : r->ratio > 1 ? better : worse);
}

void
dpx_bench_table_vms(struct dpx_report *report,
                    const struct dpx_bench_cells *cells)
{
    const char *labels[2];

    choose_labels(cells, labels);
    dpx_report_fact(report, "relative to");
    dpx_report_text(report, "%s", labels[0]);
    dpx_report_fact(report, "gain of");
    dpx_report_text(report, "%s", labels[1]);
    dpx_report_table(report, "gains", NULL);
    dpx_report_column(report, "CASE", DPX_LEFT);
    dpx_report_column(report, "BASE PPS", DPX_LEFT);
    dpx_report_column(report, "PPS", DPX_LEFT);
    dpx_report_column(report, "GAIN %", DPX_RIGHT);
    dpx_report_column(report, "LOW %", DPX_RIGHT);
    dpx_report_column(report, "HIGH %", DPX_RIGHT);
    dpx_report_column(report, "VERDICT", DPX_LEFT);
    dpx_report_column(report, "PUBLISHED %", DPX_RIGHT);
    for (size_t i = 0; i < ARRAY_SIZE(vms); i++) {
        struct dpx_ratio ratio;
        double *values[2];
        size_t n[2];

        dpx_report_row(report);
        dpx_report_text(report, "%s", vms[i].row);
        for (int j = 0; j < 2; j++) {
            struct dpx_summary s;
            const char *missing;

            values[j] = dpx_bench_cells_values(cells, vms[i].row, NULL,
                                               labels[j], 1, &n[j],
                                               &missing);
            dpx_summary_make(values[j], n[j], &s);
            if (n[j]) {
                dpx_report_text(report, "%.0f", s.average);
            } else {
                why(report, missing);
            }
        }
        dpx_ratio_make(values[0], n[0], values[1], n[1], &ratio);
        emit_ratio(report, &ratio, "gain", "loss");
        dpx_report_text(report, "%s", vms[i].published);
        free(values[0]);
        free(values[1]);
    }
}

/* smt-iommu: rows "on/off". */

static const struct {
    const char *smt, *iommu, *row;
    double published[2];
} smt[] = {
    { "on", "on", "on/on", { 4.73, 4.77 } },
    { "on", "off", "on/off", { 4.79, 4.83 } },
    { "off", "on", "off/on", { 4.65, 4.78 } },
    { "off", "off", "off/off", { 4.76, 4.80 } },
};

static const char *const directions[] = { "A TO B", "B TO A" };

/* Samples of every cell in which 'factor' (0: hyperthreads, 1: VT-d) is
 * 'state'. */
static double *
of_factor(const struct dpx_bench_cells *cells, int factor, const char *state,
          size_t *n)
{
    double *all = NULL;

    *n = 0;
    for (size_t i = 0; i < ARRAY_SIZE(smt); i++) {
        const char *missing;
        double *values;
        size_t m;

        if (strcmp(factor ? smt[i].iommu : smt[i].smt, state)) {
            continue;
        }
        values = dpx_bench_cells_values(cells, smt[i].row, NULL, NULL, 1, &m,
                                        &missing);
        all = xrealloc(all, (*n + m + 1) * sizeof *all);
        for (size_t j = 0; j < m; j++) {
            all[(*n)++] = values[j];
        }
        free(values);
    }
    return all;
}

static void
emit_effects(struct dpx_report *report, const struct dpx_bench_cells *cells)
{
    static const char *const factors[] = { "hyperthreads", "VT-d" };

    dpx_report_table(report, "effects", "Effect of a factor, all cells and "
                     "directions together");
    dpx_report_column(report, "FACTOR", DPX_LEFT);
    dpx_report_column(report, "ON TO OFF %", DPX_RIGHT);
    dpx_report_column(report, "LOW %", DPX_RIGHT);
    dpx_report_column(report, "HIGH %", DPX_RIGHT);
    dpx_report_column(report, "VERDICT", DPX_LEFT);
    for (int factor = 0; factor < 2; factor++) {
        struct dpx_ratio ratio;
        size_t n_on, n_off;
        double *on = of_factor(cells, factor, "on", &n_on);
        double *off = of_factor(cells, factor, "off", &n_off);

        dpx_ratio_make(off, n_off, on, n_on, &ratio);
        dpx_report_row(report);
        dpx_report_text(report, "%s", factors[factor]);
        emit_ratio(report, &ratio, "on is faster", "on is slower");
        free(on);
        free(off);
    }
}

void
dpx_bench_table_smt(struct dpx_report *report,
                    const struct dpx_bench_cells *cells)
{
    dpx_report_table(report, "cells", NULL);
    dpx_report_column(report, "HYPERTHREADS", DPX_LEFT);
    dpx_report_column(report, "VT-D", DPX_LEFT);
    for (int d = 0; d < 2; d++) {
        char *heading = xasprintf("%s PUBLISHED", directions[d]);

        dpx_report_column(report, directions[d], DPX_LEFT);
        dpx_report_column(report, heading, DPX_RIGHT);
        free(heading);
    }
    for (size_t i = 0; i < ARRAY_SIZE(smt); i++) {
        dpx_report_row(report);
        dpx_report_text(report, "%s", smt[i].smt);
        dpx_report_text(report, "%s", smt[i].iommu);
        for (int d = 0; d < 2; d++) {
            struct dpx_summary s;
            const char *missing;
            size_t n;
            /* A frame of 1518 bytes, as its bits without preamble. */
            double *values = dpx_bench_cells_values(
                cells, smt[i].row, directions[d], NULL, 1518 * 8 / 1e9, &n,
                &missing);

            dpx_summary_make(values, n, &s);
            free(values);
            if (n) {
                dpx_report_text(report, "%.2f (%.2f..%.2f, %"PRIuSIZE")",
                                s.average, s.min, s.max, s.count);
            } else {
                why(report, missing);
            }
            dpx_report_number(report, smt[i].published[d], 2);
        }
    }
    emit_effects(report, cells);
}

/* xps. */

static const struct {
    const char *adapter, *xps;
    struct dpx_summary published;
} xps[] = {
    { "A", "on", { 3326.760, 3536.008, 4192.780, 4108.513, 4651.164,
                   4723.322, 4724.320, 27 } },
    { "A", "off", { 8071.180, 8651.587, 8883.340, 8888.411, 9135.603,
                    9141.229, 9142.010, 32 } },
    { "B1", "on", { 8758.850, 8811.600, 8930.900, 8940.555, 9096.470,
                    9175.839, 9183.690, 31 } },
    { "B1", "off", { 8461.080, 8634.690, 8853.260, 8859.870, 9064.480,
                     9247.770, 9253.050, 31 } },
    { "B2", "on", { 8588.450, 8736.967, 8917.075, 8885.322, 9017.914,
                    9075.735, 9094.620, 32 } },
    { "B2", "off", { 7519.130, 8368.564, 8695.140, 8671.241, 9068.588,
                     9200.719, 9241.500, 27 } },
};

static void
xps_columns(struct dpx_report *report)
{
    dpx_report_column(report, "ADAPTER", DPX_LEFT);
    dpx_report_column(report, "XPS", DPX_LEFT);
#define DPX_SUMMARY_COLUMN(NAME, HEADING) \
    dpx_report_column(report, HEADING, DPX_RIGHT);
    DPX_SUMMARY_COLUMNS
#undef DPX_SUMMARY_COLUMN
    dpx_report_column(report, "COUNT", DPX_RIGHT);
    dpx_report_column(report, "NOTE", DPX_LEFT);
}

static void
xps_row(struct dpx_report *report, const char *adapter, const char *state,
        const struct dpx_summary *s, const char *note)
{
    dpx_report_row(report);
    dpx_report_text(report, "%s", adapter);
    dpx_report_text(report, "%s", state);
#define DPX_SUMMARY_COLUMN(NAME, HEADING) \
    dpx_bench_cell(report, s->NAME, 3);
    DPX_SUMMARY_COLUMNS
#undef DPX_SUMMARY_COLUMN
    dpx_report_int(report, s->count);
    dpx_report_text(report, "%s", note);
}

void
dpx_bench_table_xps(struct dpx_report *report,
                    const struct dpx_bench_cells *cells)
{
    static const char *const states[] = { "on", "off" };

    dpx_report_table(report, "measured", "Measured");
    xps_columns(report);
    for (size_t i = 0; i < ARRAY_SIZE(states); i++) {
        struct dpx_summary s;
        const char *missing;
        size_t n;
        double *values = dpx_bench_cells_values(
            cells, states[i], NULL, NULL, 1518 * 8 / 1e6, &n, &missing);

        dpx_summary_make(values, n, &s);
        free(values);
        xps_row(report, "this host", states[i], &s, n ? "" : missing);
    }
    dpx_report_table(report, "published", "Published");
    xps_columns(report);
    for (size_t i = 0; i < ARRAY_SIZE(xps); i++) {
        xps_row(report, xps[i].adapter, xps[i].xps, &xps[i].published, "");
    }
}
