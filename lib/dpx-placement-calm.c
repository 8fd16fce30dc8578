/* SPDX-License-Identifier: Apache-2.0
 *
 * Fewest moves under a given limit of the busiest core.
 *
 * A move costs a hand-off, so between two plans that are as good the one that
 * leaves more queues where they are is better.  Two ways lead there: from the
 * present layout, take away only what is above the limit; or from the best
 * layout, take home what need not be away.  Called by the planner, which
 * tries both. */

#include <config.h>
#include "dpx-placement-calm.h"

#include <stdlib.h>

#include "util.h"

/* A change on the way to the limit. */
struct repair {
    int q, to, other;
    bool complete;            /* Both cores end below the limit. */
    int moved;                /* Effect on the number of moves. */
    dpx_units gain;           /* Fall of what is above the limit. */
    dpx_units worst;
};

static dpx_units
above(dpx_units load, dpx_units limit)
{
    return MAX(0, load - limit);
}

/* A complete repair beats a partial one; then fewest moves; then lowest. */
static bool
is_better(const struct repair *a, const struct repair *b)
{
    if (b->q < 0 || a->complete != b->complete) {
        return b->q < 0 || a->complete;
    } else if (a->complete) {
        return (a->moved != b->moved ? a->moved < b->moved
                : a->worst < b->worst);
    }
    /* Most gain per move. */
    return a->gain * MAX(1, b->moved) > b->gain * MAX(1, a->moved);
}

static void
weigh(const struct dpx_layout *l, struct repair *r, int from, dpx_units d_from,
      dpx_units d_to, dpx_units limit, struct repair *best)
{
    const int *core_of = l->p->core_of;
    int a = core_of[from], b = core_of[r->to];
    dpx_units before = above(l->core_load[a], limit);
    dpx_units new_a = dpx_layout_core_if(l, a, from, d_from, r->to, d_to);
    dpx_units new_b = 0;

    if (a != b) {
        before += above(l->core_load[b], limit);
        new_b = dpx_layout_core_if(l, b, r->to, d_to, -1, 0);
    }
    r->worst = MAX(new_a, new_b);
    r->complete = r->worst <= limit;
    r->gain = before - above(new_a, limit) - above(new_b, limit);
    if (r->gain > 0 && is_better(r, best)) {
        *best = *r;
    }
}

static void
look_at(const struct dpx_layout *l, int q, int to, dpx_units limit,
        struct repair *best, struct dpx_effort *effort)
{
    const struct dpx_problem *p = l->p;
    int from = l->at[q];
    dpx_units w = dpx_problem_weight(p, q, from);
    dpx_units w_to = dpx_problem_weight(p, q, to);
    int moved = dpx_layout_move_cost(l, q, to);
    struct repair r = { .q = q, .to = to, .other = -1, .moved = moved };

    effort->left--;
    weigh(l, &r, from, -w, w_to, limit, best);
    for (int o = l->head[to]; o >= 0; o = l->next[o]) {
        effort->left--;
        if (p->weight[o] < p->weight[q]
            && dpx_problem_reach(p, o, from) != DPX_REACH_NO) {
            r.other = o;
            r.moved = moved + dpx_layout_move_cost(l, o, from);
            if (best->q >= 0 && best->complete && r.moved > best->moved) {
                continue;
            }
            weigh(l, &r, from, dpx_problem_weight(p, o, from) - w,
                  w_to - dpx_problem_weight(p, o, to), limit, best);
        }
    }
}

bool
dpx_calm_repair(struct dpx_layout *l, dpx_units limit,
                struct dpx_effort *effort)
{
    const struct dpx_problem *p = l->p;

    for (;;) {
        struct repair best = { .q = -1 };
        int core = -1, from;

        if (dpx_layout_busiest(l, &core) <= limit || core < 0) {
            return true;
        } else if (effort->left <= 0) {
            return false;
        }
        for (int t = p->core_first[core]; t < p->core_first[core + 1]; t++) {
            for (int q = l->head[t]; q >= 0; q = l->next[q]) {
                for (int to = 0; to < p->n_threads; to++) {
                    if (to != t
                        && dpx_problem_reach(p, q, to) != DPX_REACH_NO) {
                        look_at(l, q, to, limit, &best, effort);
                    }
                }
            }
        }
        if (best.q < 0) {
            return false;
        }
        from = l->at[best.q];
        dpx_layout_set(l, best.q, best.to);
        if (best.other >= 0) {
            dpx_layout_set(l, best.other, from);
        }
    }
}

static bool
is_away(const struct dpx_layout *l, int q)
{
    return l->p->home[q] >= 0 && l->at[q] != l->p->home[q];
}

/* Would 'q' on 'to' keep the limit there, when 'other' (or -1) takes its
 * place? */
static bool
fits(const struct dpx_layout *l, int q, int to, int other, dpx_units limit)
{
    const struct dpx_problem *p = l->p;
    int from = l->at[q];
    dpx_units d_to = dpx_problem_weight(p, q, to);
    dpx_units d_from = -dpx_problem_weight(p, q, from);

    if (other >= 0) {
        d_to -= dpx_problem_weight(p, other, to);
        d_from += dpx_problem_weight(p, other, from);
    }
    return (dpx_layout_core_if(l, p->core_of[to], to, d_to, from, d_from)
            <= limit
            && dpx_layout_core_if(l, p->core_of[from], from, d_from, to, d_to)
               <= limit);
}

/* Takes 'q' home, alone or in exchange for a queue that is away too. */
static bool
take_home(struct dpx_layout *l, int q, dpx_units limit,
          struct dpx_effort *effort)
{
    const struct dpx_problem *p = l->p;
    int home = p->home[q];
    int from = l->at[q];

    effort->left--;
    if (fits(l, q, home, -1, limit)) {
        dpx_layout_set(l, q, home);
        return true;
    }
    for (int o = l->head[home]; o >= 0; o = l->next[o]) {
        effort->left--;
        if ((is_away(l, o) || p->home[o] < 0)
            && dpx_problem_reach(p, o, from) != DPX_REACH_NO
            && fits(l, q, home, o, limit)) {
            dpx_layout_set(l, q, home);
            dpx_layout_set(l, o, from);
            return true;
        }
    }
    return false;
}

/* Makes room at home of 'q' by sending a queue that is away (or new) on to a
 * third place. */
static bool
take_home_by_three(struct dpx_layout *l, int q, dpx_units limit,
                   struct dpx_effort *effort)
{
    const struct dpx_problem *p = l->p;
    int home = p->home[q];

    for (int o = l->head[home], next; o >= 0; o = next) {
        next = l->next[o];              /* Trying changes the list. */
        if (!is_away(l, o) && p->home[o] >= 0) {
            continue;
        }
        for (int t = 0; t < p->n_threads; t++) {
            effort->left--;
            if (t == home || dpx_problem_reach(p, o, t) == DPX_REACH_NO
                || !fits(l, o, t, -1, limit)) {
                continue;
            }
            dpx_layout_set(l, o, t);
            if (fits(l, q, home, -1, limit)) {
                dpx_layout_set(l, q, home);
                return true;
            }
            dpx_layout_set(l, o, home);
            break;                      /* Any other place is no better. */
        }
    }
    return false;
}

/* Gives a queue that is away or new its best place: fewest nodes crossed,
 * then flattest. */
static void
settle(struct dpx_layout *l, int q, dpx_units limit, struct dpx_effort *effort)
{
    const struct dpx_problem *p = l->p;
    int start = l->at[q], best = start;
    bool best_far = dpx_problem_reach(p, q, start) == DPX_REACH_FAR;
    dpx_units w = dpx_problem_weight(p, q, start);
    dpx_units best_load = l->core_load[p->core_of[start]];

    for (int t = 0; t < p->n_threads; t++) {
        enum dpx_reach reach = dpx_problem_reach(p, q, t);
        bool far = reach == DPX_REACH_FAR;
        dpx_units load;

        effort->left--;
        if (reach == DPX_REACH_NO || t == start) {
            continue;
        }
        load = dpx_layout_core_if(l, p->core_of[t], start, -w, t,
                                  dpx_problem_weight(p, q, t));
        if (load <= limit
            && (far != best_far ? !far : load < best_load)) {
            best = t;
            best_far = far;
            best_load = load;
        }
    }
    if (best != start) {
        dpx_layout_set(l, q, best);
    }
}

void
dpx_calm_take_home(struct dpx_layout *l, dpx_units limit,
                   struct dpx_effort *effort)
{
    const struct dpx_problem *p = l->p;
    bool again = true;

    while (again && effort->left > 0) {
        again = false;
        for (int q = 0; q < p->n_queues; q++) {
            if (is_away(l, q)
                && (take_home(l, q, limit, effort)
                    || take_home_by_three(l, q, limit, effort))) {
                again = true;
            }
        }
    }
    for (int q = 0; q < p->n_queues; q++) {
        if (is_away(l, q) || p->home[q] < 0) {
            settle(l, q, limit, effort);
        }
    }
}

/* Exchanges the queues of two alike cores when that takes more queues home. */
static bool
exchange_if_calmer(struct dpx_layout *l, int core_a, int core_b)
{
    const struct dpx_problem *p = l->p;
    int a = p->core_first[core_a], b = p->core_first[core_b];
    int n = p->core_first[core_a + 1] - a;
    int cost = 0;

    for (int i = 0; i < n; i++) {
        for (int q = l->head[a + i]; q >= 0; q = l->next[q]) {
            cost += dpx_layout_move_cost(l, q, b + i);
        }
        for (int q = l->head[b + i]; q >= 0; q = l->next[q]) {
            cost += dpx_layout_move_cost(l, q, a + i);
        }
    }
    if (cost >= 0) {
        return false;
    }
    for (int i = 0; i < n; i++) {
        int first_b = l->head[b + i];   /* Those of 'a' come before it. */

        for (int q = l->head[a + i], next; q >= 0; q = next) {
            next = l->next[q];
            dpx_layout_set(l, q, b + i);
        }
        for (int q = first_b, next; q >= 0; q = next) {
            next = l->next[q];
            dpx_layout_set(l, q, a + i);
        }
    }
    return true;
}

void
dpx_calm_relabel(struct dpx_layout *l)
{
    const struct dpx_problem *p = l->p;
    bool again = true;

    while (again) {
        again = false;
        for (int a = 0; a < p->n_cores; a++) {
            for (int b = a + 1; b < p->n_cores; b++) {
                if (dpx_problem_are_alike(p, a, b)
                    && exchange_if_calmer(l, a, b)) {
                    again = true;
                }
            }
        }
    }
}
