/* SPDX-License-Identifier: Apache-2.0
 *
 * What the paced test netdev keeps for each thread that polls or sends: an
 * id, the thread's account with the kernel, and a few packet buffers.
 *
 * Buffers: a sink puts the packets that end there on the list of the thread
 * that sent them, and a source of the same thread takes them again, as a NIC
 * driver recycles its own.  Without it malloc() and free() would be most of
 * what the source costs.  A list belongs to one thread, is bounded, and goes
 * when the thread ends. */

#ifndef DPX_PACED_THREAD_H
#define DPX_PACED_THREAD_H 1

#include <stdint.h>

#include "dp-packet.h"
#include "dpx-paced-gap.h"

#define DPX_PACED_SPARE 128     /* Packet buffers kept per thread. */

/* Read and written by its own thread only. */
struct dpx_paced_thread {
    uint32_t id;                /* Not 0, not used by another thread. */
    struct dpx_paced_oncpu oncpu;
    uint32_t n_spare;
    struct dp_packet *spare[DPX_PACED_SPARE];
};

/* Returns the calling thread's. */
struct dpx_paced_thread *dpx_paced_thread(void);

/* Returns a packet of 'size' bytes of garbage with the headroom that a
 * datapath needs to push headers. */
struct dp_packet *dpx_paced_packet_new(struct dpx_paced_thread *,
                                       uint32_t size);

/* Keeps 'packet' for later, or deletes it. */
static inline void
dpx_paced_packet_free(struct dpx_paced_thread *thread,
                      struct dp_packet *packet)
{
    if (packet->source == DPBUF_MALLOC
        && thread->n_spare < DPX_PACED_SPARE) {
        thread->spare[thread->n_spare++] = packet;
    } else {
        dp_packet_delete(packet);
    }
}

#endif /* dpx-paced-thread.h */
