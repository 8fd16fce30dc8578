/* SPDX-License-Identifier: Apache-2.0
 *
 * Placement of senders on tx queues: the one that sends most first, each to
 * the queue that has least.  Pure. */

#include <config.h>

#include "dpx-txq-place.h"

#include <stdlib.h>
#include <string.h>

#include "util.h"

/* What is on a queue so far. */
struct queue {
    double weight;
    double squares;
    size_t n;                   /* Senders... */
    size_t n_pinned;            /* ...of which pinned. */
};

/* Of senders that are all silent, the number counts. */
static double
weight(const struct dpx_txq_sender *s)
{
    return MAX(s->pps, 1.0);
}

static int
by_weight(const void *a_, const void *b_)
{
    const struct dpx_txq_sender *a = a_, *b = b_;
    double wa = weight(a), wb = weight(b);

    return wa != wb ? (wa > wb ? -1 : 1)
           /* The main thread last: it is the least of senders. */
           : (a->core < 0) != (b->core < 0) ? a->core < 0 ? 1 : -1
           : a->core < b->core ? -1 : a->core > b->core;
}

static void
put(struct queue *queues, struct dpx_txq_sender *s, int queue)
{
    struct queue *q = &queues[queue];

    s->queue = queue;
    q->weight += weight(s);
    q->squares += weight(s) * weight(s);
    q->n++;
    q->n_pinned += s->pinned != DPX_TXQ_PLACE_NONE;
}

static void
take(struct queue *queues, const struct dpx_txq_sender *s)
{
    struct queue *q = &queues[s->queue];

    q->weight -= weight(s);
    q->squares -= weight(s) * weight(s);
    q->n--;
}

/* The queue with least on it; an idle one has least of all. */
static int
least(const struct queue *queues, int n_queues)
{
    int best = 0;

    for (int i = 1; i < n_queues; i++) {
        const struct queue *a = &queues[i], *b = &queues[best];

        if (!a->n != !b->n ? !a->n
            : a->weight != b->weight ? a->weight < b->weight
            : a->n < b->n) {
            best = i;
        }
    }
    return best;
}

static double
sharing(const struct queue *queues, int n_queues)
{
    double sum = 0;

    for (int i = 0; i < n_queues; i++) {
        if (queues[i].n > 1) {
            sum += (queues[i].weight * queues[i].weight - queues[i].squares)
                   / 2;
        }
    }
    return sum;
}

double
dpx_txq_sharing(const struct dpx_txq_sender *senders, size_t n, int n_queues)
{
    struct queue *queues = xcalloc(n_queues, sizeof *queues);
    double sum;

    for (size_t i = 0; i < n; i++) {
        struct dpx_txq_sender s = senders[i];

        put(queues, &s, s.queue);
    }
    sum = sharing(queues, n_queues);
    free(queues);
    return sum;
}

/* While a queue is idle, the unpinned sender that sends least, of those that
 * share, leaves for it. */
static void
spread(struct dpx_txq_sender *senders, size_t n, struct queue *queues,
       int n_queues)
{
    for (size_t i = n; i-- > 0;) {
        struct dpx_txq_sender *s = &senders[i];
        int idle = least(queues, n_queues);

        if (!queues[idle].n && s->pinned == DPX_TXQ_PLACE_NONE
            && queues[s->queue].n > 1) {
            take(queues, s);
            put(queues, s, idle);
        }
    }
}

/* Plans; 'keep': senders stay where they are.  Returns the sharing. */
static double
plan(struct dpx_txq_sender *senders, size_t n, int n_queues, bool keep)
{
    struct queue *queues = xcalloc(n_queues, sizeof *queues);
    bool *done = xcalloc(n + 1, sizeof *done);
    double sum;

    for (size_t i = 0; i < n; i++) {
        struct dpx_txq_sender *s = &senders[i];
        bool pinned = s->pinned != DPX_TXQ_PLACE_NONE;

        done[i] = pinned || (keep && s->current >= 0
                             && s->current < n_queues);
        if (done[i]) {
            put(queues, s, pinned ? s->pinned : s->current);
        }
    }
    for (size_t i = 0; i < n; i++) {
        if (!done[i]) {
            put(queues, &senders[i], least(queues, n_queues));
        }
    }
    spread(senders, n, queues, n_queues);
    sum = sharing(queues, n_queues);
    free(queues);
    free(done);
    return sum;
}

/* Calls the queues of a new plan by other names, so that those who send most
 * keep theirs.  What a pinned sender is on keeps its name. */
static void
rename_queues(struct dpx_txq_sender *senders, size_t n, int n_queues)
{
    int *name = xmalloc(n_queues * sizeof *name);
    bool *fixed = xcalloc(n_queues, sizeof *fixed);   /* By old name. */

    for (int i = 0; i < n_queues; i++) {
        name[i] = i;
    }
    for (size_t i = 0; i < n; i++) {
        if (senders[i].pinned != DPX_TXQ_PLACE_NONE) {
            fixed[senders[i].queue] = true;
        }
    }
    for (size_t i = 0; i < n; i++) {
        const struct dpx_txq_sender *s = &senders[i];
        int other;

        if (fixed[s->queue] || s->current < 0 || s->current >= n_queues) {
            continue;
        }
        for (other = 0; name[other] != s->current; other++) {
            continue;
        }
        if (!fixed[other]) {
            name[other] = name[s->queue];
            name[s->queue] = s->current;
            fixed[s->queue] = true;
        }
    }
    for (size_t i = 0; i < n; i++) {
        senders[i].queue = name[senders[i].queue];
    }
    free(name);
    free(fixed);
}

/* A sender that is not known sends what the others send on average. */
static void
fill_unknown(struct dpx_txq_sender *senders, size_t n)
{
    double sum = 0;
    size_t known = 0;

    for (size_t i = 0; i < n; i++) {
        if (senders[i].pps >= 0) {
            sum += senders[i].pps;
            known++;
        }
    }
    for (size_t i = 0; i < n; i++) {
        if (senders[i].pps < 0) {
            senders[i].pps = known ? sum / known : 0;
        }
    }
}

void
dpx_txq_place(struct dpx_txq_sender *senders, size_t n, int n_queues,
              bool may_move)
{
    double old;

    if (!n) {
        return;
    }
    fill_unknown(senders, n);
    qsort(senders, n, sizeof *senders, by_weight);
    old = plan(senders, n, n_queues, true);
    if (may_move && old > 0) {
        struct dpx_txq_sender *fresh = xmemdup(senders, n * sizeof *fresh);

        if (plan(fresh, n, n_queues, false) < DPX_TXQ_PLACE_BETTER * old) {
            rename_queues(fresh, n, n_queues);
            memcpy(senders, fresh, n * sizeof *fresh);
        }
        free(fresh);
    }
}
