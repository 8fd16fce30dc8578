/* SPDX-License-Identifier: Apache-2.0
 *
 * Keys of heavy hitters from a packet's bytes, and as text.  Parsing runs on
 * PMD threads and trusts no length in the packet. */

#include <config.h>
#include "dpx-heavy-hitters-key.h"

#include <arpa/inet.h>

#include "openvswitch/dynamic-string.h"
#include "util.h"

/* Where a tunnel is told by the UDP destination port. */
#define VXLAN_PORT 4789
#define GENEVE_PORT 6081

/* Numbers of protocols, which not every system's header has. */
enum { P_HOPOPTS = 0, P_IPIP = 4, P_TCP = 6, P_UDP = 17, P_IPV6 = 41,
       P_ROUTING = 43, P_FRAGMENT = 44, P_GRE = 47, P_AH = 51, P_DSTOPTS = 60,
       P_SCTP = 132 };

/* Extension headers that are skipped before the rest is taken as it is. */
#define MAX_EXTENSIONS 8

/* What is left of a packet. */
struct rest {
    const uint8_t *p;
    size_t size;
};

static bool
skip(struct rest *r, size_t n)
{
    if (n > r->size) {
        return false;
    }
    r->p += n;
    r->size -= n;
    return true;
}

static uint16_t
get_16(const uint8_t *p)
{
    return p[0] << 8 | p[1];
}

/* An IP header, and 'r' behind it. */
struct layer {
    enum dpx_hh_family family;
    const uint8_t *src, *dst;
    uint8_t proto;
    bool later_fragment;
};

static bool
read_ipv4(struct layer *l, struct rest *r)
{
    const uint8_t *p = r->p;
    size_t length = r->size >= 20 ? (p[0] & 15) * 4 : 0;

    if (length < 20 || !skip(r, length)) {
        return false;
    }
    *l = (struct layer) {
        .family = DPX_HH_IPV4, .src = p + 12, .dst = p + 16, .proto = p[9],
        .later_fragment = get_16(p + 6) & 0x1fff,
    };
    return true;
}

/* Skips the extension header that 'l' says comes next. */
static bool
skip_extension(struct layer *l, struct rest *r)
{
    size_t length;

    if (r->size < 8) {
        return false;
    }
    switch (l->proto) {
    case P_HOPOPTS:
    case P_ROUTING:
    case P_DSTOPTS:
        length = 8 + r->p[1] * 8;
        break;
    case P_AH:
        length = 8 + r->p[1] * 4;
        break;
    case P_FRAGMENT:
        length = 8;
        l->later_fragment = get_16(r->p + 2) & 0xfff8;
        break;
    default:
        return false;
    }
    if (length > r->size) {
        return false;
    }
    l->proto = r->p[0];
    return skip(r, length);
}

static bool
read_ipv6(struct layer *l, struct rest *r)
{
    const uint8_t *p = r->p;

    if (!skip(r, 40)) {
        return false;
    }
    *l = (struct layer) {
        .family = DPX_HH_IPV6, .src = p + 8, .dst = p + 24, .proto = p[6],
    };
    for (int i = 0; i < MAX_EXTENSIONS && !l->later_fragment; i++) {
        if (!skip_extension(l, r)) {
            break;
        }
    }
    return true;
}

static bool
read_ip(struct layer *l, struct rest *r)
{
    switch (r->size ? r->p[0] >> 4 : 0) {
    case 4:
        return read_ipv4(l, r);
    case 6:
        return read_ipv6(l, r);
    default:
        return false;
    }
}

/* Skips an Ethernet header with up to two tags, if IP is behind it. */
static bool
skip_ethernet(struct rest *r)
{
    uint16_t type;

    if (!skip(r, 12)) {
        return false;
    }
    for (int tags = 0; ; tags++) {
        if (r->size < 2) {
            return false;
        }
        type = get_16(r->p);
        if ((type != 0x8100 && type != 0x88a8) || tags == 2) {
            break;
        }
        if (!skip(r, 4)) {
            return false;
        }
    }
    return (type == 0x0800 || type == 0x86dd) && skip(r, 2);
}

/* Goes to what a header with the Ethernet type 'type' carries. */
static bool
skip_to_ip(struct rest *r, uint16_t type)
{
    return type == 0x6558 ? skip_ethernet(r)
                          : type == 0x0800 || type == 0x86dd;
}

/* Goes to the IP header inside a tunnel, if 'l' is one. */
static bool
enter_tunnel(const struct layer *l, struct rest *r)
{
    uint16_t flags, type;

    if (l->later_fragment) {
        return false;
    }
    switch (l->proto) {
    case P_IPIP:
    case P_IPV6:
        return true;
    case P_GRE:
        if (r->size < 4) {
            return false;
        }
        flags = get_16(r->p);
        type = get_16(r->p + 2);
        /* Version 0 only; checksum, key and sequence number take 4 bytes
         * each. */
        return (!(flags & 7)
                && skip(r, 4 + 4 * (!!(flags & 0x8000) + !!(flags & 0x2000)
                                    + !!(flags & 0x1000)))
                && skip_to_ip(r, type));
    case P_UDP:
        if (r->size < 16) {
            return false;
        }
        switch (get_16(r->p + 2)) {
        case VXLAN_PORT:
            return skip(r, 16) && skip_ethernet(r);
        case GENEVE_PORT:
            type = get_16(r->p + 10);
            return (skip(r, 16 + (r->p[8] & 63) * 4)
                    && skip_to_ip(r, type));
        }
        return false;
    default:
        return false;
    }
}

bool
dpx_hh_key_parse(struct dpx_hh_key *key, enum dpx_hh_kind kind,
                 const void *ip, size_t size)
{
    struct rest r = { ip, size };
    ovs_be16 ports[2] = { 0, 0 };
    struct layer l;

    if (!read_ip(&l, &r)) {
        return false;
    }
    if (kind == DPX_HH_INNER) {
        struct rest inner = r;
        struct layer layer;

        if (enter_tunnel(&l, &inner) && read_ip(&layer, &inner)) {
            l = layer;
            r = inner;
        }
    }
    if ((l.proto == P_TCP || l.proto == P_UDP || l.proto == P_SCTP)
        && !l.later_fragment && r.size >= sizeof ports) {
        memcpy(ports, r.p, sizeof ports);
    }
    if (l.family == DPX_HH_IPV4) {
        ovs_be32 src, dst;

        memcpy(&src, l.src, sizeof src);
        memcpy(&dst, l.dst, sizeof dst);
        dpx_hh_key_ipv4(key, kind, src, dst, l.proto, ports[0], ports[1]);
    } else {
        dpx_hh_key_ipv6(key, kind, l.src, l.dst, l.proto, ports[0], ports[1]);
    }
    return true;
}

static const char *const kind_names[] = {
#define DPX_HH_KIND(ENUM, NAME) NAME,
    DPX_HH_KINDS
#undef DPX_HH_KIND
};

const char *
dpx_hh_kind_name(enum dpx_hh_kind kind)
{
    return kind < DPX_HH_N_KINDS ? kind_names[kind] : "?";
}

bool
dpx_hh_kind_from_name(const char *name, enum dpx_hh_kind *kind)
{
    for (int i = 0; i < DPX_HH_N_KINDS; i++) {
        if (!strcmp(name, kind_names[i])) {
            *kind = i;
            return true;
        }
    }
    return false;
}

/* What the syntax of a match calls the protocol of 'key', or null. */
static const char *
proto_name(const struct dpx_hh_key *key)
{
    bool v6 = dpx_hh_key_family(key) == DPX_HH_IPV6;

    switch (dpx_hh_key_proto(key)) {
    case P_TCP:
        return v6 ? "tcp6" : "tcp";
    case P_UDP:
        return v6 ? "udp6" : "udp";
    case P_SCTP:
        return v6 ? "sctp6" : "sctp";
    default:
        return NULL;
    }
}

static void
format_addr(const struct dpx_hh_key *key, bool dst, struct ds *s)
{
    bool v6 = dpx_hh_key_family(key) == DPX_HH_IPV6;
    const uint8_t *addr = (const uint8_t *) key->addr;
    char text[INET6_ADDRSTRLEN];

    addr += dst * (v6 ? 16 : 4);
    inet_ntop(v6 ? AF_INET6 : AF_INET, addr, text, sizeof text);
    ds_put_format(s, ",%s_%s=%s", v6 ? "ipv6" : "nw", dst ? "dst" : "src",
                  text);
}

void
dpx_hh_key_format(const struct dpx_hh_key *key, enum dpx_hh_kind kind,
                  struct ds *s)
{
    bool tuple = kind == DPX_HH_5TUPLE || kind == DPX_HH_INNER;
    const char *proto = tuple ? proto_name(key) : NULL;

    if (proto) {
        ds_put_cstr(s, proto);
    } else {
        ds_put_cstr(s, dpx_hh_key_family(key) == DPX_HH_IPV6 ? "ipv6" : "ip");
        if (tuple) {
            ds_put_format(s, ",nw_proto=%d", dpx_hh_key_proto(key));
        }
    }
    if (kind != DPX_HH_DST_IP) {
        format_addr(key, false, s);
    }
    if (kind != DPX_HH_SRC_IP) {
        format_addr(key, true, s);
    }
    if (proto) {
        ds_put_format(s, ",tp_src=%d,tp_dst=%d", dpx_hh_key_sport(key),
                      dpx_hh_key_dport(key));
    }
}
