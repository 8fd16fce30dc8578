/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests of lib/dpx-drops.c alone: counters in, drops per queue and demand
 * out. */

#include <config.h>

#include "dpx-drops.h"

#include <check.h>
#include <stdlib.h>

#include "dpx-view.h"
#include "random.h"
#include "util.h"

#define MAX_QUEUES 8

static struct dpx_drops_queue queues[MAX_QUEUES];
static size_t n_queues;

static void
given_nothing(void)
{
    n_queues = 0;
}

/* A polled queue without a count of its own, which got 'packets' in 'bursts'
 * polls, 'full' of them full. */
static struct dpx_drops_queue *
given(uint64_t packets, uint64_t bursts, uint64_t full)
{
    struct dpx_drops_queue *q = &queues[n_queues++];

    *q = (struct dpx_drops_queue) {
        .polled = true,
        .packets = packets,
        .bursts = bursts,
        .full = full,
        .device = DPX_LOAD_UNKNOWN,
        .drops = 42,
    };
    return q;
}

static void
expect_is(size_t queue, double drops)
{
    ck_assert_double_eq_tol(queues[queue].drops, drops, 1e-6);
}

START_TEST(the_only_queue_lost_them_all)
{
    given_nothing();
    given(10, 10, 0);
    dpx_drops_share(queues, n_queues, 5);
    expect_is(0, 5);
}
END_TEST

START_TEST(the_only_queue_lost_them_even_if_nobody_polls_it)
{
    given_nothing();
    given(0, 0, 0)->polled = false;
    dpx_drops_share(queues, n_queues, 7);
    expect_is(0, 7);
}
END_TEST

START_TEST(no_drops_are_none_of_anybody)
{
    given_nothing();
    given(3200, 100, 100);
    given(0, 0, 0)->polled = false;
    dpx_drops_share(queues, n_queues, 0);
    expect_is(0, 0);
    expect_is(1, 0);
}
END_TEST

START_TEST(no_queue_is_no_harm)
{
    given_nothing();
    dpx_drops_share(queues, n_queues, 0);
    dpx_drops_share(queues, n_queues, 9);
}
END_TEST

START_TEST(what_the_device_counts_decides)
{
    given_nothing();
    given(3200, 100, 100)->device = 300;
    given(3200, 100, 100)->device = 100;
    dpx_drops_share(queues, n_queues, 400);
    expect_is(0, 300);
    expect_is(1, 100);
}
END_TEST

START_TEST(counts_of_queues_with_other_errors_are_scaled_to_the_ports)
{
    given_nothing();
    given(3200, 100, 100)->device = 600;
    given(3200, 100, 0)->device = 200;
    dpx_drops_share(queues, n_queues, 400);
    expect_is(0, 300);
    expect_is(1, 100);
}
END_TEST

START_TEST(counts_of_some_queues_only_are_not_used)
{
    given_nothing();
    given(3200, 100, 100)->device = 600;
    given(320, 100, 0);
    dpx_drops_share(queues, n_queues, 400);
    expect_is(0, 400);
    expect_is(1, 0);
}
END_TEST

START_TEST(counts_of_queues_that_stand_still_are_not_used)
{
    given_nothing();
    given(3200, 100, 0)->device = 0;
    given(3200, 100, 100)->device = 0;
    dpx_drops_share(queues, n_queues, 400);
    expect_is(0, 0);
    expect_is(1, 400);
}
END_TEST

START_TEST(the_device_counts_for_a_queue_that_nobody_polls)
{
    given_nothing();
    given(3200, 100, 0)->device = 0;
    given(0, 0, 0)->device = 10;
    queues[1].polled = false;
    dpx_drops_share(queues, n_queues, 10);
    expect_is(0, 0);
    expect_is(1, 10);
}
END_TEST

START_TEST(only_queues_with_full_bursts_lose)
{
    given_nothing();
    given(900, 900, 0);
    given(3200, 100, 100);
    given(2000, 100, 49);
    dpx_drops_share(queues, n_queues, 64);
    expect_is(0, 0);
    expect_is(1, 64);
    expect_is(2, 0);
}
END_TEST

/* 1000, 3000 and 9000 received, 5000 lost: 4500 were sent to each of the first
 * two, as RSS would, and not to the third, which got more. */
START_TEST(what_was_sent_comes_out_even)
{
    given_nothing();
    given(9000, 300, 290);
    given(1000, 32, 31);
    given(3000, 100, 90);
    dpx_drops_share(queues, n_queues, 5000);
    expect_is(0, 0);
    expect_is(1, 3500);
    expect_is(2, 1500);
}
END_TEST

START_TEST(drops_enough_for_all_make_all_even)
{
    given_nothing();
    given(9000, 300, 290);
    given(1000, 32, 31);
    given(3000, 100, 90);
    dpx_drops_share(queues, n_queues, 17000);
    expect_is(0, 1000);
    expect_is(1, 9000);
    expect_is(2, 7000);
}
END_TEST

START_TEST(a_short_stall_goes_by_full_bursts)
{
    given_nothing();
    given(5000, 1000, 30);
    given(5000, 1000, 10);
    given(5000, 1000, 0);
    dpx_drops_share(queues, n_queues, 80);
    expect_is(0, 60);
    expect_is(1, 20);
    expect_is(2, 0);
}
END_TEST

START_TEST(without_a_full_burst_it_is_not_known)
{
    given_nothing();
    given(5000, 1000, 0);
    given(0, 0, 0);
    dpx_drops_share(queues, n_queues, 80);
    expect_is(0, DPX_LOAD_UNKNOWN);
    expect_is(1, DPX_LOAD_UNKNOWN);
}
END_TEST

START_TEST(a_queue_that_nobody_polls_makes_it_unknown)
{
    given_nothing();
    given(3200, 100, 100);
    given(0, 0, 0)->polled = false;
    dpx_drops_share(queues, n_queues, 80);
    expect_is(0, DPX_LOAD_UNKNOWN);
    expect_is(1, DPX_LOAD_UNKNOWN);
}
END_TEST

/* Whatever the counters are, the shares add up and none is negative, or all
 * are unknown. */
START_TEST(shares_add_up)
{
    random_set_seed(20240229);
    for (int n = 0; n < 20000; n++) {
        double lost = random_range(3) ? random_range(100000) : 0, sum = 0;
        size_t n_unknown = 0;

        given_nothing();
        for (int i = 1 + random_range(MAX_QUEUES); i; i--) {
            uint64_t bursts = random_range(10000);
            struct dpx_drops_queue *q
                = given(bursts * (1 + random_range(32)), bursts,
                        random_range(bursts + 1));

            q->polled = random_range(10) > 0;
            q->device = random_range(3) ? random_range(1000)
                                        : DPX_LOAD_UNKNOWN;
        }
        dpx_drops_share(queues, n_queues, lost);
        for (size_t i = 0; i < n_queues; i++) {
            n_unknown += queues[i].drops < 0;
            sum += queues[i].drops;
        }
        if (n_unknown ? n_unknown != n_queues
            : sum < lost * 0.999999 || sum > lost * 1.000001) {
            ck_abort_msg("case %d: %f of %f", n, sum, lost);
        }
    }
}
END_TEST

START_TEST(full_bursts_are_half_of_them)
{
    ck_assert(!dpx_drops_runs_full(0, 0));
    ck_assert(!dpx_drops_runs_full(100, 0));
    ck_assert(!dpx_drops_runs_full(100, 49));
    ck_assert(dpx_drops_runs_full(100, 50));
    ck_assert(dpx_drops_runs_full(1, 1));
}
END_TEST

START_TEST(names_of_counters)
{
    ck_assert_int_eq(dpx_drops_queue_of("rx_q0_errors"), 0);
    ck_assert_int_eq(dpx_drops_queue_of("rx_q17_missed"), 17);
    ck_assert_int_eq(dpx_drops_queue_of("rx_q3_dropped"), 3);
    ck_assert_int_lt(dpx_drops_queue_of("rx_q3_packets"), 0);
    ck_assert_int_lt(dpx_drops_queue_of("rx_q3_errors_total"), 0);
    ck_assert_int_lt(dpx_drops_queue_of("tx_q3_errors"), 0);
    ck_assert_int_lt(dpx_drops_queue_of("rx_q_errors"), 0);
    ck_assert_int_lt(dpx_drops_queue_of("rx_q-1_errors"), 0);
    ck_assert_int_lt(dpx_drops_queue_of("rx_missed_errors"), 0);
    ck_assert_int_lt(dpx_drops_queue_of("rx_q3"), 0);
    ck_assert_int_lt(dpx_drops_queue_of(""), 0);
}
END_TEST

/* A full thread gives each of two queues half of itself, whatever is sent. */
START_TEST(demand_tells_apart_what_cycles_do_not)
{
    ck_assert_double_eq_tol(dpx_drops_demand(0.5, 1e6, 5e6), 3.0, 1e-9);
    ck_assert_double_eq_tol(dpx_drops_demand(0.5, 1e6, 1e6), 1.0, 1e-9);
}
END_TEST

START_TEST(demand_without_drops_is_what_it_takes)
{
    ck_assert_double_eq(dpx_drops_demand(0.3, 1e6, 0), 0.3);
    ck_assert_double_eq(dpx_drops_demand(0.3, 1e6, DPX_LOAD_UNKNOWN), 0.3);
    ck_assert_double_eq(dpx_drops_demand(0, 0, 0), 0);
}
END_TEST

START_TEST(demand_of_a_queue_that_received_nothing)
{
    ck_assert_double_eq(dpx_drops_demand(0, 0, 1e6), 0);
}
END_TEST

START_TEST(demand_that_is_not_measured_is_unknown)
{
    ck_assert_double_eq(dpx_drops_demand(DPX_LOAD_UNKNOWN, 1e6, 1e6),
                        DPX_LOAD_UNKNOWN);
}
END_TEST

START_TEST(demand_of_a_counter_that_jumped_is_bounded)
{
    ck_assert_double_eq(dpx_drops_demand(0.5, 1, 1e15), DPX_DEMAND_MAX);
}
END_TEST

static Suite *
drops_suite(void)
{
    Suite *suite = suite_create("drops");
    TCase *tcase = tcase_create("drops");

    tcase_add_test(tcase, the_only_queue_lost_them_all);
    tcase_add_test(tcase, the_only_queue_lost_them_even_if_nobody_polls_it);
    tcase_add_test(tcase, no_drops_are_none_of_anybody);
    tcase_add_test(tcase, no_queue_is_no_harm);
    tcase_add_test(tcase, what_the_device_counts_decides);
    tcase_add_test(tcase,
                   counts_of_queues_with_other_errors_are_scaled_to_the_ports);
    tcase_add_test(tcase, counts_of_some_queues_only_are_not_used);
    tcase_add_test(tcase, counts_of_queues_that_stand_still_are_not_used);
    tcase_add_test(tcase, the_device_counts_for_a_queue_that_nobody_polls);
    tcase_add_test(tcase, only_queues_with_full_bursts_lose);
    tcase_add_test(tcase, what_was_sent_comes_out_even);
    tcase_add_test(tcase, drops_enough_for_all_make_all_even);
    tcase_add_test(tcase, a_short_stall_goes_by_full_bursts);
    tcase_add_test(tcase, without_a_full_burst_it_is_not_known);
    tcase_add_test(tcase, a_queue_that_nobody_polls_makes_it_unknown);
    tcase_add_test(tcase, shares_add_up);
    tcase_add_test(tcase, full_bursts_are_half_of_them);
    tcase_add_test(tcase, names_of_counters);
    tcase_add_test(tcase, demand_tells_apart_what_cycles_do_not);
    tcase_add_test(tcase, demand_without_drops_is_what_it_takes);
    tcase_add_test(tcase, demand_of_a_queue_that_received_nothing);
    tcase_add_test(tcase, demand_that_is_not_measured_is_unknown);
    tcase_add_test(tcase, demand_of_a_counter_that_jumped_is_bounded);
    suite_add_tcase(suite, tcase);
    return suite;
}

int
main(void)
{
    SRunner *runner = srunner_create(drops_suite());
    int failed;

    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
