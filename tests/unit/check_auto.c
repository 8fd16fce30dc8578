/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests of lib/dpx-auto.c alone: figures and a clock in, a verdict out. */

#include <config.h>

#include "dpx-auto.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "util.h"

static struct dpx_auto automatic;
static struct dpx_auto_options options;
static struct dpx_auto_facts facts;
static struct dpx_auto_result result;
static long long int now_ms;
static char *why;

/* Stock's thresholds, an interval of 5 s, and a plan that pays: 97 % become
 * 60 %. */
static void
given_a_good_plan(void)
{
    automatic = (struct dpx_auto) { .next_ms = 0 };
    options = (struct dpx_auto_options) {
        .interval_ms = 5000, .load_threshold = 0.95, .improvement = 0.25,
    };
    facts = (struct dpx_auto_facts) {
        .measured = true, .busiest = 0.97, .n_moves = 1,
        .summary = "moves 1 queue", .above = 0.97,
        .now = 0.97, .planned = 0.60,
        .recent_now = 0.96, .recent_planned = 0.61, .pps = 1000,
    };
    result = (struct dpx_auto_result) {
        .undone = 0.97, .realised = 0.60, .pps = 1000,
    };
    now_ms = 100000;
}

static enum dpx_auto_verdict
decide(void)
{
    enum dpx_auto_verdict verdict;

    free(why);
    verdict = dpx_auto_decide(&automatic, &options, &facts, now_ms, &why);
    ck_assert_ptr_nonnull(why);
    return verdict;
}

/* The verdict, and that its sentence has 'words'. */
static void
expect(enum dpx_auto_verdict verdict, const char *words)
{
    ck_assert_int_eq(decide(), verdict);
    ck_assert_msg(strstr(why, words), "\"%s\" has no \"%s\"", why, words);
}

static bool
judge(void)
{
    free(why);
    return dpx_auto_judge(&automatic, &options, &result, now_ms, &why);
}

/* Milliseconds until it checks again. */
static long long int
wait_of(void)
{
    return automatic.next_ms - now_ms;
}

START_TEST(it_acts_on_a_plan_that_pays)
{
    given_a_good_plan();
    expect(DPX_AUTO_ACT, "moves 1 queue");
}
END_TEST

START_TEST(it_waits_until_every_load_is_known)
{
    given_a_good_plan();
    facts.measured = false;
    expect(DPX_AUTO_UNMEASURED, "not measured yet");
}
END_TEST

START_TEST(a_core_at_the_threshold_is_not_above_it)
{
    given_a_good_plan();
    facts.busiest = 0.95;
    expect(DPX_AUTO_IDLE, "at 95.0 %, not above pmd-auto-lb-load-threshold, "
                          "95 %");
}
END_TEST

START_TEST(a_plan_without_moves_says_why_itself)
{
    given_a_good_plan();
    facts.n_moves = 0;
    facts.summary = "one queue carries 98 %: no move helps";
    expect(DPX_AUTO_NO_MOVE, "one queue carries 98 %: no move helps");
}
END_TEST

START_TEST(a_plan_that_relieves_only_cores_below_the_threshold_waits)
{
    given_a_good_plan();
    facts.busiest = 1;
    facts.above = 0.5;
    expect(DPX_AUTO_HOPELESS, "relieves cores up to 50.0 % only");
}
END_TEST

START_TEST(less_than_the_improvement_threshold_is_too_small)
{
    given_a_good_plan();
    facts.planned = 0.97 * 0.76;
    expect(DPX_AUTO_SMALL, "less than pmd-auto-lb-improvement-threshold, "
                           "25 %");
    facts.planned = 0.97 * 0.74;
    facts.recent_planned = 0.6;
    ck_assert_int_eq(decide(), DPX_AUTO_ACT);
}
END_TEST

START_TEST(noise_is_too_small_whatever_the_thresholds)
{
    given_a_good_plan();
    options.load_threshold = options.improvement = 0;
    facts.now = facts.recent_now = 0.10;
    facts.planned = facts.recent_planned = 0.06;
    expect(DPX_AUTO_SMALL, "less than 5 % of a core");
    facts.now = facts.recent_now = 0.12;
    ck_assert_int_eq(decide(), DPX_AUTO_ACT);
}
END_TEST

START_TEST(what_the_last_seconds_do_not_bear_out_waits)
{
    given_a_good_plan();
    facts.recent_now = 0.60;
    facts.recent_planned = 0.97;
    expect(DPX_AUTO_CHANGING, "the load is changing: by the last 2 s");
}
END_TEST

START_TEST(it_checks_every_interval)
{
    given_a_good_plan();
    ck_assert(dpx_auto_is_due(&automatic, now_ms));
    decide();
    ck_assert_int_eq(wait_of(), 5000);
    ck_assert(!dpx_auto_is_due(&automatic, now_ms + 4000));
    /* A check comes with a sample, once a second, a little early or late. */
    ck_assert(dpx_auto_is_due(&automatic, now_ms + 4900));
    ck_assert(dpx_auto_is_due(&automatic, now_ms + 6000));
}
END_TEST

START_TEST(a_step_that_brought_what_was_promised_paid)
{
    given_a_good_plan();
    dpx_auto_made(&automatic, &facts);
    ck_assert(automatic.pending);
    ck_assert(judge());
    ck_assert_ptr_null(why);
    ck_assert(!automatic.pending);
    decide();
    ck_assert_int_eq(wait_of(), 5000);
}
END_TEST

START_TEST(half_of_what_was_promised_pays)
{
    given_a_good_plan();
    dpx_auto_made(&automatic, &facts);
    result.realised = 0.97 - 0.37 * 0.51;
    ck_assert(judge());
    dpx_auto_made(&automatic, &facts);
    result.realised = 0.97 - 0.37 * 0.49;
    ck_assert(!judge());
}
END_TEST

START_TEST(a_step_that_did_not_pay_doubles_the_wait)
{
    given_a_good_plan();
    for (int i = 1; i <= 12; i++) {
        dpx_auto_made(&automatic, &facts);
        result.realised = 0.96;
        ck_assert(!judge());
        ck_assert_int_eq(wait_of(), MIN(5000LL << i, DPX_AUTO_MAX_WAIT_MS));
    }
    ck_assert_ptr_nonnull(strstr(why, "did not pay: 97.0 % became 96.0 % "
                                      "where 60.0 % was predicted"));
    ck_assert_ptr_nonnull(strstr(why, "next check in 3600 s"));
}
END_TEST

START_TEST(a_step_that_paid_ends_the_waiting)
{
    given_a_good_plan();
    for (int i = 0; i < 3; i++) {
        dpx_auto_made(&automatic, &facts);
        result.realised = 0.96;
        judge();
    }
    dpx_auto_made(&automatic, &facts);
    result.realised = 0.60;
    ck_assert(judge());
    decide();
    ck_assert_int_eq(wait_of(), 5000);
}
END_TEST

START_TEST(a_refusal_keeps_the_longer_wait)
{
    given_a_good_plan();
    dpx_auto_made(&automatic, &facts);
    result.realised = 0.96;
    judge();
    facts.n_moves = 0;
    decide();
    ck_assert_int_eq(wait_of(), 10000);
}
END_TEST

START_TEST(an_interval_beyond_the_longest_wait_is_kept)
{
    given_a_good_plan();
    options.interval_ms = 20000LL * 60000;
    dpx_auto_made(&automatic, &facts);
    result.realised = 0.96;
    judge();
    ck_assert_int_eq(wait_of(), options.interval_ms);
}
END_TEST

START_TEST(more_traffic_is_no_reason_to_blame_the_step)
{
    /* All queues carry half as much again; without the step it were worse. */
    given_a_good_plan();
    dpx_auto_made(&automatic, &facts);
    result.undone = 1.45;
    result.realised = 0.90;
    result.pps = 1500;
    ck_assert(judge());
}
END_TEST

START_TEST(queues_that_cost_more_where_they_are_now_did_not_pay)
{
    /* The same packets, yet the busiest core is where it was. */
    given_a_good_plan();
    dpx_auto_made(&automatic, &facts);
    result.undone = 1.45;
    result.realised = 0.95;
    ck_assert(!judge());
}
END_TEST

START_TEST(packets_that_cost_more_on_an_idler_thread_are_no_blame)
{
    /* Of the fall from 97 % to 60 %, a third shows: the queues' packets come
     * in shorter bursts now.  Without the step it were as bad as before. */
    given_a_good_plan();
    dpx_auto_made(&automatic, &facts);
    result.undone = 1.05;
    result.realised = 0.97 - 0.37 * 0.33;
    ck_assert(judge());
    dpx_auto_made(&automatic, &facts);
    result.realised = 0.97 - 0.37 * 0.24;
    result.undone = 1.15;
    ck_assert(!judge());
}
END_TEST

START_TEST(two_loads_that_change_places_are_not_chased)
{
    /* Whatever the plan is, the load has turned when it is carried out: each
     * step is as bad as none.  In an hour there are few. */
    int n_steps = 0;

    given_a_good_plan();
    for (now_ms = 0; now_ms < 3600 * 1000; now_ms += 1000) {
        if (dpx_auto_is_due(&automatic, now_ms)) {
            if (automatic.pending) {
                result.undone = 0.60;
                result.realised = 0.97;
                if (!judge()) {
                    continue;
                }
            }
            if (decide() == DPX_AUTO_ACT) {
                dpx_auto_made(&automatic, &facts);
                n_steps++;
            }
        }
    }
    ck_assert_int_le(n_steps, 10);
    ck_assert_int_ge(n_steps, 5);
}
END_TEST

START_TEST(a_step_that_is_forgotten_is_not_judged)
{
    given_a_good_plan();
    dpx_auto_made(&automatic, &facts);
    dpx_auto_forget(&automatic);
    ck_assert(!automatic.pending);
}
END_TEST

static Suite *
auto_suite(void)
{
    Suite *suite = suite_create("auto");
    TCase *tcase = tcase_create("auto");

    tcase_add_test(tcase, it_acts_on_a_plan_that_pays);
    tcase_add_test(tcase, it_waits_until_every_load_is_known);
    tcase_add_test(tcase, a_core_at_the_threshold_is_not_above_it);
    tcase_add_test(tcase, a_plan_without_moves_says_why_itself);
    tcase_add_test(tcase,
                   a_plan_that_relieves_only_cores_below_the_threshold_waits);
    tcase_add_test(tcase, less_than_the_improvement_threshold_is_too_small);
    tcase_add_test(tcase, noise_is_too_small_whatever_the_thresholds);
    tcase_add_test(tcase, what_the_last_seconds_do_not_bear_out_waits);
    tcase_add_test(tcase, it_checks_every_interval);
    tcase_add_test(tcase, a_step_that_brought_what_was_promised_paid);
    tcase_add_test(tcase, half_of_what_was_promised_pays);
    tcase_add_test(tcase, a_step_that_did_not_pay_doubles_the_wait);
    tcase_add_test(tcase, a_step_that_paid_ends_the_waiting);
    tcase_add_test(tcase, a_refusal_keeps_the_longer_wait);
    tcase_add_test(tcase, an_interval_beyond_the_longest_wait_is_kept);
    tcase_add_test(tcase, more_traffic_is_no_reason_to_blame_the_step);
    tcase_add_test(tcase,
                   queues_that_cost_more_where_they_are_now_did_not_pay);
    tcase_add_test(
        tcase, packets_that_cost_more_on_an_idler_thread_are_no_blame);
    tcase_add_test(tcase, two_loads_that_change_places_are_not_chased);
    tcase_add_test(tcase, a_step_that_is_forgotten_is_not_judged);
    suite_add_tcase(suite, tcase);
    return suite;
}

int
main(void)
{
    SRunner *runner = srunner_create(auto_suite());
    int failed;

    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
