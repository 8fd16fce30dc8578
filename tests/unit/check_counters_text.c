/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests of the readers of counters: pmd-stats-show, pmd-perf-show, flow dumps,
 * tx queues, tables of loads. */

#include <config.h>

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "dpx-flow-dump.h"
#include "dpx-load-table.h"
#include "dpx-stats-show.h"
#include "dpx-txq-text.h"
#include "util.h"

static void
expect_ok(char *error)
{
    ck_assert_msg(!error, "%s", error);
}

static void
expect_error(char *error, const char *expected)
{
    ck_assert_msg(error, "accepted instead of: %s", expected);
    ck_assert_msg(strstr(error, expected), "'%s' has no '%s'", error,
                  expected);
    free(error);
}

static struct dpx_stats_show *
stats_of(const char *text)
{
    struct dpx_stats_show *stats;

    expect_ok(dpx_stats_show_parse(text, strlen(text), &stats));
    return stats;
}

#define PMD(CORE) "pmd thread numa_id 0 core_id " CORE ":\n"

START_TEST(stats_of_2_6_add_hits_and_misses)
{
    struct dpx_stats_show *s = stats_of(
        PMD("2") "\temc hits:70\n\tmegaflow hits:20\n\tmiss:10\n\tlost:5\n"
        "\tpolling cycles:25 (25.00%)\n\tprocessing cycles:75 (75.00%)\n");

    ck_assert_double_eq_tol(s->pmds[0].packets, 100, 0.1);
    ck_assert_double_eq_tol(s->pmds[0].busy, 0.75, 1e-9);
    dpx_stats_show_destroy(s);
}
END_TEST

START_TEST(stats_without_packets_have_no_cycles)
{
    struct dpx_stats_show *s = stats_of(
        PMD("1") "  packets received: 0\n  emc hits: 0\n" PMD("2")
        "  packets received: 8\n  emc hits: 1\n  idle cycles: 9 (90.00%)\n"
        "  processing cycles: 1 (10.00%)\nmain thread:\n"
        "  packets received: 108\n  emc hits: 3\n");

    ck_assert_uint_eq(s->n_pmds, 2);
    ck_assert(s->pmds[0].busy < 0);
    ck_assert_double_eq_tol(s->pmds[0].packets, 0, 0.1);
    ck_assert_double_eq_tol(dpx_stats_show_pmd(s, 2)->busy, 0.1, 1e-9);
    ck_assert_double_eq_tol(dpx_stats_show_pmd(s, 2)->packets, 8, 0.1);
    ck_assert_ptr_null(dpx_stats_show_pmd(s, 3));
    dpx_stats_show_destroy(s);
}
END_TEST

START_TEST(perf_of_each_release_is_read)
{
    struct dpx_stats_show *s = stats_of(
        "Time: 15:24:55.270\nMeasurement duration: 1.008 s\n\n" PMD("1")
        "  Cycles: 2419034712  (2.40 GHz)\n"
        "  - busy:                 86009  (84.1 % cycles)\n"
        "  Rx packets:           2399607  (2381 Kpps, 848 cycles/pkt)\n"
        PMD("2") "  Used TSC cycles:  1  (100.0 % of total cycles)\n"
        "  - busy iterations:  7  ( 12.5 % of used cycles)\n"
        "  Rx packets:         3  (-nan Kpps)\n");

    ck_assert(s->perf);
    ck_assert_double_eq_tol(s->seconds, 1.008, 1e-9);
    ck_assert_double_eq_tol(s->pmds[0].busy, 0.841, 1e-9);
    ck_assert_double_eq_tol(s->pmds[1].busy, 0.125, 1e-9);
    dpx_stats_show_destroy(s);
}
END_TEST

START_TEST(histogram_is_read_by_its_column)
{
    struct dpx_stats_show *s = stats_of(
        PMD("5") "  Rx packets:  9  (0 Kpps)\n  Histograms\n"
        "   packets/it       pkts/batch       upcalls/it\n"
        "   1         83     1         4      1         3\n"
        "   2         0      2         7      >15       5\n"
        "   3         1                       3         1\n"
        "   -------------------------------------------\n"
        "   1.1              99.9             0\n");

    ck_assert_double_eq_tol(s->pmds[0].batch_packets, 4 + 14, 1e-9);
    dpx_stats_show_destroy(s);
}
END_TEST

START_TEST(wrong_stats_are_refused_with_line_and_word)
{
    static const struct { const char *text, *error; } wrong[] = {
        { "", "there is no PMD in the text" },
        { "hello\n", "line 1: expected a line of pmd-stats-show" },
        { PMD("1") "  packets received: many\n",
          "line 2: expected a number, not 'many'" },
        { "  packets received: 5\n", "before the counters" },
        { "pmd thread numa_id 0 core_id 99999:\n", "line 1: expected 'pmd "
          "thread numa_id N core_id N:'" },
    };

    for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
        struct dpx_stats_show *stats;

        expect_error(dpx_stats_show_parse(wrong[i].text,
                                          strlen(wrong[i].text), &stats),
                     wrong[i].error);
        ck_assert_ptr_null(stats);
    }
}
END_TEST

static struct dpx_flow_dump *
flows_of(const char *text)
{
    struct dpx_flow_dump *dump;

    expect_ok(dpx_flow_dump_parse(text, strlen(text), &dump));
    return dump;
}

START_TEST(recirculation_makes_flows_one_path)
{
    struct dpx_flow_dump *d = flows_of(
        "flow-dump from pmd on cpu core: 9\n"
        "recirc_id(0),in_port(1), packets:6, bytes:600, "
        "actions:ct(zone=6,nat),recirc(0x1)\n"
        "ct_state(+trk),recirc_id(0x1),in_port(1), packets:5, bytes:500, "
        "actions:recirc(0x2)\n"
        "recirc_id(0x2),in_port(1), packets:5, bytes:500, actions:8\n"
        "recirc_id(0),in_port(2), packets:1, bytes:60, offloaded:yes, "
        "actions:8\n"
        "flow-dump from the main thread:\n"
        "recirc_id(0x2),in_port(1), packets:1, bytes:1, actions:8\n");

    ck_assert_uint_eq(d->n_pmds, 2);
    ck_assert_uint_eq(d->pmds[0].n_flows, 4);
    ck_assert_uint_eq(d->pmds[0].n_paths, 2);
    ck_assert_uint_eq(d->pmds[0].packets, 7);
    ck_assert_uint_eq(d->pmds[0].bytes, 660);
    ck_assert_uint_eq(d->pmds[0].n_offloaded, 1);
    ck_assert_uint_eq(d->pmds[0].n_single, 1);
    ck_assert_int_eq(d->pmds[1].core_id, -1);
    ck_assert_uint_eq(d->pmds[1].n_paths, 1);
    ck_assert_uint_eq(d->pmds[1].packets, 0);
    dpx_flow_dump_destroy(d);
}
END_TEST

START_TEST(wrong_flow_dumps_are_refused)
{
    struct dpx_flow_dump *dump;

    expect_error(dpx_flow_dump_parse("x\n", 2, &dump), "line 1: expected a "
                 "flow with 'recirc_id(...)'");
    expect_error(dpx_flow_dump_parse("recirc_id(0)\n", 13, &dump),
                 "before the flows");
    expect_error(dpx_flow_dump_parse("", 0, &dump), "no flow dump");
}
END_TEST

START_TEST(tx_queues_are_read_with_the_type)
{
    static const char text[] =
        "netdev@ovs-netdev: hit:0 missed:0\n  br0:\n"
        "    br0 65534/1: (tap)\n"
        "    p0 2/3: (dpdk: configured_rx_queues=2, configured_tx_queues=4, "
        "requested_rx_queues=2, requested_tx_queues=5)\n"
        "    v0 1/4: (dpdkvhostuser: configured_tx_queues=1)\n";
    struct dpx_txq_text *t;

    expect_ok(dpx_txq_from_dpif_show(text, strlen(text), &t));
    ck_assert_uint_eq(t->n_ports, 3);
    ck_assert_int_eq(t->ports[0].txqs, -1);
    ck_assert_str_eq(t->ports[1].name, "p0");
    ck_assert_int_eq(t->ports[1].txqs, 4);
    ck_assert_int_eq(t->ports[1].txqs_asked, 5);
    ck_assert(!dpx_txq_is_vhost(t->ports[1].type));
    ck_assert(dpx_txq_is_vhost(t->ports[2].type));
    dpx_txq_text_destroy(t);
}
END_TEST

START_TEST(log_tells_refused_tx_queues)
{
    static const char text[] =
        "2024-01-01T00:00:00Z|7|netdev_dpdk|WARN|Interface eth0 unable to "
        "setup txq(64): Invalid argument\n"
        "2024-01-01T00:00:00Z|8|netdev_dpdk|INFO|Retrying setup with (rxq:8 "
        "txq:64)\nother\n";
    struct dpx_txq_text *t;

    expect_ok(dpx_txq_from_log(text, strlen(text), &t));
    ck_assert_uint_eq(t->n_refusals, 1);
    ck_assert_str_eq(t->refusals[0].name, "eth0");
    ck_assert_int_eq(t->refusals[0].refused, 64);
    ck_assert_int_eq(t->refusals[0].retried, 64);
    dpx_txq_text_destroy(t);
}
END_TEST

static struct dpx_load_shift *
shifts_of(const char *text, double tolerance, size_t *n)
{
    struct dpx_load_table *table;
    struct dpx_load_shift *shifts;

    ck_assert(dpx_load_table_is(text, strlen(text)));
    expect_ok(dpx_load_table_parse(text, strlen(text), &table));
    shifts = dpx_load_table_balance(table, tolerance, n);
    dpx_load_table_destroy(table);
    return shifts;
}

START_TEST(table_is_levelled_node_by_node)
{
    size_t n;
    struct dpx_load_shift *s = shifts_of(
        "numa_id core_id kpps\n0 30 0\n0 31 0\n1 126 1500\n1 127 1000\n"
        "1 63 1000\n1 62 500\n", 0.02, &n);

    ck_assert_uint_eq(n, 1);
    ck_assert_uint_eq(s[0].from, 126);
    ck_assert_uint_eq(s[0].to, 62);
    ck_assert_double_eq_tol(s[0].amount, 500, 1e-9);
    free(s);
    s = shifts_of("numa_id core_id kpps\n0 1 101\n0 2 100\n", 0.02, &n);
    ck_assert_uint_eq(n, 0);
    free(s);
    s = shifts_of("numa_id core_id mpps\n0 1 9\n0 2 0\n0 3 0\n", 0, &n);
    ck_assert_uint_eq(n, 2);
    ck_assert_double_eq_tol(s[0].amount, 3, 1e-9);
    free(s);
}
END_TEST

START_TEST(wrong_tables_are_refused)
{
    static const struct { const char *text, *error; } wrong[] = {
        { "numa_id core_id kpps\n", "no row" },
        { "numa_id core_id kpps\n0 1 x\n", "expected a load, not 'x'" },
        { "numa_id core_id kpps\n0 1 5\n0 1 5\n", "not above, not '1'" },
        { "numa_id core_id kpps\n0 1\n", "the text ends where a load" },
        { "core_id kpps\n", "the heading" },
    };

    for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
        struct dpx_load_table *table;

        expect_error(dpx_load_table_parse(wrong[i].text,
                                          strlen(wrong[i].text), &table),
                     wrong[i].error);
        ck_assert_ptr_null(table);
    }
}
END_TEST

int
main(void)
{
    Suite *suite = suite_create("counters-text");
    TCase *tests = tcase_create("all");
    SRunner *runner;
    int failed;

    tcase_add_test(tests, stats_of_2_6_add_hits_and_misses);
    tcase_add_test(tests, stats_without_packets_have_no_cycles);
    tcase_add_test(tests, perf_of_each_release_is_read);
    tcase_add_test(tests, histogram_is_read_by_its_column);
    tcase_add_test(tests, wrong_stats_are_refused_with_line_and_word);
    tcase_add_test(tests, recirculation_makes_flows_one_path);
    tcase_add_test(tests, wrong_flow_dumps_are_refused);
    tcase_add_test(tests, tx_queues_are_read_with_the_type);
    tcase_add_test(tests, log_tells_refused_tx_queues);
    tcase_add_test(tests, table_is_levelled_node_by_node);
    tcase_add_test(tests, wrong_tables_are_refused);
    suite_add_tcase(suite, tests);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
