/* SPDX-License-Identifier: Apache-2.0
 *
 * The planner by examples: machines with more than one NUMA node. */

#include <config.h>

#include "placement-expect.h"

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

int
main(void)
{
    const TTest *const examples[] = {
        A1_each_node_is_judged_on_its_own,
        queue_stays_on_its_node,
        queue_on_another_node_goes_back,
        B3_orphans_go_to_the_nearest_node,
        orphans_without_distances_use_every_node,
        B5_full_node_keeps_its_queues_by_default,
        B5_full_node_sends_queues_away_when_allowed,
        B5_node_with_room_keeps_its_queues,
        B5_queues_that_are_away_come_back_when_there_is_room_again,
        always_goes_where_the_cost_pays,
        fewest_polls_across_nodes_among_equal_plans,
    };

    return run_examples("placement-numa", examples,
                        sizeof examples / sizeof examples[0]);
}
