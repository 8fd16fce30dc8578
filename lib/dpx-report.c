/* SPDX-License-Identifier: Apache-2.0
 *
 * Renders facts and tables as text or JSON.  Called by commands on the main
 * thread and by offline programs; knows nothing about what it prints. */

#include <config.h>

#include "dpx-report.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "dpx-view.h"
#include "openvswitch/dynamic-string.h"
#include "openvswitch/json.h"
#include "openvswitch/shash.h"
#include "util.h"

struct dpx_cell {
    char *text;
    struct json *json;
};

struct dpx_column {
    char *name;
    char *key;
    enum dpx_align align;
};

struct dpx_table {
    char *key;
    char *title;
    struct dpx_column *columns;
    size_t n_columns;
    struct dpx_cell *cells;     /* Row after row, 'n_columns' each. */
    size_t n_cells, allocated_cells;
};

struct dpx_fact {
    char *label;
    char *key;
    struct dpx_cell cell;
};

struct dpx_report {
    struct dpx_fact *facts;
    size_t n_facts;
    struct dpx_table *tables;
    size_t n_tables;
};

/* "BUSY %" gives "busy_pct"; "PORT" gives "port". */
static char *
key_from_label(const char *label)
{
    struct ds key = DS_EMPTY_INITIALIZER;
    bool gap = false;

    for (; *label; label++) {
        const char *piece = *label == '%' ? "pct" : NULL;

        if (!piece && !isalnum((unsigned char) *label)) {
            gap = true;
            continue;
        }
        if (gap && key.length) {
            ds_put_char(&key, '_');
        }
        gap = false;
        if (piece) {
            ds_put_cstr(&key, piece);
        } else {
            ds_put_char(&key, tolower((unsigned char) *label));
        }
    }
    return ds_steal_cstr(&key);
}

struct dpx_report *
dpx_report_create(void)
{
    return xzalloc(sizeof(struct dpx_report));
}

static void
cell_destroy(struct dpx_cell *cell)
{
    free(cell->text);
    json_destroy(cell->json);
}

static void
table_destroy(struct dpx_table *t)
{
    for (size_t i = 0; i < t->n_columns; i++) {
        free(t->columns[i].name);
        free(t->columns[i].key);
    }
    for (size_t i = 0; i < t->n_cells; i++) {
        cell_destroy(&t->cells[i]);
    }
    free(t->columns);
    free(t->cells);
    free(t->key);
    free(t->title);
}

void
dpx_report_destroy(struct dpx_report *report)
{
    if (!report) {
        return;
    }
    for (size_t i = 0; i < report->n_facts; i++) {
        free(report->facts[i].label);
        free(report->facts[i].key);
        cell_destroy(&report->facts[i].cell);
    }
    for (size_t i = 0; i < report->n_tables; i++) {
        table_destroy(&report->tables[i]);
    }
    free(report->facts);
    free(report->tables);
    free(report);
}

static struct dpx_table *
current_table(struct dpx_report *report)
{
    return report->n_tables ? &report->tables[report->n_tables - 1] : NULL;
}

void
dpx_report_table(struct dpx_report *report, const char *key,
                 const char *title)
{
    report->tables = xrealloc(report->tables, (report->n_tables + 1)
                                              * sizeof *report->tables);
    report->tables[report->n_tables++] = (struct dpx_table) {
        .key = xstrdup(key),
        .title = nullable_xstrdup(title),
    };
}

void
dpx_report_column(struct dpx_report *report, const char *name,
                  enum dpx_align align)
{
    struct dpx_table *t = current_table(report);

    ovs_assert(t && !t->n_cells);
    t->columns = xrealloc(t->columns, (t->n_columns + 1) * sizeof *t->columns);
    t->columns[t->n_columns++] = (struct dpx_column) {
        .name = xstrdup(name),
        .key = key_from_label(name),
        .align = align,
    };
}

/* A row that is short of a cell is a mistake in the caller, found by the first
 * run of its first test. */
void
dpx_report_row(struct dpx_report *report)
{
    struct dpx_table *t = current_table(report);

    ovs_assert(t && t->n_columns && t->n_cells % t->n_columns == 0);
}

void
dpx_report_fact(struct dpx_report *report, const char *label)
{
    ovs_assert(!report->n_tables);
    report->facts = xrealloc(report->facts, (report->n_facts + 1)
                                            * sizeof *report->facts);
    report->facts[report->n_facts++] = (struct dpx_fact) {
        .label = xstrdup(label),
        .key = key_from_label(label),
    };
}

/* Takes ownership of 'text' and 'json'. */
static void
put_cell(struct dpx_report *report, char *text, struct json *json)
{
    struct dpx_cell cell = { .text = text, .json = json };
    struct dpx_table *t = current_table(report);

    if (!t) {
        ovs_assert(report->n_facts
                   && !report->facts[report->n_facts - 1].cell.text);
        report->facts[report->n_facts - 1].cell = cell;
        return;
    }
    if (t->n_cells >= t->allocated_cells) {
        t->cells = x2nrealloc(t->cells, &t->allocated_cells, sizeof *t->cells);
    }
    t->cells[t->n_cells++] = cell;
}

void
dpx_report_text(struct dpx_report *report, const char *format, ...)
{
    va_list args;
    char *text;

    va_start(args, format);
    text = xvasprintf(format, args);
    va_end(args);
    put_cell(report, text, json_string_create(text));
}

void
dpx_report_int(struct dpx_report *report, long long int value)
{
    put_cell(report, xasprintf("%lld", value), json_integer_create(value));
}

void
dpx_report_bool(struct dpx_report *report, bool value)
{
    put_cell(report, xstrdup(value ? "yes" : "no"),
             json_boolean_create(value));
}

void
dpx_report_number(struct dpx_report *report, double value, int decimals)
{
    char *text;

    if (!isfinite(value)) {
        dpx_report_unknown(report);
        return;
    }
    /* JSON takes the number from the text, so that both round alike. */
    text = xasprintf("%.*f", decimals, value);
    put_cell(report, text, decimals ? json_real_create(strtod(text, NULL))
                                    : json_integer_create(atoll(text)));
}

void
dpx_report_amount(struct dpx_report *report, double value, int decimals)
{
    dpx_report_number(report, value < 0 ? NAN : value, decimals);
}

void
dpx_report_id(struct dpx_report *report, long long int id)
{
    if (id < 0) {
        dpx_report_unknown(report);
    } else {
        dpx_report_int(report, id);
    }
}

void
dpx_report_core(struct dpx_report *report, int core_id)
{
    if (core_id == DPX_CORE_MAIN) {
        dpx_report_text(report, "main");
    } else if (core_id == DPX_CORE_NONE) {
        dpx_report_text(report, "none");
    } else {
        dpx_report_int(report, core_id);
    }
}

void
dpx_report_percent(struct dpx_report *report, double fraction, double limit)
{
    double percent = fraction * 100.0;

    dpx_report_amount(report, limit > 0 && percent > limit ? limit : percent,
                      1);
}

void
dpx_report_unknown(struct dpx_report *report)
{
    put_cell(report, xstrdup("-"), json_null_create());
}

static void
put_padded(struct ds *ds, const char *s, int width, enum dpx_align align,
           bool last)
{
    if (align == DPX_RIGHT) {
        ds_put_format(ds, "%*s", width, s);
    } else if (last) {
        ds_put_cstr(ds, s);
    } else {
        ds_put_format(ds, "%-*s", width, s);
    }
    ds_put_cstr(ds, last ? "\n" : "  ");
}

static int
column_width(const struct dpx_table *t, size_t column)
{
    size_t width = strlen(t->columns[column].name);

    for (size_t i = column; i < t->n_cells; i += t->n_columns) {
        width = MAX(width, strlen(t->cells[i].text));
    }
    return width;
}

static void
table_to_text(const struct dpx_table *t, struct ds *ds)
{
    int *widths = xmalloc(t->n_columns * sizeof *widths);

    for (size_t i = 0; i < t->n_columns; i++) {
        widths[i] = column_width(t, i);
    }
    for (size_t i = 0; i < t->n_columns; i++) {
        put_padded(ds, t->columns[i].name, widths[i], t->columns[i].align,
                   i + 1 == t->n_columns);
    }
    for (size_t i = 0; i < t->n_cells; i++) {
        size_t column = i % t->n_columns;

        put_padded(ds, t->cells[i].text, widths[column],
                   t->columns[column].align, column + 1 == t->n_columns);
    }
    free(widths);
}

void
dpx_report_to_text(const struct dpx_report *report, struct ds *ds)
{
    bool gap = false;

    for (size_t i = 0; i < report->n_facts; i++) {
        ds_put_format(ds, "%s: %s\n", report->facts[i].label,
                      report->facts[i].cell.text);
        gap = true;
    }
    for (size_t i = 0; i < report->n_tables; i++) {
        const struct dpx_table *t = &report->tables[i];

        if (t->title && !t->n_cells) {
            continue;
        }
        if (gap) {
            ds_put_char(ds, '\n');
        }
        gap = true;
        if (t->title) {
            ds_put_format(ds, "%s\n", t->title);
        }
        table_to_text(t, ds);
    }
}

static struct json *
table_to_json(const struct dpx_table *t)
{
    struct json *rows = json_array_create_empty();
    struct json *row = NULL;

    for (size_t i = 0; i < t->n_cells; i++) {
        size_t column = i % t->n_columns;

        if (!column) {
            row = json_object_create();
            json_array_add(rows, row);
        }
        json_object_put(row, t->columns[column].key,
                        json_clone(t->cells[i].json));
    }
    return rows;
}

/* Two parts of one name would hide each other: a mistake in the caller. */
static void
put_part(struct json *root, const char *key, struct json *part)
{
    ovs_assert(!shash_find(json_object(root), key));
    json_object_put(root, key, part);
}

struct json *
dpx_report_to_json(const struct dpx_report *report)
{
    struct json *root = json_object_create();

    for (size_t i = 0; i < report->n_facts; i++) {
        put_part(root, report->facts[i].key,
                 json_clone(report->facts[i].cell.json));
    }
    for (size_t i = 0; i < report->n_tables; i++) {
        put_part(root, report->tables[i].key,
                 table_to_json(&report->tables[i]));
    }
    return root;
}
