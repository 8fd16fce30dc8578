/* SPDX-License-Identifier: Apache-2.0
 *
 * Sets of CPU numbers, as operators write them: "0-5,48-53", "0-62:2", 0xff0.
 *
 * Plain values without allocation; used by the readers of a machine's
 * description, by options that name CPUs, and by what proposes PMD cores. */

#ifndef DPX_CPUSET_H
#define DPX_CPUSET_H 1

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compiler.h"

struct ds;

/* CPU numbers are below this.  Twice what Linux can be built for today would
 * still be small here; the limit keeps a typing error from meaning memory. */
#define DPX_MAX_CPUS 8192

struct dpx_cpuset {
    uint64_t bits[DPX_MAX_CPUS / 64];
};

static inline bool
dpx_cpuset_has(const struct dpx_cpuset *set, unsigned int cpu)
{
    return cpu < DPX_MAX_CPUS && (set->bits[cpu / 64] >> (cpu % 64) & 1);
}

static inline void
dpx_cpuset_add(struct dpx_cpuset *set, unsigned int cpu)
{
    if (cpu < DPX_MAX_CPUS) {
        set->bits[cpu / 64] |= UINT64_C(1) << (cpu % 64);
    }
}

static inline void
dpx_cpuset_remove(struct dpx_cpuset *set, unsigned int cpu)
{
    if (cpu < DPX_MAX_CPUS) {
        set->bits[cpu / 64] &= ~(UINT64_C(1) << (cpu % 64));
    }
}

size_t dpx_cpuset_count(const struct dpx_cpuset *);

/* Reads a list of numbers, ranges and strided ranges with commas between,
 * such as "0-5,48,60-70:2".  An empty list is an empty set.  Returns null, or
 * an error that quotes the word, to be freed. */
char *dpx_cpuset_from_list(struct dpx_cpuset *, const char *list)
    OVS_WARN_UNUSED_RESULT;

/* Reads a hexadecimal mask as pmd-cpu-mask takes it, with or without "0x".
 * Returns null, or an error that quotes the word, to be freed. */
char *dpx_cpuset_from_mask(struct dpx_cpuset *, const char *mask)
    OVS_WARN_UNUSED_RESULT;

/* Appends "0-5,48-53" or "0-62:2", or "none". */
void dpx_cpuset_put_list(const struct dpx_cpuset *, struct ds *);

/* Appends "0xff0", or "0x0". */
void dpx_cpuset_put_mask(const struct dpx_cpuset *, struct ds *);

#endif /* dpx-cpuset.h */
