/* SPDX-License-Identifier: Apache-2.0
 *
 * What the examples of the planner expect, in words.  Included by the programs
 * that test it by examples. */

#ifndef PLACEMENT_EXPECT_H
#define PLACEMENT_EXPECT_H 1

#include <check.h>

#include "placement-vocabulary.h"

static struct dpx_plan *the_plan;

static inline void
setup(void)
{
    given_nothing();
    the_plan = NULL;
}

static inline void
teardown(void)
{
    dpx_plan_destroy(the_plan);
}

/* Queues of one port on node 0, polled by the PMD given with each. */
static inline void
given_loads(size_t n, const double (*load_and_pmd)[2])
{
    for (size_t i = 0; i < n; i++) {
        given_rxq("p0", i, 0, load_and_pmd[i][0], load_and_pmd[i][1]);
    }
}
#define LOADS(...) \
    given_loads(sizeof (double[][2]) { __VA_ARGS__ } / sizeof (double[2]), \
                (const double[][2]) { __VA_ARGS__ })

static inline void
expect_moves(size_t n)
{
    the_plan = the_plan ? the_plan : plan();
    ck_assert_msg(the_plan->n_moves == n, "%zu moves, expected %zu: %s",
                  the_plan->n_moves, n, the_plan->summary);
    for (size_t i = 0; i < n; i++) {
        ck_assert_ptr_nonnull(the_plan->moves[i].reason);
        ck_assert_uint_gt(strlen(the_plan->moves[i].reason), 10);
    }
}

static inline void
expect_on(int rxq, int pmd)
{
    the_plan = the_plan ? the_plan : plan();
    ck_assert_msg(the_plan->pmd_of_rxq[rxq] == pmd,
                  "queue %d on PMD %d, expected %d: %s", rxq,
                  the_plan->pmd_of_rxq[rxq], pmd, the_plan->summary);
}

static inline void
expect_busiest(double now, double planned)
{
    the_plan = the_plan ? the_plan : plan();
    ck_assert_double_eq_tol(the_plan->busiest_now, now, 1e-9);
    ck_assert_double_eq_tol(the_plan->busiest_planned, planned, 1e-9);
}

static inline void
expect_words(const char *sentence, const char *words)
{
    ck_assert_msg(strstr(sentence, words) != NULL, "\"%s\" lacks \"%s\"",
                  sentence, words);
}

/* Runs the 'n' examples and returns what main() returns. */
static inline int
run_examples(const char *name, const TTest *const *examples, size_t n)
{
    TCase *tc = tcase_create("examples");
    Suite *suite = suite_create(name);
    SRunner *runner = srunner_create(suite);
    int failed;

    suite_add_tcase(suite, tc);
    tcase_add_checked_fixture(tc, setup, teardown);
    for (size_t i = 0; i < n; i++) {
        tcase_add_test(tc, examples[i]);
    }
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif /* placement-expect.h */
