/* SPDX-License-Identifier: Apache-2.0
 *
 * Counters that one thread writes and any thread reads.
 *
 * The writing side is the packet path, so it is a relaxed load and a relaxed
 * store, never a read-modify-write.  Two threads that add to one counter at
 * once would lose counts. */

#ifndef DPX_COUNTER_H
#define DPX_COUNTER_H 1

#include <stdint.h>

#include "ovs-atomic.h"

/* Adds 'n' to '*counter'.  Only the counter's writer may call it. */
static inline void
dpx_count(atomic_uint64_t *counter, uint64_t n)
{
    uint64_t value;

    atomic_read_relaxed(counter, &value);
    atomic_store_relaxed(counter, value + n);
}

/* The same for a counter that wraps after 2^32. */
static inline void
dpx_count32(atomic_uint32_t *counter, uint32_t n)
{
    uint32_t value;

    atomic_read_relaxed(counter, &value);
    atomic_store_relaxed(counter, value + n);
}

/* Returns '*counter', from any thread. */
static inline uint64_t
dpx_counter_read(const atomic_uint64_t *counter)
{
    uint64_t value;

    atomic_read_relaxed(CONST_CAST(atomic_uint64_t *, counter), &value);
    return value;
}

#endif /* dpx-counter.h */
