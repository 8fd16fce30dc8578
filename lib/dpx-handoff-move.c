/* SPDX-License-Identifier: Apache-2.0 */

#include <config.h>

#include "dpx-handoff-move.h"

#include "util.h"

void
dpx_move_begin(struct dpx_move *move, struct dpx_handoff *queue,
               uint32_t source, uint32_t dest, uint64_t limit)
{
    *move = (struct dpx_move) {
        .queue = queue,
        .source = { .thread = source, .wants = true,
                    .asked = true, .answered = true },
        .dest = { .thread = dest, .wants = true, .answered = true },
        .phase = DPX_MOVE_LISTING,
        .limit = limit,
    };
    /* Before the destination lists the queue: from now on the word decides. */
    dpx_handoff_begin(queue, source);
}

/* Between a question and its answer a thread may list the queue or not. */
static bool
surely_lists(const struct dpx_move_end *end)
{
    return end->asked && end->answered;
}

static bool
surely_lists_not(const struct dpx_move_end *end)
{
    return end->gone || (!end->wants && !end->asked && end->answered);
}

/* The first reason is the one that is told. */
static void
set_reason(struct dpx_move *move, enum dpx_move_reason reason)
{
    if (!move->reason) {
        move->reason = reason;
    }
}

static void
drop(struct dpx_move *move, struct dpx_move_end *loser)
{
    loser->wants = false;
    move->phase = DPX_MOVE_DROPPING;
}

/* Nobody writes the word but us: the end that could is gone.  The other end
 * lists the queue still, because no end is dropped before the word is known
 * for good. */
static void
force(struct dpx_move *move, const struct dpx_move_end *heir, uint64_t now)
{
    dpx_handoff_force(move->queue, heir->thread, now);
    move->phase = DPX_MOVE_TAKING;
}

static void
orphan(struct dpx_move *move)
{
    dpx_handoff_settle(move->queue);
    move->orphan = true;
    move->phase = DPX_MOVE_ENDED;
}

/* Returns true if the move is to end without the queue being moved. */
static bool
is_cancelled(struct dpx_move *move, uint64_t now,
             enum dpx_move_reason late)
{
    if (move->dest.gone) {
        set_reason(move, DPX_MOVE_DEST_GONE);
    } else if (move->cancel) {
        set_reason(move, DPX_MOVE_ASKED);
    } else if (now >= move->limit) {
        set_reason(move, late);
    } else {
        return false;
    }
    return true;
}

static void
step_listing(struct dpx_move *move, uint64_t now)
{
    if (is_cancelled(move, now, DPX_MOVE_NOT_LISTED)) {
        drop(move, &move->dest);
    } else if (surely_lists(&move->dest)) {
        /* Only we write the word of an owner, whether it runs or not. */
        bool offered = dpx_handoff_offer(move->queue, move->source.thread,
                                         move->dest.thread);

        ovs_assert(offered);
        move->phase = DPX_MOVE_OFFERED;
    }
}

static void
step_offered(struct dpx_move *move, uint64_t now)
{
    if (dpx_handoff_look(move->queue).state != DPX_HANDOFF_OFFERED) {
        move->phase = DPX_MOVE_TAKING;
    } else if (move->source.gone && !move->dest.gone) {
        force(move, &move->dest, now);
    } else if (is_cancelled(move, now, DPX_MOVE_NOT_GIVEN)) {
        /* If that comes too late, the answer is there already. */
        dpx_handoff_withdraw(move->queue);
        move->phase = DPX_MOVE_ANSWERING;
    }
}

static void
step_answering(struct dpx_move *move, uint64_t now)
{
    struct dpx_handoff_view view = dpx_handoff_look(move->queue);

    if (view.state != DPX_HANDOFF_WITHDRAWN) {
        move->phase = DPX_MOVE_TAKING;
    } else if (move->source.gone && !move->dest.gone) {
        force(move, &move->dest, now);
    } else if (move->source.gone) {
        orphan(move);
    }
}

/* The source has answered: the word is GRANTED to somebody, or OWNED. */
static void
step_taking(struct dpx_move *move, uint64_t now)
{
    struct dpx_handoff_view view = dpx_handoff_look(move->queue);
    bool to_dest = view.owner == move->dest.thread;
    struct dpx_move_end *owner = to_dest ? &move->dest : &move->source;
    struct dpx_move_end *loser = to_dest ? &move->source : &move->dest;

    if (owner->gone) {
        set_reason(move,
                   to_dest ? DPX_MOVE_DEST_GONE : DPX_MOVE_SOURCE_GONE);
        if (loser->gone) {
            orphan(move);
        } else {
            force(move, loser, now);
        }
    } else if (view.state == DPX_HANDOFF_OWNED) {
        move->moved = to_dest;
        if (to_dest) {
            move->reason = DPX_MOVE_NONE;
            move->blocked = move->queue->taken - move->queue->given;
        }
        drop(move, loser);
    }
}

static void
step_dropping(struct dpx_move *move)
{
    struct dpx_move_end *loser = move->source.wants ? &move->dest
                                                    : &move->source;
    struct dpx_move_end *owner = move->source.wants ? &move->source
                                                    : &move->dest;

    if (surely_lists_not(loser)) {
        dpx_handoff_settle(move->queue);
        move->orphan = owner->gone;
        move->phase = DPX_MOVE_ENDED;
    }
}

void
dpx_move_step(struct dpx_move *move, uint64_t now)
{
    enum dpx_move_phase phase;

    do {
        phase = move->phase;
        switch (phase) {
        case DPX_MOVE_LISTING:
            step_listing(move, now);
            break;
        case DPX_MOVE_OFFERED:
            step_offered(move, now);
            break;
        case DPX_MOVE_ANSWERING:
            step_answering(move, now);
            break;
        case DPX_MOVE_TAKING:
            step_taking(move, now);
            break;
        case DPX_MOVE_DROPPING:
            step_dropping(move);
            break;
        case DPX_MOVE_ENDED:
            break;
        }
    } while (move->phase != phase);
}

void
dpx_move_cancel(struct dpx_move *move)
{
    move->cancel = true;
}

void
dpx_move_thread_gone(struct dpx_move *move, uint32_t thread)
{
    struct dpx_move_end *end = (thread == move->source.thread ? &move->source
                                : thread == move->dest.thread ? &move->dest
                                : NULL);

    if (end && !dpx_move_ended(move)) {
        end->gone = true;
    }
}

void
dpx_move_queue_gone(struct dpx_move *move)
{
    if (!dpx_move_ended(move)) {
        move->source.gone = move->dest.gone = true;
        move->reason = DPX_MOVE_QUEUE_GONE;
        move->moved = false;
        orphan(move);
    }
}

const char *
dpx_move_reason_text(enum dpx_move_reason reason)
{
    static const char *const texts[] = {
#define X(NAME, TEXT) TEXT,
        DPX_MOVE_REASONS
#undef X
    };

    return texts[reason];
}
