/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks the sequence numbers that one source queue's packets carry when
 * they reach a sink of the paced test netdev.
 *
 *     received    packets that came, duplicates included
 *     lost        numbers between the lowest and the highest seen that never
 *                 came (a packet still on its way counts until it comes)
 *     duplicated  packets whose number had come before
 *     reordered   packets that came after a later packet of the same flow
 *
 * Numbers grow with arrival at the source, so they also grow within a flow,
 * and one number per packet serves all four.  A packet that comes more than
 * DPX_PACED_WINDOW numbers late can no longer be told from a duplicate: it
 * counts as received and as 'ancient'.
 *
 * Not thread-safe: the sink holds a lock per source, because the order across
 * its tx queues is what is to be checked. */

#ifndef DPX_PACED_CHECK_H
#define DPX_PACED_CHECK_H 1

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dpx-paced-packet.h"

#define DPX_PACED_WINDOW 65536      /* Numbers remembered; a power of 2. */

struct dpx_paced_tally {
    uint64_t received;
    uint64_t lost;
    uint64_t duplicated;
    uint64_t reordered;
    uint64_t ancient;
};

struct dpx_paced_check {
    bool started;               /* False until the first packet. */
    uint8_t epoch;              /* Of the source that the rest is about. */
    uint64_t lowest;            /* Numbers seen. */
    uint64_t highest;
    struct dpx_paced_tally now; /* This epoch; 'lost' is not kept here. */
    struct dpx_paced_tally past;    /* Earlier epochs. */
    uint64_t *window;           /* One bit per number, 1: it came. */
    uint64_t *flow_next;        /* Per flow: highest number seen + 1. */
    size_t n_flows;             /* Elements of 'flow_next'. */
};

void dpx_paced_check_init(struct dpx_paced_check *);
void dpx_paced_check_destroy(struct dpx_paced_check *);

/* Forgets everything: the next packet is the first one. */
void dpx_paced_check_reset(struct dpx_paced_check *);

/* Takes note of a packet.  A newer epoch closes the account of the one
 * before; a packet of an older one is received and no more. */
void dpx_paced_check_packet(struct dpx_paced_check *,
                            const struct dpx_paced_stamp *);

/* The result so far. */
void dpx_paced_check_tally(const struct dpx_paced_check *,
                           struct dpx_paced_tally *);

#endif /* dpx-paced-check.h */
