/* SPDX-License-Identifier: Apache-2.0
 *
 * Packets that the paced test netdev makes: how they are written and read.
 *
 * Ethernet, IPv4, UDP with right checksums.  The smallest frame (64 bytes
 * with the frame check sequence, 60 without, which a netdev never sees)
 * leaves 18 bytes of payload, and the stamp takes them all:
 *
 *     magic (4)  port (2)  queue (1)  epoch (1)  flow (4)  seq (6)
 *
 * Addresses follow from port, queue and flow alone, so that a queue's flows
 * are its own, as with a NIC that spreads flows by hash:
 *
 *     source       02:64:70:PORT:PORT:QUEUE   10.PORT.QUEUE.1
 *     destination  02:64:70:ff:ff:ff          172.16.0.0 + flow
 *     UDP ports    1024 + flow modulo 64512   to 5201
 *
 * (PORT is the netdev's number, not an OpenFlow port; numbers above 255 go on
 * in the last byte of the source address.)
 *
 * Pure; called by polling threads without a lock. */

#ifndef DPX_PACED_PACKET_H
#define DPX_PACED_PACKET_H 1

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DPX_PACED_FCS 4             /* Frame sizes count it, packets do not. */
#define DPX_PACED_FRAME_MIN 64
#define DPX_PACED_FRAME_MAX 9018    /* A jumbo frame. */
#define DPX_PACED_MIN_BYTES (DPX_PACED_FRAME_MIN - DPX_PACED_FCS)
#define DPX_PACED_STAMP_OFS 42      /* Where the stamp is in a new packet. */

struct dpx_paced_stamp {
    uint16_t port;              /* Number of the sending netdev. */
    uint8_t queue;
    uint8_t epoch;              /* Grows when the number gets a new owner. */
    uint32_t flow;
    uint64_t seq;               /* By arrival; 48 bits in the packet. */
};

/* What the packets of a queue have in common. */
struct dpx_paced_template {
    uint8_t bytes[DPX_PACED_MIN_BYTES];
    uint32_t size;              /* Of a packet, without the FCS. */
    uint32_t ip_sum;            /* Sums of the constant 16-bit words. */
    uint32_t udp_sum;
    uint32_t hash_basis;
};

/* Prepares packets of 'frame_size' bytes (DPX_PACED_FRAME_MIN to _MAX) with
 * 'stamp''s port, queue and epoch. */
void dpx_paced_template_init(struct dpx_paced_template *,
                             const struct dpx_paced_stamp *stamp,
                             uint32_t frame_size);

/* Writes packet number 'seq' of 'flow' to the 'template->size' bytes at
 * 'data'.  Returns the hash that a NIC would give to the flow. */
uint32_t dpx_paced_template_write(const struct dpx_paced_template *template,
                                  void *data, uint32_t flow, uint64_t seq);

/* Reads the stamp at 'data', of which 'size' bytes may be looked at.  Returns
 * false if there is none. */
bool dpx_paced_stamp_read(const void *data, size_t size,
                          struct dpx_paced_stamp *);

#endif /* dpx-paced-packet.h */
