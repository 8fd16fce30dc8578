/* SPDX-License-Identifier: Apache-2.0
 *
 * The one renderer of every command: facts and tables in, text or JSON out.
 *
 * A command emits cells and never formats a line, so that text and JSON always
 * hold the same figures.  Unknown is "-" in text and null in JSON, never 0.
 * Main thread or offline program only. */

#ifndef DPX_REPORT_H
#define DPX_REPORT_H 1

#include <stdbool.h>
#include <stdint.h>

#include "compiler.h"

struct ds;
struct json;
struct dpx_report;

/* How a column is set in text. */
enum dpx_align {
    DPX_LEFT,
    DPX_RIGHT
};

/* Creates an empty report; free with dpx_report_destroy(). */
struct dpx_report *dpx_report_create(void);

/* Frees 'report'; null is allowed. */
void dpx_report_destroy(struct dpx_report *report);

/* Starts a table.  'key' is its name in JSON, 'title' the line above it in
 * text (null: none).  The columns and cells that follow belong to it.  A table
 * with a title that stays without a row is left out of the text, and an empty
 * array in JSON. */
void dpx_report_table(struct dpx_report *report, const char *key,
                      const char *title);

/* Adds a column to the current table.  'name' is the heading, upper case
 * ("BUSY %"); its JSON key is the heading in lower case with each run of
 * other characters as one '_' and '%' as "pct" ("busy_pct").  All columns
 * come before the first cell. */
void dpx_report_column(struct dpx_report *report, const char *name,
                       enum dpx_align align);

/* Start of the next row of the current table: cells follow, one per column,
 * in the order of the columns. */
void dpx_report_row(struct dpx_report *report);

/* A cell of the current row, or, outside a row, the value of the fact that
 * dpx_report_fact() has just named. */
void dpx_report_text(struct dpx_report *report, const char *format, ...)
    OVS_PRINTF_FORMAT(2, 3);
void dpx_report_int(struct dpx_report *report, long long int value);
void dpx_report_bool(struct dpx_report *report, bool value);

/* A number with 'decimals' digits in text, the same rounding in JSON. */
void dpx_report_number(struct dpx_report *report, double value, int decimals);

/* The same for what is never negative: a negative value is unknown. */
void dpx_report_amount(struct dpx_report *report, double value, int decimals);

/* A topology id, a queue, a count that not every source tells: negative is
 * unknown. */
void dpx_report_id(struct dpx_report *report, long long int id);

/* A core's number, or who else polls: DPX_CORE_MAIN is "main", DPX_CORE_NONE
 * is "none". */
void dpx_report_core(struct dpx_report *report, int core_id);

/* A load: 'fraction' of a core, shown in percent with one decimal, held
 * within 0 and 'limit' percent (0: no limit); negative is unknown. */
void dpx_report_percent(struct dpx_report *report, double fraction,
                        double limit);

/* Not known: "-" and null. */
void dpx_report_unknown(struct dpx_report *report);

/* Names a fact: one "label: value" line, JSON key made from 'label' as for a
 * column.  The next cell function gives the value.  Facts come before the
 * first table. */
void dpx_report_fact(struct dpx_report *report, const char *label);

/* Appends the report as text to 'ds'. */
void dpx_report_to_text(const struct dpx_report *report, struct ds *ds);

/* Returns the report as a JSON object that the caller must destroy: each fact
 * under its key, each table as an array of objects under its key. */
struct json *dpx_report_to_json(const struct dpx_report *report);

#endif /* dpx-report.h */
