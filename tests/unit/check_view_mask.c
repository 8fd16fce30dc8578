/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests of lib/dpx-view-mask.c: a picture with PMDs on other cores. */

#include <config.h>

#include "dpx-view-mask.h"

#include <check.h>

#include "placement-vocabulary.h"
#include "util.h"

static struct dpx_topology *machine;
static struct dpx_view then;
static unsigned int stranger;

/* Cores 0 to 3 on node 0, 4 to 7 on node 1; PMDs on 1 and 5. */
static void
given_a_machine(void)
{
    dpx_topology_destroy(machine);
    ck_assert_ptr_null(dpx_topology_from_numa_list("0,0,0,0,1,1,1,1",
                                                   &machine));
    given_nothing();
    given_pmd(1, 0, 1);
    given_pmd(5, 1, 5);
    given_rxq("p0", 0, 0, 0.30, 0);
    given_rxq("p0", 1, 1, 0.40, 1);
}

static bool
with_mask(const char *mask, const struct dpx_topology *m, bool isolate)
{
    struct dpx_cpuset set;

    ck_assert_ptr_null(dpx_cpuset_from_mask(&set, mask));
    dpx_view_mask_destroy(&then);
    return dpx_view_with_mask(&then, &view, &set, m, isolate, &stranger);
}

START_TEST(a_pmd_that_stays_keeps_its_queues)
{
    given_a_machine();
    ck_assert(with_mask("0x2", machine, true));
    ck_assert_uint_eq(then.n_pmds, 1);
    ck_assert_uint_eq(then.n_rxqs, 2);
    ck_assert_int_eq(then.rxqs[0].current, 0);
    ck_assert_int_eq(then.rxqs[1].current, DPX_NO_PMD);
}
END_TEST

START_TEST(a_new_pmd_gets_its_place_from_the_machine)
{
    given_a_machine();
    ck_assert(with_mask("0x61", machine, true));
    ck_assert_uint_eq(then.n_pmds, 3);
    ck_assert_uint_eq(then.pmds[0].core_id, 0);
    ck_assert_int_eq(then.pmds[0].numa_id, 0);
    ck_assert_int_eq(then.pmds[2].numa_id, 1);
    ck_assert_int_eq(then.rxqs[1].current, 1);
}
END_TEST

START_TEST(a_core_that_does_not_exist_is_named)
{
    given_a_machine();
    ck_assert(!with_mask("0x102", machine, true));
    ck_assert_uint_eq(stranger, 8);
    ck_assert(!with_mask("0x1", NULL, true));
    ck_assert_uint_eq(stranger, 0);
    ck_assert(with_mask("0x22", NULL, true));
}
END_TEST

START_TEST(an_offline_core_does_not_exist)
{
    given_a_machine();
    dpx_topology_add(machine, 3)->online = false;
    ck_assert(!with_mask("0x8", machine, true));
    ck_assert_uint_eq(stranger, 3);
}
END_TEST

START_TEST(a_pinned_queue_goes_where_it_asks_for)
{
    given_a_machine();
    rxqs[0].asked_core = 2;
    ck_assert(with_mask("0x26", machine, true));
    ck_assert_int_eq(then.rxqs[0].pinned, 1);
    ck_assert(then.pmds[1].isolated);
    ck_assert(!then.pmds[0].isolated);

    ck_assert(with_mask("0x26", machine, false));
    ck_assert_int_eq(then.rxqs[0].pinned, 1);
    ck_assert(!then.pmds[1].isolated);
}
END_TEST

START_TEST(nodes_count_what_their_queues_bring)
{
    double *loads;
    size_t n;

    given_a_machine();
    given_rxq("p1", 0, 1, DPX_LOAD_UNKNOWN, DPX_NO_PMD);
    loads = dpx_view_node_loads(&view, &n);
    ck_assert_uint_eq(n, 2);
    ck_assert_double_eq_tol(loads[0], 0.30, 1e-9);
    ck_assert_double_eq_tol(loads[1], 0.41, 1e-9);
    free(loads);
}
END_TEST

static Suite *
mask_suite(void)
{
    Suite *suite = suite_create("view-mask");
    TCase *tcase = tcase_create("mask");

    tcase_add_test(tcase, a_pmd_that_stays_keeps_its_queues);
    tcase_add_test(tcase, a_new_pmd_gets_its_place_from_the_machine);
    tcase_add_test(tcase, a_core_that_does_not_exist_is_named);
    tcase_add_test(tcase, an_offline_core_does_not_exist);
    tcase_add_test(tcase, a_pinned_queue_goes_where_it_asks_for);
    tcase_add_test(tcase, nodes_count_what_their_queues_bring);
    suite_add_tcase(suite, tcase);
    return suite;
}

int
main(void)
{
    SRunner *runner = srunner_create(mask_suite());
    int failed;

    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
