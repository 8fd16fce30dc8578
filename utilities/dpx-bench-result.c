/* SPDX-License-Identifier: Apache-2.0
 *
 * A result in memory, and as a report: what was measured, what each
 * repetition found, their distribution, every trial, the machine. */

#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dpx-bench.h"
#include "dpx-report.h"
#include "dpx-summary.h"
#include "util.h"

const char *const dpx_bench_value_keys[] = {
#define DPX_BENCH_VALUE(ENUM, KEY, HEADING, DECIMALS) KEY,
    DPX_BENCH_VALUES
#undef DPX_BENCH_VALUE
};

const char *const dpx_bench_text_keys[] = {
#define DPX_BENCH_TEXT(ENUM, KEY, HEADING) KEY,
    DPX_BENCH_TEXTS
#undef DPX_BENCH_TEXT
};

void
dpx_bench_result_init(struct dpx_bench_result *r)
{
    memset(r, 0, sizeof *r);
}

static void
free_pairs(struct dpx_bench_pair *pairs, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        free(pairs[i].key);
        free(pairs[i].value);
    }
    free(pairs);
}

void
dpx_bench_result_destroy(struct dpx_bench_result *r)
{
    free_pairs(r->facts, r->n_facts);
    free_pairs(r->machine, r->n_machine);
    for (size_t i = 0; i < r->n_trials; i++) {
        for (size_t j = 0; j < DPX_BENCH_N_TEXTS; j++) {
            free(r->trials[i].texts[j]);
        }
        free(r->trials[i].invalid);
    }
    free(r->trials);
    for (size_t i = 0; i < r->n_found; i++) {
        free(r->found[i].goal);
        free(r->found[i].state);
    }
    free(r->found);
}

static void
add_pair(struct dpx_bench_pair **pairs, size_t *n, const char *key,
         const char *value)
{
    *pairs = xrealloc(*pairs, (*n + 1) * sizeof **pairs);
    (*pairs)[*n].key = xstrdup(key);
    (*pairs)[(*n)++].value = xstrdup(value);
}

void
dpx_bench_set_fact(struct dpx_bench_result *r, const char *key,
                   const char *value)
{
    for (size_t i = 0; i < r->n_facts; i++) {
        if (!strcmp(r->facts[i].key, key)) {
            free(r->facts[i].value);
            r->facts[i].value = xstrdup(value);
            return;
        }
    }
    add_pair(&r->facts, &r->n_facts, key, value);
}

const char *
dpx_bench_fact(const struct dpx_bench_result *r, const char *key)
{
    for (size_t i = 0; i < r->n_facts; i++) {
        if (!strcmp(r->facts[i].key, key)) {
            return r->facts[i].value;
        }
    }
    return NULL;
}

void
dpx_bench_add_machine(struct dpx_bench_result *r, const char *key,
                      const char *value)
{
    add_pair(&r->machine, &r->n_machine, key, value);
}

struct dpx_bench_trial *
dpx_bench_add_trial(struct dpx_bench_result *r)
{
    struct dpx_bench_trial *t;

    if (r->n_trials == r->allocated_trials) {
        r->trials = x2nrealloc(r->trials, &r->allocated_trials,
                               sizeof *r->trials);
    }
    t = &r->trials[r->n_trials++];
    memset(t, 0, sizeof *t);
    for (size_t i = 0; i < DPX_BENCH_N_VALUES; i++) {
        t->values[i] = NAN;
    }
    return t;
}

void
dpx_bench_add_found(struct dpx_bench_result *r,
                    const struct dpx_bench_found *found)
{
    struct dpx_bench_found *f;

    r->found = xrealloc(r->found, (r->n_found + 1) * sizeof *r->found);
    f = &r->found[r->n_found++];
    *f = *found;
    f->goal = xstrdup(found->goal);
    f->state = xstrdup(found->state);
}

double *
dpx_bench_throughputs(const struct dpx_bench_result *r, const char *goal,
                      size_t *n)
{
    double *values = xcalloc(r->n_found + 1, sizeof *values);

    *n = 0;
    for (size_t i = 0; i < r->n_found; i++) {
        if (!strcmp(r->found[i].goal, goal)
            && !isnan(r->found[i].throughput)) {
            values[(*n)++] = r->found[i].throughput;
        }
    }
    return values;
}

static void
text(struct dpx_report *report, const char *value)
{
    if (value) {
        dpx_report_text(report, "%s", value);
    } else {
        dpx_report_unknown(report);
    }
}

static void
report_found(struct dpx_report *report, const struct dpx_bench_result *r)
{
    dpx_report_table(report, "goals", "What each repetition found, packets/s");
    dpx_report_column(report, "REPETITION", DPX_RIGHT);
    dpx_report_column(report, "GOAL", DPX_LEFT);
    dpx_report_column(report, "LOWER", DPX_RIGHT);
    dpx_report_column(report, "UPPER", DPX_RIGHT);
    dpx_report_column(report, "THROUGHPUT", DPX_RIGHT);
    dpx_report_column(report, "STATE", DPX_LEFT);
    for (size_t i = 0; i < r->n_found; i++) {
        const struct dpx_bench_found *f = &r->found[i];

        dpx_report_row(report);
        dpx_report_int(report, f->repetition);
        text(report, f->goal);
        dpx_report_number(report, f->lower, 0);
        dpx_report_number(report, f->upper, 0);
        dpx_report_number(report, f->throughput, 0);
        text(report, f->state);
    }
}

/* True if no finding before number 'at' is about the same goal. */
static bool
first_of_goal(const struct dpx_bench_result *r, size_t at)
{
    for (size_t i = 0; i < at; i++) {
        if (!strcmp(r->found[i].goal, r->found[at].goal)) {
            return false;
        }
    }
    return true;
}

static void
report_summary(struct dpx_report *report, const struct dpx_bench_result *r)
{
    dpx_report_table(report, "summary", "Throughput over all repetitions, "
                     "packets/s");
    dpx_report_column(report, "GOAL", DPX_LEFT);
#define DPX_SUMMARY_COLUMN(NAME, HEADING) \
    dpx_report_column(report, HEADING, DPX_RIGHT);
    DPX_SUMMARY_COLUMNS
#undef DPX_SUMMARY_COLUMN
    dpx_report_column(report, "COUNT", DPX_RIGHT);
    for (size_t i = 0; i < r->n_found; i++) {
        struct dpx_summary s;
        double *values;
        size_t n;

        if (!first_of_goal(r, i)) {
            continue;
        }
        values = dpx_bench_throughputs(r, r->found[i].goal, &n);
        dpx_summary_make(values, n, &s);
        free(values);
        dpx_report_row(report);
        text(report, r->found[i].goal);
#define DPX_SUMMARY_COLUMN(NAME, HEADING) dpx_report_number(report, s.NAME, 0);
        DPX_SUMMARY_COLUMNS
#undef DPX_SUMMARY_COLUMN
        dpx_report_int(report, s.count);
    }
}

static void
report_trial(struct dpx_report *report, const struct dpx_bench_trial *t)
{
    static const int decimals[] = {
#define DPX_BENCH_VALUE(ENUM, KEY, HEADING, DECIMALS) DECIMALS,
        DPX_BENCH_VALUES
#undef DPX_BENCH_VALUE
    };
    struct dpx_trial_counts c = {
        .sent = t->values[DPX_BENCH_SENT],
        .received = t->values[DPX_BENCH_RECEIVED],
        .dropped = t->values[DPX_BENCH_DROPPED],
    };

    dpx_report_row(report);
    dpx_report_int(report, t->repetition);
    dpx_report_number(report, t->load, 0);
    dpx_report_number(report, t->duration, 3);
    dpx_report_number(report, 100 * dpx_trial_loss(&c), 4);
    dpx_report_number(report, dpx_trial_unaccounted(&c), 0);
    for (size_t i = 0; i < DPX_BENCH_N_VALUES; i++) {
        dpx_report_number(report, t->values[i], decimals[i]);
    }
    for (size_t i = 0; i < DPX_BENCH_N_TEXTS; i++) {
        text(report, t->texts[i]);
    }
    dpx_report_text(report, "%s", t->invalid ? t->invalid : "valid");
}

static void
report_trials(struct dpx_report *report, const struct dpx_bench_result *r)
{
    dpx_report_table(report, "trials", "Every trial");
    dpx_report_column(report, "REPETITION", DPX_RIGHT);
    dpx_report_column(report, "LOAD", DPX_RIGHT);
    dpx_report_column(report, "SECONDS", DPX_RIGHT);
    dpx_report_column(report, "LOSS %", DPX_RIGHT);
    dpx_report_column(report, "UNACCOUNTED", DPX_RIGHT);
#define DPX_BENCH_VALUE(ENUM, KEY, HEADING, DECIMALS) \
    dpx_report_column(report, HEADING, DPX_RIGHT);
    DPX_BENCH_VALUES
#undef DPX_BENCH_VALUE
#define DPX_BENCH_TEXT(ENUM, KEY, HEADING) \
    dpx_report_column(report, HEADING, DPX_LEFT);
    DPX_BENCH_TEXTS
#undef DPX_BENCH_TEXT
    dpx_report_column(report, "VERDICT", DPX_LEFT);
    for (size_t i = 0; i < r->n_trials; i++) {
        report_trial(report, &r->trials[i]);
    }
}

static void
report_machine(struct dpx_report *report, const struct dpx_bench_result *r)
{
    dpx_report_table(report, "machine", "Where");
    dpx_report_column(report, "KEY", DPX_LEFT);
    dpx_report_column(report, "VALUE", DPX_LEFT);
    for (size_t i = 0; i < r->n_machine; i++) {
        dpx_report_row(report);
        text(report, r->machine[i].key);
        text(report, r->machine[i].value);
    }
}

void
dpx_bench_report(struct dpx_report *report, const struct dpx_bench_result *r,
                 bool trials)
{
    for (size_t i = 0; i < r->n_facts; i++) {
        dpx_report_fact(report, r->facts[i].key);
        text(report, r->facts[i].value);
    }
    report_found(report, r);
    report_summary(report, r);
    if (trials) {
        report_trials(report, r);
    }
    report_machine(report, r);
}
