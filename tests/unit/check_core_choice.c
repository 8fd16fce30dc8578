/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests of the choice of cores for PMD threads. */

#include <config.h>

#include "dpx-core-choice.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "openvswitch/dynamic-string.h"
#include "random.h"
#include "util.h"

static struct dpx_topology *machine;
static struct dpx_core_wish wish;
static double node_load[8];
static struct dpx_core_choice *choice;

/* 'cores' cores on each of 'nodes' nodes, with 'threads' siblings that are
 * numbered as Linux does: all first threads, then all second ones.  CPU 0 is
 * the host's. */
static void
given_machine(int nodes, int cores, int threads)
{
    machine = dpx_topology_create();
    for (int i = 0; i < nodes * cores * threads; i++) {
        struct dpx_topology_cpu *c = dpx_topology_add(machine, i);
        int core = i % (nodes * cores);

        c->core_id = core;
        c->numa_id = c->package_id = core / cores;
        c->l3_id = core / 4;
        dpx_cpuset_add(&machine->nodes, c->numa_id);
    }
    for (int i = 0; i < nodes; i++) {
        for (int j = 0; j < nodes; j++) {
            dpx_topology_set_distance(machine, i, j,
                                      i == j ? 10 : 20 + abs(i - j));
        }
    }
    memset(&wish, 0, sizeof wish);
    memset(node_load, 0, sizeof node_load);
    dpx_cpuset_add(&wish.housekeeping, 0);
    wish.node_load = node_load;
    wish.n_nodes = ARRAY_SIZE(node_load);
}

static void
choose(size_t n_threads)
{
    wish.n_threads = n_threads;
    choice = dpx_core_choose(machine, &wish);
}

static void
expect(const char *list)
{
    struct ds s = DS_EMPTY_INITIALIZER;

    dpx_cpuset_put_list(&choice->mask, &s);
    ck_assert_str_eq(ds_cstr(&s), list);
    ds_destroy(&s);
}

static void
set_list(struct dpx_cpuset *set, const char *list)
{
    char *error = dpx_cpuset_from_list(set, list);

    ck_assert_msg(!error, "%s", error);
}

static void
teardown(void)
{
    dpx_core_choice_destroy(choice);
    dpx_topology_destroy(machine);
    choice = NULL;
    machine = NULL;
}

START_TEST(whole_cores_of_the_ports_node_come_first)
{
    given_machine(2, 8, 2);
    node_load[1] = 1;
    choose(3);
    expect("8-10");
    ck_assert_ptr_null(choice->shortage);
    ck_assert(dpx_cpuset_has(&choice->left_idle, 24));
    ck_assert_uint_eq(dpx_cpuset_count(&choice->left_idle), 3);
    ck_assert_ptr_nonnull(strstr(choice->picks[0].reason, "a whole core of "
                                 "node 1, where ports are"));
}
END_TEST

START_TEST(housekeeping_and_its_sibling_are_left_alone)
{
    given_machine(1, 4, 2);
    node_load[0] = 1;
    choose(8);
    expect("1-3,5-7");
    ck_assert_ptr_nonnull(strstr(choice->shortage, "only 6 of 8 threads"));
}
END_TEST

START_TEST(guests_and_their_siblings_are_left_alone)
{
    given_machine(1, 6, 2);
    node_load[0] = 1;
    set_list(&wish.guests, "1,8");
    choose(3);
    expect("3-5");
}
END_TEST

START_TEST(siblings_come_before_another_node)
{
    given_machine(2, 3, 2);
    node_load[0] = 1;
    choose(5);
    expect("1-3,7-8");
    ck_assert_ptr_nonnull(strstr(choice->picks[2].reason, "second thread"));
}
END_TEST

START_TEST(nearest_node_helps_out)
{
    given_machine(4, 2, 1);
    node_load[2] = 1;
    choose(3);
    /* Nodes 1 and 3 are equally near; the lower one is taken. */
    expect("2,4-5");
    ck_assert_ptr_nonnull(strstr(choice->picks[2].reason, "near"));
}
END_TEST

START_TEST(cpus_with_a_pmd_are_kept)
{
    given_machine(1, 8, 1);
    node_load[0] = 1;
    set_list(&wish.current, "5,7");
    choose(3);
    expect("1,5,7");
}
END_TEST

START_TEST(threads_follow_the_load_of_the_nodes)
{
    given_machine(2, 12, 1);
    node_load[0] = 3;
    node_load[1] = 1;
    choose(8);
    expect("1-6,12-13");
}
END_TEST

START_TEST(each_node_with_a_port_gets_one)
{
    given_machine(2, 4, 1);
    node_load[0] = 100;
    node_load[1] = 0.01;
    choose(2);
    expect("1,4");
}
END_TEST

START_TEST(caches_without_guests_are_better)
{
    given_machine(1, 12, 1);
    node_load[0] = 1;
    set_list(&wish.guests, "2-3,5");
    choose(2);
    expect("8-9");
}
END_TEST

START_TEST(offline_cpus_are_not_chosen)
{
    given_machine(1, 4, 1);
    node_load[0] = 1;
    machine->cpus[1].online = false;
    choose(1);
    expect("2");
}
END_TEST

/* Is a chosen CPU, or its sibling, somebody else's? */
static bool
is_somebody_disturbed(void)
{
    for (size_t i = 0; i < choice->n_picks; i++) {
        for (unsigned int cpu = 0; cpu < machine->n_cpus; cpu++) {
            if ((dpx_cpuset_has(&wish.guests, cpu) || cpu == 0)
                && (cpu == choice->picks[i].cpu
                    || dpx_topology_are_siblings(machine, cpu,
                                                 choice->picks[i].cpu))) {
                return true;
            }
        }
    }
    return false;
}

/* Laws that hold for any machine and wish. */
START_TEST(laws_hold_for_any_wish)
{
    random_set_seed(4711);
    for (int i = 0; i < 400; i++) {
        size_t n;

        given_machine(1 + random_range(4), 1 + random_range(9),
                      1 + random_range(3));
        for (int j = random_range(10); j > 0; j--) {
            dpx_cpuset_add(&wish.guests, random_range(machine->n_cpus));
        }
        for (int j = 0; j < 4; j++) {
            node_load[j] = random_range(3);
        }
        choose(1 + random_range(20));
        n = dpx_cpuset_count(&choice->mask);
        ck_assert_msg(n == choice->n_picks, "seed 4711, wish %d", i);
        ck_assert_msg(choice->shortage ? n < wish.n_threads
                                       : n == wish.n_threads,
                      "seed 4711, wish %d", i);
        ck_assert_msg(!is_somebody_disturbed(), "seed 4711, wish %d", i);
        teardown();
    }
}
END_TEST

int
main(void)
{
    Suite *suite = suite_create("core-choice");
    TCase *tests = tcase_create("all");
    SRunner *runner;
    int failed;

    tcase_add_checked_fixture(tests, NULL, teardown);
    tcase_add_test(tests, whole_cores_of_the_ports_node_come_first);
    tcase_add_test(tests, housekeeping_and_its_sibling_are_left_alone);
    tcase_add_test(tests, guests_and_their_siblings_are_left_alone);
    tcase_add_test(tests, siblings_come_before_another_node);
    tcase_add_test(tests, nearest_node_helps_out);
    tcase_add_test(tests, cpus_with_a_pmd_are_kept);
    tcase_add_test(tests, threads_follow_the_load_of_the_nodes);
    tcase_add_test(tests, each_node_with_a_port_gets_one);
    tcase_add_test(tests, caches_without_guests_are_better);
    tcase_add_test(tests, offline_cpus_are_not_chosen);
    tcase_add_test(tests, laws_hold_for_any_wish);
    suite_add_tcase(suite, tests);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
