/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes and reads the packets of the paced test netdev.  A packet differs
 * from its queue's template in five fields, and both checksums are the sum of
 * the template's words plus those fields: cheaper than a template per flow,
 * which with many flows would evict from the cache what is being measured. */

#include <config.h>
#include "dpx-paced-packet.h"

#include <arpa/inet.h>
#include <string.h>

#include "hash.h"

#define STAMP_MAGIC 0x64707850u         /* "dpxP" */
#define STAMP_SIZE 18

/* Offsets in the packet. */
enum {
    AT_ETH_SRC = 6,
    AT_ETH_TYPE = 12,
    AT_IP = 14,
    AT_IP_LEN = AT_IP + 2,
    AT_IP_TTL = AT_IP + 8,
    AT_IP_PROTO = AT_IP + 9,
    AT_IP_SUM = AT_IP + 10,
    AT_IP_SRC = AT_IP + 12,
    AT_IP_DST = AT_IP + 16,
    AT_UDP = AT_IP + 20,
    AT_UDP_DST = AT_UDP + 2,
    AT_UDP_LEN = AT_UDP + 4,
    AT_UDP_SUM = AT_UDP + 6,
    AT_STAMP = DPX_PACED_STAMP_OFS,
    AT_STAMP_PORT = AT_STAMP + 4,
    AT_STAMP_QUEUE = AT_STAMP + 6,
    AT_STAMP_EPOCH = AT_STAMP + 7,
    AT_STAMP_FLOW = AT_STAMP + 8,
    AT_STAMP_SEQ = AT_STAMP + 12,
};

static void
put16(uint8_t *p, uint16_t value)
{
    value = htons(value);
    memcpy(p, &value, sizeof value);
}

static void
put32(uint8_t *p, uint32_t value)
{
    value = htonl(value);
    memcpy(p, &value, sizeof value);
}

static uint16_t
get16(const uint8_t *p)
{
    uint16_t value;

    memcpy(&value, p, sizeof value);
    return ntohs(value);
}

static uint32_t
get32(const uint8_t *p)
{
    uint32_t value;

    memcpy(&value, p, sizeof value);
    return ntohl(value);
}

static uint32_t
sum_words(const uint8_t *p, size_t n_bytes)
{
    uint32_t sum = 0;

    for (size_t i = 0; i < n_bytes; i += 2) {
        sum += get16(p + i);
    }
    return sum;
}

static uint32_t
sum32(uint32_t value)
{
    return (value >> 16) + (value & 0xffff);
}

static uint16_t
fold(uint32_t sum)
{
    sum = sum32(sum);
    sum = sum32(sum);
    return ~sum;
}

void
dpx_paced_template_init(struct dpx_paced_template *template,
                        const struct dpx_paced_stamp *stamp,
                        uint32_t frame_size)
{
    uint8_t *p = template->bytes;
    uint16_t ip_len;

    memset(template, 0, sizeof *template);
    template->size = frame_size - DPX_PACED_FCS;
    ip_len = template->size - AT_IP;

    memcpy(p, "\x02\x64\x70\xff\xff\xff\x02\x64\x70", 9);
    put16(p + AT_ETH_SRC + 3, stamp->port);
    p[AT_ETH_SRC + 5] = stamp->queue;
    put16(p + AT_ETH_TYPE, 0x0800);

    p[AT_IP] = 0x45;
    put16(p + AT_IP_LEN, ip_len);
    p[AT_IP_TTL] = 64;
    p[AT_IP_PROTO] = 17;
    p[AT_IP_SRC] = 10;
    p[AT_IP_SRC + 1] = stamp->port;
    p[AT_IP_SRC + 2] = stamp->queue;
    p[AT_IP_SRC + 3] = 1 + (stamp->port >> 8);

    put16(p + AT_UDP_DST, 5201);
    put16(p + AT_UDP_LEN, ip_len - 20);

    put32(p + AT_STAMP, STAMP_MAGIC);
    put16(p + AT_STAMP_PORT, stamp->port);
    p[AT_STAMP_QUEUE] = stamp->queue;
    p[AT_STAMP_EPOCH] = stamp->epoch;

    /* The UDP sum also covers addresses, protocol and length; bytes beyond
     * the stamp are zeros and add nothing. */
    template->ip_sum = sum_words(p + AT_IP, 20);
    template->udp_sum = 17 + ip_len - 20
                        + sum_words(p + AT_IP_SRC,
                                    DPX_PACED_MIN_BYTES - AT_IP_SRC);
    template->hash_basis = hash_2words(stamp->port, stamp->queue);
}

uint32_t
dpx_paced_template_write(const struct dpx_paced_template *template,
                         void *data, uint32_t flow, uint64_t seq)
{
    uint32_t dst = (172u << 24 | 16u << 16) + flow;
    uint16_t sport = 1024 + flow % 64512;
    uint16_t seq_high = seq >> 32;
    uint32_t seq_low = seq;
    uint16_t udp_sum;
    uint8_t *p = data;

    memcpy(p, template->bytes, sizeof template->bytes);
    if (template->size > sizeof template->bytes) {
        memset(p + sizeof template->bytes, 0,
               template->size - sizeof template->bytes);
    }

    put32(p + AT_IP_DST, dst);
    put16(p + AT_IP_SUM, fold(template->ip_sum + sum32(dst)));

    put16(p + AT_UDP, sport);
    udp_sum = fold(template->udp_sum + sum32(dst) + sport + sum32(flow)
                   + seq_high + sum32(seq_low));
    /* A sum of 0 would say that there is none. */
    put16(p + AT_UDP_SUM, udp_sum ? udp_sum : 0xffff);

    put32(p + AT_STAMP_FLOW, flow);
    put16(p + AT_STAMP_SEQ, seq_high);
    put32(p + AT_STAMP_SEQ + 2, seq_low);

    return hash_finish(hash_add(template->hash_basis, flow), 4);
}

bool
dpx_paced_stamp_read(const void *data, size_t size,
                     struct dpx_paced_stamp *stamp)
{
    const uint8_t *p = data;

    if (size < STAMP_SIZE || get32(p) != STAMP_MAGIC) {
        return false;
    }
    stamp->port = get16(p + (AT_STAMP_PORT - AT_STAMP));
    stamp->queue = p[AT_STAMP_QUEUE - AT_STAMP];
    stamp->epoch = p[AT_STAMP_EPOCH - AT_STAMP];
    stamp->flow = get32(p + (AT_STAMP_FLOW - AT_STAMP));
    stamp->seq = (uint64_t) get16(p + (AT_STAMP_SEQ - AT_STAMP)) << 32
                 | get32(p + (AT_STAMP_SEQ - AT_STAMP) + 2);
    return stamp->flow < (1u << 20);
}
