/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests of lib/dpx-flow-table.c alone: readings in, counts and rates out. */

#include <config.h>

#include "dpx-flow-table.h"

#include <check.h>
#include <stdlib.h>

#include "flow-table-vocabulary.h"
#include "random.h"
#include "util.h"

START_TEST(what_no_tier_counted_came_by_the_emc)
{
    struct flow f;

    born(&f, 0, 1);
    counts(&f, 7, DPX_TIER_DPCLS);
    counts(&f, 5, DPX_TIER_EMC);
    counts(&f, 3, DPX_TIER_SMC);
    seen(&f);
    ck_assert_uint_eq(f.part->counts.packets, 15);
    ck_assert_uint_eq(f.part->counts.bytes, 1500);
    ck_assert_uint_eq(f.part->counts.tier[DPX_TIER_DPCLS], 7);
    ck_assert_uint_eq(f.part->counts.tier[DPX_TIER_EMC], 5);
    ck_assert_uint_eq(f.part->counts.tier[DPX_TIER_SMC], 3);
    ck_assert_uint_eq(f.part->counts.tier[DPX_TIER_OTHER], 0);
}
END_TEST

START_TEST(while_nothing_is_counted_nobody_knows_the_tier)
{
    struct flow f;

    dpx_flow_table_counting(&table, 0);
    born(&f, 0, 1);
    counts(&f, 9, DPX_TIER_EMC);
    now += SECOND;
    seen(&f);
    ck_assert_uint_eq(f.part->counts.tier[DPX_TIER_OTHER], 9);

    /* What it counted before that moment and after it cannot be told apart at
     * first. */
    dpx_flow_table_counting(&table, now + 1);
    now += SECOND;
    counts(&f, 1, DPX_TIER_EMC);
    seen(&f);
    ck_assert_uint_eq(f.part->counts.tier[DPX_TIER_OTHER], 10);
    counts(&f, 4, DPX_TIER_EMC);
    seen(&f);
    ck_assert_uint_eq(f.part->counts.tier[DPX_TIER_EMC], 4);
}
END_TEST

START_TEST(counters_of_32_bits_may_wrap)
{
    struct flow f;

    born(&f, 0, 1);
    for (int i = 0; i < 5; i++) {
        counts(&f, UINT64_C(3000000000), DPX_TIER_DPCLS);
        f.says.bursts += UINT32_C(3000000000);
        seen(&f);
    }
    ck_assert_uint_eq(f.part->counts.packets, UINT64_C(15000000000));
    ck_assert_uint_eq(f.part->counts.tier[DPX_TIER_DPCLS],
                      UINT64_C(15000000000));
    ck_assert_uint_eq(f.part->counts.bursts, UINT64_C(15000000000));
}
END_TEST

START_TEST(packets_that_hardware_counted_are_offloaded)
{
    struct flow f;

    born(&f, 0, 1);
    counts(&f, 2, DPX_TIER_EMC);
    f.says.hw_packets = 1000;
    f.says.hw_bytes = 64000;
    seen(&f);
    ck_assert_uint_eq(f.part->counts.packets, 1002);
    ck_assert_uint_eq(f.part->counts.bytes, 64200);
    ck_assert_uint_eq(f.part->counts.tier[DPX_TIER_OFFLOAD], 1000);

    /* The hardware forgot them: never 2^64. */
    f.says.hw_packets = 0;
    seen(&f);
    ck_assert_uint_eq(f.part->counts.packets, 1002);
}
END_TEST

START_TEST(a_rate_is_not_known_before_half_a_second)
{
    struct flow f;

    born(&f, 0, 1);
    counts(&f, 1000, DPX_TIER_EMC);
    now += SECOND / 10;
    seen(&f);
    ck_assert(f.part->rates.pps[0] < 0);
    now += SECOND * 9 / 10;
    seen(&f);
    for (int i = 0; i < DPX_FLOW_N_RATES; i++) {
        ck_assert_double_eq_tol(f.part->rates.pps[i], 1000, 1e-3);
        ck_assert_double_eq_tol(f.part->rates.bps[i], 800000, 1);
    }
}
END_TEST

START_TEST(a_constant_rate_is_what_all_windows_say)
{
    struct flow f;

    born(&f, 0, 1);
    for (int i = 0; i < 200; i++) {
        uint64_t dt = SECOND / 2 + random_range(SECOND);

        now += dt;
        counts(&f, dt / 100, DPX_TIER_EMC);
        seen(&f);
        for (int j = 0; j < DPX_FLOW_N_RATES; j++) {
            ck_assert_double_eq_tol(f.part->rates.pps[j], 10000, 5);
        }
    }
}
END_TEST

START_TEST(a_longer_window_forgets_later)
{
    struct flow f;

    born(&f, 0, 1);
    for (int i = 0; i < 120; i++) {
        now += SECOND;
        counts(&f, 1000, DPX_TIER_EMC);
        seen(&f);
    }
    for (int i = 0; i < 10; i++) {
        now += SECOND;
        seen(&f);
    }
    ck_assert_double_eq(f.part->rates.pps[0], 0);
    ck_assert_double_eq_tol(f.part->rates.pps[1], 368, 20);
    ck_assert_double_eq_tol(f.part->rates.pps[2], 846, 40);
}
END_TEST

START_TEST(a_flow_that_goes_leaves_its_counts)
{
    struct flow f;

    born(&f, 0, 1);
    counts(&f, 10, DPX_TIER_EMC);
    f.says.upcalls = 1;
    dies(&f);
    ck_assert_uint_eq(table.gone.packets, 10);
    ck_assert_uint_eq(table.gone.upcalls, 1);
    ck_assert_uint_eq(table.total.packets, 10);
    ck_assert_uint_eq(table.n_gone, 1);
    ck_assert_uint_eq(table.n_parts, 0);

    /* Again, from zero. */
    born(&f, 0, 1);
    counts(&f, 3, DPX_TIER_EMC);
    now += SECOND;
    seen(&f);
    ck_assert_uint_eq(f.part->counts.packets, 3);
    ck_assert_double_eq_tol(f.part->rates.pps[0], 3, 1e-3);
    ck_assert_uint_eq(table.total.packets, 13);
}
END_TEST

START_TEST(clearing_starts_from_zero)
{
    struct flow f, g;

    born(&f, 0, 1);
    born(&g, 0, 2);
    counts(&f, 10, DPX_TIER_EMC);
    counts(&g, 10, DPX_TIER_EMC);
    seen(&f);
    dies(&g);
    dpx_flow_table_clear(&table);
    ck_assert_uint_eq(table.total.packets, 0);
    ck_assert_uint_eq(table.gone.packets, 0);
    ck_assert_uint_eq(table.n_gone, 0);
    counts(&f, 1, DPX_TIER_EMC);
    seen(&f);
    ck_assert_uint_eq(f.part->counts.packets, 1);
    ck_assert_uint_eq(table.total.packets, 1);
}
END_TEST

/* Parts come, count and go; whatever is asked, all packets are there. */
START_TEST(no_packet_is_ever_lost)
{
    static struct flow flows[3000];
    uint64_t sent = 0, here = 0;

    for (int i = 0; i < 30000; i++) {
        struct flow *f = &flows[random_range(ARRAY_SIZE(flows))];

        if (!f->part) {
            born(f, random_range(4), random_range(1000));
        } else if (random_range(4)) {
            uint64_t n = random_range(100);

            counts(f, n, random_range(DPX_N_TIERS));
            sent += n;
            if (random_range(2)) {
                seen(f);
            }
        } else {
            dies(f);
        }
    }
    for (size_t i = 0; i < ARRAY_SIZE(flows); i++) {
        if (flows[i].part) {
            seen(&flows[i]);
            here += flows[i].part->counts.packets;
        }
    }
    ck_assert_uint_eq(table.total.packets, sent);
    ck_assert_uint_lt(here, sent);
    for (size_t i = 0; i < ARRAY_SIZE(flows); i++) {
        if (flows[i].part) {
            dies(&flows[i]);
        }
    }
    ck_assert_uint_eq(table.gone.packets, sent);
    ck_assert_uint_eq(hmap_count(&table.megas), 0);
}
END_TEST

START_TEST(memory_comes_back)
{
    static struct flow flows[5000];
    size_t before = dpx_flow_table_memory(&table), full;

    for (int round = 0; round < 20; round++) {
        for (size_t i = 0; i < ARRAY_SIZE(flows); i++) {
            born(&flows[i], 0, i);
        }
        full = round ? full : dpx_flow_table_memory(&table);
        ck_assert_uint_eq(dpx_flow_table_memory(&table), full);
        for (size_t i = 0; i < ARRAY_SIZE(flows); i++) {
            dies(&flows[i]);
        }
        ck_assert_uint_eq(dpx_flow_table_memory(&table), before);
    }
}
END_TEST

static Suite *
flow_table_suite(void)
{
    Suite *suite = suite_create("flow_table");
    TCase *tcase = tcase_create("flow_table");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, what_no_tier_counted_came_by_the_emc);
    tcase_add_test(tcase, while_nothing_is_counted_nobody_knows_the_tier);
    tcase_add_test(tcase, counters_of_32_bits_may_wrap);
    tcase_add_test(tcase, packets_that_hardware_counted_are_offloaded);
    tcase_add_test(tcase, a_rate_is_not_known_before_half_a_second);
    tcase_add_test(tcase, a_constant_rate_is_what_all_windows_say);
    tcase_add_test(tcase, a_longer_window_forgets_later);
    tcase_add_test(tcase, a_flow_that_goes_leaves_its_counts);
    tcase_add_test(tcase, clearing_starts_from_zero);
    tcase_add_test(tcase, no_packet_is_ever_lost);
    tcase_add_test(tcase, memory_comes_back);
    suite_add_tcase(suite, tcase);
    return suite;
}

int
main(void)
{
    SRunner *runner = srunner_create(flow_table_suite());
    int failed;

    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
