/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests of the parser in lib/dpx-cmd.c, and of the rows of the commands. */

#include <config.h>

#include "dpx-cmd.h"

#include <check.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"
#include "util.h"

enum { OPT_N, OPT_SWITCH };

static const struct dpx_cmd_option options[] = {
    [OPT_N] = { "-n", "N" },
    [OPT_SWITCH] = { "-all", NULL },
    { NULL, NULL },
};

/* What most tests parse for. */
static const struct dpx_cmd cmd = {
    .name = "test/command",
    .words = "PORT [DP]",
    .min_words = 1,
    .max_words = 2,
    .options = options,
};

static const struct dpx_cmd bare = {
    .name = "test/bare",
};

static struct dpx_cmd_args args;

#define WORDS(...) ((const char *[]) { "test/command", __VA_ARGS__ })
#define PARSE(CMD, ...)                                             \
    dpx_cmd_parse(CMD, ARRAY_SIZE(WORDS(__VA_ARGS__)),              \
                  WORDS(__VA_ARGS__), &args)

static void
expect_ok(char *error)
{
    ck_assert_msg(!error, "%s", error);
}

static void
expect_error(char *error, const char *expected)
{
    ck_assert_msg(error, "accepted instead of: %s", expected);
    ck_assert_str_eq(error, expected);
    free(error);
}

START_TEST(words_and_options_come_in_any_order)
{
    expect_ok(PARSE(&cmd, "-n", "7", "p0", "--json", "-all", "dp"));
    ck_assert(args.json);
    ck_assert_str_eq(args.options[OPT_N], "7");
    ck_assert_ptr_nonnull(args.options[OPT_SWITCH]);
    ck_assert_uint_eq(args.n_words, 2);
    ck_assert_str_eq(args.words[0], "p0");
    ck_assert_str_eq(args.words[1], "dp");
}
END_TEST

START_TEST(what_was_not_given_is_null)
{
    memset(&args, 0xff, sizeof args);
    expect_ok(PARSE(&cmd, "p0"));
    ck_assert(!args.json);
    ck_assert_ptr_null(args.options[OPT_N]);
    ck_assert_ptr_null(args.options[OPT_SWITCH]);
    ck_assert_uint_eq(args.n_words, 1);
}
END_TEST

START_TEST(an_option_may_have_a_negative_value)
{
    expect_ok(PARSE(&cmd, "-n", "-1", "p0"));
    ck_assert_str_eq(args.options[OPT_N], "-1");
}
END_TEST

START_TEST(an_unknown_option_is_quoted)
{
    expect_error(PARSE(&cmd, "p0", "-x"),
                 "\"-x\": unknown option (usage: test/command "
                 "[--json] [-n N] [-all] PORT [DP])");
    expect_error(PARSE(&cmd, "p0", "-"),
                 "\"-\": unknown option (usage: test/command "
                 "[--json] [-n N] [-all] PORT [DP])");
    expect_error(PARSE(&cmd, "p0", "--jsn"),
                 "\"--jsn\": unknown option (usage: test/command "
                 "[--json] [-n N] [-all] PORT [DP])");
    expect_error(PARSE(&cmd, "p0", "-n7"),
                 "\"-n7\": unknown option (usage: test/command "
                 "[--json] [-n N] [-all] PORT [DP])");
    expect_error(PARSE(&bare, "-n"),
                 "\"-n\": unknown option (usage: test/bare [--json])");
}
END_TEST

START_TEST(a_word_too_many_is_quoted)
{
    expect_error(PARSE(&cmd, "p0", "dp", "more"),
                 "\"more\": unexpected word (usage: test/command "
                 "[--json] [-n N] [-all] PORT [DP])");
    expect_error(PARSE(&bare, ""),
                 "\"\": unexpected word (usage: test/bare [--json])");
}
END_TEST

START_TEST(a_word_too_few_is_said)
{
    expect_error(PARSE(&cmd, "--json"),
                 "\"test/command\": needs more words (usage: test/command "
                 "[--json] [-n N] [-all] PORT [DP])");
}
END_TEST

START_TEST(an_option_twice_is_refused)
{
    expect_error(PARSE(&cmd, "-n", "1", "p0", "-n", "2"),
                 "\"-n\": given twice (usage: test/command "
                 "[--json] [-n N] [-all] PORT [DP])");
}
END_TEST

START_TEST(an_option_without_its_value_is_refused)
{
    expect_error(PARSE(&cmd, "p0", "-n"),
                 "\"-n\": needs a value (usage: test/command "
                 "[--json] [-n N] [-all] PORT [DP])");
}
END_TEST

static char *
read_n(const char *word, int *value)
{
    args = (struct dpx_cmd_args) { .options = { [OPT_N] = word } };
    return dpx_cmd_int(&cmd, &args, OPT_N, 1, 100, value);
}

START_TEST(a_number_within_its_range_is_read)
{
    int value = 10;

    expect_ok(read_n("1", &value));
    ck_assert_int_eq(value, 1);
    expect_ok(read_n("100", &value));
    ck_assert_int_eq(value, 100);
}
END_TEST

START_TEST(a_number_that_was_not_given_leaves_the_value)
{
    int value = 10;

    expect_ok(read_n(NULL, &value));
    ck_assert_int_eq(value, 10);
}
END_TEST

START_TEST(what_is_no_number_within_its_range_is_quoted)
{
    static const char *const words[] = {
        "0", "101", "-1", "x", "", "7x", "1.5", "99999999999999999999",
        "4294967297",
    };

    for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
        int value = 10;
        char *wanted = xasprintf("\"%s\": -n takes a number from 1 to 100",
                                 words[i]);

        expect_error(read_n(words[i], &value), wanted);
        ck_assert_int_eq(value, 10);
        free(wanted);
    }
}
END_TEST

/* Whatever the words, an error quotes one of them, and what is accepted has
 * not more words than the row allows. */
START_TEST(an_error_always_quotes_a_word)
{
    static const char *const pool[] = {
        "-n", "-all", "--json", "p0", "dp", "-x", "", "7", "-1",
    };

    random_set_seed(4711);
    for (int n = 0; n < 10000; n++) {
        const char *argv[9] = { "test/command" };
        int argc = 1 + random_range(ARRAY_SIZE(argv));
        bool quoted = false;
        char *error;

        for (int i = 1; i < argc; i++) {
            argv[i] = pool[random_range(ARRAY_SIZE(pool))];
        }
        error = dpx_cmd_parse(&cmd, argc, argv, &args);
        for (int i = 0; error && i < argc; i++) {
            char *start = xasprintf("\"%s\": ", argv[i]);

            quoted = quoted || !strncmp(error, start, strlen(start));
            free(start);
        }
        /* An assertion that holds is not free, it is written to a file. */
        if (error ? !quoted : (args.n_words < cmd.min_words
                               || args.n_words > cmd.max_words)) {
            ck_abort_msg("%s", error ? error : "words were not counted");
        }
        free(error);
    }
}
END_TEST

/* The rows that are shipped. */

static const struct dpx_cmd *const rows[] = {
    &dpx_cmd_placement_show,
    &dpx_cmd_flow_stats_show,
    &dpx_cmd_rxq_stats_show,
};

START_TEST(each_row_is_complete)
{
    const struct dpx_cmd *row = rows[_i];
    size_t n = 0;

    ck_assert_ptr_nonnull(row->run);
    ck_assert(!strncmp(row->name, "dpif-netdev/", 12));
    ck_assert_uint_le(row->min_words, row->max_words);
    ck_assert_uint_le(row->max_words, DPX_CMD_MAX_WORDS);
    ck_assert(!row->max_words == !row->words);
    while (row->options && row->options[n].name) {
        ck_assert_int_eq(row->options[n].name[0], '-');
        n++;
    }
    ck_assert_uint_le(n, DPX_CMD_MAX_OPTIONS);
}
END_TEST

START_TEST(usages_are_the_documented_ones)
{
    char *usage = dpx_cmd_usage(&dpx_cmd_placement_show);

    ck_assert_str_eq(usage, "[--json] [-secs N] [DP]");
    free(usage);
    usage = dpx_cmd_usage(&dpx_cmd_flow_stats_show);
    ck_assert_str_eq(usage, "[--json] [-n N] [-s KEY] [-pmd CORE] "
                            "[-port PORT] [-root] [-merge] [DP]");
    free(usage);
    usage = dpx_cmd_usage(&dpx_cmd_rxq_stats_show);
    ck_assert_str_eq(usage, "[--json] [-secs N] [PORT] [DP]");
    free(usage);
}
END_TEST

static Suite *
cmd_suite(void)
{
    Suite *suite = suite_create("cmd");
    TCase *parser = tcase_create("parser");
    TCase *shipped = tcase_create("shipped rows");

    tcase_add_test(parser, words_and_options_come_in_any_order);
    tcase_add_test(parser, what_was_not_given_is_null);
    tcase_add_test(parser, an_option_may_have_a_negative_value);
    tcase_add_test(parser, an_unknown_option_is_quoted);
    tcase_add_test(parser, a_word_too_many_is_quoted);
    tcase_add_test(parser, a_word_too_few_is_said);
    tcase_add_test(parser, an_option_twice_is_refused);
    tcase_add_test(parser, an_option_without_its_value_is_refused);
    tcase_add_test(parser, a_number_within_its_range_is_read);
    tcase_add_test(parser, a_number_that_was_not_given_leaves_the_value);
    tcase_add_test(parser, what_is_no_number_within_its_range_is_quoted);
    tcase_add_test(parser, an_error_always_quotes_a_word);
    suite_add_tcase(suite, parser);

    tcase_add_loop_test(shipped, each_row_is_complete, 0, ARRAY_SIZE(rows));
    tcase_add_test(shipped, usages_are_the_documented_ones);
    suite_add_tcase(suite, shipped);
    return suite;
}

int
main(void)
{
    SRunner *runner = srunner_create(cmd_suite());
    int failed;

    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
