/* SPDX-License-Identifier: Apache-2.0
 *
 * Ring of counter samples and the load it gives.  Main thread only. */

#include <config.h>

#include "dpx-load.h"

#include <string.h>

#include "dpx-view.h"
#include "util.h"

static const struct dpx_load_sample *
newest(const struct dpx_load *load)
{
    return &load->ring[(load->next + DPX_LOAD_SAMPLES - 1) % DPX_LOAD_SAMPLES];
}

void
dpx_load_add(struct dpx_load *load, const struct dpx_load_sample *sample)
{
    if (load->n) {
        const struct dpx_load_sample *last = newest(load);

        if (sample->cycles < last->cycles || sample->packets < last->packets
            || sample->tsc <= last->tsc || sample->usec <= last->usec) {
            load->n = 0;
        }
    }
    load->ring[load->next] = *sample;
    load->next = (load->next + 1) % DPX_LOAD_SAMPLES;
    load->n = MIN(load->n + 1, DPX_LOAD_SAMPLES);
}

/* The youngest sample that is at least 'window_s' older than the newest, else
 * the oldest one held. */
static const struct dpx_load_sample *
window_start(const struct dpx_load *load, unsigned int window_s)
{
    const struct dpx_load_sample *last = newest(load);
    const struct dpx_load_sample *s = last;

    /* A sample comes a little late rather than early: half a second of grace
     * keeps a window of 5 s from becoming one of 6 s. */
    uint64_t wanted = window_s * UINT64_C(1000000) - UINT64_C(500000);

    for (unsigned int i = 1; i < load->n; i++) {
        s = &load->ring[(load->next + DPX_LOAD_SAMPLES - 1 - i)
                        % DPX_LOAD_SAMPLES];
        if (last->usec - s->usec >= wanted) {
            break;
        }
    }
    return s;
}

bool
dpx_load_get(const struct dpx_load *load, unsigned int window_s,
             double *busy, double *pps)
{
    const struct dpx_load_sample *a, *b;

    *busy = *pps = DPX_LOAD_UNKNOWN;
    if (load->n < 2 || !window_s) {
        return false;
    }
    b = newest(load);
    a = window_start(load, window_s);
    *busy = MIN(1.0, (double) (b->cycles - a->cycles) / (b->tsc - a->tsc));
    *pps = (double) (b->packets - a->packets) * 1e6 / (b->usec - a->usec);
    return true;
}
