/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads a plain table of loads per PMD, as people put into reports, and says
 * what would have to go where:
 *
 *     numa_id  core_id  kpps
 *           0       30     0
 *
 * Such a table does not say which queues make up a load, so the answer is in
 * amounts, not in queues.  Pure. */

#ifndef DPX_LOAD_TABLE_H
#define DPX_LOAD_TABLE_H 1

#include <stdbool.h>
#include <stddef.h>

#include "compiler.h"

struct dpx_load_table_row {
    int numa_id;                /* DPX_ID_UNKNOWN without such a column. */
    unsigned int core_id;
    double load;                /* In units of the table. */
};

struct dpx_load_table {
    struct dpx_load_table_row *rows;
    size_t n_rows;
    char *unit;                 /* Name of the last column. */
};

/* 'amount' from one core to another of its node. */
struct dpx_load_shift {
    unsigned int from, to;
    int numa_id;
    double amount;
};

/* Does 'text' look like such a table? */
bool dpx_load_table_is(const char *text, size_t length);

/* Returns null, or an error with line and word, to be freed. */
char *dpx_load_table_parse(const char *text, size_t length,
                           struct dpx_load_table **)
    OVS_WARN_UNUSED_RESULT;
void dpx_load_table_destroy(struct dpx_load_table *);

/* The fewest-first shifts that make the cores of each node equal; nothing goes
 * from node to node, and differences below 'tolerance' of the mean stay.
 * Returns an array of '*n', to be freed. */
struct dpx_load_shift *dpx_load_table_balance(const struct dpx_load_table *,
                                              double tolerance, size_t *n);

#endif /* dpx-load-table.h */
