/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests of lib/dpx-summary.c and lib/dpx-histogram.c. */

#include <config.h>

#include "dpx-histogram.h"
#include "dpx-summary.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

#include "../bench/bench-device.h"
#include "util.h"

START_TEST(summary_of_known_values)
{
    double values[] = { 5, 1, 4, 2, 3, 11, 10, 9, 8, 7, 6 };
    struct dpx_summary s;

    dpx_summary_make(values, ARRAY_SIZE(values), &s);
    ck_assert_uint_eq(s.count, 11);
    ck_assert_double_eq(s.min, 1);
    ck_assert_double_eq(s.p10, 2);
    ck_assert_double_eq(s.median, 6);
    ck_assert_double_eq(s.average, 6);
    ck_assert_double_eq(s.p90, 10);
    ck_assert_double_eq_tol(s.p99, 10.9, 1e-9);
    ck_assert_double_eq(s.max, 11);
    ck_assert_double_eq(values[0], 5);
}
END_TEST

START_TEST(summary_of_one_and_of_none)
{
    double one = 3;
    struct dpx_summary s;

    dpx_summary_make(&one, 1, &s);
    ck_assert_double_eq(s.min, 3);
    ck_assert_double_eq(s.p99, 3);
    dpx_summary_make(NULL, 0, &s);
    ck_assert_uint_eq(s.count, 0);
    ck_assert(isnan(s.min) && isnan(s.median) && isnan(s.max));
}
END_TEST

/* From printed tables of Student's distribution, two-sided 95 %. */
START_TEST(student_quantiles_are_those_of_the_tables)
{
    ck_assert_double_eq_tol(dpx_student_quantile(1), 12.706, 0.002);
    ck_assert_double_eq_tol(dpx_student_quantile(2), 4.303, 0.002);
    ck_assert_double_eq_tol(dpx_student_quantile(5), 2.571, 0.001);
    ck_assert_double_eq_tol(dpx_student_quantile(10), 2.228, 0.001);
    ck_assert_double_eq_tol(dpx_student_quantile(30), 2.042, 0.001);
    ck_assert_double_eq_tol(dpx_student_quantile(1e6), 1.960, 0.006);
}
END_TEST

START_TEST(ratio_of_equal_sets_is_not_resolved)
{
    double a[] = { 99, 100, 101 };
    struct dpx_ratio r;

    dpx_ratio_make(a, 3, a, 3, &r);
    ck_assert_double_eq(r.ratio, 1);
    ck_assert(r.low < 1 && r.high > 1);
    ck_assert(!r.resolved);
}
END_TEST

START_TEST(ratio_of_different_sets_is_resolved)
{
    double a[] = { 99, 100, 101 }, b[] = { 119, 120, 121 };
    struct dpx_ratio r;

    dpx_ratio_make(a, 3, b, 3, &r);
    ck_assert_double_eq_tol(r.ratio, 1.2, 1e-9);
    ck_assert(r.low > 1.15 && r.low < 1.2);
    ck_assert(r.high > 1.2 && r.high < 1.25);
    ck_assert(r.resolved);
}
END_TEST

START_TEST(ratio_that_cannot_be_bounded)
{
    double zero[] = { 0, 0 }, wide[] = { -100, 110 }, one[] = { 5 };
    struct dpx_ratio r;

    dpx_ratio_make(zero, 2, one, 1, &r);
    ck_assert(isnan(r.ratio) && !r.resolved);
    dpx_ratio_make(one, 1, one, 1, &r);
    ck_assert_double_eq(r.ratio, 1);
    ck_assert(isnan(r.low) && isnan(r.high) && !r.resolved);
    dpx_ratio_make(wide, 2, wide, 2, &r);
    ck_assert(isnan(r.low) && !r.resolved);
    dpx_ratio_make(one, 1, NULL, 0, &r);
    ck_assert(isnan(r.ratio));
}
END_TEST

/* A law: of many intervals about 95 % hold the true ratio. */
START_TEST(intervals_cover_the_truth_as_often_as_they_say)
{
    uint64_t state = 11;
    int covered = 0, n = 2000;

    for (int i = 0; i < n; i++) {
        double a[5], b[8];
        struct dpx_ratio r;

        for (int j = 0; j < 13; j++) {
            double sum = -6;    /* Twelve of them: nearly normal. */

            for (int k = 0; k < 12; k++) {
                sum += device_random(&state);
            }
            *(j < 5 ? &a[j] : &b[j - 5]) = j < 5 ? 100 + 3 * sum
                                                 : 130 + 10 * sum;
        }
        dpx_ratio_make(a, 5, b, 8, &r);
        covered += r.low <= 1.3 && r.high >= 1.3;
    }
    ck_assert_msg(covered > n * 0.93 && covered < n * 0.97, "%d of %d",
                  covered, n);
}
END_TEST

/* Histogram. */

START_TEST(histogram_knows_small_values_exactly)
{
    struct dpx_histogram *h = xzalloc(sizeof *h);

    for (int i = 1; i <= 100; i++) {
        dpx_histogram_add(h, i);
    }
    ck_assert_double_eq(dpx_histogram_quantile(h, 0.5), 50);
    ck_assert_double_eq(dpx_histogram_quantile(h, 0.99), 99);
    ck_assert_double_eq(dpx_histogram_quantile(h, 1), 100);
    ck_assert_double_eq(dpx_histogram_quantile(h, 0), 1);
    free(h);
}
END_TEST

START_TEST(histogram_is_within_its_precision)
{
    struct dpx_histogram *h = xzalloc(sizeof *h);

    for (uint64_t v = 1; v < UINT64_C(1) << 40; v = v * 3 + 1) {
        memset(h, 0, sizeof *h);
        dpx_histogram_add(h, v);
        dpx_histogram_add(h, UINT64_C(1) << 39);
        ck_assert_double_ge(dpx_histogram_quantile(h, 0.5),
                            MIN(v, UINT64_C(1) << 39));
        ck_assert_double_le(dpx_histogram_quantile(h, 0.5), v * 1.008);
    }
    free(h);
}
END_TEST

START_TEST(histogram_slots_rise_with_the_value)
{
    uint32_t last = 0;

    for (uint64_t v = 0; v < 1 << 20; v++) {
        uint32_t slot = dpx_histogram_slot(v);

        if (slot != last && slot != last + 1) {
            ck_abort_msg("slot %"PRIu32" after %"PRIu32, slot, last);
        }
        last = slot;
    }
    ck_assert_uint_eq(dpx_histogram_slot(UINT64_MAX),
                      DPX_HISTOGRAM_SLOTS - 1);
}
END_TEST

START_TEST(histogram_merges_and_is_empty)
{
    struct dpx_histogram *a = xzalloc(sizeof *a), *b = xzalloc(sizeof *b);

    ck_assert(isnan(dpx_histogram_quantile(a, 0.5)));
    dpx_histogram_add(a, 10);
    dpx_histogram_add(b, UINT64_C(1) << 50);
    dpx_histogram_merge(a, b);
    ck_assert_uint_eq(a->n, 2);
    ck_assert_double_eq(dpx_histogram_quantile(a, 0.5), 10);
    ck_assert_double_eq(dpx_histogram_quantile(a, 1), 0x1p50);
    free(a);
    free(b);
}
END_TEST

static Suite *
summary_suite(void)
{
    Suite *suite = suite_create("summary");
    TCase *tcase = tcase_create("summary");

    tcase_add_test(tcase, summary_of_known_values);
    tcase_add_test(tcase, summary_of_one_and_of_none);
    tcase_add_test(tcase, student_quantiles_are_those_of_the_tables);
    tcase_add_test(tcase, ratio_of_equal_sets_is_not_resolved);
    tcase_add_test(tcase, ratio_of_different_sets_is_resolved);
    tcase_add_test(tcase, ratio_that_cannot_be_bounded);
    tcase_add_test(tcase, intervals_cover_the_truth_as_often_as_they_say);
    tcase_add_test(tcase, histogram_knows_small_values_exactly);
    tcase_add_test(tcase, histogram_is_within_its_precision);
    tcase_add_test(tcase, histogram_slots_rise_with_the_value);
    tcase_add_test(tcase, histogram_merges_and_is_empty);
    suite_add_tcase(suite, tcase);
    return suite;
}

int
main(void)
{
    SRunner *runner = srunner_create(summary_suite());
    int failed;

    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
