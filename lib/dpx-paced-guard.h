/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds two threads inside one queue at the same time.
 *
 * Used by the paced test netdev around each poll of an rx queue and each
 * unlocked send to a tx queue.  It finds, it does not protect: a correct
 * datapath never has two threads there, so the common case costs two stores
 * and two loads and no read-modify-write.  A thread writes its id when it
 * enters and looks whether it is still there when it leaves, so of two
 * visits that overlap by more than the time a store takes to become visible
 * at least one thread notices.  A pair that slips through once is found by
 * the next overlap, or by the sequence check as a duplicate. */

#ifndef DPX_PACED_GUARD_H
#define DPX_PACED_GUARD_H 1

#include <stdbool.h>
#include <stdint.h>

#include "ovs-atomic.h"

struct dpx_paced_guard {
    atomic_uint32_t inside;     /* Thread id + 1, 0: nobody.  Written by every
                                 * thread that enters. */
};

static inline void
dpx_paced_guard_init(struct dpx_paced_guard *guard)
{
    atomic_init(&guard->inside, 0);
}

/* Enters with the id 'self', which is not 0 and not used by another thread.
 * Returns false if another thread is inside. */
static inline bool
dpx_paced_guard_enter(struct dpx_paced_guard *guard, uint32_t self)
{
    uint32_t inside;

    atomic_read_relaxed(&guard->inside, &inside);
    atomic_store_relaxed(&guard->inside, self);
    return !inside;
}

/* Leaves.  Returns false if another thread came in meanwhile. */
static inline bool
dpx_paced_guard_leave(struct dpx_paced_guard *guard, uint32_t self)
{
    uint32_t inside;

    atomic_read_relaxed(&guard->inside, &inside);
    atomic_store_relaxed(&guard->inside, 0);
    return inside == self;
}

#endif /* dpx-paced-guard.h */
