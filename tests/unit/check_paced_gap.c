/* SPDX-License-Identifier: Apache-2.0
 *
 * Poll gaps land in the right bucket and get the right blame.  The thread's
 * account with the kernel is a file that the test writes, except where the
 * kernel itself is asked. */

#include <config.h>
#undef NDEBUG
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "dpx-paced-gap.h"
#include "util.h"

#define USEC UINT64_C(1000)
#define MSEC UINT64_C(1000000)
#define START UINT64_C(1000000000)
#define ME 7

static struct dpx_paced_gaps gaps;
static struct dpx_paced_oncpu oncpu;
static FILE *account;

/* The kernel says that the thread has run for 'ran' ns so far. */
static void
kernel_says(uint64_t ran)
{
    ck_assert(!ftruncate(fileno(account), 0));
    rewind(account);
    fprintf(account, "%llu 123 45\n", (unsigned long long) ran);
    ck_assert(!fflush(account));
}

static void
setup(void)
{
    account = tmpfile();
    ck_assert(account != NULL);
    kernel_says(0);
    dpx_paced_oncpu_open(&oncpu, START);
    dpx_paced_oncpu_close(&oncpu);
    oncpu.fd = dup(fileno(account));
    for (int i = 0; i < DPX_PACED_READINGS; i++) {
        oncpu.readings[i].ran = 0;
    }
    dpx_paced_gaps_init(&gaps);
}

static void
teardown(void)
{
    dpx_paced_oncpu_close(&oncpu);
    fclose(account);
}

static void
poll_at(uint64_t now, uint32_t who)
{
    dpx_paced_gaps_poll(&gaps, now, who, MSEC, &oncpu);
}

static void
expect_long(uint64_t on, uint64_t off, uint64_t moved, uint64_t unknown)
{
    ck_assert_uint_eq(dpx_counter_read(&gaps.n_long[DPX_PACED_GAP_ON]), on);
    ck_assert_uint_eq(dpx_counter_read(&gaps.n_long[DPX_PACED_GAP_OFF]), off);
    ck_assert_uint_eq(dpx_counter_read(&gaps.n_long[DPX_PACED_GAP_MOVED]),
                      moved);
    ck_assert_uint_eq(dpx_counter_read(&gaps.n_long[DPX_PACED_GAP_UNKNOWN]),
                      unknown);
}

START_TEST(the_first_poll_ends_no_gap)
{
    poll_at(START, ME);
    for (int i = 0; i < DPX_PACED_GAP_BUCKETS; i++) {
        ck_assert_uint_eq(dpx_counter_read(&gaps.buckets[i]), 0);
    }
    ck_assert_uint_eq(dpx_counter_read(&gaps.max), 0);
}
END_TEST

START_TEST(a_gap_lands_in_its_power_of_two)
{
    uint64_t now = START;

    poll_at(now, ME);
    poll_at(now += 1, ME);
    poll_at(now += 255, ME);
    poll_at(now += 256, ME);
    poll_at(now += 511, ME);
    ck_assert_uint_eq(dpx_counter_read(&gaps.buckets[0]), 1);
    ck_assert_uint_eq(dpx_counter_read(&gaps.buckets[7]), 1);
    ck_assert_uint_eq(dpx_counter_read(&gaps.buckets[8]), 2);
    ck_assert_uint_eq(dpx_counter_read(&gaps.max), 511);
    expect_long(0, 0, 0, 0);

    /* Beyond the last bucket. */
    poll_at(now += UINT64_C(1) << 45, ME);
    ck_assert_uint_eq(dpx_counter_read(
                          &gaps.buckets[DPX_PACED_GAP_BUCKETS - 1]), 1);
}
END_TEST

START_TEST(only_a_gap_above_the_threshold_is_long)
{
    poll_at(START, ME);
    poll_at(START + MSEC, ME);
    expect_long(0, 0, 0, 0);
    kernel_says(2 * MSEC);
    poll_at(START + 2 * MSEC + 1, ME);
    expect_long(1, 0, 0, 0);
    ck_assert_uint_eq(dpx_counter_read(&gaps.max_long[DPX_PACED_GAP_ON]),
                      MSEC + 1);
}
END_TEST

START_TEST(a_thread_that_ran_is_to_blame)
{
    poll_at(START, ME);
    kernel_says(4 * MSEC);
    poll_at(START + 5 * MSEC, ME);
    expect_long(1, 0, 0, 0);
}
END_TEST

START_TEST(a_thread_that_was_taken_off_is_not)
{
    poll_at(START, ME);
    kernel_says(1 * MSEC);
    poll_at(START + 5 * MSEC, ME);
    expect_long(0, 1, 0, 0);
    ck_assert_uint_eq(dpx_counter_read(&gaps.max_long[DPX_PACED_GAP_OFF]),
                      5 * MSEC);
}
END_TEST

START_TEST(all_queues_of_a_thread_share_the_reason)
{
    struct dpx_paced_gaps other[20];

    poll_at(START, ME);
    for (int i = 0; i < 20; i++) {
        dpx_paced_gaps_init(&other[i]);
        dpx_paced_gaps_poll(&other[i], START + USEC, ME, MSEC, &oncpu);
    }
    kernel_says(1 * MSEC);
    poll_at(START + 5 * MSEC, ME);
    for (int i = 0; i < 20; i++) {
        dpx_paced_gaps_poll(&other[i], START + 5 * MSEC + i * USEC, ME, MSEC,
                            &oncpu);
        ck_assert_uint_eq(
            dpx_counter_read(&other[i].n_long[DPX_PACED_GAP_OFF]), 1);
    }
    expect_long(0, 1, 0, 0);
}
END_TEST

START_TEST(time_lost_before_the_gap_does_not_count)
{
    /* The thread loses 9 ms, its polls notice, and then it is busy. */
    poll_at(START, ME);
    kernel_says(1 * MSEC);
    poll_at(START + 10 * MSEC, ME);
    expect_long(0, 1, 0, 0);
    kernel_says(4 * MSEC);
    poll_at(START + 13 * MSEC, ME);
    expect_long(1, 1, 0, 0);
}
END_TEST

START_TEST(readings_are_refreshed_every_10_ms)
{
    dpx_paced_oncpu_refresh(&oncpu, START + 9 * MSEC);
    ck_assert_uint_eq(oncpu.readings[oncpu.newest].at, START);
    kernel_says(5 * MSEC);
    dpx_paced_oncpu_refresh(&oncpu, START + 11 * MSEC);
    ck_assert_uint_eq(oncpu.readings[oncpu.newest].at, START + 11 * MSEC);
    ck_assert_uint_eq(oncpu.readings[oncpu.newest].ran, 5 * MSEC);
}
END_TEST

START_TEST(a_queue_that_moved_blames_the_move)
{
    poll_at(START, ME);
    poll_at(START + 5 * MSEC, ME + 1);
    expect_long(0, 0, 1, 0);
}
END_TEST

START_TEST(without_the_kernels_account_nobody_is_blamed)
{
    dpx_paced_oncpu_close(&oncpu);
    poll_at(START, ME);
    poll_at(START + 5 * MSEC, ME);
    expect_long(0, 0, 0, 1);
    ck_assert(!dpx_paced_oncpu_read(&oncpu, START + 6 * MSEC));
}
END_TEST

START_TEST(a_restart_forgets_the_last_poll)
{
    poll_at(START, ME);
    dpx_paced_gaps_restart(&gaps);
    poll_at(START + 5 * MSEC, ME);
    expect_long(0, 0, 0, 0);
    ck_assert_uint_eq(dpx_counter_read(&gaps.max), 0);
}
END_TEST

START_TEST(clearing_the_maxima_keeps_the_counts)
{
    poll_at(START, ME);
    poll_at(START + 5 * MSEC, ME);
    dpx_paced_gaps_clear_max(&gaps);
    ck_assert_uint_eq(dpx_counter_read(&gaps.max), 0);
    ck_assert_uint_eq(dpx_counter_read(&gaps.max_long[DPX_PACED_GAP_OFF]), 0);
    expect_long(0, 1, 0, 0);
}
END_TEST

/* With the real clock and the real kernel: a thread that sleeps is off. */
START_TEST(sleep_is_time_off_the_core)
{
    const struct timespec pause = { .tv_nsec = 20 * MSEC };

    dpx_paced_oncpu_close(&oncpu);
    dpx_paced_oncpu_open(&oncpu, dpx_paced_clock());
    ck_assert_int_ge(oncpu.fd, 0);
    poll_at(dpx_paced_clock(), ME);
    nanosleep(&pause, NULL);
    poll_at(dpx_paced_clock(), ME);
    expect_long(0, 1, 0, 0);
}
END_TEST

/* The account grows by what the thread burns, whatever else runs. */
START_TEST(work_is_time_on_the_core)
{
    uint64_t before;
    struct timespec ts;

    dpx_paced_oncpu_close(&oncpu);
    dpx_paced_oncpu_open(&oncpu, dpx_paced_clock());
    before = oncpu.readings[oncpu.newest].ran;
    do {
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
    } while (ts.tv_sec * DPX_PACED_NSEC + ts.tv_nsec < before + 50 * MSEC);
    ck_assert(dpx_paced_oncpu_read(&oncpu, dpx_paced_clock()));
    ck_assert_uint_ge(oncpu.readings[oncpu.newest].ran, before + 40 * MSEC);
}
END_TEST

int
main(void)
{
    Suite *suite = suite_create("paced gap");
    TCase *tc = tcase_create("gap");
    SRunner *runner = srunner_create(suite);
    int failed;

    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, the_first_poll_ends_no_gap);
    tcase_add_test(tc, a_gap_lands_in_its_power_of_two);
    tcase_add_test(tc, only_a_gap_above_the_threshold_is_long);
    tcase_add_test(tc, a_thread_that_ran_is_to_blame);
    tcase_add_test(tc, a_thread_that_was_taken_off_is_not);
    tcase_add_test(tc, all_queues_of_a_thread_share_the_reason);
    tcase_add_test(tc, time_lost_before_the_gap_does_not_count);
    tcase_add_test(tc, readings_are_refreshed_every_10_ms);
    tcase_add_test(tc, a_queue_that_moved_blames_the_move);
    tcase_add_test(tc, without_the_kernels_account_nobody_is_blamed);
    tcase_add_test(tc, a_restart_forgets_the_last_poll);
    tcase_add_test(tc, clearing_the_maxima_keeps_the_counts);
    tcase_add_test(tc, sleep_is_time_off_the_core);
    tcase_add_test(tc, work_is_time_on_the_core);
    suite_add_tcase(suite, tc);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
