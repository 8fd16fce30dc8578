/* SPDX-License-Identifier: Apache-2.0
 *
 * The descriptor ring counts what it should: time is a number here, so each
 * expectation is arithmetic, not a measurement. */

#include <config.h>
#undef NDEBUG
#include <check.h>
#include <stdlib.h>

#include "dpx-paced-ring.h"
#include "random.h"
#include "util.h"

#define SEED 20240611u
#define MSEC UINT64_C(1000000)
#define START UINT64_C(123456789)

static struct dpx_paced_ring ring;

static void
setup(void)
{
    dpx_paced_ring_init(&ring, 1024);
}

static void
teardown(void)
{
    dpx_paced_ring_destroy(&ring);
}

/* Takes everything in bursts of 32.  Returns how many packets there were,
 * after checking that their numbers only grow. */
static uint64_t
drain(uint64_t *next_seq)
{
    uint64_t total = 0, seq;
    uint32_t n;

    while ((n = dpx_paced_ring_take(&ring, 32, &seq))) {
        if (n > 32 || seq < *next_seq) {
            ck_abort_msg("%u packets from %llu after %llu", n,
                         (unsigned long long) seq,
                         (unsigned long long) *next_seq);
        }
        *next_seq = seq + n;
        total += n;
    }
    return total;
}

START_TEST(nothing_arrives_before_the_first_poll)
{
    uint64_t seq = 0;

    dpx_paced_ring_poll(&ring, 1000000, START);
    ck_assert_uint_eq(drain(&seq), 0);
    ck_assert_uint_eq(dpx_counter_read(&ring.arrived), 0);
}
END_TEST

START_TEST(arrivals_are_rate_times_time_without_drift)
{
    /* 1488095 packets/s polled every 7001 ns: no poll is a whole number of
     * packets. */
    uint64_t now = START, polls = 100000, seq = 0, total = 0;

    dpx_paced_ring_poll(&ring, 1488095, now);
    for (uint64_t i = 0; i < polls; i++) {
        now += 7001;
        dpx_paced_ring_poll(&ring, 1488095, now);
        total += drain(&seq);
    }
    ck_assert_uint_eq(total, UINT64_C(1488095) * 7001 * polls / 1000000000);
    ck_assert_uint_eq(dpx_counter_read(&ring.missed), 0);
    ck_assert_uint_eq(seq, total);
}
END_TEST

START_TEST(a_stalled_poller_loses_exactly_what_does_not_fit)
{
    uint64_t now = START, seq = 0, first;

    dpx_paced_ring_poll(&ring, 1000000, now);
    /* 3 ms at 1 Mpps: 3000 arrive, 1024 fit. */
    now += 3 * MSEC;
    dpx_paced_ring_poll(&ring, 1000000, now);
    ck_assert_uint_eq(dpx_counter_read(&ring.arrived), 3000);
    ck_assert_uint_eq(dpx_counter_read(&ring.missed), 3000 - 1024);
    ck_assert_uint_eq(dpx_counter_read(&ring.fill), 1024);

    /* One burst makes room for 32 of the next 100. */
    ck_assert_uint_eq(dpx_paced_ring_take(&ring, 32, &first), 32);
    ck_assert_uint_eq(first, 0);
    now += MSEC / 10;
    dpx_paced_ring_poll(&ring, 1000000, now);
    ck_assert_uint_eq(dpx_counter_read(&ring.missed), 3000 - 1024 + 68);

    /* First what came first, then a gap, then what came last. */
    ck_assert_uint_eq(dpx_paced_ring_take(&ring, 5000, &first), 1024 - 32);
    ck_assert_uint_eq(first, 32);
    ck_assert_uint_eq(dpx_paced_ring_take(&ring, 5000, &first), 32);
    ck_assert_uint_eq(first, 3000);
    ck_assert_uint_eq(drain(&seq), 0);
}
END_TEST

START_TEST(a_stall_within_the_ring_loses_nothing)
{
    uint64_t seq = 0;

    dpx_paced_ring_poll(&ring, 1000000, START);
    dpx_paced_ring_poll(&ring, 1000000, START + 1024 * 1000);
    ck_assert_uint_eq(dpx_counter_read(&ring.missed), 0);
    ck_assert_uint_eq(drain(&seq), 1024);

    dpx_paced_ring_poll(&ring, 1000000, START + 2049 * 1000);
    ck_assert_uint_eq(dpx_counter_read(&ring.missed), 1);
    ck_assert_uint_eq(drain(&seq), 1024);
}
END_TEST

START_TEST(a_stall_of_an_hour_does_not_overflow)
{
    dpx_paced_ring_poll(&ring, DPX_PACED_RATE_MAX, START);
    dpx_paced_ring_poll(&ring, DPX_PACED_RATE_MAX,
                        START + 3600 * DPX_PACED_NSEC + 5);
    ck_assert_uint_eq(dpx_counter_read(&ring.arrived),
                      3600 * DPX_PACED_NSEC + 5);
    ck_assert_uint_eq(dpx_counter_read(&ring.missed),
                      3600 * DPX_PACED_NSEC + 5 - 1024);
}
END_TEST

START_TEST(time_that_goes_back_is_no_time)
{
    dpx_paced_ring_poll(&ring, 1000000, START);
    dpx_paced_ring_poll(&ring, 1000000, START - 5 * MSEC);
    ck_assert_uint_eq(dpx_counter_read(&ring.arrived), 0);
    dpx_paced_ring_poll(&ring, 1000000, START + MSEC);
    ck_assert_uint_eq(dpx_counter_read(&ring.arrived), 1000);
}
END_TEST

START_TEST(a_new_rate_counts_from_the_last_poll)
{
    dpx_paced_ring_poll(&ring, 1000, START);
    dpx_paced_ring_poll(&ring, 1000, START + 100 * MSEC);
    ck_assert_uint_eq(dpx_counter_read(&ring.arrived), 100);
    dpx_paced_ring_poll(&ring, 5000, START + 200 * MSEC);
    ck_assert_uint_eq(dpx_counter_read(&ring.arrived), 600);
    dpx_paced_ring_poll(&ring, 0, START + 10000 * MSEC);
    ck_assert_uint_eq(dpx_counter_read(&ring.arrived), 600);
}
END_TEST

START_TEST(a_restart_counts_what_was_in_the_ring_as_missed)
{
    uint64_t seq;

    dpx_paced_ring_poll(&ring, 1000000, START);
    dpx_paced_ring_poll(&ring, 1000000, START + MSEC / 2);
    dpx_paced_ring_restart(&ring, 64);
    ck_assert_uint_eq(dpx_counter_read(&ring.missed), 500);
    ck_assert_uint_eq(dpx_paced_ring_take(&ring, 32, &seq), 0);

    /* Time starts again, numbers go on. */
    dpx_paced_ring_poll(&ring, 1000000, START + 900 * MSEC);
    ck_assert_uint_eq(dpx_counter_read(&ring.arrived), 500);
    dpx_paced_ring_poll(&ring, 1000000, START + 901 * MSEC);
    ck_assert_uint_eq(dpx_paced_ring_take(&ring, 100, &seq), 64);
    ck_assert_uint_eq(seq, 500);
}
END_TEST

/* Law: arrived = taken + missed + in the ring, every number is taken once or
 * missed, and the fill never exceeds the size, whatever happens when. */
START_TEST(every_arrival_is_taken_missed_or_in_the_ring)
{
    static const uint32_t sizes[] = { 1, 2, 3, 31, 32, 33, 100, 1024 };
    uint64_t now = START, taken = 0, next_seq = 0, seq;

    random_set_seed(SEED);
    dpx_paced_ring_restart(&ring, sizes[_i]);
    for (int step = 0; step < 3000; step++) {
        uint32_t n;

        now += random_range(1 << random_range(24));
        dpx_paced_ring_poll(&ring, random_range(3000000), now);
        for (int burst = random_range(4); burst; burst--) {
            n = dpx_paced_ring_take(&ring, 1 + random_range(32), &seq);
            if (n) {
                ck_assert_uint_ge(seq, next_seq);
                next_seq = seq + n;
                taken += n;
            }
        }
        ck_assert_uint_le(dpx_counter_read(&ring.fill), sizes[_i]);
        ck_assert_uint_eq(dpx_counter_read(&ring.arrived),
                          taken + dpx_counter_read(&ring.missed)
                          + dpx_counter_read(&ring.fill));
    }
    ck_assert_uint_gt(dpx_counter_read(&ring.missed), 0);
    ck_assert_uint_gt(taken, 0);
}
END_TEST

int
main(void)
{
    Suite *suite = suite_create("paced ring");
    TCase *tc = tcase_create("ring");
    SRunner *runner = srunner_create(suite);
    int failed;

    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, nothing_arrives_before_the_first_poll);
    tcase_add_test(tc, arrivals_are_rate_times_time_without_drift);
    tcase_add_test(tc, a_stalled_poller_loses_exactly_what_does_not_fit);
    tcase_add_test(tc, a_stall_within_the_ring_loses_nothing);
    tcase_add_test(tc, a_stall_of_an_hour_does_not_overflow);
    tcase_add_test(tc, time_that_goes_back_is_no_time);
    tcase_add_test(tc, a_new_rate_counts_from_the_last_poll);
    tcase_add_test(tc, a_restart_counts_what_was_in_the_ring_as_missed);
    tcase_add_loop_test(tc, every_arrival_is_taken_missed_or_in_the_ring,
                        0, 8);
    suite_add_tcase(suite, tc);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
