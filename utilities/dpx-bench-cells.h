/* SPDX-License-Identifier: Apache-2.0
 *
 * Results by the cell of a table that they are for. */

#ifndef DPX_BENCH_CELLS_H
#define DPX_BENCH_CELLS_H 1

#include "dpx-bench.h"

/* Results of one table: those whose fact "table" is its name. */
struct dpx_bench_cells {
    struct dpx_bench_result *results;
    size_t n;
};

/* Reads every result of 'table' in directory 'dir'.  Returns null or an error
 * that quotes the name of a file, to be freed. */
char *dpx_bench_cells_read(struct dpx_bench_cells *, const char *dir,
                           const char *table) OVS_WARN_UNUSED_RESULT;
void dpx_bench_cells_destroy(struct dpx_bench_cells *);

/* Collects, of all results whose facts fit (null: any), the throughputs of the
 * first goal, times 'scale', into an array to be freed.  If there are none,
 * '*missing' says why; it belongs to the cells. */
double *dpx_bench_cells_values(const struct dpx_bench_cells *,
                               const char *row, const char *column,
                               const char *label, double scale, size_t *n,
                               const char **missing);

/* The four tables, each emitted from what was measured. */
void dpx_bench_table_opnfv(struct dpx_report *,
                           const struct dpx_bench_cells *);
void dpx_bench_table_vms(struct dpx_report *, const struct dpx_bench_cells *);
void dpx_bench_table_smt(struct dpx_report *, const struct dpx_bench_cells *);
void dpx_bench_table_xps(struct dpx_report *, const struct dpx_bench_cells *);

/* Emits a cell, unknown if 'value' is NAN. */
void dpx_bench_cell(struct dpx_report *, double value, int decimals);

#endif /* dpx-bench-cells.h */
