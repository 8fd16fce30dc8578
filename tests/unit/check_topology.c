/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests of the machine model and of its text readers, and of sets of CPUs.
 * (Whole outputs of real machines are in tests/offline/.) */

#include <config.h>

#include "dpx-topology-text.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "openvswitch/dynamic-string.h"
#include "random.h"
#include "util.h"

/* The machine of the test that runs. */
static struct dpx_topology *machine;

static void
given(const char *text)
{
    char *error = dpx_topology_from_text(text, strlen(text), &machine);

    ck_assert_msg(!error, "%s", error);
}

static void
given_nodes(const char *list)
{
    char *error = dpx_topology_from_numa_list(list, &machine);

    ck_assert_msg(!error, "%s", error);
}

static void
teardown(void)
{
    dpx_topology_destroy(machine);
    machine = NULL;
}

static void
expect_error(const char *text, const char *expected)
{
    char *error = dpx_topology_from_text(text, strlen(text), &machine);

    ck_assert_msg(error, "accepted instead of: %s", expected);
    ck_assert_ptr_null(machine);
    ck_assert_msg(strstr(error, expected), "'%s' has no '%s'", error,
                  expected);
    free(error);
}

static void
expect_cpu(unsigned int cpu, int package, int node, int l3)
{
    const struct dpx_topology_cpu *c = dpx_topology_cpu(machine, cpu);

    ck_assert_ptr_nonnull(c);
    ck_assert_int_eq(c->package_id, package);
    ck_assert_int_eq(c->numa_id, node);
    ck_assert_int_eq(c->l3_id, l3);
}

static void
expect_siblings(unsigned int cpu, const char *expected)
{
    struct ds s = DS_EMPTY_INITIALIZER;
    struct dpx_cpuset set;

    dpx_topology_siblings(machine, cpu, &set);
    dpx_cpuset_put_list(&set, &s);
    ck_assert_str_eq(ds_cstr(&s), expected);
    ds_destroy(&s);
}

static void
expect_numbering(const char *expected)
{
    char *numbering = dpx_topology_numbering(machine);

    ck_assert_str_eq(numbering, expected);
    free(numbering);
}

static void
expect_list(const char *list, const char *expected)
{
    struct dpx_cpuset set;
    struct ds s = DS_EMPTY_INITIALIZER;
    char *error = dpx_cpuset_from_list(&set, list);

    ck_assert_msg(!error, "%s", error);
    dpx_cpuset_put_list(&set, &s);
    ck_assert_str_eq(ds_cstr(&s), expected);
    ds_destroy(&s);
}

static void
expect_list_error(const char *list, const char *word)
{
    struct dpx_cpuset set;
    char *error = dpx_cpuset_from_list(&set, list);

    ck_assert_msg(error, "'%s' was accepted", list);
    ck_assert_msg(strstr(error, word), "'%s' has no %s", error, word);
    free(error);
}

START_TEST(lists_are_read_as_the_kernel_writes_them)
{
    expect_list("", "none");
    expect_list("0", "0");
    expect_list("0-5,48-53", "0-5,48-53");
    expect_list("0-62:2", "0-62:2");
    expect_list("3-63:4", "3-63:4");
    expect_list(" 1, 2,3 ", "1-3");
    expect_list("1,3,5", "1,3,5");
    expect_list("1,3,5,7", "1-7:2");
    expect_list("0,2,4,6,7,8", "0-6:2,7-8");
    expect_list("8190-8191", "8190-8191");
}
END_TEST

START_TEST(wrong_lists_are_refused_with_the_word)
{
    expect_list_error("x", "'x'");
    expect_list_error("1,two,3", "'two'");
    expect_list_error("5-3", "'5-3'");
    expect_list_error("1-", "'1-'");
    expect_list_error("1-9:0", "'1-9:0'");
    expect_list_error("1,,2", "''");
    expect_list_error("1,", "''");
    expect_list_error("8192", "'8192'");
    expect_list_error("99999999999", "'99999999999'");
    expect_list_error("-1", "'-1'");
    expect_list_error("1 2", "'1 2'");
}
END_TEST

START_TEST(lists_survive_writing_and_reading)
{
    random_set_seed(47);
    for (int i = 0; i < 300; i++) {
        struct dpx_cpuset a = { { 0 } }, b, c;
        struct ds list = DS_EMPTY_INITIALIZER, mask = DS_EMPTY_INITIALIZER;
        int n = random_range(60);

        while (n--) {
            dpx_cpuset_add(&a, random_range(random_range(2) ? 64 : 8192));
        }
        dpx_cpuset_put_list(&a, &list);
        dpx_cpuset_put_mask(&a, &mask);
        if (dpx_cpuset_count(&a)) {
            ck_assert_ptr_null(dpx_cpuset_from_list(&b, ds_cstr(&list)));
            ck_assert_msg(!memcmp(&a, &b, sizeof a), "seed 47, set %d", i);
        }
        ck_assert_ptr_null(dpx_cpuset_from_mask(&c, ds_cstr(&mask)));
        ck_assert_msg(!memcmp(&a, &c, sizeof a), "seed 47, set %d", i);
        ds_destroy(&list);
        ds_destroy(&mask);
    }
}
END_TEST

START_TEST(masks_are_hexadecimal)
{
    struct dpx_cpuset set;
    char *error;

    ck_assert_ptr_null(dpx_cpuset_from_mask(&set, "0x202000202"));
    ck_assert(dpx_cpuset_has(&set, 1) && dpx_cpuset_has(&set, 9)
              && dpx_cpuset_has(&set, 25) && dpx_cpuset_has(&set, 33));
    ck_assert_uint_eq(dpx_cpuset_count(&set), 4);
    ck_assert_ptr_null(dpx_cpuset_from_mask(&set, "F"));
    ck_assert_uint_eq(dpx_cpuset_count(&set), 4);
    error = dpx_cpuset_from_mask(&set, "0xg");
    ck_assert_ptr_nonnull(strstr(error, "'0xg'"));
    free(error);
    error = dpx_cpuset_from_mask(&set, "0x");
    ck_assert_ptr_nonnull(error);
    free(error);
}
END_TEST

START_TEST(dummy_numa_list_gives_a_core_each)
{
    given_nodes("0,0,1,1");
    ck_assert_uint_eq(machine->n_cpus, 4);
    expect_cpu(1, DPX_ID_UNKNOWN, 0, DPX_ID_UNKNOWN);
    expect_cpu(2, DPX_ID_UNKNOWN, 1, DPX_ID_UNKNOWN);
    ck_assert(!dpx_topology_are_siblings(machine, 0, 1));
    expect_numbering("none");
}
END_TEST

START_TEST(wrong_numa_lists_are_refused_with_the_word)
{
    char *error = dpx_topology_from_numa_list("0,one", &machine);

    ck_assert_ptr_nonnull(strstr(error, "'one'"));
    free(error);
    error = dpx_topology_from_numa_list("", &machine);
    ck_assert_ptr_nonnull(error);
    free(error);
}
END_TEST

START_TEST(parsable_table_has_cores_and_caches)
{
    given("# CPU,Core,Socket,Node,,L1d,L1i,L2,L3\n"
          "0,0,0,0,,0,0,0,0\n1,1,0,0,,1,1,1,0\n"
          "2,0,0,0,,0,0,0,0\n3,1,0,0,,1,1,1,0\n");
    expect_cpu(3, 0, 0, 0);
    expect_siblings(1, "1,3");
    expect_numbering("c and c+2");
}
END_TEST

/* A POWER9: four threads per core, neighbours, some of them off line. */
START_TEST(four_threads_per_core_and_offline_ones)
{
    given("CPU NODE SOCKET CORE L1d:L1i:L2:L3 ONLINE MAXMHZ MINMHZ\n"
          "  0    0      0    0 0:0:0:0         yes 3800 2300\n"
          "  1    0      0    0 0:0:0:0         yes 3800 2300\n"
          "  2    0      0    0 0:0:0:0         yes 3800 2300\n"
          "  3    -      -    - -                no    -    -\n"
          "  4    8      1    1 1:1:1:1         yes 3800 2300\n"
          "  5    8      1    1 1:1:1:1         yes 3800 2300\n"
          "  6    8      1    1 1:1:1:1         yes 3800 2300\n"
          "  7    8      1    1 1:1:1:1         yes 3800 2300\n");
    expect_siblings(4, "4-7");
    expect_siblings(0, "0-2");
    ck_assert(!dpx_topology_cpu(machine, 3)->online);
    expect_cpu(5, 1, 8, 1);
    expect_numbering("neighbours");
}
END_TEST

START_TEST(numactl_has_nodes_distances_and_empty_nodes)
{
    given("available: 3 nodes (0,2,8)\n"
          "node 0 cpus: 0 2\nnode 0 size: 5 MB\nnode 0 free: 1 MB\n"
          "node 2 cpus: 1 3\nnode 8 cpus:\nnode 8 size: 9 MB\n"
          "node distances:\nnode   0   2   8\n"
          "  0:  10  21  80\n  2:  21  10  80\n  8:  80  80  10\n");
    expect_cpu(3, DPX_ID_UNKNOWN, 2, DPX_ID_UNKNOWN);
    ck_assert_int_eq(dpx_topology_distance(machine, 0, 8), 80);
    ck_assert_int_eq(dpx_topology_distance(machine, 2, 0), 21);
    ck_assert_int_eq(dpx_topology_distance(machine, 1, 1), 0);
    ck_assert(dpx_cpuset_has(&machine->nodes, 8));
    expect_numbering("unknown");
}
END_TEST

START_TEST(lscpu_alone_assumes_the_usual_numbering)
{
    given("CPU(s):              8\nOn-line CPU(s) list: 0-7\n"
          "Thread(s) per core:  2\nCore(s) per socket:  2\n"
          "Socket(s):           2\nNUMA node(s):        2\n"
          "Flags:               fpu vme\nde pse\n"
          "NUMA node0 CPU(s):   0,2,4,6\nNUMA node1 CPU(s):   1,3,5,7\n");
    expect_siblings(1, "1,5");
    expect_cpu(5, 1, 1, DPX_ID_UNKNOWN);
    ck_assert_uint_eq(machine->notes.n, 1);
}
END_TEST

START_TEST(lscpu_alone_finds_neighbours)
{
    given("CPU(s): 8\nOn-line CPU(s) list: 0-7\nThread(s) per core: 2\n"
          "NUMA node0 CPU(s): 0-3\nNUMA node1 CPU(s): 4-7\n");
    expect_siblings(4, "4-5");
}
END_TEST

START_TEST(lscpu_alone_does_not_guess_what_cannot_be)
{
    given("CPU(s): 6\nOn-line CPU(s) list: 0-5\nThread(s) per core: 2\n"
          "NUMA node0 CPU(s): 0,1,4\nNUMA node1 CPU(s): 2,3,5\n");
    expect_numbering("unknown");
    ck_assert_ptr_nonnull(strstr(machine->notes.names[0], "lscpu -p"));
}
END_TEST

START_TEST(cpus_above_the_online_list_are_offline)
{
    struct dpx_topology_totals totals;

    given("CPU(s): 2\nOn-line CPU(s) list: 0-1\nThread(s) per core: 1\n"
          "NUMA node0 CPU(s): 0-140\n");
    dpx_topology_count(machine, &totals);
    ck_assert_uint_eq(totals.n_cpus, 2);
    ck_assert_uint_eq(totals.n_offline, 139);
    expect_numbering("none");
}
END_TEST

START_TEST(machines_of_4096_cpus_are_read)
{
    struct dpx_topology_totals totals;

    given("CPU(s): 4096\nOn-line CPU(s) list: 0-4095\n"
          "Thread(s) per core: 4\nNUMA node0 CPU(s): 0-4095\n");
    dpx_topology_count(machine, &totals);
    ck_assert_uint_eq(totals.n_cores, 1024);
    ck_assert_uint_eq(totals.max_siblings, 4);
    expect_siblings(1023, "1023-4095:1024");
}
END_TEST

START_TEST(pmd_gets_its_place)
{
    struct dpx_view_pmd pmd = {
        .core_id = 2, .numa_id = DPX_ID_UNKNOWN,
    };

    given("# CPU,Core,Socket,Node,,L1d,L1i,L2,L3\n"
          "0,0,0,0,,0,0,0,0\n2,5,1,3,,1,1,1,7\n");
    ck_assert(dpx_topology_place_pmd(machine, &pmd));
    ck_assert_int_eq(pmd.numa_id, 3);
    ck_assert_int_eq(pmd.package_id, 1);
    ck_assert_int_eq(pmd.l3_id, 7);
    pmd.core_id = 1;
    ck_assert(!dpx_topology_place_pmd(machine, &pmd));
}
END_TEST

START_TEST(wrong_texts_are_refused_with_line_and_word)
{
    expect_error("", "there is no CPU in the text");
    expect_error("hello\n", "line 1: expected a line of lscpu");
    expect_error("CPU(s): many\n", "line 1: expected a number up to 8192, not "
                 "'many'");
    expect_error("Model: x\nNUMA node0 CPU(s): 0-x\n", "line 2: '0-x'");
    expect_error("NUMA node9999 CPU(s): 0\n", "'9999 CPU(s): 0'");
    expect_error("node 0 cpus: 0 one\n", "line 1: expected a CPU (below "
                 "8192), not 'one'");
    expect_error("CPU NODE SOCKET CORE\n  0 x 0 0\n", "not 'x'");
    expect_error("# CPU,Core,Socket,Node\n0,0,0,none\n", "not 'none'");
    expect_error("node 0 cpus: 0\nnode distances:\nnode 0\n 0: far\n",
                 "not 'far'");
}
END_TEST

int
main(void)
{
    Suite *suite = suite_create("topology");
    TCase *sets = tcase_create("sets");
    TCase *texts = tcase_create("texts");
    SRunner *runner;
    int failed;

    tcase_add_test(sets, lists_are_read_as_the_kernel_writes_them);
    tcase_add_test(sets, wrong_lists_are_refused_with_the_word);
    tcase_add_test(sets, lists_survive_writing_and_reading);
    tcase_add_test(sets, masks_are_hexadecimal);
    tcase_add_checked_fixture(texts, NULL, teardown);
    tcase_add_test(texts, dummy_numa_list_gives_a_core_each);
    tcase_add_test(texts, wrong_numa_lists_are_refused_with_the_word);
    tcase_add_test(texts, parsable_table_has_cores_and_caches);
    tcase_add_test(texts, four_threads_per_core_and_offline_ones);
    tcase_add_test(texts, numactl_has_nodes_distances_and_empty_nodes);
    tcase_add_test(texts, lscpu_alone_assumes_the_usual_numbering);
    tcase_add_test(texts, lscpu_alone_finds_neighbours);
    tcase_add_test(texts, lscpu_alone_does_not_guess_what_cannot_be);
    tcase_add_test(texts, cpus_above_the_online_list_are_offline);
    tcase_add_test(texts, machines_of_4096_cpus_are_read);
    tcase_add_test(texts, pmd_gets_its_place);
    tcase_add_test(texts, wrong_texts_are_refused_with_line_and_word);
    suite_add_tcase(suite, sets);
    suite_add_tcase(suite, texts);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
