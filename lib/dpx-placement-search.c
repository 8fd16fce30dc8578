/* SPDX-License-Identifier: Apache-2.0
 *
 * Local search for the lowest busiest core.
 *
 * Called by the planner with a starting layout.  Takes the busiest core and
 * looks for the one move or swap that leaves the two cores involved lowest; a
 * step is taken only when both end below the busiest, so that the search ends
 * and never makes a layout worse. */

#include <config.h>
#include "dpx-placement-search.h"

#include "util.h"

/* A change: 'q' goes to 'to'; 'other', unless -1, takes its place. */
struct change {
    int q, to, other;
    dpx_units worst;          /* Of the cores involved, afterwards. */
    int moved;                /* Effect on the number of moves. */
};

static dpx_units
worst_after(const struct dpx_layout *l, int from, dpx_units from_delta,
            int to, dpx_units to_delta)
{
    const int *core_of = l->p->core_of;
    dpx_units a = dpx_layout_core_if(l, core_of[from], from, from_delta,
                                     to, to_delta);

    return (core_of[from] == core_of[to] ? a
            : MAX(a, dpx_layout_core_if(l, core_of[to], to, to_delta,
                                        -1, 0)));
}

static void
consider(struct change *best, const struct change *new)
{
    if (new->worst < best->worst
        || (new->worst == best->worst && new->moved < best->moved)) {
        *best = *new;
    }
}

/* Looks at taking 'q' to 'to', alone or in exchange. */
static void
look_at(const struct dpx_layout *l, int q, int to, int moved_left,
        struct change *best, struct dpx_effort *effort)
{
    const struct dpx_problem *p = l->p;
    int from = l->at[q];
    dpx_units w = dpx_problem_weight(p, q, from);
    dpx_units w_to = dpx_problem_weight(p, q, to);
    struct change c = { .q = q, .to = to, .other = -1 };
    int moved = dpx_layout_move_cost(l, q, to);

    effort->left--;
    c.moved = moved;
    if (c.moved <= moved_left) {
        c.worst = worst_after(l, from, -w, to, w_to);
        consider(best, &c);
    }
    for (int r = l->head[to]; r >= 0; r = l->next[r]) {
        effort->left--;
        if (p->weight[r] >= p->weight[q]
            || dpx_problem_reach(p, r, from) == DPX_REACH_NO) {
            continue;
        }
        c.moved = moved + dpx_layout_move_cost(l, r, from);
        if (c.moved <= moved_left) {
            c.other = r;
            c.worst = worst_after(l, from,
                                  dpx_problem_weight(p, r, from) - w, to,
                                  w_to - dpx_problem_weight(p, r, to));
            consider(best, &c);
        }
    }
}

static void
apply(struct dpx_layout *l, const struct change *c)
{
    int from = l->at[c->q];

    dpx_layout_set(l, c->q, c->to);
    if (c->other >= 0) {
        dpx_layout_set(l, c->other, from);
    }
}

void
dpx_search_lower(struct dpx_layout *l, dpx_units target, int max_moved,
                 struct dpx_effort *effort)
{
    const struct dpx_problem *p = l->p;

    while (effort->left > 0) {
        int core = -1;
        dpx_units busiest = dpx_layout_busiest(l, &core);
        struct change best = { .q = -1, .worst = busiest };
        int left = max_moved < 0 ? INT_MAX : max_moved - l->n_moved;

        if (busiest <= target || core < 0) {
            return;
        }
        best.moved = INT_MIN;           /* Equal is not good enough. */
        for (int t = p->core_first[core]; t < p->core_first[core + 1]; t++) {
            for (int q = l->head[t]; q >= 0; q = l->next[q]) {
                for (int to = 0; to < p->n_threads; to++) {
                    if (to != t
                        && dpx_problem_reach(p, q, to) != DPX_REACH_NO) {
                        look_at(l, q, to, left, &best, effort);
                    }
                }
            }
        }
        if (best.q < 0) {
            return;
        }
        apply(l, &best);
    }
}

void
dpx_search_start_largest_first(struct dpx_layout *l)
{
    for (int q = 0; q < l->p->n_queues; q++) {
        dpx_layout_insert(l, q);
    }
}

/* Largest first by threads, blind to siblings: what Open vSwitch's own
 * "group" would give, so that no plan is worse than that. */
void
dpx_search_start_by_thread(struct dpx_layout *l)
{
    const struct dpx_problem *p = l->p;

    for (int q = 0; q < p->n_queues; q++) {
        int best = -1;

        for (int t = 0; t < p->n_threads; t++) {
            if (dpx_problem_reach(p, q, t) != DPX_REACH_NO
                && (best < 0 || l->thread_load[t] < l->thread_load[best])) {
                best = t;
            }
        }
        dpx_layout_set(l, q, best);
    }
}

/* Next thread that may poll kind 'kind', walking up and down; the ends count
 * twice. */
static int
next_to_and_fro(const struct dpx_problem *p, int kind, int *position,
                bool *down)
{
    for (;;) {
        int t = *position;

        if (*down ? t == 0 : t == p->n_threads - 1) {
            *down = !*down;
        } else {
            *position += *down ? -1 : 1;
        }
        if (p->reach[kind * p->n_threads + t] != DPX_REACH_NO) {
            return t;
        }
    }
}

/* Largest first, to and fro over the threads: what Open vSwitch's own "cycles"
 * would give. */
void
dpx_search_start_to_and_fro(struct dpx_layout *l)
{
    const struct dpx_problem *p = l->p;
    int *position = xcalloc(p->n_kinds + 1, sizeof *position);
    bool *down = xcalloc(p->n_kinds + 1, sizeof *down);

    for (int q = 0; q < p->n_queues; q++) {
        int kind = p->kind[q];

        dpx_layout_set(l, q, next_to_and_fro(p, kind, &position[kind],
                                             &down[kind]));
    }
    free(position);
    free(down);
}
