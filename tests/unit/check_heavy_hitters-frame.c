/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests of lib/dpx-heavy-hitters-frame.h: a frame in, its key out. */

#include <config.h>

#include "dpx-heavy-hitters-frame.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "dp-packet.h"
#include "dpx-compat.h"
#include "flow.h"
#include "openvswitch/dynamic-string.h"
#include "openvswitch/ofp-flow.h"
#include "random.h"
#include "util.h"

/* The packet of a flow, as users write it. */
static struct dp_packet *
packet_of(const char *text)
{
    struct dp_packet *packet = dp_packet_new(0);
    struct flow flow;
    char *error = parse_ofp_exact_flow(&flow, NULL, NULL, text, NULL);

    ck_assert_msg(!error, "%s", error);
    dpx_flow_compose(packet, &flow, 64);
    return packet;
}

static void
expect(const char *flow, enum dpx_hh_kind kind, const char *key)
{
    struct dp_packet *packet = packet_of(flow);
    struct ds s = DS_EMPTY_INITIALIZER;
    struct dpx_hh_key k;

    ck_assert(dpx_hh_frame_key(&k, kind, dp_packet_data(packet),
                               dp_packet_size(packet)));
    dpx_hh_key_format(&k, kind, &s);
    ck_assert_str_eq(ds_cstr(&s), key);
    ds_destroy(&s);
    dp_packet_delete(packet);
}

static void
expect_none(const char *flow)
{
    struct dp_packet *packet = packet_of(flow);
    struct dpx_hh_key k;

    ck_assert(!dpx_hh_frame_key(&k, DPX_HH_5TUPLE, dp_packet_data(packet),
                                dp_packet_size(packet)));
    dp_packet_delete(packet);
}

#define TUPLE "nw_src=10.0.0.1,nw_dst=10.0.0.2"
#define PORTS "tp_src=7,tp_dst=80"
#define UDP_PORTS "udp_src=7,udp_dst=80"

START_TEST(ipv4_with_and_without_tags)
{
    expect("tcp," TUPLE "," PORTS, DPX_HH_5TUPLE,
           "tcp," TUPLE "," PORTS);
    expect("udp," TUPLE "," UDP_PORTS, DPX_HH_PAIR, "ip," TUPLE);
    expect("udp," TUPLE "," UDP_PORTS, DPX_HH_DST_IP, "ip,nw_dst=10.0.0.2");
    expect("tcp,dl_vlan=5,dl_vlan_pcp=0," TUPLE "," PORTS, DPX_HH_5TUPLE,
           "tcp," TUPLE "," PORTS);
    expect("udp," TUPLE "," UDP_PORTS, DPX_HH_INNER,
           "udp," TUPLE "," PORTS);
    expect("ip,nw_proto=89," TUPLE, DPX_HH_5TUPLE, "ip,nw_proto=89," TUPLE);
}
END_TEST

START_TEST(ipv6)
{
    expect("tcp6,ipv6_src=fe80::1,ipv6_dst=fe80::2," PORTS, DPX_HH_5TUPLE,
           "tcp6,ipv6_src=fe80::1,ipv6_dst=fe80::2," PORTS);
}
END_TEST

START_TEST(what_is_not_ip_has_no_key)
{
    expect_none("arp,arp_spa=10.0.0.1,arp_tpa=10.0.0.2,arp_op=1");
    expect_none("dl_type=0x1234");
}
END_TEST

/* The short way and the long one agree, and nothing is read beyond the end,
 * which the address sanitizer would see. */
START_TEST(any_bytes_give_what_the_parser_gives)
{
    random_set_seed(3);
    for (int i = 0; i < 100000; i++) {
        size_t size = random_range(80);
        uint8_t *frame = xmalloc(size + 1);
        struct dpx_hh_key a, b;
        size_t ip;

        random_bytes(frame, size);
        if (size > 24 && random_range(4)) {
            memcpy(frame + 12, "\x08\x00\x45", 3);
            frame[20] &= 0x40;
            frame[21] = 0;
            frame[23] = random_range(2) ? 6 : 17;
        }
        ip = dpx_hh_frame_ip(frame, size);
        memset(&a, 0, sizeof a);
        memset(&b, 0, sizeof b);
        ck_assert_int_eq(dpx_hh_frame_key(&a, DPX_HH_5TUPLE, frame, size),
                         ip && dpx_hh_key_parse(&b, DPX_HH_5TUPLE,
                                                frame + ip, size - ip));
        ck_assert(dpx_hh_key_equal(&a, &b));
        free(frame);
    }
}
END_TEST

static Suite *
frame_suite(void)
{
    Suite *suite = suite_create("heavy_hitters-frame");
    TCase *tcase = tcase_create("frame");

    tcase_add_test(tcase, ipv4_with_and_without_tags);
    tcase_add_test(tcase, ipv6);
    tcase_add_test(tcase, what_is_not_ip_has_no_key);
    tcase_add_test(tcase, any_bytes_give_what_the_parser_gives);
    suite_add_tcase(suite, tcase);
    return suite;
}

int
main(void)
{
    SRunner *runner = srunner_create(frame_suite());
    int failed;

    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
