/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests of lib/dpx-ukey.c alone: who asks gets what the upcall layer says. */

#include <config.h>

#include "dpx-ukey.h"

#include <check.h>
#include <stdlib.h>

static const ovs_u128 ufid = { { 1, 2, 3, 4 } };
static int calls;

static enum dpx_ukey_clone
upcall_layer(void *aux, const ovs_u128 *asked, unsigned from, unsigned to)
{
    calls++;
    ck_assert_ptr_eq(aux, &calls);
    ck_assert_ptr_eq(asked, &ufid);
    return from == 3 && to == 5 ? DPX_UKEY_CLONED : DPX_UKEY_FULL;
}

START_TEST(without_an_upcall_layer_nothing_is_copied)
{
    ck_assert_int_eq(dpx_ukey_clone(&calls, &ufid, 3, 5), DPX_UKEY_NONE);
}
END_TEST

START_TEST(the_upcall_layer_answers)
{
    dpx_ukey_register(upcall_layer);
    ck_assert_int_eq(dpx_ukey_clone(&calls, &ufid, 3, 5), DPX_UKEY_CLONED);
    ck_assert_int_eq(dpx_ukey_clone(&calls, &ufid, 5, 3), DPX_UKEY_FULL);
    ck_assert_int_eq(calls, 2);
}
END_TEST

static Suite *
ukey_suite(void)
{
    Suite *suite = suite_create("ukey");
    TCase *tcase = tcase_create("ukey");

    tcase_add_test(tcase, without_an_upcall_layer_nothing_is_copied);
    tcase_add_test(tcase, the_upcall_layer_answers);
    suite_add_tcase(suite, tcase);
    return suite;
}

int
main(void)
{
    SRunner *runner = srunner_create(ukey_suite());
    int failed;

    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
