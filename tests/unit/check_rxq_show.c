/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests of the reader of pmd-rxq-show: every format, every way to spoil it.
 * (Whole outputs of operators are in tests/offline/.) */

#include <config.h>

#include "dpx-rxq-show.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "dpx-view.h"
#include "random.h"
#include "util.h"

/* What the last text gave. */
static struct dpx_rxq_show *show;

static void
given(const char *text)
{
    char *error;

    dpx_rxq_show_destroy(show);
    error = dpx_rxq_show_parse(text, strlen(text), &show);
    ck_assert_msg(!error, "%s", error);
}

static void
expect_error(const char *text, const char *expected)
{
    char *error;

    dpx_rxq_show_destroy(show);
    error = dpx_rxq_show_parse(text, strlen(text), &show);
    ck_assert_msg(error, "accepted instead of: %s", expected);
    ck_assert_ptr_null(show);
    ck_assert_msg(strstr(error, expected), "'%s' has no '%s'", error,
                  expected);
    free(error);
}

static void
expect_pmd(size_t i, unsigned int core, int numa)
{
    ck_assert_uint_lt(i, show->n_pmds);
    ck_assert_uint_eq(show->pmds[i].core_id, core);
    ck_assert_int_eq(show->pmds[i].numa_id, numa);
}

static void
expect_rxq(size_t i, const char *port, int queue, unsigned int core,
           double percent)
{
    const struct dpx_rxq_show_rxq *rxq = &show->rxqs[i];

    ck_assert_uint_lt(i, show->n_rxqs);
    ck_assert_str_eq(rxq->port, port);
    ck_assert_int_eq(rxq->queue_id, queue);
    ck_assert_uint_eq(show->pmds[rxq->pmd].core_id, core);
    ck_assert_double_eq_tol(rxq->usage * (rxq->usage < 0 ? 1 : 100), percent,
                            1e-9);
}

static void
expect_note(const char *part)
{
    for (size_t i = 0; i < show->notes.n; i++) {
        if (strstr(show->notes.names[i], part)) {
            return;
        }
    }
    ck_abort_msg("no note has '%s'", part);
}

#define PMD(CORE) "pmd thread numa_id 0 core_id " CORE ":\n"
#define UNKNOWN DPX_LOAD_UNKNOWN

START_TEST(format_2_5_has_ports_only)
{
    given(PMD("13") "\tport: a\tqueue-id: 1\n\tport: b\tqueue-id: 3\n"
          PMD("2") "\tport: a\tqueue-id: 0\n");
    ck_assert_uint_eq(show->n_pmds, 2);
    expect_pmd(0, 13, 0);
    ck_assert_uint_eq(show->n_rxqs, 3);
    expect_rxq(1, "b", 3, 13, UNKNOWN);
    ck_assert_str_eq(dpx_rxq_show_release(show), "2.5 or earlier");
}
END_TEST

START_TEST(format_2_6_has_several_queues_in_a_line)
{
    given(PMD("1") "\tisolated : true\n\tport: dpdk0\tqueue-id: 0 1 2\n"
          "\tport: dpdk1\tqueue-id: 7\n");
    ck_assert_uint_eq(show->n_rxqs, 4);
    expect_rxq(2, "dpdk0", 2, 1, UNKNOWN);
    expect_rxq(3, "dpdk1", 7, 1, UNKNOWN);
    ck_assert_int_eq(show->pmds[0].isolated, DPX_SAID_YES);
    ck_assert(!show->has_usage);
    ck_assert_str_eq(dpx_rxq_show_release(show), "2.6 to 2.8");
}
END_TEST

START_TEST(format_2_9_has_usage)
{
    given(PMD("4") "\tisolated : false\n"
          "\tport: p0              \tqueue-id:  0\tpmd usage: 70 %\n"
          "\tport: p1              \tqueue-id:  1\tpmd usage: NOT AVAIL\n");
    expect_rxq(0, "p0", 0, 4, 70);
    expect_rxq(1, "p1", 1, 4, UNKNOWN);
    ck_assert(show->rxqs[1].not_avail);
    ck_assert(!show->rxqs[0].not_avail);
    ck_assert_str_eq(dpx_rxq_show_release(show), "2.9 to 2.11");
}
END_TEST

START_TEST(format_2_12_has_enabled)
{
    given(PMD("4") "  isolated : false\n"
          "  port: p0     queue-id:  0 (enabled)   pmd usage:  1 %\n"
          "  port: p0     queue-id:  1 (disabled)  pmd usage:  0 %\n");
    ck_assert_int_eq(show->rxqs[0].enabled, DPX_SAID_YES);
    ck_assert_int_eq(show->rxqs[1].enabled, DPX_SAID_NO);
    ck_assert_str_eq(dpx_rxq_show_release(show), "2.12 to 2.15");
}
END_TEST

START_TEST(format_2_16_has_overhead)
{
    given(PMD("4") "  isolated : false\n"
          "  port: p0     queue-id:  0 (enabled)   pmd usage:  1 %\n"
          "  overhead:  3 %\n" PMD("5") "  isolated : true\n"
          "  overhead: NOT AVAIL\n" PMD("6") "  isolated : false\n");
    ck_assert_double_eq_tol(show->pmds[0].overhead, 0.03, 1e-9);
    ck_assert(show->pmds[1].overhead < 0);
    ck_assert_uint_eq(show->n_pmds, 3);
    ck_assert_str_eq(dpx_rxq_show_release(show), "2.16 to 3.0");
}
END_TEST

START_TEST(format_3_1_has_a_heading)
{
    given("Displaying last 10 seconds pmd usage %\n" PMD("4")
          "  isolated : false\n"
          "  port: p0     queue-id:  0 (enabled)   pmd usage: 98 %\n");
    ck_assert_uint_eq(show->seconds, 10);
    expect_rxq(0, "p0", 0, 4, 98);
    ck_assert_str_eq(dpx_rxq_show_release(show), "3.1 or later");
}
END_TEST

START_TEST(long_names_have_no_blank_to_spare)
{
    given(PMD("4") "  port: a.very-long_name.1234 queue-id: 10 (enabled) "
          "pmd usage: 98 %\n");
    expect_rxq(0, "a.very-long_name.1234", 10, 4, 98);
}
END_TEST

/* Where a terminal of any width breaks the lines, the same is read. */
START_TEST(any_width_of_terminal_reads_the_same)
{
    static const char text[] =
        "pmd thread numa_id 1 core_id 111:\n"
        "  isolated : false\n"
        "  port: enp97s0           queue-id:  0 (enabled)   pmd usage: 98 %\n"
        "  port: vhu66fd66d-2b     queue-id: 12 (disabled)  pmd usage: 41 %\n"
        "  overhead:  1 %\n";
    char out[1024];

    for (size_t width = 20; width < 80; width++) {
        size_t n = 0, column = 0;

        for (size_t i = 0; i < strlen(text); i++) {
            if (column == width && text[i] != '\n') {
                out[n++] = '\n';
                column = 0;
            }
            out[n++] = text[i];
            column = text[i] == '\n' ? 0 : column + 1;
        }
        out[n] = '\0';
        given(out);
        ck_assert_msg(show->n_rxqs == 2, "width %"PRIuSIZE, width);
        expect_pmd(0, 111, 1);
        ck_assert_str_eq(show->rxqs[0].port, "enp97s0");
        ck_assert_int_eq(show->rxqs[1].queue_id, 12);
        ck_assert_msg(show->rxqs[0].usage == 0.98
                      && show->rxqs[1].usage == 0.41, "width %"PRIuSIZE": "
                      "%g %g", width, show->rxqs[0].usage,
                      show->rxqs[1].usage);
        ck_assert_int_eq(show->rxqs[1].enabled, DPX_SAID_NO);
    }
}
END_TEST

/* Lines that end too early lose what was behind, and nothing else. */
START_TEST(cut_lines_keep_what_is_left)
{
    given(PMD("4")
          "  port: p0             queue-id:  0 (enabled)   pmd us\n"
          "  port: p1             queue-id:  0 (ena\n"
          "  port: p2             queue-id:  0 (enabled)   pmd\n"
          "  port: p3             queue-id:  0 (enabled)   pmd usage:\n"
          "  port: p4             queue-id:  0 (enabled)   pmd usage: 7 %\n");
    ck_assert_uint_eq(show->n_rxqs, 5);
    for (int i = 0; i < 4; i++) {
        ck_assert(show->rxqs[i].usage < 0);
    }
    expect_rxq(4, "p4", 0, 4, 7);
    expect_note("line 2 is cut");
    expect_note("line 3 is cut");
    expect_note("line 4 is cut");
    expect_note("line 5 is cut");
}
END_TEST

START_TEST(queue_without_id_is_left_out_loudly)
{
    given(PMD("4") "  port: p0             que\n"
          "  port: p1             queue-id:  0 (enabled)   pmd usage: 7 %\n");
    ck_assert_uint_eq(show->n_rxqs, 1);
    ck_assert(show->incomplete);
    expect_note("port 'p0' has no queue id");
}
END_TEST

START_TEST(prompts_comments_and_quotes_are_stepped_over)
{
    given("# a comment\n[root@host ~]# ovs-appctl dpif-netdev/pmd-rxq-show\n"
          "> pmd thread numa_id 0 core_id 4:\n"
          ">   port: p0  queue-id: 0  pmd usage: 3 %\n"
          "--\n...\n```\nroot@host:~$ exit\n");
    expect_rxq(0, "p0", 0, 4, 3);
    ck_assert_uint_eq(show->n_pmds, 1);
}
END_TEST

START_TEST(carriage_returns_and_hard_blanks_are_blanks)
{
    given("pmd thread numa_id 0 core_id 4:\r\n"
          "\xc2\xa0 port:\xc2\xa0p0  queue-id: 0  pmd usage: 3 %\r\n");
    expect_rxq(0, "p0", 0, 4, 3);
}
END_TEST

START_TEST(retyped_text_is_read_and_noted)
{
    given("numa_id 0 core_id 2:\nisolated: false\n"
          "port: p, queue-id: 3 (enabled), pmd usage: 15%, overhead: 2%\n");
    expect_rxq(0, "p", 3, 2, 15);
    expect_note("without 'pmd thread'");
    expect_note("commas");
    expect_note("'overhead' on the line of a queue");
}
END_TEST

START_TEST(blanks_may_be_missing)
{
    given("pmd thread numa_id 0 core_id 4:\nisolated:true\n"
          "port:p0 queue-id:5 (enabled) pmd usage:98%\noverhead:1%\n");
    expect_rxq(0, "p0", 5, 4, 98);
    ck_assert_int_eq(show->pmds[0].isolated, DPX_SAID_YES);
    ck_assert_double_eq_tol(show->pmds[0].overhead, 0.01, 1e-9);
}
END_TEST

START_TEST(last_of_several_outputs_counts)
{
    given("$ ovs-appctl dpif-netdev/pmd-rxq-show\n" PMD("1") PMD("2")
          "  port: p0  queue-id: 0  pmd usage: 90 %\n"
          "$ ovs-appctl dpif-netdev/pmd-rxq-show\n" PMD("2") PMD("1")
          "  port: p0  queue-id: 0  pmd usage: 9 %\n");
    ck_assert_uint_eq(show->n_pmds, 2);
    expect_pmd(0, 2, 0);
    ck_assert_uint_eq(show->n_rxqs, 1);
    expect_rxq(0, "p0", 0, 1, 9);
    expect_note("the last one, from line 6 on, counts");
}
END_TEST

START_TEST(parts_of_one_output_are_put_together)
{
    given("$ ovs-appctl dpif-netdev/pmd-rxq-show -pmd 1\n" PMD("1")
          "  port: p0  queue-id: 0  pmd usage: 90 %\n"
          "$ ovs-appctl dpif-netdev/pmd-rxq-show -pmd 2\n" PMD("2")
          "  port: p0  queue-id: 1  pmd usage: 9 %\n");
    ck_assert_uint_eq(show->n_pmds, 2);
    ck_assert_uint_eq(show->n_rxqs, 2);
}
END_TEST

START_TEST(statistics_in_the_same_text_are_stepped_over)
{
    given(PMD("1") "  isolated : false\n"
          "  port: p0  queue-id: 0  pmd usage: 90 %\n"
          PMD("1") "  packets received: 7\n  idle cycles: 3 (1 %)\n"
          "main thread:\n  packets received: 7\n");
    ck_assert_uint_eq(show->n_pmds, 1);
    expect_rxq(0, "p0", 0, 1, 90);
}
END_TEST

START_TEST(more_than_all_is_held_and_doubted)
{
    given(PMD("1") "  port: p0  queue-id: 0  pmd usage: 250 %\n");
    expect_rxq(0, "p0", 0, 1, 100);
    ck_assert(show->low_confidence);
    expect_note("250 % is taken as 100 %");
    given(PMD("1") "  port: p0  queue-id: 0  pmd usage: 70 %\n"
          "  port: p1  queue-id: 0  pmd usage: 70 %\n");
    ck_assert(show->low_confidence);
}
END_TEST

START_TEST(fractions_are_not_truncated)
{
    given(PMD("1") "  port: p0  queue-id: 0  pmd usage: 0.6 %\n");
    expect_rxq(0, "p0", 0, 1, 0.6);
}
END_TEST

START_TEST(errors_quote_line_and_word)
{
    expect_error("", "there is no PMD in the text");
    expect_error("please specify an existing datapath\n",
                 "line 1: 'please specify an existing datapath': not a "
                 "userspace datapath");
    expect_error("2026-01-01|ovs-appctl: cannot connect to \"x.ctl\"\n",
                 "ovs-vswitchd was not running");
    expect_error("hello\n", "line 1: expected 'pmd thread numa_id N core_id "
                 "N:', not 'hello'");
    expect_error(PMD("1") "  isolated : maybe\n",
                 "line 2: expected 'true' or 'false', not 'maybe'");
    expect_error("pmd thread numa_id x core_id 1:\n", "not 'x'");
    expect_error("pmd thread numa_id 0 core_id 99999:\n", "not '99999:'");
    expect_error("pmd thread numa_id 0 core_id -1:\n", "not '-1:'");
    expect_error("pmd thread numa_id 0\n",
                 "line 1: the text ends where 'core_id' is expected");
    expect_error(PMD("1") "  port: p0 queue-id: 70000\n", "not '70000'");
    expect_error(PMD("1") "  port: p0 queue-id: 0 pmd usage: lots %\n",
                 "line 2: expected a percentage or 'NOT AVAIL', not 'lots'");
    expect_error(PMD("1") "  port: p0 queue-id: 0 pmd usage: -5 %\n",
                 "not '-5'");
    expect_error(PMD("1") "  port: p0 queue-id: 0 pmd usage: 5 %\n"
                 "  cuckoo\n", "line 3: expected 'pmd thread', 'isolated', "
                 "'port' or 'overhead', not 'cuckoo'");
    expect_error("Displaying last x seconds\n", "not 'x'");
    expect_error(PMD("1") "  packets received: 1\n", "give it with --stats");
}
END_TEST

START_TEST(queue_on_two_pmds_cannot_be)
{
    expect_error(PMD("1") " port: p0 queue-id: 0\n"
                 PMD("2") " port: p0 queue-id: 0\n",
                 "line 4: queue 0 of port 'p0' is listed twice, first in "
                 "line 2");
}
END_TEST

/* Whatever is done to a good text, it is read or refused with a word. */
START_TEST(spoiled_texts_never_pass_silently)
{
    static const char good[] =
        "Displaying last 60 seconds pmd usage %\n" PMD("1")
        "  isolated : false\n"
        "  port: p0     queue-id:  0 (enabled)   pmd usage: 98 %\n"
        "  overhead:  1 %\n";
    char text[sizeof good];

    random_set_seed(20240229);
    for (int i = 0; i < 20000; i++) {
        char *error;

        memcpy(text, good, sizeof good);
        for (int j = random_range(4); j >= 0; j--) {
            text[random_range(sizeof good - 1)] = random_range(256);
        }
        error = dpx_rxq_show_parse(text, sizeof good - 1, &show);
        ck_assert_msg(!error == !!show, "seed 20240229, text %d", i);
        ck_assert_msg(!error || *error, "seed 20240229, text %d", i);
        free(error);
        dpx_rxq_show_destroy(show);
        show = NULL;
    }
}
END_TEST

int
main(void)
{
    Suite *suite = suite_create("rxq-show");
    TCase *formats = tcase_create("formats");
    TCase *pasted = tcase_create("pasted");
    TCase *refused = tcase_create("refused");
    SRunner *runner;
    int failed;

    tcase_add_test(formats, format_2_5_has_ports_only);
    tcase_add_test(formats, format_2_6_has_several_queues_in_a_line);
    tcase_add_test(formats, format_2_9_has_usage);
    tcase_add_test(formats, format_2_12_has_enabled);
    tcase_add_test(formats, format_2_16_has_overhead);
    tcase_add_test(formats, format_3_1_has_a_heading);
    tcase_add_test(formats, long_names_have_no_blank_to_spare);
    tcase_add_test(pasted, any_width_of_terminal_reads_the_same);
    tcase_add_test(pasted, cut_lines_keep_what_is_left);
    tcase_add_test(pasted, queue_without_id_is_left_out_loudly);
    tcase_add_test(pasted, prompts_comments_and_quotes_are_stepped_over);
    tcase_add_test(pasted, carriage_returns_and_hard_blanks_are_blanks);
    tcase_add_test(pasted, retyped_text_is_read_and_noted);
    tcase_add_test(pasted, blanks_may_be_missing);
    tcase_add_test(pasted, last_of_several_outputs_counts);
    tcase_add_test(pasted, parts_of_one_output_are_put_together);
    tcase_add_test(pasted, statistics_in_the_same_text_are_stepped_over);
    tcase_add_test(pasted, more_than_all_is_held_and_doubted);
    tcase_add_test(pasted, fractions_are_not_truncated);
    tcase_add_test(refused, errors_quote_line_and_word);
    tcase_add_test(refused, queue_on_two_pmds_cannot_be);
    tcase_add_test(refused, spoiled_texts_never_pass_silently);
    suite_add_tcase(suite, formats);
    suite_add_tcase(suite, pasted);
    suite_add_tcase(suite, refused);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
