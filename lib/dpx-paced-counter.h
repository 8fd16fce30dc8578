/* SPDX-License-Identifier: Apache-2.0
 *
 * Time and cycles of the paced test netdev, whose counters are those of
 * dpx-counter.h; the guard in dpx-paced-guard.h finds two threads that add to
 * one at once. */

#ifndef DPX_PACED_COUNTER_H
#define DPX_PACED_COUNTER_H 1

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "dpx-counter.h"

#define DPX_PACED_NSEC UINT64_C(1000000000)     /* Nanoseconds in a second. */

/* Nanoseconds of the clock that the model runs on.  It is the kernel's own:
 * Open vSwitch's "time/stop" and "time/warp" do not move it, because traffic
 * does not stop when a test stops the timers. */
static inline uint64_t
dpx_paced_clock(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return ts.tv_sec * DPX_PACED_NSEC + ts.tv_nsec;
}

/* The processor's cycle counter, to measure what the model itself costs;
 * nanoseconds where no such counter is known. */
static inline uint64_t
dpx_paced_cycles(void)
{
#if defined(__x86_64__)
    uint32_t high, low;

    __asm__ volatile("rdtsc" : "=a" (low), "=d" (high));
    return (uint64_t) high << 32 | low;
#elif defined(__aarch64__)
    uint64_t count;

    __asm__ volatile("mrs %0, cntvct_el0" : "=r" (count));
    return count;
#else
    return dpx_paced_clock();
#endif
}

/* Calls whose cost is measured: one in this many. */
#define DPX_PACED_SAMPLE 61

/* Returns true if 'cycles' can be what the model spent on 'n' packets.  What
 * takes longer was interrupted, and a few of those would outweigh all other
 * samples. */
static inline bool
dpx_paced_sample_ok(uint64_t cycles, uint64_t n)
{
    return cycles <= 2000 + 1000 * n;
}

#endif /* dpx-paced-counter.h */
