/* SPDX-License-Identifier: Apache-2.0
 *
 * Branch and bound and the lower bound, against all assignments there are. */

#include <config.h>
#include <check.h>
#include <limits.h>

#include "dpx-placement-bound.h"
#include "dpx-placement-exact.h"
#include "dpx-placement-task.h"
#include "placement-vocabulary.h"

#define SEED 8191
#define N_PICTURES 400
#define PLENTY INT64_C(1000000000)

static int picture;

#define law(CONDITION) \
    ck_assert_msg(CONDITION, "law '%s' broken by picture %d of seed %d", \
                  #CONDITION, picture, SEED)

/* Few queues on few PMDs, with siblings, nodes, pinned load. */
static void
given_any_picture(void)
{
    int siblings = 1 + any_number(3), m = siblings * (1 + any_number(2)) + 1;
    int n = 1 + any_number(m < 4 ? 7 : 5);

    given_nothing();
    options.smt_factor = 1 + any_fraction();
    if (any_number(3) == 0) {
        options.cross_numa = DPX_CROSS_NUMA_ALWAYS;
    }
    for (int t = 0; t < m; t++) {
        given_pmd(t, any_number(2), siblings > 1 ? t / siblings : -1);
    }
    for (int i = 0; i < n; i++) {
        given_rxq("p", i, (int) any_number(3) - 1,
                  any_number(2) ? any_fraction() : 0.1 * any_number(9),
                  any_number(m));
    }
    given_rxq("pinned", 0, 0, 0.2, 0)->pinned = any_number(m);
}

#define for_each_picture \
    for (random_state = SEED, picture = 0; \
         picture < N_PICTURES && (given_any_picture(), true); picture++)

/* What trying everything finds. */
static struct {
    dpx_units lowest;         /* With at most 'cap' moves. */
    int moves, far;           /* Fewest under 'limit'. */
    int cap;
    dpx_units limit;
} all;

static void
try_all_from(struct dpx_layout *l, int q)
{
    const struct dpx_problem *p = l->p;

    if (q < p->n_queues) {
        for (int t = 0; t < p->n_threads; t++) {
            if (dpx_problem_reach(p, q, t) != DPX_REACH_NO) {
                dpx_layout_set(l, q, t);
                try_all_from(l, q + 1);
            }
        }
        dpx_layout_set(l, q, -1);
    } else {
        dpx_units busiest = dpx_layout_busiest(l, NULL);

        if ((all.cap < 0 || l->n_moved <= all.cap) && busiest < all.lowest) {
            all.lowest = busiest;
        }
        if (busiest <= all.limit
            && (l->n_moved < all.moves
                || (l->n_moved == all.moves && l->n_far < all.far))) {
            all.moves = l->n_moved;
            all.far = l->n_far;
        }
    }
}

static void
try_all(const struct dpx_problem *p, int cap, dpx_units limit)
{
    struct dpx_layout *l = dpx_layout_create(p);

    all.lowest = DPX_UNITS_MAX;
    all.moves = all.far = INT_MAX;
    all.cap = cap;
    all.limit = limit;
    try_all_from(l, 0);
    dpx_layout_destroy(l);
}

/* Everything at home, or anywhere it may be. */
static struct dpx_layout *
start(const struct dpx_problem *p)
{
    struct dpx_layout *l = dpx_layout_create(p);

    for (int q = 0; q < p->n_queues; q++) {
        if (p->home[q] >= 0) {
            dpx_layout_set(l, q, p->home[q]);
        } else {
            dpx_layout_insert(l, q);
        }
    }
    return l;
}

START_TEST(the_bound_is_never_above_the_optimum)
{
    int n_tight = 0;

    for_each_picture {
        struct dpx_task *task = dpx_task_create(&view, &options, NULL);

        try_all(task->all, -1, 0);
        law(dpx_problem_bound(task->all) <= all.lowest);
        law(dpx_problem_floor(task->all) <= dpx_problem_bound(task->all));
        n_tight += dpx_problem_bound(task->all) == all.lowest;
        dpx_task_destroy(task);
    }
    ck_assert_int_gt(n_tight, N_PICTURES / 3);  /* And it is of use. */
}
END_TEST

START_TEST(lowest_is_what_trying_everything_finds)
{
    for_each_picture {
        struct dpx_task *task = dpx_task_create(&view, &options, NULL);
        struct dpx_layout *l = start(task->all);
        struct dpx_effort effort = { PLENTY };

        try_all(task->all, -1, 0);
        law(dpx_exact_lowest(l, dpx_problem_bound(task->all), -1, &effort));
        law(dpx_layout_busiest(l, NULL) == all.lowest);
        dpx_layout_destroy(l);
        dpx_task_destroy(task);
    }
}
END_TEST

START_TEST(lowest_with_few_moves_is_what_trying_everything_finds)
{
    for_each_picture {
        struct dpx_task *task = dpx_task_create(&view, &options, NULL);

        for (int cap = 0; cap < 3; cap++) {
            struct dpx_layout *l = start(task->all);
            struct dpx_effort effort = { PLENTY };

            try_all(task->all, cap, 0);
            law(dpx_exact_lowest(l, dpx_problem_bound(task->all), cap,
                                 &effort));
            law(dpx_layout_busiest(l, NULL) == all.lowest);
            law(l->n_moved <= cap);
            dpx_layout_destroy(l);
        }
        dpx_task_destroy(task);
    }
}
END_TEST

START_TEST(calmest_is_what_trying_everything_finds)
{
    for_each_picture {
        struct dpx_task *task = dpx_task_create(&view, &options, NULL);
        struct dpx_layout *l = start(task->all);
        struct dpx_effort effort = { PLENTY };
        dpx_units limit;

        dpx_exact_lowest(l, dpx_problem_bound(task->all), -1, &effort);
        limit = dpx_layout_busiest(l, NULL);
        limit += limit / 100 * any_number(30);
        try_all(task->all, -1, limit);
        law(dpx_exact_calmest(l, limit, &effort));
        law(dpx_layout_busiest(l, NULL) <= limit);
        law(l->n_moved == all.moves);
        law(l->n_far == all.far);
        dpx_layout_destroy(l);
        dpx_task_destroy(task);
    }
}
END_TEST

START_TEST(without_effort_the_best_stays_as_it_is)
{
    for_each_picture {
        struct dpx_task *task = dpx_task_create(&view, &options, NULL);
        struct dpx_layout *l = start(task->all);
        struct dpx_effort none = { 0 };
        dpx_units before = dpx_layout_busiest(l, NULL);
        dpx_units bound = dpx_problem_bound(task->all);

        law(dpx_exact_lowest(l, bound, -1, &none) == (before <= bound));
        law(dpx_layout_busiest(l, NULL) == before);
        dpx_layout_destroy(l);
        dpx_task_destroy(task);
    }
}
END_TEST

/* The whole planner: lowest, then fewest moves, as far as it says so. */
START_TEST(a_plan_that_says_exact_is_exact)
{
    int n_exact = 0;

    for_each_picture {
        struct dpx_task *task = dpx_task_create(&view, &options, NULL);
        struct dpx_plan *p;

        options.tolerance = 0;
        p = plan();
        try_all(task->all, -1, 0);
        if (p->exact) {
            /* The planner rounds capacities to 18 bits. */
            law(p->busiest_planned
                <= (all.lowest + 2) * task->all->unit * (1 + 4e-6));
            n_exact++;
        }
        dpx_plan_destroy(p);
        dpx_task_destroy(task);
    }
    ck_assert_int_gt(n_exact, N_PICTURES * 9 / 10);
}
END_TEST

int
main(void)
{
    TCase *tc = tcase_create("exact");
    Suite *suite = suite_create("placement-exact");
    SRunner *runner = srunner_create(suite);
    int failed;

    suite_add_tcase(suite, tc);
    tcase_set_timeout(tc, 600);
    tcase_add_test(tc, the_bound_is_never_above_the_optimum);
    tcase_add_test(tc, lowest_is_what_trying_everything_finds);
    tcase_add_test(tc, lowest_with_few_moves_is_what_trying_everything_finds);
    tcase_add_test(tc, calmest_is_what_trying_everything_finds);
    tcase_add_test(tc, without_effort_the_best_stays_as_it_is);
    tcase_add_test(tc, a_plan_that_says_exact_is_exact);

    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
