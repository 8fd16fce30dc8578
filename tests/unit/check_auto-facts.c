/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests of lib/dpx-auto-facts.c: pictures and plans in figures. */

#include <config.h>

#include "dpx-auto-facts.h"

#include <check.h>

#include "placement-vocabulary.h"

static struct dpx_auto_facts facts;
static struct dpx_auto_result result;
static struct dpx_cpuset changed;
static struct dpx_view_rxq recent_rxqs[MAX_RXQS];
static struct dpx_plan *best;

/* The facts of the best plan, the last seconds being as 'recent' has them
 * (null: as the window). */
static void
make_facts(const double *recent)
{
    struct dpx_view v = view;

    memcpy(recent_rxqs, rxqs, sizeof rxqs);
    for (size_t i = 0; recent && i < view.n_rxqs; i++) {
        recent_rxqs[i].load = recent[i];
    }
    v.rxqs = recent_rxqs;
    dpx_plan_destroy(best);
    best = plan();
    dpx_auto_facts_init(&facts, &view, &v, best, &options, &changed);
}

/* Three PMDs: 0 has two queues, 1 is idle, 2 is full by one queue. */
static void
given_a_crowd_and_a_giant(void)
{
    given_nothing();
    given_pmds(3, 0);
    given_rxq("p0", 0, 0, 0.50, 0)->pps = 100;
    given_rxq("p0", 1, 0, 0.46, 0)->pps = 50;
    given_rxq("p1", 0, 0, 0.99, 2)->pps = DPX_LOAD_UNKNOWN;
}

START_TEST(a_core_that_nothing_helps_does_not_hide_the_others)
{
    given_a_crowd_and_a_giant();
    make_facts(NULL);
    ck_assert(facts.measured);
    ck_assert_uint_eq(facts.n_moves, 1);
    ck_assert_double_eq_tol(facts.busiest, 0.99, 1e-9);
    ck_assert_double_eq_tol(facts.above, 0.96, 1e-9);
    ck_assert_double_eq_tol(facts.now, 0.96, 1e-9);
    ck_assert_double_eq_tol(facts.planned, 0.50, 1e-9);
    ck_assert_double_eq_tol(facts.recent_now, 0.96, 1e-9);
    ck_assert_double_eq_tol(facts.recent_planned, 0.50, 1e-9);
    ck_assert_double_eq_tol(facts.pps, 150, 1e-9);
    ck_assert(dpx_cpuset_has(&changed, 0));
    ck_assert(dpx_cpuset_has(&changed, 1));
    ck_assert(!dpx_cpuset_has(&changed, 2));
}
END_TEST

START_TEST(a_thread_may_be_busier_than_its_queues)
{
    given_a_crowd_and_a_giant();
    pmds[0].busy = 0.98;
    pmds[2].busy = 1.00;
    make_facts(NULL);
    ck_assert_double_eq_tol(facts.busiest, 1.00, 1e-9);
    ck_assert_double_eq_tol(facts.above, 0.98, 1e-9);
    ck_assert_double_eq_tol(facts.now, 0.96, 1e-9);
}
END_TEST

START_TEST(the_last_seconds_are_judged_by_their_own_loads)
{
    const double recent[] = { 0.10, 0.46, 0.99 };

    given_a_crowd_and_a_giant();
    make_facts(recent);
    ck_assert_double_eq_tol(facts.now, 0.96, 1e-9);
    ck_assert_double_eq_tol(facts.recent_now, 0.56, 1e-9);
    ck_assert_double_eq_tol(facts.recent_planned, 0.46, 1e-9);
}
END_TEST

START_TEST(a_queue_without_a_load_is_not_measured)
{
    const double recent[] = { 0.50, DPX_LOAD_UNKNOWN, 0.99 };

    given_a_crowd_and_a_giant();
    make_facts(recent);
    ck_assert(!facts.measured);

    given_a_crowd_and_a_giant();
    rxqs[0].load = DPX_LOAD_UNKNOWN;
    make_facts(NULL);
    ck_assert(!facts.measured);

    /* But one that the guest has switched off carries nothing. */
    rxqs[0].enabled = false;
    make_facts(NULL);
    ck_assert(facts.measured);
}
END_TEST

START_TEST(a_plan_without_moves_changes_no_core)
{
    given_nothing();
    given_pmds(2, 0);
    given_rxq("p0", 0, 0, 0.50, 0);
    make_facts(NULL);
    ck_assert_uint_eq(facts.n_moves, 0);
    ck_assert_uint_eq(dpx_cpuset_count(&changed), 0);
    ck_assert_double_eq(facts.now, 0);
    ck_assert_str_eq(facts.summary, best->summary);
}
END_TEST

START_TEST(a_result_compares_with_the_step_undone)
{
    int undone[] = { 0, 0, DPX_NO_PMD };

    given_a_crowd_and_a_giant();
    make_facts(NULL);
    rxqs[1].current = 1;
    dpx_auto_result_init(&result, &view, undone, &options, &changed);
    ck_assert_double_eq_tol(result.undone, 0.96, 1e-9);
    ck_assert_double_eq_tol(result.realised, 0.50, 1e-9);
    ck_assert_double_eq_tol(result.pps, 150, 1e-9);
}
END_TEST

static Suite *
facts_suite(void)
{
    Suite *suite = suite_create("auto-facts");
    TCase *tcase = tcase_create("facts");

    tcase_add_test(tcase, a_core_that_nothing_helps_does_not_hide_the_others);
    tcase_add_test(tcase, a_thread_may_be_busier_than_its_queues);
    tcase_add_test(tcase, the_last_seconds_are_judged_by_their_own_loads);
    tcase_add_test(tcase, a_queue_without_a_load_is_not_measured);
    tcase_add_test(tcase, a_plan_without_moves_changes_no_core);
    tcase_add_test(tcase, a_result_compares_with_the_step_undone);
    suite_add_tcase(suite, tcase);
    return suite;
}

int
main(void)
{
    SRunner *runner = srunner_create(facts_suite());
    int failed;

    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
