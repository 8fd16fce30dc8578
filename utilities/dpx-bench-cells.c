/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the results of a table's cells, which may come from several hosts and
 * from before and after a reboot. */

#include <config.h>
#include "dpx-bench-cells.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dpx-report.h"
#include "svec.h"
#include "util.h"

char *
dpx_bench_cells_read(struct dpx_bench_cells *cells, const char *dir,
                     const char *table)
{
    struct svec names = SVEC_EMPTY_INITIALIZER;
    DIR *stream = opendir(dir);
    struct dirent *entry;
    char *error = NULL;

    *cells = (struct dpx_bench_cells) { NULL, 0 };
    if (!stream) {
        return xasprintf("'%s': %s", dir, ovs_strerror(errno));
    }
    while ((entry = readdir(stream))) {
        size_t len = strlen(entry->d_name);

        if (len > 5 && !strcmp(entry->d_name + len - 5, ".json")) {
            svec_add_nocopy(&names, xasprintf("%s/%s", dir, entry->d_name));
        }
    }
    closedir(stream);
    svec_sort(&names);
    for (size_t i = 0; i < names.n && !error; i++) {
        struct dpx_bench_result r;
        const char *of;

        error = dpx_bench_read(&r, names.names[i]);
        of = error ? NULL : dpx_bench_fact(&r, "table");
        if (of && !strcmp(of, table)) {
            cells->results = xrealloc(cells->results, (cells->n + 1)
                                      * sizeof *cells->results);
            cells->results[cells->n++] = r;
        } else {
            dpx_bench_result_destroy(&r);
        }
    }
    svec_destroy(&names);
    return error;
}

void
dpx_bench_cells_destroy(struct dpx_bench_cells *cells)
{
    for (size_t i = 0; i < cells->n; i++) {
        dpx_bench_result_destroy(&cells->results[i]);
    }
    free(cells->results);
}

static bool
fits(const struct dpx_bench_result *r, const char *key, const char *wanted)
{
    const char *value = dpx_bench_fact(r, key);

    return !wanted || (value && !strcmp(value, wanted));
}

double *
dpx_bench_cells_values(const struct dpx_bench_cells *cells, const char *row,
                       const char *column, const char *label, double scale,
                       size_t *n, const char **missing)
{
    double *values = NULL;

    *n = 0;
    *missing = "not measured";
    for (size_t i = 0; i < cells->n; i++) {
        const struct dpx_bench_result *r = &cells->results[i];
        double *more;
        size_t m;

        if (!fits(r, "row", row) || !fits(r, "column", column)
            || !fits(r, "label", label)) {
            continue;
        }
        if (dpx_bench_fact(r, "missing")) {
            *missing = dpx_bench_fact(r, "missing");
        } else if (r->n_found) {
            *missing = r->found[0].state;
        }
        more = (r->n_found ? dpx_bench_throughputs(r, r->found[0].goal, &m)
                : NULL);
        for (size_t j = 0; more && j < m; j++) {
            values = xrealloc(values, (*n + 1) * sizeof *values);
            values[(*n)++] = more[j] * scale;
        }
        free(more);
    }
    return values;
}

void
dpx_bench_cell(struct dpx_report *report, double value, int decimals)
{
    if (isnan(value)) {
        dpx_report_unknown(report);
    } else {
        dpx_report_number(report, value, decimals);
    }
}
