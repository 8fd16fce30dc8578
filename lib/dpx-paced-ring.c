/* SPDX-License-Identifier: Apache-2.0
 *
 * Descriptor ring of the paced test netdev; the header says what it models. */

#include <config.h>
#include "dpx-paced-ring.h"

#include <stdlib.h>
#include <string.h>

#include "util.h"

void
dpx_paced_ring_init(struct dpx_paced_ring *ring, uint32_t size)
{
    memset(ring, 0, sizeof *ring);
    atomic_init(&ring->fill, 0);
    atomic_init(&ring->arrived, 0);
    atomic_init(&ring->missed, 0);
    dpx_paced_ring_restart(ring, size);
}

void
dpx_paced_ring_destroy(struct dpx_paced_ring *ring)
{
    free(ring->runs);
    ring->runs = NULL;
}

void
dpx_paced_ring_restart(struct dpx_paced_ring *ring, uint32_t size)
{
    uint32_t capacity = 1;

    while (capacity < size) {
        capacity *= 2;
    }
    free(ring->runs);
    ring->runs = xcalloc(capacity, sizeof *ring->runs);
    ring->run_mask = capacity - 1;
    ring->first_run = 0;
    ring->n_runs = 0;
    ring->size = size;

    dpx_count(&ring->missed, ring->used);
    ring->used = 0;
    atomic_store_relaxed(&ring->fill, 0);
    ring->meter.running = false;
}

void
dpx_paced_ring_arrive(struct dpx_paced_ring *ring, uint64_t n)
{
    uint64_t room = ring->size - ring->used;
    uint64_t fits = MIN(n, room);

    if (fits) {
        struct dpx_paced_run *last = &ring->runs[
            (ring->first_run + ring->n_runs - 1) & ring->run_mask];

        if (ring->n_runs && last->seq + last->n == ring->next_seq) {
            last->n += fits;
        } else {
            last = &ring->runs[(ring->first_run + ring->n_runs)
                               & ring->run_mask];
            last->seq = ring->next_seq;
            last->n = fits;
            ring->n_runs++;
        }
        ring->used += fits;
    }
    ring->next_seq += n;
    dpx_count(&ring->arrived, n);
    if (n > fits) {
        dpx_count(&ring->missed, n - fits);
    }
    atomic_store_relaxed(&ring->fill, ring->used);
}

uint32_t
dpx_paced_ring_take(struct dpx_paced_ring *ring, uint32_t max, uint64_t *seq)
{
    struct dpx_paced_run *first = &ring->runs[ring->first_run];
    uint32_t n;

    if (!ring->n_runs || !max) {
        return 0;
    }
    n = MIN(first->n, max);
    *seq = first->seq;
    first->seq += n;
    first->n -= n;
    if (!first->n) {
        ring->first_run = (ring->first_run + 1) & ring->run_mask;
        ring->n_runs--;
    }
    ring->used -= n;
    atomic_store_relaxed(&ring->fill, ring->used);
    return n;
}
