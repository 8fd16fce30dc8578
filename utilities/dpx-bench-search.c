/* SPDX-License-Identifier: Apache-2.0
 *
 * "ovs-dpx-bench search": decides which trial comes next.  Whoever runs the
 * trials (the scenarios, or any other traffic generator) talks to it in lines:
 *
 *     it says                     it is told
 *     trial LOAD SECONDS          result KEY=VALUE...
 *     repetition N                fact KEY VALUE...
 *     done                        machine KEY VALUE...
 *     error TEXT                  abort REASON...
 *
 * Facts come before the first result.  A trial that is not valid is asked for
 * again, a few times; then the repetition is reported invalid.  Whatever ends
 * it, what is known by then is in the file, and marked as partial. */

#include <config.h>

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dpx-bench.h"
#include "openvswitch/dynamic-string.h"
#include "util.h"

const struct dpx_bench_option dpx_bench_search_options[] = {
    { "method", "METHOD",
      "mlr, rfc2544, tst009, loss-curve or soak (default: mlr)" },
    { "preset", "NAME", "field (default), short or smoke: seconds of trials" },
    { "max-load", "PPS", "the largest load, packets/s" },
    { "min-load", "PPS", "the smallest one (default: 1/1000 of it)" },
    { "duration", "SECONDS", "of a full-length trial" },
    { "duration-sum", "SECONDS", "of all trials that decide about a load" },
    { "width", "PERCENT", "between the bounds" },
    { "resolution", "PERCENT", "of a binary search, of the largest load" },
    { "repetitions", "N", "searches, one after the other (default: 1)" },
    { "max-steal", "PERCENT",
      "of a trial's time that the hypervisor may take (default: 5)" },
    { "max-stretch", "PERCENT",
      "that a trial may take longer or shorter (default: 1)" },
    { "output", "FILE", "where the result goes" },
    { NULL, NULL, NULL }
};

/* How often a trial that is not valid is tried. */
#define MAX_TRIES 3

struct session {
    struct dpx_search_config config;
    struct dpx_trial_limits limits;
    unsigned int n_repetitions;
    const char *output;

    struct dpx_bench_result result;
    struct ds line;
    char *aborted;              /* Why, or null. */
};

/* A preset: how much time the field's goals get. */
static const struct preset {
    const char *name;
    double duration, sum, width, binary, resolution;
} presets[] = {
    { "field", 1, 21, 0.005, 60, 0.001 },
    { "short", 0.5, 2.5, 0.02, 2, 0.01 },
    { "smoke", 0.2, 0.6, 0.1, 0.4, 0.1 },
};

static char *
apply_preset(struct dpx_search_config *config, const char *name)
{
    for (size_t i = 0; i < ARRAY_SIZE(presets); i++) {
        const struct preset *p = &presets[i];
        bool mlr = config->method == DPX_SEARCH_MLR;

        if (strcmp(name, p->name)) {
            continue;
        }
        for (size_t j = 0; j < config->n_goals; j++) {
            struct dpx_goal *goal = &config->goals[j];

            goal->initial_duration = p->duration;
            goal->final_duration = mlr ? p->duration : p->binary;
            goal->duration_sum = mlr ? p->sum : p->binary;
            goal->width = p->width;
        }
        config->resolution = p->resolution;
        return NULL;
    }
    return xasprintf("--preset: '%s' is not field, short or smoke", name);
}

static char *
read_goals(struct session *s, const struct dpx_bench_args *args)
{
    double duration = 0, sum = 0, width = 0;
    char *error = NULL;

    if ((error = dpx_bench_number(args, "duration", 0.01, 86400, &duration))
        || (error = dpx_bench_number(args, "duration-sum", 0.01, 86400,
                                     &sum))
        || (error = dpx_bench_number(args, "width", 0.01, 50, &width))) {
        return error;
    }
    for (size_t i = 0; i < s->config.n_goals; i++) {
        struct dpx_goal *goal = &s->config.goals[i];

        if (duration > 0) {
            goal->final_duration = duration;
            goal->initial_duration = MIN(goal->initial_duration, duration);
            goal->duration_sum = MAX(goal->duration_sum, duration);
        }
        goal->duration_sum = sum > 0 ? sum : goal->duration_sum;
        goal->width = width > 0 ? width / 100 : goal->width;
    }
    return NULL;
}

static char *
read_session(struct session *s, const struct dpx_bench_args *args)
{
    const char *method = dpx_bench_text(args, "method", "mlr");
    double repetitions = 1, steal = 5, stretch = 1, resolution = 0;
    enum dpx_search_method m;
    char *error;

    s->output = dpx_bench_text(args, "output", NULL);
    if (args->n_words) {
        return xasprintf("'%s': no word is taken", args->words[0]);
    } else if (!s->output) {
        return xstrdup("--output is missing");
    } else if (!dpx_search_method_from_name(method, &m)) {
        return xasprintf("--method: '%s' is not mlr, rfc2544, tst009, "
                         "loss-curve or soak", method);
    }
    dpx_search_defaults(&s->config, m);
    s->limits = dpx_trial_limits_default;
    if ((error = apply_preset(&s->config, dpx_bench_text(args, "preset",
                                                         "field")))
        || (error = read_goals(s, args))
        || (error = dpx_bench_number(args, "max-load", 1, 1e12,
                                     &s->config.max_load))
        || (error = dpx_bench_number(args, "repetitions", 1, 10000,
                                     &repetitions))
        || (error = dpx_bench_number(args, "max-steal", 0, 100, &steal))
        || (error = dpx_bench_number(args, "max-stretch", 0, 100, &stretch))
        || (error = dpx_bench_number(args, "resolution", 1e-4, 50,
                                     &resolution))) {
        return error;
    }
    s->config.min_load = s->config.max_load / 1000;
    s->config.resolution = (resolution > 0 ? resolution / 100
                            : s->config.resolution);
    s->limits.steal = steal / 100;
    s->limits.stretch = stretch / 100;
    s->n_repetitions = repetitions;
    error = dpx_bench_number(args, "min-load", 1e-3, 1e12,
                             &s->config.min_load);
    if (!error && !s->config.max_load) {
        error = xstrdup("--max-load is missing");
    }
    return error ? error : dpx_search_check(&s->config);
}

/* What was asked for, so that the run can be repeated. */
static void
add_settings(struct session *s)
{
    const struct dpx_search_config *c = &s->config;
    char text[256];

    dpx_bench_set_fact(&s->result, "method",
                       dpx_search_method_name(c->method));
    for (size_t i = 0; i < c->n_goals; i++) {
        const struct dpx_goal *g = &c->goals[i];

        snprintf(text, sizeof text, "loss %g %%, exceed %g %%, width %g %%, "
                 "trials of %g s, sum %g s", g->loss_ratio * 100,
                 g->exceed_ratio * 100, g->width * 100, g->final_duration,
                 g->duration_sum);
        dpx_bench_add_machine(&s->result, g->name, text);
    }
    snprintf(text, sizeof text, "%.0f to %.0f packets/s, resolution %g %%",
             c->min_load, c->max_load, c->resolution * 100);
    dpx_bench_add_machine(&s->result, "loads", text);
}

/* Talking. */

/* Reads values of a result line into 't'.  Returns null or an error. */
static char *
read_values(struct dpx_bench_trial *t, char *words)
{
    char *rest = NULL;

    for (char *word = strtok_r(words, " ", &rest); word;
         word = strtok_r(NULL, " ", &rest)) {
        char *value = strchr(word, '=');
        bool known = false;

        if (!value) {
            return xasprintf("'%s' is not KEY=VALUE", word);
        }
        *value++ = '\0';
        for (size_t i = 0; i < DPX_BENCH_N_VALUES; i++) {
            if (!strcmp(word, dpx_bench_value_keys[i])) {
                known = true;
                if (strcmp(value, "-")
                    && !str_to_double(value, &t->values[i])) {
                    return xasprintf("%s: '%s' is not a number", word,
                                     value);
                }
            }
        }
        for (size_t i = 0; i < DPX_BENCH_N_TEXTS; i++) {
            if (!strcmp(word, dpx_bench_text_keys[i])) {
                known = true;
                free(t->texts[i]);
                t->texts[i] = strcmp(value, "-") ? xstrdup(value) : NULL;
            }
        }
        if (!known) {
            return xasprintf("'%s' is no key of a result", word);
        }
    }
    return NULL;
}

/* Takes "KEY VALUE..." to where it belongs. */
static void
take_pair(struct session *s, char *pair, bool machine)
{
    char *value = pair + strcspn(pair, " ");

    if (*value) {
        *value++ = '\0';
    }
    if (machine) {
        dpx_bench_add_machine(&s->result, pair, value);
    } else {
        dpx_bench_set_fact(&s->result, pair, value);
    }
}

/* Waits for the result of a trial.  Returns null, or what was wrong with the
 * line, to be freed; the end of input is an abort. */
static char *
await_result(struct session *s, struct dpx_bench_trial *t)
{
    while (!ds_get_line(&s->line, stdin)) {
        char *line = ds_cstr(&s->line);
        size_t word = strcspn(line, " ");
        char *rest = line + word + (line[word] == ' ');

        line[word] = '\0';
        if (!strcmp(line, "result")) {
            return read_values(t, rest);
        } else if (!strcmp(line, "fact") || !strcmp(line, "machine")) {
            take_pair(s, rest, line[0] == 'm');
        } else if (!strcmp(line, "abort")) {
            s->aborted = xstrdup(*rest ? rest : "aborted");
            return NULL;
        } else {
            return xasprintf("'%s': no such line", line);
        }
    }
    s->aborted = xstrdup("whoever ran the trials is gone");
    return NULL;
}

/* Has one trial run, again if it is not valid.  Returns true if the search
 * got it. */
static bool
run_trial(struct session *s, struct dpx_search *search, unsigned int number,
          double load, double duration, char **invalid)
{
    *invalid = NULL;
    for (int i = 0; i < MAX_TRIES && !s->aborted; i++) {
        struct dpx_bench_trial *t = dpx_bench_add_trial(&s->result);
        struct dpx_trial_counts c;
        char *wrong;

        t->repetition = number;
        t->load = load;
        t->duration = duration;
        printf("trial %.3f %.3f\n", load, duration);
        fflush(stdout);
        while ((wrong = await_result(s, t))) {
            printf("error %s\n", wrong);
            fflush(stdout);
            free(wrong);
        }
        if (s->aborted) {
            t->invalid = xstrdup("interrupted");
            break;
        }
        c = (struct dpx_trial_counts) {
            load, duration, t->values[DPX_BENCH_MEASURED],
            t->values[DPX_BENCH_SENT], t->values[DPX_BENCH_RECEIVED],
            t->values[DPX_BENCH_DUPLICATES], t->values[DPX_BENCH_DROPPED],
            t->values[DPX_BENCH_STEAL]
        };
        t->invalid = dpx_trial_check(&c, &s->limits);
        if (!t->invalid) {
            struct dpx_trial trial = { load, duration, dpx_trial_loss(&c) };

            dpx_search_add(search, &trial);
            return true;
        }
        *invalid = t->invalid;
    }
    return false;
}

static void
take_results(struct session *s, struct dpx_search *search,
             unsigned int number, const char *invalid)
{
    for (size_t i = 0; i < s->config.n_goals; i++) {
        struct dpx_search_result r;
        struct dpx_bench_found found;
        char *state;

        dpx_search_result(search, i, &r);
        state = (s->aborted ? xasprintf("partial: %s", s->aborted)
                 : invalid ? xasprintf("invalid: %s", invalid)
                 : r.at_max ? xstrdup("at the largest load")
                 : r.regular ? xstrdup("regular")
                 : xstrdup("no load is low enough"));
        found = (struct dpx_bench_found) {
            number, CONST_CAST(char *, s->config.goals[i].name), r.lower,
            r.upper, (r.regular || r.at_max) && !invalid && !s->aborted
            ? r.throughput : NAN, state
        };
        if (s->config.method < DPX_SEARCH_LOSS_CURVE) {
            dpx_bench_add_found(&s->result, &found);
        }
        free(state);
    }
}

/* One search.  Returns true if it found what it should. */
static bool
run_repetition(struct session *s, unsigned int number)
{
    struct dpx_search *search = dpx_search_create(&s->config);
    double load, duration;
    char *invalid = NULL;
    bool fine = true;

    while (fine && dpx_search_next(search, &load, &duration)) {
        fine = run_trial(s, search, number, load, duration, &invalid);
    }
    take_results(s, search, number, fine ? NULL : invalid);
    dpx_search_destroy(search);
    return fine;
}

static int
run(struct session *s)
{
    unsigned int n_bad = 0;
    char *error = NULL;

    for (unsigned int i = 1; i <= s->n_repetitions && !error && !s->aborted;
         i++) {
        n_bad += !run_repetition(s, i);
        dpx_bench_set_fact(&s->result, "state",
                           s->aborted ? s->aborted
                           : n_bad ? "some repetitions are invalid"
                           : i < s->n_repetitions ? "under way"
                           : "complete");
        error = dpx_bench_write(&s->result, s->output);
        if (!error && !s->aborted) {
            printf("repetition %u\n", i);
            fflush(stdout);
        }
    }
    if (error) {
        return dpx_bench_fail("search", error, DPX_BENCH_FAILED);
    }
    printf("done\n");
    return n_bad ? DPX_BENCH_PARTIAL : DPX_BENCH_OK;
}

int
dpx_bench_cmd_search(int argc, char *argv[])
{
    struct session s = { .line = DS_EMPTY_INITIALIZER };
    struct dpx_bench_args args;
    char *error = dpx_bench_args_parse(&args, argc, argv,
                                       dpx_bench_search_options);
    int code;

    /* Ctrl-C is for whoever runs the trials; the end of input tells us. */
    signal(SIGINT, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    dpx_bench_result_init(&s.result);
    if (!error) {
        error = read_session(&s, &args);
    }
    if (error) {
        code = dpx_bench_fail(argv[0], error, DPX_BENCH_USAGE);
    } else {
        add_settings(&s);
        code = run(&s);
    }
    dpx_bench_result_destroy(&s.result);
    dpx_bench_args_destroy(&args);
    ds_destroy(&s.line);
    free(s.aborted);
    return code;
}
