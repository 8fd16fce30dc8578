/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests of lib/dpx-load.c alone: samples in, load out. */

#include <config.h>

#include "dpx-load.h"

#include <check.h>
#include <limits.h>
#include <stdlib.h>

#include "dpx-view.h"
#include "random.h"

/* The machine of these tests counts 1000 cycles in a microsecond. */
#define CYCLES_PER_USEC 1000

#define SECOND UINT64_C(1000000)

static struct dpx_load load;
static struct dpx_load_sample now;

static void
given_nothing(void)
{
    load = (struct dpx_load) { .n = 0 };
    now = (struct dpx_load_sample) { .tsc = 77, .usec = 5 };
}

/* 'usec' go by, in which 'busy' of the time was spent on 'packets'. */
static void
after(uint64_t usec, double busy, uint64_t packets)
{
    now.usec += usec;
    now.tsc += usec * CYCLES_PER_USEC;
    now.cycles += usec * CYCLES_PER_USEC * busy;
    now.packets += packets;
    dpx_load_add(&load, &now);
}

static void
expect(unsigned int window_s, double busy, double pps)
{
    double b = 42, p = 42;

    ck_assert(dpx_load_get(&load, window_s, &b, &p));
    ck_assert_double_eq_tol(b, busy, 1e-9);
    ck_assert_double_eq_tol(p, pps, 1e-6);
}

static void
expect_unknown(unsigned int window_s)
{
    double b = 42, p = 42;

    ck_assert(!dpx_load_get(&load, window_s, &b, &p));
    ck_assert_double_eq(b, DPX_LOAD_UNKNOWN);
    ck_assert_double_eq(p, DPX_LOAD_UNKNOWN);
}

START_TEST(zeroed_memory_is_unknown)
{
    given_nothing();
    expect_unknown(DPX_LOAD_WINDOW_S);
}
END_TEST

START_TEST(one_sample_is_unknown)
{
    given_nothing();
    after(SECOND, 0.5, 100);
    expect_unknown(DPX_LOAD_WINDOW_S);
}
END_TEST

START_TEST(two_samples_give_their_difference)
{
    given_nothing();
    after(SECOND, 0.9, 1000);
    after(SECOND, 0.25, 400);
    expect(DPX_LOAD_WINDOW_S, 0.25, 400);
}
END_TEST

START_TEST(G10_a_window_that_is_not_full_is_not_diluted)
{
    given_nothing();
    after(SECOND, 0, 0);
    after(SECOND, 0.97, 970);
    expect(60, 0.97, 970);
    after(SECOND, 0.97, 970);
    expect(60, 0.97, 970);
}
END_TEST

START_TEST(idle_is_zero_and_not_unknown)
{
    given_nothing();
    after(SECOND, 0, 0);
    after(SECOND, 0, 0);
    expect(DPX_LOAD_WINDOW_S, 0, 0);
}
END_TEST

START_TEST(no_window_is_unknown)
{
    given_nothing();
    after(SECOND, 0.5, 1);
    after(SECOND, 0.5, 1);
    expect_unknown(0);
}
END_TEST

START_TEST(what_is_older_than_the_window_is_forgotten)
{
    given_nothing();
    for (int i = 0; i < 20; i++) {
        after(SECOND, 1.0, 5000);
    }
    for (int i = 0; i < 5; i++) {
        after(SECOND, 0.1, 10);
    }
    expect(5, 0.1, 10);
    expect(10, 0.55, 2505);
}
END_TEST

START_TEST(a_late_sample_does_not_lengthen_the_window_by_another)
{
    given_nothing();
    after(SECOND, 1.0, 7);
    after(SECOND, 1.0, 7);
    for (int i = 0; i < 5; i++) {
        after(SECOND * 95 / 100, 0.2, 95);      /* 4.75 s in all. */
    }
    expect(5, 0.2, 100);
}
END_TEST

START_TEST(a_window_longer_than_the_ring_takes_all_that_is_held)
{
    given_nothing();
    for (int i = 0; i < 10; i++) {
        after(SECOND, 1.0, 900);
    }
    for (int i = 0; i < DPX_LOAD_SAMPLES - 1; i++) {
        after(SECOND, 0.3, 30);
    }
    expect(3600, 0.3, 30);
    expect(UINT_MAX, 0.3, 30);
}
END_TEST

START_TEST(cycles_that_fell_start_again)
{
    given_nothing();
    after(SECOND, 0.9, 10);
    after(SECOND, 0.9, 10);
    now.cycles = 0;
    after(SECOND, 0.4, 10);
    expect_unknown(5);
    after(SECOND, 0.4, 10);
    expect(5, 0.4, 10);
}
END_TEST

START_TEST(packets_that_fell_start_again)
{
    given_nothing();
    after(SECOND, 0.9, 10);
    after(SECOND, 0.9, 10);
    now.packets = 0;
    after(SECOND, 0.4, 10);
    expect_unknown(5);
    after(SECOND, 0.4, 10);
    expect(5, 0.4, 10);
}
END_TEST

START_TEST(a_clock_that_stood_still_starts_again)
{
    given_nothing();
    after(SECOND, 0.9, 10);
    after(0, 0, 10);
    expect_unknown(5);
    after(SECOND, 0.4, 20);
    expect(5, 0.4, 20);
}
END_TEST

START_TEST(a_clock_that_went_back_starts_again)
{
    given_nothing();
    after(10 * SECOND, 0.9, 10);
    now.usec -= SECOND;
    now.tsc += CYCLES_PER_USEC;
    dpx_load_add(&load, &now);
    expect_unknown(5);
}
END_TEST

START_TEST(G1_load_is_never_more_than_the_core)
{
    given_nothing();
    after(SECOND, 0.5, 1);
    after(SECOND, 1.7, 1);
    expect(5, 1.0, 1);
}
END_TEST

/* Expects what a window says about drops, and the demand that follows. */
static void
expect_drops(unsigned int window_s, double drops, double demand)
{
    struct dpx_load_rates rates;

    ck_assert(dpx_load_get_rates(&load, window_s, &rates));
    ck_assert_double_eq_tol(rates.drops, drops, 1e-6);
    ck_assert_double_eq_tol(rates.demand, demand, 1e-9);
}

START_TEST(demand_is_load_with_what_was_lost)
{
    given_nothing();
    after(SECOND, 0.5, 1000);
    now.drops += 5000;
    after(SECOND, 0.5, 1000);
    expect_drops(5, 5000, 3.0);
    now.drops += 1000;
    after(SECOND, 0.5, 1000);
    expect_drops(5, 3000, 2.0);
    expect_drops(1, 1000, 1.0);
}
END_TEST

START_TEST(demand_without_known_drops_is_load)
{
    given_nothing();
    now.drops = DPX_LOAD_NO_DROPS;
    after(SECOND, 0.5, 1000);
    after(SECOND, 0.5, 1000);
    expect_drops(5, DPX_LOAD_UNKNOWN, 0.5);
}
END_TEST

START_TEST(drops_are_taken_from_when_they_are_known)
{
    given_nothing();
    now.drops = DPX_LOAD_NO_DROPS;
    after(SECOND, 0.5, 1000);
    after(SECOND, 0.5, 1000);
    now.drops = 0;
    after(SECOND, 0.5, 1000);
    expect_drops(5, DPX_LOAD_UNKNOWN, 0.5);
    now.drops = 1000;
    after(SECOND, 0.5, 1000);
    expect_drops(5, 1000, 1.0);
}
END_TEST

START_TEST(drops_that_are_not_known_any_more_are_unknown)
{
    given_nothing();
    after(SECOND, 0.5, 1000);
    now.drops = 1000;
    after(SECOND, 0.5, 1000);
    now.drops = DPX_LOAD_NO_DROPS;
    after(SECOND, 0.5, 1000);
    expect_drops(5, DPX_LOAD_UNKNOWN, 0.5);
}
END_TEST

START_TEST(drops_that_fell_are_not_negative)
{
    given_nothing();
    now.drops = 1000;
    after(SECOND, 0.5, 1000);
    now.drops = 10;
    after(SECOND, 0.5, 1000);
    expect_drops(5, DPX_LOAD_UNKNOWN, 0.5);
}
END_TEST

START_TEST(drops_of_a_ring_that_went_round)
{
    given_nothing();
    now.drops = DPX_LOAD_NO_DROPS;
    after(SECOND, 0.5, 1000);
    now.drops = 0;
    for (int i = 0; i < 2 * DPX_LOAD_SAMPLES + 3; i++) {
        now.drops += 1000;
        after(SECOND, 0.5, 1000);
    }
    expect_drops(DPX_LOAD_WINDOW_MAX_S, 1000, 1.0);
}
END_TEST

START_TEST(cycles_of_a_packet)
{
    struct dpx_load_rates rates;

    given_nothing();
    after(SECOND, 0.5, 1000);
    after(SECOND, 0.5, 1000);
    ck_assert(dpx_load_get_rates(&load, 5, &rates));
    ck_assert_double_eq_tol(rates.cycles, 500000, 1e-6);
    after(SECOND, 0, 0);
    ck_assert(dpx_load_get_rates(&load, 1, &rates));
    ck_assert_double_eq(rates.cycles, DPX_LOAD_UNKNOWN);
}
END_TEST

/* The load of any window lies between the least and the greatest that went
 * into it, however the samples are spaced. */
START_TEST(a_load_lies_within_what_went_into_it)
{
    random_set_seed(20240229);
    for (int n = 0; n < 200; n++) {
        unsigned int window_s = 1 + random_range(70);

        given_nothing();
        for (int i = 0; i < 2 + (int) random_range(200); i++) {
            double busy, pps;

            after(SECOND / 2 + random_range(SECOND),
                  0.2 + random_range(400) / 1000.0, 0);
            /* An assertion that holds is not free, it is written to a file. */
            if (i && (!dpx_load_get(&load, window_s, &busy, &pps)
                      || busy < 0.2 - 1e-6 || busy > 0.6 + 1e-6)) {
                ck_abort_msg("window %u, sample %d: %f", window_s, i, busy);
            }
        }
    }
}
END_TEST

static Suite *
load_suite(void)
{
    Suite *suite = suite_create("load");
    TCase *tcase = tcase_create("load");

    tcase_add_test(tcase, zeroed_memory_is_unknown);
    tcase_add_test(tcase, one_sample_is_unknown);
    tcase_add_test(tcase, two_samples_give_their_difference);
    tcase_add_test(tcase, G10_a_window_that_is_not_full_is_not_diluted);
    tcase_add_test(tcase, idle_is_zero_and_not_unknown);
    tcase_add_test(tcase, no_window_is_unknown);
    tcase_add_test(tcase, what_is_older_than_the_window_is_forgotten);
    tcase_add_test(tcase,
                   a_late_sample_does_not_lengthen_the_window_by_another);
    tcase_add_test(tcase,
                   a_window_longer_than_the_ring_takes_all_that_is_held);
    tcase_add_test(tcase, cycles_that_fell_start_again);
    tcase_add_test(tcase, packets_that_fell_start_again);
    tcase_add_test(tcase, a_clock_that_stood_still_starts_again);
    tcase_add_test(tcase, a_clock_that_went_back_starts_again);
    tcase_add_test(tcase, G1_load_is_never_more_than_the_core);
    tcase_add_test(tcase, demand_is_load_with_what_was_lost);
    tcase_add_test(tcase, demand_without_known_drops_is_load);
    tcase_add_test(tcase, drops_are_taken_from_when_they_are_known);
    tcase_add_test(tcase, drops_that_are_not_known_any_more_are_unknown);
    tcase_add_test(tcase, drops_that_fell_are_not_negative);
    tcase_add_test(tcase, drops_of_a_ring_that_went_round);
    tcase_add_test(tcase, cycles_of_a_packet);
    tcase_add_test(tcase, a_load_lies_within_what_went_into_it);
    suite_add_tcase(suite, tcase);
    return suite;
}

int
main(void)
{
    SRunner *runner = srunner_create(load_suite());
    int failed;

    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
