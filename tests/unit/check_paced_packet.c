/* SPDX-License-Identifier: Apache-2.0
 *
 * Packets are what Open vSwitch's own parser takes for UDP, their checksums
 * hold, and the stamp comes out as it went in. */

#include <config.h>
#undef NDEBUG
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "csum.h"
#include "dp-packet.h"
#include "dpx-paced-packet.h"
#include "flow.h"
#include "packets.h"
#include "random.h"
#include "util.h"

#define SEED 20240612u

static uint8_t buffer[DPX_PACED_FRAME_MAX];

static const struct dpx_paced_stamp sample = {
    .port = 513, .queue = 200, .epoch = 9,
};

/* Makes a packet, with Open vSwitch's view of it in 'flow'. */
static uint32_t
make(uint32_t frame_size, uint32_t flow_id, uint64_t seq, struct flow *flow)
{
    struct dpx_paced_template template;
    struct dp_packet packet;
    uint32_t hash;

    memset(buffer, 0xee, frame_size);
    dpx_paced_template_init(&template, &sample, frame_size);
    if (template.size != frame_size - 4) {
        ck_abort_msg("%u bytes", template.size);
    }
    hash = dpx_paced_template_write(&template, buffer, flow_id, seq);
    dp_packet_use_const(&packet, buffer, template.size);
    flow_extract(&packet, flow);
    if (buffer[template.size] != 0xee) {
        ck_abort_msg("it wrote beyond its %u bytes", template.size);
    }
    return hash;
}

START_TEST(it_is_udp_with_the_documented_addresses)
{
    struct flow flow;

    make(64, 70000, 1, &flow);
    ck_assert_uint_eq(ntohs(flow.dl_type), ETH_TYPE_IP);
    ck_assert_uint_eq(flow.nw_proto, IPPROTO_UDP);
    ck_assert_uint_eq(ntohl(flow.nw_src), 0x0a01c803);  /* 10.1.200.3 */
    ck_assert_uint_eq(ntohl(flow.nw_dst), 0xac100000 + 70000);
    ck_assert_uint_eq(ntohs(flow.tp_src), 1024 + 70000 - 64512);
    ck_assert_uint_eq(ntohs(flow.tp_dst), 5201);
    ck_assert(!memcmp(&flow.dl_src, "\x02\x64\x70\x02\x01\xc8", 6));
}
END_TEST

/* The sum over pseudo-header, UDP header and payload, Open vSwitch's way. */
static uint16_t
udp_sum(uint32_t size)
{
    const struct ip_header *ip = (void *) (buffer + 14);
    uint32_t sum = packet_csum_pseudoheader(ip);

    return csum_finish(csum_continue(sum, buffer + 34, size - 34));
}

START_TEST(checksums_hold)
{
    static const uint32_t sizes[] = { 64, 65, 67, 128, 1518, 9018 };

    random_set_seed(SEED);
    for (int i = 0; i < 3000; i++) {
        uint32_t size = sizes[i % ARRAY_SIZE(sizes)];
        uint64_t seq = random_uint64() >> (16 + random_range(48));
        struct flow flow;

        make(size, random_range(1 << 20), seq, &flow);
        ck_assert_uint_eq(csum(buffer + 14, 20), 0);
        ck_assert_uint_eq(udp_sum(size - 4), 0);
    }
}
END_TEST

/* A UDP checksum of 0 means that there is none; one of 65536 numbers in a row
 * would give it. */
START_TEST(no_checksum_is_zero)
{
    int n_zero = 0, n_ones = 0;
    struct flow flow;

    for (uint32_t seq = 0; seq < 65536; seq++) {
        make(64, 3, seq, &flow);
        n_zero += !buffer[40] && !buffer[41];
        n_ones += buffer[40] == 0xff && buffer[41] == 0xff;
    }
    ck_assert_int_eq(n_zero, 0);
    ck_assert_int_ge(n_ones, 1);
}
END_TEST

START_TEST(the_stamp_comes_back)
{
    random_set_seed(SEED);
    for (int i = 0; i < 3000; i++) {
        uint64_t seq = random_uint64() >> (16 + random_range(48));
        uint32_t flow_id = random_range(1 << 20);
        struct dpx_paced_stamp stamp;
        struct flow flow;

        make(64, flow_id, seq, &flow);
        ck_assert(dpx_paced_stamp_read(buffer + DPX_PACED_STAMP_OFS, 18,
                                       &stamp));
        ck_assert_uint_eq(stamp.port, sample.port);
        ck_assert_uint_eq(stamp.queue, sample.queue);
        ck_assert_uint_eq(stamp.epoch, sample.epoch);
        ck_assert_uint_eq(stamp.flow, flow_id);
        ck_assert_uint_eq(stamp.seq, seq);
    }
}
END_TEST

START_TEST(what_has_no_stamp_is_refused)
{
    struct dpx_paced_stamp stamp;
    struct flow flow;

    make(64, 1, 1, &flow);
    ck_assert(!dpx_paced_stamp_read(buffer + DPX_PACED_STAMP_OFS, 17,
                                    &stamp));
    ck_assert(!dpx_paced_stamp_read(buffer + DPX_PACED_STAMP_OFS - 1, 18,
                                    &stamp));
    buffer[DPX_PACED_STAMP_OFS] ^= 1;
    ck_assert(!dpx_paced_stamp_read(buffer + DPX_PACED_STAMP_OFS, 18,
                                    &stamp));
    buffer[DPX_PACED_STAMP_OFS] ^= 1;
    /* A flow number that no source has. */
    buffer[DPX_PACED_STAMP_OFS + 8] = 0xff;
    ck_assert(!dpx_paced_stamp_read(buffer + DPX_PACED_STAMP_OFS, 18,
                                    &stamp));
}
END_TEST

START_TEST(a_flow_has_one_hash_and_flows_differ)
{
    struct flow flow;
    uint32_t hash = make(64, 5, 1, &flow);

    ck_assert_uint_eq(make(64, 5, 2, &flow), hash);
    ck_assert_uint_ne(make(64, 6, 1, &flow), hash);
}
END_TEST

START_TEST(the_rest_of_a_long_frame_is_zero)
{
    struct flow flow;

    make(1518, 5, 1, &flow);
    for (int i = 60; i < 1514; i++) {
        if (buffer[i]) {
            ck_abort_msg("byte %d is %u", i, buffer[i]);
        }
    }
}
END_TEST

int
main(void)
{
    Suite *suite = suite_create("paced packet");
    TCase *tc = tcase_create("packet");
    SRunner *runner = srunner_create(suite);
    int failed;

    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, it_is_udp_with_the_documented_addresses);
    tcase_add_test(tc, checksums_hold);
    tcase_add_test(tc, no_checksum_is_zero);
    tcase_add_test(tc, the_stamp_comes_back);
    tcase_add_test(tc, what_has_no_stamp_is_refused);
    tcase_add_test(tc, a_flow_has_one_hash_and_flows_differ);
    tcase_add_test(tc, the_rest_of_a_long_frame_is_zero);
    suite_add_tcase(suite, tc);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
