/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests of what a thread counts when it sends, of the queue that it takes, and
 * that nothing is lost when a port gets another number of tx queues. */

#include <config.h>

#include "dpx-tx.h"

#include <check.h>
#include <stdlib.h>

#include "util.h"

static struct dpx_tx *tx;
static bool concurrent;

static void
given(int n_txq)
{
    tx = dpx_tx_create(n_txq);
    concurrent = false;
}

/* Sends 'packets' of 64 bytes at 'now_us' where stock would take 'stock', by a
 * device that waited 'waited' times and dropped 'dropped'.  Returns the queue
 * that they went to. */
static int
send_noted(int stock, long long int now_us, uint32_t packets, int waited,
           uint32_t dropped)
{
    int queue = dpx_tx_pick(tx, stock, now_us, &concurrent);
    struct dpx_txq *q = dpx_tx_queue(tx, queue);

    dpx_tx_on(tx, q, queue);
    dpx_tx_sending(q, packets, packets * 64);
    for (int i = 0; i < waited; i++) {
        dpx_tx_note_waited();
    }
    dpx_tx_note_dropped(dropped);
    dpx_tx_sent(q);
    return queue;
}

static int
send_at(int stock, long long int now_us)
{
    return send_noted(stock, now_us, 1, 0, 0);
}

static struct dpx_txq_totals
totals(int queue)
{
    struct dpx_txq_totals t = { .packets = 0 };

    dpx_tx_add(tx, queue, &t);
    return t;
}

static void
put(int queue)
{
    atomic_store_relaxed(&tx->placed, queue);
}

START_TEST(bursts_are_counted_where_they_go)
{
    struct dpx_txq_totals t;

    given(4);
    ck_assert_int_eq(send_noted(2, 0, 32, 0, 0), 2);
    ck_assert_int_eq(send_noted(2, 10, 5, 0, 0), 2);
    ck_assert(!concurrent);
    t = totals(2);
    ck_assert_uint_eq(t.packets, 37);
    ck_assert_uint_eq(t.bytes, 37 * 64);
    ck_assert_uint_eq(t.sends, 2);
    ck_assert_uint_eq(t.remaps, 0);
    ck_assert_uint_eq(t.contended, 0);
    ck_assert_uint_eq(totals(1).packets, 0);
    ck_assert_uint_eq(dpx_tx_packets(tx), 37);
    dpx_tx_destroy(tx);
}
END_TEST

START_TEST(what_the_device_notes_is_counted_once)
{
    given(2);
    send_noted(1, 0, 32, 2, 7);
    send_noted(0, 0, 32, 0, 0);
    ck_assert_uint_eq(totals(1).contended, 2);
    ck_assert_uint_eq(totals(1).dropped, 7);
    ck_assert_uint_eq(totals(0).contended, 0);
    ck_assert_uint_eq(totals(0).dropped, 0);
    dpx_tx_destroy(tx);
}
END_TEST

START_TEST(a_remap_is_counted_on_the_new_queue)
{
    given(3);
    send_at(0, 0);
    send_at(2, 1);
    send_at(2, 2);
    send_at(0, 3);
    ck_assert_uint_eq(totals(0).remaps, 1);
    ck_assert_uint_eq(totals(2).remaps, 1);
    ck_assert_uint_eq(totals(1).remaps, 0);
    dpx_tx_destroy(tx);
}
END_TEST

START_TEST(placed_means_not_stock)
{
    given(3);
    put(1);
    ck_assert_int_eq(send_at(0, 0), 1);
    ck_assert_int_eq(send_at(2, 0), 1);
    put(DPX_TXQ_NONE);
    ck_assert_int_eq(send_at(2, 0), 2);
    dpx_tx_destroy(tx);
}
END_TEST

START_TEST(a_busy_thread_stays_until_it_was_quiet)
{
    given(3);
    put(1);
    ck_assert_int_eq(send_at(0, 1000), 1);
    put(2);
    for (long long int us = 1000; us < 100000; us += 1000) {
        ck_assert_int_eq(send_at(0, us), 1);
    }
    ck_assert_int_eq(send_at(0, 99000 + DPX_TX_QUIET_US - 1), 1);
    ck_assert_int_eq(send_at(0, 99000 + 2 * DPX_TX_QUIET_US - 1), 2);
    ck_assert_uint_eq(totals(2).remaps, 1);
    dpx_tx_destroy(tx);
}
END_TEST

START_TEST(with_pins_every_send_is_locked)
{
    given(2);
    tx->locked = true;
    ck_assert_int_eq(send_at(1, 0), 1);
    ck_assert(concurrent);
    dpx_tx_destroy(tx);
}
END_TEST

START_TEST(a_queue_that_the_device_lacks_is_counted_with_the_last)
{
    given(2);
    ck_assert_int_eq(send_at(5, 0), 5);
    ck_assert_int_eq(send_at(-1, 0), -1);
    ck_assert_uint_eq(totals(1).packets, 2);
    dpx_tx_destroy(tx);
    given(0);
    send_at(0, 0);
    ck_assert_uint_eq(totals(0).packets, 1);
    dpx_tx_destroy(tx);
}
END_TEST

START_TEST(fewer_queues_lose_no_count)
{
    struct dpx_txq_totals gone = { .packets = 0 };

    given(4);
    send_noted(0, 0, 10, 1, 0);
    send_noted(2, 0, 20, 1, 3);
    send_noted(3, 0, 30, 0, 4);
    tx = dpx_tx_resize(tx, 2, &gone);
    ck_assert_int_eq(tx->n, 2);
    ck_assert_uint_eq(totals(0).packets, 10);
    ck_assert_uint_eq(totals(1).packets, 0);
    ck_assert_uint_eq(gone.packets, 50);
    ck_assert_uint_eq(gone.bytes, 50 * 64);
    ck_assert_uint_eq(gone.dropped, 7);
    ck_assert_uint_eq(gone.contended, 1);

    /* More again: the new ones start, the others go on. */
    tx = dpx_tx_resize(tx, 3, &gone);
    ck_assert_uint_eq(totals(0).packets, 10);
    ck_assert_uint_eq(totals(2).packets, 0);
    ck_assert_uint_eq(gone.packets, 50);
    dpx_tx_destroy(tx);
}
END_TEST

START_TEST(a_queue_that_is_gone_is_left_at_once)
{
    struct dpx_txq_totals gone = { .packets = 0 };

    given(4);
    put(3);
    send_at(0, 0);
    tx = dpx_tx_resize(tx, 2, &gone);
    put(1);
    ck_assert_int_eq(send_at(0, 1), 1);
    ck_assert_uint_eq(totals(1).remaps, 1);
    dpx_tx_destroy(tx);
}
END_TEST

START_TEST(who_keeps_notes)
{
    ck_assert(dpx_tx_note_is_kept("dpdk"));
    ck_assert(dpx_tx_note_is_kept("dpdkvhostuserclient"));
    ck_assert(dpx_tx_note_is_kept("dpx-paced"));
    ck_assert(!dpx_tx_note_is_kept("dummy-pmd"));
    ck_assert(!dpx_tx_note_is_kept("tap"));
    ck_assert(!dpx_tx_note_is_kept(""));
}
END_TEST

int
main(void)
{
    Suite *suite = suite_create("tx");
    TCase *tc = tcase_create("tx");
    SRunner *runner;
    int failed;

    tcase_add_test(tc, bursts_are_counted_where_they_go);
    tcase_add_test(tc, what_the_device_notes_is_counted_once);
    tcase_add_test(tc, a_remap_is_counted_on_the_new_queue);
    tcase_add_test(tc, placed_means_not_stock);
    tcase_add_test(tc, a_busy_thread_stays_until_it_was_quiet);
    tcase_add_test(tc, with_pins_every_send_is_locked);
    tcase_add_test(tc, a_queue_that_the_device_lacks_is_counted_with_the_last);
    tcase_add_test(tc, fewer_queues_lose_no_count);
    tcase_add_test(tc, a_queue_that_is_gone_is_left_at_once);
    tcase_add_test(tc, who_keeps_notes);
    suite_add_tcase(suite, tc);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
