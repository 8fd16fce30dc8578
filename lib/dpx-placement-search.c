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

/* A core is never below its busiest thread: most changes can be ruled out
 * without looking at the whole cores. */
static bool
could_win(const struct dpx_layout *l, int from, dpx_units d_from, int to,
          dpx_units d_to, const struct change *best)
{
    return (l->thread_load[from] + d_from <= best->worst
            && l->thread_load[to] + d_to <= best->worst);
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
    if (c.moved <= moved_left && could_win(l, from, -w, to, w_to, best)) {
        c.worst = worst_after(l, from, -w, to, w_to);
        consider(best, &c);
    }
    for (int r = l->head[to]; r >= 0; r = l->next[r]) {
        dpx_units d_from, d_to;

        effort->left--;
        if (dpx_problem_reach(p, r, from) == DPX_REACH_NO) {
            continue;
        }
        d_from = dpx_problem_weight(p, r, from) - w;
        d_to = w_to - dpx_problem_weight(p, r, to);
        if (!could_win(l, from, d_from, to, d_to, best)) {
            continue;
        }
        c.moved = moved + dpx_layout_move_cost(l, r, from);
        if (c.moved <= moved_left) {
            c.other = r;
            c.worst = worst_after(l, from, d_from, to, d_to);
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

/* Looks at everything that the threads of 'core' and 'other' can exchange. */
static void
look_at_cores(const struct dpx_layout *l, int core, int other, int moved_left,
              struct change *best, struct dpx_effort *effort)
{
    const struct dpx_problem *p = l->p;

    for (int to = p->core_first[other]; to < p->core_first[other + 1]; to++) {
        for (int from = p->core_first[core]; from < p->core_first[core + 1];
             from++) {
            for (int q = l->head[from]; q >= 0 && from != to;
                 q = l->next[q]) {
                if (dpx_problem_reach(p, q, to) != DPX_REACH_NO) {
                    look_at(l, q, to, moved_left, best, effort);
                }
            }
        }
    }
}

void
dpx_search_lower(struct dpx_layout *l, dpx_units target, int max_moved,
                 struct dpx_effort *effort)
{
    const struct dpx_problem *p = l->p;

    while (effort->left > 0) {
        int core = -1, idlest;
        int left = max_moved < 0 ? INT_MAX : max_moved - l->n_moved;
        dpx_units busiest = dpx_layout_busiest(l, &core);
        struct change best = { .q = -1, .worst = busiest };

        if (busiest <= target || core < 0) {
            return;
        }
        best.moved = INT_MIN;           /* Equal is not good enough. */
        effort->left -= p->n_cores;
        idlest = dpx_layout_idlest(l);
        look_at_cores(l, core, idlest, left, &best, effort);
        for (int other = 0; other < p->n_cores; other++) {
            if (best.worst <= target) {
                break;
            }
            /* Where there is no room for a gain there is none to be found. */
            if (other != idlest
                && (other == core
                    || (dpx_layout_half_of_both(l, core, other)
                        < best.worst))) {
                look_at_cores(l, core, other, left, &best, effort);
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

        for (int i = 0; i < p->n_threads; i++) {
            int t = p->by_id[i];

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
        int t = p->by_id[*position];

        if (*down ? *position == 0 : *position == p->n_threads - 1) {
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
