/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts of times over many orders of magnitude in little memory: within each
 * power of two 128 equal slots, so that a value is known to 0.8 %.  This is
 * the layout of Gil Tene's HdrHistogram (hdrhistogram.org), reduced to what a
 * trial needs.
 *
 * Adding is a few instructions without a division, for a thread that polls;
 * one thread adds, and others read when it has stopped. */

#ifndef DPX_HISTOGRAM_H
#define DPX_HISTOGRAM_H 1

#include <stdint.h>

#define DPX_HISTOGRAM_BITS 7
#define DPX_HISTOGRAM_MAX_BITS 40       /* Above 2^40 counts as that. */
#define DPX_HISTOGRAM_SLOTS \
    ((DPX_HISTOGRAM_MAX_BITS - DPX_HISTOGRAM_BITS + 1) \
     << DPX_HISTOGRAM_BITS)

struct dpx_histogram {
    uint64_t n;                 /* Values. */
    uint64_t max;               /* Exact. */
    uint64_t slots[DPX_HISTOGRAM_SLOTS];
};

/* Number of the slot that 'value' falls into. */
static inline uint32_t
dpx_histogram_slot(uint64_t value)
{
    uint32_t shift;

    if (value < 1u << DPX_HISTOGRAM_BITS) {
        return value;
    } else if (value >> DPX_HISTOGRAM_MAX_BITS) {
        return DPX_HISTOGRAM_SLOTS - 1;
    }
    shift = 63 - __builtin_clzll(value) - DPX_HISTOGRAM_BITS;
    return ((shift + 1) << DPX_HISTOGRAM_BITS)
           + (value >> shift) - (1u << DPX_HISTOGRAM_BITS);
}

/* Counts one value.  'h' starts as all zeros. */
static inline void
dpx_histogram_add(struct dpx_histogram *h, uint64_t value)
{
    h->n++;
    h->max = value > h->max ? value : h->max;
    h->slots[dpx_histogram_slot(value)]++;
}

/* Adds all values of 'b' to 'a'. */
void dpx_histogram_merge(struct dpx_histogram *a,
                         const struct dpx_histogram *b);

/* The value that 'fraction' (0..1) of all values do not exceed: the largest
 * value of its slot, but no more than the largest value there was.  NAN if
 * there are no values. */
double dpx_histogram_quantile(const struct dpx_histogram *, double fraction);

#endif /* dpx-histogram.h */
