/* SPDX-License-Identifier: Apache-2.0
 *
 * Options of the paced test netdev: text in, checked numbers out.
 *
 *     n_rxq=N             rx queues, 1 to 256 (1)
 *     n_txq=N             tx queues, 1 to 256 (as many as the datapath asks)
 *     numa_id=N           NUMA node, 0 to 127 (0)
 *     rx-rate=R[,R...]    packets/s of each rx queue, or of all (0)
 *     tx-rate=R           packets/s that a tx ring drains (0: no limit)
 *     ring-size=N         descriptors per ring, 1 to 65536 (1024)
 *     frame-size=N        bytes with FCS, 64 to 9018 (64)
 *     flows=N             flows of each rx queue, 1 to 1048576 (1)
 *     flow-skew=S         Zipf exponent, 0 to 10 (0: all alike)
 *     rx-pcap=FILE        packets of a capture instead of generated ones
 *     gap-threshold=US    a longer gap between two polls is a long one,
 *                         1 to 10000000 microseconds (1000)
 *     double-poll=WHAT    two threads in one queue: "abort" or "count"
 *
 * rx-rate and tx-rate change while packets flow; the others restart the
 * port's queues.  Pure; called by the main thread. */

#ifndef DPX_PACED_CONFIG_H
#define DPX_PACED_CONFIG_H 1

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct smap;

#define DPX_PACED_QUEUES_MAX 256        /* A queue number takes one byte. */

struct dpx_paced_config {
    int n_rxq;
    int n_txq;                          /* 0: what the datapath asks for. */
    int numa_id;
    uint64_t rx_rates[DPX_PACED_QUEUES_MAX];    /* The first 'n_rxq'. */
    uint64_t tx_rate;
    uint32_t ring_size;
    uint32_t frame_size;
    uint32_t n_flows;
    double skew;
    uint64_t gap_threshold;             /* Nanoseconds. */
    bool abort_on_double_poll;
    char *rx_pcap;                      /* Null: packets are generated. */
};

/* Fills '*config' from 'args'.  Returns null, or what is wrong (naming key,
 * value and range), which the caller must free; then there is nothing to
 * destroy.  The capture is not opened here. */
char *dpx_paced_config_parse(struct dpx_paced_config *config,
                             const struct smap *args);
void dpx_paced_config_destroy(struct dpx_paced_config *);

/* Returns true if going from 'a' to 'b' restarts the queues.  The contents of
 * a capture are not looked at. */
bool dpx_paced_config_restarts(const struct dpx_paced_config *a,
                               const struct dpx_paced_config *b);

/* Parses a rate: 0 to DPX_PACED_RATE_MAX, digits only. */
bool dpx_paced_rate_parse(const char *, uint64_t *rate);

#endif /* dpx-paced-config.h */
