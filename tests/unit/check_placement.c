/* SPDX-License-Identifier: Apache-2.0
 *
 * The planner by examples: each test is a machine that somebody has. */

#include <config.h>

#include "placement-expect.h"

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
    expect_words(the_plan->summary, "no better plan, the busiest core is at "
                 "51 %, no plan is below 51 %");
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

START_TEST(what_is_pinned_is_named_as_the_reason)
{
    given_pmds(2, 0);
    pmds[0].isolated = true;
    given_rxq("p0", 0, 0, 0.4, 0)->pinned = 0;
    given_rxq("p0", 1, 0, 0.4, 0)->pinned = 0;
    expect_moves(0);
    expect_words(the_plan->summary, "80 % by what is pinned to core 0");
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
    const TTest *const examples[] = {
        one_hot_pmd_gives_to_an_idle_one,
        A11_one_hot_queue_is_told_to_get_more_queues,
        two_small_queues_leave_the_hot_one,
        swap_where_no_single_move_helps,
        good_enough_stays,
        tolerance_zero_moves_for_little,
        pinned_queue_goes_to_its_pmd,
        pinned_without_isolation_counts_as_load,
        C3_all_isolated_leaves_a_queue_unpolled_and_says_so,
        cap_of_zero_moves_nothing_but_places_the_new,
        cap_takes_the_best_single_move,
        core_that_nothing_can_help_does_not_hide_another,
        siblings_share_a_core,
        sibling_load_is_never_below_its_busier_thread,
        unknown_counts_as_the_mean_of_its_port,
        unknown_is_spread_by_count,
        unknown_newcomer_goes_where_there_is_least,
        idle_queues_stay_and_new_ones_are_spread,
        queue_that_the_guest_switched_off_weighs_nothing,
        what_is_pinned_is_named_as_the_reason,
        no_pmd_gives_an_empty_plan,
        no_queue_gives_an_empty_plan,
        nonsense_in_the_view_does_no_harm,
    };

    return run_examples("placement", examples,
                        sizeof examples / sizeof examples[0]);
}
