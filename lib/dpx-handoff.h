/* SPDX-License-Identifier: Apache-2.0
 *
 * Who polls an rx queue while it moves from one PMD thread to another.
 *
 * One word per queue.  In peace it is 0: at most one thread lists the queue,
 * and that one polls it.  During a move both threads list the queue and the
 * word says which of them polls it.  The main thread asks, the thread that
 * gives the queue away answers, the thread that gets it starts: no lock, no
 * read-modify-write in a polling thread, never two pollers, never none.
 *
 * Word            Who polls  Who may write it next
 * --------------  ---------  ------------------------------------------------
 * SETTLED         who lists  main: OWNED(source), before the destination lists
 * OWNED(source)   source     main: OFFERED (compare-and-swap), SETTLED
 * OFFERED(s, d)   source     source: GRANTED(d), once the destination is ready
 *                            main: WITHDRAWN (compare-and-swap)
 * WITHDRAWN(s, d) source     source only: OWNED(s), or GRANTED(d) if it had
 *                            read the offer before it was withdrawn
 * GRANTED(d)      nobody     destination only: OWNED(d)
 * OWNED(dest)     dest       main: SETTLED, once the source lists it no more
 *
 * So a withdrawal is not the end of a move: what the source writes next is.
 * Until then the destination keeps the queue in its list, because the answer
 * may still be "it is yours".  A thread that is known not to run, or not to
 * list the queue, writes nothing: then main writes in its place.
 *
 * Order in memory: the source's last write (GRANTED) releases the queue and
 * all that was done before the offer, the destination's first read of it
 * acquires them.  A poll outside of a move is one relaxed read.
 *
 * The main thread's part, step by step, is dpx-handoff-move.h; why it is
 * right is in Documentation/handoff.rst. */

#ifndef DPX_HANDOFF_H
#define DPX_HANDOFF_H 1

#include <stdbool.h>
#include <stdint.h>

#include "compiler.h"
#include "ovs-atomic.h"

/* A thread's number, e.g. its core: 0 to DPX_HANDOFF_THREADS - 1. */
#define DPX_HANDOFF_THREADS 0xfffffu

enum dpx_handoff_state {
    DPX_HANDOFF_SETTLED,        /* Zeroed memory is settled. */
    DPX_HANDOFF_OWNED,
    DPX_HANDOFF_OFFERED,
    DPX_HANDOFF_WITHDRAWN,
    DPX_HANDOFF_GRANTED,
};

/* In each rx queue; zeroed memory is ready to use.  Its address must not
 * change while a thread lists the queue. */
struct dpx_handoff {
    atomic_uint64_t word;       /* Writers: see above.  Read by all. */
    atomic_uint64_t ready;      /* Destination: the offer that it has seen and
                                 * waits for.  Read by the source. */
    uint64_t given;             /* Who granted: when, in its own clock.  Read
                                 * by main once granted. */
    uint64_t taken;             /* Destination: when it started.  Read by main
                                 * once the destination owns the queue. */
    uint64_t n_offers;          /* Main only: tells one offer from another. */
};

/* What a thread that lists a queue does with it now. */
enum dpx_handoff_turn {
    DPX_TURN_SKIP,              /* Not its own: leave it. */
    DPX_TURN_SOON,              /* Offered to it: leave it, do not sleep. */
    DPX_TURN_POLL,              /* Its own: poll. */
    DPX_TURN_TAKE,              /* Granted to it: dpx_handoff_take(), poll. */
    DPX_TURN_GIVE,              /* Its own for the last time: poll, send what
                                 * is buffered, dpx_handoff_give(). */
};

/* What the word says, for main. */
struct dpx_handoff_view {
    enum dpx_handoff_state state;
    uint32_t owner;             /* Who polls it or will be the next to: not
                                 * meaningful if settled. */
};

/* Returns true if no move of the queue is under way: who lists it polls it.
 * Any thread that lists the queue, before each poll. */
static inline bool
dpx_handoff_settled(struct dpx_handoff *h)
{
    uint64_t word;

    atomic_read_relaxed(&h->word, &word);
    return OVS_LIKELY(!word);
}

/* For the polling thread 'me', before each poll of a queue that is not
 * settled: says what to do, answers a withdrawal. */
enum dpx_handoff_turn dpx_handoff_turn(struct dpx_handoff *, uint32_t me);

/* For the polling thread 'me' after DPX_TURN_TAKE: the queue is its own from
 * now on.  'now' is any clock that all threads share, read after the turn. */
void dpx_handoff_take(struct dpx_handoff *, uint32_t me, uint64_t now);

/* For the polling thread 'me' after DPX_TURN_GIVE, when nothing of the queue
 * is left in its buffers: gives the queue away.  'now' is when it was polled
 * last, in that clock.  Returns false if the offer was withdrawn meanwhile:
 * 'me' still owns the queue. */
bool dpx_handoff_give(struct dpx_handoff *, uint32_t me, uint64_t now);

/* For the thread 'me' that lists the queue: whether the queue's account is
 * its own to read and clear now. */
bool dpx_handoff_accounts(struct dpx_handoff *, uint32_t me);

/* The rest is for the main thread. */

/* A move begins: 'source' is the only thread that lists the queue. */
void dpx_handoff_begin(struct dpx_handoff *, uint32_t source);

/* Offers the queue that 'source' owns to 'dest', which lists it already.
 * Returns false if 'source' does not own it. */
bool dpx_handoff_offer(struct dpx_handoff *, uint32_t source, uint32_t dest);

/* Asks the source to forget the offer.  It still has to answer.  Returns
 * false if there is no offer: it was answered already. */
bool dpx_handoff_withdraw(struct dpx_handoff *);

struct dpx_handoff_view dpx_handoff_look(struct dpx_handoff *);

/* Gives the queue to 'dest' in place of a thread that cannot.  Only when no
 * other thread may write the word: the one that could does not run any more,
 * or does not list the queue. */
void dpx_handoff_force(struct dpx_handoff *, uint32_t dest, uint64_t now);

/* The move is over: at most one thread lists the queue. */
void dpx_handoff_settle(struct dpx_handoff *);

#endif /* dpx-handoff.h */
