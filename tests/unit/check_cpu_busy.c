/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests of how busy a CPU is by /proc/stat. */

#include <config.h>

#include "dpx-cpu-busy.h"

#include <check.h>
#include <stdlib.h>

#include "dpx-view.h"

static struct dpx_cpu_busy busy;

static void
setup(void)
{
    dpx_cpu_busy_destroy(&busy);
}

#define SUM "cpu  90 0 10 900 0 0 0 0 0 0\n"
#define REST "intr 12 0 0\nctxt 5\nbtime 1700000000\n"

static void
expect_unknown(unsigned int cpu)
{
    ck_assert(dpx_cpu_busy_get(&busy, cpu) == DPX_LOAD_UNKNOWN);
}

static void
expect_share(unsigned int cpu, double share)
{
    ck_assert_double_eq_tol(dpx_cpu_busy_get(&busy, cpu), share, 1e-9);
}

START_TEST(nothing_read_is_unknown)
{
    expect_unknown(0);
    dpx_cpu_busy_update(&busy, "");
    expect_unknown(0);
}
END_TEST

START_TEST(one_text_is_unknown)
{
    dpx_cpu_busy_update(&busy, SUM "cpu0 90 0 10 900 0 0 0 0 0 0\n" REST);
    expect_unknown(0);
}
END_TEST

START_TEST(two_texts_give_their_difference)
{
    dpx_cpu_busy_update(&busy, SUM "cpu0 100 0 0 900 0 0 0 0 0 0\n"
                        "cpu1 0 0 0 500 0 0 0 0 0 0\n" REST);
    dpx_cpu_busy_update(&busy, SUM "cpu0 150 10 20 1300 0 10 5 5 50 10\n"
                        "cpu1 0 0 0 1000 0 0 0 0 0 0\n" REST);
    expect_share(0, 100 / 500.0);
    expect_share(1, 0);
    expect_unknown(2);
}
END_TEST

START_TEST(waiting_for_a_disk_is_idle)
{
    dpx_cpu_busy_update(&busy, "cpu3 0 0 0 100 100 0 0 0 0 0\n");
    dpx_cpu_busy_update(&busy, "cpu3 25 0 0 150 125 0 0 0 0 0");
    expect_share(3, 0.25);
    expect_unknown(0);
    expect_unknown(4);
}
END_TEST

START_TEST(cpu_that_went_is_unknown_and_so_is_one_that_came)
{
    dpx_cpu_busy_update(&busy, "cpu0 1 0 0 9 0 0 0 0 0 0\n"
                        "cpu1 1 0 0 9 0 0 0 0 0 0\n");
    dpx_cpu_busy_update(&busy, "cpu0 2 0 0 18 0 0 0 0 0 0\n"
                        "cpu7 2 0 0 18 0 0 0 0 0 0\n");
    expect_share(0, 0.1);
    expect_unknown(1);
    expect_unknown(7);
}
END_TEST

START_TEST(ticks_that_fell_are_unknown_once)
{
    dpx_cpu_busy_update(&busy, "cpu0 50 0 0 950 0 0 0 0 0 0\n");
    dpx_cpu_busy_update(&busy, "cpu0 40 0 0 1000 0 0 0 0 0 0\n");
    expect_unknown(0);
    dpx_cpu_busy_update(&busy, "cpu0 50 0 0 1010 0 0 0 0 0 0\n");
    expect_share(0, 0.5);
}
END_TEST

START_TEST(no_time_between_two_texts_is_unknown)
{
    dpx_cpu_busy_update(&busy, "cpu0 50 0 0 950 0 0 0 0 0 0\n");
    dpx_cpu_busy_update(&busy, "cpu0 50 0 0 950 0 0 0 0 0 0\n");
    expect_unknown(0);
}
END_TEST

START_TEST(lines_that_are_none_are_skipped)
{
    dpx_cpu_busy_update(&busy, "cpu0 1 0 0 9 0 0 0 0 0 0\n");
    dpx_cpu_busy_update(&busy, "cpu0 2 0\ncpux 1 2 3 4 5 6 7 8\n"
                        "cpu99999999 1 0 0 9 0 0 0 0\n\n"
                        "cpu-1 1 0 0 9 0 0 0 0\n"
                        "cpu0 3 0 0 17 0 0 0 0\n");
    expect_share(0, 0.2);
    ck_assert_uint_eq(busy.n, 1);
}
END_TEST

static Suite *
cpu_busy_suite(void)
{
    Suite *suite = suite_create("cpu_busy");
    TCase *tcase = tcase_create("cpu_busy");

    tcase_add_checked_fixture(tcase, setup, setup);
    tcase_add_test(tcase, nothing_read_is_unknown);
    tcase_add_test(tcase, one_text_is_unknown);
    tcase_add_test(tcase, two_texts_give_their_difference);
    tcase_add_test(tcase, waiting_for_a_disk_is_idle);
    tcase_add_test(tcase, cpu_that_went_is_unknown_and_so_is_one_that_came);
    tcase_add_test(tcase, ticks_that_fell_are_unknown_once);
    tcase_add_test(tcase, no_time_between_two_texts_is_unknown);
    tcase_add_test(tcase, lines_that_are_none_are_skipped);
    suite_add_tcase(suite, tcase);
    return suite;
}

int
main(void)
{
    SRunner *runner = srunner_create(cpu_busy_suite());
    int failed;

    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
