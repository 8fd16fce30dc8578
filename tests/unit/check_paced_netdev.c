/* SPDX-License-Identifier: Apache-2.0
 *
 * The netdev "dpx-paced" from outside: what one port receives is sent to
 * another, on the real clock, by one thread. */

#include <config.h>
#undef NDEBUG
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dp-packet.h"
#include "dpx-paced-counter.h"
#include "dpx-paced-packet.h"
#include "packets.h"
#include "paced-vocabulary.h"

/* Polls and sends for 'ms' milliseconds. */
static void
forward(struct netdev_rxq *rxq, int ms)
{
    uint64_t end = dpx_paced_clock() + ms * UINT64_C(1000000);

    while (dpx_paced_clock() < end) {
        poll_once(rxq, true);
    }
}

START_TEST(what_arrives_is_the_rate_and_reaches_the_sink)
{
    uint64_t begin, early, late, received;
    struct netdev_stats stats;

    /* The ring holds 3 s: no stall of the machine loses a packet. */
    reconfigure(source, "rx-rate=20000;ring-size=60000;flows=50");
    poll_once(rxqs[0], true);
    begin = dpx_paced_clock();
    forward(rxqs[0], 500);
    early = dpx_paced_clock() - begin;
    while (poll_once(rxqs[0], true)) {
        continue;
    }
    late = dpx_paced_clock() - begin;

    ck_assert_int_eq(netdev_get_stats(source, &stats), 0);
    ck_assert_uint_eq(stats.rx_missed_errors, 0);
    ck_assert_uint_ge(stats.rx_packets, 20000 * early / DPX_PACED_NSEC - 1);
    ck_assert_uint_le(stats.rx_packets, 20000 * late / DPX_PACED_NSEC + 1);
    received = counter(sink, "sink_received");
    ck_assert_uint_eq(received, stats.rx_packets);
    ck_assert_uint_eq(counter(sink, "sink_lost"), 0);
    ck_assert_uint_eq(counter(sink, "sink_duplicated"), 0);
    ck_assert_uint_eq(counter(sink, "sink_reordered"), 0);
    ck_assert_int_eq(netdev_get_stats(sink, &stats), 0);
    ck_assert_uint_eq(stats.tx_packets, received);
    ck_assert_uint_eq(stats.tx_bytes, received * 60);
}
END_TEST

START_TEST(what_the_ring_missed_is_what_the_sink_misses)
{
    uint64_t missed;

    reconfigure(source, "rx-rate=1000000;ring-size=256");
    for (int i = 0; i < 10; i++) {
        usleep(2000);
        poll_once(rxqs[0], true);
    }
    /* A last packet after all those that were missed, and an empty ring. */
    reconfigure(source, "rx-rate=0;ring-size=256");
    while (poll_once(rxqs[0], true)) {
        continue;
    }
    reconfigure(source, "rx-rate=100;ring-size=256");
    while (!poll_once(rxqs[0], true)) {
        continue;
    }
    missed = counter(source, "rx_q0_missed");
    ck_assert_uint_gt(missed, 0);
    ck_assert_uint_eq(counter(sink, "sink_lost"), missed);
    ck_assert_uint_eq(counter(sink, "sink_received"),
                      counter(source, "rx_q0_packets"));
    ck_assert_uint_eq(counter(sink, "sink_duplicated"), 0);
    ck_assert_uint_eq(counter(sink, "sink_reordered"), 0);
}
END_TEST

/* Polls until there are packets; they go to 'sink' if 'send'.  Returns how
 * many there were. */
static size_t
poll_some(bool send)
{
    size_t n;

    do {
        n = poll_once(rxqs[0], send);
    } while (!n);
    return n;
}

START_TEST(a_dropped_packet_is_lost_at_the_sink)
{
    size_t dropped;

    reconfigure(source, "rx-rate=100000;ring-size=65536");
    poll_some(true);
    dropped = poll_some(false);
    poll_some(true);
    dropped += poll_some(false);
    poll_some(true);
    ck_assert_uint_eq(counter(sink, "sink_lost"), dropped);
    ck_assert_uint_eq(counter(sink, "sink_received") + dropped,
                      counter(source, "rx_q0_packets"));
}
END_TEST

START_TEST(a_full_tx_ring_drops)
{
    struct netdev_stats stats;
    size_t n = 0;

    /* One packet per second drains, the ring takes 40. */
    reconfigure(sink, "ring-size=40;tx-rate=1");
    reconfigure(source, "rx-rate=1000000;ring-size=65536");
    while (n < 100) {
        n += poll_once(rxqs[0], true);
    }
    ck_assert_int_eq(netdev_get_stats(sink, &stats), 0);
    ck_assert_uint_ge(stats.tx_packets, 40);
    ck_assert_uint_le(stats.tx_packets, 42);
    ck_assert_uint_eq(stats.tx_packets + stats.tx_dropped, n);
    ck_assert_uint_eq(counter(sink, "sink_received"), stats.tx_packets);

    /* Without a limit it takes everything again. */
    reconfigure(sink, "ring-size=40");
    n = 0;
    while (n < 100) {
        n += poll_once(rxqs[0], true);
    }
    ck_assert_uint_eq(counter(sink, "sink_received"), stats.tx_packets + n);
}
END_TEST

START_TEST(nothing_arrives_while_the_port_is_down)
{
    struct netdev_saved_flags *saved;

    reconfigure(source, "rx-rate=1000000");
    poll_once(rxqs[0], true);
    netdev_turn_flags_off(source, NETDEV_UP, &saved);
    while (poll_once(rxqs[0], true)) {
        continue;
    }
    usleep(5000);
    ck_assert_uint_eq(poll_once(rxqs[0], true), 0);
    netdev_restore_flags(saved);
    /* Time starts again with the first poll. */
    ck_assert_uint_eq(poll_once(rxqs[0], true), 0);
    usleep(1000);
    ck_assert_uint_gt(poll_once(rxqs[0], true), 0);
}
END_TEST

START_TEST(a_bad_option_fails_a_new_port)
{
    char *error = set_options(source, "n_rxq=2;rx-rate=1000,x");

    ck_assert_str_eq(error, "in: rx-rate=\"1000,x\": \"x\" is not a number "
                     "of packets/s from 0 to 1000000000");
    free(error);
    error = set_options(source, "n_rxq=2;rx-pcap=/nowhere");
    ck_assert_str_eq(error, "in: rx-pcap: /nowhere: No such file or "
                     "directory");
    free(error);
    ck_assert(!netdev_is_reconf_required(source));
}
END_TEST

/* Value of 'key' of what 'get' says about 'source', to be freed; or null. */
static char *
said(int (*get)(const struct netdev *, struct smap *), const char *key)
{
    struct smap smap = SMAP_INITIALIZER(&smap);
    char *value;

    ck_assert_int_eq(get(source, &smap), 0);
    value = nullable_xstrdup(smap_get(&smap, key));
    smap_destroy(&smap);
    return value;
}

static int
get_status(const struct netdev *netdev, struct smap *smap)
{
    return netdev_get_status(netdev, smap);
}

START_TEST(a_bad_option_leaves_the_old_setting)
{
    char *value;

    reconfigure(source, "n_rxq=2;rx-rate=1000,2000");
    ck_assert_ptr_eq(said(get_status, "refused"), NULL);

    /* The first is good, the second is bad: neither is taken. */
    ck_assert_ptr_eq(set_options(source, "n_rxq=2;rx-rate=5,x"), NULL);
    value = said(get_status, "refused");
    ck_assert_str_eq(value, "rx-rate=\"5,x\": \"x\" is not a number of "
                     "packets/s from 0 to 1000000000");
    free(value);
    ck_assert_ptr_eq(set_options(source,
                                 "n_rxq=3;rx-rate=1;rx-pcap=/nowhere"), NULL);
    value = said(get_status, "refused");
    ck_assert_str_eq(value, "rx-pcap: /nowhere: No such file or directory");
    free(value);
    ck_assert(!netdev_is_reconf_required(source));
    value = said(netdev_get_config, "rx-rate");
    ck_assert_str_eq(value, "1000,2000");
    free(value);

    reconfigure(source, "n_rxq=2;rx-rate=1000,2001");
    ck_assert_ptr_eq(said(get_status, "refused"), NULL);
    value = said(netdev_get_config, "rx-rate");
    ck_assert_str_eq(value, "1000,2001");
    free(value);
}
END_TEST

START_TEST(counters_and_numbers_outlive_a_restart)
{
    struct netdev_stats before, after;

    reconfigure(source, "n_rxq=2;rx-rate=100000");
    forward(rxqs[0], 20);
    forward(rxqs[1], 20);
    ck_assert_int_eq(netdev_get_stats(source, &before), 0);
    ck_assert_uint_gt(before.rx_packets, 0);

    reconfigure(source, "n_rxq=1;rx-rate=100000");
    ck_assert_int_eq(netdev_n_rxq(source), 1);
    ck_assert_int_eq(netdev_get_stats(source, &after), 0);
    ck_assert_uint_eq(after.rx_packets, before.rx_packets);
    /* What was in the rings is missed now. */
    ck_assert_uint_ge(after.rx_missed_errors, before.rx_missed_errors);
    forward(rxqs[0], 20);
    ck_assert_uint_eq(counter(sink, "sink_duplicated"), 0);
    ck_assert_uint_eq(counter(sink, "sink_reordered"), 0);
}
END_TEST

START_TEST(a_used_buffer_comes_back_clean)
{
    struct dp_packet_batch batch;
    struct dp_packet *packet;

    reconfigure(source, "rx-rate=100000");
    for (int i = 0; i < 300; i++) {
        dp_packet_batch_init(&batch);
        if (netdev_rxq_recv(rxqs[0], &batch, NULL)) {
            usleep(100);
            continue;
        }
        DP_PACKET_BATCH_FOR_EACH (j, packet, &batch) {
            ck_assert_uint_eq(dp_packet_size(packet), 60);
            ck_assert_uint_ge(dp_packet_headroom(packet), 128);
            ck_assert_uint_eq(packet->l3_ofs, UINT16_MAX);
            ck_assert_uint_eq(packet->cutlen, 0);
            ck_assert(packet->packet_type == htonl(PT_ETH));
            ck_assert(dp_packet_rss_valid(packet));
            /* What a datapath may do to a packet. */
            eth_push_vlan(packet, htons(ETH_TYPE_VLAN), htons(7));
            dp_packet_push_zeros(packet, 50);
            dp_packet_set_l3(packet, dp_packet_data(packet));
            dp_packet_set_cutlen(packet, 20);
            packet->packet_type = htonl(1);
        }
        netdev_send(sink, 0, &batch, false);
    }
    ck_assert_uint_gt(counter(sink, "tx_q0_packets"), 200);
}
END_TEST

START_TEST(a_stamp_behind_a_vlan_header_is_found)
{
    struct dp_packet_batch batch;
    struct dp_packet *packet;
    size_t n;

    reconfigure(source, "rx-rate=100000");
    do {
        dp_packet_batch_init(&batch);
    } while (netdev_rxq_recv(rxqs[0], &batch, NULL));
    n = dp_packet_batch_size(&batch);
    DP_PACKET_BATCH_FOR_EACH (j, packet, &batch) {
        dp_packet_set_l3(packet, (char *) dp_packet_data(packet) + 14);
        dp_packet_set_l4(packet, (char *) dp_packet_data(packet) + 34);
        eth_push_vlan(packet, htons(ETH_TYPE_VLAN), htons(7));
    }
    netdev_send(sink, 0, &batch, false);
    ck_assert_uint_eq(counter(sink, "sink_received"), n);
}
END_TEST

/* Writes a capture of 'n' UDP packets of 'flows' flows; packet i says i. */
static void
write_pcap(const char *file_name, uint32_t n, uint32_t flows)
{
    static const uint32_t header[6] = {
        0xa1b2c3d4, 0x00040002, 0, 0, 65535, 1
    };
    struct dpx_paced_stamp stamp = { .port = 900 };
    struct dpx_paced_template template;
    FILE *file = fopen(file_name, "w");

    ck_assert(file != NULL);
    ck_assert_uint_eq(fwrite(header, sizeof header, 1, file), 1);
    dpx_paced_template_init(&template, &stamp, 64);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t record[4] = { 0, 0, 60, 60 };
        uint8_t bytes[60];

        dpx_paced_template_write(&template, bytes, i % flows, i);
        ck_assert_uint_eq(fwrite(record, sizeof record, 1, file), 1);
        ck_assert_uint_eq(fwrite(bytes, sizeof bytes, 1, file), 1);
    }
    ck_assert(!fclose(file));
}

START_TEST(a_capture_is_replayed_in_order_each_flow_in_one_queue)
{
    int queue_of[20], n_of[2] = { 0, 0 };
    uint64_t last[2] = { 0, 0 };
    char name[] = "check_paced_netdev.pcap";

    write_pcap(name, 100, 20);
    for (int i = 0; i < 20; i++) {
        queue_of[i] = -1;
    }
    reconfigure(source, "n_rxq=2;rx-rate=100000;ring-size=65536;"
                "rx-pcap=check_paced_netdev.pcap");
    unlink(name);
    while (n_of[0] < 200 || n_of[1] < 200) {
        for (int q = 0; q < 2; q++) {
            struct dp_packet_batch batch;
            struct dp_packet *packet;

            dp_packet_batch_init(&batch);
            if (netdev_rxq_recv(rxqs[q], &batch, NULL)) {
                continue;
            }
            DP_PACKET_BATCH_FOR_EACH (i, packet, &batch) {
                struct dpx_paced_stamp stamp;

                ck_assert(dpx_paced_stamp_read(
                    (char *) dp_packet_data(packet) + DPX_PACED_STAMP_OFS,
                    18, &stamp));
                ck_assert(queue_of[stamp.flow] == -1
                          || queue_of[stamp.flow] == q);
                queue_of[stamp.flow] = q;
                /* Upwards, except where the capture starts again. */
                ck_assert(!n_of[q] || stamp.seq > last[q]
                          || (last[q] >= 80 && stamp.seq < 20));
                last[q] = stamp.seq;
                n_of[q]++;
            }
            dp_packet_delete_batch(&batch, true);
        }
    }
    for (int i = 0; i < 20; i++) {
        ck_assert_int_ne(queue_of[i], -1);
    }
    ck_assert_uint_eq(counter(source, "rx_q0_missed"), 0);
}
END_TEST

int
main(int argc OVS_UNUSED, char *argv[])
{
    Suite *suite = suite_create("paced netdev");
    TCase *tc = tcase_create("netdev");
    SRunner *runner = srunner_create(suite);
    int failed;

    ovs_set_program_name(argv[0], "0");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_set_timeout(tc, 120);
    tcase_add_test(tc, what_arrives_is_the_rate_and_reaches_the_sink);
    tcase_add_test(tc, what_the_ring_missed_is_what_the_sink_misses);
    tcase_add_test(tc, a_dropped_packet_is_lost_at_the_sink);
    tcase_add_test(tc, a_full_tx_ring_drops);
    tcase_add_test(tc, nothing_arrives_while_the_port_is_down);
    tcase_add_test(tc, a_bad_option_fails_a_new_port);
    tcase_add_test(tc, a_bad_option_leaves_the_old_setting);
    tcase_add_test(tc, counters_and_numbers_outlive_a_restart);
    tcase_add_test(tc, a_used_buffer_comes_back_clean);
    tcase_add_test(tc, a_stamp_behind_a_vlan_header_is_found);
    tcase_add_test(tc,
                   a_capture_is_replayed_in_order_each_flow_in_one_queue);
    suite_add_tcase(suite, tc);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
