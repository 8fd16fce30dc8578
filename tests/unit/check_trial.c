/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests of lib/dpx-trial.c: which trials are believed, and what is said of
 * the others. */

#include <config.h>

#include "dpx-trial.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "util.h"

static void
judged(struct dpx_trial_counts c, const char *word)
{
    char *reason = dpx_trial_check(&c, &dpx_trial_limits_default);

    if (!word) {
        ck_assert_msg(!reason, "refused: %s", reason);
    } else {
        ck_assert_ptr_nonnull(reason);
        ck_assert_msg(strstr(reason, word), "'%s' not in: %s", word, reason);
    }
    free(reason);
}

START_TEST(trial_is_valid_or_says_why_not)
{
    struct dpx_trial_counts good = { 1e6, 1, 1, 1e6, 9e5, 0, 1e5, 10 };
    struct dpx_trial_counts c = good;

    judged(c, NULL);
    c.steal_ms = c.duplicates = c.dropped = NAN;        /* Not known. */
    judged(c, NULL);
    c = good;
    c.measured = 1.2;
    judged(c, "1.200 s instead of 1.000 s");
    c = good;
    c.sent = 9.8e5;
    judged(c, "sent 980000 of 1000000");
    c.sent = 1.02e6;
    judged(c, "1020000");
    c = good;
    c.received = 1000001;
    judged(c, "1 packets more");
    c = good;
    c.duplicates = 3;
    judged(c, "3 packets came back twice");
    c = good;
    c.steal_ms = 51;
    judged(c, "51 ms");
    c = good;
    c.received = NAN;
    judged(c, "nothing was counted");
    c = (struct dpx_trial_counts) { 10, 1, 1, 0, 0, 0, 0, 0 };
    judged(c, "nothing was sent");
}
END_TEST

START_TEST(trial_accounts_for_packets)
{
    struct dpx_trial_counts c = { 1e6, 1, 1, 1000, 900, 0, 90, 0 };

    ck_assert_double_eq_tol(dpx_trial_loss(&c), 0.1, 1e-9);
    ck_assert_double_eq(dpx_trial_unaccounted(&c), 10);
    c.dropped = NAN;
    ck_assert(isnan(dpx_trial_unaccounted(&c)));
}
END_TEST

static Suite *
trial_suite(void)
{
    Suite *suite = suite_create("trial");
    TCase *tcase = tcase_create("trial");

    tcase_add_test(tcase, trial_is_valid_or_says_why_not);
    tcase_add_test(tcase, trial_accounts_for_packets);
    suite_add_tcase(suite, tcase);
    return suite;
}

int
main(void)
{
    SRunner *runner = srunner_create(trial_suite());
    int failed;

    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
