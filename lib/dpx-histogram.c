/* SPDX-License-Identifier: Apache-2.0
 *
 * Merges and reads histograms, once a trial has ended. */

#include <config.h>
#include "dpx-histogram.h"

#include <math.h>

#include "util.h"

void
dpx_histogram_merge(struct dpx_histogram *a, const struct dpx_histogram *b)
{
    a->n += b->n;
    a->max = MAX(a->max, b->max);
    for (size_t i = 0; i < DPX_HISTOGRAM_SLOTS; i++) {
        a->slots[i] += b->slots[i];
    }
}

/* Largest value of slot number 'slot'. */
static uint64_t
slot_end(uint32_t slot)
{
    uint32_t major = slot >> DPX_HISTOGRAM_BITS;
    uint64_t minor = slot & ((1u << DPX_HISTOGRAM_BITS) - 1);

    if (!major) {
        return minor;
    }
    return ((minor + (1u << DPX_HISTOGRAM_BITS) + 1) << (major - 1)) - 1;
}

double
dpx_histogram_quantile(const struct dpx_histogram *h, double fraction)
{
    uint64_t wanted = MAX(1, ceil(h->n * fraction)), seen = 0;

    for (uint32_t i = 0; h->n && i < DPX_HISTOGRAM_SLOTS; i++) {
        seen += h->slots[i];
        if (seen >= wanted) {
            return (i == DPX_HISTOGRAM_SLOTS - 1 ? h->max
                    : MIN(slot_end(i), h->max));
        }
    }
    return NAN;
}
