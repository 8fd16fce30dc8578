/* SPDX-License-Identifier: Apache-2.0
 *
 * What was done to the placement of a datapath, and what was not done and why.
 *
 * A bounded list of steps, the newest first.  Pure: plain values in and out.
 * Single owner, the main thread; a command gets copies. */

#ifndef DPX_HISTORY_H
#define DPX_HISTORY_H 1

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Steps kept. */
#define DPX_HISTORY_STEPS 64

/* What made a step happen: its name, and whether queues may be moved in it
 * that need not move. */
#define DPX_CAUSES                                                          \
    DPX_CAUSE(OTHER, "other", false)    /* Some other reconfiguration. */   \
    DPX_CAUSE(PORT, "port", false)      /* Rx queues came or went. */       \
    DPX_CAUSE(PINNED, "pinned", false)  /* pmd-rxq-affinity, -isolate. */   \
    DPX_CAUSE(HAND, "hand", false)      /* pmd-rxq-move. */                 \
    DPX_CAUSE(POLICY, "policy", true)   /* pmd-rxq-assign=placement. */     \
    DPX_CAUSE(PMDS, "pmds", true)       /* Another set of PMD threads. */   \
    DPX_CAUSE(APPLY, "apply", true)     /* pmd-placement-apply, or          \
                                         * pmd-rxq-rebalance. */            \
    DPX_CAUSE(AUTO, "auto", true)       /* pmd-auto-lb. */

enum dpx_cause {
#define DPX_CAUSE(ID, NAME, FREE) DPX_CAUSE_##ID,
    DPX_CAUSES
#undef DPX_CAUSE
    DPX_N_CAUSES
};

/* "apply". */
const char *dpx_cause_name(enum dpx_cause);

/* May a step of this cause move queues that could stay? */
bool dpx_cause_is_request(enum dpx_cause);

/* A queue that changed its core. */
struct dpx_step_move {
    char *port;
    int queue_id;
    int from, to;               /* Cores, or DPX_CORE_NONE. */
    char *reason;               /* One sentence. */

    /* What that cost; negative: not known. */
    double blocked_us;          /* Longest time that it was not polled, in
                                 * microseconds. */
    int64_t copied;             /* Megaflows copied before. */
    int64_t upcalls;            /* Of the thread that got it, and packets that
                                 * the device lost, in the first second. */
    int64_t lost;
};

struct dpx_step {
    uint64_t serial;            /* Set by dpx_history_add(): 1, 2, ... */
    long long int first_ms;     /* Wall clock of the first of 'count'... */
    long long int last_ms;      /* ...and of the last. */
    unsigned int count;         /* So many in a row were the same. */
    enum dpx_cause cause;
    int declined;               /* Nonzero: nothing was done; equal values
                                 * are the same reason. */
    char *why;                  /* What was done, or why nothing. */
    struct dpx_step_move *moves;
    size_t n_moves;
    size_t n_placed;            /* Queues placed that nobody polled before. */

    /* Busiest core, as a fraction of its capacity, or DPX_LOAD_UNKNOWN. */
    double before;
    double predicted;
    double realised;            /* Known when a window has passed since. */
};

/* A step without moves in which every load is unknown. */
struct dpx_step *dpx_step_create(enum dpx_cause);

/* Appends a move of which nothing is known but this; copies the strings
 * ('reason' may be null).  Returns it, valid until the next call. */
struct dpx_step_move *dpx_step_add_move(struct dpx_step *, const char *port,
                                        int queue_id, int from, int to,
                                        const char *reason);

/* The move of this queue, or null. */
struct dpx_step_move *dpx_step_find_move(const struct dpx_step *,
                                         const char *port, int queue_id);

/* Puts the moves in the order of port and queue. */
void dpx_step_sort(struct dpx_step *);
struct dpx_step *dpx_step_clone(const struct dpx_step *);

/* Says what a step did that nobody asked for beyond what it had to, to be
 * freed. */
char *dpx_step_words(const struct dpx_step *);

/* Frees 'step'; null is allowed. */
void dpx_step_destroy(struct dpx_step *);

/* All zero is an empty history. */
struct dpx_history {
    struct dpx_step *steps[DPX_HISTORY_STEPS];  /* A ring. */
    size_t n;                   /* Steps held. */
    size_t next;                /* Where the next one goes. */
    uint64_t serial;            /* Of the last step that was added. */
};

void dpx_history_uninit(struct dpx_history *);

/* Takes 'step', which is from now on the history's.  One in which nothing
 * moved joins an earlier one of the same cause and the same 'declined' if
 * nothing has moved since: that one counts and takes its time, words and
 * loads, so that steps in which something moved are not pushed out by what
 * repeats.  Returns the step that holds it; valid until the next call. */
struct dpx_step *dpx_history_add(struct dpx_history *, struct dpx_step *step);

/* The 'i'th step, the newest being 0, or null. */
const struct dpx_step *dpx_history_get(const struct dpx_history *, size_t i);

/* The step with this serial number, or null when it is held no more. */
struct dpx_step *dpx_history_find(struct dpx_history *, uint64_t serial);

#endif /* dpx-history.h */
