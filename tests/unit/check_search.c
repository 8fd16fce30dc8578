/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests of lib/dpx-search*.c on simulated devices: what is found, how soon,
 * and what is said when nothing can be found. */

#include <config.h>

#include "dpx-search.h"
#include "dpx-search-private.h"

#include <check.h>
#include <stdlib.h>

#include "../bench/bench-device.h"

#define SEED 7
#define MOST 3000

static struct dpx_search_config config;
static struct dpx_search *search;
static struct device device;

static void
given(enum dpx_search_method method, double capacity, double max_load)
{
    dpx_search_defaults(&config, method);
    config.max_load = max_load;
    config.min_load = max_load / 1000;
    device = (struct device) { .capacity = capacity, .slope = 1,
                               .noise_loss = 0.01, .state = SEED };
}

static double
run(void)
{
    ck_assert_ptr_null(dpx_search_check(&config));
    search = dpx_search_create(&config);
    return device_search(&device, search, MOST);
}

static struct dpx_search_result
result(size_t goal)
{
    struct dpx_search_result r;

    dpx_search_result(search, goal, &r);
    return r;
}

static void
teardown(void)
{
    dpx_search_destroy(search);
    search = NULL;
}

/* MLRsearch. */

START_TEST(mlr_bounds_enclose_the_capacity)
{
    given(DPX_SEARCH_MLR, 1e6, 5e6);
    run();
    for (size_t i = 0; i < 2; i++) {
        double truth = device_load(&device, config.goals[i].loss_ratio);
        struct dpx_search_result r = result(i);

        ck_assert(r.regular);
        ck_assert_double_le(r.lower, truth * 1.00001);
        ck_assert_double_gt(r.upper, truth);
        ck_assert_double_ge(r.lower, r.upper * 0.99499);
    }
}
END_TEST

START_TEST(mlr_throughput_is_what_comes_through)
{
    given(DPX_SEARCH_MLR, 1e6, 5e6);
    device.slope = 0.5;
    run();
    ck_assert_double_eq_tol(result(0).throughput, 1e6, 5e3);
    ck_assert_double_eq_tol(result(1).throughput,
                            device_throughput(&device, 0.005), 5e3);
}
END_TEST

START_TEST(mlr_excuses_what_the_goal_excuses)
{
    given(DPX_SEARCH_MLR, 1e6, 5e6);
    device.noise = 0.15;
    run();
    ck_assert_double_eq_tol(result(0).throughput, 1e6, 5e3);
}
END_TEST

START_TEST(mlr_without_excuse_finds_no_load_under_noise)
{
    given(DPX_SEARCH_MLR, 1e6, 5e6);
    config.goals[0].exceed_ratio = 0;
    config.n_goals = 1;
    device.noise = 0.9;
    run();
    ck_assert(isnan(result(0).lower));
    ck_assert(isnan(result(0).throughput));
    ck_assert(!result(0).regular);
}
END_TEST

START_TEST(mlr_device_faster_than_the_largest_load)
{
    given(DPX_SEARCH_MLR, 9e6, 5e6);
    ck_assert_double_lt(run(), 30);
    ck_assert(result(0).at_max && result(1).at_max);
    ck_assert_double_eq(result(0).lower, 5e6);
    ck_assert(isnan(result(0).upper));
    ck_assert(!result(0).regular);
}
END_TEST

START_TEST(mlr_device_slower_than_the_smallest_load)
{
    given(DPX_SEARCH_MLR, 1, 5e6);
    run();
    ck_assert(isnan(result(0).lower));
    ck_assert_double_eq(result(0).upper, config.min_load);
}
END_TEST

/* A law: whatever the device, the search ends, regular, and in not much more
 * than the time that its goals cannot do without. */
START_TEST(mlr_always_ends)
{
    uint64_t state = SEED;

    for (int i = 0; i < 100; i++) {
        double seconds;

        given(DPX_SEARCH_MLR, device_between(&state, 2e4, 4.9e6), 5e6);
        device.slope = device_between(&state, 0.02, 1);
        device.noise = device_between(&state, 0, 0.3);
        device.state = state;
        seconds = run();
        ck_assert_msg(seconds < 500, "run %d of seed %d: %g s", i, SEED,
                      seconds);
        ck_assert_msg(device.noise > 0 || result(0).regular, "run %d", i);
        teardown();
    }
}
END_TEST

START_TEST(mlr_is_a_function_of_its_trials)
{
    const struct dpx_trial *trials;
    struct dpx_search *other;
    size_t n;

    given(DPX_SEARCH_MLR, 1e6, 5e6);
    device.noise = 0.2;
    run();
    trials = dpx_search_trials(search, &n);
    other = dpx_search_create(&config);
    for (size_t i = 0; i < n; i++) {
        double load, duration;

        ck_assert(dpx_search_next(other, &load, &duration));
        ck_assert_double_eq(load, trials[i].load);
        dpx_search_add(other, &trials[i]);
    }
    dpx_search_destroy(other);
}
END_TEST

START_TEST(mlr_interrupted_knows_what_it_knows)
{
    given(DPX_SEARCH_MLR, 1e6, 5e6);
    search = dpx_search_create(&config);
    ck_assert(isnan(result(0).lower) && isnan(result(0).upper));
    device_search(&device, search, 5);
    ck_assert(!result(0).regular);
}
END_TEST

START_TEST(mlr_with_short_trials_first)
{
    given(DPX_SEARCH_MLR, 1e6, 5e6);
    for (size_t i = 0; i < 2; i++) {
        config.goals[i].final_duration = 30;
        config.goals[i].duration_sum = 30;
        config.goals[i].exceed_ratio = 0;
    }
    run();
    ck_assert(result(0).regular && result(1).regular);
    ck_assert_double_eq_tol(result(0).throughput, 1e6, 5e3);
}
END_TEST

/* Classification: RFC 9971's rules on figures worked out by hand. */

static enum dpx_load_class
classify(int good, int bad, double sum, double exceed)
{
    struct dpx_goal goal = { "", 0, exceed, 0.005, 1, 1, sum };
    struct dpx_trial trials[64];
    int n = 0;

    for (int i = 0; i < good + bad; i++) {
        trials[n++] = (struct dpx_trial) { 100, 1, i < good ? 0 : 0.1 };
    }
    trials[n++] = (struct dpx_trial) { 101, 1, 0 };
    return dpx_load_classify(trials, n, 100, &goal);
}

START_TEST(load_is_decided_when_the_rest_cannot_turn_it)
{
    ck_assert_int_eq(classify(0, 0, 21, 0.5), DPX_LOAD_UNDECIDED);
    ck_assert_int_eq(classify(10, 0, 21, 0.5), DPX_LOAD_UNDECIDED);
    ck_assert_int_eq(classify(11, 0, 21, 0.5), DPX_LOAD_LOWER);
    ck_assert_int_eq(classify(0, 10, 21, 0.5), DPX_LOAD_UNDECIDED);
    ck_assert_int_eq(classify(0, 11, 21, 0.5), DPX_LOAD_UPPER);
    ck_assert_int_eq(classify(10, 10, 21, 0.5), DPX_LOAD_UNDECIDED);
    ck_assert_int_eq(classify(1, 0, 1, 0), DPX_LOAD_LOWER);
    ck_assert_int_eq(classify(0, 1, 1, 0), DPX_LOAD_UPPER);
}
END_TEST

START_TEST(short_trials_excuse_short_ones_only)
{
    struct dpx_goal goal = { "", 0, 0.5, 0.005, 1, 10, 20 };
    struct dpx_trial trials[32];

    for (int i = 0; i < 32; i++) {
        trials[i] = (struct dpx_trial) { 100, 1, i < 11 ? 0.1 : 0 };
    }
    /* 11 bad short seconds exceed half of 20; with as many good ones they
     * are excused. */
    ck_assert_int_eq(dpx_load_classify(trials, 11, 100, &goal),
                     DPX_LOAD_UPPER);
    ck_assert_int_eq(dpx_load_classify(trials, 22, 100, &goal),
                     DPX_LOAD_UNDECIDED);
    trials[22] = (struct dpx_trial) { 100, 10, 0 };
    ck_assert_int_eq(dpx_load_classify(trials, 23, 100, &goal),
                     DPX_LOAD_LOWER);
}
END_TEST

START_TEST(throughput_is_that_of_the_goals_part)
{
    struct dpx_goal goal = { "", 0.05, 0.5, 0.005, 1, 1, 4 };
    struct dpx_trial trials[] = {
        { 100, 1, 0.5 }, { 100, 1, 0.01 }, { 100, 1, 0 }, { 90, 1, 0 },
    };

    /* Two of four seconds must be met: the second best trial counts. */
    ck_assert_double_eq_tol(dpx_load_throughput(trials, 4, 100, &goal), 99,
                            1e-9);
    goal.exceed_ratio = 0;      /* A fourth second is missing. */
    ck_assert_double_eq(dpx_load_throughput(trials, 4, 100, &goal), 0);
}
END_TEST

/* Binary searches. */

START_TEST(binary_is_within_its_resolution)
{
    given(_i ? DPX_SEARCH_TST009 : DPX_SEARCH_RFC2544, 1234567, 5e6);
    run();
    ck_assert_double_le(result(0).lower, 1234567);
    ck_assert_double_gt(result(0).upper, 1234567);
    ck_assert_double_le(result(0).upper - result(0).lower, 5001);
    ck_assert(result(0).regular);
}
END_TEST

START_TEST(binary_ends_with_a_full_trial)
{
    const struct dpx_trial *trials;
    size_t n;

    given(DPX_SEARCH_RFC2544, 1234567, 5e6);
    run();
    trials = dpx_search_trials(search, &n);
    ck_assert_double_eq(trials[n - 1].duration, 60);
    ck_assert_double_eq(trials[n - 1].load, result(0).lower);
}
END_TEST

START_TEST(binary_goes_below_a_load_that_does_not_hold)
{
    struct dpx_trial bad;
    double load, duration;

    given(DPX_SEARCH_RFC2544, 1234567, 5e6);
    run();
    bad = (struct dpx_trial) { result(0).lower, 60, 0.001 };
    dpx_search_add(search, &bad);
    ck_assert(!result(0).regular);
    ck_assert(dpx_search_next(search, &load, &duration));
    ck_assert_double_lt(load, bad.load);
    ck_assert_double_eq(result(0).upper, bad.load);
}
END_TEST

START_TEST(binary_at_the_largest_and_below_the_smallest_load)
{
    given(DPX_SEARCH_RFC2544, 9e6, 5e6);
    run();
    ck_assert(result(0).at_max);
    ck_assert_double_eq(result(0).lower, 5e6);
    teardown();

    given(DPX_SEARCH_RFC2544, 1, 5e6);
    run();
    ck_assert(isnan(result(0).lower));
    ck_assert(!result(0).regular);
}
END_TEST

START_TEST(loss_is_verified_as_often_as_asked)
{
    double load, duration;
    struct dpx_trial t = { 5e6, 1, 0.01 };

    given(DPX_SEARCH_TST009, 1e6, 5e6);
    config.max_repeats = 3;
    config.verify_below = 0.1;
    search = dpx_search_create(&config);
    for (int i = 0; i < 3; i++) {
        ck_assert(dpx_search_next(search, &load, &duration));
        ck_assert_double_eq(load, 5e6);
        dpx_search_add(search, &t);
    }
    ck_assert(dpx_search_next(search, &load, &duration));
    ck_assert_double_eq(load, 2.5e6);
    t = (struct dpx_trial) { load, 1, 0.2 };    /* Too much to be doubted. */
    dpx_search_add(search, &t);
    ck_assert(dpx_search_next(search, &load, &duration));
    ck_assert_double_eq(load, 1.25e6);
}
END_TEST

START_TEST(verified_loss_is_forgiven)
{
    double load, duration;
    struct dpx_trial t = { 5e6, 1, 0.01 };

    given(DPX_SEARCH_TST009, 1e6, 5e6);
    search = dpx_search_create(&config);
    dpx_search_add(search, &t);
    t.loss_ratio = 0;
    dpx_search_add(search, &t);
    ck_assert(dpx_search_next(search, &load, &duration));
    ck_assert_double_eq(load, 5e6);     /* Now in full length. */
    ck_assert_double_eq(duration, 60);
}
END_TEST

/* Curve, soak, names, refusals. */

START_TEST(curve_ends_after_two_loads_without_loss)
{
    const struct dpx_trial *trials;
    size_t n;

    given(DPX_SEARCH_LOSS_CURVE, 3.3e6, 5e6);
    run();
    trials = dpx_search_trials(search, &n);
    ck_assert_uint_eq(n, 6);    /* 100, 90, 80, 70 %, then 60 and 50. */
    ck_assert_double_eq(trials[0].load, 5e6);
    ck_assert_double_eq_tol(trials[5].load, 2.5e6, 1);
    ck_assert(isnan(result(0).lower));
}
END_TEST

START_TEST(soak_is_one_trial)
{
    given(DPX_SEARCH_SOAK, 1e6, 5e6);
    ck_assert_double_eq(run(), 60);
}
END_TEST

START_TEST(names_of_methods_are_read_back)
{
    enum dpx_search_method method;

    for (int i = 0; i < DPX_SEARCH_N_METHODS; i++) {
        ck_assert(dpx_search_method_from_name(dpx_search_method_name(i),
                                              &method));
        ck_assert_int_eq(method, i);
    }
    ck_assert(!dpx_search_method_from_name("mlrs", &method));
    ck_assert(!dpx_search_method_from_name("", &method));
}
END_TEST

static void
refused(const char *word)
{
    char *error = dpx_search_check(&config);

    ck_assert_ptr_nonnull(error);
    ck_assert_msg(strstr(error, word), "'%s' is not in: %s", word, error);
    free(error);
    given(DPX_SEARCH_MLR, 1e6, 5e6);
}

START_TEST(unusable_settings_are_refused)
{
    given(DPX_SEARCH_MLR, 1e6, 5e6);
    config.min_load = 0;
    refused("'0'");
    config.min_load = 6e6;
    refused("'6e+06'");
    config.max_load = INFINITY;
    refused("'inf'");
    config.n_goals = 0;
    refused("'0' goals");
    config.goals[0].width = 0;
    refused("width '0'");
    config.goals[1].exceed_ratio = 1;
    refused("exceed ratio '1'");
    config.goals[1].loss_ratio = NAN;
    refused("loss ratio 'nan'");
    config.goals[0].initial_duration = 2;
    refused("'2'");
    config.goals[0].duration_sum = 0.5;
    refused("sum '0.5'");
    config.resolution = 0;
    refused("resolution '0'");
    config.max_repeats = 0;
    refused("'0' trials");
}
END_TEST

static Suite *
search_suite(void)
{
    Suite *suite = suite_create("search");
    TCase *tcase = tcase_create("search");

    tcase_add_checked_fixture(tcase, NULL, teardown);
    tcase_add_test(tcase, mlr_bounds_enclose_the_capacity);
    tcase_add_test(tcase, mlr_throughput_is_what_comes_through);
    tcase_add_test(tcase, mlr_excuses_what_the_goal_excuses);
    tcase_add_test(tcase, mlr_without_excuse_finds_no_load_under_noise);
    tcase_add_test(tcase, mlr_device_faster_than_the_largest_load);
    tcase_add_test(tcase, mlr_device_slower_than_the_smallest_load);
    tcase_add_test(tcase, mlr_always_ends);
    tcase_add_test(tcase, mlr_is_a_function_of_its_trials);
    tcase_add_test(tcase, mlr_interrupted_knows_what_it_knows);
    tcase_add_test(tcase, mlr_with_short_trials_first);
    tcase_add_test(tcase, load_is_decided_when_the_rest_cannot_turn_it);
    tcase_add_test(tcase, short_trials_excuse_short_ones_only);
    tcase_add_test(tcase, throughput_is_that_of_the_goals_part);
    tcase_add_loop_test(tcase, binary_is_within_its_resolution, 0, 2);
    tcase_add_test(tcase, binary_ends_with_a_full_trial);
    tcase_add_test(tcase, binary_goes_below_a_load_that_does_not_hold);
    tcase_add_test(tcase, binary_at_the_largest_and_below_the_smallest_load);
    tcase_add_test(tcase, loss_is_verified_as_often_as_asked);
    tcase_add_test(tcase, verified_loss_is_forgiven);
    tcase_add_test(tcase, curve_ends_after_two_loads_without_loss);
    tcase_add_test(tcase, soak_is_one_trial);
    tcase_add_test(tcase, names_of_methods_are_read_back);
    tcase_add_test(tcase, unusable_settings_are_refused);
    suite_add_tcase(suite, tcase);
    return suite;
}

int
main(void)
{
    SRunner *runner = srunner_create(search_suite());
    int failed;

    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
