/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests of lib/dpx-report.c alone: cells in, text and JSON out.  Both are
 * always compared, because the promise is that they hold the same. */

#include <config.h>

#include "dpx-report.h"

#include <check.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "dpx-view.h"
#include "openvswitch/dynamic-string.h"
#include "openvswitch/json.h"
#include "util.h"

static struct dpx_report *report;

static void
begin(void)
{
    report = dpx_report_create();
}

/* The aborts that are wanted say on stderr what is wrong, which would look
 * like a failure. */
static void
begin_quietly(void)
{
    ck_assert_ptr_nonnull(freopen("/dev/null", "w", stderr));
    begin();
}

static void
end(void)
{
    dpx_report_destroy(report);
}

static void
expect_text(const char *expected)
{
    struct ds text = DS_EMPTY_INITIALIZER;

    dpx_report_to_text(report, &text);
    ck_assert_str_eq(ds_cstr(&text), expected);
    ds_destroy(&text);
}

static void
expect_json(const char *expected)
{
    struct json *json = dpx_report_to_json(report);
    char *text = json_to_string(json, JSSF_SORT);

    ck_assert_str_eq(text, expected);
    free(text);
    json_destroy(json);
}

START_TEST(nothing_is_empty)
{
    expect_text("");
    expect_json("{}");
}
END_TEST

START_TEST(destroy_accepts_null)
{
    dpx_report_destroy(NULL);
}
END_TEST

START_TEST(facts_are_lines_and_keys)
{
    dpx_report_fact(report, "datapath");
    dpx_report_text(report, "%s-%d", "netdev", 7);
    dpx_report_fact(report, "load window s");
    dpx_report_int(report, 5);
    dpx_report_fact(report, "dpx-enable");
    dpx_report_bool(report, true);
    dpx_report_fact(report, "busiest core now %");
    dpx_report_unknown(report);
    expect_text("datapath: netdev-7\n"
                "load window s: 5\n"
                "dpx-enable: yes\n"
                "busiest core now %: -\n");
    expect_json("{\"busiest_core_now_pct\":null,"
                "\"datapath\":\"netdev-7\","
                "\"dpx_enable\":true,"
                "\"load_window_s\":5}");
}
END_TEST

START_TEST(a_table_is_set_in_columns)
{
    dpx_report_table(report, "rxqs", "Rx queues");
    dpx_report_column(report, "PORT", DPX_LEFT);
    dpx_report_column(report, "BUSY %", DPX_RIGHT);
    dpx_report_column(report, "PINNED", DPX_LEFT);
    dpx_report_row(report);
    dpx_report_text(report, "a-long-port");
    dpx_report_percent(report, 0.5, 100);
    dpx_report_bool(report, false);
    dpx_report_row(report);
    dpx_report_text(report, "p0");
    dpx_report_unknown(report);
    dpx_report_bool(report, true);
    expect_text("Rx queues\n"
                "PORT         BUSY %  PINNED\n"
                "a-long-port    50.0  no\n"
                "p0                -  yes\n");
    expect_json("{\"rxqs\":["
                "{\"busy_pct\":50,\"pinned\":false,\"port\":\"a-long-port\"},"
                "{\"busy_pct\":null,\"pinned\":true,\"port\":\"p0\"}]}");
}
END_TEST

START_TEST(a_last_column_to_the_right_is_aligned_too)
{
    dpx_report_table(report, "t", NULL);
    dpx_report_column(report, "A", DPX_LEFT);
    dpx_report_column(report, "N", DPX_RIGHT);
    dpx_report_row(report);
    dpx_report_text(report, "x");
    dpx_report_int(report, 12345);
    dpx_report_row(report);
    dpx_report_text(report, "y");
    dpx_report_int(report, -1);
    expect_text("A      N\n"
                "x  12345\n"
                "y     -1\n");
}
END_TEST

START_TEST(a_titled_table_without_rows_is_not_in_the_text)
{
    dpx_report_table(report, "pmds", "PMD threads");
    dpx_report_column(report, "CORE", DPX_RIGHT);
    dpx_report_column(report, "NUMA", DPX_RIGHT);
    expect_text("");
    expect_json("{\"pmds\":[]}");
}
END_TEST

START_TEST(parts_are_separated_by_one_empty_line)
{
    dpx_report_fact(report, "f");
    dpx_report_int(report, 1);
    dpx_report_table(report, "a", NULL);
    dpx_report_column(report, "A", DPX_LEFT);
    dpx_report_table(report, "b", "B table");
    dpx_report_column(report, "B", DPX_LEFT);
    dpx_report_table(report, "c", "C table");
    dpx_report_column(report, "C", DPX_LEFT);
    dpx_report_row(report);
    dpx_report_int(report, 2);
    expect_text("f: 1\n\nA\n\nC table\nC\n2\n");
    expect_json("{\"a\":[],\"b\":[],\"c\":[{\"c\":2}],\"f\":1}");
}
END_TEST

START_TEST(a_number_is_rounded_alike_in_text_and_json)
{
    dpx_report_fact(report, "half");
    dpx_report_number(report, 2.25, 1);
    dpx_report_fact(report, "third");
    dpx_report_number(report, 1 / 3.0, 3);
    dpx_report_fact(report, "whole");
    dpx_report_number(report, 1e15, 0);
    expect_text("half: 2.2\nthird: 0.333\nwhole: 1000000000000000\n");
    expect_json("{\"half\":2.2,\"third\":0.333,\"whole\":1000000000000000}");
}
END_TEST

/* Halves are where two ways to round may part. */
START_TEST(a_whole_number_is_rounded_alike_in_text_and_json)
{
    for (int i = 0; i < 8; i++) {
        struct ds text = DS_EMPTY_INITIALIZER;
        struct json *json;
        char *wanted;

        end();
        begin();
        dpx_report_fact(report, "n");
        dpx_report_number(report, i + 0.5, 0);
        dpx_report_to_text(report, &text);
        json = dpx_report_to_json(report);
        wanted = xasprintf("n: %"PRId64"\n", json_integer(
                               shash_find_data(json_object(json), "n")));
        ck_assert_str_eq(ds_cstr(&text), wanted);
        free(wanted);
        json_destroy(json);
        ds_destroy(&text);
    }
}
END_TEST

START_TEST(the_largest_counter_is_exact)
{
    dpx_report_fact(report, "n");
    dpx_report_int(report, INT64_MAX);
    expect_text("n: 9223372036854775807\n");
    expect_json("{\"n\":9223372036854775807}");
}
END_TEST

START_TEST(a_percentage_stops_at_its_limit)
{
    dpx_report_fact(report, "below");
    dpx_report_percent(report, 0.4321, 100);
    dpx_report_fact(report, "above");
    dpx_report_percent(report, 1.2, 100);
    dpx_report_fact(report, "free");
    dpx_report_percent(report, 1.2, 0);
    dpx_report_fact(report, "nothing");
    dpx_report_percent(report, 0, 100);
    expect_text("below: 43.2\nabove: 100.0\nfree: 120.0\nnothing: 0.0\n");
    expect_json("{\"above\":100,\"below\":43.2,\"free\":120,\"nothing\":0}");
}
END_TEST

START_TEST(what_is_no_number_is_unknown)
{
    dpx_report_fact(report, "negative");
    dpx_report_percent(report, -1.0, 100);
    dpx_report_fact(report, "nan");
    dpx_report_percent(report, NAN, 100);
    dpx_report_fact(report, "inf");
    dpx_report_percent(report, INFINITY, 0);
    dpx_report_fact(report, "rate");
    dpx_report_number(report, NAN, 0);
    dpx_report_fact(report, "amount");
    dpx_report_amount(report, -0.5, 1);
    dpx_report_fact(report, "id");
    dpx_report_id(report, DPX_ID_UNKNOWN);
    expect_text("negative: -\nnan: -\ninf: -\nrate: -\namount: -\nid: -\n");
    expect_json("{\"amount\":null,\"id\":null,\"inf\":null,\"nan\":null,"
                "\"negative\":null,\"rate\":null}");
}
END_TEST

START_TEST(a_core_is_a_number_or_says_who_polls)
{
    dpx_report_table(report, "t", NULL);
    dpx_report_column(report, "CORE", DPX_RIGHT);
    for (int core = DPX_CORE_NONE; core <= 0; core++) {
        dpx_report_row(report);
        dpx_report_core(report, core);
    }
    expect_text("CORE\nnone\nmain\n   0\n");
    expect_json("{\"t\":[{\"core\":\"none\"},{\"core\":\"main\"},"
                "{\"core\":0}]}");
}
END_TEST

START_TEST(strange_text_is_quoted_in_json)
{
    dpx_report_fact(report, "t");
    dpx_report_text(report, "%s", "a \"b\" \\ 100%d");
    expect_text("t: a \"b\" \\ 100%d\n");
    expect_json("{\"t\":\"a \\\"b\\\" \\\\ 100%d\"}");
}
END_TEST

START_TEST(many_rows_keep_their_order)
{
    struct ds expected = DS_EMPTY_INITIALIZER;

    dpx_report_table(report, "t", NULL);
    dpx_report_column(report, "I", DPX_RIGHT);
    dpx_report_column(report, "SQUARE", DPX_RIGHT);
    for (int i = 0; i < 1000; i++) {
        dpx_report_row(report);
        dpx_report_int(report, i);
        dpx_report_int(report, i * i);
        ds_put_format(&expected, "%s{\"i\":%d,\"square\":%d}",
                      i ? "," : "{\"t\":[", i, i * i);
    }
    ds_put_cstr(&expected, "]}");
    expect_json(ds_cstr(&expected));
    ds_destroy(&expected);
}
END_TEST

/* Mistakes of a caller: each aborts, so that the first run finds it. */

START_TEST(a_row_short_of_a_cell_aborts)
{
    dpx_report_table(report, "t", NULL);
    dpx_report_column(report, "A", DPX_LEFT);
    dpx_report_column(report, "B", DPX_LEFT);
    dpx_report_row(report);
    dpx_report_int(report, 1);
    dpx_report_row(report);
}
END_TEST

START_TEST(a_column_after_a_cell_aborts)
{
    dpx_report_table(report, "t", NULL);
    dpx_report_column(report, "A", DPX_LEFT);
    dpx_report_row(report);
    dpx_report_int(report, 1);
    dpx_report_column(report, "B", DPX_LEFT);
}
END_TEST

START_TEST(a_fact_after_a_table_aborts)
{
    dpx_report_table(report, "t", NULL);
    dpx_report_fact(report, "late");
}
END_TEST

START_TEST(a_second_value_of_a_fact_aborts)
{
    dpx_report_fact(report, "f");
    dpx_report_int(report, 1);
    dpx_report_int(report, 2);
}
END_TEST

START_TEST(a_fact_and_a_table_of_one_name_abort)
{
    dpx_report_fact(report, "flows");
    dpx_report_int(report, 1);
    dpx_report_table(report, "flows", NULL);
    dpx_report_to_json(report);
}
END_TEST

static Suite *
report_suite(void)
{
    Suite *suite = suite_create("report");
    TCase *works = tcase_create("renders");
    TCase *aborts = tcase_create("caller's mistakes");

    tcase_add_checked_fixture(works, begin, end);
    tcase_add_test(works, nothing_is_empty);
    tcase_add_test(works, destroy_accepts_null);
    tcase_add_test(works, facts_are_lines_and_keys);
    tcase_add_test(works, a_table_is_set_in_columns);
    tcase_add_test(works, a_last_column_to_the_right_is_aligned_too);
    tcase_add_test(works, a_titled_table_without_rows_is_not_in_the_text);
    tcase_add_test(works, parts_are_separated_by_one_empty_line);
    tcase_add_test(works, a_number_is_rounded_alike_in_text_and_json);
    tcase_add_test(works, a_whole_number_is_rounded_alike_in_text_and_json);
    tcase_add_test(works, the_largest_counter_is_exact);
    tcase_add_test(works, a_percentage_stops_at_its_limit);
    tcase_add_test(works, what_is_no_number_is_unknown);
    tcase_add_test(works, a_core_is_a_number_or_says_who_polls);
    tcase_add_test(works, strange_text_is_quoted_in_json);
    tcase_add_test(works, many_rows_keep_their_order);
    suite_add_tcase(suite, works);

    tcase_add_checked_fixture(aborts, begin_quietly, end);
    tcase_add_test_raise_signal(aborts, a_row_short_of_a_cell_aborts,
                                SIGABRT);
    tcase_add_test_raise_signal(aborts, a_column_after_a_cell_aborts,
                                SIGABRT);
    tcase_add_test_raise_signal(aborts, a_fact_after_a_table_aborts, SIGABRT);
    tcase_add_test_raise_signal(aborts, a_second_value_of_a_fact_aborts,
                                SIGABRT);
    tcase_add_test_raise_signal(aborts, a_fact_and_a_table_of_one_name_abort,
                                SIGABRT);
    suite_add_tcase(suite, aborts);
    return suite;
}

int
main(void)
{
    SRunner *runner = srunner_create(report_suite());
    int failed;

    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
