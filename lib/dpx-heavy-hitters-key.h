/* SPDX-License-Identifier: Apache-2.0
 *
 * What heavy hitters are counted by: a key of fixed size for IPv4 and IPv6.
 *
 * A PMD thread makes one key per sampled packet, from fields that it has
 * parsed already, or from the packet's own bytes where it wants to look into
 * a tunnel.  Two keys are equal exactly if all their words are.  Pure. */

#ifndef DPX_HEAVY_HITTERS_KEY_H
#define DPX_HEAVY_HITTERS_KEY_H 1

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "openvswitch/types.h"

struct ds;

/* What of a packet makes the key; the word is the one that users write.
 * "inner-5tuple" is that of the packet inside VXLAN, Geneve, GRE or IP in IP,
 * and that of the packet itself where there is no tunnel. */
#define DPX_HH_KINDS \
    DPX_HH_KIND(5TUPLE, "5tuple") \
    DPX_HH_KIND(SRC_IP, "src-ip") \
    DPX_HH_KIND(DST_IP, "dst-ip") \
    DPX_HH_KIND(PAIR, "pair") \
    DPX_HH_KIND(INNER, "inner-5tuple")

enum dpx_hh_kind {
#define DPX_HH_KIND(ENUM, NAME) DPX_HH_##ENUM,
    DPX_HH_KINDS
#undef DPX_HH_KIND
    DPX_HH_N_KINDS
};

/* The top byte of 'meta'. */
enum dpx_hh_family { DPX_HH_NONE, DPX_HH_IPV4 = 4, DPX_HH_IPV6 = 6 };

/* What a kind leaves out is zero.  Addresses are in network byte order as they
 * lie in memory; IPv4 has source and destination in the first word. */
struct dpx_hh_key {
    uint64_t meta;      /* Family, protocol, 0, ports in host byte order:
                         * 8, 8, 16, 16 and 16 bits from the top. */
    uint64_t addr[4];
};

static inline uint64_t
dpx_hh_key_meta(enum dpx_hh_family family, enum dpx_hh_kind kind,
                uint8_t proto, ovs_be16 sport, ovs_be16 dport)
{
    uint64_t meta = (uint64_t) family << 56;

    if (kind == DPX_HH_5TUPLE || kind == DPX_HH_INNER) {
        meta |= ((uint64_t) proto << 48 | (uint32_t) ntohs(sport) << 16
                 | ntohs(dport));
    }
    return meta;
}

/* Makes a key from fields; ports are 0 where there are none. */
static inline void
dpx_hh_key_ipv4(struct dpx_hh_key *key, enum dpx_hh_kind kind, ovs_be32 src,
                ovs_be32 dst, uint8_t proto, ovs_be16 sport, ovs_be16 dport)
{
    ovs_be32 addr[2] = { kind == DPX_HH_DST_IP ? 0 : src,
                         kind == DPX_HH_SRC_IP ? 0 : dst };

    key->meta = dpx_hh_key_meta(DPX_HH_IPV4, kind, proto, sport, dport);
    memcpy(&key->addr[0], addr, sizeof addr);
    key->addr[1] = key->addr[2] = key->addr[3] = 0;
}

/* The same with two addresses of 16 bytes, aligned anyhow. */
static inline void
dpx_hh_key_ipv6(struct dpx_hh_key *key, enum dpx_hh_kind kind,
                const void *src, const void *dst, uint8_t proto,
                ovs_be16 sport, ovs_be16 dport)
{
    key->meta = dpx_hh_key_meta(DPX_HH_IPV6, kind, proto, sport, dport);
    memcpy(&key->addr[0], src, 16);
    memcpy(&key->addr[2], dst, 16);
    if (kind == DPX_HH_DST_IP) {
        key->addr[0] = key->addr[1] = 0;
    } else if (kind == DPX_HH_SRC_IP) {
        key->addr[2] = key->addr[3] = 0;
    }
}

static inline bool
dpx_hh_key_equal(const struct dpx_hh_key *a, const struct dpx_hh_key *b)
{
    return !memcmp(a, b, sizeof *a);
}

static inline enum dpx_hh_family
dpx_hh_key_family(const struct dpx_hh_key *key)
{
    return key->meta >> 56;
}

static inline uint8_t
dpx_hh_key_proto(const struct dpx_hh_key *key)
{
    return key->meta >> 48;
}

/* In host byte order. */
static inline uint16_t
dpx_hh_key_sport(const struct dpx_hh_key *key)
{
    return key->meta >> 16;
}

static inline uint16_t
dpx_hh_key_dport(const struct dpx_hh_key *key)
{
    return key->meta;
}

/* Makes a key from 'size' bytes that start with an IP header.  A later
 * fragment has no ports.  Returns false, and leaves 'key' alone, if there is
 * no whole IP header. */
bool dpx_hh_key_parse(struct dpx_hh_key *key, enum dpx_hh_kind,
                      const void *ip, size_t size);

/* The word of a kind; and back: false, and '*kind' alone, for another word. */
const char *dpx_hh_kind_name(enum dpx_hh_kind);
bool dpx_hh_kind_from_name(const char *name, enum dpx_hh_kind *kind);

/* Writes what 'kind' put into 'key' in the syntax of a match, such as
 * "tcp,nw_src=10.0.0.1,nw_dst=10.0.0.2,tp_src=1000,tp_dst=80". */
void dpx_hh_key_format(const struct dpx_hh_key *, enum dpx_hh_kind,
                       struct ds *);

#endif /* dpx-heavy-hitters-key.h */
