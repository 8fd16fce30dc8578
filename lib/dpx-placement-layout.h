/* SPDX-License-Identifier: Apache-2.0
 *
 * Who polls what, while the planner is trying things: an assignment of the
 * queues of a problem to its threads, with the loads that follow from it.
 *
 * Private to the planner.  Every change goes through dpx_layout_set(), which
 * keeps loads and counts true. */

#ifndef DPX_PLACEMENT_LAYOUT_H
#define DPX_PLACEMENT_LAYOUT_H 1

#include "dpx-placement-problem.h"

/* What the searches may still spend, in steps (one look at one possible
 * change).  Counting steps and not time keeps the plan the same on a busy
 * machine. */
struct dpx_effort {
    int64_t left;
};

struct dpx_layout {
    const struct dpx_problem *p;
    int *at;                  /* Queue: thread, or -1. */
    dpx_units *thread_load;
    dpx_units *core_load;     /* Of the capacity: siblings share a core. */
    int *head;                /* Thread: its first queue, or -1. */
    int *next;                /* Queue: the next one of its thread, or -1. */
    int *prev;
    int n_moved;              /* Queues that are not at home. */
    int n_far;                /* Queues polled from another node. */
};

/* Makes a layout in which no queue has a thread. */
struct dpx_layout *dpx_layout_create(const struct dpx_problem *);
void dpx_layout_clear(struct dpx_layout *);
void dpx_layout_destroy(struct dpx_layout *);
void dpx_layout_copy(struct dpx_layout *to, const struct dpx_layout *from);

/* Lets 'thread' poll 'q'; -1: nobody. */
void dpx_layout_set(struct dpx_layout *, int q, int thread);

/* Puts 'q' where it ends lowest. */
void dpx_layout_insert(struct dpx_layout *, int q);

/* Load of the busiest core, and the core. */
dpx_units dpx_layout_busiest(const struct dpx_layout *, int *core);

/* The core with the lowest load. */
int dpx_layout_idlest(const struct dpx_layout *);

/* Whatever two cores exchange, one of them ends at this load or above. */
dpx_units dpx_layout_half_of_both(const struct dpx_layout *, int core_a,
                                  int core_b);

/* How uneven the cores are: sum of squares; lower is flatter. */
double dpx_layout_unevenness(const struct dpx_layout *);

/* Is 'a' better than 'b' when both keep the limit?  Fewer moves, then fewer
 * queues polled from another node, then flatter. */
bool dpx_layout_calmer(const struct dpx_layout *a, const struct dpx_layout *b);

/* Effect on the number of moves of taking 'q' to 'thread'. */
static inline int
dpx_layout_move_cost(const struct dpx_layout *l, int q, int thread)
{
    int home = l->p->home[q];

    return home < 0 ? 0 : (thread != home) - (l->at[q] != home);
}

/* Load that core 'c' would have with 'da' more on thread 'a' and 'db' more on
 * thread 'b' (either may be a thread of another core: no effect). */
static inline dpx_units
dpx_layout_core_if(const struct dpx_layout *l, int c, int a, dpx_units da,
                   int b, dpx_units db)
{
    const struct dpx_problem *p = l->p;
    dpx_units sum = 0, max = 0;

    for (int t = p->core_first[c]; t < p->core_first[c + 1]; t++) {
        dpx_units load = (l->thread_load[t] + (t == a ? da : 0)
                          + (t == b ? db : 0));

        sum += load;
        max = load > max ? load : max;
    }
    sum = (sum * p->inv[c]) >> DPX_INV_BITS;
    return sum > max ? sum : max;
}

#endif /* dpx-placement-layout.h */
