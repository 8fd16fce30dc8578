/* SPDX-License-Identifier: Apache-2.0
 *
 * What a device's send function tells the datapath about the burst that it
 * has just been given: that it waited for another thread, that it dropped
 * packets.
 *
 * The send function of a netdev returns no such thing, and a counter in the
 * device would be written by several threads and end with each
 * reconfiguration.  So it is noted for the thread that sends, which reads the
 * note when the function returns.  No locks; any thread. */

#ifndef DPX_TX_NOTE_H
#define DPX_TX_NOTE_H 1

#include <stdbool.h>
#include <stdint.h>

#include "ovs-thread.h"

/* The thread that it belongs to: write, read. */
struct dpx_tx_note {
    uint32_t waited;            /* Times that a lock was held by another. */
    uint32_t dropped;           /* Packets that the device did not take. */
};

DECLARE_EXTERN_PER_THREAD_DATA(struct dpx_tx_note, dpx_tx_note);

/* The calling thread had to wait for the lock of a tx queue. */
static inline void
dpx_tx_note_waited(void)
{
    dpx_tx_note_get()->waited++;
}

/* The device has dropped 'n' packets of the calling thread. */
static inline void
dpx_tx_note_dropped(uint32_t n)
{
    dpx_tx_note_get()->dropped += n;
}

/* Do devices of this type write notes?  Of any other nothing is known. */
bool dpx_tx_note_is_kept(const char *netdev_type);

#endif /* dpx-tx-note.h */
