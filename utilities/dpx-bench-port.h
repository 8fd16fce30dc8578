/* SPDX-License-Identifier: Apache-2.0
 *
 * The generator's ports: what a user calls them, and as DPDK devices with one
 * queue each way.  One thread. */

#ifndef DPX_BENCH_PORT_H
#define DPX_BENCH_PORT_H 1

#include <stddef.h>
#include <stdint.h>

#include "compiler.h"

#define DPX_BENCH_MAX_PORTS 2

/* How DPDK is asked for the port 'word' ("virtio:/run/sock", "tap:t0",
 * "af_packet:eth1", "pcap:IN,OUT", "null:", "pci:0000:01:00.0"), as number
 * 'i': words for its command line, to be freed.  Returns null or an error
 * that quotes the word, to be freed. */
char *dpx_bench_port_words(const char *word, int i, char **eal_word)
    OVS_WARN_UNUSED_RESULT;

struct rte_mempool;

/* Starts DPDK port number 'port' with 'pool', for frames of up to 'size'
 * bytes.  Returns null or an error, to be freed. */
char *dpx_bench_port_start(uint16_t port, struct rte_mempool *pool,
                           uint16_t size) OVS_WARN_UNUSED_RESULT;

#endif /* dpx-bench-port.h */
