/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests of lib/dpx-flow-outputs.c: actions in, ports out. */

#include <config.h>

#include "dpx-flow-outputs.h"

#include <check.h>
#include <stdlib.h>

#include "netlink.h"
#include "odp-util.h"
#include "openvswitch/dynamic-string.h"
#include "openvswitch/ofpbuf.h"

/* Where the actions, as a user writes them, send to. */
static void
expect(const char *actions, const char *outputs)
{
    struct ds s = DS_EMPTY_INITIALIZER;
    struct ofpbuf buf;

    ofpbuf_init(&buf, 0);
    ck_assert_int_eq(odp_actions_from_string(actions, NULL, &buf), 0);
    dpx_flow_outputs_format(buf.data, buf.size, NULL, &s);
    ck_assert_str_eq(ds_cstr(&s), outputs);
    ds_destroy(&s);
    ofpbuf_uninit(&buf);
}

START_TEST(no_action_drops)
{
    expect("drop", "drop");
    expect("push_vlan(vid=12,pcp=0)", "drop");
}
END_TEST

START_TEST(ports_are_named_once_and_in_order)
{
    expect("1", "1");
    expect("3,1,3,push_vlan(vid=12,pcp=0),2", "3,1,2");
}
END_TEST

START_TEST(packets_that_come_back_say_so)
{
    expect("ct(zone=5),recirc(1)", "recirc");
    expect("tnl_pop(4)", "recirc");
    expect("2,ct(commit),recirc(7)", "2,recirc");
}
END_TEST

START_TEST(what_is_nested_counts)
{
    expect("clone(push_vlan(vid=12,pcp=0),5),6", "5,6");
    expect("sample(sample=50.0%,actions(7))", "7");
    expect("check_pkt_len(size=200,gt(8),le(9))", "8,9");
}
END_TEST

START_TEST(others_than_ports)
{
    expect("lb_output(4)", "bond 4");
    expect("userspace(pid=1)", "userspace");
}
END_TEST

static Suite *
flow_outputs_suite(void)
{
    Suite *suite = suite_create("flow_outputs");
    TCase *tcase = tcase_create("flow_outputs");

    tcase_add_test(tcase, no_action_drops);
    tcase_add_test(tcase, ports_are_named_once_and_in_order);
    tcase_add_test(tcase, packets_that_come_back_say_so);
    tcase_add_test(tcase, what_is_nested_counts);
    tcase_add_test(tcase, others_than_ports);
    suite_add_tcase(suite, tcase);
    return suite;
}

int
main(void)
{
    SRunner *runner = srunner_create(flow_outputs_suite());
    int failed;

    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
