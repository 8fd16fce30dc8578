/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads a capture into memory, whole or not at all, for the paced test
 * netdev.  Called by the main thread; afterwards polling threads only read.
 *
 * Open vSwitch's own reader is not used, because it cannot tell a file that
 * was cut off inside a packet from one that ends, logs instead of returning
 * what is wrong, and would wait for ever for a FIFO's writer. */

#ifndef DPX_PACED_PCAP_H
#define DPX_PACED_PCAP_H 1

#include <stddef.h>
#include <stdint.h>

struct dpx_paced_pcap_packet {
    uint32_t size;              /* At least DPX_PACED_MIN_BYTES. */
    uint32_t hash;              /* Room for the caller. */
    const uint8_t *data;
};

struct dpx_paced_pcap {
    struct dpx_paced_pcap_packet *packets;  /* In the order of the file. */
    size_t n;                               /* At least 1. */
    uint8_t *bytes;                         /* What they point into. */
};

/* Reads 'file_name'.  A packet that the capture holds only the beginning of
 * is filled up with zeros to its full size, and one that is shorter than
 * Ethernet allows to the least size, as a NIC does.
 *
 * Returns null if the file is not a capture of Ethernet packets of at most
 * DPX_PACED_FRAME_MAX bytes, is cut off, or holds no packet; then '*errorp'
 * says why, with the file's name, and the caller must free it. */
struct dpx_paced_pcap *dpx_paced_pcap_read(const char *file_name,
                                           char **errorp);
void dpx_paced_pcap_destroy(struct dpx_paced_pcap *);

#endif /* dpx-paced-pcap.h */
