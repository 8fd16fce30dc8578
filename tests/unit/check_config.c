/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests of lib/dpx-config.c alone: other_config in, settings out.  Every key
 * has its "works" and its "refuses"; a refused value leaves the old one. */

#include <config.h>

#include "dpx-config.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"
#include "smap.h"
#include "util.h"

static struct dpx_config config;

static void
given_defaults(void)
{
    dpx_config_init(&config);
}

/* Sets one key (null: none), all others absent; returns what was refused. */
static char *
set(const char *key, const char *value)
{
    struct smap smap = SMAP_INITIALIZER(&smap);
    char *refused;

    if (key) {
        smap_add(&smap, key, value);
    }
    refused = dpx_config_parse(&config, &smap);
    smap_destroy(&smap);
    return refused;
}

static void
accepts(const char *key, const char *value)
{
    char *refused = set(key, value);

    ck_assert_msg(!refused, "%s=\"%s\": %s", key, value, refused);
}

/* The sentence names key, value and range. */
static void
refuses(const char *key, const char *value, const char *range)
{
    char *refused = set(key, value);
    char *sentence = xasprintf("%s=\"%s\" is not %s, the old value stays",
                               key, value, range);

    ck_assert_msg(refused, "%s=\"%s\" was accepted", key, value);
    ck_assert_str_eq(refused, sentence);
    free(sentence);
    free(refused);
}

static void
assert_defaults(void)
{
    ck_assert(config.enable);
    ck_assert_double_eq(config.placement.smt_factor, 1.3);
    ck_assert_int_eq(config.placement.cross_numa, DPX_CROSS_NUMA_NEVER);
    ck_assert_double_eq_tol(config.placement.cross_numa_cost, 0.20, 1e-9);
    ck_assert_double_eq_tol(config.placement.tolerance, 0.02, 1e-9);
    ck_assert_int_eq(config.placement.max_moves, 8);
    ck_assert(config.handoff);
    ck_assert_int_eq(config.interval_s, 5);
    ck_assert(!config.stock_interval);
}

START_TEST(defaults_are_the_documented_ones)
{
    given_defaults();
    assert_defaults();
}
END_TEST

START_TEST(keys_of_others_are_left_alone)
{
    given_defaults();
    accepts("pmd-rxq-assign", "bogus");
    accepts("no-such-key", "1");
    assert_defaults();
}
END_TEST

START_TEST(enable_is_a_boolean)
{
    given_defaults();
    accepts("dpx-enable", "false");
    ck_assert(!config.enable);
    refuses("dpx-enable", "yes", "true or false");
    ck_assert(!config.enable);
    refuses("dpx-enable", "", "true or false");
    refuses("dpx-enable", "truely", "true or false");
    ck_assert(!config.enable);
    accepts("dpx-enable", "true");
    ck_assert(config.enable);
}
END_TEST

START_TEST(flow_statistics_have_bounds)
{
    const char *range = "a whole number from 0 (off) to 1000000";

    accepts("flow-stats", "false");
    ck_assert(!config.flow_stats);
    refuses("flow-stats", "no", "true or false");
    accepts("flow-stats-cost-sampling", "0");
    ck_assert_int_eq(config.flow_cost_sampling, 0);
    ck_assert(config.flow_stats);
    refuses("flow-stats-cost-sampling", "1000001", range);
    refuses("flow-stats-cost-sampling", "-1", range);
    accepts("flow-stats-top", "5");
    ck_assert_int_eq(config.flow_top, 5);
    refuses("flow-stats-top", "1001", "a whole number from 0 (none) to 1000");
}
END_TEST

START_TEST(heavy_hitters_have_bounds)
{
    accepts("flow-stats-heavy-hitters", "true");
    ck_assert(config.hitters);
    accepts("flow-stats-heavy-hitters-size", "4096");
    ck_assert_int_eq(config.hitters_size, 4096);
    ck_assert(!config.hitters);
    refuses("flow-stats-heavy-hitters-size", "4095",
            "a whole number of bytes from 4096 to 1073741824");
    accepts("flow-stats-heavy-hitters-sampling", "65536");
    ck_assert_int_eq(config.hitters_sampling, 65536);
    refuses("flow-stats-heavy-hitters-sampling", "0",
            "a whole number from 1 to 65536");
    accepts("flow-stats-heavy-hitters-key", "pair");
    ck_assert_int_eq(config.hitters_key, DPX_HH_PAIR);
    refuses("flow-stats-heavy-hitters-key", "5-tuple",
            "5tuple, src-ip, dst-ip, pair or inner-5tuple");
}
END_TEST

START_TEST(handoff_is_a_boolean)
{
    const char *key = "pmd-placement-handoff";

    given_defaults();
    accepts(key, "false");
    ck_assert(!config.handoff);
    refuses(key, "1", "true or false");
    ck_assert(!config.handoff);
    accepts(key, "true");
    ck_assert(config.handoff);
}
END_TEST

START_TEST(smt_factor_is_from_1_to_2)
{
    const char *key = "pmd-placement-smt-factor";
    const char *range = "a number from 1 to 2";

    given_defaults();
    accepts(key, "1");
    ck_assert_double_eq(config.placement.smt_factor, 1.0);
    accepts(key, "2.0");
    ck_assert_double_eq(config.placement.smt_factor, 2.0);
    accepts(key, "1.25");
    refuses(key, "0.99", range);
    refuses(key, "2.01", range);
    refuses(key, "1.3x", range);
    refuses(key, "nan", range);
    refuses(key, "inf", range);
    refuses(key, "", range);
    refuses(key, "-1", range);
    ck_assert_double_eq(config.placement.smt_factor, 1.25);
}
END_TEST

START_TEST(cross_numa_is_one_of_three_words)
{
    const char *key = "pmd-placement-cross-numa";

    given_defaults();
    accepts(key, "always");
    ck_assert_int_eq(config.placement.cross_numa, DPX_CROSS_NUMA_ALWAYS);
    accepts(key, "never");
    ck_assert_int_eq(config.placement.cross_numa, DPX_CROSS_NUMA_NEVER);
    accepts(key, "overload");
    refuses(key, "sometimes", "never, overload or always");
    ck_assert_int_eq(config.placement.cross_numa, DPX_CROSS_NUMA_OVERLOAD);
}
END_TEST

START_TEST(cross_numa_cost_is_in_percent)
{
    const char *key = "pmd-placement-cross-numa-cost";
    const char *range = "a number from 0 to 1000";

    given_defaults();
    accepts(key, "0");
    ck_assert_double_eq(config.placement.cross_numa_cost, 0);
    accepts(key, "1000");
    ck_assert_double_eq_tol(config.placement.cross_numa_cost, 10, 1e-9);
    refuses(key, "1001", range);
    refuses(key, "-0.1", range);
    refuses(key, "20%", range);
    ck_assert_double_eq_tol(config.placement.cross_numa_cost, 10, 1e-9);
}
END_TEST

START_TEST(tolerance_is_in_percent)
{
    const char *key = "pmd-placement-tolerance";
    const char *range = "a number from 0 to 100";

    given_defaults();
    accepts(key, "0");
    ck_assert_double_eq(config.placement.tolerance, 0);
    accepts(key, "100");
    ck_assert_double_eq_tol(config.placement.tolerance, 1, 1e-9);
    refuses(key, "101", range);
    refuses(key, "two", range);
    ck_assert_double_eq_tol(config.placement.tolerance, 1, 1e-9);
}
END_TEST

START_TEST(no_cap_on_moves_is_written_0)
{
    const char *key = "pmd-placement-max-moves";
    const char *range = "a whole number from 0 (no cap) to 1000000";

    given_defaults();
    accepts(key, "0");
    ck_assert_int_lt(config.placement.max_moves, 0);
    accepts(key, "1000000");
    ck_assert_int_eq(config.placement.max_moves, 1000000);
    accepts(key, "1");
    refuses(key, "-1", range);
    refuses(key, "1000001", range);
    refuses(key, "99999999999999999999", range);
    refuses(key, "1.5", range);
    refuses(key, "", range);
    ck_assert_int_eq(config.placement.max_moves, 1);
}
END_TEST

START_TEST(interval_is_in_seconds)
{
    const char *key = "pmd-placement-interval";
    const char *range = "a whole number from 1 to 3600";

    given_defaults();
    accepts(key, "1");
    ck_assert_int_eq(config.interval_s, 1);
    accepts(key, "3600");
    refuses(key, "0", range);
    refuses(key, "3601", range);
    refuses(key, "2.5", range);
    refuses(key, "5s", range);
    ck_assert_int_eq(config.interval_s, 3600);
}
END_TEST

/* Its value is upstream's to check. */
START_TEST(the_interval_of_stock_is_seen)
{
    given_defaults();
    accepts("pmd-auto-lb-rebal-interval", "1");
    ck_assert(config.stock_interval);
    ck_assert_int_eq(config.interval_s, 5);
}
END_TEST

START_TEST(a_key_that_goes_away_is_default_again)
{
    given_defaults();
    accepts("pmd-placement-interval", "60");
    accepts("pmd-auto-lb-rebal-interval", "1");
    accepts("dpx-enable", "false");
    accepts("pmd-placement-smt-factor", "2");
    accepts("pmd-placement-cross-numa", "always");
    accepts("pmd-placement-cross-numa-cost", "1");
    accepts("pmd-placement-tolerance", "50");
    accepts("pmd-placement-max-moves", "1");
    accepts("pmd-placement-handoff", "false");
    ck_assert_ptr_null(set(NULL, NULL));
    assert_defaults();
}
END_TEST

START_TEST(each_refused_value_has_its_sentence_and_good_ones_count)
{
    struct smap smap = SMAP_INITIALIZER(&smap);
    char *refused;

    given_defaults();
    smap_add(&smap, "pmd-placement-smt-factor", "9");
    smap_add(&smap, "pmd-placement-tolerance", "7");
    smap_add(&smap, "pmd-placement-max-moves", "many");
    refused = dpx_config_parse(&config, &smap);
    smap_destroy(&smap);

    ck_assert_str_eq(refused,
                     "pmd-placement-smt-factor=\"9\" is not a number from 1 "
                     "to 2, the old value stays; "
                     "pmd-placement-max-moves=\"many\" is not a whole number "
                     "from 0 (no cap) to 1000000, the old value stays");
    free(refused);
    ck_assert_double_eq(config.placement.smt_factor, 1.3);
    ck_assert_double_eq_tol(config.placement.tolerance, 0.07, 1e-9);
    ck_assert_int_eq(config.placement.max_moves, 8);
}
END_TEST

static void
assert_within_ranges(const char *key, const char *value)
{
    const struct dpx_placement_options *p = &config.placement;

    /* An assertion that holds is not free, it is written to a file. */
    if (!(p->smt_factor >= 1 && p->smt_factor <= 2
          && p->cross_numa_cost >= 0 && p->cross_numa_cost <= 10
          && p->tolerance >= 0 && p->tolerance <= 1
          && p->max_moves >= -1 && p->max_moves <= 1000000 && p->max_moves
          && config.interval_s >= 1 && config.interval_s <= 3600
          && p->cross_numa <= DPX_CROSS_NUMA_ALWAYS)) {
        ck_abort_msg("%s=\"%s\" left its range", key, value);
    }
}

/* Whatever is written into the database, no setting leaves its range. */
START_TEST(no_word_takes_a_setting_out_of_its_range)
{
    static const char *const keys[] = {
        "dpx-enable", "pmd-placement-smt-factor", "pmd-placement-cross-numa",
        "pmd-placement-cross-numa-cost", "pmd-placement-tolerance",
        "pmd-placement-max-moves", "pmd-placement-handoff",
        "pmd-placement-interval",
    };
    static const char letters[] = "0123456789.-+eExnaif \t";

    random_set_seed(19700101);
    given_defaults();
    for (int n = 0; n < 20000; n++) {
        const char *key = keys[random_range(ARRAY_SIZE(keys))];
        char value[8];
        size_t length = random_range(sizeof value);

        for (size_t i = 0; i < length; i++) {
            value[i] = letters[random_range(sizeof letters - 1)];
        }
        value[length] = '\0';
        free(set(key, value));
        assert_within_ranges(key, value);
    }
}
END_TEST

static Suite *
config_suite(void)
{
    Suite *suite = suite_create("config");
    TCase *tcase = tcase_create("config");

    tcase_add_test(tcase, defaults_are_the_documented_ones);
    tcase_add_test(tcase, keys_of_others_are_left_alone);
    tcase_add_test(tcase, enable_is_a_boolean);
    tcase_add_test(tcase, flow_statistics_have_bounds);
    tcase_add_test(tcase, heavy_hitters_have_bounds);
    tcase_add_test(tcase, handoff_is_a_boolean);
    tcase_add_test(tcase, smt_factor_is_from_1_to_2);
    tcase_add_test(tcase, cross_numa_is_one_of_three_words);
    tcase_add_test(tcase, cross_numa_cost_is_in_percent);
    tcase_add_test(tcase, tolerance_is_in_percent);
    tcase_add_test(tcase, no_cap_on_moves_is_written_0);
    tcase_add_test(tcase, interval_is_in_seconds);
    tcase_add_test(tcase, the_interval_of_stock_is_seen);
    tcase_add_test(tcase, a_key_that_goes_away_is_default_again);
    tcase_add_test(tcase,
                   each_refused_value_has_its_sentence_and_good_ones_count);
    tcase_add_test(tcase, no_word_takes_a_setting_out_of_its_range);
    suite_add_tcase(suite, tcase);
    return suite;
}

int
main(void)
{
    SRunner *runner = srunner_create(config_suite());
    int failed;

    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
