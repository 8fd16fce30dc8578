/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests of the placement of senders on tx queues: who gets a queue of its own,
 * who shares, who stays; examples, then laws over random senders. */

#include <config.h>

#include "dpx-txq-place.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "util.h"

#define NONE DPX_TXQ_PLACE_NONE
#define MAIN (-1)
#define MAX_SENDERS 12

/* Senders of the test that runs. */
static struct dpx_txq_sender senders[MAX_SENDERS];
static size_t n_senders;

static void
sender(int core, double pps, int current, int pinned)
{
    senders[n_senders++] = (struct dpx_txq_sender) {
        .core = core, .pps = pps, .current = current, .pinned = pinned,
        .queue = -7,
    };
}

static int
queue_of(int core)
{
    for (size_t i = 0; i < n_senders; i++) {
        if (senders[i].core == core) {
            return senders[i].queue;
        }
    }
    ck_abort_msg("no sender on core %d", core);
}

static void
place(int n_queues, bool may_move)
{
    dpx_txq_place(senders, n_senders, n_queues, may_move);
}

START_TEST(each_sender_has_a_queue_of_its_own_while_they_last)
{
    sender(MAIN, -1, NONE, NONE);
    sender(0, -1, NONE, NONE);
    sender(4, -1, NONE, NONE);
    place(3, true);
    ck_assert_int_eq(queue_of(0), 0);
    ck_assert_int_eq(queue_of(4), 1);
    ck_assert_int_eq(queue_of(MAIN), 2);
}
END_TEST

START_TEST(those_who_send_least_share)
{
    sender(0, 1000, NONE, NONE);
    sender(1, 10, NONE, NONE);
    sender(2, 800, NONE, NONE);
    sender(3, 20, NONE, NONE);
    sender(MAIN, 0, NONE, NONE);
    place(3, true);
    ck_assert_int_eq(queue_of(0), 0);
    ck_assert_int_eq(queue_of(2), 1);
    ck_assert_int_eq(queue_of(3), 2);
    ck_assert_int_eq(queue_of(1), 2);
    ck_assert_int_eq(queue_of(MAIN), 2);
}
END_TEST

START_TEST(one_queue_takes_all)
{
    sender(0, 5, NONE, NONE);
    sender(1, 5, 3, NONE);
    sender(MAIN, -1, NONE, NONE);
    place(1, true);
    ck_assert_int_eq(queue_of(0), 0);
    ck_assert_int_eq(queue_of(1), 0);
    ck_assert_int_eq(queue_of(MAIN), 0);
}
END_TEST

START_TEST(nobody_moves_unless_asked)
{
    sender(0, 1000, 1, NONE);
    sender(1, 900, 1, NONE);
    sender(2, 1, 0, NONE);
    place(2, false);
    ck_assert_int_eq(queue_of(0), 1);
    ck_assert_int_eq(queue_of(1), 1);
    ck_assert_int_eq(queue_of(2), 0);
}
END_TEST

START_TEST(asked_the_two_that_send_most_part)
{
    sender(0, 1000, 1, NONE);
    sender(1, 900, 1, NONE);
    sender(2, 1, 0, NONE);
    place(2, true);
    /* The one that sends most keeps its queue. */
    ck_assert_int_eq(queue_of(0), 1);
    ck_assert_int_eq(queue_of(1), 0);
    ck_assert_int_eq(queue_of(2), 0);
}
END_TEST

START_TEST(a_small_gain_moves_nobody)
{
    sender(0, 100, 0, NONE);
    sender(1, 100, 0, NONE);
    sender(2, 101, 1, NONE);
    place(2, true);
    ck_assert_int_eq(queue_of(0), 0);
    ck_assert_int_eq(queue_of(1), 0);
    ck_assert_int_eq(queue_of(2), 1);
}
END_TEST

START_TEST(an_idle_queue_is_taken_even_unasked)
{
    sender(0, 100, 0, NONE);
    sender(1, 50, 0, NONE);
    sender(2, 70, 1, NONE);
    place(3, false);
    ck_assert_int_eq(queue_of(0), 0);
    ck_assert_int_eq(queue_of(1), 2);
    ck_assert_int_eq(queue_of(2), 1);
}
END_TEST

START_TEST(a_new_sender_leaves_the_others_alone)
{
    sender(0, 100, 2, NONE);
    sender(1, 100, 0, NONE);
    sender(2, -1, NONE, NONE);
    place(4, false);
    ck_assert_int_eq(queue_of(0), 2);
    ck_assert_int_eq(queue_of(1), 0);
    ck_assert_int_eq(queue_of(2), 1);
}
END_TEST

START_TEST(pins_hold_and_others_make_room)
{
    sender(0, 10, 0, 1);
    sender(1, 10, 1, 1);
    sender(2, 10, 1, NONE);
    place(2, true);
    ck_assert_int_eq(queue_of(0), 1);
    ck_assert_int_eq(queue_of(1), 1);
    ck_assert_int_eq(queue_of(2), 0);
}
END_TEST

START_TEST(fewer_queues_keep_those_who_fit)
{
    sender(0, 10, 0, NONE);
    sender(1, 10, 1, NONE);
    sender(2, 10, 2, NONE);
    sender(3, 10, 3, NONE);
    place(2, false);
    ck_assert_int_eq(queue_of(0), 0);
    ck_assert_int_eq(queue_of(1), 1);
    ck_assert_int_ne(queue_of(2), queue_of(3));
}
END_TEST

START_TEST(no_sender_is_no_error)
{
    place(4, true);
}
END_TEST

/* Random senders. */

static unsigned int seed;

static unsigned int
rnd(unsigned int below)
{
    seed = seed * 1664525 + 1013904223;
    return (seed >> 8) % below;
}

static void
random_senders(int n_queues)
{
    size_t n = 1 + rnd(MAX_SENDERS);

    n_senders = 0;
    for (size_t i = 0; i < n; i++) {
        sender(i ? (int) i : MAIN, rnd(4) ? 1.0 * rnd(1000) : -1,
               rnd(2) ? (int) rnd(n_queues + 2) : NONE,
               rnd(8) ? NONE : (int) rnd(n_queues));
    }
}

static void
shuffle(void)
{
    for (size_t i = n_senders; i > 1; i--) {
        size_t j = rnd(i);
        struct dpx_txq_sender tmp = senders[i - 1];

        senders[i - 1] = senders[j];
        senders[j] = tmp;
    }
}

static void
expect_no_idle_queue_beside_a_shared_one(int n_queues)
{
    int on[16] = { 0 }, movable[16] = { 0 };
    bool idle = false, shared = false;

    for (size_t i = 0; i < n_senders; i++) {
        ck_assert_int_ge(senders[i].queue, 0);
        ck_assert_int_lt(senders[i].queue, n_queues);
        if (senders[i].pinned != NONE) {
            ck_assert_int_eq(senders[i].queue, senders[i].pinned);
        } else {
            movable[senders[i].queue]++;
        }
        on[senders[i].queue]++;
    }
    for (int i = 0; i < n_queues; i++) {
        idle |= !on[i];
        shared |= on[i] > 1 && movable[i];
    }
    ck_assert_msg(!idle || !shared, "seed %u", seed);
}

static void
expect_same(const struct dpx_txq_sender *was)
{
    for (size_t i = 0; i < n_senders; i++) {
        ck_assert_int_eq(senders[i].core, was[i].core);
        ck_assert_msg(senders[i].queue == was[i].queue, "seed %u", seed);
    }
}

START_TEST(laws_hold_for_random_senders)
{
    seed = 20261130;
    for (int i = 0; i < 5000; i++) {
        int n_queues = 1 + rnd(8);
        bool may_move = rnd(2);
        struct dpx_txq_sender was[MAX_SENDERS];
        double kept;

        random_senders(n_queues);
        memcpy(was, senders, sizeof was);
        place(n_queues, false);
        expect_no_idle_queue_beside_a_shared_one(n_queues);
        kept = dpx_txq_sharing(senders, n_senders, n_queues);

        memcpy(senders, was, sizeof was);
        place(n_queues, may_move);
        expect_no_idle_queue_beside_a_shared_one(n_queues);
        ck_assert(dpx_txq_sharing(senders, n_senders, n_queues) <= kept);

        /* In another order, the same plan. */
        memcpy(was, senders, sizeof was);
        shuffle();
        place(n_queues, may_move);
        expect_same(was);

        /* Once it is in force, it stays, asked for or not. */
        for (size_t j = 0; j < n_senders; j++) {
            senders[j].current = senders[j].queue;
        }
        memcpy(was, senders, sizeof was);
        place(n_queues, false);
        expect_same(was);
    }
}
END_TEST

int
main(void)
{
    Suite *suite = suite_create("txq-place");
    TCase *tc = tcase_create("txq-place");
    SRunner *runner;
    int failed;

    tcase_add_test(tc, each_sender_has_a_queue_of_its_own_while_they_last);
    tcase_add_test(tc, those_who_send_least_share);
    tcase_add_test(tc, one_queue_takes_all);
    tcase_add_test(tc, nobody_moves_unless_asked);
    tcase_add_test(tc, asked_the_two_that_send_most_part);
    tcase_add_test(tc, a_small_gain_moves_nobody);
    tcase_add_test(tc, an_idle_queue_is_taken_even_unasked);
    tcase_add_test(tc, a_new_sender_leaves_the_others_alone);
    tcase_add_test(tc, pins_hold_and_others_make_room);
    tcase_add_test(tc, fewer_queues_keep_those_who_fit);
    tcase_add_test(tc, no_sender_is_no_error);
    tcase_add_test(tc, laws_hold_for_random_senders);
    suite_add_tcase(suite, tc);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
