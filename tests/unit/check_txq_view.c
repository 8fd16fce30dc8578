/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests of what txq-show makes of who sends where: the threads of a queue,
 * what a guest can see, how many queues can have traffic. */

#include <config.h>

#include "dpx-txq-view.h"

#include <check.h>
#include <stdlib.h>

#include "dpx-txq-affinity.h"
#include "util.h"

static struct dpx_txq_row rows[8];
static struct dpx_txq_user users[8];
static struct dpx_port_txqs port;

static void
given(enum dpx_txq_mode mode, int n)
{
    port = (struct dpx_port_txqs) {
        .mode = mode, .rows = rows, .n = n, .users = users,
    };
    for (int i = 0; i < n; i++) {
        rows[i].guest = DPX_TXQ_NO_GUEST;
    }
}

static void
user(int core, int queue, bool pinned)
{
    users[port.n_users++] = (struct dpx_txq_user) { core, queue, pinned };
}

static void
expect_cores(int queue, const char *expected)
{
    char *cores = dpx_txq_cores(&port, queue);

    if (expected) {
        ck_assert_ptr_nonnull(cores);
        ck_assert_str_eq(cores, expected);
    } else {
        ck_assert_ptr_null(cores);
    }
    free(cores);
}

START_TEST(threads_of_a_queue)
{
    given(DPX_TXQ_PLACED, 3);
    user(0, 0, false);
    user(1, 1, false);
    user(2, 1, false);
    user(5, 1, false);
    user(DPX_TXQ_MAIN, 1, false);
    user(6, DPX_TXQ_NONE, false);
    expect_cores(0, "0");
    expect_cores(1, "1-2,5,main");
    expect_cores(2, NULL);
    ck_assert_int_eq(dpx_txq_can_be_busy(&port), 2);
    ck_assert_int_eq(dpx_txq_guest_queues(&port), DPX_TXQ_NO_GUEST);
}
END_TEST

START_TEST(the_main_thread_alone)
{
    given(DPX_TXQ_STATIC, 1);
    user(DPX_TXQ_MAIN, 0, false);
    expect_cores(0, "main");
}
END_TEST

START_TEST(with_hash_all_threads_use_all_queues)
{
    given(DPX_TXQ_HASH, 2);
    user(3, DPX_TXQ_NONE, false);
    user(DPX_TXQ_MAIN, DPX_TXQ_NONE, false);
    expect_cores(0, "3,main");
    expect_cores(1, "3,main");
    ck_assert_int_eq(dpx_txq_can_be_busy(&port), 2);
}
END_TEST

START_TEST(a_queue_with_a_pinned_thread_is_pinned)
{
    given(DPX_TXQ_STATIC, 3);
    user(0, 1, false);
    user(1, 2, true);
    ck_assert_int_eq(dpx_txq_mode_of(&port, 0), DPX_TXQ_STATIC);
    ck_assert_int_eq(dpx_txq_mode_of(&port, 1), DPX_TXQ_STATIC);
    ck_assert_int_eq(dpx_txq_mode_of(&port, 2), DPX_TXQ_PINNED);
}
END_TEST

START_TEST(a_guest_sees_the_queues_that_it_enabled)
{
    given(DPX_TXQ_STATIC, 4);
    rows[0].guest = 0;
    rows[1].guest = 1;
    rows[2].guest = 0;
    rows[3].guest = 1;
    user(0, 0, false);
    user(1, 2, false);
    ck_assert_int_eq(dpx_txq_guest_queues(&port), 2);
    /* Queue 2 is not enabled, its packets go to queue 0. */
    ck_assert_int_eq(dpx_txq_can_be_busy(&port), 1);
    user(2, 3, false);
    ck_assert_int_eq(dpx_txq_can_be_busy(&port), 2);
}
END_TEST

START_TEST(without_a_guest_no_queue_is_busy)
{
    given(DPX_TXQ_XPS, 1);
    rows[0].guest = DPX_TXQ_GUEST_OFF;
    user(0, 0, false);
    ck_assert_int_eq(dpx_txq_guest_queues(&port), 0);
    ck_assert_int_eq(dpx_txq_can_be_busy(&port), 0);
}
END_TEST

START_TEST(xps_uses_as_many_queues_as_threads_and_guest_allow)
{
    given(DPX_TXQ_XPS, 4);
    user(0, DPX_TXQ_NONE, false);
    user(1, 0, false);
    ck_assert_int_eq(dpx_txq_can_be_busy(&port), 2);
    for (int i = 0; i < 4; i++) {
        rows[i].guest = 0;
    }
    ck_assert_int_eq(dpx_txq_can_be_busy(&port), 1);
}
END_TEST

START_TEST(a_port_without_tx_queues)
{
    given(DPX_TXQ_STATIC, 0);
    user(0, 0, false);
    ck_assert_int_eq(dpx_txq_guest_queues(&port), DPX_TXQ_NO_GUEST);
    ck_assert_int_eq(dpx_txq_can_be_busy(&port), 0);
}
END_TEST

START_TEST(modes_have_names)
{
    ck_assert_str_eq(dpx_txq_mode_name(DPX_TXQ_STATIC), "static");
    ck_assert_str_eq(dpx_txq_mode_name(DPX_TXQ_XPS), "xps");
    ck_assert_str_eq(dpx_txq_mode_name(DPX_TXQ_HASH), "hash");
    ck_assert_str_eq(dpx_txq_mode_name(DPX_TXQ_PLACED), "placed");
    ck_assert_str_eq(dpx_txq_mode_name(DPX_TXQ_PINNED), "pinned");
}
END_TEST

int
main(void)
{
    Suite *suite = suite_create("txq-view");
    TCase *tc = tcase_create("txq-view");
    SRunner *runner;
    int failed;

    tcase_add_test(tc, threads_of_a_queue);
    tcase_add_test(tc, the_main_thread_alone);
    tcase_add_test(tc, with_hash_all_threads_use_all_queues);
    tcase_add_test(tc, a_queue_with_a_pinned_thread_is_pinned);
    tcase_add_test(tc, a_guest_sees_the_queues_that_it_enabled);
    tcase_add_test(tc, without_a_guest_no_queue_is_busy);
    tcase_add_test(tc, xps_uses_as_many_queues_as_threads_and_guest_allow);
    tcase_add_test(tc, a_port_without_tx_queues);
    tcase_add_test(tc, modes_have_names);
    suite_add_tcase(suite, tc);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
