/* SPDX-License-Identifier: Apache-2.0
 *
 * A bounded list of steps.  Main thread only. */

#include <config.h>

#include "dpx-history.h"

#include <stdlib.h>
#include <string.h>

#include "dpx-view.h"
#include "openvswitch/dynamic-string.h"
#include "util.h"

static const struct {
    const char *name;
    bool is_request;
} causes[] = {
#define DPX_CAUSE(ID, NAME, FREE) [DPX_CAUSE_##ID] = { NAME, FREE },
    DPX_CAUSES
#undef DPX_CAUSE
};

const char *
dpx_cause_name(enum dpx_cause cause)
{
    return causes[cause].name;
}

bool
dpx_cause_is_request(enum dpx_cause cause)
{
    return causes[cause].is_request;
}

/* Steps. */

struct dpx_step *
dpx_step_create(enum dpx_cause cause)
{
    struct dpx_step *step = xzalloc(sizeof *step);

    step->cause = cause;
    step->count = 1;
    step->before = step->predicted = step->realised = DPX_LOAD_UNKNOWN;
    return step;
}

struct dpx_step_move *
dpx_step_add_move(struct dpx_step *step, const char *port, int queue_id,
                  int from, int to, const char *reason)
{
    struct dpx_step_move *move;

    /* Room for 4, 8, 16, ... */
    if (step->n_moves >= 4 ? IS_POW2(step->n_moves) : !step->n_moves) {
        step->moves = xrealloc(step->moves, MAX(4, 2 * step->n_moves)
                                            * sizeof *step->moves);
    }
    move = &step->moves[step->n_moves++];
    *move = (struct dpx_step_move) {
        .port = xstrdup(port),
        .queue_id = queue_id,
        .from = from,
        .to = to,
        .reason = xstrdup(reason ? reason : ""),
        .blocked_us = -1,
        .copied = -1,
        .upcalls = -1,
        .lost = -1,
    };
    return move;
}

struct dpx_step_move *
dpx_step_find_move(const struct dpx_step *step, const char *port, int queue_id)
{
    for (size_t i = 0; i < step->n_moves; i++) {
        struct dpx_step_move *m = &step->moves[i];

        if (m->queue_id == queue_id && !strcmp(m->port, port)) {
            return m;
        }
    }
    return NULL;
}

static int
compare_moves(const void *a_, const void *b_)
{
    const struct dpx_step_move *a = a_, *b = b_;
    int cmp = strcmp(a->port, b->port);

    return cmp ? cmp : a->queue_id - b->queue_id;
}

void
dpx_step_sort(struct dpx_step *step)
{
    if (step->n_moves) {
        qsort(step->moves, step->n_moves, sizeof *step->moves, compare_moves);
    }
}

struct dpx_step *
dpx_step_clone(const struct dpx_step *step)
{
    struct dpx_step *clone = xmemdup(step, sizeof *step);

    clone->why = nullable_xstrdup(step->why);
    clone->moves = NULL;
    clone->n_moves = 0;
    for (size_t i = 0; i < step->n_moves; i++) {
        const struct dpx_step_move *m = &step->moves[i];
        struct dpx_step_move *copy;

        copy = dpx_step_add_move(clone, m->port, m->queue_id, m->from, m->to,
                                 m->reason);
        copy->blocked_us = m->blocked_us;
        copy->copied = m->copied;
        copy->upcalls = m->upcalls;
        copy->lost = m->lost;
    }
    return clone;
}

char *
dpx_step_words(const struct dpx_step *step)
{
    struct ds s = DS_EMPTY_INITIALIZER;

    if (step->n_moves) {
        ds_put_format(&s, "moves %"PRIuSIZE" queue%s that cannot stay",
                      step->n_moves, step->n_moves > 1 ? "s" : "");
    }
    if (step->n_placed) {
        ds_put_format(&s, "%splaces %"PRIuSIZE" new queue%s",
                      s.length ? ", " : "", step->n_placed,
                      step->n_placed > 1 ? "s" : "");
    }
    if (!s.length) {
        ds_put_cstr(&s, "no queue has to move");
    }
    return ds_steal_cstr(&s);
}

void
dpx_step_destroy(struct dpx_step *step)
{
    if (step) {
        for (size_t i = 0; i < step->n_moves; i++) {
            free(step->moves[i].port);
            free(step->moves[i].reason);
        }
        free(step->moves);
        free(step->why);
        free(step);
    }
}

/* The history. */

void
dpx_history_uninit(struct dpx_history *history)
{
    for (size_t i = 0; i < DPX_HISTORY_STEPS; i++) {
        dpx_step_destroy(history->steps[i]);
        history->steps[i] = NULL;
    }
    history->n = 0;
}

static size_t
slot(const struct dpx_history *history, size_t i)
{
    return (history->next + 2 * DPX_HISTORY_STEPS - 1 - i)
           % DPX_HISTORY_STEPS;
}

/* Did anything happen to a queue in 'step'? */
static bool
is_quiet(const struct dpx_step *step)
{
    return !step->n_moves && !step->n_placed;
}

static struct dpx_step *
find_same(struct dpx_history *history, const struct dpx_step *step)
{
    for (size_t i = 0; is_quiet(step) && i < history->n; i++) {
        struct dpx_step *old = history->steps[slot(history, i)];

        if (!is_quiet(old)) {
            break;
        } else if (old->cause == step->cause
                   && old->declined == step->declined) {
            return old;
        }
    }
    return NULL;
}

struct dpx_step *
dpx_history_add(struct dpx_history *history, struct dpx_step *step)
{
    struct dpx_step *same = find_same(history, step);

    if (same) {
        same->count += step->count;
        same->last_ms = step->last_ms;
        same->before = step->before;
        same->predicted = step->predicted;
        same->realised = step->realised;
        free(same->why);
        same->why = step->why;
        step->why = NULL;
        dpx_step_destroy(step);
        return same;
    }
    step->serial = ++history->serial;
    dpx_step_destroy(history->steps[history->next]);
    history->steps[history->next] = step;
    history->next = (history->next + 1) % DPX_HISTORY_STEPS;
    history->n = MIN(history->n + 1, DPX_HISTORY_STEPS);
    return step;
}

const struct dpx_step *
dpx_history_get(const struct dpx_history *history, size_t i)
{
    return i < history->n ? history->steps[slot(history, i)] : NULL;
}

struct dpx_step *
dpx_history_find(struct dpx_history *history, uint64_t serial)
{
    for (size_t i = 0; i < history->n; i++) {
        struct dpx_step *step = history->steps[slot(history, i)];

        if (step->serial == serial) {
            return step;
        }
    }
    return NULL;
}
