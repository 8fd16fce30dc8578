/* SPDX-License-Identifier: Apache-2.0
 *
 * Two threads in one queue of a paced netdev: if they take turns, or a lock,
 * nothing happens; if not, they are found and the test ends. */

#include <config.h>
#undef NDEBUG
#include <check.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "dp-packet.h"
#include "dpx-paced-counter.h"
#include "ovs-thread.h"
#include "paced-vocabulary.h"

/* Two threads do 'act' on the same queue for at most 'limit' seconds, or
 * until 'stop'. */
struct pair {
    void (*act)(void);
    atomic_bool stop;
};

static void *
pair_main(void *pair_)
{
    struct pair *pair = pair_;
    bool stop = false;

    while (!stop) {
        pair->act();
        atomic_read(&pair->stop, &stop);
    }
    return NULL;
}

/* Returns true if 'name' of 'netdev' counted something within 30 s. */
static bool
two_threads(void (*act)(void), const struct netdev *netdev, const char *name)
{
    struct pair pair = { .act = act };
    uint64_t end = dpx_paced_clock() + 30 * DPX_PACED_NSEC;
    pthread_t a, b;

    atomic_init(&pair.stop, false);
    a = ovs_thread_create("a", pair_main, &pair);
    b = ovs_thread_create("b", pair_main, &pair);
    while (!counter(netdev, name) && dpx_paced_clock() < end) {
        usleep(1000);
    }
    atomic_store(&pair.stop, true);
    xpthread_join(a, NULL);
    xpthread_join(b, NULL);
    return counter(netdev, name) > 0;
}

static void
poll_and_free(void)
{
    poll_once(rxqs[0], false);
}

START_TEST(two_threads_that_poll_one_queue_are_counted)
{
    reconfigure(source, "rx-rate=1000000;double-poll=count");
    ck_assert(two_threads(poll_and_free, source, "rx_q0_double_polls"));
}
END_TEST

START_TEST(two_threads_that_poll_one_queue_end_the_process)
{
    reconfigure(source, "rx-rate=1000000");
    two_threads(poll_and_free, source, "rx_q0_double_polls");
}
END_TEST

START_TEST(two_threads_that_poll_in_turn_are_fine)
{
    reconfigure(source, "rx-rate=1000000");
    for (int i = 0; i < 50; i++) {
        struct pair pair = { .act = poll_and_free };
        pthread_t thread;

        atomic_init(&pair.stop, true);
        thread = ovs_thread_create("a", pair_main, &pair);
        xpthread_join(thread, NULL);
        poll_and_free();
    }
    ck_assert_uint_eq(counter(source, "rx_q0_double_polls"), 0);
}
END_TEST

static void
send_unlocked(void)
{
    struct dp_packet_batch batch;

    dp_packet_batch_init_packet(&batch, dp_packet_new(60));
    dp_packet_put_zeros(batch.packets[0], 60);
    netdev_send(sink, 0, &batch, false);
}

START_TEST(two_threads_that_send_without_a_lock_end_the_process)
{
    reconfigure(sink, "n_txq=1");
    two_threads(send_unlocked, sink, "tx_q0_double_sends");
}
END_TEST

static void
send_locked(void)
{
    struct dp_packet_batch batch;

    dp_packet_batch_init_packet(&batch, dp_packet_new(60));
    dp_packet_put_zeros(batch.packets[0], 60);
    netdev_send(sink, 0, &batch, true);
}

START_TEST(two_threads_that_send_with_a_lock_are_fine)
{
    struct pair pair = { .act = send_locked };
    pthread_t a, b;

    atomic_init(&pair.stop, false);
    a = ovs_thread_create("a", pair_main, &pair);
    b = ovs_thread_create("b", pair_main, &pair);
    usleep(100000);
    atomic_store(&pair.stop, true);
    xpthread_join(a, NULL);
    xpthread_join(b, NULL);
    ck_assert_uint_eq(counter(sink, "tx_q0_double_sends"), 0);
    ck_assert_uint_gt(counter(sink, "tx_q0_packets"), 0);
    ck_assert_uint_eq(counter(sink, "sink_received"), 0);
}
END_TEST

int
main(int argc OVS_UNUSED, char *argv[])
{
    Suite *suite = suite_create("paced threads");
    TCase *tc = tcase_create("threads");
    SRunner *runner = srunner_create(suite);
    int failed;

    ovs_set_program_name(argv[0], "0");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_set_timeout(tc, 120);
    tcase_add_test(tc, two_threads_that_poll_one_queue_are_counted);
    tcase_add_test_raise_signal(
        tc, two_threads_that_poll_one_queue_end_the_process, SIGABRT);
    tcase_add_test(tc, two_threads_that_poll_in_turn_are_fine);
    tcase_add_test_raise_signal(
        tc, two_threads_that_send_without_a_lock_end_the_process, SIGABRT);
    tcase_add_test(tc, two_threads_that_send_with_a_lock_are_fine);
    suite_add_tcase(suite, tc);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
