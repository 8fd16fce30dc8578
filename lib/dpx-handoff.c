/* SPDX-License-Identifier: Apache-2.0 */

#include <config.h>

#include "dpx-handoff.h"

#include "util.h"

/* The word: state, number of the offer, and two threads.  OWNED and GRANTED
 * name their thread as destination and leave the others 0, so that the word of
 * an owner does not tell how it came to own. */
#define STATE_BITS 8
#define OFFER_BITS 16
#define THREAD_BITS 20

#define OFFER_SHIFT STATE_BITS
#define SOURCE_SHIFT (OFFER_SHIFT + OFFER_BITS)
#define DEST_SHIFT (SOURCE_SHIFT + THREAD_BITS)

#define STATE_MASK ((UINT64_C(1) << STATE_BITS) - 1)
#define OFFER_MASK ((UINT64_C(1) << OFFER_BITS) - 1)
#define THREAD_MASK ((UINT64_C(1) << THREAD_BITS) - 1)

static enum dpx_handoff_state
word_state(uint64_t word)
{
    return word & STATE_MASK;
}

static uint32_t
word_source(uint64_t word)
{
    return (word >> SOURCE_SHIFT) & THREAD_MASK;
}

static uint32_t
word_dest(uint64_t word)
{
    return (word >> DEST_SHIFT) & THREAD_MASK;
}

static uint64_t
thread_word(enum dpx_handoff_state state, uint32_t thread)
{
    ovs_assert(thread < DPX_HANDOFF_THREADS);
    return state | (uint64_t) thread << DEST_SHIFT;
}

static uint64_t
acquire(struct dpx_handoff *h)
{
    uint64_t word;

    atomic_read_explicit(&h->word, &word, memory_order_acquire);
    return word;
}

/* Every write of a polling thread releases: there is one or two per move, and
 * who reads it may then read all that the thread did before. */
static void
release(struct dpx_handoff *h, enum dpx_handoff_state state, uint32_t thread)
{
    atomic_store_explicit(&h->word, thread_word(state, thread),
                          memory_order_release);
}

/* The thread that waits for 'offer' shows that it is awake.  A hint only: the
 * source waits for it so that no queue is given to a thread that sleeps. */
static void
show_ready(struct dpx_handoff *h, uint64_t offer)
{
    uint64_t ready;

    atomic_read_relaxed(&h->ready, &ready);
    if (ready != offer) {
        atomic_store_relaxed(&h->ready, offer);
    }
}

static bool
is_ready(struct dpx_handoff *h, uint64_t offer)
{
    uint64_t ready;

    atomic_read_relaxed(&h->ready, &ready);
    return ready == offer;
}

enum dpx_handoff_turn
dpx_handoff_turn(struct dpx_handoff *h, uint32_t me)
{
    uint64_t word = acquire(h);

    switch (word_state(word)) {
    case DPX_HANDOFF_SETTLED:
        return DPX_TURN_POLL;

    case DPX_HANDOFF_OWNED:
        return word_dest(word) == me ? DPX_TURN_POLL : DPX_TURN_SKIP;

    case DPX_HANDOFF_OFFERED:
        if (word_source(word) == me) {
            return is_ready(h, word) ? DPX_TURN_GIVE : DPX_TURN_POLL;
        }
        if (word_dest(word) == me) {
            show_ready(h, word);
            return DPX_TURN_SOON;
        }
        return DPX_TURN_SKIP;

    case DPX_HANDOFF_WITHDRAWN:
        if (word_source(word) == me) {
            release(h, DPX_HANDOFF_OWNED, me);
            return DPX_TURN_POLL;
        }
        return DPX_TURN_SKIP;

    case DPX_HANDOFF_GRANTED:
        return word_dest(word) == me ? DPX_TURN_TAKE : DPX_TURN_SKIP;

    default:
        OVS_NOT_REACHED();
    }
}

void
dpx_handoff_take(struct dpx_handoff *h, uint32_t me, uint64_t now)
{
    h->taken = now;
    release(h, DPX_HANDOFF_OWNED, me);
}

bool
dpx_handoff_give(struct dpx_handoff *h, uint32_t me, uint64_t now)
{
    /* Sending took its time: the offer may be gone. */
    uint64_t word = acquire(h);

    if (word_source(word) != me) {
        return false;
    } else if (word_state(word) == DPX_HANDOFF_OFFERED) {
        h->given = now;
        release(h, DPX_HANDOFF_GRANTED, word_dest(word));
        return true;
    } else if (word_state(word) == DPX_HANDOFF_WITHDRAWN) {
        release(h, DPX_HANDOFF_OWNED, me);
    }
    return false;
}

bool
dpx_handoff_accounts(struct dpx_handoff *h, uint32_t me)
{
    uint64_t word;

    /* A thread that owns the queue wrote the word last or acquired it, so a
     * relaxed read says no more than it knows. */
    atomic_read_relaxed(&h->word, &word);
    switch (word_state(word)) {
    case DPX_HANDOFF_SETTLED:
        return true;
    case DPX_HANDOFF_OWNED:
        return word_dest(word) == me;
    case DPX_HANDOFF_OFFERED:
    case DPX_HANDOFF_WITHDRAWN:
        return word_source(word) == me;
    case DPX_HANDOFF_GRANTED:
        return false;
    default:
        OVS_NOT_REACHED();
    }
}

void
dpx_handoff_begin(struct dpx_handoff *h, uint32_t source)
{
    ovs_assert(dpx_handoff_look(h).state == DPX_HANDOFF_SETTLED);
    release(h, DPX_HANDOFF_OWNED, source);
}

bool
dpx_handoff_offer(struct dpx_handoff *h, uint32_t source, uint32_t dest)
{
    uint64_t owned = thread_word(DPX_HANDOFF_OWNED, source);
    uint64_t offer = thread_word(DPX_HANDOFF_OFFERED, dest)
                     | (uint64_t) source << SOURCE_SHIFT
                     | (++h->n_offers & OFFER_MASK) << OFFER_SHIFT;

    ovs_assert(source != dest);
    return atomic_compare_exchange_strong_explicit(&h->word, &owned, offer,
                                                   memory_order_acq_rel,
                                                   memory_order_acquire);
}

bool
dpx_handoff_withdraw(struct dpx_handoff *h)
{
    uint64_t offer = acquire(h);

    if (word_state(offer) != DPX_HANDOFF_OFFERED) {
        return false;
    }
    return atomic_compare_exchange_strong_explicit(
        &h->word, &offer,
        (offer & ~STATE_MASK) | DPX_HANDOFF_WITHDRAWN,
        memory_order_acq_rel, memory_order_acquire);
}

struct dpx_handoff_view
dpx_handoff_look(struct dpx_handoff *h)
{
    uint64_t word = acquire(h);
    struct dpx_handoff_view view = { .state = word_state(word) };

    view.owner = (view.state == DPX_HANDOFF_OFFERED
                  || view.state == DPX_HANDOFF_WITHDRAWN
                  ? word_source(word) : word_dest(word));
    return view;
}

void
dpx_handoff_force(struct dpx_handoff *h, uint32_t dest, uint64_t now)
{
    h->given = now;
    release(h, DPX_HANDOFF_GRANTED, dest);
}

void
dpx_handoff_settle(struct dpx_handoff *h)
{
    atomic_store_explicit(&h->word, 0, memory_order_release);
}
