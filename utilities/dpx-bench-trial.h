/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs one trial on DPDK ports: packets out by the clock, packets in, the
 * account.  One thread. */

#ifndef DPX_BENCH_TRIAL_H
#define DPX_BENCH_TRIAL_H 1

#include <stdbool.h>

#include "compiler.h"

struct dpx_bench_traffic;
struct dpx_stream_config;
struct svec;

/* Starts DPDK with the ports that the words in 'ports' describe, on CPU 'core'
 * with 'memory' MB.  May be called once.  Returns null or an error, to be
 * freed; then '*traffic' is null. */
char *dpx_bench_traffic_create(struct dpx_bench_traffic **traffic,
                               const struct dpx_stream_config *,
                               const struct svec *ports, bool pci,
                               unsigned int core, unsigned int memory)
    OVS_WARN_UNUSED_RESULT;
void dpx_bench_traffic_destroy(struct dpx_bench_traffic *);

/* Sends 'load' packets/s for 'seconds', then waits until what is under way
 * has come. */
void dpx_bench_traffic_trial(struct dpx_bench_traffic *, double load,
                             double seconds);

/* Prints the "result" line of the last trial. */
void dpx_bench_traffic_print(const struct dpx_bench_traffic *);

#endif /* dpx-bench-trial.h */
