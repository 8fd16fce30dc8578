/* SPDX-License-Identifier: Apache-2.0
 *
 * Time between two polls of a queue, and whose fault a long one is.
 *
 * On a machine with few cores the kernel, or the hypervisor, takes a thread
 * off its core for milliseconds.  Such a gap says nothing about the datapath,
 * so each gap longer than a threshold is given one of the kinds below.  The
 * kernel's account of the thread (schedstat) decides; it is read when a gap
 * is long, and at most 100 times a second otherwise, because a reading that
 * is too old would blame a gap for time lost before it.
 *
 * What is written here is written by the polling thread; any thread reads. */

#ifndef DPX_PACED_GAP_H
#define DPX_PACED_GAP_H 1

#include <stdbool.h>
#include <stdint.h>

#include "dpx-paced-counter.h"

/* Kinds of long gaps: name in the enum, name in the table. */
#define DPX_PACED_GAP_KINDS                                             \
    DPX_PACED_GAP(ON, "on")         /* The thread ran: busy elsewhere. */ \
    DPX_PACED_GAP(OFF, "off")       /* It was off its core, mostly. */  \
    DPX_PACED_GAP(MOVED, "moved")   /* Another thread polled before. */ \
    DPX_PACED_GAP(UNKNOWN, "unknown")   /* The kernel does not tell. */

enum dpx_paced_gap_kind {
#define DPX_PACED_GAP(NAME, STRING) DPX_PACED_GAP_##NAME,
    DPX_PACED_GAP_KINDS
#undef DPX_PACED_GAP
    DPX_PACED_N_GAP_KINDS
};

const char *dpx_paced_gap_kind_name(enum dpx_paced_gap_kind);

/* A thread's account with the kernel.  Belongs to that thread. */
#define DPX_PACED_READINGS 16

struct dpx_paced_oncpu {
    int fd;                     /* Its schedstat file, -1: cannot be read. */
    uint32_t newest;            /* Index in 'readings'. */

    /* The last readings, circular: a thread off its core makes a gap in each
     * of its queues, and the second of them still needs a reading from
     * before. */
    struct {
        uint64_t at;            /* When, ns. */
        uint64_t ran;           /* Time on a core until then, ns. */
    } readings[DPX_PACED_READINGS];
};

/* Opens the calling thread's account; 'now' is the time. */
void dpx_paced_oncpu_open(struct dpx_paced_oncpu *, uint64_t now);
void dpx_paced_oncpu_close(struct dpx_paced_oncpu *);

/* Takes a reading.  Returns false if there is nothing to read. */
bool dpx_paced_oncpu_read(struct dpx_paced_oncpu *, uint64_t now);

/* Takes one if the last is 10 ms old. */
static inline void
dpx_paced_oncpu_refresh(struct dpx_paced_oncpu *oncpu, uint64_t now)
{
    if (OVS_UNLIKELY(now - oncpu->readings[oncpu->newest].at
                     > DPX_PACED_NSEC / 100)) {
        dpx_paced_oncpu_read(oncpu, now);
    }
}

/* Says of which kind a gap of 'gap' ns is that ended now, where in the last
 * 'wall' ns, which include it, the thread ran for 'ran' ns. */
enum dpx_paced_gap_kind dpx_paced_gap_kind(uint64_t gap, uint64_t wall,
                                           uint64_t ran);

#define DPX_PACED_GAP_BUCKETS 40    /* Bucket i: 2**i to 2**(i+1) - 1 ns. */

struct dpx_paced_gaps {
    uint64_t last;              /* Time of the last poll, 0: none.  Poller. */
    uint32_t poller;            /* Thread of the last poll.  Poller. */

    /* Poller: add.  Any thread: read. */
    atomic_uint64_t buckets[DPX_PACED_GAP_BUCKETS];
    atomic_uint64_t n_long[DPX_PACED_N_GAP_KINDS];

    /* Poller: raise.  Main thread: set to 0.  If both do it at once, what is
     * left is a gap that ended at that moment. */
    atomic_uint64_t max;                        /* Of all gaps, ns. */
    atomic_uint64_t max_long[DPX_PACED_N_GAP_KINDS];
};

void dpx_paced_gaps_init(struct dpx_paced_gaps *);

/* Forgets the last poll: no gap ends with the next one. */
void dpx_paced_gaps_restart(struct dpx_paced_gaps *);

/* Zeroes the maxima; the counters go on. */
void dpx_paced_gaps_clear_max(struct dpx_paced_gaps *);

/* Notes a long gap that ended now. */
void dpx_paced_gaps_long__(struct dpx_paced_gaps *, uint64_t gap, bool moved,
                           struct dpx_paced_oncpu *, uint64_t now);

/* Notes a poll at 'now' by thread 'poller'.  Gaps above 'threshold' ns are
 * long ones. */
static inline void
dpx_paced_gaps_poll(struct dpx_paced_gaps *gaps, uint64_t now,
                    uint32_t poller, uint64_t threshold,
                    struct dpx_paced_oncpu *oncpu)
{
    uint64_t last = gaps->last;
    bool moved = gaps->poller != poller;
    uint64_t gap, max;
    int bucket;

    gaps->last = now;
    gaps->poller = poller;
    if (!last || now <= last) {
        return;
    }

    gap = now - last;
    bucket = 63 - __builtin_clzll(gap);
    dpx_count(&gaps->buckets[bucket < DPX_PACED_GAP_BUCKETS
                             ? bucket : DPX_PACED_GAP_BUCKETS - 1], 1);
    atomic_read_relaxed(&gaps->max, &max);
    if (OVS_UNLIKELY(gap > max)) {
        atomic_store_relaxed(&gaps->max, gap);
    }
    if (OVS_UNLIKELY(gap > threshold)) {
        dpx_paced_gaps_long__(gaps, gap, moved, oncpu, now);
    }
}

#endif /* dpx-paced-gap.h */
