/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests of lib/dpx-flow-query.c: a table in, the best of it out. */

#include <config.h>

#include "dpx-flow-query.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bitmap.h"
#include "flow-table-vocabulary.h"
#include "util.h"

START_TEST(an_empty_table_has_nothing)
{
    struct dpx_flow_query query = { .n = 10, .any_core = true };
    struct dpx_flow_picks picks;
    size_t at = 0;

    ck_assert_ptr_null(dpx_flow_table_next(&table, &at));
    dpx_flow_table_clear(&table);
    dpx_flow_query_run(&table, &query, NULL, NULL, &picks);
    ck_assert_uint_eq(picks.n, 0);
    ck_assert_uint_eq(picks.n_flows, 0);
    dpx_flow_picks_uninit(&picks);
}
END_TEST

/* The best by 'key', at most two, merged; returns the first one's packets. */
static uint64_t
best_merged(size_t *n)
{
    struct dpx_flow_query query = {
        .n = 2, .any_core = true, .merge = true, .key = DPX_FLOW_PACKETS,
    };
    struct dpx_flow_picks picks;
    uint64_t packets;

    dpx_flow_query_run(&table, &query, NULL, NULL, &picks);
    *n = picks.n_flows;
    packets = picks.n ? picks.picks[0].counts.packets : 0;
    dpx_flow_picks_uninit(&picks);
    return packets;
}

START_TEST(a_megaflow_goes_on_while_its_queue_moves)
{
    struct flow here, there;
    uint64_t sent = 0;
    size_t n;

    born(&here, 0, 7);
    for (int move = 0; move < 100; move++) {
        counts(&here, 5, DPX_TIER_EMC);
        seen(&here);
        born(&there, move % 2 ? 0 : 1, 7);
        counts(&there, 2, DPX_TIER_DPCLS);
        seen(&there);
        sent += 7;
        ck_assert_uint_eq(best_merged(&n), sent);
        ck_assert_uint_eq(n, 1);
        dies(&here);
        here = there;
        ck_assert_uint_eq(best_merged(&n), sent);
        ck_assert_uint_eq(table.gone.packets, 0);
    }
    ck_assert_uint_eq(table.total.packets, sent);
}
END_TEST

static bool
is_alive(const void *flow)
{
    return !((const struct flow *) flow)->dead;
}

/* "6 5 4": how many packets the best have, by 'key'. */
static void
expect_best(enum dpx_flow_key key, size_t n, int core, int port,
            const char *packets, size_t n_flows)
{
    struct dpx_flow_query query = {
        .n = n, .key = key, .any_core = core < 0, .core_id = core,
    };
    unsigned long *ports = bitmap_allocate(DPX_FLOW_PORTS);
    struct dpx_flow_picks picks;
    char text[200] = "";

    if (port >= 0) {
        bitmap_set1(ports, port);
    }
    dpx_flow_query_run(&table, &query, port < 0 ? NULL : ports, is_alive,
                       &picks);
    for (size_t i = 0; i < picks.n; i++) {
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%d",
                 i ? " " : "", (int) picks.picks[i].counts.packets);
    }
    ck_assert_str_eq(text, packets);
    ck_assert_uint_eq(picks.n_flows, n_flows);
    dpx_flow_picks_uninit(&picks);
    free(ports);
}

START_TEST(the_best_by_number_core_and_port)
{
    static struct flow flows[6];

    for (int i = 0; i < 6; i++) {
        born(&flows[i], i % 2, i);
        counts(&flows[i], i + 1, DPX_TIER_EMC);
        flows[i].says.bytes = 1000 - i;
        seen(&flows[i]);
    }
    expect_best(DPX_FLOW_PACKETS, 3, -1, -1, "6 5 4", 6);
    expect_best(DPX_FLOW_PACKETS, 100, -1, -1, "6 5 4 3 2 1", 6);
    expect_best(DPX_FLOW_BYTES, 2, -1, -1, "1 2", 6);
    expect_best(DPX_FLOW_PACKETS, 9, 0, -1, "5 3 1", 3);
    expect_best(DPX_FLOW_PACKETS, 9, -1, 1, "6 2", 2);
    flows[5].dead = true;
    expect_best(DPX_FLOW_PACKETS, 2, -1, -1, "5 4", 6);
}
END_TEST

/* 'packets' of it cost 'c' each in this pass and 't' in all passes. */
static void
costs(struct flow *flow, uint64_t packets, uint64_t c, uint64_t t)
{
    uint64_t *s = flow->says.cost.sum;

    s[DPX_COST_N]++;
    s[DPX_COST_P] += packets;
    s[DPX_COST_PP] += packets * packets;
    s[DPX_COST_C] += packets * c;
    s[DPX_COST_T] += packets * t;
}

START_TEST(the_flow_that_makes_a_core_hot)
{
    struct dpx_flow_query query = {
        .n = 3, .any_core = true, .key = DPX_FLOW_CYCLES,
    };
    struct dpx_flow_picks picks;
    struct flow many, dear, later;

    born(&many, 5, 1);
    born(&dear, 5, 2);
    born(&later, 5, 99);        /* A later pass of 'dear'. */
    now += SECOND;
    counts(&many, 10000, DPX_TIER_EMC);
    counts(&dear, 1000, DPX_TIER_EMC);
    counts(&later, 1000, DPX_TIER_EMC);
    costs(&many, 32, 100, 100);
    costs(&dear, 32, 500, 3000);
    costs(&later, 32, 2500, 2500);
    seen(&many);
    seen(&dear);
    seen(&later);
    dpx_flow_query_run(&table, &query, NULL, NULL, &picks);
    ck_assert_ptr_eq(picks.picks[0].part, later.part);
    ck_assert_ptr_eq(picks.picks[1].part, many.part);
    ck_assert_double_eq_tol(picks.picks[0].cycles, 2.5e6, 1);
    ck_assert_double_eq_tol(picks.picks[1].share, 10 / 12., 1e-6);
    ck_assert_uint_eq(picks.n_cores, 1);
    ck_assert_double_eq_tol(picks.cores[0].cycles, 4e6, 1);
    dpx_flow_picks_uninit(&picks);

    /* By what packets cost from their first pass on. */
    query.root = true;
    dpx_flow_query_run(&table, &query, NULL, NULL, &picks);
    ck_assert_uint_eq(picks.n, 2);
    ck_assert_ptr_eq(picks.picks[0].part, dear.part);
    ck_assert_double_eq_tol(picks.picks[0].cycles, 3e6, 1);
    dpx_flow_picks_uninit(&picks);
}
END_TEST

START_TEST(old_costs_are_forgotten)
{
    struct dpx_cost_sums sums;
    struct flow f;

    born(&f, 0, 1);
    costs(&f, 10, 100, 100);
    seen(&f);
    for (int i = 0; i < 3; i++) {
        now += 61 * SECOND;
        costs(&f, 10, 300, 300);
        seen(&f);
    }
    dpx_flow_part_cost(f.part, &sums);
    ck_assert_double_eq(dpx_cost_estimate(&sums, false).cycles, 300);
}
END_TEST

START_TEST(no_two_keys_have_one_name)
{
    for (int i = 0; i < DPX_N_FLOW_KEYS; i++) {
        for (int j = 0; j < i; j++) {
            ck_assert_str_ne(dpx_flow_key_name(i), dpx_flow_key_name(j));
        }
    }
}
END_TEST

static Suite *
flow_query_suite(void)
{
    Suite *suite = suite_create("flow_query");
    TCase *tcase = tcase_create("flow_query");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, an_empty_table_has_nothing);
    tcase_add_test(tcase, a_megaflow_goes_on_while_its_queue_moves);
    tcase_add_test(tcase, the_best_by_number_core_and_port);
    tcase_add_test(tcase, the_flow_that_makes_a_core_hot);
    tcase_add_test(tcase, old_costs_are_forgotten);
    tcase_add_test(tcase, no_two_keys_have_one_name);
    suite_add_tcase(suite, tcase);
    return suite;
}

int
main(void)
{
    SRunner *runner = srunner_create(flow_query_suite());
    int failed;

    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
