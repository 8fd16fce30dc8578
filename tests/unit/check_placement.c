/* SPDX-License-Identifier: Apache-2.0
 *
 * The planner by examples: each test is a machine that somebody has. */

#include <config.h>
#include <check.h>

#include "placement-vocabulary.h"

static struct dpx_plan *the_plan;

static void
setup(void)
{
    given_nothing();
    the_plan = NULL;
}

static void
teardown(void)
{
    dpx_plan_destroy(the_plan);
}

/* Queues of one port on node 0, polled by the PMD given with each. */
static void
given_loads(size_t n, const double (*load_and_pmd)[2])
{
    for (size_t i = 0; i < n; i++) {
        given_rxq("p0", i, 0, load_and_pmd[i][0], load_and_pmd[i][1]);
    }
}
#define LOADS(...) \
    given_loads(sizeof (double[][2]) { __VA_ARGS__ } / sizeof (double[2]), \
                (const double[][2]) { __VA_ARGS__ })

static void
expect_moves(size_t n)
{
    the_plan = the_plan ? the_plan : plan();
    ck_assert_msg(the_plan->n_moves == n, "%zu moves, expected %zu: %s",
                  the_plan->n_moves, n, the_plan->summary);
    for (size_t i = 0; i < n; i++) {
        ck_assert_ptr_nonnull(the_plan->moves[i].reason);
        ck_assert_uint_gt(strlen(the_plan->moves[i].reason), 10);
    }
}

static void
expect_on(int rxq, int pmd)
{
    the_plan = the_plan ? the_plan : plan();
    ck_assert_msg(the_plan->pmd_of_rxq[rxq] == pmd,
                  "queue %d on PMD %d, expected %d: %s", rxq,
                  the_plan->pmd_of_rxq[rxq], pmd, the_plan->summary);
}

static void
expect_busiest(double now, double planned)
{
    the_plan = the_plan ? the_plan : plan();
    ck_assert_double_eq_tol(the_plan->busiest_now, now, 1e-9);
    ck_assert_double_eq_tol(the_plan->busiest_planned, planned, 1e-9);
}

static void
expect_words(const char *sentence, const char *words)
{
    ck_assert_msg(strstr(sentence, words) != NULL, "\"%s\" lacks \"%s\"",
                  sentence, words);
}

START_TEST(one_hot_pmd_gives_to_an_idle_one)
{
    given_pmds(2, 0);
    LOADS({ 0.5, 0 }, { 0.4, 0 });
    expect_moves(1);
    expect_busiest(0.9, 0.5);
    ck_assert(the_plan->exact);
    expect_words(the_plan->summary, "90 % to 50 %");
    expect_words(the_plan->moves[0].reason, "takes load off core 0");
}
END_TEST

/* PROBLEMS A1: an idle node must not hide the imbalance of another. */
START_TEST(A1_each_node_is_judged_on_its_own)
{
    given_pmd(30, 0, DPX_ID_UNKNOWN);
    given_pmd(31, 0, DPX_ID_UNKNOWN);
    given_pmd(126, 1, DPX_ID_UNKNOWN);
    given_pmd(127, 1, DPX_ID_UNKNOWN);
    given_pmd(63, 1, DPX_ID_UNKNOWN);
    given_pmd(62, 1, DPX_ID_UNKNOWN);
    given_rxq("a", 0, 1, 1000, 2);
    given_rxq("a", 1, 1, 500, 2);
    given_rxq("b", 0, 1, 1000, 3);
    given_rxq("c", 0, 1, 1000, 4);
    given_rxq("d", 0, 1, 500, 5);
    expect_moves(1);
    expect_on(1, 5);
    expect_busiest(1500, 1000);
    ck_assert(the_plan->exact);
}
END_TEST

/* PROBLEMS A11: one queue that no move can help. */
START_TEST(A11_one_hot_queue_is_told_to_get_more_queues)
{
    given_pmd(11, 0, DPX_ID_UNKNOWN);
    given_pmd(21, 0, DPX_ID_UNKNOWN);
    given_pmd(36, 1, DPX_ID_UNKNOWN);
    given_pmd(63, 0, DPX_ID_UNKNOWN);
    given_pmd(73, 0, DPX_ID_UNKNOWN);
    given_rxq("vhu0", 0, 0, 0.001, 0);
    given_rxq("dpdk0", 0, 0, 0.98, 1);
    given_rxq("vhu1", 0, 0, 0, 4);
    expect_moves(0);
    ck_assert_str_eq(the_plan->summary,
                     "one queue carries 98 %: no move helps, raise n_rxq of "
                     "dpdk0; PMDs 11, 63, 73 are free on its node");
}
END_TEST

START_TEST(two_small_queues_leave_the_hot_one)
{
    given_pmds(3, 0);
    LOADS({ 0.6, 0 }, { 0.2, 0 }, { 0.1, 1 }, { 0.3, 2 });
    expect_moves(1);
    expect_on(1, 1);
    expect_busiest(0.8, 0.6);
}
END_TEST

START_TEST(swap_where_no_single_move_helps)
{
    given_pmds(2, 0);
    LOADS({ 0.4, 0 }, { 0.3, 0 }, { 0.2, 1 }, { 0.3, 1 });
    expect_busiest(0.7, 0.6);
    expect_moves(2);
    ck_assert(the_plan->exact);
}
END_TEST

START_TEST(good_enough_stays)
{
    given_pmds(2, 0);
    LOADS({ 0.51, 0 }, { 0.49, 1 }, { 0.001, 0 });
    expect_moves(0);
    expect_words(the_plan->summary, "no move");
}
END_TEST

START_TEST(tolerance_zero_moves_for_little)
{
    options.tolerance = 0;
    given_pmds(2, 0);
    LOADS({ 0.50, 0 }, { 0.49, 1 }, { 0.005, 0 });
    expect_moves(1);
    expect_on(2, 1);
}
END_TEST

START_TEST(pinned_queue_goes_to_its_pmd)
{
    given_pmds(2, 0);
    given_rxq("p0", 0, 0, 0.5, 0)->pinned = 1;
    pmds[1].isolated = true;
    given_rxq("p0", 1, 0, 0.9, 1);
    options.max_moves = 0;
    expect_moves(2);
    expect_on(0, 1);
    expect_on(1, 0);
    expect_words(the_plan->moves[0].reason, "pinned to core 1");
    expect_words(the_plan->moves[1].reason, "isolated");
}
END_TEST

START_TEST(pinned_without_isolation_counts_as_load)
{
    given_pmds(2, 0);
    given_rxq("p0", 0, 0, 0.5, 0)->pinned = 0;
    given_rxq("p0", 1, 0, 0.4, 0);
    given_rxq("p0", 2, 0, 0.1, 1);
    expect_moves(1);
    expect_on(1, 1);
}
END_TEST

/* PROBLEMS C3. */
START_TEST(C3_all_isolated_leaves_a_queue_unpolled_and_says_so)
{
    given_pmds(1, 0);
    pmds[0].isolated = true;
    given_rxq("p0", 0, 0, 0.5, 0)->pinned = 0;
    given_rxq("p1", 0, 0, 0.1, 0);
    given_rxq("p2", 0, 0, 0.1, DPX_NO_PMD);
    expect_moves(1);
    expect_on(1, DPX_NO_PMD);
    expect_on(2, DPX_NO_PMD);
    expect_words(the_plan->moves[0].reason, "all PMDs are isolated");
    expect_words(the_plan->summary, "2 queues cannot be polled");
}
END_TEST

START_TEST(queue_stays_on_its_node)
{
    given_pmds(1, 0);
    given_pmds(1, 1);
    given_rxq("p0", 0, 0, 0.5, 0);
    given_rxq("p0", 1, 0, 0.5, 0);
    expect_moves(0);
    expect_words(the_plan->summary, "only more PMDs help");
}
END_TEST

START_TEST(queue_on_another_node_goes_back)
{
    given_pmds(1, 0);
    given_pmds(1, 1);
    given_rxq("p0", 0, 0, 0.5, 1);
    expect_moves(1);
    expect_on(0, 0);
    expect_words(the_plan->moves[0].reason, "NUMA node 0");
    /* 0.5 held the cost of the distance. */
    expect_busiest(0.5, 0.5 / 1.2);
}
END_TEST

START_TEST(cap_of_zero_moves_nothing_but_places_the_new)
{
    given_pmds(2, 0);
    given_pmds(1, 1);
    given_rxq("p0", 0, 0, 0.5, 0);
    given_rxq("p0", 1, 0, 0.4, 0);
    given_rxq("p0", 2, 0, 0.1, 2);      /* On the wrong node. */
    given_rxq("p1", 0, 0, 0.1, DPX_NO_PMD);
    options.max_moves = 0;
    expect_moves(1);
    expect_on(2, 2);
    expect_on(3, 1);
    ck_assert(the_plan->cap_binds);
}
END_TEST

START_TEST(cap_takes_the_best_single_move)
{
    given_pmds(3, 0);
    LOADS({ 0.4, 0 }, { 0.3, 0 }, { 0.2, 0 }, { 0.1, 0 });
    options.max_moves = 1;
    expect_moves(1);
    expect_busiest(1.0, 0.6);
    ck_assert(the_plan->cap_binds);
    expect_words(the_plan->summary, "cap of 1 move");
}
END_TEST

/* PROBLEMS B3: nearest node, and spread over its PMDs. */
START_TEST(B3_orphans_go_to_the_nearest_node)
{
    static const int distance[] = { 10, 30, 20, 30, 10, 40, 20, 40, 10 };

    view.numa_distance = distance;
    view.n_numa = 3;
    given_pmds(2, 1);
    given_pmds(2, 2);
    given_rxq("p0", 0, 0, 0.3, DPX_NO_PMD);
    given_rxq("p0", 1, 0, 0.3, DPX_NO_PMD);
    expect_moves(2);
    ck_assert_int_ge(the_plan->pmd_of_rxq[0], 2);
    ck_assert_int_ge(the_plan->pmd_of_rxq[1], 2);
    ck_assert_int_ne(the_plan->pmd_of_rxq[0], the_plan->pmd_of_rxq[1]);
    expect_words(the_plan->moves[0].reason, "NUMA node 0");
    expect_busiest(0, 0.36);
}
END_TEST

START_TEST(orphans_without_distances_use_every_node)
{
    given_pmds(1, 1);
    given_pmds(1, 2);
    given_rxq("p0", 0, 0, 0.3, DPX_NO_PMD);
    given_rxq("p0", 1, 0, 0.3, DPX_NO_PMD);
    expect_moves(2);
    ck_assert_int_ne(the_plan->pmd_of_rxq[0], the_plan->pmd_of_rxq[1]);
}
END_TEST

/* PROBLEMS B5: the idle PMDs over there, for those who ask for it. */
static void
given_full_node(double load)
{
    given_pmds(2, 0);
    given_pmds(2, 1);
    for (int i = 0; i < 4; i++) {
        given_rxq("p0", i, 0, load, i / 2);
    }
}

START_TEST(B5_full_node_keeps_its_queues_by_default)
{
    given_full_node(0.6);
    expect_moves(0);
    expect_words(the_plan->summary, "only more PMDs help");
}
END_TEST

START_TEST(B5_full_node_sends_queues_away_when_allowed)
{
    options.cross_numa = DPX_CROSS_NUMA_OVERLOAD;
    given_full_node(0.6);
    expect_moves(2);
    expect_busiest(1.2, 0.72);
    expect_words(the_plan->moves[0].reason, "NUMA node, which costs 20 %");
}
END_TEST

START_TEST(B5_node_with_room_keeps_its_queues)
{
    options.cross_numa = DPX_CROSS_NUMA_OVERLOAD;
    given_full_node(0.45);
    expect_moves(0);
}
END_TEST

START_TEST(B5_queues_that_are_away_come_back_when_there_is_room_again)
{
    options.cross_numa = DPX_CROSS_NUMA_OVERLOAD;
    given_full_node(0.46);
    rxqs[1].current = 2;
    rxqs[3].current = 3;
    rxqs[1].load = rxqs[3].load = 0.46 * 1.2;
    expect_moves(0);                    /* Home would be 92 %. */
    dpx_plan_destroy(the_plan);
    the_plan = NULL;
    for (int i = 0; i < 4; i++) {
        rxqs[i].load *= 0.9;            /* Now it is 83 %. */
    }
    expect_moves(2);
    ck_assert_int_le(the_plan->pmd_of_rxq[1], 1);
    ck_assert_int_le(the_plan->pmd_of_rxq[3], 1);
}
END_TEST

START_TEST(always_goes_where_the_cost_pays)
{
    options.cross_numa = DPX_CROSS_NUMA_ALWAYS;
    given_full_node(0.3);
    expect_moves(2);
    expect_busiest(0.6, 0.36);
    dpx_plan_destroy(the_plan);
    the_plan = NULL;
    options.cross_numa_cost = 1.1;      /* Here it does not. */
    expect_moves(0);
}
END_TEST

START_TEST(fewest_polls_across_nodes_among_equal_plans)
{
    options.cross_numa = DPX_CROSS_NUMA_ALWAYS;
    options.cross_numa_cost = 0;
    given_pmds(1, 0);
    given_pmds(1, 1);
    given_rxq("p0", 0, 0, 0.3, DPX_NO_PMD);
    given_rxq("p1", 0, 1, 0.3, DPX_NO_PMD);
    expect_on(0, 0);
    expect_on(1, 1);
}
END_TEST

START_TEST(core_that_nothing_can_help_does_not_hide_another)
{
    given_pmds(3, 0);
    LOADS({ 0.98, 0 }, { 0.475, 1 }, { 0.475, 1 });
    expect_moves(1);
    expect_busiest(0.98, 0.98);
    ck_assert_int_ne(the_plan->pmd_of_rxq[1], the_plan->pmd_of_rxq[2]);
    expect_words(the_plan->summary, "stays at 98 %, core 1 goes from 95 % to "
                 "48 %");
}
END_TEST

START_TEST(siblings_share_a_core)
{
    given_pmd(0, 0, 0);
    given_pmd(1, 0, 1);
    given_pmd(8, 0, 0);
    given_pmd(9, 0, 1);
    LOADS({ 0.6, 0 }, { 0.6, 2 });
    expect_busiest(1.2 / 1.3, 0.6);
    expect_moves(1);
    expect_words(the_plan->moves[0].reason, "the physical core to itself");
}
END_TEST

START_TEST(sibling_load_is_never_below_its_busier_thread)
{
    given_pmd(0, 0, 0);
    given_pmd(8, 0, 0);
    LOADS({ 0.9, 0 }, { 0.1, 1 });
    expect_busiest(0.9, 0.9);
    expect_moves(0);
}
END_TEST

START_TEST(unknown_counts_as_the_mean_of_its_port)
{
    given_pmds(2, 0);
    given_rxq("p0", 0, 0, 0.4, 0);
    given_rxq("p0", 1, 0, DPX_LOAD_UNKNOWN, 0);
    given_rxq("p1", 0, 0, 0.1, 1);
    expect_busiest(0.8, 0.5);
    expect_moves(1);
}
END_TEST

START_TEST(unknown_is_spread_by_count)
{
    given_pmds(2, 0);
    for (int i = 0; i < 4; i++) {
        given_rxq("p0", i, 0, DPX_LOAD_UNKNOWN, DPX_NO_PMD);
    }
    expect_moves(4);
    ck_assert_int_eq(the_plan->pmd_of_rxq[0] + the_plan->pmd_of_rxq[1]
                     + the_plan->pmd_of_rxq[2] + the_plan->pmd_of_rxq[3], 2);
    ck_assert_double_lt(the_plan->busiest_now, 0);
    ck_assert_double_lt(the_plan->busiest_planned, 0);
    ck_assert_double_lt(the_plan->pmd_load[0], 0);
}
END_TEST

START_TEST(unknown_newcomer_goes_where_there_is_least)
{
    given_pmds(2, 0);
    given_rxq("p0", 0, 0, 0.6, 0);
    given_rxq("p1", 0, 0, 0.3, 1);
    given_rxq("p2", 0, 0, DPX_LOAD_UNKNOWN, DPX_NO_PMD);
    expect_moves(1);
    expect_on(2, 1);
}
END_TEST

START_TEST(idle_queues_stay_and_new_ones_are_spread)
{
    given_pmds(2, 0);
    given_rxq("p0", 0, 0, 0, 0);
    given_rxq("p0", 1, 0, 0, 0);
    given_rxq("p0", 2, 0, 0, DPX_NO_PMD);
    given_rxq("p0", 3, 0, 0, DPX_NO_PMD);
    expect_moves(2);
    expect_on(2, 1);
    expect_on(3, 1);
}
END_TEST

START_TEST(queue_that_the_guest_switched_off_weighs_nothing)
{
    given_pmds(2, 0);
    given_rxq("v0", 0, 0, 0.4, 0);
    given_rxq("v0", 1, 0, DPX_LOAD_UNKNOWN, 0)->enabled = false;
    expect_moves(0);
    expect_busiest(0.4, 0.4);
}
END_TEST

START_TEST(no_pmd_gives_an_empty_plan)
{
    given_rxq("p0", 0, 0, 0.4, DPX_NO_PMD);
    expect_moves(0);
    expect_on(0, DPX_NO_PMD);
    expect_words(the_plan->summary, "there is no PMD");
}
END_TEST

START_TEST(no_queue_gives_an_empty_plan)
{
    given_pmds(2, 0);
    expect_moves(0);
    expect_words(the_plan->summary, "there is no rx queue");
}
END_TEST

START_TEST(nonsense_in_the_view_does_no_harm)
{
    given_pmds(2, -1);
    given_rxq("p0", 0, 77, 0.4, 99)->pinned = 1234;
    given_rxq("p0", 1, -5, 1e300, -7);
    given_rxq("p0", 2, 0, 0.0 / 0.0, 0)->port = NULL;
    given_rxq("p0", 3, 0, -3, 0);
    options.smt_factor = 0;
    options.tolerance = -1;
    the_plan = plan();
    for (int i = 0; i < 4; i++) {
        ck_assert_int_ge(the_plan->pmd_of_rxq[i], 0);
        ck_assert_int_lt(the_plan->pmd_of_rxq[i], 2);
    }
}
END_TEST

int
main(void)
{
    TCase *tc = tcase_create("examples");
    Suite *suite = suite_create("placement");
    SRunner *runner = srunner_create(suite);
    int failed;

    suite_add_tcase(suite, tc);
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, one_hot_pmd_gives_to_an_idle_one);
    tcase_add_test(tc, A1_each_node_is_judged_on_its_own);
    tcase_add_test(tc, A11_one_hot_queue_is_told_to_get_more_queues);
    tcase_add_test(tc, two_small_queues_leave_the_hot_one);
    tcase_add_test(tc, swap_where_no_single_move_helps);
    tcase_add_test(tc, good_enough_stays);
    tcase_add_test(tc, tolerance_zero_moves_for_little);
    tcase_add_test(tc, pinned_queue_goes_to_its_pmd);
    tcase_add_test(tc, pinned_without_isolation_counts_as_load);
    tcase_add_test(tc, C3_all_isolated_leaves_a_queue_unpolled_and_says_so);
    tcase_add_test(tc, queue_stays_on_its_node);
    tcase_add_test(tc, queue_on_another_node_goes_back);
    tcase_add_test(tc, cap_of_zero_moves_nothing_but_places_the_new);
    tcase_add_test(tc, cap_takes_the_best_single_move);
    tcase_add_test(tc, B3_orphans_go_to_the_nearest_node);
    tcase_add_test(tc, orphans_without_distances_use_every_node);
    tcase_add_test(tc, B5_full_node_keeps_its_queues_by_default);
    tcase_add_test(tc, B5_full_node_sends_queues_away_when_allowed);
    tcase_add_test(tc, B5_node_with_room_keeps_its_queues);
    tcase_add_test(
        tc, B5_queues_that_are_away_come_back_when_there_is_room_again);
    tcase_add_test(tc, always_goes_where_the_cost_pays);
    tcase_add_test(tc, fewest_polls_across_nodes_among_equal_plans);
    tcase_add_test(tc, core_that_nothing_can_help_does_not_hide_another);
    tcase_add_test(tc, siblings_share_a_core);
    tcase_add_test(tc, sibling_load_is_never_below_its_busier_thread);
    tcase_add_test(tc, unknown_counts_as_the_mean_of_its_port);
    tcase_add_test(tc, unknown_is_spread_by_count);
    tcase_add_test(tc, unknown_newcomer_goes_where_there_is_least);
    tcase_add_test(tc, idle_queues_stay_and_new_ones_are_spread);
    tcase_add_test(tc, queue_that_the_guest_switched_off_weighs_nothing);
    tcase_add_test(tc, no_pmd_gives_an_empty_plan);
    tcase_add_test(tc, no_queue_gives_an_empty_plan);
    tcase_add_test(tc, nonsense_in_the_view_does_no_harm);

    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
