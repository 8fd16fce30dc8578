/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests of lib/dpx-history.c alone: steps in, steps out. */

#include <config.h>

#include "dpx-history.h"

#include <check.h>
#include <stdlib.h>

#include "dpx-view.h"
#include "util.h"

static struct dpx_history history;
static long long int now_ms;

static void
given_nothing(void)
{
    dpx_history_uninit(&history);
    history = (struct dpx_history) { .n = 0 };
    now_ms = 1000;
}

static struct dpx_step *
step(enum dpx_cause cause, int declined, const char *why)
{
    struct dpx_step *s = dpx_step_create(cause);

    s->declined = declined;
    s->why = xstrdup(why);
    s->first_ms = s->last_ms = now_ms++;
    return s;
}

static struct dpx_step *
declined(int reason, const char *why)
{
    return dpx_history_add(&history, step(DPX_CAUSE_AUTO, reason, why));
}

/* A step that moves 'n' queues. */
static struct dpx_step *
moved(enum dpx_cause cause, int n)
{
    struct dpx_step *s = step(cause, 0, "moves");

    for (int i = 0; i < n; i++) {
        dpx_step_add_move(s, "p0", n - i, 0, 1, "why not");
    }
    return dpx_history_add(&history, s);
}

START_TEST(every_cause_has_a_name_of_its_own)
{
    for (int i = 0; i < DPX_N_CAUSES; i++) {
        for (int j = 0; j < i; j++) {
            ck_assert_str_ne(dpx_cause_name(i), dpx_cause_name(j));
        }
    }
    ck_assert_str_eq(dpx_cause_name(DPX_CAUSE_HAND), "hand");
}
END_TEST

START_TEST(only_a_request_may_move_what_could_stay)
{
    ck_assert(dpx_cause_is_request(DPX_CAUSE_APPLY));
    ck_assert(dpx_cause_is_request(DPX_CAUSE_AUTO));
    ck_assert(dpx_cause_is_request(DPX_CAUSE_POLICY));
    ck_assert(dpx_cause_is_request(DPX_CAUSE_PMDS));
    ck_assert(!dpx_cause_is_request(DPX_CAUSE_PORT));
    ck_assert(!dpx_cause_is_request(DPX_CAUSE_PINNED));
    ck_assert(!dpx_cause_is_request(DPX_CAUSE_HAND));
    ck_assert(!dpx_cause_is_request(DPX_CAUSE_OTHER));
}
END_TEST

START_TEST(an_empty_history_has_no_step)
{
    given_nothing();
    ck_assert_ptr_null(dpx_history_get(&history, 0));
    ck_assert_ptr_null(dpx_history_find(&history, 1));
    ck_assert_ptr_null(dpx_history_find(&history, 0));
}
END_TEST

START_TEST(the_newest_step_comes_first)
{
    given_nothing();
    moved(DPX_CAUSE_POLICY, 1);
    moved(DPX_CAUSE_APPLY, 2);
    ck_assert_int_eq(dpx_history_get(&history, 0)->cause, DPX_CAUSE_APPLY);
    ck_assert_int_eq(dpx_history_get(&history, 0)->serial, 2);
    ck_assert_int_eq(dpx_history_get(&history, 1)->cause, DPX_CAUSE_POLICY);
    ck_assert_ptr_null(dpx_history_get(&history, 2));
}
END_TEST

START_TEST(a_new_step_knows_no_load)
{
    struct dpx_step *s = dpx_step_create(DPX_CAUSE_PORT);

    ck_assert_double_eq(s->before, DPX_LOAD_UNKNOWN);
    ck_assert_double_eq(s->predicted, DPX_LOAD_UNKNOWN);
    ck_assert_double_eq(s->realised, DPX_LOAD_UNKNOWN);
    ck_assert_uint_eq(s->count, 1);
    dpx_step_destroy(s);
}
END_TEST

START_TEST(equal_refusals_are_one_step_with_a_count)
{
    const struct dpx_step *s;

    given_nothing();
    for (int i = 0; i < 1000; i++) {
        char *why = xasprintf("the busiest core is at %d %%", i);

        declined(2, why);
        free(why);
    }
    ck_assert_uint_eq(history.n, 1);
    s = dpx_history_get(&history, 0);
    ck_assert_uint_eq(s->count, 1000);
    ck_assert_int_eq(s->first_ms, 1000);
    ck_assert_int_eq(s->last_ms, 1999);
    ck_assert_str_eq(s->why, "the busiest core is at 999 %");
}
END_TEST

START_TEST(refusals_that_take_turns_do_not_fill_the_history)
{
    given_nothing();
    moved(DPX_CAUSE_APPLY, 1);
    for (int i = 0; i < 1000; i++) {
        declined(1 + i % 3, "no");
        dpx_history_add(&history, step(DPX_CAUSE_PORT, 0, "nothing"));
    }
    ck_assert_uint_eq(history.n, 5);
    ck_assert_int_eq(dpx_history_get(&history, 4)->cause, DPX_CAUSE_APPLY);
    ck_assert_uint_eq(dpx_history_get(&history, 3)->count, 334);
    ck_assert_uint_eq(dpx_history_get(&history, 2)->count, 1000);
}
END_TEST

START_TEST(a_refusal_after_a_move_is_a_new_step)
{
    given_nothing();
    declined(2, "before");
    moved(DPX_CAUSE_AUTO, 1);
    declined(2, "after");
    ck_assert_uint_eq(history.n, 3);
    ck_assert_str_eq(dpx_history_get(&history, 0)->why, "after");
    ck_assert_str_eq(dpx_history_get(&history, 2)->why, "before");
}
END_TEST

START_TEST(steps_that_move_never_join)
{
    given_nothing();
    moved(DPX_CAUSE_AUTO, 1);
    moved(DPX_CAUSE_AUTO, 1);
    ck_assert_uint_eq(history.n, 2);
}
END_TEST

START_TEST(a_step_that_places_new_queues_does_not_join)
{
    given_nothing();
    dpx_history_add(&history, step(DPX_CAUSE_PORT, 0, "nothing"));
    struct dpx_step *s = step(DPX_CAUSE_PORT, 0, "places");
    s->n_placed = 2;
    dpx_history_add(&history, s);
    ck_assert_uint_eq(history.n, 2);
}
END_TEST

START_TEST(a_refusal_and_a_step_that_did_nothing_are_not_the_same)
{
    given_nothing();
    declined(3, "no");
    dpx_history_add(&history, step(DPX_CAUSE_AUTO, 0, "did nothing"));
    ck_assert_uint_eq(history.n, 2);
}
END_TEST

START_TEST(the_oldest_step_makes_room)
{
    given_nothing();
    for (int i = 0; i < DPX_HISTORY_STEPS + 10; i++) {
        moved(DPX_CAUSE_APPLY, 1 + i % 7);
    }
    ck_assert_uint_eq(history.n, DPX_HISTORY_STEPS);
    ck_assert_int_eq(dpx_history_get(&history, 0)->serial,
                     DPX_HISTORY_STEPS + 10);
    ck_assert_int_eq(dpx_history_get(&history,
                                     DPX_HISTORY_STEPS - 1)->serial, 11);
    ck_assert_ptr_null(dpx_history_get(&history, DPX_HISTORY_STEPS));
    ck_assert_ptr_null(dpx_history_find(&history, 10));
    ck_assert_ptr_eq(dpx_history_find(&history, 11),
                     dpx_history_get(&history, DPX_HISTORY_STEPS - 1));
}
END_TEST

START_TEST(a_copy_has_all_of_it_and_outlives_it)
{
    struct dpx_step *original, *copy;

    given_nothing();
    original = moved(DPX_CAUSE_APPLY, 33);
    original->moves[32].blocked_us = 7.5;
    copy = dpx_step_clone(original);
    dpx_history_uninit(&history);
    ck_assert_uint_eq(copy->n_moves, 33);
    ck_assert_str_eq(copy->why, "moves");
    ck_assert_str_eq(copy->moves[32].port, "p0");
    ck_assert_str_eq(copy->moves[32].reason, "why not");
    ck_assert_double_eq(copy->moves[32].blocked_us, 7.5);
    ck_assert_int_eq(copy->moves[0].queue_id, 33);
    dpx_step_destroy(copy);
}
END_TEST

START_TEST(moves_are_sorted_by_port_and_queue)
{
    struct dpx_step *s = dpx_step_create(DPX_CAUSE_APPLY);

    ck_assert_double_lt(dpx_step_add_move(s, "p1", 0, 1, 2, NULL)->blocked_us,
                        0);
    dpx_step_add_move(s, "p0", 10, 1, 2, "ten")->blocked_us = 7.5;
    dpx_step_add_move(s, "p0", 9, DPX_CORE_NONE, 2, "nine");
    dpx_step_sort(s);
    ck_assert_str_eq(s->moves[0].reason, "nine");
    ck_assert_str_eq(s->moves[1].reason, "ten");
    ck_assert_double_eq(s->moves[1].blocked_us, 7.5);
    ck_assert_str_eq(s->moves[2].port, "p1");
    ck_assert_str_eq(s->moves[2].reason, "");
    dpx_step_destroy(s);
}
END_TEST

START_TEST(a_step_says_what_it_had_to_do)
{
    struct dpx_step *s = dpx_step_create(DPX_CAUSE_PORT);
    char *words = dpx_step_words(s);

    ck_assert_str_eq(words, "no queue has to move");
    free(words);
    s->n_placed = 1;
    words = dpx_step_words(s);
    ck_assert_str_eq(words, "places 1 new queue");
    free(words);
    dpx_step_add_move(s, "p0", 0, 1, 2, NULL);
    dpx_step_add_move(s, "p0", 1, 1, 2, NULL);
    s->n_placed = 3;
    words = dpx_step_words(s);
    ck_assert_str_eq(words, "moves 2 queues that cannot stay, places 3 new "
                            "queues");
    free(words);
    dpx_step_destroy(s);
}
END_TEST

static Suite *
history_suite(void)
{
    Suite *suite = suite_create("history");
    TCase *tcase = tcase_create("history");

    tcase_add_test(tcase, every_cause_has_a_name_of_its_own);
    tcase_add_test(tcase, only_a_request_may_move_what_could_stay);
    tcase_add_test(tcase, an_empty_history_has_no_step);
    tcase_add_test(tcase, the_newest_step_comes_first);
    tcase_add_test(tcase, a_new_step_knows_no_load);
    tcase_add_test(tcase, equal_refusals_are_one_step_with_a_count);
    tcase_add_test(tcase, refusals_that_take_turns_do_not_fill_the_history);
    tcase_add_test(tcase, a_refusal_after_a_move_is_a_new_step);
    tcase_add_test(tcase, steps_that_move_never_join);
    tcase_add_test(tcase, a_step_that_places_new_queues_does_not_join);
    tcase_add_test(tcase,
                   a_refusal_and_a_step_that_did_nothing_are_not_the_same);
    tcase_add_test(tcase, the_oldest_step_makes_room);
    tcase_add_test(tcase, a_copy_has_all_of_it_and_outlives_it);
    tcase_add_test(tcase, moves_are_sorted_by_port_and_queue);
    tcase_add_test(tcase, a_step_says_what_it_had_to_do);
    suite_add_tcase(suite, tcase);
    return suite;
}

int
main(void)
{
    SRunner *runner = srunner_create(history_suite());
    int failed;

    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
