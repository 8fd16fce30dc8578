/* SPDX-License-Identifier: Apache-2.0
 *
 * The planner by laws that hold for every picture: hundreds of made-up ones
 * from a fixed seed, which is printed when a law is broken. */

#include <config.h>
#include <check.h>
#include <math.h>

#include "placement-rivals.h"

#define SEED 20240607
#define N_PICTURES 500

static int picture;

#define law(CONDITION) \
    ck_assert_msg(CONDITION, "law '%s' broken by picture %d of seed %d", \
                  #CONDITION, picture, SEED)

/* Any machine of up to 3 nodes with up to 4 siblings per core. */
static void
given_any_machine(void)
{
    int n_nodes = 1 + any_number(3), n_cores = 1 + any_number(4);
    int n_siblings = 1 << any_number(3), core = 0;
    static const int distance[9] = { 10, 20, 30, 20, 10, 20, 30, 20, 10 };

    if (any_number(2)) {
        view.numa_distance = distance;
        view.n_numa = 3;
    }
    for (int node = 0; node < n_nodes; node++) {
        for (int c = 0; c < n_cores; c++, core++) {
            for (int s = 0; s < n_siblings; s++) {
                given_pmd(core + 16 * s, node,
                          n_siblings > 1 ? core : DPX_ID_UNKNOWN)
                    ->isolated = any_number(10) == 0;
            }
        }
    }
}

static double
any_load(void)
{
    switch (any_number(6)) {
    case 0: return 0;
    case 1: return DPX_LOAD_UNKNOWN;
    case 2: return 0.1 * any_number(10);
    case 3: return 0.02 * any_fraction();
    default: return 0.7 * any_fraction();
    }
}

static void
given_any_queues(bool legal)
{
    int n = any_number(24);

    for (int i = 0; i < n; i++) {
        struct dpx_view_rxq *rxq;
        char port[16];

        snprintf(port, sizeof port, "p%d", i / 3);
        rxq = given_rxq(port, i % 3, (int) any_number(5) - 1, any_load(),
                        (int) any_number(view.n_pmds + 1) - 1);
        if (any_number(12) == 0) {
            rxq->pinned = any_number(view.n_pmds);
        }
        rxq->enabled = any_number(8) != 0;
        if (legal && rxq->pinned >= 0) {
            rxq->current = rxq->pinned;
        } else if (legal && rxq->current >= 0 && !may_poll(i, rxq->current)) {
            rxq->current = DPX_NO_PMD;
        }
    }
}

static void
given_any_picture(void)
{
    given_nothing();
    given_any_machine();
    given_any_queues(any_number(2));
    options.tolerance = any_number(3) * 0.02;
    options.smt_factor = 1 + any_fraction();
    options.cross_numa_cost = any_number(3) * 0.2;
}

#define for_each_picture \
    for (random_state = SEED, picture = 0; \
         picture < N_PICTURES && (given_any_picture(), true); picture++)

static size_t
count_moves(const struct dpx_plan *p)
{
    size_t n = 0;

    for (size_t i = 0; i < p->n_moves; i++) {
        n += p->moves[i].from >= 0;
    }
    return n;
}

/* Moves that pinning and isolation leave no choice about. */
static size_t
count_forced(void)
{
    size_t n = 0;

    for (size_t i = 0; i < view.n_rxqs; i++) {
        int current = rxqs[i].current;

        n += current >= 0 && (rxqs[i].pinned >= 0
                              ? current != rxqs[i].pinned
                              : pmds[current].isolated);
    }
    return n;
}

static bool
anyone_may_poll(size_t i)
{
    for (size_t p = 0; p < view.n_pmds; p++) {
        if (may_poll(i, p)) {
            return true;
        }
    }
    return false;
}

START_TEST(every_queue_has_a_pmd_that_may_poll_it)
{
    for_each_picture {
        struct dpx_plan *p = plan();

        for (size_t i = 0; i < view.n_rxqs; i++) {
            law(p->pmd_of_rxq[i] >= 0 ? may_poll(i, p->pmd_of_rxq[i])
                : !anyone_may_poll(i));
        }
        law(strlen(p->summary) > 0);
        dpx_plan_destroy(p);
    }
}
END_TEST

START_TEST(the_list_of_moves_is_the_difference_and_each_has_a_reason)
{
    for_each_picture {
        struct dpx_plan *p = plan();
        size_t m = 0;

        for (size_t i = 0; i < view.n_rxqs; i++) {
            if (p->pmd_of_rxq[i] != rxqs[i].current) {
                law(m < p->n_moves && p->moves[m].rxq == i);
                law(p->moves[m].from == rxqs[i].current);
                law(p->moves[m].to == p->pmd_of_rxq[i]);
                law(strlen(p->moves[m].reason) > 10);
                m++;
            }
        }
        law(m == p->n_moves);
        dpx_plan_destroy(p);
    }
}
END_TEST

START_TEST(the_numbers_are_those_of_the_model)
{
    for_each_picture {
        struct dpx_plan *p;
        bool known = false;
        double highest = 0;

        for (size_t i = 0; i < view.n_rxqs; i++) {
            /* The model of the vocabulary knows no estimate. */
            rxqs[i].load = rxqs[i].load < 0 ? 0 : rxqs[i].load;
            known = true;
        }
        p = plan();
        for (size_t i = 0; i < view.n_pmds; i++) {
            highest = p->pmd_load[i] > highest ? p->pmd_load[i] : highest;
        }
        if (known) {
            law(fabs(p->busiest_planned - busiest_of(p->pmd_of_rxq)) < 1e-9);
            law(fabs(p->busiest_planned - highest) < 1e-9);
            law(p->lower_bound <= p->busiest_planned + 1e-9);
        }
        dpx_plan_destroy(p);
    }
}
END_TEST

START_TEST(the_same_picture_gives_the_same_plan)
{
    for_each_picture {
        struct dpx_plan *p = plan(), *q = plan();

        law(!memcmp(p->pmd_of_rxq, q->pmd_of_rxq,
                    view.n_rxqs * sizeof *p->pmd_of_rxq));
        law(!strcmp(p->summary, q->summary));
        dpx_plan_destroy(p);
        dpx_plan_destroy(q);
    }
}
END_TEST

/* Shuffles PMDs and queues of the picture; old_rxq and old_pmd say which one
 * each was. */
static void
shuffle(int *old_rxq, int *old_pmd)
{
    static int new_pmd[MAX_PMDS];

    for (size_t i = 0; i < view.n_rxqs; i++) {
        old_rxq[i] = i;
    }
    for (size_t i = 0; i < view.n_rxqs; i++) {
        size_t j = any_number(i + 1);
        struct dpx_view_rxq rxq = rxqs[i];
        int old = old_rxq[i];

        rxqs[i] = rxqs[j];
        rxqs[j] = rxq;
        old_rxq[i] = old_rxq[j];
        old_rxq[j] = old;
    }
    for (size_t i = 0; i < view.n_pmds; i++) {
        old_pmd[i] = i;
    }
    for (size_t i = 0; i < view.n_pmds; i++) {
        size_t j = any_number(i + 1);
        struct dpx_view_pmd pmd = pmds[i];
        int old = old_pmd[i];

        pmds[i] = pmds[j];
        pmds[j] = pmd;
        old_pmd[i] = old_pmd[j];
        old_pmd[j] = old;
    }
    for (size_t i = 0; i < view.n_pmds; i++) {
        new_pmd[old_pmd[i]] = i;
    }
    for (size_t i = 0; i < view.n_rxqs; i++) {
        rxqs[i].current = rxqs[i].current < 0 ? -1 : new_pmd[rxqs[i].current];
        rxqs[i].pinned = rxqs[i].pinned < 0 ? -1 : new_pmd[rxqs[i].pinned];
    }
}

START_TEST(the_order_of_the_picture_is_without_effect)
{
    static int old_rxq[MAX_RXQS], old_pmd[MAX_PMDS];

    for_each_picture {
        struct dpx_plan *p = plan(), *q;

        shuffle(old_rxq, old_pmd);
        q = plan();
        for (size_t i = 0; i < view.n_rxqs; i++) {
            int pmd = q->pmd_of_rxq[i];

            law(p->pmd_of_rxq[old_rxq[i]] == (pmd < 0 ? pmd : old_pmd[pmd]));
        }
        law(!strcmp(p->summary, q->summary));
        law(p->busiest_planned == q->busiest_planned);
        dpx_plan_destroy(p);
        dpx_plan_destroy(q);
    }
}
END_TEST

START_TEST(a_cap_is_kept)
{
    for_each_picture {
        size_t forced = count_forced();

        for (options.max_moves = 0; options.max_moves < 6;
             options.max_moves++) {
            size_t cap = options.max_moves;
            struct dpx_plan *p = plan();

            law(count_moves(p) <= (cap > forced ? cap : forced));
            dpx_plan_destroy(p);
        }
    }
}
END_TEST

START_TEST(a_cap_of_zero_moves_nothing)
{
    for_each_picture {
        struct dpx_plan *p;

        options.max_moves = 0;
        p = plan();
        law(count_moves(p) == count_forced());
        dpx_plan_destroy(p);
    }
}
END_TEST

START_TEST(a_plan_is_never_worse_than_now)
{
    for_each_picture {
        struct dpx_plan *p;

        for (size_t i = 0; i < view.n_rxqs; i++) {
            bool stay = (rxqs[i].current >= 0
                         && may_poll(i, rxqs[i].current));

            if (!stay && rxqs[i].load != 0) {
                rxqs[i].load = 0;       /* What has to move may cost. */
            }
        }
        p = plan();
        law(p->busiest_planned <= p->busiest_now + 1e-9);
        dpx_plan_destroy(p);
    }
}
END_TEST

/* Once a plan is done, the next one has nothing to do. */
START_TEST(a_second_plan_moves_nothing)
{
    for_each_picture {
        struct dpx_plan *p, *q;
        bool remote = false;

        p = plan();
        for (size_t i = 0; i < view.n_rxqs; i++) {
            int to = p->pmd_of_rxq[i];

            /* The load that will be measured there. */
            if (to >= 0 && rxqs[i].load > 0) {
                rxqs[i].load = load_on(i, to);
            }
            remote |= to >= 0 && is_far(i, to);
            rxqs[i].current = to;
        }
        q = plan();
        law(remote || count_moves(q) == 0);
        dpx_plan_destroy(p);
        dpx_plan_destroy(q);
    }
}
END_TEST

START_TEST(a_plan_is_never_worse_than_group_or_cycles)
{
    static int at[MAX_RXQS];

    for_each_picture {
        struct dpx_plan *p;
        double slack = 1 + options.tolerance;

        for (size_t i = 0; i < view.n_rxqs; i++) {
            rxqs[i].load = rxqs[i].load < 0 ? 0 : rxqs[i].load;
            rxqs[i].numa_id = rxqs[i].pinned < 0 ? rxqs[i].numa_id : -1;
        }
        p = plan();
        assign_like_group(at);
        law(p->busiest_planned <= slack * busiest_of(at) + 1e-9);
        assign_like_cycles(at);
        law(p->busiest_planned <= slack * busiest_of(at) + 1e-9);
        dpx_plan_destroy(p);
    }
}
END_TEST

int
main(void)
{
    TCase *tc = tcase_create("laws");
    Suite *suite = suite_create("placement-laws");
    SRunner *runner = srunner_create(suite);
    int failed;

    suite_add_tcase(suite, tc);
    tcase_set_timeout(tc, 600);
    tcase_add_test(tc, every_queue_has_a_pmd_that_may_poll_it);
    tcase_add_test(tc,
                   the_list_of_moves_is_the_difference_and_each_has_a_reason);
    tcase_add_test(tc, the_numbers_are_those_of_the_model);
    tcase_add_test(tc, the_same_picture_gives_the_same_plan);
    tcase_add_test(tc, the_order_of_the_picture_is_without_effect);
    tcase_add_test(tc, a_cap_is_kept);
    tcase_add_test(tc, a_cap_of_zero_moves_nothing);
    tcase_add_test(tc, a_plan_is_never_worse_than_now);
    tcase_add_test(tc, a_second_plan_moves_nothing);
    tcase_add_test(tc, a_plan_is_never_worse_than_group_or_cycles);

    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
