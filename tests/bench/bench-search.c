/* SPDX-License-Identifier: Apache-2.0
 *
 * Holds the searches of ovs-dpx-bench to devices whose throughput is known.
 *
 * Every run has a device of its own, drawn from a fixed seed: capacity 10^4 to
 * 10^7 packets/s, largest load 1.02 to 20 times that, a loss curve of its own.
 * A run is right if every goal's conditional throughput is within half a
 * percent of the analytic one, or, for a binary search, if the load that it
 * found is within the resolution.  Prints a table, then one line
 * "RESULT key=value ...". */

#include <config.h>

#include <stdio.h>
#include <stdlib.h>

#include "bench-device.h"
#include "dpx-summary.h"

#define SEED 20261130
#define RUNS 200
#define MOST_TRIALS 5000

/* A load is decided after 11 of the 21 trials of 1 s that FD.io CSIT's goals
 * ask for, and two goals have two bounds each: no search can take less. */
#define FLOOR_SECONDS 44

struct kind {
    const char *name;
    enum dpx_search_method method;
    double noise, edge;
};

static const struct kind kinds[] = {
    { "mlr", DPX_SEARCH_MLR, 0, 0 },
    { "mlr, 1 trial in 10 disturbed", DPX_SEARCH_MLR, 0.1, 0 },
    { "mlr, 1 trial in 5 disturbed", DPX_SEARCH_MLR, 0.2, 0 },
    { "mlr, 3 trials in 10 disturbed", DPX_SEARCH_MLR, 0.3, 0 },
    { "mlr, loss by chance near capacity", DPX_SEARCH_MLR, 0, 0.0005 },
    { "rfc2544", DPX_SEARCH_RFC2544, 0, 0 },
    { "tst009", DPX_SEARCH_TST009, 0, 0 },
    { "rfc2544, 1 trial in 10 disturbed", DPX_SEARCH_RFC2544, 0.1, 0 },
    { "tst009, 1 trial in 10 disturbed", DPX_SEARCH_TST009, 0.1, 0 },
};

struct outcome {
    unsigned int right;
    double worst;               /* Relative to truth or, binary, to the
                                 * largest load. */
    struct dpx_summary seconds;
};

static void
draw(struct device *d, struct dpx_search_config *config,
     const struct kind *kind, unsigned int run)
{
    uint64_t state = SEED + run * UINT64_C(7919);

    d->capacity = pow(10, device_between(&state, 4, 7));
    d->slope = device_between(&state, 0.05, 1);
    d->noise = kind->noise;
    d->noise_loss = pow(10, device_between(&state, -3, -1));
    d->edge = kind->edge;
    dpx_search_defaults(config, kind->method);
    config->max_load = d->capacity * pow(20, device_between(&state, 0.006,
                                                            1));
    config->min_load = config->max_load / 10000;
    d->state = state;
}

/* How far the search is from the truth, as a part of what is allowed. */
static double
error_of(const struct device *d, const struct dpx_search_config *config,
         const struct dpx_search *search, double *relative)
{
    double worst = 0;

    for (size_t i = 0; i < config->n_goals; i++) {
        double ratio = config->goals[i].loss_ratio, off;
        struct dpx_search_result r;

        dpx_search_result(search, i, &r);
        if (config->method == DPX_SEARCH_MLR) {
            off = fabs(r.throughput / device_throughput(d, ratio) - 1);
            off = off > 0.005 || !r.regular ? MAX(off, 1) : off;
        } else {
            off = fabs(r.lower - d->capacity) / config->max_load;
        }
        worst = isnan(off) ? INFINITY : MAX(worst, off);
    }
    *relative = worst;
    return worst / (config->method == DPX_SEARCH_MLR ? 0.005
                    : config->resolution);
}

static struct outcome
run_kind(const struct kind *kind, unsigned int runs)
{
    double *seconds = xcalloc(runs, sizeof *seconds);
    struct outcome o = { 0 };

    for (unsigned int i = 0; i < runs; i++) {
        struct dpx_search_config config;
        struct dpx_search *search;
        struct device d;
        double relative;

        draw(&d, &config, kind, i);
        search = dpx_search_create(&config);
        seconds[i] = device_search(&d, search, MOST_TRIALS);
        o.right += error_of(&d, &config, search, &relative) <= 1.0001;
        o.worst = MAX(o.worst, relative);
        dpx_search_destroy(search);
    }
    dpx_summary_make(seconds, runs, &o.seconds);
    free(seconds);
    return o;
}

int
main(int argc, char *argv[])
{
    unsigned int runs = argc > 1 ? atoi(argv[1]) : RUNS;
    struct outcome o[ARRAY_SIZE(kinds)];

    if (argc > 2 || !runs || runs > 1000000) {
        ovs_fatal(0, "'%s' is not a number of runs", argv[argc - 1]);
    }
    printf("%-36s %5s %7s %8s   %s\n", "SEARCH", "RIGHT", "RUNS", "WORST %",
           "SECONDS OF TRIALS: MIN MEDIAN P90 MAX");
    for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
        o[i] = run_kind(&kinds[i], runs);
        printf("%-36s %5u %7u %8.3f   %.0f %.0f %.0f %.0f\n", kinds[i].name,
               o[i].right, runs, 100 * o[i].worst, o[i].seconds.min,
               o[i].seconds.median, o[i].seconds.p90, o[i].seconds.max);
    }
    printf("RESULT runs=%u within_half_percent=%u noisy_within=%u "
           "noisiest_within=%u edge_within=%u rfc2544_within=%u "
           "tst009_within=%u trial_seconds_median=%.0f "
           "trial_seconds_floor=%d noisy_trial_seconds_median=%.0f\n",
           runs, o[0].right, o[2].right, o[3].right, o[4].right, o[5].right,
           o[6].right, o[0].seconds.median, FLOOR_SECONDS,
           o[2].seconds.median);
    return 0;
}
