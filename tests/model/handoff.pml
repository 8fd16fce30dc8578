/* SPDX-License-Identifier: Apache-2.0
 *
 * Model of a queue that moves between two PMD threads: lib/dpx-handoff.c (what
 * a thread does), lib/dpx-handoff-move.c (what main does) and a caller that
 * changes lists, loses patience, ends threads and deletes the port at any
 * moment.  Checked by tests/model/check-spin, which also breaks the model in
 * each of the ways marked BREAK_* and expects that to be found.
 *
 * A thread's step between two labels is what it does without reading anything
 * that another thread writes; memory is taken to be in order here (see the
 * litmus tests for what makes it so).
 *
 * Configurations: PATIENT, threads always go on: every move ends, and the
 * queue is polled for ever.  STUCK, a thread may stop for ever at any moment:
 * main never waits for it beyond its limit. */

#define SETTLED   0
#define OWNED     1
#define OFFERED   2
#define WITHDRAWN 3
#define GRANTED   4

/* The word.  Thread 0 and 1; when two are named, 'whose' is the source. */
byte state = SETTLED;
bit whose = 0;

/* Lists: what main asked for, and what the thread has read. */
bool asked[2], lists[2], answered[2];
bool stop[2], ended[2];         /* Main ends a thread; it has ended. */

/* The queue and the port that it is sent to. */
byte polling = 0;               /* Threads inside of a poll. */
bool buffered[2];               /* A thread's tx batch holds packets. */

/* Main, for the properties. */
bool moving = false;            /* A move is under way. */
bool waiting = false;           /* Main waits for it and does nothing else. */
bool no_poller = false;         /* Port deleted, or no thread is left. */

#define send(me) buffered[me] = false

/* One burst.  It is sent now or stays in the tx batch, as with
 * tx-flush-interval above 0.  What another thread still holds would be sent
 * after it: out of order. */
inline poll(me)
{
    d_step {
        polling++;
        assert(polling == 1);
        assert(!buffered[1 - me])
    };
    d_step {
        polling--;
        buffered[me] = true
    };
    if
    :: skip
    :: send(me)
    fi
}

/* A thread that is in a long action for ever. */
inline stumble()
{
#ifdef STUCK
    if
    :: skip
    :: false
    fi
#else
    skip
#endif
}

inline take_turn(me)
{
    d_step { s = state; w = whose }
    stumble();
    if
    :: s == SETTLED || (s == OWNED && w == me) ->
        poll(me)
    :: (s == OFFERED || s == WITHDRAWN) && w == me ->
        if
        :: s == WITHDRAWN -> d_step { state = OWNED; whose = me };
            poll(me)
        :: s == OFFERED -> poll(me)
        :: s == OFFERED -> poll(me); give(me)
        fi
    :: s == OFFERED && w != me ->
#ifdef BREAK_EARLY_START
        poll(me)
#else
        skip
#endif
    :: s == GRANTED && w == me ->
        d_step { state = OWNED; whose = me };
        poll(me)
    :: else
    fi
}

/* That the destination is awake is a hint, so it is left out here: the source
 * may give or not. */
inline give(me)
{
#ifndef BREAK_NO_FLUSH
    send(me);
#endif
    stumble();
    /* Looks again: sending took its time. */
    d_step { s = state; w = whose }
    stumble();
    if
    :: s == OFFERED && w == me -> d_step { state = GRANTED; whose = 1 - me }
    :: s == WITHDRAWN && w == me -> d_step { state = OWNED; whose = me }
    :: else
    fi
}

#define ASKED(me) (asked[me] != lists[me] || !answered[me])

proctype Thread(bit me)
{
    byte s;
    bit w;

end:
    do
    :: !stop[me] && ASKED(me) ->
        /* Reads its list between two rounds. */
        stumble();
        d_step { lists[me] = asked[me]; answered[me] = true }
    :: !stop[me] && !ASKED(me) && lists[me] ->
        take_turn(me);
        d_step { s = 0; w = 0 }
    :: !stop[me] && !ASKED(me) && buffered[me] ->
        send(me)
    :: stop[me] ->
        send(me);
        ended[me] = true;
        break
    od
}

/* Main. */

#define LISTING   0
#define OFFER     1
#define ANSWERING 2
#define TAKING    3
#define DROPPING  4
#define DONE      5

inline ask(who, what)
{
    d_step {
        if
        :: asked[who] != what -> asked[who] = what; answered[who] = false
        :: else
        fi
    }
}

/* Main knows that thread 'who' does not run any more. */
#define GONE(who) (ended[who])

inline force(who)
{
    d_step { state = GRANTED; whose = who };
    phase = TAKING
}

inline cas(from_state, to_state)
{
    atomic {
        if
        :: state == from_state -> state = to_state
        :: else
        fi
    }
}

inline step()
{
    if
    :: phase == LISTING && (GONE(dst) || late) ->
        ask(dst, false); loser = dst; phase = DROPPING
    :: phase == LISTING && !GONE(dst) && !late ->
        if
        :: asked[dst] && answered[dst] ->
#ifdef BREAK_LATE_BEGIN
            d_step { state = OWNED; whose = src };
#endif
            if
            :: GONE(src) -> force(dst)
            :: else ->
                d_step { assert(state == OWNED && whose == src);
                         state = OFFERED };
                phase = OFFER
            fi
        :: else
        fi
    :: phase == OFFER ->
        m_state = state;
        if
        :: m_state != OFFERED -> phase = TAKING
        :: m_state == OFFERED && GONE(src) && !GONE(dst) -> force(dst)
        :: m_state == OFFERED && (GONE(dst) || (late && !GONE(src))) ->
#ifdef BREAK_BLIND_WITHDRAWAL
            d_step { state = WITHDRAWN; whose = src };
#else
            cas(OFFERED, WITHDRAWN);
#endif
            withdrawn = (state == WITHDRAWN);
            phase = ANSWERING
        :: else
        fi
    :: phase == ANSWERING ->
        m_state = state;
        if
#ifdef BREAK_NO_ANSWER
        /* The withdrawal is taken for the end. */
        :: m_state == WITHDRAWN && !GONE(src) ->
            ask(dst, false); loser = dst; phase = DROPPING
#endif
        :: m_state != WITHDRAWN -> phase = TAKING
        :: m_state == WITHDRAWN && GONE(src) && !GONE(dst) -> force(dst)
        :: m_state == WITHDRAWN && GONE(src) && GONE(dst) ->
            orphan = true; state = SETTLED; phase = DONE
        :: else
        fi
    :: phase == TAKING ->
        d_step { m_state = state; owner = whose };
        if
#ifndef BREAK_FORGET_GONE
        :: GONE(owner) && GONE(1 - owner) ->
            orphan = true; state = SETTLED; phase = DONE
        :: GONE(owner) && !GONE(1 - owner) ->
#ifdef EXPECT_HEIR
            assert(false);
#endif
            force(1 - owner)
#endif
        :: !GONE(owner) && m_state == OWNED ->
            ask(1 - owner, false); loser = 1 - owner; phase = DROPPING
        :: else
        fi
    :: phase == DROPPING &&
#ifdef BREAK_EARLY_SETTLE
       true ->
#else
       (GONE(loser) || (!asked[loser] && answered[loser])) ->
#endif
        orphan = GONE(1 - loser);
        state = SETTLED; phase = DONE
    :: else
    fi
}

/* The move has ended: is the assignment valid? */
inline judge()
{
#ifdef EXPECT_MOVED
    assert(loser != src);
#endif
#ifdef EXPECT_CANCELLED
    assert(loser != dst);
#endif
#ifdef EXPECT_LATE_GRANT
    assert(loser != src || !withdrawn);
#endif
#ifdef EXPECT_ORPHAN
    assert(!orphan);
#endif
    d_step {
        assert(orphan || (asked[1 - loser] && lists[1 - loser]));
        assert(GONE(loser) || !lists[loser]);
        src = 1 - loser; dst = loser
    };
    if
    :: orphan && GONE(0) && GONE(1) -> no_poller = true
    :: orphan && !GONE(0) -> ask(0, true); src = 0; dst = 1
    :: orphan && !GONE(1) -> ask(1, true); src = 1; dst = 0
    :: else
    fi;
    orphan = false
}

/* The port goes: both threads are told, and waited for as stock does. */
inline delete_port()
{
    no_poller = true;
    ask(0, false); ask(1, false);
    (GONE(0) || (!asked[0] && answered[0]));
    (GONE(1) || (!asked[1] && answered[1]));
    state = SETTLED;
    phase = DONE
}

proctype Main()
{
    byte phase = DONE, m_state;
    bit src = 0, dst = 1, loser = 1, owner = 0;
    bool late = false, orphan = false, withdrawn = false;
    byte patience = 0;

    do
    :: !GONE(src) && !GONE(dst) ->
        /* One move.  The thread that has the queue reads its list first. */
        (answered[src]);
        moving = true; waiting = true;
        phase = LISTING; late = false; patience = 0; withdrawn = false;
        assert(state == SETTLED);
#ifndef BREAK_LATE_BEGIN
        d_step { state = OWNED; whose = src };
#endif
        ask(dst, true);
        do
        :: phase != DONE ->
            if
#ifndef BREAK_NO_LIMIT
            :: !late -> late = true; waiting = false
#endif
#ifdef PATIENT
            :: !stop[0] -> stop[0] = true; (ended[0])
            :: !stop[1] -> stop[1] = true; (ended[1])
            :: delete_port(); break
#endif
            :: late || patience < 2 ->
                if
                :: late
                :: else -> patience++
                fi
            fi;
            step();
            d_step { m_state = 0; owner = 0 }
        :: phase == DONE -> judge(); break
        od;
        moving = false;
        d_step { waiting = false; late = false;
                 patience = 0; withdrawn = false; loser = 0 };
        if
        :: no_poller -> break
        :: else
        fi
    :: GONE(src) || GONE(dst) -> break
    od;
    /* A thread that is left keeps the queue, for ever. */
}

init
{
    atomic {
        asked[0] = true; lists[0] = true; answered[0] = true;
        answered[1] = true;
        run Thread(0); run Thread(1); run Main();
    }
}

ltl ends { [] (moving -> <> !moving) }
ltl bounded { [] (waiting -> <> !waiting) }
ltl polled { [] <> (polling > 0 || no_poller) }
