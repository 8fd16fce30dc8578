/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests of pmd-txq-affinity: what is taken, what is refused with its word, and
 * what becomes of queues that a port lacks. */

#include <config.h>

#include "dpx-txq-affinity.h"

#include <check.h>
#include <stdlib.h>

#include "util.h"

static struct dpx_txq_affinity affinity;

static void
given(const char *list)
{
    char *error = dpx_txq_affinity_parse(list, &affinity);

    ck_assert_msg(!error, "'%s': %s", list ? list : "(null)", error);
}

static void
expect(int core, int n_txq, int queue)
{
    ck_assert_int_eq(dpx_txq_affinity_find(&affinity, core, n_txq), queue);
}

static void
expect_refused(const char *list, const char *expected)
{
    char *error = dpx_txq_affinity_parse(list, &affinity);

    ck_assert_msg(error, "'%s' is taken", list);
    ck_assert_str_eq(error, expected);
    ck_assert_uint_eq(affinity.n, 0);
    ck_assert_ptr_null(affinity.pins);
    free(error);
}

START_TEST(no_list_pins_nobody)
{
    given(NULL);
    expect(0, 4, -1);
    given("");
    expect(0, 4, -1);
    given(" , ,");
    expect(DPX_TXQ_MAIN, 4, -1);
    ck_assert_uint_eq(affinity.n, 0);
}
END_TEST

START_TEST(cores_and_main_go_where_they_are_told)
{
    given("3:0,5:2, main:1");
    expect(3, 4, 0);
    expect(5, 4, 2);
    expect(DPX_TXQ_MAIN, 4, 1);
    expect(4, 4, -1);
    dpx_txq_affinity_uninit(&affinity);
}
END_TEST

START_TEST(two_cores_may_share_a_queue)
{
    given("1:2 2:2");
    expect(1, 4, 2);
    expect(2, 4, 2);
    dpx_txq_affinity_uninit(&affinity);
}
END_TEST

START_TEST(a_queue_that_is_not_there_becomes_the_last_one)
{
    char *remarks;

    given("0:7,1:2");
    expect(0, 8, 7);
    ck_assert_ptr_null(dpx_txq_affinity_remarks(&affinity, 8));
    expect(0, 4, 3);
    expect(1, 1, 0);
    remarks = dpx_txq_affinity_remarks(&affinity, 2);
    ck_assert_str_eq(remarks, "tx queue 7 does not exist, 1 is used; "
                              "tx queue 2 does not exist, 1 is used");
    free(remarks);
    dpx_txq_affinity_uninit(&affinity);
}
END_TEST

START_TEST(what_is_wrong_is_quoted)
{
    expect_refused("3", "\"3\": CORE:QUEUE is expected");
    expect_refused("1:0,x:1", "\"x:1\": the core is neither \"main\" nor a "
                              "number below 8192");
    expect_refused(":1", "\":1\": the core is neither \"main\" nor a number "
                         "below 8192");
    expect_refused("-1:1", "\"-1:1\": the core is neither \"main\" nor a "
                           "number below 8192");
    expect_refused("8192:1", "\"8192:1\": the core is neither \"main\" nor a "
                             "number below 8192");
    expect_refused("1:", "\"1:\": the tx queue is no number below 8192");
    expect_refused("1:0x2", "\"1:0x2\": the tx queue is no number below "
                            "8192");
    expect_refused("1:8192", "\"1:8192\": the tx queue is no number below "
                             "8192");
    expect_refused("1:99999999999", "\"1:99999999999\": the tx queue is no "
                                    "number below 8192");
    expect_refused("1:0,2:1,1:1", "\"1:1\": the core is named twice");
    expect_refused("main:0,main:1", "\"main:1\": the core is named twice");
}
END_TEST

int
main(void)
{
    Suite *suite = suite_create("txq-affinity");
    TCase *tc = tcase_create("txq-affinity");
    SRunner *runner;
    int failed;

    tcase_add_test(tc, no_list_pins_nobody);
    tcase_add_test(tc, cores_and_main_go_where_they_are_told);
    tcase_add_test(tc, two_cores_may_share_a_queue);
    tcase_add_test(tc, a_queue_that_is_not_there_becomes_the_last_one);
    tcase_add_test(tc, what_is_wrong_is_quoted);
    suite_add_tcase(suite, tc);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
