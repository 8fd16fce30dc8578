/* SPDX-License-Identifier: Apache-2.0
 *
 * Result files: the report of a result as JSON, written and read back.
 * Documentation/measuring.rst has the schema. */

#include <config.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dpx-bench.h"
#include "dpx-compat.h"
#include "dpx-report.h"
#include "openvswitch/dynamic-string.h"
#include "openvswitch/json.h"
#include "util.h"

void
dpx_bench_print(const struct dpx_report *report, bool as_json)
{
    struct ds ds = DS_EMPTY_INITIALIZER;

    if (as_json) {
        struct json *json = dpx_report_to_json(report);

        json_to_ds(json, JSSF_PRETTY | JSSF_SORT, &ds);
        ds_put_char(&ds, '\n');
        json_destroy(json);
    } else {
        dpx_report_to_text(report, &ds);
    }
    fputs(ds_cstr(&ds), stdout);
    ds_destroy(&ds);
}

/* Writes 'text' and closes 'stream'; false if either fails. */
static bool
wrote(FILE *stream, const char *text)
{
    bool ok = fprintf(stream, "%s\n", text) >= 0;

    return !fclose(stream) && ok;
}

char *
dpx_bench_write(const struct dpx_bench_result *r, const char *file)
{
    struct dpx_report *report = dpx_report_create();
    char *partial = xasprintf("%s.part", file), *error = NULL, *text;
    struct json *json;
    FILE *stream = fopen(partial, "w");

    dpx_bench_report(report, r, true);
    json = dpx_report_to_json(report);
    text = json_to_string(json, JSSF_PRETTY | JSSF_SORT);
    if (!stream) {
        error = xasprintf("'%s': %s", partial, ovs_strerror(errno));
    } else if (!wrote(stream, text) || rename(partial, file)) {
        error = xasprintf("'%s': %s", file, ovs_strerror(errno));
        unlink(partial);
    }
    free(text);
    json_destroy(json);
    dpx_report_destroy(report);
    free(partial);
    return error;
}

/* Members of a JSON object; what is missing or null is not known. */

static const struct json *
member(const struct json *object, const char *key)
{
    return (object->type == JSON_OBJECT
            ? shash_find_data(json_object(object), key) : NULL);
}

static double
number_of(const struct json *object, const char *key)
{
    const struct json *v = member(object, key);

    return (!v ? NAN : v->type == JSON_INTEGER ? json_integer(v)
            : v->type == JSON_REAL ? json_real(v) : NAN);
}

static const char *
text_of(const struct json *object, const char *key)
{
    const struct json *v = member(object, key);

    return v && v->type == JSON_STRING ? json_string(v) : NULL;
}

typedef void row_reader(struct dpx_bench_result *, const struct json *row);

static void
read_found(struct dpx_bench_result *r, const struct json *row)
{
    const char *goal = text_of(row, "goal"), *state = text_of(row, "state");
    struct dpx_bench_found found = {
        .repetition = number_of(row, "repetition"),
        .goal = CONST_CAST(char *, goal ? goal : "-"),
        .lower = number_of(row, "lower"), .upper = number_of(row, "upper"),
        .throughput = number_of(row, "throughput"),
        .state = CONST_CAST(char *, state ? state : "-"),
    };

    dpx_bench_add_found(r, &found);
}

static void
read_trial(struct dpx_bench_result *r, const struct json *row)
{
    struct dpx_bench_trial *t = dpx_bench_add_trial(r);
    const char *verdict = text_of(row, "verdict");

    t->repetition = number_of(row, "repetition");
    t->load = number_of(row, "load");
    t->duration = number_of(row, "seconds");
    for (size_t i = 0; i < DPX_BENCH_N_VALUES; i++) {
        /* The heading, not the word of the protocol, makes the key. */
        t->values[i] = number_of(row, i == DPX_BENCH_MEASURED ? "measured_s"
                                 : dpx_bench_value_keys[i]);
    }
    for (size_t i = 0; i < DPX_BENCH_N_TEXTS; i++) {
        t->texts[i] = nullable_xstrdup(text_of(row, dpx_bench_text_keys[i]));
    }
    t->invalid = (verdict && !strcmp(verdict, "valid") ? NULL
                  : xstrdup(verdict ? verdict : "-"));
}

static void
read_machine(struct dpx_bench_result *r, const struct json *row)
{
    const char *key = text_of(row, "key"), *value = text_of(row, "value");

    if (key && value) {
        dpx_bench_add_machine(r, key, value);
    }
}

static void
read_rows(struct dpx_bench_result *r, const struct json *file,
          const char *key, row_reader *read)
{
    const struct json *rows = member(file, key);

    for (size_t i = 0; rows && rows->type == JSON_ARRAY
         && i < dpx_json_array_size(rows); i++) {
        read(r, dpx_json_array_at(rows, i));
    }
}

char *
dpx_bench_read(struct dpx_bench_result *r, const char *file)
{
    struct json *json = json_from_file(file);
    struct shash_node *node;
    char *error = NULL;

    dpx_bench_result_init(r);
    if (json->type == JSON_STRING) {
        error = xasprintf("'%s': %s", file, json_string(json));
    } else if (!member(json, "goals") || !member(json, "trials")) {
        error = xasprintf("'%s' is not a result of ovs-dpx-bench", file);
    } else {
        const struct shash_node **nodes = shash_sort(json_object(json));

        for (size_t i = 0; i < shash_count(json_object(json)); i++) {
            node = CONST_CAST(struct shash_node *, nodes[i]);
            if (text_of(json, node->name)) {
                dpx_bench_set_fact(r, node->name,
                                   text_of(json, node->name));
            }
        }
        free(nodes);
        read_rows(r, json, "goals", read_found);
        read_rows(r, json, "trials", read_trial);
        read_rows(r, json, "machine", read_machine);
    }
    json_destroy(json);
    return error;
}
