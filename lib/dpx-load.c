/* SPDX-License-Identifier: Apache-2.0
 *
 * Ring of counter samples and the load it gives.  Main thread only. */

#include <config.h>

#include "dpx-load.h"

#include <string.h>

#include "dpx-drops.h"
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

/* Packets/s lost between 'a' and 'b', or where they became known after 'a';
 * DPX_LOAD_UNKNOWN if they are not known for any time. */
static double
get_drops(const struct dpx_load *load, const struct dpx_load_sample *a,
          const struct dpx_load_sample *b)
{
    const struct dpx_load_sample *end = load->ring + DPX_LOAD_SAMPLES;

    while (a != b && a->drops == DPX_LOAD_NO_DROPS) {
        a = a + 1 < end ? a + 1 : load->ring;
    }
    return (a == b || b->drops == DPX_LOAD_NO_DROPS || b->drops < a->drops
            ? DPX_LOAD_UNKNOWN
            : (double) (b->drops - a->drops) * 1e6 / (b->usec - a->usec));
}

bool
dpx_load_get_rates(const struct dpx_load *load, unsigned int window_s,
                   struct dpx_load_rates *rates)
{
    const struct dpx_load_sample *a, *b;
    uint64_t packets;

    *rates = (struct dpx_load_rates) {
        .busy = DPX_LOAD_UNKNOWN,
        .demand = DPX_LOAD_UNKNOWN,
        .pps = DPX_LOAD_UNKNOWN,
        .drops = DPX_LOAD_UNKNOWN,
        .cycles = DPX_LOAD_UNKNOWN,
    };
    if (load->n < 2 || !window_s) {
        return false;
    }
    b = newest(load);
    a = window_start(load, window_s);
    packets = b->packets - a->packets;
    rates->busy = MIN(1.0, (double) (b->cycles - a->cycles)
                           / (b->tsc - a->tsc));
    rates->pps = (double) packets * 1e6 / (b->usec - a->usec);
    rates->drops = get_drops(load, a, b);
    rates->demand = dpx_drops_demand(rates->busy, rates->pps, rates->drops);
    if (packets) {
        rates->cycles = (double) (b->cycles - a->cycles) / packets;
    }
    return true;
}

bool
dpx_load_get(const struct dpx_load *load, unsigned int window_s,
             double *busy, double *pps)
{
    struct dpx_load_rates rates;
    bool known = dpx_load_get_rates(load, window_s, &rates);

    *busy = rates.busy;
    *pps = rates.pps;
    return known;
}
