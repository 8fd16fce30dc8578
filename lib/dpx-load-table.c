/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads and levels a table of loads per PMD.  Called by offline programs. */

#include <config.h>
#include "dpx-load-table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dpx-cpuset.h"
#include "dpx-paste.h"
#include "dpx-view.h"
#include "util.h"

/* More PMDs than CPUs is a mistake. */
#define MAX_ROWS DPX_MAX_CPUS

static bool
is_heading(const struct dpx_paste *p)
{
    const struct dpx_paste_word *a = dpx_paste_peek(p, 0);
    const struct dpx_paste_word *b = dpx_paste_peek(p, 1);
    const struct dpx_paste_word *c = dpx_paste_peek(p, 2);

    return a && b && c && !strcmp(a->s, "numa_id") && !strcmp(b->s, "core_id")
           && c->last && a->line == c->line;
}

bool
dpx_load_table_is(const char *text, size_t length)
{
    struct dpx_paste *p = dpx_paste_create(text, length);
    bool is = is_heading(p);

    dpx_paste_destroy(p);
    return is;
}

/* Reads a load that is a number and not negative. */
static bool
accept_load(struct dpx_paste *p, double *load)
{
    const struct dpx_paste_word *w = dpx_paste_peek(p, 0);

    if (!w || strspn(w->s, "0123456789.") != strlen(w->s)
        || !str_to_double(w->s, load) || !(*load <= 1e15)) {
        return false;
    }
    p->next++;
    return true;
}

static char *
read_row(struct dpx_paste *p, struct dpx_load_table *table,
         struct dpx_cpuset *seen)
{
    struct dpx_load_table_row row;
    unsigned int numa;

    if (!dpx_paste_accept_uint(p, DPX_MAX_CPUS - 1, &numa)) {
        return dpx_paste_error(p, "the number of a NUMA node");
    }
    row.numa_id = numa;
    if (!dpx_paste_accept_uint(p, DPX_MAX_CPUS - 1, &row.core_id)) {
        return dpx_paste_error(p, "the number of a core");
    }
    if (dpx_cpuset_has(seen, row.core_id)) {
        p->next--;
        return dpx_paste_error(p, "a core that is not above");
    }
    if (!accept_load(p, &row.load)) {
        return dpx_paste_error(p, "a load");
    }
    dpx_cpuset_add(seen, row.core_id);
    table->rows = xrealloc(table->rows,
                           (table->n_rows + 1) * sizeof *table->rows);
    table->rows[table->n_rows++] = row;
    return NULL;
}

char *
dpx_load_table_parse(const char *text, size_t length,
                     struct dpx_load_table **table)
{
    struct dpx_paste *p = dpx_paste_create(text, length);
    struct dpx_load_table *t = xzalloc(sizeof *t);
    struct dpx_cpuset seen = { { 0 } };
    char *error = NULL;

    if (is_heading(p)) {
        t->unit = xstrdup(dpx_paste_peek(p, 2)->s);
        p->next += 3;
    } else {
        error = dpx_paste_error(p, "the heading 'numa_id core_id UNIT'");
    }
    while (!error && dpx_paste_peek(p, 0)) {
        error = read_row(p, t, &seen);
    }
    if (!error && !t->n_rows) {
        error = xstrdup("the table has no row");
    }
    dpx_paste_destroy(p);
    if (error) {
        dpx_load_table_destroy(t);
        t = NULL;
    }
    *table = t;
    return error;
}

void
dpx_load_table_destroy(struct dpx_load_table *t)
{
    if (t) {
        free(t->rows);
        free(t->unit);
        free(t);
    }
}

static double
mean_of_node(const struct dpx_load_table *t, int numa)
{
    double sum = 0;
    size_t n = 0;

    for (size_t i = 0; i < t->n_rows; i++) {
        if (t->rows[i].numa_id == numa) {
            sum += t->rows[i].load;
            n++;
        }
    }
    return sum / n;
}

/* Finds the rows of node 'numa' that are farthest above and below the mean. */
static void
find_extremes(const struct dpx_load_table *t, const double *excess, int numa,
              size_t *high, size_t *low)
{
    *high = *low = SIZE_MAX;
    for (size_t i = 0; i < t->n_rows; i++) {
        if (t->rows[i].numa_id != numa) {
            continue;
        }
        if (*high == SIZE_MAX || excess[i] > excess[*high]) {
            *high = i;
        }
        if (*low == SIZE_MAX || excess[i] < excess[*low]) {
            *low = i;
        }
    }
}

struct dpx_load_shift *
dpx_load_table_balance(const struct dpx_load_table *t, double tolerance,
                       size_t *n)
{
    struct dpx_load_shift *shifts = NULL;
    double *excess = xcalloc(t->n_rows + 1, sizeof *excess);
    struct dpx_cpuset done = { { 0 } };

    *n = 0;
    for (size_t i = 0; i < t->n_rows; i++) {
        excess[i] = t->rows[i].load - mean_of_node(t, t->rows[i].numa_id);
    }
    for (size_t i = 0; i < t->n_rows; i++) {
        int numa = t->rows[i].numa_id;
        double least = tolerance * mean_of_node(t, numa);

        /* Each shift levels at least one core, so this ends. */
        for (size_t tries = 0; !dpx_cpuset_has(&done, numa)
             && tries < t->n_rows; tries++) {
            size_t high, low;
            double amount;

            find_extremes(t, excess, numa, &high, &low);
            amount = MIN(excess[high], -excess[low]);
            if (!(amount > least) || amount <= 0) {
                break;
            }
            shifts = xrealloc(shifts, (*n + 1) * sizeof *shifts);
            shifts[(*n)++] = (struct dpx_load_shift) {
                .from = t->rows[high].core_id, .to = t->rows[low].core_id,
                .numa_id = numa, .amount = amount,
            };
            excess[high] -= amount;
            excess[low] += amount;
        }
        dpx_cpuset_add(&done, numa);
    }
    free(excess);
    return shifts;
}
