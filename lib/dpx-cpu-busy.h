/* SPDX-License-Identifier: Apache-2.0
 *
 * How busy each CPU of the machine is, with whatever runs there: from two
 * texts of /proc/stat.
 *
 * Pure: text in, shares out.  Main thread only. */

#ifndef DPX_CPU_BUSY_H
#define DPX_CPU_BUSY_H 1

#include <stddef.h>
#include <stdint.h>

/* A CPU at the last text, in the kernel's ticks since it started. */
struct dpx_cpu_ticks {
    uint64_t busy, all;
    double share;               /* Busy share between the last two texts, or
                                 * DPX_LOAD_UNKNOWN. */
};

/* All zeros is "nothing read yet". */
struct dpx_cpu_busy {
    struct dpx_cpu_ticks *cpus; /* By CPU number. */
    size_t n;                   /* Highest CPU number plus 1. */
};

/* Takes the next text of /proc/stat.  A CPU that it does not name becomes
 * unknown, as does one whose ticks fell; lines that are not about one CPU are
 * skipped. */
void dpx_cpu_busy_update(struct dpx_cpu_busy *, const char *text);

/* The busy share of 'cpu' (0 to 1) between the last two texts, or
 * DPX_LOAD_UNKNOWN. */
double dpx_cpu_busy_get(const struct dpx_cpu_busy *, unsigned int cpu);

void dpx_cpu_busy_destroy(struct dpx_cpu_busy *);

#endif /* dpx-cpu-busy.h */
