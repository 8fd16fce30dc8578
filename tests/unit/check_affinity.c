/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests of pmd-rxq-affinity: what Open vSwitch takes and what it refuses, and
 * that the word at fault is named. */

#include <config.h>

#include "dpx-affinity.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "openvswitch/dynamic-string.h"
#include "util.h"

/* The list of the test that runs. */
static struct dpx_affinity affinity;

/* 'list' is taken, as the queues and cores of 'expected', "0>1 3>8". */
static void
expect_taken(const char *list, const char *expected)
{
    char *error = dpx_affinity_parse(list, &affinity);
    struct ds s = DS_EMPTY_INITIALIZER;

    ck_assert_msg(!error, "'%s': %s", list, error);
    for (size_t i = 0; i < affinity.n; i++) {
        ds_put_format(&s, "%s%d>%d", i ? " " : "", affinity.entries[i].queue,
                      affinity.entries[i].core);
    }
    ck_assert_str_eq(ds_cstr(&s), expected);
    ds_destroy(&s);
    dpx_affinity_destroy(&affinity);
}

static void
expect_refused(const char *list, const char *expected)
{
    char *error = dpx_affinity_parse(list, &affinity);

    ck_assert_msg(error, "'%s' is taken", list);
    ck_assert_str_eq(error, expected);
    ck_assert_uint_eq(affinity.n, 0);
    ck_assert_ptr_null(affinity.entries);
    free(error);
}

/* Null: nothing to say. */
static void
expect_remarks(const char *list, int n_rxq, const char *expected)
{
    char *error = dpx_affinity_parse(list, &affinity);
    char *remarks;

    ck_assert_msg(!error, "%s", error);
    remarks = dpx_affinity_remarks(&affinity, n_rxq);
    if (expected) {
        ck_assert_ptr_nonnull(remarks);
        ck_assert_str_eq(remarks, expected);
    } else {
        ck_assert_msg(!remarks, "%s", remarks);
    }
    free(remarks);
    dpx_affinity_destroy(&affinity);
}

START_TEST(no_list_is_an_empty_list)
{
    expect_taken(NULL, "");
    expect_taken("", "");
    expect_taken(" , ,", "");
}
END_TEST

START_TEST(lists_that_open_vswitch_takes)
{
    expect_taken("0:3", "0>3");
    expect_taken("0:3,1:7,2:2,3:8", "0>3 1>7 2>2 3>8");
    expect_taken("0:3, 1:7", "0>3 1>7");
    expect_taken("0:3 1:7", "0>3 1>7");
    expect_taken("0=3,1(7)", "0>3 1>7");
    expect_taken(",0:3,,", "0>3");
}
END_TEST

START_TEST(octal_and_hexadecimal_are_what_they_are_in_c)
{
    expect_taken("0:010,1:0x1", "0>8 1>1");
}
END_TEST

START_TEST(C4_the_offending_word_is_quoted)
{
    expect_refused("0:1,1", "\"1\" is not QUEUE:CORE");
    expect_refused("0:1,1:", "\"1:\" is not QUEUE:CORE");
    expect_refused("0-1", "\"0-1\" is not QUEUE:CORE");
    expect_refused("0:1;1:2", "'1;1:2' in \"0:1;1:2\" is not a core");
    expect_refused("0:-1", "'-1' in \"0:-1\" is not a core");
    expect_refused("-1:0", "'-1' in \"-1:0\" is not an rx queue");
    expect_refused("0:1,1:x,2:y", "'x' in \"1:x\" is not a core");
    expect_refused("q0:1", "'q0' in \"q0:1\" is not an rx queue");
    expect_refused(":1", "'' in \":1\" is not an rx queue");
    expect_refused("0:1-2", "'1-2' in \"0:1-2\" is not a core");
    expect_refused("0:1,2(x)", "'x' in \"2(x)\" is not a core");
    expect_refused("0:99999999999",
                   "'99999999999' in \"0:99999999999\" is not a core");
    expect_refused("0:08", "'08' in \"0:08\" is not a core");
}
END_TEST

START_TEST(entry_after_entry_is_read_to_the_end)
{
    expect_refused("0:1,1:2,2:3,3:4,4:5,5:6,6:7,7", "\"7\" is not QUEUE:CORE");
}
END_TEST

START_TEST(good_list_has_no_remark)
{
    expect_remarks("0:3,1:7", 2, NULL);
    expect_remarks("0:3,1:3", 4, NULL);
    expect_remarks(NULL, 0, NULL);
}
END_TEST

START_TEST(queue_named_twice)
{
    expect_remarks("0:1,0:0", 2, "\"0:1\" has no effect, because \"0:0\" "
                   "comes later");
    expect_remarks("0:1,0x0:2,00:3", 1, "\"0:1\" has no effect, because "
                   "\"00:3\" comes later; \"0x0:2\" has no effect, because "
                   "\"00:3\" comes later");
}
END_TEST

START_TEST(queue_that_the_port_does_not_have)
{
    expect_remarks("0:2,4:1", 4, "\"4:1\" has no effect, because the port has "
                   "4 rx queues");
    expect_remarks("0:2,1:1", 1, "\"1:1\" has no effect, because the port has "
                   "1 rx queue");
}
END_TEST

static Suite *
affinity_suite(void)
{
    Suite *suite = suite_create("affinity");
    TCase *tcase = tcase_create("affinity");

    tcase_add_test(tcase, no_list_is_an_empty_list);
    tcase_add_test(tcase, lists_that_open_vswitch_takes);
    tcase_add_test(tcase, octal_and_hexadecimal_are_what_they_are_in_c);
    tcase_add_test(tcase, C4_the_offending_word_is_quoted);
    tcase_add_test(tcase, entry_after_entry_is_read_to_the_end);
    tcase_add_test(tcase, good_list_has_no_remark);
    tcase_add_test(tcase, queue_named_twice);
    tcase_add_test(tcase, queue_that_the_port_does_not_have);
    suite_add_tcase(suite, tcase);
    return suite;
}

int
main(void)
{
    SRunner *runner = srunner_create(affinity_suite());
    int failed;

    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
