/* SPDX-License-Identifier: Apache-2.0
 *
 * The packets of a trial and what becomes of them: UDP over IPv4, each with
 * its number and the time it was sent, and the account of those that come
 * back.  Pure; called for every packet by the one thread that sends and
 * receives, so filling and reading allocate nothing and divide nothing. */

#ifndef DPX_STREAM_H
#define DPX_STREAM_H 1

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dpx-histogram.h"

#define DPX_STREAM_MIN_SIZE 64          /* With the check sequence. */
#define DPX_STREAM_MAX_SIZE 9018
#define DPX_STREAM_MAX_FLOWS (1u << 20)

/* Bytes of a frame that are written per packet: up to the end of the stamp,
 * with a VLAN tag. */
#define DPX_STREAM_HEADER 64

/* What is sent. */
struct dpx_stream_config {
    uint16_t size;              /* Of a frame with its check sequence; 0:
                                 * IMIX, 7 x 64, 4 x 570, 1 x 1518 bytes (the
                                 * "simple IMIX" of RFC 6985 section 4). */
    uint32_t n_flows;           /* By increasing addresses, in turn. */
    double zipf;                /* Above 0: flows by Zipf's law with this
                                 * exponent, instead of in turn. */
    uint16_t vlan;              /* Tag; 0: none. */
    uint8_t source[6], destination[6];  /* Ethernet. */
};

struct dpx_stream_flow {
    uint32_t source, destination;       /* IPv4, network order. */
    uint16_t sum;               /* IPv4 checksum for a length of 0. */
};

struct dpx_stream {
    struct dpx_stream_config config;
    uint8_t header[DPX_STREAM_HEADER];
    size_t ip;                  /* Offset of the IPv4 header. */
    struct dpx_stream_flow *flows;
    uint32_t *order;            /* Flow of each number in turn. */
    uint32_t n_order;           /* A power of 2 if by Zipf, else flows. */
    uint32_t next;              /* Into 'order'. */
    uint32_t number;            /* Of the next packet in this trial. */
    uint16_t epoch;             /* Of this trial. */
};

/* What a packet says of itself. */
struct dpx_stream_stamp {
    uint16_t epoch;
    uint32_t number, flow;
    uint64_t sent;              /* Cycles, 48 bits. */
};

/* Returns null, or what is wrong with '*config', to be freed. */
char *dpx_stream_check_config(const struct dpx_stream_config *);

/* Creates a stream from a configuration that is in order; free with
 * dpx_stream_destroy(), which accepts null. */
struct dpx_stream *dpx_stream_create(const struct dpx_stream_config *);
void dpx_stream_destroy(struct dpx_stream *);

/* A new trial: numbers start at 0, and packets of trials before count no
 * more. */
void dpx_stream_restart(struct dpx_stream *);

/* Writes the next packet's first bytes into 'frame', which has room for
 * DPX_STREAM_HEADER, as sent at 'now' cycles.  Returns its length without
 * check sequence; what follows the header is left as it is. */
uint16_t dpx_stream_fill(struct dpx_stream *, uint8_t *frame, uint64_t now);

/* Reads a frame that came back.  False if it is none of this stream's. */
bool dpx_stream_read(const struct dpx_stream *, const uint8_t *frame,
                     size_t length, struct dpx_stream_stamp *);

/* The account of a trial. */
struct dpx_stream_account {
    uint64_t received;          /* Without duplicates. */
    uint64_t duplicates, reordered;
    uint64_t late;              /* Of an earlier trial. */
    struct dpx_histogram latency;       /* Cycles. */
    uint32_t n_flows;
    uint32_t *highest;          /* Per flow: number of the latest packet
                                 * that came, plus 1. */
    uint64_t *came;             /* A bit per number. */
    size_t n_came;              /* Numbers for which there is a bit; beyond,
                                 * duplicates are not noticed. */
};

/* Prepares for a trial of up to 'n' packets of 'n_flows' flows; '*account' is
 * all zeros or was used before. */
void dpx_stream_account_reset(struct dpx_stream_account *, uint32_t n_flows,
                              uint64_t n);
void dpx_stream_account_uninit(struct dpx_stream_account *);

/* Takes note of a packet that came at 'now' cycles. */
void dpx_stream_account(struct dpx_stream_account *,
                        const struct dpx_stream *,
                        const struct dpx_stream_stamp *, uint64_t now);

#endif /* dpx-stream.h */
