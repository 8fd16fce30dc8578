/* SPDX-License-Identifier: Apache-2.0
 *
 * One move of an rx queue from a PMD thread to another, as the main thread
 * drives it: what to ask of whom, what to wait for and how long, and what to
 * do when a thread or the queue goes away in the middle.
 *
 * It decides and touches nothing but the queue's word (dpx-handoff.h).  The
 * caller keeps the threads' lists as the move wants them and tells what the
 * threads have acknowledged:
 *
 *     dpx_move_begin(&move, ...);
 *     while (!dpx_move_ended(&move)) {
 *         dpx_move_step(&move, now);
 *         for each end:
 *             if (dpx_move_asks(end)) {
 *                 change the thread's list as end->wants says;
 *             }
 *             if (the thread has read its list since) {
 *                 end->answered = true;
 *             }
 *     }
 *
 * A caller need not stay for the end: 'limit' bounds the time until the offer
 * is withdrawn, and a thread that then still does not answer is waited for in
 * the background, with the queue safely its own.
 *
 * Main thread only. */

#ifndef DPX_HANDOFF_MOVE_H
#define DPX_HANDOFF_MOVE_H 1

#include <stdbool.h>
#include <stdint.h>

#include "dpx-handoff.h"

enum dpx_move_phase {
    DPX_MOVE_LISTING,           /* The destination is to list the queue. */
    DPX_MOVE_OFFERED,           /* The source is to accept. */
    DPX_MOVE_ANSWERING,         /* Withdrawn, the source is to say so. */
    DPX_MOVE_TAKING,            /* Granted, the new owner is to start. */
    DPX_MOVE_DROPPING,          /* Who lost is to drop it from its list. */
    DPX_MOVE_ENDED,
};

/* Why a move did not move the queue.  The text follows "cancelled: ". */
#define DPX_MOVE_REASONS                                            \
    X(NONE, "")                                                     \
    X(NOT_LISTED, "the destination did not answer in time")         \
    X(NOT_GIVEN, "the source did not answer in time")               \
    X(ASKED, "on request")                                          \
    X(DEST_GONE, "the destination is gone")                         \
    X(SOURCE_GONE, "the source is gone")                            \
    X(QUEUE_GONE, "the queue is gone")

enum dpx_move_reason {
#define X(NAME, TEXT) DPX_MOVE_##NAME,
    DPX_MOVE_REASONS
#undef X
};

/* A thread that takes part. */
struct dpx_move_end {
    uint32_t thread;
    bool wants;                 /* Set by the move: to be in its list. */
    bool asked;                 /* What the thread was asked last. */
    bool answered;              /* Set by the caller: it has done so. */
    bool gone;                  /* It does not run, or lists the queue no
                                 * more and never will. */
    uint64_t ticket;            /* For the caller: names its last question. */
};

struct dpx_move {
    struct dpx_handoff *queue;
    struct dpx_move_end source, dest;
    enum dpx_move_phase phase;
    uint64_t limit;             /* When the offer is withdrawn at the latest,
                                 * in the clock of 'now'. */
    bool cancel;                /* Someone asked to. */
    enum dpx_move_reason reason;

    /* Once ended. */
    bool moved;                 /* The destination polls the queue, not the
                                 * source. */
    bool orphan;                /* No thread polls it: the caller is to find
                                 * one, if the queue is still there. */
    uint64_t blocked;           /* If moved: from the source's last poll to
                                 * the destination's first. */
};

/* Begins to move 'queue' from 'source', the only thread that lists it, to
 * 'dest'. */
void dpx_move_begin(struct dpx_move *, struct dpx_handoff *queue,
                    uint32_t source, uint32_t dest, uint64_t limit);

/* Goes on as far as the threads' answers allow; never waits. */
void dpx_move_step(struct dpx_move *, uint64_t now);

/* Returns true if the thread's list is to be changed now: to hold the queue if
 * 'end->wants', to hold it no more if not. */
static inline bool
dpx_move_asks(struct dpx_move_end *end)
{
    if (end->gone || end->wants == end->asked) {
        return false;
    }
    end->asked = end->wants;
    end->answered = false;
    return true;
}

/* Asks to end without moving.  It may be too late: see 'moved'. */
void dpx_move_cancel(struct dpx_move *);

/* 'thread' was ended, or reloaded without the queue: it writes nothing any
 * more.  No effect on a move in which it has no part. */
void dpx_move_thread_gone(struct dpx_move *, uint32_t thread);

/* The queue is no more: no thread lists it.  Ends the move. */
void dpx_move_queue_gone(struct dpx_move *);

static inline bool
dpx_move_ended(const struct dpx_move *move)
{
    return move->phase == DPX_MOVE_ENDED;
}

const char *dpx_move_reason_text(enum dpx_move_reason);

#endif /* dpx-handoff-move.h */
