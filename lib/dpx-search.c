/* SPDX-License-Identifier: Apache-2.0
 *
 * What all searches have in common: settings, trials, and the two methods
 * that search nothing (frame loss curve and soak). */

#include <config.h>
#include "dpx-search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dpx-search-private.h"
#include "util.h"

/* Frame loss curve: RFC 2544 asks for steps of at most 10 % of the largest
 * load, down to two loads in a row without loss. */
#define CURVE_STEPS 10

static const char *const method_names[] = {
#define DPX_SEARCH_METHOD(ENUM, NAME) [DPX_SEARCH_##ENUM] = NAME,
    DPX_SEARCH_METHODS
#undef DPX_SEARCH_METHOD
};

static void
no_bounds(const struct dpx_search *search OVS_UNUSED, size_t goal OVS_UNUSED,
          struct dpx_search_result *result)
{
    *result = (struct dpx_search_result) { NAN, NAN, NAN, false, false };
}

static bool
curve_next(const struct dpx_search *search, double *load, double *duration)
{
    size_t n = search->n;

    if (n >= CURVE_STEPS
        || (n >= 2 && search->trials[n - 1].loss_ratio <= 0
            && search->trials[n - 2].loss_ratio <= 0)) {
        return false;
    }
    *load = search->config.max_load * (CURVE_STEPS - n) / CURVE_STEPS;
    *duration = search->config.goals[0].final_duration;
    return true;
}

static bool
soak_next(const struct dpx_search *search, double *load, double *duration)
{
    *load = search->config.max_load;
    *duration = search->config.goals[0].final_duration;
    return !search->n;
}

static const struct dpx_search_class curve = { curve_next, no_bounds };
static const struct dpx_search_class soak = { soak_next, no_bounds };

static const struct dpx_search_class *const classes[] = {
    [DPX_SEARCH_MLR] = &dpx_search_mlr,
    [DPX_SEARCH_RFC2544] = &dpx_search_binary,
    [DPX_SEARCH_TST009] = &dpx_search_binary,
    [DPX_SEARCH_LOSS_CURVE] = &curve,
    [DPX_SEARCH_SOAK] = &soak,
};

void
dpx_search_defaults(struct dpx_search_config *config,
                    enum dpx_search_method method)
{
    /* https://docs.fd.io/csit, "MLR Search", section "Search Goals". */
    static const struct dpx_goal ndr = { "NDR", 0, 0.5, 0.005, 1, 1, 21 };
    static const struct dpx_goal pdr = { "PDR", 0.005, 0.5, 0.005, 1, 1, 21 };
    static const struct dpx_goal zero = { "zero loss", 0, 0, 0.001, 1, 60,
                                          60 };

    *config = (struct dpx_search_config) {
        .method = method, .goals = { zero }, .n_goals = 1,
        .resolution = 0.001, .max_repeats = 2, .verify_below = 1,
    };
    if (method == DPX_SEARCH_MLR) {
        config->goals[0] = ndr;
        config->goals[1] = pdr;
        config->n_goals = 2;
    }
}

static char *
check_goal(const struct dpx_goal *goal)
{
    if (!(goal->loss_ratio >= 0 && goal->loss_ratio < 1)) {
        return xasprintf("loss ratio '%g' is not from 0 to below 1",
                         goal->loss_ratio);
    } else if (!(goal->exceed_ratio >= 0 && goal->exceed_ratio < 1)) {
        return xasprintf("exceed ratio '%g' is not from 0 to below 1",
                         goal->exceed_ratio);
    } else if (!(goal->width >= 1e-5 && goal->width < 1)) {
        return xasprintf("width '%g' is not from 0.00001 to below 1",
                         goal->width);
    } else if (!(goal->initial_duration > 0
                 && goal->initial_duration <= goal->final_duration)) {
        return xasprintf("duration '%g' of a first trial is not above 0 and "
                         "at most that of a full trial, '%g'",
                         goal->initial_duration, goal->final_duration);
    } else if (!(goal->duration_sum >= goal->final_duration)) {
        return xasprintf("sum '%g' of durations is below one duration, '%g'",
                         goal->duration_sum, goal->final_duration);
    }
    return NULL;
}

char *
dpx_search_check(const struct dpx_search_config *config)
{
    if (!(config->min_load > 0 && config->min_load < config->max_load
          && isfinite(config->max_load))) {
        return xasprintf("loads '%g' and '%g': the smallest must be above 0 "
                         "and below the largest", config->min_load,
                         config->max_load);
    } else if (!config->n_goals || config->n_goals > DPX_SEARCH_MAX_GOALS) {
        return xasprintf("'%"PRIuSIZE"' goals, not 1 to %d", config->n_goals,
                         DPX_SEARCH_MAX_GOALS);
    } else if (!(config->resolution >= 1e-6 && config->resolution < 1)) {
        return xasprintf("resolution '%g' is not from 0.000001 to below 1",
                         config->resolution);
    } else if (!config->max_repeats) {
        return xasprintf("'%u' trials at a load, not at least 1",
                         config->max_repeats);
    }
    for (size_t i = 0; i < config->n_goals; i++) {
        char *error = check_goal(&config->goals[i]);

        if (error) {
            return error;
        }
    }
    return NULL;
}

struct dpx_search *
dpx_search_create(const struct dpx_search_config *config)
{
    struct dpx_search *search = xzalloc(sizeof *search);

    search->config = *config;
    return search;
}

void
dpx_search_destroy(struct dpx_search *search)
{
    if (search) {
        free(search->trials);
        free(search);
    }
}

bool
dpx_search_next(const struct dpx_search *search, double *load,
                double *duration)
{
    return classes[search->config.method]->next(search, load, duration);
}

void
dpx_search_add(struct dpx_search *search, const struct dpx_trial *trial)
{
    if (search->n == search->allocated) {
        search->trials = x2nrealloc(search->trials, &search->allocated,
                                    sizeof *search->trials);
    }
    search->trials[search->n++] = *trial;
}

void
dpx_search_result(const struct dpx_search *search, size_t goal,
                  struct dpx_search_result *result)
{
    classes[search->config.method]->result(search, goal, result);
}

const struct dpx_trial *
dpx_search_trials(const struct dpx_search *search, size_t *n)
{
    *n = search->n;
    return search->trials;
}

const char *
dpx_search_method_name(enum dpx_search_method method)
{
    return method_names[method];
}

bool
dpx_search_method_from_name(const char *name, enum dpx_search_method *method)
{
    for (size_t i = 0; i < DPX_SEARCH_N_METHODS; i++) {
        if (!strcmp(name, method_names[i])) {
            *method = i;
            return true;
        }
    }
    return false;
}
