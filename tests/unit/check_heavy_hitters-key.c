/* SPDX-License-Identifier: Apache-2.0
 *
 * Keys of heavy hitters: from fields, from a packet's bytes, as text. */

#include <config.h>
#include "heavy-hitters-vocabulary.h"

#include "openvswitch/dynamic-string.h"

/* A packet under construction, from the IP header on. */
static uint8_t packet[512];
static size_t size;

static void
put(const void *bytes, size_t n)
{
    ck_assert_uint_le(size + n, sizeof packet);
    memcpy(packet + size, bytes, n);
    size += n;
}

static void
put_zeros(size_t n)
{
    static const uint8_t zeros[64];

    put(zeros, n);
}

static void
given_nothing(void)
{
    size = 0;
}

/* 10.0.0.'src' to 10.0.0.'dst'. */
static void
given_ipv4(uint8_t src, uint8_t dst, uint8_t proto, uint16_t fragment)
{
    uint8_t ip[20] = { 0x45, [6] = fragment >> 8, [7] = fragment, [9] = proto,
                       [12] = 10, [15] = src, [16] = 10, [19] = dst };

    put(ip, sizeof ip);
}

/* 2001:db8::'src' to 2001:db8::'dst'. */
static void
given_ipv6(uint8_t src, uint8_t dst, uint8_t next)
{
    uint8_t ip[40] = { 0x60, [6] = next,
                       [8] = 0x20, 0x01, 0x0d, 0xb8, [23] = src,
                       [24] = 0x20, 0x01, 0x0d, 0xb8, [39] = dst };

    put(ip, sizeof ip);
}

static void
given_ports(uint16_t src, uint16_t dst)
{
    uint8_t l4[8] = { src >> 8, src, dst >> 8, dst };

    put(l4, sizeof l4);
}

static void
given_ethernet(uint16_t type)
{
    uint8_t bytes[2] = { type >> 8, type };

    put_zeros(12);
    put(bytes, sizeof bytes);
}

/* What 'kind' makes of the packet, as text; "" if it has no key. */
static const char *
as_text(enum dpx_hh_kind kind)
{
    static struct ds s = DS_EMPTY_INITIALIZER;
    struct dpx_hh_key key;

    ds_clear(&s);
    ds_put_cstr(&s, "");
    if (dpx_hh_key_parse(&key, kind, packet, size)) {
        dpx_hh_key_format(&key, kind, &s);
    }
    return ds_cstr(&s);
}

START_TEST(each_kind_takes_its_part_of_ipv4)
{
    given_ipv4(1, 2, 6, 0);
    given_ports(1000, 80);
    ck_assert_str_eq(as_text(DPX_HH_5TUPLE), "tcp,nw_src=10.0.0.1,"
                     "nw_dst=10.0.0.2,tp_src=1000,tp_dst=80");
    ck_assert_str_eq(as_text(DPX_HH_INNER), as_text(DPX_HH_5TUPLE));
    ck_assert_str_eq(as_text(DPX_HH_SRC_IP), "ip,nw_src=10.0.0.1");
    ck_assert_str_eq(as_text(DPX_HH_DST_IP), "ip,nw_dst=10.0.0.2");
    ck_assert_str_eq(as_text(DPX_HH_PAIR),
                     "ip,nw_src=10.0.0.1,nw_dst=10.0.0.2");
}
END_TEST

START_TEST(each_kind_takes_its_part_of_ipv6)
{
    given_ipv6(1, 2, 17);
    given_ports(53, 5353);
    ck_assert_str_eq(as_text(DPX_HH_5TUPLE), "udp6,ipv6_src=2001:db8::1,"
                     "ipv6_dst=2001:db8::2,tp_src=53,tp_dst=5353");
    ck_assert_str_eq(as_text(DPX_HH_SRC_IP), "ipv6,ipv6_src=2001:db8::1");
    ck_assert_str_eq(as_text(DPX_HH_DST_IP), "ipv6,ipv6_dst=2001:db8::2");
    ck_assert_str_eq(as_text(DPX_HH_PAIR), "ipv6,ipv6_src=2001:db8::1,"
                     "ipv6_dst=2001:db8::2");
}
END_TEST

START_TEST(what_a_kind_leaves_out_makes_no_difference)
{
    struct dpx_hh_key a, b;

    dpx_hh_key_ipv4(&a, DPX_HH_SRC_IP, htonl(1), htonl(2), 6, htons(3), 4);
    dpx_hh_key_ipv4(&b, DPX_HH_SRC_IP, htonl(1), htonl(9), 17, htons(8), 7);
    ck_assert(dpx_hh_key_equal(&a, &b));
    dpx_hh_key_ipv4(&b, DPX_HH_SRC_IP, htonl(2), htonl(2), 6, htons(3), 4);
    ck_assert(!dpx_hh_key_equal(&a, &b));
    dpx_hh_key_ipv4(&a, DPX_HH_PAIR, htonl(1), htonl(2), 6, htons(3), 4);
    dpx_hh_key_ipv4(&b, DPX_HH_PAIR, htonl(2), htonl(1), 6, htons(3), 4);
    ck_assert(!dpx_hh_key_equal(&a, &b));
}
END_TEST

START_TEST(protocols_without_ports_have_none)
{
    given_ipv4(1, 2, 1, 0);
    given_ports(0x0800, 0x1234);
    ck_assert_str_eq(as_text(DPX_HH_5TUPLE),
                     "ip,nw_proto=1,nw_src=10.0.0.1,nw_dst=10.0.0.2");
}
END_TEST

START_TEST(a_later_fragment_has_no_ports)
{
    given_ipv4(1, 2, 17, 0x2000);       /* The first one has. */
    given_ports(7, 8);
    ck_assert_str_eq(as_text(DPX_HH_5TUPLE), "udp,nw_src=10.0.0.1,"
                     "nw_dst=10.0.0.2,tp_src=7,tp_dst=8");
    given_nothing();
    given_ipv4(1, 2, 17, 0x2001);
    given_ports(7, 8);
    ck_assert_str_eq(as_text(DPX_HH_5TUPLE), "udp,nw_src=10.0.0.1,"
                     "nw_dst=10.0.0.2,tp_src=0,tp_dst=0");
    given_nothing();
    given_ipv6(1, 2, 44);
    put((uint8_t[8]) { 6, 0, 0x00, 0x09 }, 8);
    given_ports(7, 8);
    ck_assert_str_eq(as_text(DPX_HH_5TUPLE), "tcp6,ipv6_src=2001:db8::1,"
                     "ipv6_dst=2001:db8::2,tp_src=0,tp_dst=0");
}
END_TEST

START_TEST(extension_headers_are_skipped)
{
    given_ipv6(1, 2, 0);
    put((uint8_t[16]) { 43, 1 }, 16);   /* Hop by hop, 16 bytes. */
    put((uint8_t[8]) { 60, 0 }, 8);     /* Routing. */
    put((uint8_t[8]) { 51, 0 }, 8);     /* Destination options. */
    put((uint8_t[16]) { 44, 2 }, 16);   /* Authentication, 16 bytes. */
    put((uint8_t[8]) { 6, 0 }, 8);      /* First and only fragment. */
    given_ports(5, 6);
    ck_assert_str_eq(as_text(DPX_HH_5TUPLE), "tcp6,ipv6_src=2001:db8::1,"
                     "ipv6_dst=2001:db8::2,tp_src=5,tp_dst=6");
}
END_TEST

/* Inner packet: 10.0.0.3:33 to 10.0.0.4:44. */
static const char inner[] = "tcp,nw_src=10.0.0.3,nw_dst=10.0.0.4,tp_src=33,"
                            "tp_dst=44";

static void
given_inner(void)
{
    given_ipv4(3, 4, 6, 0);
    given_ports(33, 44);
}

START_TEST(the_packet_inside_vxlan_is_found)
{
    given_ipv4(1, 2, 17, 0);
    given_ports(999, 4789);
    put_zeros(8);
    given_ethernet(0x0800);
    given_inner();
    ck_assert_str_eq(as_text(DPX_HH_INNER), inner);
    ck_assert_str_eq(as_text(DPX_HH_5TUPLE), "udp,nw_src=10.0.0.1,"
                     "nw_dst=10.0.0.2,tp_src=999,tp_dst=4789");
}
END_TEST

START_TEST(the_packet_inside_vxlan_over_ipv6_with_a_tag_is_found)
{
    given_ipv6(1, 2, 17);
    given_ports(999, 4789);
    put_zeros(8);
    given_ethernet(0x8100);
    put((uint8_t[4]) { 0, 5, 0x08, 0x00 }, 4);
    given_inner();
    ck_assert_str_eq(as_text(DPX_HH_INNER), inner);
}
END_TEST

START_TEST(the_packet_inside_geneve_is_found_behind_its_options)
{
    given_ipv4(1, 2, 17, 0);
    given_ports(999, 6081);
    put((uint8_t[8]) { 3, 0, 0x65, 0x58 }, 8);
    put_zeros(12);
    given_ethernet(0x0800);
    given_inner();
    ck_assert_str_eq(as_text(DPX_HH_INNER), inner);
}
END_TEST

START_TEST(the_packet_inside_gre_is_found_behind_its_fields)
{
    given_ipv4(1, 2, 47, 0);
    put((uint8_t[4]) { 0xb0, 0, 0x08, 0x00 }, 4);
    put_zeros(12);                      /* Checksum, key, sequence. */
    given_inner();
    ck_assert_str_eq(as_text(DPX_HH_INNER), inner);
}
END_TEST

START_TEST(the_packet_inside_ip_is_found)
{
    given_ipv6(1, 2, 4);
    given_inner();
    ck_assert_str_eq(as_text(DPX_HH_INNER), inner);
}
END_TEST

START_TEST(a_tunnel_without_ip_inside_counts_as_itself)
{
    given_ipv4(1, 2, 17, 0);
    given_ports(999, 4789);
    put_zeros(8);
    given_ethernet(0x0806);
    put_zeros(28);
    ck_assert_str_eq(as_text(DPX_HH_INNER), "udp,nw_src=10.0.0.1,"
                     "nw_dst=10.0.0.2,tp_src=999,tp_dst=4789");
}
END_TEST

/* The bytes are in memory of their own, so that reading beyond them shows
 * under AddressSanitizer. */
START_TEST(no_packet_is_too_short)
{
    struct dpx_hh_key before = key_of(1);

    given_ipv6(1, 2, 0);
    put((uint8_t[8]) { 17, 0 }, 8);
    given_ports(999, 6081);
    put((uint8_t[8]) { 1, 0, 0x65, 0x58 }, 8);
    put_zeros(4);
    given_ethernet(0x86dd);
    given_ipv6(3, 4, 44);
    put((uint8_t[8]) { 6 }, 8);
    given_ports(33, 44);
    for (size_t n = 0; n <= size; n++) {
        uint8_t *copy = xmemdup(packet, n ? n : 1);

        for (int kind = 0; kind < DPX_HH_N_KINDS; kind++) {
            struct dpx_hh_key key = before;
            bool parsed = dpx_hh_key_parse(&key, kind, copy, n);

            ck_assert_int_eq(parsed, n >= 40);
            ck_assert_int_eq(parsed, !dpx_hh_key_equal(&key, &before));
        }
        free(copy);
    }
    ck_assert_str_eq(as_text(DPX_HH_INNER), "tcp6,ipv6_src=2001:db8::3,"
                     "ipv6_dst=2001:db8::4,tp_src=33,tp_dst=44");
}
END_TEST

START_TEST(garbage_has_no_key_and_does_no_harm)
{
    uint64_t state = SEED;

    for (int i = 0; i < 200000; i++) {
        size_t n = any(&state) % 96;
        uint8_t *copy = xmalloc(n + 1);
        struct dpx_hh_key key;

        for (size_t j = 0; j < n; j++) {
            copy[j] = any(&state);
        }
        /* Mostly something that looks like IP, and often like a tunnel. */
        if (n > 9 && i % 8) {
            static const uint8_t protos[] = { 4, 41, 17, 47, 0, 43, 44, 51 };

            copy[0] = i % 2 ? 0x45 : 0x60;
            copy[i % 2 ? 9 : 6] = protos[any(&state) % 8];
        } else if (n) {
            copy[0] = 0x10 | (copy[0] & 15);
            ck_assert(!dpx_hh_key_parse(&key, DPX_HH_INNER, copy, n));
        }
        if (dpx_hh_key_parse(&key, DPX_HH_INNER, copy, n)) {
            ck_assert_uint_ge(n, 20);
            ck_assert(dpx_hh_key_family(&key) == DPX_HH_IPV4
                      || dpx_hh_key_family(&key) == DPX_HH_IPV6);
        }
        free(copy);
    }
}
END_TEST

START_TEST(each_kind_has_a_word_and_no_other_word_is_taken)
{
    enum dpx_hh_kind kind;

    for (int i = 0; i < DPX_HH_N_KINDS; i++) {
        kind = DPX_HH_N_KINDS;
        ck_assert(dpx_hh_kind_from_name(dpx_hh_kind_name(i), &kind));
        ck_assert_int_eq(kind, i);
    }
    kind = DPX_HH_PAIR;
    ck_assert(!dpx_hh_kind_from_name("", &kind));
    ck_assert(!dpx_hh_kind_from_name("5-tuple", &kind));
    ck_assert(!dpx_hh_kind_from_name("PAIR", &kind));
    ck_assert_int_eq(kind, DPX_HH_PAIR);
}
END_TEST

int
main(void)
{
    Suite *suite = suite_create("keys of heavy hitters");
    TCase *tc = tcase_create("keys");

    tcase_add_checked_fixture(tc, given_nothing, NULL);
    tcase_add_test(tc, each_kind_takes_its_part_of_ipv4);
    tcase_add_test(tc, each_kind_takes_its_part_of_ipv6);
    tcase_add_test(tc, what_a_kind_leaves_out_makes_no_difference);
    tcase_add_test(tc, protocols_without_ports_have_none);
    tcase_add_test(tc, a_later_fragment_has_no_ports);
    tcase_add_test(tc, extension_headers_are_skipped);
    tcase_add_test(tc, the_packet_inside_vxlan_is_found);
    tcase_add_test(tc, the_packet_inside_vxlan_over_ipv6_with_a_tag_is_found);
    tcase_add_test(tc, the_packet_inside_geneve_is_found_behind_its_options);
    tcase_add_test(tc, the_packet_inside_gre_is_found_behind_its_fields);
    tcase_add_test(tc, the_packet_inside_ip_is_found);
    tcase_add_test(tc, a_tunnel_without_ip_inside_counts_as_itself);
    tcase_add_test(tc, no_packet_is_too_short);
    tcase_add_test(tc, garbage_has_no_key_and_does_no_harm);
    tcase_add_test(tc, each_kind_has_a_word_and_no_other_word_is_taken);
    suite_add_tcase(suite, tc);
    return run_suite(suite);
}
