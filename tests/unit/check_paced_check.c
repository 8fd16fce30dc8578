/* SPDX-License-Identifier: Apache-2.0
 *
 * The sequence check finds what was done to a stream of packets, and nothing
 * else. */

#include <config.h>
#undef NDEBUG
#include <check.h>
#include <stdlib.h>

#include "dpx-paced-check.h"
#include "random.h"
#include "util.h"

#define SEED 20240613u

static struct dpx_paced_check check;
static uint8_t epoch;

static void
setup(void)
{
    epoch = 0;
    dpx_paced_check_init(&check);
}

static void
teardown(void)
{
    dpx_paced_check_destroy(&check);
}

/* Packet 'seq' of 'flow' comes. */
static void
came(uint64_t seq, uint32_t flow)
{
    struct dpx_paced_stamp stamp = {
        .epoch = epoch, .flow = flow, .seq = seq,
    };

    dpx_paced_check_packet(&check, &stamp);
}

static void
expect(uint64_t received, uint64_t lost, uint64_t duplicated,
       uint64_t reordered, uint64_t ancient)
{
    struct dpx_paced_tally tally;

    dpx_paced_check_tally(&check, &tally);
    ck_assert_uint_eq(tally.received, received);
    ck_assert_uint_eq(tally.lost, lost);
    ck_assert_uint_eq(tally.duplicated, duplicated);
    ck_assert_uint_eq(tally.reordered, reordered);
    ck_assert_uint_eq(tally.ancient, ancient);
}

START_TEST(nothing_came)
{
    expect(0, 0, 0, 0, 0);
}
END_TEST

START_TEST(a_good_stream_has_no_fault)
{
    for (uint64_t seq = 0; seq < 3 * DPX_PACED_WINDOW; seq++) {
        came(seq, seq % 100);
    }
    expect(3 * DPX_PACED_WINDOW, 0, 0, 0, 0);
}
END_TEST

START_TEST(a_stream_that_is_met_half_way_lost_nothing)
{
    came(1000000, 0);
    came(1000001, 0);
    expect(2, 0, 0, 0, 0);
}
END_TEST

START_TEST(a_gap_is_lost)
{
    came(0, 0);
    came(11, 0);
    expect(2, 10, 0, 0, 0);
}
END_TEST

START_TEST(a_gap_wider_than_the_window_is_lost)
{
    came(0, 0);
    came(10 * DPX_PACED_WINDOW, 0);
    expect(2, 10 * DPX_PACED_WINDOW - 1, 0, 0, 0);
    came(10 * DPX_PACED_WINDOW, 0);
    expect(3, 10 * DPX_PACED_WINDOW - 1, 1, 0, 0);
}
END_TEST

START_TEST(a_late_packet_is_reordered_not_lost)
{
    came(0, 0);
    came(2, 0);
    expect(2, 1, 0, 0, 0);
    came(1, 0);
    expect(3, 0, 0, 1, 0);
}
END_TEST

START_TEST(a_late_packet_of_another_flow_is_in_order)
{
    came(0, 0);
    came(2, 0);
    came(1, 99);
    expect(3, 0, 0, 0, 0);
}
END_TEST

START_TEST(a_second_copy_is_duplicated_not_reordered)
{
    came(0, 0);
    came(1, 0);
    came(0, 0);
    came(1, 0);
    expect(4, 0, 2, 0, 0);
}
END_TEST

START_TEST(a_packet_before_the_first_one_counts)
{
    came(5, 0);
    came(3, 0);
    expect(2, 1, 0, 1, 0);
}
END_TEST

START_TEST(a_packet_from_before_the_window_is_ancient)
{
    came(0, 0);
    came(2 * DPX_PACED_WINDOW, 0);
    came(1, 0);
    expect(3, 2 * DPX_PACED_WINDOW - 2, 0, 1, 1);
}
END_TEST

START_TEST(a_new_epoch_starts_a_new_account)
{
    came(100, 0);
    came(102, 0);
    epoch = 1;
    came(0, 0);
    came(1, 0);
    expect(4, 1, 0, 0, 0);
    /* A straggler of the old one. */
    epoch = 0;
    came(101, 0);
    expect(5, 1, 0, 0, 0);
}
END_TEST

START_TEST(epochs_wrap)
{
    epoch = 255;
    came(100, 0);
    epoch = 0;
    came(0, 0);
    came(1, 0);
    expect(3, 0, 0, 0, 0);
}
END_TEST

START_TEST(a_reset_forgets_everything)
{
    came(0, 0);
    came(5, 0);
    came(5, 0);
    epoch = 1;
    came(0, 0);
    dpx_paced_check_reset(&check);
    expect(0, 0, 0, 0, 0);
    came(3, 0);
    came(4, 0);
    expect(2, 0, 0, 0, 0);
}
END_TEST

/* Law: of a long stream in which packets are dropped, repeated at once, and
 * swapped with their successor, with known counts, each count comes back. */
START_TEST(what_was_done_is_what_is_found)
{
    uint64_t sent = 0, lost = 0, duplicated = 0, reordered = 0, seq = 0;

    random_set_seed(SEED + _i);
    came(seq++, 0);
    sent++;
    while (seq < 300000) {
        switch (random_range(10)) {
        case 0:
            lost++;
            break;
        case 1:
            came(seq, 0);
            came(seq, 0);
            duplicated++;
            sent += 2;
            break;
        case 2:
            came(seq + 1, 0);
            came(seq, 0);
            reordered++;
            sent += 2;
            seq++;
            break;
        default:
            came(seq, 0);
            sent++;
        }
        seq++;
    }
    /* Packets lost at the very end are not missed until one comes after. */
    came(seq, 0);
    sent++;
    expect(sent, lost, duplicated, reordered, 0);
}
END_TEST

int
main(void)
{
    Suite *suite = suite_create("paced sequence check");
    TCase *tc = tcase_create("check");
    SRunner *runner = srunner_create(suite);
    int failed;

    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, nothing_came);
    tcase_add_test(tc, a_good_stream_has_no_fault);
    tcase_add_test(tc, a_stream_that_is_met_half_way_lost_nothing);
    tcase_add_test(tc, a_gap_is_lost);
    tcase_add_test(tc, a_gap_wider_than_the_window_is_lost);
    tcase_add_test(tc, a_late_packet_is_reordered_not_lost);
    tcase_add_test(tc, a_late_packet_of_another_flow_is_in_order);
    tcase_add_test(tc, a_second_copy_is_duplicated_not_reordered);
    tcase_add_test(tc, a_packet_before_the_first_one_counts);
    tcase_add_test(tc, a_packet_from_before_the_window_is_ancient);
    tcase_add_test(tc, a_new_epoch_starts_a_new_account);
    tcase_add_test(tc, epochs_wrap);
    tcase_add_test(tc, a_reset_forgets_everything);
    tcase_add_loop_test(tc, what_was_done_is_what_is_found, 0, 5);
    suite_add_tcase(suite, tc);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
