/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests of the machine that the datapath asks: read once, kept, read again
 * when a CPU has come, a dummy when it is to be one. */

#include <config.h>

/* The unit itself, with a clock that the tests turn. */
#define time_msec test_msec
#include "dpx-machine.c"

#include <check.h>

static long long int now_ms;

long long int
test_msec(void)
{
    return now_ms;
}

/* What the next reading finds: CPUs 0 to n_cpus - 1, 'threads' on a core, four
 * CPUs on a node; nothing if 'broken'. */
static unsigned int n_cpus, threads;
static bool broken;
static int n_loads;

static char *
load_machine(struct dpx_topology **topology)
{
    n_loads++;
    *topology = NULL;
    if (broken) {
        return xstrdup("broken on purpose");
    }
    *topology = dpx_topology_create();
    for (unsigned int cpu = 0; cpu < n_cpus; cpu++) {
        struct dpx_topology_cpu *c = dpx_topology_add(*topology, cpu);

        c->core_id = cpu / threads;
        c->l3_id = c->numa_id = cpu / 4;
        c->package_id = 0;
        dpx_cpuset_add(&(*topology)->nodes, c->numa_id);
    }
    dpx_topology_set_distance(*topology, 0, 1, 21);
    dpx_topology_set_distance(*topology, 1, 0, 21);
    return NULL;
}

static void
given_machine(unsigned int cpus, unsigned int threads_per_core)
{
    n_cpus = cpus;
    threads = threads_per_core;
}

static void
setup(void)
{
    vlog_set_levels(NULL, VLF_ANY_DESTINATION, VLL_OFF);
    unsetenv("HWLOC_SYNTHETIC");
    unsetenv("HWLOC_XMLFILE");
    unsetenv("HWLOC_FSROOT");
    now_ms = 1000;
    n_loads = 0;
    broken = false;
    dpx_machine_set_dummy(NULL);
    dpx_machine_set_loader(load_machine);
    given_machine(8, 2);
}

static void
teardown(void)
{
    dpx_machine_set_dummy(NULL);
    dpx_machine_set_loader(NULL);
}

/* A PMD on 'core', which the datapath says is on 'numa'. */
static struct dpx_view_pmd
placed(unsigned int core, int numa)
{
    struct dpx_view_pmd pmd = { .core_id = core, .numa_id = numa };

    dpx_machine_place_pmd(&pmd);
    return pmd;
}

static void
expect_place(unsigned int core, int smt, int l3, int package)
{
    struct dpx_view_pmd pmd = placed(core, 0);

    ck_assert_int_eq(pmd.smt_id, smt);
    ck_assert_int_eq(pmd.l3_id, l3);
    ck_assert_int_eq(pmd.package_id, package);
}

START_TEST(machine_is_read_when_it_is_asked_for_and_once)
{
    ck_assert_int_eq(n_loads, 0);
    expect_place(2, 1, 0, 0);
    expect_place(3, 1, 0, 0);
    expect_place(6, 3, 1, 0);
    ck_assert_int_eq(n_loads, 1);
}
END_TEST

START_TEST(node_of_the_datapath_wins)
{
    ck_assert_int_eq(placed(5, 0).numa_id, 0);
    ck_assert_int_eq(placed(5, DPX_ID_UNKNOWN).numa_id, 1);
}
END_TEST

START_TEST(nobody_reads_and_nothing_is_known)
{
    struct dpx_view view = { .n_numa = 7 };

    dpx_machine_set_loader(NULL);
    ck_assert_ptr_null(dpx_machine_get());
    expect_place(0, DPX_ID_UNKNOWN, DPX_ID_UNKNOWN, DPX_ID_UNKNOWN);
    dpx_machine_set_distances(&view);
    ck_assert_ptr_null(view.numa_distance);
    ck_assert_uint_eq(view.n_numa, 0);
}
END_TEST

START_TEST(failure_is_not_tried_at_every_call)
{
    broken = true;
    for (int i = 0; i < 5; i++) {
        expect_place(0, DPX_ID_UNKNOWN, DPX_ID_UNKNOWN, DPX_ID_UNKNOWN);
    }
    ck_assert_ptr_null(dpx_machine_get());
    ck_assert_int_eq(n_loads, 1);
}
END_TEST

START_TEST(cpu_that_came_later_is_found_within_a_minute)
{
    expect_place(8, DPX_ID_UNKNOWN, DPX_ID_UNKNOWN, DPX_ID_UNKNOWN);
    ck_assert_int_eq(n_loads, 1);
    given_machine(10, 2);
    expect_place(8, DPX_ID_UNKNOWN, DPX_ID_UNKNOWN, DPX_ID_UNKNOWN);
    ck_assert_int_eq(n_loads, 1);
    now_ms += RELOAD_INTERVAL_MS;
    expect_place(8, 4, 2, 0);
    ck_assert_int_eq(n_loads, 2);
}
END_TEST

START_TEST(what_was_known_outlives_a_failure)
{
    expect_place(2, 1, 0, 0);
    broken = true;
    now_ms += RELOAD_INTERVAL_MS;
    expect_place(8, DPX_ID_UNKNOWN, DPX_ID_UNKNOWN, DPX_ID_UNKNOWN);
    ck_assert_int_eq(n_loads, 2);
    expect_place(2, 1, 0, 0);
}
END_TEST

START_TEST(distances_are_those_of_the_machine)
{
    struct dpx_view view = { .n_numa = 0 };

    dpx_machine_set_distances(&view);
    ck_assert_uint_eq(view.n_numa, 2);
    ck_assert_int_eq(view.numa_distance[0 * 2 + 1], 21);
    ck_assert_int_eq(view.numa_distance[0 * 2 + 0], 0);
}
END_TEST

START_TEST(dummy_has_nothing_of_the_live_machine)
{
    dpx_machine_set_dummy("0,0,1,1");
    ck_assert(dpx_machine_is_dummy());
    expect_place(0, 0, DPX_ID_UNKNOWN, DPX_ID_UNKNOWN);
    expect_place(1, 1, DPX_ID_UNKNOWN, DPX_ID_UNKNOWN);
    ck_assert_int_eq(placed(3, DPX_ID_UNKNOWN).numa_id, 1);
    ck_assert_int_eq(n_loads, 0);
}
END_TEST

START_TEST(dummy_takes_siblings_from_a_described_machine)
{
    setenv("HWLOC_SYNTHETIC", "anything", 1);
    dpx_machine_set_dummy("0,0,1,1,1,1,1,1,1,1");
    expect_place(0, 0, 0, 0);
    expect_place(1, 0, 0, 0);
    expect_place(2, 1, 0, 0);
    ck_assert_int_eq(n_loads, 1);

    /* The list has the last word on nodes, and on which CPUs there are; what
     * the description does not have shares nothing with anybody. */
    ck_assert_int_eq(placed(2, DPX_ID_UNKNOWN).numa_id, 1);
    expect_place(8, DPX_ID_UNKNOWN, DPX_ID_UNKNOWN, DPX_ID_UNKNOWN);
    ck_assert_uint_eq(dpx_machine_get()->n_cpus, 10);
    ck_assert_int_eq(dpx_topology_distance(dpx_machine_get(), 0, 1), 21);
}
END_TEST

START_TEST(dummy_without_its_description_keeps_its_nodes)
{
    setenv("HWLOC_XMLFILE", "anything", 1);
    broken = true;
    dpx_machine_set_dummy("0,1");
    ck_assert_int_eq(placed(1, DPX_ID_UNKNOWN).numa_id, 1);
    expect_place(1, 1, DPX_ID_UNKNOWN, DPX_ID_UNKNOWN);
}
END_TEST

START_TEST(dummy_list_that_cannot_be_read_is_no_machine)
{
    dpx_machine_set_dummy("0,x");
    ck_assert_ptr_null(dpx_machine_get());
    expect_place(0, DPX_ID_UNKNOWN, DPX_ID_UNKNOWN, DPX_ID_UNKNOWN);
}
END_TEST

static Suite *
machine_suite(void)
{
    Suite *suite = suite_create("machine");
    TCase *tcase = tcase_create("machine");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, machine_is_read_when_it_is_asked_for_and_once);
    tcase_add_test(tcase, node_of_the_datapath_wins);
    tcase_add_test(tcase, nobody_reads_and_nothing_is_known);
    tcase_add_test(tcase, failure_is_not_tried_at_every_call);
    tcase_add_test(tcase, cpu_that_came_later_is_found_within_a_minute);
    tcase_add_test(tcase, what_was_known_outlives_a_failure);
    tcase_add_test(tcase, distances_are_those_of_the_machine);
    tcase_add_test(tcase, dummy_has_nothing_of_the_live_machine);
    tcase_add_test(tcase, dummy_takes_siblings_from_a_described_machine);
    tcase_add_test(tcase, dummy_without_its_description_keeps_its_nodes);
    tcase_add_test(tcase, dummy_list_that_cannot_be_read_is_no_machine);
    suite_add_tcase(suite, tcase);
    return suite;
}

int
main(void)
{
    SRunner *runner = srunner_create(machine_suite());
    int failed;

    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
