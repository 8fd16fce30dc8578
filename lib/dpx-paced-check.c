/* SPDX-License-Identifier: Apache-2.0
 *
 * Sequence check of the paced test netdev's sink. */

#include <config.h>
#include "dpx-paced-check.h"

#include <stdlib.h>
#include <string.h>

#include "util.h"

#define WORD_BITS 64
#define WINDOW_BYTES (DPX_PACED_WINDOW / 8)

static uint64_t *
window_word(const struct dpx_paced_check *check, uint64_t seq)
{
    return &check->window[seq % DPX_PACED_WINDOW / WORD_BITS];
}

static uint64_t
window_bit(uint64_t seq)
{
    return UINT64_C(1) << (seq % WORD_BITS);
}

/* Forgets the numbers from 'from' up to, not including, 'to'. */
static void
window_clear(struct dpx_paced_check *check, uint64_t from, uint64_t to)
{
    if (to - from >= DPX_PACED_WINDOW) {
        memset(check->window, 0, WINDOW_BYTES);
        return;
    }
    while (from < to) {
        if (!(from % WORD_BITS) && to - from >= WORD_BITS) {
            *window_word(check, from) = 0;
            from += WORD_BITS;
        } else {
            *window_word(check, from) &= ~window_bit(from);
            from++;
        }
    }
}

void
dpx_paced_check_init(struct dpx_paced_check *check)
{
    memset(check, 0, sizeof *check);
    check->window = xzalloc(WINDOW_BYTES);
}

void
dpx_paced_check_destroy(struct dpx_paced_check *check)
{
    free(check->window);
    free(check->flow_next);
}

/* Starts an account; the totals of earlier epochs stay. */
static void
restart(struct dpx_paced_check *check)
{
    check->started = false;
    memset(&check->now, 0, sizeof check->now);
    memset(check->window, 0, WINDOW_BYTES);
    if (check->n_flows) {
        memset(check->flow_next, 0,
               check->n_flows * sizeof *check->flow_next);
    }
}

void
dpx_paced_check_reset(struct dpx_paced_check *check)
{
    restart(check);
    memset(&check->past, 0, sizeof check->past);
}

/* Returns the place of 'flow', making room for it if there is none: flow
 * numbers are ranks, so the room is bounded by the flows of the source. */
static uint64_t *
flow_next(struct dpx_paced_check *check, uint32_t flow)
{
    if (flow >= check->n_flows) {
        size_t n = MAX(check->n_flows, 64);

        while (n <= flow) {
            n *= 2;
        }
        check->flow_next = xrealloc(check->flow_next,
                                    n * sizeof *check->flow_next);
        memset(check->flow_next + check->n_flows, 0,
               (n - check->n_flows) * sizeof *check->flow_next);
        check->n_flows = n;
    }
    return &check->flow_next[flow];
}

/* Returns true if 'seq' had come before. */
static bool
note_seq(struct dpx_paced_check *check, uint64_t seq)
{
    uint64_t *word;

    if (!check->started) {
        check->started = true;
        check->lowest = check->highest = seq;
    } else if (seq > check->highest) {
        window_clear(check, check->highest + 1, seq + 1);
        check->highest = seq;
    } else if (check->highest - seq >= DPX_PACED_WINDOW) {
        check->now.ancient++;
        check->lowest = MIN(check->lowest, seq);
        return false;
    } else if (*window_word(check, seq) & window_bit(seq)) {
        return true;
    }
    word = window_word(check, seq);
    *word |= window_bit(seq);
    check->lowest = MIN(check->lowest, seq);
    return false;
}

void
dpx_paced_check_packet(struct dpx_paced_check *check,
                       const struct dpx_paced_stamp *stamp)
{
    uint64_t *next;

    if (check->started && stamp->epoch != check->epoch) {
        if ((int8_t) (stamp->epoch - check->epoch) < 0) {
            check->past.received++;
            return;
        }
        dpx_paced_check_tally(check, &check->past);
        restart(check);
    }
    check->epoch = stamp->epoch;
    check->now.received++;
    if (note_seq(check, stamp->seq)) {
        check->now.duplicated++;
        return;
    }
    next = flow_next(check, stamp->flow);
    if (stamp->seq < *next) {
        check->now.reordered++;
    } else {
        *next = stamp->seq + 1;
    }
}

void
dpx_paced_check_tally(const struct dpx_paced_check *check,
                      struct dpx_paced_tally *tally)
{
    uint64_t span = check->started ? check->highest - check->lowest + 1 : 0;
    uint64_t distinct = check->now.received - check->now.duplicated;

    *tally = check->past;
    tally->received += check->now.received;
    tally->duplicated += check->now.duplicated;
    tally->reordered += check->now.reordered;
    tally->ancient += check->now.ancient;
    /* Unnoticed duplicates among the ancient ones could make 'distinct' the
     * greater. */
    tally->lost += span > distinct ? span - distinct : 0;
}
