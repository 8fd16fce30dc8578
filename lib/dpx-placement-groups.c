/* SPDX-License-Identifier: Apache-2.0
 *
 * Solves a problem group by group.
 *
 * A group is a set of cores that trade queues with each other, as a rule a
 * NUMA node.  Each is judged on its own, so that neither an idle nor a
 * hopeless node hides what another needs; for the same reason a core that
 * nothing can help, because one queue fills it, is set aside, and the cores
 * beside it are judged without it.  Called by the planner's entry. */

#include <config.h>
#include "dpx-placement-groups.h"

#include <stdlib.h>

#include "dpx-placement-bound.h"
#include "util.h"

/* A core with less on it than this part of its capacity is not set aside: what
 * it hides does not hurt yet, and queues would move for nothing. */
#define FULL 0.9

/* How often cores are set aside in one group. */
#define MAX_LEVELS 8

static int
group_find(int *group, int core)
{
    while (group[core] != core) {
        core = group[core] = group[group[core]];
    }
    return core;
}

/* Returns, per core, the lowest core of its group. */
static int *
find_groups(const struct dpx_problem *p)
{
    int *group = xcalloc(p->n_cores + 1, sizeof *group);
    bool *used = xcalloc(p->n_kinds + 1, sizeof *used);

    for (int q = 0; q < p->n_queues; q++) {
        used[p->kind[q]] = true;
    }
    for (int c = 0; c < p->n_cores; c++) {
        group[c] = c;
    }
    for (int k = 0; k < p->n_kinds; k++) {
        int first = -1;

        for (int t = 0; used[k] && t < p->n_threads; t++) {
            if (p->reach[k * p->n_threads + t] != DPX_REACH_NO) {
                int root = group_find(group, p->core_of[t]);
                int low = first < 0 ? root : MIN(root, first);

                group[root] = low;
                if (first >= 0) {
                    group[first] = low;
                }
                first = low;
            }
        }
    }
    for (int c = 0; c < p->n_cores; c++) {
        group[c] = group_find(group, c);
    }
    free(used);
    return group;
}

static int
group_of_queue(const struct dpx_problem *p, const int *group, int q)
{
    for (int t = 0; t < p->n_threads; t++) {
        if (dpx_problem_reach(p, q, t) != DPX_REACH_NO) {
            return group[p->core_of[t]];
        }
    }
    return -1;
}

/* Cuts the group of core 'root' out of 'p'. */
static struct dpx_problem *
cut_group(const struct dpx_problem *p, const int *group, int root)
{
    bool *cores = xcalloc(p->n_cores + 1, sizeof *cores);
    bool *queues = xcalloc(p->n_queues + 1, sizeof *queues);
    struct dpx_problem *part;

    for (int c = 0; c < p->n_cores; c++) {
        cores[c] = group[c] == root;
    }
    for (int q = 0; q < p->n_queues; q++) {
        queues[q] = group_of_queue(p, group, q) == root;
    }
    part = dpx_problem_part(p, cores, queues, p->base);
    free(cores);
    free(queues);
    return part;
}

/* Returns the roots of the groups of 'p', the one with the busiest core now
 * first: it gets the first of the moves that a cap leaves. */
static int *
order_groups(const struct dpx_problem *p, const int *group, int *n)
{
    int *roots = xcalloc(p->n_cores + 1, sizeof *roots);
    dpx_units *heat = xcalloc(p->n_cores + 1, sizeof *heat);
    struct dpx_layout *now = dpx_layout_create(p);

    for (int q = 0; q < p->n_queues; q++) {
        dpx_layout_set(now, q, p->home[q]);
    }
    *n = 0;
    for (int c = 0; c < p->n_cores; c++) {
        heat[group[c]] = MAX(heat[group[c]], now->core_load[c]);
    }
    for (int c = 0; c < p->n_cores; c++) {
        if (group[c] == c) {
            int i = (*n)++;

            for (; i > 0 && heat[roots[i - 1]] < heat[c]; i--) {
                roots[i] = roots[i - 1];
            }
            roots[i] = c;
        }
    }
    dpx_layout_destroy(now);
    free(heat);
    return roots;
}

/* Finds the cores of 'l' that nothing can help.  False if there is none, or if
 * nothing would remain. */
static bool
find_hopeless(const struct dpx_layout *l, dpx_units best, bool *hopeless)
{
    const struct dpx_problem *p = l->p;
    dpx_units floor = dpx_problem_floor(p);
    dpx_units almost = floor - (floor >> 10);
    int n = 0;

    if (best > floor + (floor >> 10) || floor * p->unit < FULL) {
        return false;
    }
    for (int c = 0; c < p->n_cores; c++) {
        hopeless[c] = dpx_problem_base_load(p, c) >= almost;
        for (int t = p->core_first[c]; t < p->core_first[c + 1]; t++) {
            for (int q = l->head[t]; q >= 0; q = l->next[q]) {
                hopeless[c] |= dpx_problem_weight(p, q, t) >= almost;
            }
        }
        n += hopeless[c];
    }
    return n > 0 && n < p->n_cores;
}

/* Writes down where 'l' has its queues, but for those on 'skip' cores; returns
 * how many of them moved. */
static int
write_down(const struct dpx_layout *l, const bool *skip,
           struct dpx_outcome *outcome)
{
    const struct dpx_problem *p = l->p;
    int moved = 0;

    for (int q = 0; q < p->n_queues; q++) {
        if (!skip || !skip[p->core_of[l->at[q]]]) {
            outcome->pmd_of_rxq[p->rxq[q]] = p->pmd[l->at[q]];
            moved += p->home[q] >= 0 && p->home[q] != l->at[q];
        }
    }
    return moved;
}

/* Returns what is left of l->p without the 'hopeless' cores and their queues,
 * or null if that is no problem.  Adds to '*moved' the queues that have left
 * such a core: they have no home in what is left. */
static struct dpx_problem *
set_aside(const struct dpx_layout *l, const bool *hopeless, int *moved)
{
    const struct dpx_problem *p = l->p;
    bool *cores = xcalloc(p->n_cores + 1, sizeof *cores);
    bool *queues = xcalloc(p->n_queues + 1, sizeof *queues);
    struct dpx_problem *part = NULL;
    int n = 0;

    for (int c = 0; c < p->n_cores; c++) {
        cores[c] = !hopeless[c];
    }
    for (int q = 0; q < p->n_queues; q++) {
        queues[q] = cores[p->core_of[l->at[q]]];
        n += queues[q];
        *moved += (queues[q] && p->home[q] >= 0
                   && hopeless[p->core_of[p->home[q]]]);
    }
    if (n) {
        part = dpx_problem_part(p, cores, queues, p->base);
    }
    free(cores);
    free(queues);
    return part;
}

static void
take_moves(int *moves_left, int moved)
{
    if (*moves_left >= 0) {
        *moves_left = MAX(0, *moves_left - moved);
    }
}

/* Solves one group, then what is left of it without hopeless cores. */
static void
solve_group(struct dpx_problem *group, struct dpx_solve_limits limits,
            int *moves_left, struct dpx_effort *effort,
            struct dpx_outcome *outcome)
{
    for (int level = 0; group; level++) {
        struct dpx_layout *l = dpx_layout_create(group);
        bool *hopeless = xcalloc(group->n_cores + 1, sizeof *hopeless);
        struct dpx_problem *rest = NULL;
        struct dpx_solved solved;

        limits.max_moves = *moves_left;
        solved = dpx_solve(l, &limits, effort);
        outcome->best = MAX(outcome->best, solved.best);
        outcome->bound = MAX(outcome->bound, solved.bound);
        outcome->cap_binds |= solved.cap_binds;
        if (level < MAX_LEVELS && effort->left > 0
            && find_hopeless(l, solved.best, hopeless)) {
            int moved = 0;

            rest = set_aside(l, hopeless, &moved);
            for (int c = 0; rest && c < group->n_cores; c++) {
                hopeless[c] = !hopeless[c];     /* The others are skipped. */
            }
            moved += write_down(l, rest ? hopeless : NULL, outcome);
            take_moves(moves_left, moved);
        } else {
            take_moves(moves_left, write_down(l, NULL, outcome));
        }
        free(hopeless);
        dpx_layout_destroy(l);
        dpx_problem_destroy(group);
        group = rest;
    }
}

void
dpx_groups_solve(const struct dpx_problem *p,
                 const struct dpx_solve_limits *limits, int *moves_left,
                 struct dpx_effort *effort, struct dpx_outcome *outcome)
{
    int *group = find_groups(p);
    int n_groups;
    int *roots = order_groups(p, group, &n_groups);

    for (int i = 0; i < n_groups; i++) {
        struct dpx_effort share = { MAX(0, effort->left) / (n_groups - i) };

        effort->left -= share.left;
        solve_group(cut_group(p, group, roots[i]), *limits, moves_left,
                    &share, outcome);
        effort->left += share.left;
    }
    free(roots);
    free(group);
}
