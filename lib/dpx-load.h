/* SPDX-License-Identifier: Apache-2.0
 *
 * Load of a queue or thread from samples of its cumulative counters.
 *
 * A PMD thread only counts, and never forgets: the counters go on over
 * reloads and queue moves.  The main thread samples them once a second into a
 * ring, and a load is the difference of two samples.  Single owner: the main
 * thread writes and reads the ring. */

#ifndef DPX_LOAD_H
#define DPX_LOAD_H 1

#include <stdbool.h>
#include <stdint.h>

/* Samples kept: at one a second, the window may be up to this less one. */
#define DPX_LOAD_SAMPLES 64

/* Window over which a load is taken unless asked otherwise, in seconds. */
#define DPX_LOAD_WINDOW_S 5

/* Longest window that may be asked for.  The samples of a busy main thread
 * come late rather than early, so that the ring is long enough for it. */
#define DPX_LOAD_WINDOW_MAX_S 60

struct dpx_load_sample {
    uint64_t tsc;           /* Time stamp counter when it was taken. */
    uint64_t usec;          /* Monotonic time when it was taken. */
    uint64_t cycles;        /* Busy cycles since the beginning. */
    uint64_t packets;       /* Packets since the beginning. */
    uint64_t drops;         /* Packets lost since the beginning, or
                             * DPX_LOAD_NO_DROPS: not known. */
};

/* Drops that nobody can count. */
#define DPX_LOAD_NO_DROPS UINT64_MAX

/* What two samples give.  Each is DPX_LOAD_UNKNOWN where it is not known. */
struct dpx_load_rates {
    double busy;            /* Fraction of a core, 0 to 1. */
    double demand;          /* The same if nothing were lost; may be more
                             * than 1, see dpx-drops.h. */
    double pps;             /* Packets/s received. */
    double drops;           /* Packets/s lost. */
    double cycles;          /* Busy cycles per packet; unknown without a
                             * packet. */
};

/* All zero is an empty ring: it may sit in zeroed memory. */
struct dpx_load {
    struct dpx_load_sample ring[DPX_LOAD_SAMPLES];
    unsigned int n;         /* Samples held, at most DPX_LOAD_SAMPLES. */
    unsigned int next;      /* Where the next one goes. */
};

/* Adds 'sample'.  Counters that fell (the queue was deleted and made anew) or
 * a clock that stood still start the ring again, because a difference over
 * the gap would be a lie. */
void dpx_load_add(struct dpx_load *load, const struct dpx_load_sample *sample);

/* Load over the last 'window_s' seconds, or over what is held if that is less:
 * '*busy' as a fraction of a core, 0 to 1, and '*pps' in packets per second.
 * Returns false, and sets both to DPX_LOAD_UNKNOWN, when fewer than two
 * samples are held. */
bool dpx_load_get(const struct dpx_load *load, unsigned int window_s,
                  double *busy, double *pps);

/* The same in full.  Drops are those of the samples that have them. */
bool dpx_load_get_rates(const struct dpx_load *load, unsigned int window_s,
                        struct dpx_load_rates *rates);

#endif /* dpx-load.h */
