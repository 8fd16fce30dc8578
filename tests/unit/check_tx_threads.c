/* SPDX-License-Identifier: Apache-2.0
 *
 * Two real threads that send to one device, pinned to one tx queue or placed
 * to and fro, while the main thread reads their counters.
 *
 * The tx queue is plain memory under the lock that a device takes when it is
 * told that it is not alone, so ThreadSanitizer ("make check-tsan") finds a
 * send that should have been locked and was not. */

#include <config.h>
#undef NDEBUG
#include <check.h>
#include <pthread.h>
#include <stdlib.h>

#include "dpx-tx.h"
#include "ovs-thread.h"
#include "util.h"

#define N_THREADS 2
#define N_TXQ 2
#define N_SENDS 20000
#define BURST 4

/* A device's tx queue. */
static struct {
    struct ovs_mutex lock;
    uint64_t packets;           /* The one that may send now. */
} queues[N_TXQ];

static struct sender {
    pthread_t thread;
    struct dpx_tx *tx;
    int own;                    /* Queue in static mode. */
    bool xps;                   /* The datapath says that it is shared. */
} senders[N_THREADS];

/* As a device does it. */
static void
device_send(int queue, bool concurrent)
    OVS_NO_THREAD_SAFETY_ANALYSIS
{
    if (concurrent) {
        if (ovs_mutex_trylock(&queues[queue].lock)) {
            dpx_tx_note_waited();
            ovs_mutex_lock(&queues[queue].lock);
        }
    }
    queues[queue].packets += BURST;
    if (concurrent) {
        ovs_mutex_unlock(&queues[queue].lock);
    }
}

static void *
send_all(void *sender_)
{
    struct sender *s = sender_;

    for (long long int i = 0; i < N_SENDS; i++) {
        bool concurrent = s->xps;
        /* Quiet now and then, so that it may change its queue. */
        long long int us = i * 100 + i / 100 * DPX_TX_QUIET_US;
        int queue = dpx_tx_pick(s->tx, s->own, us, &concurrent);
        struct dpx_txq *q = dpx_tx_queue(s->tx, queue);

        dpx_tx_on(s->tx, q, queue);
        dpx_tx_sending(q, BURST, BURST * 64);
        device_send(queue, concurrent);
        dpx_tx_sent(q);
    }
    return NULL;
}

static void
setup(void)
{
    for (int i = 0; i < N_TXQ; i++) {
        ovs_mutex_init(&queues[i].lock);
        queues[i].packets = 0;
    }
    for (int i = 0; i < N_THREADS; i++) {
        senders[i] = (struct sender) {
            .tx = dpx_tx_create(N_TXQ), .own = i,
        };
    }
}

static void
teardown(void)
{
    for (int i = 0; i < N_THREADS; i++) {
        dpx_tx_destroy(senders[i].tx);
    }
}

static uint64_t
packets_so_far(void)
{
    uint64_t packets = 0;

    for (int i = 0; i < N_THREADS; i++) {
        packets += dpx_tx_packets(senders[i].tx);
    }
    return packets;
}

/* Runs both threads; 'swap': has them change queues all the time. */
static void
run(bool swap)
{
    uint64_t last = 0, now = 0;

    for (int i = 0; i < N_THREADS; i++) {
        ck_assert(!pthread_create(&senders[i].thread, NULL, send_all,
                                  &senders[i]));
    }
    for (int round = 0; now < N_THREADS * N_SENDS * BURST; round++) {
        for (int i = 0; swap && i < N_THREADS; i++) {
            atomic_store_relaxed(&senders[i].tx->placed,
                                 (round + i) % N_TXQ);
        }
        now = packets_so_far();
        ck_assert_uint_ge(now, last);
        last = now;
    }
    for (int i = 0; i < N_THREADS; i++) {
        ck_assert(!pthread_join(senders[i].thread, NULL));
    }
}

/* What was counted for each queue is what it got. */
static void
expect_true_counts(void)
{
    for (int i = 0; i < N_TXQ; i++) {
        struct dpx_txq_totals t = { .packets = 0 };

        for (int j = 0; j < N_THREADS; j++) {
            dpx_tx_add(senders[j].tx, i, &t);
        }
        ck_assert_uint_eq(t.packets, queues[i].packets);
        ck_assert_uint_eq(t.bytes, t.packets * 64);
        ck_assert_uint_eq(t.sends * BURST, t.packets);
        ck_assert_uint_le(t.contended, t.sends);
    }
}

START_TEST(static_senders_need_no_lock)
{
    run(false);
    expect_true_counts();
    ck_assert_uint_eq(queues[0].packets, N_SENDS * BURST);
}
END_TEST

START_TEST(pinned_senders_share_a_queue_and_take_its_lock)
{
    for (int i = 0; i < N_THREADS; i++) {
        senders[i].tx->locked = true;
        atomic_store_relaxed(&senders[i].tx->placed, 1);
    }
    run(false);
    expect_true_counts();
    ck_assert_uint_eq(queues[1].packets, N_THREADS * N_SENDS * BURST);
}
END_TEST

START_TEST(one_pin_locks_the_other_thread_too)
{
    for (int i = 0; i < N_THREADS; i++) {
        senders[i].tx->locked = true;
    }
    atomic_store_relaxed(&senders[0].tx->placed, 1);
    run(false);
    expect_true_counts();
    ck_assert_uint_eq(queues[1].packets, N_THREADS * N_SENDS * BURST);
}
END_TEST

START_TEST(placed_senders_change_queues_while_they_send)
{
    for (int i = 0; i < N_THREADS; i++) {
        senders[i].xps = true;
    }
    run(true);
    expect_true_counts();
}
END_TEST

int
main(void)
{
    Suite *suite = suite_create("tx-threads");
    TCase *tc = tcase_create("tx-threads");
    SRunner *runner;
    int failed;

    tcase_set_timeout(tc, 60);
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, static_senders_need_no_lock);
    tcase_add_test(tc, pinned_senders_share_a_queue_and_take_its_lock);
    tcase_add_test(tc, one_pin_locks_the_other_thread_too);
    tcase_add_test(tc, placed_senders_change_queues_while_they_send);
    suite_add_tcase(suite, tc);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
