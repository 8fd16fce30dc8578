/* SPDX-License-Identifier: Apache-2.0
 *
 * Traffic for the benchmark of heavy hitters.  Flows of Zipf's law are drawn
 * by Walker's alias method: two memory accesses per packet, however many
 * flows there are. */

#include <config.h>
#include "bench-hh-traffic.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "dp-packet.h"
#include "pcap-file.h"
#include "util.h"

const char *const shape_names[] = {
    "zipf 0.8", "zipf 1.0", "zipf 1.2", "uniform", "capture"
};

uint64_t
bench_random(uint64_t *state)
{
    uint64_t x = *state += UINT64_C(0x9e3779b97f4a7c15);

    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* Makes the tables of Walker's method for the weights 'w', which sum to 1. */
static void
prepare_alias(struct traffic *t, double *w)
{
    uint32_t n = t->n_flows, n_small = 0, n_large = 0;
    uint32_t *small = xcalloc(n, sizeof *small);
    uint32_t *large = xcalloc(n, sizeof *large);

    t->threshold = xcalloc(n, sizeof *t->threshold);
    t->alias = xcalloc(n, sizeof *t->alias);
    for (uint32_t i = 0; i < n; i++) {
        w[i] *= n;
        t->alias[i] = i;
        t->threshold[i] = UINT32_MAX;
        if (w[i] < 1) {
            small[n_small++] = i;
        } else {
            large[n_large++] = i;
        }
    }
    while (n_small && n_large) {
        uint32_t s = small[--n_small], l = large[n_large - 1];

        t->threshold[s] = w[s] * UINT32_MAX;
        t->alias[s] = l;
        w[l] -= 1 - w[s];
        if (w[l] < 1) {
            n_large--;
            small[n_small++] = l;
        }
    }
    free(small);
    free(large);
}

static void
index_keys(struct traffic *t)
{
    for (t->index_mask = 1; t->index_mask < 2 * t->n_flows;) {
        t->index_mask *= 2;
    }
    t->index = xcalloc(t->index_mask, sizeof *t->index);
    t->index_mask--;
}

/* Where 'key' stands in the index, or would stand. */
static uint32_t *
find_slot(const struct traffic *t, const struct dpx_hh_key *key)
{
    uint64_t h = key->meta;

    for (int i = 0; i < 4; i++) {
        h = h * UINT64_C(0x9e3779b97f4a7c15) + key->addr[i];
        h ^= h >> 29;
    }
    h *= UINT64_C(0xbf58476d1ce4e5b9);
    for (uint32_t i = h >> 32; ; i++) {
        uint32_t *slot = &t->index[i & t->index_mask];

        if (!*slot || dpx_hh_key_equal(&t->keys[*slot - 1], key)) {
            return slot;
        }
    }
}

uint32_t
traffic_find(const struct traffic *t, const struct dpx_hh_key *key)
{
    return *find_slot(t, key) - 1;
}

/* One flow in four is IPv6, so that neither is a special case. */
static void
make_key(struct dpx_hh_key *key, uint32_t flow)
{
    ovs_be16 sport = htons(1024 + flow % 60000), dport = htons(443);

    if (flow % 4) {
        dpx_hh_key_ipv4(key, DPX_HH_5TUPLE, htonl(0x0a000000 + flow),
                        htonl(0xc0a80001), 6, sport, dport);
    } else {
        uint32_t src[4] = { htonl(0x20010db8), 0, 0, htonl(flow) };
        uint32_t dst[4] = { htonl(0x20010db8), 0, htonl(1), htonl(1) };

        dpx_hh_key_ipv6(key, DPX_HH_5TUPLE, src, dst, 17, sport, dport);
    }
}

static void
allocate_truth(struct traffic *t)
{
    for (int w = 0; w < 2; w++) {
        t->truth[w] = xcalloc(t->n_flows, sizeof *t->truth[w]);
    }
}

struct traffic *
traffic_create(enum shape shape, uint32_t n_flows, uint64_t seed)
{
    static const double exponents[] = { 0.8, 1.0, 1.2, 0 };
    struct traffic *t = xzalloc(sizeof *t);
    double *w = xcalloc(n_flows, sizeof *w), sum = 0;

    t->shape = shape;
    t->n_flows = n_flows;
    t->train = 1;
    t->keys = xcalloc(n_flows, sizeof *t->keys);
    for (uint32_t i = 0; i < n_flows; i++) {
        make_key(&t->keys[i], i);
        w[i] = pow(i + 1, -exponents[shape]);
        sum += w[i];
    }
    for (uint32_t i = 0; i < n_flows; i++) {
        w[i] /= sum;
    }
    prepare_alias(t, w);
    free(w);
    index_keys(t);
    for (uint32_t i = 0; i < n_flows; i++) {
        *find_slot(t, &t->keys[i]) = i + 1;
    }
    allocate_truth(t);
    traffic_restart(t, seed);
    return t;
}

/* The key of a captured packet. */
static bool
key_of_packet(const struct dp_packet *packet, struct dpx_hh_key *key)
{
    const uint8_t *p = dp_packet_data(packet);
    size_t size = dp_packet_size(packet), at = 12;

    while (at + 4 <= size && p[at] == 0x81 && !p[at + 1]) {
        at += 4;
    }
    return at + 2 <= size && dpx_hh_key_parse(key, DPX_HH_5TUPLE, p + at + 2,
                                              size - at - 2);
}

struct traffic *
traffic_from_capture(const char *file)
{
    struct traffic *t = xzalloc(sizeof *t);
    struct pcap_file *pcap = ovs_pcap_open(file, "rb");
    uint32_t capacity = 1 << 22;

    if (!pcap) {
        fprintf(stderr, "bench-heavy-hitters: '%s': no capture\n", file);
        exit(EXIT_FAILURE);
    }
    t->shape = CAPTURE;
    t->train = 1;
    t->n_flows = capacity;
    t->keys = xcalloc(capacity, sizeof *t->keys);
    index_keys(t);
    t->replay = xcalloc(capacity, sizeof *t->replay);
    t->replay_bytes = xcalloc(capacity, sizeof *t->replay_bytes);
    t->n_flows = 0;
    while (t->n_replay < capacity) {
        struct dp_packet *packet;
        long long int when;
        struct dpx_hh_key key;

        if (ovs_pcap_read(pcap, &packet, &when)) {
            break;
        }
        if (key_of_packet(packet, &key)) {
            uint32_t *slot = find_slot(t, &key);

            if (!*slot) {
                t->keys[t->n_flows++] = key;
                *slot = t->n_flows;
            }
            t->replay_bytes[t->n_replay] = dp_packet_size(packet);
            t->replay[t->n_replay++] = *slot - 1;
        }
        dp_packet_delete(packet);
    }
    ovs_pcap_close(pcap);
    if (!t->n_replay) {
        fprintf(stderr, "bench-heavy-hitters: '%s': no IP packet\n", file);
        exit(EXIT_FAILURE);
    }
    allocate_truth(t);
    return t;
}

void
traffic_destroy(struct traffic *t)
{
    if (t) {
        free(t->keys);
        free(t->truth[0]);
        free(t->truth[1]);
        free(t->threshold);
        free(t->alias);
        free(t->index);
        free(t->replay);
        free(t->replay_bytes);
        free(t);
    }
}

void
traffic_restart(struct traffic *t, uint64_t seed)
{
    for (int w = 0; w < 2; w++) {
        memset(t->truth[w], 0, t->n_flows * sizeof *t->truth[w]);
        t->total[w] = 0;
    }
    t->random = seed;
    t->replayed = 0;
    t->in_train = 0;
}

static uint32_t
draw_flow(struct traffic *t)
{
    uint64_t r = bench_random(&t->random);
    uint32_t i = (r >> 32) * t->n_flows >> 32;

    return (uint32_t) r <= t->threshold[i] ? i : t->alias[i];
}

static void
draw(struct traffic *t, struct burst *b, size_t i)
{
    if (t->n_replay) {
        b->flow[i] = t->replay[t->replayed];
        b->in.bytes[i] = t->replay_bytes[t->replayed];
        t->replayed = (t->replayed + 1) % t->n_replay;
        return;
    }
    if (!t->in_train) {
        t->flow = draw_flow(t);
        t->in_train = (t->train == 1
                       ? 1 : 1 + bench_random(&t->random) % (2 * t->train));
    }
    t->in_train--;
    b->flow[i] = t->flow;
    /* Some flows have small packets, some large, some both. */
    b->in.bytes[i] = (t->flow % 3 == 0 ? 64 : t->flow % 3 == 1 ? 1500
                   : 64 + bench_random(&t->random) % 1437);
}

void
traffic_next(struct traffic *t, struct burst *b)
{
    b->in.n = DPX_HH_BURST;
    for (size_t i = 0; i < b->in.n; i++) {
        draw(t, b, i);
        b->in.key[i] = t->keys[b->flow[i]];
        t->truth[0][b->flow[i]]++;
        t->truth[1][b->flow[i]] += b->in.bytes[i];
        t->total[1] += b->in.bytes[i];
    }
    t->total[0] += b->in.n;
}

static const uint64_t *by_truth;

static int
compare_by_truth(const void *a_, const void *b_)
{
    uint64_t a = by_truth[*(const uint32_t *) a_];
    uint64_t b = by_truth[*(const uint32_t *) b_];

    return a > b ? -1 : a < b;
}

size_t
traffic_top(const struct traffic *t, size_t k, uint32_t *flows)
{
    uint32_t *all = xcalloc(t->n_flows, sizeof *all);
    uint64_t least = t->total[0] / 1000000;
    size_t n = 0;

    /* What is below a millionth is not sorted, if there is enough above. */
    for (uint32_t i = 0; i < t->n_flows; i++) {
        if (t->truth[0][i] > least) {
            all[n++] = i;
        }
    }
    by_truth = t->truth[0];
    qsort(all, n, sizeof *all, compare_by_truth);
    k = MIN(k, n);
    memcpy(flows, all, k * sizeof *flows);
    free(all);
    return k;
}
