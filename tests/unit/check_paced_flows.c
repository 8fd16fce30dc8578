/* SPDX-License-Identifier: Apache-2.0
 *
 * The flow mix has the shares that it is asked for, and is the same in each
 * run. */

#include <config.h>
#undef NDEBUG
#include <check.h>
#include <math.h>
#include <stdlib.h>

#include "dpx-paced-flows.h"
#include "util.h"

#define DRAWS 2000000u

/* Counts the first 'DRAWS' packets of a queue with 'seed' per flow. */
static uint32_t *
count(const struct dpx_paced_flows *flows, uint64_t seed)
{
    uint32_t *counts = xcalloc(flows->n, sizeof *counts);
    uint32_t beyond = 0;

    /* One assertion at the end: libcheck notes each one in a file. */
    for (uint64_t seq = 0; seq < DRAWS; seq++) {
        uint32_t flow = dpx_paced_flows_pick(flows, seed, seq);

        if (flow < flows->n) {
            counts[flow]++;
        } else {
            beyond++;
        }
    }
    ck_assert_uint_eq(beyond, 0);
    return counts;
}

static const struct {
    uint32_t n;
    double skew;
} mixes[] = {
    { 1, 0 }, { 1, 2 }, { 2, 1 }, { 7, 0 }, { 100, 0 }, { 100, 0.5 },
    { 100, 1 }, { 1000, 1.1 }, { 1000, 2 }, { 100, 10 },
};

/* A share p gives DRAWS * p with a standard deviation of at most the root of
 * that; 5 of them, plus 1, is far beyond chance and far below an error. */
START_TEST(shares_follow_zipf)
{
    uint32_t n = mixes[_i].n;
    double skew = mixes[_i].skew;
    struct dpx_paced_flows *flows = dpx_paced_flows_create(n, skew);
    uint32_t *counts = count(flows, 42);
    double sum = 0;

    for (uint32_t i = 0; i < n; i++) {
        sum += pow(i + 1, -skew);
    }
    for (uint32_t i = 0; i < n; i++) {
        double want = DRAWS * pow(i + 1, -skew) / sum;

        ck_assert_msg(fabs(counts[i] - want) <= 5 * sqrt(want) + 1,
                      "flow %u of %u, skew %g: %u draws, not %.1f",
                      i, n, skew, counts[i], want);
    }
    free(counts);
    dpx_paced_flows_destroy(flows);
}
END_TEST

START_TEST(a_draw_depends_on_seed_and_number_alone)
{
    struct dpx_paced_flows *a = dpx_paced_flows_create(1000, 1.1);
    struct dpx_paced_flows *b = dpx_paced_flows_create(1000, 1.1);
    int same = 0, other = 0;

    for (uint64_t seq = 0; seq < 10000; seq++) {
        other += (dpx_paced_flows_pick(a, 7, seq)
                  != dpx_paced_flows_pick(b, 7, seq));
        same += (dpx_paced_flows_pick(a, 7, seq)
                 == dpx_paced_flows_pick(b, 8, seq));
    }
    ck_assert_int_eq(other, 0);
    /* Two queues agree only by chance: 3 % of the time with this mix. */
    ck_assert_int_lt(same, 1000);
    dpx_paced_flows_destroy(a);
    dpx_paced_flows_destroy(b);
}
END_TEST

START_TEST(neighbours_are_independent)
{
    struct dpx_paced_flows *flows = dpx_paced_flows_create(2, 0);
    int same = 0;

    for (uint64_t seq = 0; seq < 100000; seq++) {
        same += (dpx_paced_flows_pick(flows, 1, seq)
                 == dpx_paced_flows_pick(flows, 1, seq + 1));
    }
    ck_assert_int_gt(same, 50000 - 1000);
    ck_assert_int_lt(same, 50000 + 1000);
    dpx_paced_flows_destroy(flows);
}
END_TEST

START_TEST(the_greatest_table_can_be_made)
{
    struct dpx_paced_flows *flows
        = dpx_paced_flows_create(DPX_PACED_FLOWS_MAX, 1.0);

    uint32_t beyond = 0;

    for (uint32_t i = 0; i < flows->n; i++) {
        beyond += flows->columns[i].alias >= flows->n;
    }
    ck_assert_uint_eq(beyond, 0);
    dpx_paced_flows_destroy(flows);
    dpx_paced_flows_destroy(NULL);
}
END_TEST

int
main(void)
{
    Suite *suite = suite_create("paced flows");
    TCase *tc = tcase_create("flows");
    SRunner *runner = srunner_create(suite);
    int failed;

    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, shares_follow_zipf, 0, ARRAY_SIZE(mixes));
    tcase_add_test(tc, a_draw_depends_on_seed_and_number_alone);
    tcase_add_test(tc, neighbours_are_independent);
    tcase_add_test(tc, the_greatest_table_can_be_made);
    suite_add_tcase(suite, tc);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
