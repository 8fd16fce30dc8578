/* SPDX-License-Identifier: Apache-2.0
 *
 * ovs-pmd-plan: says which rx queue belongs on which PMD of a stock Open
 * vSwitch, from what its commands printed.  Needs no daemon.  Parses, asks,
 * prints; everything that decides is in dpx-plan-*.c and lib/. */

#include <config.h>

#include <stdio.h>
#include <stdlib.h>

#include "dpx-plan.h"
#include "dpx-report.h"
#include "openvswitch/dynamic-string.h"
#include "openvswitch/json.h"
#include "util.h"

static int
fail(char *error, enum dpx_plan_exit code)
{
    fprintf(stderr, "ovs-pmd-plan: %s\n", error);
    free(error);
    return code;
}

static void
print_report(const struct dpx_report *report, bool as_json)
{
    struct ds text = DS_EMPTY_INITIALIZER;

    if (as_json) {
        struct json *json = dpx_report_to_json(report);

        json_to_ds(json, JSSF_PRETTY | JSSF_SORT, &text);
        ds_put_char(&text, '\n');
        json_destroy(json);
    } else {
        dpx_report_to_text(report, &text);
    }
    fputs(ds_cstr(&text), stdout);
    ds_destroy(&text);
}

static int
plan(const struct dpx_plan_options *options)
{
    struct dpx_plan_input input;
    struct dpx_plan_result result;
    char *error = dpx_plan_input_read(&input, options);
    int code;

    if (error) {
        dpx_plan_input_destroy(&input);
        return fail(error, DPX_EXIT_INPUT);
    }
    error = dpx_plan_result_make(&result, &input, options);
    if (error) {
        code = fail(error, DPX_EXIT_INPUT);
    } else {
        struct dpx_report *report = dpx_report_create();

        dpx_plan_report(report, &result, &input);
        print_report(report, options->json);
        dpx_report_destroy(report);
        code = dpx_plan_result_exit(&result);
    }
    dpx_plan_result_destroy(&result);
    dpx_plan_input_destroy(&input);
    return code;
}

int
main(int argc, char *argv[])
{
    struct dpx_plan_options options;
    char *error = dpx_plan_options_parse(&options, argc, argv);
    int code = DPX_EXIT_NOTHING;

    if (error) {
        code = fail(error, DPX_EXIT_USAGE);
    } else if (options.help) {
        dpx_plan_usage();
    } else if (options.version) {
        printf("ovs-pmd-plan (ovs-dpx on Open vSwitch) %s\n", VERSION);
    } else {
        code = plan(&options);
    }
    dpx_plan_options_destroy(&options);
    if (fflush(stdout) || ferror(stdout)) {
        return fail(xstrdup("cannot write the output"), DPX_EXIT_INPUT);
    }
    return code;
}
