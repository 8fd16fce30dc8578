/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes and reads the packets of a trial.
 *
 * The stamp fills what a frame of 64 bytes has after its UDP header: 18
 * bytes. */

#include <config.h>
#include "dpx-stream.h"

#include <arpa/inet.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "util.h"

#define MAGIC 0xd9b7
#define ETH_LEN 14
#define VLAN_LEN 4
#define IP_LEN 20
#define UDP_LEN 8
#define CRC_LEN 4

/* Of IMIX, per twelve packets. */
static const uint16_t imix[] = {
    64, 570, 64, 64, 570, 64, 1518, 64, 570, 64, 64, 570
};

struct stamp {
    ovs_be16 magic, epoch;
    ovs_be32 number, flow;
    ovs_be16 sent_high;
    ovs_be32 sent_low;
} __attribute__((packed));
BUILD_ASSERT_DECL(sizeof(struct stamp) == 18);

/* How many numbers Zipf's law is drawn for in advance. */
#define ZIPF_ORDER (1u << 16)

char *
dpx_stream_check_config(const struct dpx_stream_config *c)
{
    unsigned int min = DPX_STREAM_MIN_SIZE + (c->vlan ? VLAN_LEN : 0);

    if (c->size && (c->size < min || c->size > DPX_STREAM_MAX_SIZE)) {
        return xasprintf("frame size '%u' is not from %u to %d", c->size,
                         min, DPX_STREAM_MAX_SIZE);
    } else if (!c->size && c->vlan) {
        return xstrdup("IMIX has no room for a VLAN tag");
    } else if (!c->n_flows || c->n_flows > DPX_STREAM_MAX_FLOWS) {
        return xasprintf("'%u' flows, not 1 to %u", c->n_flows,
                         DPX_STREAM_MAX_FLOWS);
    } else if (!(c->zipf >= 0 && c->zipf <= 5)) {
        return xasprintf("exponent '%g' is not from 0 to 5", c->zipf);
    } else if (c->vlan > 4094) {
        return xasprintf("VLAN '%u' is not from 1 to 4094", c->vlan);
    }
    return NULL;
}

/* One's complement sum of 'n' bytes. */
static uint32_t
sum_bytes(const uint8_t *p, size_t n)
{
    uint32_t sum = 0;

    for (size_t i = 0; i < n; i += 2) {
        sum += p[i] << 8 | p[i + 1];
    }
    return sum;
}

static uint16_t
fold(uint32_t sum)
{
    sum = (sum & 0xffff) + (sum >> 16);
    return (sum & 0xffff) + (sum >> 16);
}

/* In network order, wherever 'p' points. */
static inline void
put_be16(uint8_t *p, uint16_t value)
{
    p[0] = value >> 8;
    p[1] = value;
}

static void
make_header(struct dpx_stream *s)
{
    uint8_t *p = s->header;

    memcpy(p, s->config.destination, 6);
    memcpy(p + 6, s->config.source, 6);
    s->ip = ETH_LEN;
    if (s->config.vlan) {
        put_be16(p + 12, 0x8100);
        put_be16(p + 14, s->config.vlan);
        s->ip += VLAN_LEN;
    }
    put_be16(p + s->ip - 2, 0x0800);
    p += s->ip;
    p[0] = 0x45;
    p[8] = 64;                  /* Time to live. */
    p[9] = 17;                  /* UDP. */
    put_be16(p + IP_LEN, 1024);
    put_be16(p + IP_LEN + 2, 1024);
}

/* Source 10.x.y.z and destination 198.18.0.0/15 (RFC 2544 benchmarking)
 * count up together. */
static void
make_flows(struct dpx_stream *s)
{
    s->flows = xcalloc(s->config.n_flows, sizeof *s->flows);
    for (uint32_t i = 0; i < s->config.n_flows; i++) {
        uint8_t ip[IP_LEN];
        struct dpx_stream_flow *f = &s->flows[i];

        f->source = (OVS_FORCE uint32_t) htonl(0x0a000001 + i);
        f->destination = (OVS_FORCE uint32_t) htonl(0xc6120001 + i);
        memcpy(ip, s->header + s->ip, IP_LEN);
        memcpy(ip + 12, &f->source, 4);
        memcpy(ip + 16, &f->destination, 4);
        f->sum = fold(sum_bytes(ip, IP_LEN));
    }
}

/* Which flow comes when: in turn, or drawn from Zipf's law with a fixed
 * seed. */
static void
make_order(struct dpx_stream *s)
{
    uint32_t n = s->config.n_flows;
    double *sums, total = 0;
    uint64_t state = 1;

    s->n_order = s->config.zipf > 0 ? ZIPF_ORDER : n;
    s->order = xcalloc(s->n_order, sizeof *s->order);
    if (s->config.zipf <= 0) {
        for (uint32_t i = 0; i < n; i++) {
            s->order[i] = i;
        }
        return;
    }
    sums = xcalloc(n, sizeof *sums);
    for (uint32_t i = 0; i < n; i++) {
        sums[i] = total += pow(i + 1, -s->config.zipf);
    }
    for (uint32_t i = 0; i < s->n_order; i++) {
        uint32_t low = 0, high = n - 1;
        double at;

        /* Knuth's MMIX generator; its upper bits. */
        state = state * UINT64_C(6364136223846793005)
                + UINT64_C(1442695040888963407);
        at = (state >> 11) * 0x1p-53 * total;
        while (low < high) {
            uint32_t middle = (low + high) / 2;

            if (sums[middle] <= at) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        s->order[i] = low;
    }
    free(sums);
}

struct dpx_stream *
dpx_stream_create(const struct dpx_stream_config *config)
{
    struct dpx_stream *s = xzalloc(sizeof *s);

    s->config = *config;
    make_header(s);
    make_flows(s);
    make_order(s);
    return s;
}

void
dpx_stream_destroy(struct dpx_stream *s)
{
    if (s) {
        free(s->flows);
        free(s->order);
        free(s);
    }
}

void
dpx_stream_restart(struct dpx_stream *s)
{
    s->number = 0;
    s->epoch++;
}

uint16_t
dpx_stream_fill(struct dpx_stream *s, uint8_t *frame, uint64_t now)
{
    uint32_t flow = s->order[s->next];
    const struct dpx_stream_flow *f = &s->flows[flow];
    uint16_t size = s->config.size, length;
    uint8_t *ip = frame + s->ip;
    struct stamp stamp;

    if (!size) {
        size = imix[s->number % ARRAY_SIZE(imix)];
    }
    s->next = s->next + 1 == s->n_order ? 0 : s->next + 1;
    length = size - CRC_LEN;
    memcpy(frame, s->header, DPX_STREAM_HEADER);
    put_be16(ip + 2, length - s->ip);
    put_be16(ip + 10, ~fold(f->sum + (length - s->ip)));
    memcpy(ip + 12, &f->source, 4);
    memcpy(ip + 16, &f->destination, 4);
    put_be16(ip + IP_LEN + 4, length - s->ip - IP_LEN);
    stamp = (struct stamp) {
        htons(MAGIC), htons(s->epoch), htonl(s->number++), htonl(flow),
        htons(now >> 32), htonl(now)
    };
    memcpy(ip + IP_LEN + UDP_LEN, &stamp, sizeof stamp);
    return length;
}

bool
dpx_stream_read(const struct dpx_stream *s, const uint8_t *frame,
                size_t length, struct dpx_stream_stamp *out)
{
    struct stamp stamp;
    size_t at = s->ip + IP_LEN + UDP_LEN;

    if (length < at + sizeof stamp) {
        return false;
    }
    memcpy(&stamp, frame + at, sizeof stamp);
    out->epoch = ntohs(stamp.epoch);
    out->number = ntohl(stamp.number);
    out->flow = ntohl(stamp.flow);
    out->sent = (uint64_t) ntohs(stamp.sent_high) << 32
                | ntohl(stamp.sent_low);
    return stamp.magic == htons(MAGIC) && out->flow < s->config.n_flows;
}

/* More bits than this are 32 MB. */
#define MAX_CAME (UINT64_C(1) << 28)

void
dpx_stream_account_reset(struct dpx_stream_account *a, uint32_t n_flows,
                         uint64_t n)
{
    dpx_stream_account_uninit(a);
    memset(a, 0, sizeof *a);
    a->n_came = MIN(n, MAX_CAME);
    a->came = xcalloc(a->n_came / 64 + 1, sizeof *a->came);
    a->n_flows = n_flows;
    a->highest = xcalloc(n_flows, sizeof *a->highest);
}

void
dpx_stream_account_uninit(struct dpx_stream_account *a)
{
    free(a->came);
    free(a->highest);
    a->came = NULL;
    a->highest = NULL;
}

void
dpx_stream_account(struct dpx_stream_account *a, const struct dpx_stream *s,
                   const struct dpx_stream_stamp *stamp, uint64_t now)
{
    uint64_t bit = UINT64_C(1) << stamp->number % 64;

    if (stamp->epoch != s->epoch) {
        a->late++;
        return;
    }
    if (stamp->number < a->n_came) {
        if (a->came[stamp->number / 64] & bit) {
            a->duplicates++;
            return;
        }
        a->came[stamp->number / 64] |= bit;
    }
    a->received++;
    if (stamp->number < a->highest[stamp->flow]) {
        a->reordered++;
    } else {
        a->highest[stamp->flow] = stamp->number + 1;
    }
    dpx_histogram_add(&a->latency,
                      (now - stamp->sent) & ((UINT64_C(1) << 48) - 1));
}
