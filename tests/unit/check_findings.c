/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests of the findings: each situation is told, and a good one is not. */

#include <config.h>

#include "dpx-findings.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "dpx-cpuset.h"
#include "dpx-topology.h"
#include "placement-vocabulary.h"
#include "util.h"

static struct dpx_findings findings;

/* A PMD that is 'busy'. */
static void
given_busy_pmd(unsigned int core, int node, int smt_id, double busy)
{
    given_pmd(core, node, smt_id)->busy = busy;
}

static void
judge(void)
{
    dpx_findings_destroy(&findings);
    dpx_findings_of_view(&findings, &view);
    dpx_findings_of_siblings(&findings, &view);
}

static void
expect_finding(enum dpx_severity severity, const char *text)
{
    for (size_t i = 0; i < findings.n; i++) {
        if (strstr(findings.rows[i].text, text)) {
            ck_assert_int_eq(findings.rows[i].severity, severity);
            return;
        }
    }
    ck_abort_msg("no finding has '%s' (%"PRIuSIZE" findings, first: %s)",
                 text, findings.n, findings.n ? findings.rows[0].text : "-");
}

START_TEST(good_placement_has_no_finding)
{
    given_nothing();
    given_busy_pmd(2, 0, 2, 0.7);
    given_busy_pmd(4, 0, 4, 0.6);
    given_rxq("p0", 0, 0, 0.7, 0);
    given_rxq("p1", 0, 0, 0.6, 1);
    judge();
    ck_assert_uint_eq(findings.n, 0);
    ck_assert_int_eq(dpx_findings_worst(&findings), DPX_NOTE);
}
END_TEST

START_TEST(two_busy_siblings_beside_a_free_core)
{
    given_nothing();
    given_busy_pmd(2, 0, 2, 0.5);
    given_busy_pmd(22, 0, 2, 0.4);
    given_busy_pmd(4, 0, 4, 0.01);
    given_rxq("p0", 0, 0, 0.5, 0);
    given_rxq("p1", 0, 0, 0.4, 1);
    given_rxq("p2", 0, 0, 0.01, 2);
    judge();
    expect_finding(DPX_PROBLEM, "cores 2 and 22 are at 50 and 40 % and are "
                   "one physical core, while that of core 4 is free");
}
END_TEST

START_TEST(sibling_of_a_busy_core_is_no_free_core)
{
    given_nothing();
    given_busy_pmd(2, 0, 2, 0.9);
    given_busy_pmd(22, 0, 2, 0.9);
    given_busy_pmd(4, 0, 4, 0.0);
    given_busy_pmd(24, 0, 4, 0.8);
    judge();
    expect_finding(DPX_PROBLEM, "together they want more than it has");
}
END_TEST

START_TEST(isolation_of_all_and_of_a_node)
{
    given_nothing();
    given_pmd(2, 0, DPX_ID_UNKNOWN)->isolated = true;
    given_pmd(3, 1, DPX_ID_UNKNOWN);
    judge();
    expect_finding(DPX_PROBLEM, "every PMD of NUMA node 0 is isolated: its "
                   "next port will be polled from another node");
    view.pmds[1].isolated = true;
    judge();
    expect_finding(DPX_PROBLEM, "every PMD is isolated: the next port will "
                   "not be polled");
}
END_TEST

START_TEST(one_queue_that_fills_a_pmd)
{
    given_nothing();
    given_busy_pmd(11, 0, DPX_ID_UNKNOWN, 0);
    given_busy_pmd(21, 0, DPX_ID_UNKNOWN, 0.98);
    given_busy_pmd(36, 1, DPX_ID_UNKNOWN, 0);
    given_rxq("dpdk0", 0, 0, 0.98, 1);
    given_rxq("vhu0", 0, 0, 0, 0);
    judge();
    expect_finding(DPX_PROBLEM, "queue 0 of dpdk0 carries 98 % of core 21: "
                   "no move helps, more rx queues of dpdk0 do; PMD 11 is free "
                   "on its node");
    expect_finding(DPX_PROBLEM, "PMD 36 of NUMA node 1 has no port to poll");
}
END_TEST

START_TEST(full_node_needs_more_pmds)
{
    given_nothing();
    given_busy_pmd(3, 1, DPX_ID_UNKNOWN, 0.94);
    given_busy_pmd(5, 1, DPX_ID_UNKNOWN, 0.99);
    given_rxq("a", 0, 1, 0.9, 0);
    given_rxq("b", 0, 1, 0.95, 1);
    judge();
    expect_finding(DPX_PROBLEM, "full: the 2 PMDs of NUMA node 1 are at 94 to "
                   "99 %, only more PMDs help");
    ck_assert_uint_eq(findings.n, 1);
}
END_TEST

START_TEST(fewer_queues_than_pmds)
{
    given_nothing();
    given_busy_pmd(1, 0, DPX_ID_UNKNOWN, 0);
    given_busy_pmd(9, 0, DPX_ID_UNKNOWN, 0.1);
    given_rxq("p0", 0, 0, 0.1, 1);
    judge();
    expect_finding(DPX_PROBLEM, "1 rx queue for the 2 PMDs of NUMA node 0: "
                   "core 1 polls nothing; more rx queues or fewer PMDs");
}
END_TEST

START_TEST(queues_far_unpolled_unmeasured_or_misplaced)
{
    given_nothing();
    given_pmds(1, 0);
    given_rxq("far", 0, 1, 0.1, 0);
    given_rxq("lost", 0, 0, 0.1, DPX_NO_PMD);
    given_rxq("new", 0, 0, DPX_LOAD_UNKNOWN, 0);
    given_rxq("pinned", 0, 0, 0.1, 0);
    view.rxqs[3].asked_core = 9;
    judge();
    expect_finding(DPX_PROBLEM, "queue 0 of far, which is on NUMA node 1, is "
                   "polled by core 0 of node 0");
    expect_finding(DPX_PROBLEM, "queue 0 of lost is not polled");
    expect_finding(DPX_CHECK, "1 of 4 rx queues has no measured load");
    expect_finding(DPX_PROBLEM, "queue 0 of pinned is pinned to core 9, which "
                   "has no PMD");
}
END_TEST

START_TEST(guests_on_pmds_and_their_siblings)
{
    struct dpx_topology *machine = dpx_topology_create();
    struct dpx_cpuset guests = { { 0 } };

    for (int i = 0; i < 8; i++) {
        dpx_topology_add(machine, i)->core_id = i % 4;
    }
    given_nothing();
    given_pmds(3, 0);
    dpx_cpuset_add(&guests, 1);
    dpx_cpuset_add(&guests, 6);
    dpx_cpuset_add(&guests, 7);
    dpx_findings_destroy(&findings);
    dpx_findings_of_guests(&findings, &view, machine, &guests);
    ck_assert_uint_eq(findings.n, 2);
    expect_finding(DPX_PROBLEM, "core 1 has a PMD and is used by a guest");
    expect_finding(DPX_PROBLEM, "core 2 has a PMD and its sibling 6 is used "
                   "by a guest");
    dpx_topology_destroy(machine);
}
END_TEST

int
main(void)
{
    Suite *suite = suite_create("findings");
    TCase *tests = tcase_create("all");
    SRunner *runner;
    int failed;

    tcase_add_test(tests, good_placement_has_no_finding);
    tcase_add_test(tests, two_busy_siblings_beside_a_free_core);
    tcase_add_test(tests, sibling_of_a_busy_core_is_no_free_core);
    tcase_add_test(tests, isolation_of_all_and_of_a_node);
    tcase_add_test(tests, one_queue_that_fills_a_pmd);
    tcase_add_test(tests, full_node_needs_more_pmds);
    tcase_add_test(tests, fewer_queues_than_pmds);
    tcase_add_test(tests, queues_far_unpolled_unmeasured_or_misplaced);
    tcase_add_test(tests, guests_on_pmds_and_their_siblings);
    suite_add_tcase(suite, tests);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
