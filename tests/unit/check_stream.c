/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests of lib/dpx-stream.c: what is sent is a packet, and what comes back is
 * counted once. */

#include <config.h>

#include "dpx-stream.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

#include "csum.h"
#include "dp-packet.h"
#include "flow.h"
#include "util.h"

static struct dpx_stream_config config;
static struct dpx_stream *stream;
static struct dpx_stream_account account;
static uint8_t frame[9100];

static void
given(uint16_t size, uint32_t n_flows)
{
    config = (struct dpx_stream_config) {
        .size = size, .n_flows = n_flows,
        .source = { 2, 0, 0, 0, 0, 1 }, .destination = { 2, 0, 0, 0, 0, 2 },
    };
}

static void
start(void)
{
    char *error = dpx_stream_check_config(&config);

    ck_assert_msg(!error, "%s", error);
    stream = dpx_stream_create(&config);
    dpx_stream_restart(stream);
    dpx_stream_account_reset(&account, config.n_flows, 1000);
}

static void
teardown(void)
{
    dpx_stream_destroy(stream);
    dpx_stream_account_uninit(&account);
    stream = NULL;
    memset(&account, 0, sizeof account);
}

static struct dpx_stream_stamp
sent(uint64_t now)
{
    struct dpx_stream_stamp stamp;
    uint16_t length = dpx_stream_fill(stream, frame, now);

    ck_assert(dpx_stream_read(stream, frame, length, &stamp));
    return stamp;
}

START_TEST(packet_is_what_open_vswitch_takes_it_for)
{
    struct dp_packet packet;
    struct flow flow;
    uint16_t length;

    given(_i ? 1518 : 64, 10);
    start();
    for (int i = 0; i < 25; i++) {
        length = dpx_stream_fill(stream, frame, 0);
        ck_assert_uint_eq(length, config.size - 4);
        dp_packet_use_const(&packet, frame, length);
        flow_extract(&packet, &flow);
        ck_assert_uint_eq(ntohs(flow.dl_type), 0x0800);
        ck_assert_uint_eq(flow.nw_proto, 17);
        ck_assert_uint_eq(ntohl(flow.nw_src), 0x0a000001 + i % 10);
        ck_assert_uint_eq(ntohl(flow.nw_dst), 0xc6120001 + i % 10);
        ck_assert_uint_eq(ntohs(flow.tp_src), 1024);
        ck_assert_uint_eq(csum(frame + 14, 20), 0);
    }
}
END_TEST

START_TEST(packet_has_the_tag_that_was_asked)
{
    struct dp_packet packet;
    struct flow flow;

    given(68, 1);
    config.vlan = 7;
    start();
    sent(0);
    dp_packet_use_const(&packet, frame, 64);
    flow_extract(&packet, &flow);
    ck_assert_uint_eq(ntohs(flow.vlans[0].tci) & 0xfff, 7);
    ck_assert_uint_eq(flow.nw_proto, 17);
}
END_TEST

START_TEST(stamp_is_read_back)
{
    struct dpx_stream_stamp stamp;

    given(64, 3);
    start();
    for (uint32_t i = 0; i < 7; i++) {
        stamp = sent(UINT64_C(0x123456789abc) + i);
        ck_assert_uint_eq(stamp.number, i);
        ck_assert_uint_eq(stamp.flow, i % 3);
        ck_assert_uint_eq(stamp.sent, UINT64_C(0x123456789abc) + i);
        ck_assert_uint_eq(stamp.epoch, stream->epoch);
    }
}
END_TEST

START_TEST(foreign_frames_are_not_read)
{
    struct dpx_stream_stamp stamp;

    given(64, 1);
    start();
    memset(frame, 0, sizeof frame);
    ck_assert(!dpx_stream_read(stream, frame, 60, &stamp));
    dpx_stream_fill(stream, frame, 0);
    ck_assert(!dpx_stream_read(stream, frame, 59, &stamp));
    ck_assert(!dpx_stream_read(stream, frame, 0, &stamp));
    ck_assert(dpx_stream_read(stream, frame, 60, &stamp));
}
END_TEST

START_TEST(account_counts_each_packet_once)
{
    struct dpx_stream_stamp a, b, c;

    given(64, 1);
    start();
    a = sent(100);
    b = sent(200);
    c = sent(300);
    dpx_stream_account(&account, stream, &b, 1200);
    dpx_stream_account(&account, stream, &a, 1200);     /* Overtaken. */
    dpx_stream_account(&account, stream, &c, 1200);
    dpx_stream_account(&account, stream, &c, 1300);     /* Twice. */
    ck_assert_uint_eq(account.received, 3);
    ck_assert_uint_eq(account.reordered, 1);
    ck_assert_uint_eq(account.duplicates, 1);
    ck_assert_uint_eq(account.latency.max, 1100);
}
END_TEST

START_TEST(order_is_that_within_a_flow)
{
    struct dpx_stream_stamp a, b;

    given(64, 2);
    start();
    a = sent(0);
    b = sent(0);
    dpx_stream_account(&account, stream, &b, 0);
    dpx_stream_account(&account, stream, &a, 0);
    ck_assert_uint_eq(account.reordered, 0);
}
END_TEST

START_TEST(packets_of_an_earlier_trial_do_not_count)
{
    struct dpx_stream_stamp a;

    given(64, 1);
    start();
    a = sent(0);
    dpx_stream_restart(stream);
    dpx_stream_account_reset(&account, 1, 1000);
    dpx_stream_account(&account, stream, &a, 0);
    ck_assert_uint_eq(account.received, 0);
    ck_assert_uint_eq(account.late, 1);
}
END_TEST

START_TEST(latency_survives_the_clock_that_wraps)
{
    struct dpx_stream_stamp a;

    given(64, 1);
    start();
    a = sent((UINT64_C(1) << 48) - 10);
    dpx_stream_account(&account, stream, &a, (UINT64_C(1) << 48) + 90);
    ck_assert_uint_eq(account.latency.max, 100);
}
END_TEST

START_TEST(numbers_beyond_the_account_still_count)
{
    struct dpx_stream_stamp a = { 0, 5000, 0, 0 };

    given(64, 1);
    start();
    a.epoch = stream->epoch;
    dpx_stream_account(&account, stream, &a, 0);
    ck_assert_uint_eq(account.received, 1);
}
END_TEST

START_TEST(zipf_gives_the_first_flow_its_part)
{
    unsigned int first = 0;

    given(64, 100);
    config.zipf = 1;
    start();
    for (int i = 0; i < 65536; i++) {
        first += sent(0).flow == 0;
    }
    /* 1 / H(100) = 0.1928. */
    ck_assert_double_eq_tol(first / 65536.0, 0.1928, 0.01);
}
END_TEST

START_TEST(imix_has_its_mixture)
{
    unsigned int sizes[2000] = { 0 };

    given(0, 1200);
    start();
    for (int i = 0; i < 1200; i++) {
        sizes[dpx_stream_fill(stream, frame, 0) + 4]++;
    }
    ck_assert_uint_eq(sizes[64], 700);
    ck_assert_uint_eq(sizes[570], 400);
    ck_assert_uint_eq(sizes[1518], 100);
}
END_TEST

static void
refused(const char *word)
{
    char *error = dpx_stream_check_config(&config);

    ck_assert_ptr_nonnull(error);
    ck_assert_msg(strstr(error, word), "'%s' is not in: %s", word, error);
    free(error);
    given(64, 1);
}

START_TEST(unusable_streams_are_refused)
{
    given(63, 1);
    refused("'63'");
    config.size = 9019;
    refused("'9019'");
    config.n_flows = 0;
    refused("'0' flows");
    config.zipf = NAN;
    refused("'nan'");
    config.vlan = 5;            /* 64 bytes have no room for it. */
    refused("'64'");
    config.vlan = 4095;
    config.size = 100;
    refused("'4095'");
}
END_TEST

static Suite *
stream_suite(void)
{
    Suite *suite = suite_create("stream");
    TCase *tcase = tcase_create("stream");

    tcase_add_checked_fixture(tcase, NULL, teardown);
    tcase_add_loop_test(tcase, packet_is_what_open_vswitch_takes_it_for, 0,
                        2);
    tcase_add_test(tcase, packet_has_the_tag_that_was_asked);
    tcase_add_test(tcase, stamp_is_read_back);
    tcase_add_test(tcase, foreign_frames_are_not_read);
    tcase_add_test(tcase, account_counts_each_packet_once);
    tcase_add_test(tcase, order_is_that_within_a_flow);
    tcase_add_test(tcase, packets_of_an_earlier_trial_do_not_count);
    tcase_add_test(tcase, latency_survives_the_clock_that_wraps);
    tcase_add_test(tcase, numbers_beyond_the_account_still_count);
    tcase_add_test(tcase, zipf_gives_the_first_flow_its_part);
    tcase_add_test(tcase, imix_has_its_mixture);
    tcase_add_test(tcase, unusable_streams_are_refused);
    suite_add_tcase(suite, tcase);
    return suite;
}

int
main(void)
{
    SRunner *runner = srunner_create(stream_suite());
    int failed;

    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
