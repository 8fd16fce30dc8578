/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests of the findings: each situation is told, and a good one is not. */

#include <config.h>

#include "dpx-findings.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "dpx-cpu-busy.h"
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

/* CPUs 0 to 11 with three to a core: 0, 4 and 8 are siblings, and so on; PMDs
 * on 0, 1, 2 and 4.  'stat' is two texts of /proc/stat. */
static void
judge_outsiders(const char *before, const char *after)
{
    struct dpx_topology *machine = dpx_topology_create();
    struct dpx_cpu_busy busy = { .n = 0 };

    for (int i = 0; i < 12; i++) {
        dpx_topology_add(machine, i)->core_id = i % 4;
    }
    dpx_topology_add(machine, 10)->online = false;
    given_nothing();
    given_pmds(3, 0);
    given_pmd(4, 0, 0);
    dpx_cpu_busy_update(&busy, before);
    dpx_cpu_busy_update(&busy, after);
    dpx_findings_destroy(&findings);
    dpx_findings_of_outsiders(&findings, &view, machine, &busy);
    dpx_cpu_busy_destroy(&busy);
    dpx_topology_destroy(machine);
}

START_TEST(siblings_of_which_nothing_is_known_are_one_line)
{
    judge_outsiders("", "");
    ck_assert_uint_eq(findings.n, 1);
    expect_finding(DPX_CHECK, "siblings of PMD cores that have no PMD: "
                   "5-6,8-9;");
}
END_TEST

START_TEST(D2_busy_sibling_is_told_once_and_an_idle_one_is_not)
{
    /* 3, 7 and 11 are busy, but no siblings of a PMD; 4 is one itself. */
    judge_outsiders("cpu3 0 0 0 100 0 0 0 0\ncpu4 0 0 0 100 0 0 0 0\n"
                    "cpu5 0 0 0 100 0 0 0 0\ncpu6 0 0 0 100 0 0 0 0\n"
                    "cpu8 0 0 0 100 0 0 0 0\ncpu9 0 0 0 100 0 0 0 0\n",
                    "cpu3 90 0 0 110 0 0 0 0\ncpu4 90 0 0 110 0 0 0 0\n"
                    "cpu5 0 0 0 200 0 0 0 0\ncpu6 4 0 0 196 0 0 0 0\n"
                    "cpu8 40 0 3 157 0 0 0 0\ncpu9 5 0 0 195 0 0 0 0\n");
    ck_assert_uint_eq(findings.n, 2);
    expect_finding(DPX_PROBLEM, "CPU 8, the sibling of PMD core 0, is 43 % "
                   "busy with something that is no PMD");
    expect_finding(DPX_PROBLEM, "CPU 9, the sibling of PMD core 1, is 5 % "
                   "busy");
}
END_TEST

static void
expect_why(const struct dpx_view_rxq *rxq, const char *expected)
{
    char *why = dpx_rxq_why(&view, rxq);

    if (expected) {
        ck_assert_ptr_nonnull(why);
        ck_assert_str_eq(why, expected);
    } else {
        ck_assert_msg(!why, "%s", why);
    }
    free(why);
}

START_TEST(C1_C2_C3_why_a_queue_is_where_it_is)
{
    struct dpx_view_rxq *rxq;

    given_nothing();
    rxq = given_rxq("p0", 0, 0, 0.1, DPX_NO_PMD);
    expect_why(rxq, "there is no PMD");
    given_pmds(2, 0);
    expect_why(rxq, "no PMD was found for it");
    rxq->current = 1;
    expect_why(rxq, NULL);
    rxq->asked_core = 9;
    expect_why(rxq, "core 9 has no PMD");
    rxq->asked_core = 0;
    rxq->pinned = 0;
    expect_why(rxq, "it has not moved to core 0 yet");
    rxq->current = 0;
    expect_why(rxq, NULL);
    pmds[0].isolated = pmds[1].isolated = true;
    rxq->current = DPX_NO_PMD;
    expect_why(rxq, "every PMD is isolated");
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
    tcase_add_test(tests, siblings_of_which_nothing_is_known_are_one_line);
    tcase_add_test(tests,
                   D2_busy_sibling_is_told_once_and_an_idle_one_is_not);
    tcase_add_test(tests, C1_C2_C3_why_a_queue_is_where_it_is);
    suite_add_tcase(suite, tests);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
