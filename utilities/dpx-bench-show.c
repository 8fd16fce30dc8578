/* SPDX-License-Identifier: Apache-2.0
 *
 * "ovs-dpx-bench show" and "ovs-dpx-bench compare": results that were
 * measured before. */

#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dpx-bench.h"
#include "dpx-report.h"
#include "dpx-summary.h"
#include "util.h"

const struct dpx_bench_option dpx_bench_show_options[] = {
    { "trials", NULL, "every trial as well" },
    { "json", NULL, "print JSON" },
    { NULL, NULL, NULL }
};

const struct dpx_bench_option dpx_bench_compare_options[] = {
    { "json", NULL, "print JSON" },
    { NULL, NULL, NULL }
};

/* A result that is not whole must not pass as one. */
static int
exit_code(const struct dpx_bench_result *r)
{
    const char *state = dpx_bench_fact(r, "state");

    return (state && !strcmp(state, "complete") ? DPX_BENCH_OK
            : DPX_BENCH_PARTIAL);
}

int
dpx_bench_cmd_show(int argc, char *argv[])
{
    struct dpx_bench_result result;
    struct dpx_bench_args args;
    char *error = dpx_bench_args_parse(&args, argc, argv,
                                       dpx_bench_show_options);
    int code = DPX_BENCH_USAGE;

    if (!error && args.n_words != 1) {
        error = xasprintf("one FILE is needed, not %"PRIuSIZE,
                          args.n_words);
    }
    if (error) {
        code = dpx_bench_fail(argv[0], error, code);
    } else if ((error = dpx_bench_read(&result, args.words[0]))) {
        code = dpx_bench_fail(argv[0], error, DPX_BENCH_FAILED);
        dpx_bench_result_destroy(&result);
    } else {
        struct dpx_report *report = dpx_report_create();

        dpx_bench_report(report, &result,
                         dpx_bench_text(&args, "trials", NULL) != NULL);
        dpx_bench_print(report, dpx_bench_text(&args, "json", NULL) != NULL);
        dpx_report_destroy(report);
        code = exit_code(&result);
        dpx_bench_result_destroy(&result);
    }
    dpx_bench_args_destroy(&args);
    return code;
}

static const char *
verdict(const struct dpx_ratio *r)
{
    return (isnan(r->ratio) ? "one of them has no value"
            : isnan(r->low) ? "too few repetitions to tell"
            : r->resolved ? (r->ratio > 1 ? "B is faster" : "B is slower")
            : "not resolved: no difference is shown");
}

static void
compare_goal(struct dpx_report *report, const struct dpx_bench_result *a,
             const struct dpx_bench_result *b, const char *goal)
{
    struct dpx_summary summary_a, summary_b;
    struct dpx_ratio ratio;
    size_t n_a, n_b;
    double *of_a = dpx_bench_throughputs(a, goal, &n_a);
    double *of_b = dpx_bench_throughputs(b, goal, &n_b);

    dpx_summary_make(of_a, n_a, &summary_a);
    dpx_summary_make(of_b, n_b, &summary_b);
    dpx_ratio_make(of_a, n_a, of_b, n_b, &ratio);
    dpx_report_row(report);
    dpx_report_text(report, "%s", goal);
    dpx_report_number(report, summary_a.average, 0);
    dpx_report_int(report, n_a);
    dpx_report_number(report, summary_b.average, 0);
    dpx_report_int(report, n_b);
    dpx_report_number(report, ratio.ratio, 4);
    dpx_report_number(report, ratio.low, 4);
    dpx_report_number(report, ratio.high, 4);
    dpx_report_text(report, "%s", verdict(&ratio));
    free(of_a);
    free(of_b);
}

static const char *
machine_value(const struct dpx_bench_result *r, const char *key)
{
    for (size_t i = 0; i < r->n_machine; i++) {
        if (!strcmp(r->machine[i].key, key)) {
            return r->machine[i].value;
        }
    }
    return "-";
}

/* What else differs may be why the figures do. */
static void
compare_machines(struct dpx_report *report, const struct dpx_bench_result *a,
                 const struct dpx_bench_result *b)
{
    dpx_report_table(report, "differences", "What else differs");
    dpx_report_column(report, "KEY", DPX_LEFT);
    dpx_report_column(report, "A", DPX_LEFT);
    dpx_report_column(report, "B", DPX_LEFT);
    for (size_t i = 0; i < a->n_machine; i++) {
        const char *key = a->machine[i].key;
        const char *other = machine_value(b, key);

        if (strcmp(a->machine[i].value, other)) {
            dpx_report_row(report);
            dpx_report_text(report, "%s", key);
            dpx_report_text(report, "%s", a->machine[i].value);
            dpx_report_text(report, "%s", other);
        }
    }
    for (size_t i = 0; i < b->n_machine; i++) {
        if (!strcmp(machine_value(a, b->machine[i].key), "-")) {
            dpx_report_row(report);
            dpx_report_text(report, "%s", b->machine[i].key);
            dpx_report_text(report, "-");
            dpx_report_text(report, "%s", b->machine[i].value);
        }
    }
}

static struct dpx_report *
compare(const struct dpx_bench_result *a, const struct dpx_bench_result *b,
        char *names[])
{
    struct dpx_report *report = dpx_report_create();
    const struct dpx_bench_result *results[] = { a, b };

    for (int i = 0; i < 2; i++) {
        const char *state = dpx_bench_fact(results[i], "state");

        dpx_report_fact(report, i ? "B" : "A");
        dpx_report_text(report, "%s (%s)", names[i], state ? state : "-");
    }
    dpx_report_table(report, "ratios", "B relative to A, mean throughput in "
                     "packets/s, 95 % confidence interval");
    dpx_report_column(report, "GOAL", DPX_LEFT);
    dpx_report_column(report, "A", DPX_RIGHT);
    dpx_report_column(report, "COUNT A", DPX_RIGHT);
    dpx_report_column(report, "B", DPX_RIGHT);
    dpx_report_column(report, "COUNT B", DPX_RIGHT);
    dpx_report_column(report, "RATIO", DPX_RIGHT);
    dpx_report_column(report, "LOW", DPX_RIGHT);
    dpx_report_column(report, "HIGH", DPX_RIGHT);
    dpx_report_column(report, "VERDICT", DPX_LEFT);
    for (size_t i = 0; i < a->n_found; i++) {
        bool first = true;

        for (size_t j = 0; j < i; j++) {
            first = first && strcmp(a->found[j].goal, a->found[i].goal);
        }
        if (first) {
            compare_goal(report, a, b, a->found[i].goal);
        }
    }
    compare_machines(report, a, b);
    return report;
}

int
dpx_bench_cmd_compare(int argc, char *argv[])
{
    struct dpx_bench_result r[2];
    struct dpx_bench_args args;
    int code = DPX_BENCH_USAGE;
    char *error = dpx_bench_args_parse(&args, argc, argv,
                                       dpx_bench_compare_options);

    for (int i = 0; i < 2; i++) {
        dpx_bench_result_init(&r[i]);
    }
    if (!error && args.n_words != 2) {
        error = (args.n_words > 2
                 ? xasprintf("'%s': two files are compared, not more",
                             args.words[2])
                 : xstrdup("two files are needed: A B"));
    }
    for (int i = 0; i < 2 && !error; i++) {
        code = DPX_BENCH_FAILED;
        error = dpx_bench_read(&r[i], args.words[i]);
    }
    if (error) {
        dpx_bench_fail(argv[0], error, code);
    } else {
        struct dpx_report *report = compare(&r[0], &r[1], args.words);

        dpx_bench_print(report, dpx_bench_text(&args, "json", NULL) != NULL);
        dpx_report_destroy(report);
        code = MAX(exit_code(&r[0]), exit_code(&r[1]));
    }
    for (int i = 0; i < 2; i++) {
        dpx_bench_result_destroy(&r[i]);
    }
    dpx_bench_args_destroy(&args);
    return code;
}
