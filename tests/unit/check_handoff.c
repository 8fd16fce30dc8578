/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests of lib/dpx-handoff.c alone: every state of a queue's word, from each
 * side of a move. */

#include <config.h>
#undef NDEBUG
#include "dpx-handoff.h"

#include <check.h>
#include <signal.h>
#include <stdlib.h>

/* The source, the destination and a thread that has nothing to do with it.
 * The numbers are the smallest and the largest. */
#define SRC 0
#define DST (DPX_HANDOFF_THREADS - 1)
#define OTHER 7

static struct dpx_handoff q;

static void
given_settled(void)
{
    q = (struct dpx_handoff) { .n_offers = 0 };
}

static void
given_owned(void)
{
    given_settled();
    dpx_handoff_begin(&q, SRC);
}

static void
given_offered(void)
{
    given_owned();
    ck_assert(dpx_handoff_offer(&q, SRC, DST));
}

static void
given_withdrawn(void)
{
    given_offered();
    ck_assert(dpx_handoff_withdraw(&q));
}

static void
given_granted(void)
{
    given_offered();
    ck_assert(dpx_handoff_give(&q, SRC, 100));
}

static void
given_taken(void)
{
    given_granted();
    ck_assert_int_eq(dpx_handoff_turn(&q, DST), DPX_TURN_TAKE);
    dpx_handoff_take(&q, DST, 120);
}

static void
expect(enum dpx_handoff_state state, uint32_t owner)
{
    struct dpx_handoff_view view = dpx_handoff_look(&q);

    ck_assert_int_eq(view.state, state);
    ck_assert_uint_eq(view.owner, owner);
    ck_assert(!dpx_handoff_settled(&q));
}

static void
expect_turn(uint32_t thread, enum dpx_handoff_turn turn)
{
    ck_assert_int_eq(dpx_handoff_turn(&q, thread), turn);
}

static void
expect_accounts(bool source, bool dest)
{
    ck_assert_int_eq(dpx_handoff_accounts(&q, SRC), source);
    ck_assert_int_eq(dpx_handoff_accounts(&q, DST), dest);
}

START_TEST(zeroed_memory_is_settled_and_polled_by_who_lists_it)
{
    given_settled();
    ck_assert(dpx_handoff_settled(&q));
    ck_assert_int_eq(dpx_handoff_look(&q).state, DPX_HANDOFF_SETTLED);
    expect_turn(SRC, DPX_TURN_POLL);
    expect_turn(OTHER, DPX_TURN_POLL);
    expect_accounts(true, true);
}
END_TEST

START_TEST(an_owned_queue_is_polled_by_its_owner_only)
{
    given_owned();
    expect_turn(SRC, DPX_TURN_POLL);
    expect_turn(DST, DPX_TURN_SKIP);
    expect_turn(OTHER, DPX_TURN_SKIP);
    expect_accounts(true, false);
    expect(DPX_HANDOFF_OWNED, SRC);
}
END_TEST

START_TEST(an_owner_gives_nothing_away_unasked)
{
    given_owned();
    ck_assert(!dpx_handoff_give(&q, SRC, 1));
    ck_assert(!dpx_handoff_give(&q, DST, 1));
    expect(DPX_HANDOFF_OWNED, SRC);
}
END_TEST

START_TEST(there_is_nothing_to_withdraw_before_an_offer)
{
    given_owned();
    ck_assert(!dpx_handoff_withdraw(&q));
    expect(DPX_HANDOFF_OWNED, SRC);
}
END_TEST

START_TEST(only_the_owners_queue_can_be_offered)
{
    given_owned();
    ck_assert(!dpx_handoff_offer(&q, OTHER, DST));
    expect(DPX_HANDOFF_OWNED, SRC);
    ck_assert(dpx_handoff_offer(&q, SRC, DST));
    ck_assert(!dpx_handoff_offer(&q, SRC, OTHER));
    expect(DPX_HANDOFF_OFFERED, SRC);
}
END_TEST

START_TEST(an_offer_is_kept_until_the_destination_is_awake)
{
    given_offered();
    expect_turn(SRC, DPX_TURN_POLL);
    expect_turn(OTHER, DPX_TURN_SKIP);
    expect_turn(SRC, DPX_TURN_POLL);
    expect_accounts(true, false);
    expect_turn(DST, DPX_TURN_SOON);
    expect_turn(SRC, DPX_TURN_GIVE);
    /* Only giving gives. */
    expect(DPX_HANDOFF_OFFERED, SRC);
    expect_accounts(true, false);
    expect_turn(DST, DPX_TURN_SOON);
}
END_TEST

START_TEST(being_awake_for_one_offer_does_not_count_for_the_next)
{
    given_offered();
    expect_turn(DST, DPX_TURN_SOON);
    ck_assert(dpx_handoff_withdraw(&q));
    expect_turn(SRC, DPX_TURN_POLL);
    ck_assert(dpx_handoff_offer(&q, SRC, DST));
    expect_turn(SRC, DPX_TURN_POLL);
    expect_turn(DST, DPX_TURN_SOON);
    expect_turn(SRC, DPX_TURN_GIVE);
}
END_TEST

START_TEST(only_the_source_can_give)
{
    given_offered();
    ck_assert(!dpx_handoff_give(&q, DST, 1));
    ck_assert(!dpx_handoff_give(&q, OTHER, 1));
    expect(DPX_HANDOFF_OFFERED, SRC);
}
END_TEST

START_TEST(a_withdrawn_offer_waits_for_the_sources_answer)
{
    given_withdrawn();
    expect(DPX_HANDOFF_WITHDRAWN, SRC);
    expect_accounts(true, false);
    ck_assert(!dpx_handoff_withdraw(&q));
    expect_turn(DST, DPX_TURN_SKIP);
    expect_turn(OTHER, DPX_TURN_SKIP);
    expect(DPX_HANDOFF_WITHDRAWN, SRC);
    expect_turn(SRC, DPX_TURN_POLL);
    expect(DPX_HANDOFF_OWNED, SRC);
}
END_TEST

START_TEST(a_withdrawal_while_the_source_sends_is_answered_too)
{
    given_offered();
    expect_turn(DST, DPX_TURN_SOON);
    expect_turn(SRC, DPX_TURN_GIVE);
    ck_assert(dpx_handoff_withdraw(&q));
    ck_assert(!dpx_handoff_give(&q, SRC, 1));
    expect(DPX_HANDOFF_OWNED, SRC);
    expect_turn(DST, DPX_TURN_SKIP);
    expect_turn(SRC, DPX_TURN_POLL);
}
END_TEST

START_TEST(a_granted_queue_is_polled_by_nobody_until_it_is_taken)
{
    given_granted();
    expect(DPX_HANDOFF_GRANTED, DST);
    expect_accounts(false, false);
    expect_turn(SRC, DPX_TURN_SKIP);
    expect_turn(OTHER, DPX_TURN_SKIP);
    expect_turn(DST, DPX_TURN_TAKE);
    ck_assert(!dpx_handoff_withdraw(&q));
    ck_assert(!dpx_handoff_give(&q, SRC, 1));
    expect(DPX_HANDOFF_GRANTED, DST);
}
END_TEST

START_TEST(the_destination_takes_what_was_granted)
{
    given_taken();
    expect(DPX_HANDOFF_OWNED, DST);
    expect_accounts(false, true);
    expect_turn(SRC, DPX_TURN_SKIP);
    expect_turn(DST, DPX_TURN_POLL);
    ck_assert_uint_eq(q.given, 100);
    ck_assert_uint_eq(q.taken, 120);
}
END_TEST

START_TEST(a_queue_can_go_on_to_a_third_thread_and_back)
{
    given_taken();
    ck_assert(dpx_handoff_offer(&q, DST, OTHER));
    expect_turn(OTHER, DPX_TURN_SOON);
    expect_turn(DST, DPX_TURN_GIVE);
    ck_assert(dpx_handoff_give(&q, DST, 200));
    expect_turn(SRC, DPX_TURN_SKIP);
    expect_turn(OTHER, DPX_TURN_TAKE);
    dpx_handoff_take(&q, OTHER, 210);
    expect_turn(OTHER, DPX_TURN_POLL);
    ck_assert(dpx_handoff_offer(&q, OTHER, SRC));
    expect_turn(SRC, DPX_TURN_SOON);
    expect_turn(OTHER, DPX_TURN_GIVE);
    ck_assert(dpx_handoff_give(&q, OTHER, 300));
    expect_turn(SRC, DPX_TURN_TAKE);
    dpx_handoff_take(&q, SRC, 310);
    expect(DPX_HANDOFF_OWNED, SRC);
}
END_TEST

START_TEST(a_forced_queue_starts_like_a_granted_one)
{
    given_granted();            /* And now the destination is ended. */
    dpx_handoff_force(&q, SRC, 150);
    expect(DPX_HANDOFF_GRANTED, SRC);
    expect_turn(SRC, DPX_TURN_TAKE);
    dpx_handoff_take(&q, SRC, 999);
    expect(DPX_HANDOFF_OWNED, SRC);
    ck_assert_uint_eq(q.given, 150);
    ck_assert_uint_eq(q.taken, 999);
}
END_TEST

START_TEST(a_settled_queue_is_ready_for_the_next_move)
{
    given_taken();
    dpx_handoff_settle(&q);
    ck_assert(dpx_handoff_settled(&q));
    dpx_handoff_begin(&q, DST);
    ck_assert(dpx_handoff_offer(&q, DST, SRC));
    expect(DPX_HANDOFF_OFFERED, DST);
}
END_TEST

START_TEST(two_moves_of_a_queue_at_once_are_refused)
{
    given_owned();
    dpx_handoff_begin(&q, SRC);
}
END_TEST

START_TEST(a_thread_number_that_does_not_fit_is_refused)
{
    given_settled();
    dpx_handoff_begin(&q, DPX_HANDOFF_THREADS);
}
END_TEST

START_TEST(a_queue_cannot_be_offered_to_its_owner)
{
    given_owned();
    dpx_handoff_offer(&q, SRC, SRC);
}
END_TEST

int
main(void)
{
    Suite *suite = suite_create("handoff");
    TCase *word = tcase_create("word");
    TCase *refused = tcase_create("refused");
    SRunner *runner = srunner_create(suite);
    int failed;

    tcase_add_test(word,
                   zeroed_memory_is_settled_and_polled_by_who_lists_it);
    tcase_add_test(word, an_owned_queue_is_polled_by_its_owner_only);
    tcase_add_test(word, an_owner_gives_nothing_away_unasked);
    tcase_add_test(word, there_is_nothing_to_withdraw_before_an_offer);
    tcase_add_test(word, only_the_owners_queue_can_be_offered);
    tcase_add_test(word, an_offer_is_kept_until_the_destination_is_awake);
    tcase_add_test(word,
                   being_awake_for_one_offer_does_not_count_for_the_next);
    tcase_add_test(word, only_the_source_can_give);
    tcase_add_test(word, a_withdrawn_offer_waits_for_the_sources_answer);
    tcase_add_test(word, a_withdrawal_while_the_source_sends_is_answered_too);
    tcase_add_test(word,
                   a_granted_queue_is_polled_by_nobody_until_it_is_taken);
    tcase_add_test(word, the_destination_takes_what_was_granted);
    tcase_add_test(word, a_queue_can_go_on_to_a_third_thread_and_back);
    tcase_add_test(word, a_forced_queue_starts_like_a_granted_one);
    tcase_add_test(word, a_settled_queue_is_ready_for_the_next_move);
    suite_add_tcase(suite, word);

    tcase_add_test_raise_signal(refused,
                                two_moves_of_a_queue_at_once_are_refused,
                                SIGABRT);
    tcase_add_test_raise_signal(
        refused, a_thread_number_that_does_not_fit_is_refused, SIGABRT);
    tcase_add_test_raise_signal(refused,
                                a_queue_cannot_be_offered_to_its_owner,
                                SIGABRT);
    suite_add_tcase(suite, refused);

    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
