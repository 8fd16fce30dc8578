/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests of lib/dpx-flow-cost.c alone: events of a burst in, costs out. */

#include <config.h>

#include "dpx-flow-cost.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"
#include "util.h"

static struct dpx_cost_clock clock_;
static struct dpx_cost_cell cells[4];
static uint64_t now;

static void
given_every(uint32_t every)
{
    memset(&clock_, 0, sizeof clock_);
    memset(cells, 0, sizeof cells);
    atomic_init(&clock_.every, every);
    now = 1000;
}

/* 'cycles' go by; returns the time. */
static uint64_t
after(uint64_t cycles)
{
    return now += cycles;
}

static uint64_t
sum(int cell, enum dpx_cost_sum which)
{
    struct dpx_cost_sums sums;

    dpx_cost_read(&cells[cell], &sums);
    return sums.sum[which];
}

static uint64_t
total(atomic_uint64_t *counter)
{
    uint64_t value;

    atomic_read_relaxed(counter, &value);
    return value;
}

/* A burst of 'n' packets whose receiving took 'cycles' begins. */
static void
burst(size_t n, uint64_t cycles)
{
    ck_assert(dpx_cost_wants(&clock_));
    dpx_cost_poll(&clock_, now);
    dpx_cost_received(&clock_, n, after(cycles));
}

/* Finding cost 'find', and the actions of 'n' packets of 'cell' 'act'. */
static void
batch(size_t depth, int cell, size_t n, uint64_t find, uint64_t act)
{
    dpx_cost_begin(&clock_, depth, &cells[cell], n, after(find));
    dpx_cost_end(&clock_, depth, after(act));
}

START_TEST(zeroed_memory_times_nothing)
{
    given_every(0);
    for (int i = 0; i < 1000; i++) {
        ck_assert(!dpx_cost_wants(&clock_));
        ck_assert(!dpx_cost_on(&clock_));
        dpx_cost_pass_by(&clock_);
    }
}
END_TEST

START_TEST(every_nth_burst_is_timed_and_no_other)
{
    int timed = 0;

    given_every(4);
    for (int i = 0; i < 100; i++) {
        if (dpx_cost_wants(&clock_)) {
            dpx_cost_poll(&clock_, now);
            dpx_cost_received(&clock_, 1, after(1));
            dpx_cost_done(&clock_, after(1));
            timed++;
        } else {
            dpx_cost_pass_by(&clock_);
        }
    }
    ck_assert_int_eq(timed, 25);
}
END_TEST

START_TEST(an_empty_poll_leaves_its_turn_to_the_next)
{
    given_every(64);
    ck_assert(dpx_cost_wants(&clock_));
    dpx_cost_poll(&clock_, now);
    dpx_cost_received(&clock_, 0, after(5));
    ck_assert(!dpx_cost_on(&clock_));
    ck_assert(dpx_cost_wants(&clock_));
    ck_assert_uint_eq(total(&clock_.totals.bursts), 0);
}
END_TEST

START_TEST(one_flow_has_all_of_the_burst)
{
    given_every(1);
    burst(32, 100);
    batch(0, 0, 32, 640, 320);
    dpx_cost_done(&clock_, after(50));
    ck_assert_uint_eq(sum(0, DPX_COST_N), 1);
    ck_assert_uint_eq(sum(0, DPX_COST_P), 32);
    ck_assert_uint_eq(sum(0, DPX_COST_C), 1110);
    ck_assert_uint_eq(sum(0, DPX_COST_T), 1110);
}
END_TEST

START_TEST(two_flows_share_what_is_common_by_packets)
{
    given_every(1);
    burst(32, 320);
    batch(0, 0, 24, 3200, 100);     /* Both were found before this. */
    batch(0, 1, 8, 0, 900);
    dpx_cost_done(&clock_, after(640));
    ck_assert_uint_eq(sum(0, DPX_COST_C), 240 + 2400 + 100 + 480);
    ck_assert_uint_eq(sum(1, DPX_COST_C), 80 + 800 + 900 + 160);
}
END_TEST

START_TEST(a_later_pass_is_its_flows_and_in_the_tree_of_the_first)
{
    given_every(1);
    burst(10, 100);
    dpx_cost_begin(&clock_, 0, &cells[0], 10, after(200));
    dpx_cost_again(&clock_, 1, 10, after(50));      /* Conntrack. */
    batch(1, 1, 10, 300, 70);
    dpx_cost_end(&clock_, 0, after(5));
    dpx_cost_done(&clock_, after(40));
    ck_assert_uint_eq(sum(0, DPX_COST_C), 100 + 200 + 50 + 5);
    ck_assert_uint_eq(sum(1, DPX_COST_C), 300 + 70 + 40);
    ck_assert_uint_eq(sum(0, DPX_COST_T), 765);
    ck_assert_uint_eq(sum(1, DPX_COST_T), 410);
}
END_TEST

START_TEST(three_passes_each_have_their_own)
{
    given_every(1);
    burst(4, 0);
    dpx_cost_begin(&clock_, 0, &cells[0], 4, after(1));
    dpx_cost_again(&clock_, 1, 4, after(10));
    dpx_cost_begin(&clock_, 1, &cells[1], 4, after(2));
    dpx_cost_again(&clock_, 2, 4, after(20));
    batch(2, 2, 4, 3, 30);
    dpx_cost_end(&clock_, 1, after(200));
    dpx_cost_end(&clock_, 0, after(100));
    dpx_cost_done(&clock_, after(0));
    ck_assert_uint_eq(sum(0, DPX_COST_C), 111);
    ck_assert_uint_eq(sum(1, DPX_COST_C), 222);
    ck_assert_uint_eq(sum(2, DPX_COST_C), 33);
    ck_assert_uint_eq(sum(0, DPX_COST_T), 366);
    ck_assert_uint_eq(sum(1, DPX_COST_T), 255);
}
END_TEST

START_TEST(an_upcall_is_no_part_of_the_burst)
{
    given_every(1);
    burst(2, 10);
    now += 20;
    dpx_cost_upcall(&clock_);
    /* What its actions do is part of it. */
    batch(1, 2, 1, 1000, 1000);
    now += 3000;
    dpx_cost_upcall_end(&clock_, 5000);
    batch(0, 0, 1, 20, 30);
    dpx_cost_done(&clock_, after(7));
    ck_assert_uint_eq(sum(2, DPX_COST_N), 0);
    ck_assert_uint_eq(sum(0, DPX_COST_C), 5 + 20 + 30 + 7);
    ck_assert_uint_eq(total(&clock_.totals.interrupted), 0);
}
END_TEST

START_TEST(a_burst_whose_upcall_failed_is_left_out)
{
    given_every(1);
    burst(2, 10);
    dpx_cost_upcall(&clock_);
    batch(0, 0, 1, 20, 30);
    dpx_cost_done(&clock_, after(7));
    ck_assert_uint_eq(sum(0, DPX_COST_N), 0);
    ck_assert_uint_eq(total(&clock_.totals.interrupted), 1);

    /* The next one is not. */
    burst(2, 10);
    batch(0, 0, 2, 20, 30);
    dpx_cost_done(&clock_, after(7));
    ck_assert_uint_eq(sum(0, DPX_COST_N), 1);
}
END_TEST

START_TEST(a_burst_that_was_interrupted_is_left_out)
{
    given_every(1);
    burst(1, 10);
    batch(0, 0, 1, 10, DPX_COST_INTERRUPTED + 1);
    dpx_cost_done(&clock_, after(1));
    ck_assert_uint_eq(sum(0, DPX_COST_N), 0);
    ck_assert_uint_eq(total(&clock_.totals.interrupted), 1);
    ck_assert_uint_eq(total(&clock_.totals.bursts), 0);
}
END_TEST

START_TEST(too_many_batches_or_passes_are_left_out)
{
    given_every(1);
    burst(1, 10);
    for (int i = 0; i <= DPX_COST_BATCHES; i++) {
        batch(0, 0, 1, 1, 1);
    }
    dpx_cost_done(&clock_, after(1));
    burst(1, 10);
    dpx_cost_again(&clock_, DPX_COST_PASSES, 1, after(1));
    dpx_cost_done(&clock_, after(1));
    ck_assert_uint_eq(sum(0, DPX_COST_N), 0);
    ck_assert_uint_eq(total(&clock_.totals.interrupted), 2);
}
END_TEST

/* Whatever happens, no cycle gets lost or counts twice. */
START_TEST(the_parts_are_the_whole)
{
    given_every(1);
    for (int round = 0; round < 1000; round++) {
        uint64_t start = now, before = 0, cycles = 0, stages = 0;
        size_t n = 0, n_flows = 1 + random_range(3);
        size_t packets[3];

        for (size_t i = 0; i < n_flows; i++) {
            n += packets[i] = 12 * (1 + random_range(3));
        }
        for (int i = 0; i < 4; i++) {
            before += sum(i, DPX_COST_C);
        }
        /* Multiples of what is shared: nothing is rounded. */
        burst(n, n * random_range(50));
        for (size_t i = 0; i < n_flows; i++) {
            uint64_t find = i ? random_range(9) : n * random_range(99);

            dpx_cost_begin(&clock_, 0, &cells[i], packets[i], after(find));
            if (random_range(2)) {
                dpx_cost_again(&clock_, 1, packets[i],
                               after(random_range(500)));
                batch(1, 3, packets[i], random_range(500), 99);
            }
            dpx_cost_end(&clock_, 0, after(random_range(500)));
        }
        dpx_cost_done(&clock_, after(n * random_range(77)));
        for (int i = 0; i < 4; i++) {
            cycles += sum(i, DPX_COST_C);
        }
        for (int i = 0; i < DPX_N_STAGES; i++) {
            stages += clock_.stages[i];
        }
        ck_assert_uint_eq(cycles - before, now - start);
        ck_assert_uint_eq(stages, now - start);
    }
}
END_TEST

START_TEST(nothing_timed_is_unknown)
{
    struct dpx_cost_sums sums = { .sum = { 0 } };
    struct dpx_cost cost = dpx_cost_estimate(&sums, false);

    ck_assert_double_lt(cost.cycles, 0);
    ck_assert_double_lt(cost.half_width, 0);
    sums.sum[DPX_COST_N] = 1;
    sums.sum[DPX_COST_P] = 4;
    sums.sum[DPX_COST_PP] = 16;
    sums.sum[DPX_COST_C] = 400;
    cost = dpx_cost_estimate(&sums, false);
    ck_assert_double_eq(cost.cycles, 100);
    ck_assert_double_lt(cost.half_width, 0);
}
END_TEST

/* A batch costs 500 cycles and 70 to 130 per packet. */
static void
sample_batches(struct dpx_cost_sums *sums, int n)
{
    *sums = (struct dpx_cost_sums) { .sum = { 0 } };
    for (int i = 0; i < n; i++) {
        uint64_t p = 1 + random_range(32), c = p * (70 + random_range(61));
        const uint64_t add[DPX_COST_SUMS] = { 1, p, p * p, c, c * c, c * p };

        for (int j = 0; j < DPX_COST_SUMS; j++) {
            sums->sum[j] += add[j];
        }
    }
}

START_TEST(the_interval_holds_as_often_as_it_says)
{
    int held = 0;

    random_set_seed(5);
    for (int i = 0; i < 1000; i++) {
        struct dpx_cost_sums sums;
        struct dpx_cost cost;

        sample_batches(&sums, 100);
        cost = dpx_cost_estimate(&sums, false);
        held += fabs(cost.cycles - 100) <= cost.half_width;
    }
    /* 950 are expected; five standard deviations less. */
    ck_assert_int_ge(held, 915);
    ck_assert_int_le(held, 985);
}
END_TEST

START_TEST(a_quantile_is_the_end_of_its_slot)
{
    uint64_t slots[8] = { 0, 0, 50, 49, 0, 1 };

    ck_assert_uint_eq(dpx_cost_quantile(slots, 8, 0.5), 4);
    ck_assert_uint_eq(dpx_cost_quantile(slots, 8, 0.99), 8);
    ck_assert_uint_eq(dpx_cost_quantile(slots, 8, 1), 32);
    memset(slots, 0, sizeof slots);
    ck_assert_uint_eq(dpx_cost_quantile(slots, 8, 0.5), 0);
}
END_TEST

static Suite *
flow_cost_suite(void)
{
    Suite *suite = suite_create("flow_cost");
    TCase *tcase = tcase_create("flow_cost");

    tcase_add_test(tcase, zeroed_memory_times_nothing);
    tcase_add_test(tcase, every_nth_burst_is_timed_and_no_other);
    tcase_add_test(tcase, an_empty_poll_leaves_its_turn_to_the_next);
    tcase_add_test(tcase, one_flow_has_all_of_the_burst);
    tcase_add_test(tcase, two_flows_share_what_is_common_by_packets);
    tcase_add_test(tcase,
                   a_later_pass_is_its_flows_and_in_the_tree_of_the_first);
    tcase_add_test(tcase, three_passes_each_have_their_own);
    tcase_add_test(tcase, an_upcall_is_no_part_of_the_burst);
    tcase_add_test(tcase, a_burst_whose_upcall_failed_is_left_out);
    tcase_add_test(tcase, a_burst_that_was_interrupted_is_left_out);
    tcase_add_test(tcase, too_many_batches_or_passes_are_left_out);
    tcase_add_test(tcase, the_parts_are_the_whole);
    tcase_add_test(tcase, nothing_timed_is_unknown);
    tcase_add_test(tcase, the_interval_holds_as_often_as_it_says);
    tcase_add_test(tcase, a_quantile_is_the_end_of_its_slot);
    suite_add_tcase(suite, tcase);
    return suite;
}

int
main(void)
{
    SRunner *runner = srunner_create(flow_cost_suite());
    int failed;

    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
