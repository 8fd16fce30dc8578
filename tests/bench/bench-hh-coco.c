/* SPDX-License-Identifier: Apache-2.0
 *
 * A rival: two hash rows with stochastic variance minimisation, after the
 * idea of CocoSketch (Zhang et al., SIGCOMM 2021).  A key has one place in
 * each row.  If it is in one of them, that counts; if not, the smaller of the
 * two counts, and becomes the key's with the probability 1 / count.  Estimates
 * have no bias; there is no bound for one flow. */

#include <config.h>
#include "bench-hh-methods.h"

#include <stdlib.h>

#include "dpx-heavy-hitters.h"

#define ROWS 2

struct place {
    struct dpx_hh_key key;
    uint64_t count;
};

struct coco {
    struct dpx_hh *sampler;
    struct dpx_hh_secret secret;
    uint64_t random;
    uint32_t sampling, n;       /* Places in a row. */
    struct place *row[ROWS];

    /* Not finished yet. */
    size_t n_last;
    const struct dpx_hh_key *key[DPX_HH_BURST];
    struct place *place[DPX_HH_BURST][ROWS];
};

static void *
coco_create(size_t size, uint32_t sampling, uint64_t seed,
            uint32_t n_flows OVS_UNUSED)
{
    struct dpx_hh_config config = {
        .size = DPX_HH_MIN_SIZE, .sampling = sampling, .seed = seed,
    };
    struct coco *c = xzalloc(sizeof *c);

    c->sampler = dpx_hh_create(&config);
    dpx_hh_secret_init(&c->secret, seed);
    c->sampling = sampling;
    c->n = size / ROWS / sizeof(struct place);
    for (int r = 0; r < ROWS; r++) {
        c->row[r] = xzalloc_cacheline(c->n * sizeof *c->row[r]);
    }
    return c;
}

static void
coco_destroy(void *c_)
{
    struct coco *c = c_;

    if (c) {
        dpx_hh_destroy(c->sampler);
        for (int r = 0; r < ROWS; r++) {
            free_cacheline(c->row[r]);
        }
        free(c);
    }
}

static void
coco_add(struct coco *c, const struct dpx_hh_key *key, struct place **place)
{
    struct place *p = place[0];

    for (int r = 0; r < ROWS; r++) {
        if (dpx_hh_key_equal(&place[r]->key, key)) {
            place[r]->count++;
            return;
        }
        p = place[r]->count < p->count ? place[r] : p;
    }
    p->count++;
    if ((dpx_hh_random(&c->secret, &c->random) >> 32) * p->count >> 32 == 0) {
        p->key = *key;
    }
}

static void
coco_finish(struct coco *c)
{
    for (size_t i = 0; i < c->n_last; i++) {
        coco_add(c, c->key[i], c->place[i]);
    }
    c->n_last = 0;
}

/* Like ours, it lets the lines arrive until the next burst. */
static void
coco_count(void *c_, struct burst *b)
{
    struct coco *c = c_;
    uint8_t at[DPX_HH_BURST];

    coco_finish(c);
    c->n_last = dpx_hh_sample(c->sampler, DPX_HH_BURST, at);
    for (size_t i = 0; i < c->n_last; i++) {
        uint64_t hash = dpx_hh_hash(&c->secret, &b->in.key[at[i]]);

        c->key[i] = &b->in.key[at[i]];
        c->place[i][0] = &c->row[0][(hash >> 32) * c->n >> 32];
        c->place[i][1] = &c->row[1][(uint64_t) (uint32_t) hash * c->n >> 32];
        OVS_PREFETCH_WRITE(c->place[i][0]);
        OVS_PREFETCH_WRITE(c->place[i][1]);
    }
}

static size_t
coco_top(void *c_, struct report *reports, size_t k)
{
    struct coco *c = c_;
    struct report *all = xcalloc(ROWS * c->n, sizeof *all);
    size_t n = 0;

    coco_finish(c);
    for (int r = 0; r < ROWS; r++) {
        for (uint32_t i = 0; i < c->n; i++) {
            if (c->row[r][i].count) {
                all[n].key = c->row[r][i].key;
                all[n++].packets = c->row[r][i].count * c->sampling;
            }
        }
    }
    n = report_first(all, n, reports, k);
    free(all);
    return n;
}

static size_t
coco_memory(void *c_)
{
    struct coco *c = c_;

    return ROWS * c->n * sizeof(struct place);
}

const struct method method_coco = {
    "coco 1/16", 16, coco_create, coco_destroy, coco_count, coco_top,
    coco_memory
};
const struct method method_coco_full = {
    "coco 1/1", 1, coco_create, coco_destroy, coco_count, coco_top,
    coco_memory
};
