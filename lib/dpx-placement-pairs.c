/* SPDX-License-Identifier: Apache-2.0
 *
 * Local search with exchanges of up to two queues for up to two.
 *
 * Where no move or swap helps, one of these often does: eight queues on a
 * thread make 36 such sets, so that there is nearly always one of about the
 * right size.  Called by the planner after the plain search; has its own file
 * because it needs tables that the plain search does without. */

#include <config.h>
#include "dpx-placement-search.h"

#include <stdlib.h>

#include "util.h"

/* Queues of a thread that are looked at, the smallest ones; with more, moves
 * and swaps come close enough by themselves. */
#define MAX_MEMBERS 16
#define MAX_SETS (1 + MAX_MEMBERS + MAX_MEMBERS * (MAX_MEMBERS - 1) / 2)

/* None, one or two queues of a thread (-1: none). */
struct set {
    int a, b;
    dpx_units weight;         /* On their own node. */
};

struct exchange {
    int from, to;             /* Threads. */
    struct set out, in;       /* What leaves 'from', what comes back. */
    dpx_units worst;          /* Of the cores involved, afterwards. */
};

static int
compare_sets(const void *a_, const void *b_)
{
    const struct set *a = a_;
    const struct set *b = b_;

    if (a->weight != b->weight) {
        return a->weight < b->weight ? -1 : 1;
    } else if (a->a != b->a) {
        return a->a < b->a ? -1 : 1;
    }
    return (a->b > b->b) - (a->b < b->b);
}

static int
compare_ints(const void *a_, const void *b_)
{
    const int *a = a_;
    const int *b = b_;

    return (*a > *b) - (*a < *b);
}

/* Fills 'sets' with the sets of 'thread', smallest first. */
static int
list_sets(const struct dpx_layout *l, int thread, struct set *sets)
{
    const dpx_units *weight = l->p->weight;
    int members[MAX_MEMBERS];
    int n_members = 0, n = 0;

    for (int q = l->head[thread]; q >= 0; q = l->next[q]) {
        if (n_members < MAX_MEMBERS) {
            members[n_members++] = q;
        } else {
            /* A higher number is a smaller queue. */
            int *largest = members;

            for (int i = 1; i < n_members; i++) {
                largest = members[i] < *largest ? &members[i] : largest;
            }
            *largest = MAX(*largest, q);
        }
    }
    qsort(members, n_members, sizeof *members, compare_ints);
    sets[n++] = (struct set) { -1, -1, 0 };
    for (int i = 0; i < n_members; i++) {
        dpx_units w = weight[members[i]];

        sets[n++] = (struct set) { members[i], -1, w };
        for (int j = 0; j < i; j++) {
            sets[n++] = (struct set) { members[i], members[j],
                                       w + weight[members[j]] };
        }
    }
    qsort(sets, n, sizeof *sets, compare_sets);
    return n;
}

/* Adds what taking 'set' from 'from' to 'to' does to both; false if that may
 * not be. */
static bool
add_delta(const struct dpx_layout *l, const struct set *set, int from, int to,
          dpx_units *d_from, dpx_units *d_to)
{
    const int queues[2] = { set->a, set->b };

    for (int i = 0; i < 2; i++) {
        int q = queues[i];

        if (q >= 0) {
            if (dpx_problem_reach(l->p, q, to) == DPX_REACH_NO) {
                return false;
            }
            *d_from -= dpx_problem_weight(l->p, q, from);
            *d_to += dpx_problem_weight(l->p, q, to);
        }
    }
    return true;
}

static void
consider(const struct dpx_layout *l, int from, int to, const struct set *out,
         const struct set *in, struct exchange *best)
{
    const int *core_of = l->p->core_of;
    dpx_units d_from = 0, d_to = 0, worst;

    if (!add_delta(l, out, from, to, &d_from, &d_to)
        || !add_delta(l, in, to, from, &d_to, &d_from)) {
        return;
    }
    worst = dpx_layout_core_if(l, core_of[from], from, d_from, to, d_to);
    if (core_of[from] != core_of[to] && worst < best->worst) {
        worst = MAX(worst, dpx_layout_core_if(l, core_of[to], to, d_to,
                                              -1, 0));
    }
    if (worst < best->worst) {
        *best = (struct exchange) { from, to, *out, *in, worst };
    }
}

/* Looks for the set of 'to' that, against each set of 'from', leaves both
 * about equal. */
static void
match_sets(const struct dpx_layout *l, int from, int to,
           const struct set *outs, int n_outs, const struct set *ins,
           int n_ins, struct exchange *best)
{
    const struct dpx_problem *p = l->p;
    int a = p->core_of[from], b = p->core_of[to];
    dpx_units half = (a == b
                      ? l->thread_load[from] - l->thread_load[to]
                      : l->core_load[a] - l->core_load[b]) / 2;
    int i = 0;

    /* Both lists ascend, so the match of the next set is not further back. */
    for (int o = 0; o < n_outs; o++) {
        while (i < n_ins && ins[i].weight < outs[o].weight - half) {
            i++;
        }
        if (i < n_ins) {
            consider(l, from, to, &outs[o], &ins[i], best);
        }
        if (i > 0) {
            consider(l, from, to, &outs[o], &ins[i - 1], best);
        }
    }
}

static void
take(struct dpx_layout *l, const struct set *set, int thread)
{
    if (set->a >= 0) {
        dpx_layout_set(l, set->a, thread);
    }
    if (set->b >= 0) {
        dpx_layout_set(l, set->b, thread);
    }
}

bool
dpx_search_exchange(struct dpx_layout *l, struct dpx_effort *effort)
{
    const struct dpx_problem *p = l->p;
    struct exchange best = { .from = -1 };
    struct set outs[MAX_SETS], ins[MAX_SETS];
    int core = -1;

    best.worst = dpx_layout_busiest(l, &core);
    if (core < 0) {
        return false;
    }
    for (int from = p->core_first[core]; from < p->core_first[core + 1];
         from++) {
        int n_outs = list_sets(l, from, outs);

        for (int to = 0; to < p->n_threads && effort->left > 0; to++) {
            int other = p->core_of[to];

            if (to != from
                && (other == core || (dpx_layout_half_of_both(l, core, other)
                                      < best.worst))) {
                int n_ins = list_sets(l, to, ins);

                effort->left -= n_outs + 8 * n_ins;
                match_sets(l, from, to, outs, n_outs, ins, n_ins, &best);
            }
        }
    }
    if (best.from < 0) {
        return false;
    }
    take(l, &best.out, best.to);
    take(l, &best.in, best.from);
    return true;
}
