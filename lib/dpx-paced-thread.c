/* SPDX-License-Identifier: Apache-2.0
 *
 * Per-thread state of the paced test netdev. */

#include <config.h>
#include "dpx-paced-thread.h"

#include <stdlib.h>

#include "ovs-thread.h"
#include "util.h"

/* As much as an mbuf has, for a tunnel's headers; the IP header is aligned. */
#define HEADROOM (128 + 2)

static ovsthread_key_t thread_key;

/* Runs when a thread ends. */
static void
thread_destroy(void *thread_)
{
    struct dpx_paced_thread *thread = thread_;

    while (thread->n_spare) {
        dp_packet_delete(thread->spare[--thread->n_spare]);
    }
    dpx_paced_oncpu_close(&thread->oncpu);
    free(thread);
}

struct dpx_paced_thread *
dpx_paced_thread(void)
{
    static struct ovsthread_once once = OVSTHREAD_ONCE_INITIALIZER;
    struct dpx_paced_thread *thread;

    if (ovsthread_once_start(&once)) {
        ovsthread_key_create(&thread_key, thread_destroy);
        ovsthread_once_done(&once);
    }
    thread = ovsthread_getspecific(thread_key);
    if (OVS_UNLIKELY(!thread)) {
        thread = xzalloc(sizeof *thread);
        thread->id = ovsthread_id_self() + 1;
        dpx_paced_oncpu_open(&thread->oncpu, dpx_paced_clock());
        ovsthread_setspecific(thread_key, thread);
    }
    return thread;
}

struct dp_packet *
dpx_paced_packet_new(struct dpx_paced_thread *thread, uint32_t size)
{
    struct dp_packet *packet;

    while (thread->n_spare) {
        packet = thread->spare[--thread->n_spare];
        if (OVS_LIKELY(dp_packet_get_allocated(packet) >= HEADROOM + size)) {
            /* Makes it as good as new, whatever was done to it. */
            dp_packet_use(packet, dp_packet_base(packet),
                          dp_packet_get_allocated(packet));
            goto found;
        }
        /* From a port with smaller frames. */
        dp_packet_delete(packet);
    }
    packet = dp_packet_new(HEADROOM + size);
found:
    dp_packet_reserve(packet, HEADROOM);
    dp_packet_set_size(packet, size);
    return packet;
}
