/* SPDX-License-Identifier: Apache-2.0
 *
 * Binary search: RFC 2544 section 26.1, and ETSI GS NFV-TST 009 section
 * 12.3.3, which repeats a trial with loss before it believes it.
 *
 * Loads are halved with short trials; what is found must then hold for a
 * full-length trial, or the search goes on below it. */

#include <config.h>
#include "dpx-search-private.h"

#include <math.h>

#include "util.h"

/* What the trials so far say. */
struct state {
    double upper;               /* Smallest load that failed; NAN: none. */
    double lower;               /* Largest below it that passed; NAN: none. */
    double confirmed;           /* Likewise, in a full-length trial. */
    double again;               /* Load to be repeated; NAN: none. */
};

static bool
passes(const struct dpx_search *s, const struct dpx_trial *t)
{
    return t->loss_ratio <= s->config.goals[0].loss_ratio;
}

/* Number of trials, up to and with number 'at', in a row at its load and
 * with its duration. */
static unsigned int
tried(const struct dpx_search *s, size_t at)
{
    const struct dpx_trial *t = s->trials;
    unsigned int n = 1;

    while (at > 0 && t[at - 1].load == t[at].load
           && t[at - 1].duration == t[at].duration
           && !passes(s, &t[at - 1])) {
        n++;
        at--;
    }
    return n;
}

static bool
believed(const struct dpx_search *s, size_t at)
{
    return (s->config.method != DPX_SEARCH_TST009
            || s->trials[at].loss_ratio > s->config.verify_below
            || tried(s, at) >= s->config.max_repeats);
}

static double
largest_passed(const struct dpx_search *s, double below, double duration)
{
    double found = NAN;

    for (size_t i = 0; i < s->n; i++) {
        const struct dpx_trial *t = &s->trials[i];

        if (passes(s, t) && t->duration >= duration
            && (isnan(below) || t->load < below)
            && !(t->load <= found)) {
            found = t->load;
        }
    }
    return found;
}

static struct state
state_of(const struct dpx_search *s)
{
    /* What was measured may be a little shorter than what was asked. */
    double full = s->config.goals[0].final_duration * 0.99;
    struct state state = { NAN, NAN, NAN, NAN };

    for (size_t i = 0; i < s->n; i++) {
        const struct dpx_trial *t = &s->trials[i];

        state.again = NAN;
        if (!passes(s, t)) {
            if (!believed(s, i)) {
                state.again = t->load;
            } else if (!(t->load >= state.upper)) {
                state.upper = t->load;
            }
        }
    }
    state.lower = largest_passed(s, state.upper, 0);
    state.confirmed = largest_passed(s, state.upper, full);
    return state;
}

static bool
binary_next(const struct dpx_search *s, double *load, double *duration)
{
    const struct dpx_goal *goal = &s->config.goals[0];
    struct state state = state_of(s);
    double step = s->config.resolution * s->config.max_load;
    double lower = isnan(state.lower) ? 0 : state.lower;

    *duration = goal->initial_duration;
    if (!isnan(state.again)) {
        *load = state.again;
        *duration = s->trials[s->n - 1].duration;
    } else if (isnan(state.upper) && isnan(state.lower)) {
        *load = s->config.max_load;
    } else if (!isnan(state.upper) && state.upper - lower > step * 1.000001
               && state.upper > s->config.min_load) {
        *load = MAX((lower + state.upper) / 2, s->config.min_load);
        if (*load >= state.upper) {
            return false;
        }
    } else if (!isnan(state.lower) && state.lower != state.confirmed) {
        *load = state.lower;
        *duration = goal->final_duration;
    } else {
        return false;
    }
    return true;
}

static void
binary_result(const struct dpx_search *s, size_t goal OVS_UNUSED,
              struct dpx_search_result *result)
{
    struct state state = state_of(s);
    double load, duration;

    result->lower = result->throughput = state.confirmed;
    result->upper = state.upper;
    result->at_max = state.confirmed == s->config.max_load;
    result->regular = (!isnan(state.confirmed)
                       && !binary_next(s, &load, &duration));
}

const struct dpx_search_class dpx_search_binary = {
    binary_next, binary_result
};
