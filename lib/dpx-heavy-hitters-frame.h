/* SPDX-License-Identifier: Apache-2.0
 *
 * The key of an Ethernet frame, straight from its bytes: what a PMD thread
 * does for each packet that it counts, before anybody has parsed it. */

#ifndef DPX_HEAVY_HITTERS_FRAME_H
#define DPX_HEAVY_HITTERS_FRAME_H 1

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "dpx-heavy-hitters-key.h"

/* Offset of what comes behind the Ethernet header and up to two VLAN tags, or
 * 0 if that is not IP. */
static inline size_t
dpx_hh_frame_ip(const uint8_t *frame, size_t size)
{
    size_t at = 12;

    for (int tags = 0; tags < 3 && size >= at + 2; tags++) {
        uint16_t type = frame[at] << 8 | frame[at + 1];

        if (type == 0x0800 || type == 0x86dd) {
            return at + 2;
        }
        if (type != 0x8100 && type != 0x88a8) {
            break;
        }
        at += 4;
    }
    return 0;
}

/* Makes a key of 'frame'.  Returns false, and leaves 'key' alone, if it holds
 * no whole IP header. */
static inline bool
dpx_hh_frame_key(struct dpx_hh_key *key, enum dpx_hh_kind kind,
                 const void *frame_, size_t size)
{
    const uint8_t *frame = frame_;
    size_t ip = dpx_hh_frame_ip(frame, size);
    const uint8_t *p = frame + ip;

    if (!ip) {
        return false;
    }
    /* The common case: IPv4 without options, no fragment, TCP or UDP.  What
     * may be a tunnel is for the other one. */
    if (size >= ip + 24 && p[0] == 0x45 && !(p[6] & 0x3f) && !p[7]
        && (p[9] == 6 || p[9] == 17) && kind != DPX_HH_INNER) {
        ovs_be32 src, dst;
        ovs_be16 ports[2];

        memcpy(&src, p + 12, sizeof src);
        memcpy(&dst, p + 16, sizeof dst);
        memcpy(ports, p + 20, sizeof ports);
        dpx_hh_key_ipv4(key, kind, src, dst, p[9], ports[0], ports[1]);
        return true;
    }
    return dpx_hh_key_parse(key, kind, p, size - ip);
}

#endif /* dpx-heavy-hitters-frame.h */
