/* SPDX-License-Identifier: Apache-2.0
 *
 * MLRsearch (RFC 9971): all goals in one search.
 *
 * Loads lie on a grid: number i is the largest load times (1 - w)^i, w being
 * the smallest width of all goals, so that what is tried for one goal also
 * counts for the others.  Each goal is approached in levels, first with a
 * quarter of the time and a wide interval, last as it stands; the smaller of
 * the goals' wishes is tried first, because a bound below can overturn one
 * above.  The very first trial only warms up and tells where to begin. */

#include <config.h>
#include "dpx-search-private.h"

#include <math.h>
#include <stdlib.h>

#include "util.h"

#define N_LEVELS 3
#define LAST_LEVEL (N_LEVELS - 1)

/* No number of a load. */
#define NONE -1

/* The grid.  A larger number is a smaller load. */
struct grid {
    double step;                /* Between neighbours, as a logarithm. */
    double max_load, min_load;
    int last;                   /* Number of the smallest load. */
};

/* A goal, as one level asks for it. */
struct target {
    struct dpx_goal goal;
    int width;                  /* In steps of the grid. */
};

/* Relevant bounds of a target, as numbers of the grid or NONE. */
struct bounds {
    int lower, upper;
    int n_lower, n_upper;       /* How many loads are so. */
};

static struct grid
grid_of(const struct dpx_search_config *config)
{
    struct grid g = { .max_load = config->max_load,
                      .min_load = config->min_load };
    double width = 1;

    for (size_t i = 0; i < config->n_goals; i++) {
        width = MIN(width, config->goals[i].width);
    }
    g.step = -log1p(-width);
    g.last = ceil(log(g.max_load / g.min_load) / g.step - 1e-9);
    return g;
}

static double
load_of(const struct grid *g, int i)
{
    return i >= g->last ? g->min_load : g->max_load * exp(-g->step * i);
}

/* The next load at or below 'load'. */
static int
number_of(const struct grid *g, double load)
{
    double i = (load > 0 ? ceil(log(g->max_load / load) / g->step - 1e-6)
                : g->last);

    return MAX(0, MIN(i, g->last));
}

/* Seconds of a trial, and of all trials at a load, grow by equal factors from
 * level to level. */
static struct target
target_of(const struct grid *g, const struct dpx_goal *goal, int level)
{
    struct target t = { .goal = *goal };
    double part = (double) level / LAST_LEVEL;
    double first = goal->initial_duration;

    t.goal.final_duration = first * pow(goal->final_duration / first, part);
    t.goal.duration_sum = first * pow(goal->duration_sum / first, part);
    t.width = MAX(1, floor(-log1p(-goal->width) / g->step + 1e-6));
    t.width <<= LAST_LEVEL - level;
    return t;
}

/* Trials that count: the first one does not. */
static const struct dpx_trial *
counted(const struct dpx_search *s, size_t *n)
{
    *n = s->n > 0 ? s->n - 1 : 0;
    return s->n > 0 ? s->trials + 1 : s->trials;
}

/* The smallest load that is an upper bound, and the largest lower bound below
 * it. */
static struct bounds
bounds_of(const struct dpx_search *s, const struct grid *g,
          const struct target *t)
{
    struct bounds b = { NONE, NONE, 0, 0 };
    enum dpx_load_class *class = xcalloc(g->last + 1, sizeof *class);
    size_t n;
    const struct dpx_trial *trials = counted(s, &n);

    for (size_t i = 0; i < n; i++) {
        int at = number_of(g, trials[i].load);

        if (class[at] == DPX_LOAD_UNDECIDED) {
            class[at] = dpx_load_classify(trials, n, trials[i].load,
                                          &t->goal);
            b.n_lower += class[at] == DPX_LOAD_LOWER;
            b.n_upper += class[at] == DPX_LOAD_UPPER;
        }
    }
    for (int i = 0; i <= g->last; i++) {
        if (class[i] == DPX_LOAD_UPPER) {
            b.upper = i;
            b.lower = NONE;
        } else if (class[i] == DPX_LOAD_LOWER && b.lower == NONE) {
            b.lower = i;
        }
    }
    free(class);
    return b;
}

static bool
reached(const struct grid *g, const struct target *t, const struct bounds *b)
{
    return (b->lower == 0 || b->upper == g->last
            || (b->lower != NONE && b->upper != NONE
                && b->lower - b->upper <= t->width));
}

/* How far to go beyond the loads that all came out the same: wider each
 * time. */
static int
stride(const struct target *t, int n)
{
    return t->width << MIN(MAX(n - 1, 0), 16);
}

/* The load to try for a target that is not reached.  'hint' are the bounds of
 * the level before, not both unknown: they are confirmed first, the lower one
 * before the other. */
static int
candidate(const struct grid *g, const struct target *t,
          const struct bounds *b, const struct bounds *hint)
{
    if (b->lower == NONE && b->upper == NONE) {
        return hint->lower != NONE ? hint->lower : hint->upper;
    } else if (b->upper == NONE) {
        return (hint->upper != NONE && hint->upper < b->lower ? hint->upper
                : MAX(0, b->lower - stride(t, b->n_lower)));
    } else if (b->lower == NONE) {
        return (hint->lower > b->upper ? hint->lower
                : MIN(g->last, b->upper + stride(t, b->n_upper)));
    } else if (hint->lower > b->upper && hint->lower < b->lower) {
        return hint->lower;
    } else if (hint->upper > b->upper && hint->upper < b->lower) {
        return hint->upper;
    }
    return b->upper + (b->lower - b->upper) / 2;
}

/* What one goal wants next, or NONE if it is reached. */
static int
wish(const struct dpx_search *s, const struct grid *g,
     const struct dpx_goal *goal, int start, double *duration)
{
    struct target t = target_of(g, goal, LAST_LEVEL);
    struct bounds hint = { start, NONE, 0, 0 }, b = bounds_of(s, g, &t);

    if (reached(g, &t, &b)) {
        return NONE;
    }
    for (int level = 0; level < N_LEVELS; level++) {
        t = target_of(g, goal, level);
        b = bounds_of(s, g, &t);
        if (!reached(g, &t, &b)) {
            break;
        }
        hint = b;
    }
    *duration = t.goal.final_duration;
    return candidate(g, &t, &b, &hint);
}

static double
forwarded(const struct dpx_trial *t)
{
    return t->load * (1 - t->loss_ratio);
}

static bool
mlr_next(const struct dpx_search *s, double *load, double *duration)
{
    struct grid g = grid_of(&s->config);
    int best = NONE, start;

    if (s->n == 0) {
        *load = g.max_load;
        *duration = s->config.goals[0].initial_duration;
        return true;
    }
    /* What comes through at the largest load, then at that load. */
    start = number_of(&g, forwarded(&s->trials[MIN(s->n, 2) - 1]));
    for (size_t i = 0; i < s->config.n_goals; i++) {
        double seconds;
        int at = wish(s, &g, &s->config.goals[i], start, &seconds);

        if (at != NONE && at > best) {
            best = at;
            *duration = seconds;
        }
    }
    *load = best == NONE ? 0 : load_of(&g, best);
    return best != NONE;
}

static void
mlr_result(const struct dpx_search *s, size_t goal,
           struct dpx_search_result *result)
{
    struct grid g = grid_of(&s->config);
    struct target t = target_of(&g, &s->config.goals[goal], LAST_LEVEL);
    struct bounds b = bounds_of(s, &g, &t);
    size_t n;
    const struct dpx_trial *trials = counted(s, &n);

    result->upper = b.upper == NONE ? NAN : load_of(&g, b.upper);
    result->lower = b.lower == NONE ? NAN : load_of(&g, b.lower);
    result->throughput = (b.lower == NONE ? NAN
                          : dpx_load_throughput(trials, n, result->lower,
                                                &t.goal));
    result->at_max = b.lower == 0;
    result->regular = (b.lower != NONE && b.upper != NONE
                       && b.lower - b.upper <= t.width);
}

const struct dpx_search_class dpx_search_mlr = { mlr_next, mlr_result };
