/* SPDX-License-Identifier: Apache-2.0
 *
 * Which load to try next, and what the trials so far say about throughput.
 *
 * A search is a function of its trials: it keeps nothing else, so the same
 * trials always lead to the same next load and to the same result, and a
 * search that was interrupted still has both bounds of what it knows.  It
 * runs nothing itself: the caller asks for the next trial, runs it, adds it.
 *
 * Methods: RFC 2544 section 26.1 (binary search), ETSI GS NFV-TST 009 section
 * 12.3.3 (binary search with loss verification), RFC 9971 (MLRsearch) and
 * RFC 2544 section 26.3 (frame loss curve).  One thread. */

#ifndef DPX_SEARCH_H
#define DPX_SEARCH_H 1

#include <stdbool.h>
#include <stddef.h>

/* One list makes the enum and the names that a user gives. */
#define DPX_SEARCH_METHODS \
    DPX_SEARCH_METHOD(MLR, "mlr") \
    DPX_SEARCH_METHOD(RFC2544, "rfc2544") \
    DPX_SEARCH_METHOD(TST009, "tst009") \
    DPX_SEARCH_METHOD(LOSS_CURVE, "loss-curve") \
    DPX_SEARCH_METHOD(SOAK, "soak")

enum dpx_search_method {
#define DPX_SEARCH_METHOD(ENUM, NAME) DPX_SEARCH_##ENUM,
    DPX_SEARCH_METHODS
#undef DPX_SEARCH_METHOD
    DPX_SEARCH_N_METHODS
};

/* What a goal of a search asks for, in the words of RFC 9971 section 4.6. */
struct dpx_goal {
    const char *name;           /* "NDR"; not copied. */
    double loss_ratio;          /* A trial that loses more is bad; 0..1. */
    double exceed_ratio;        /* Part of the time that may be bad; 0..1. */
    double width;               /* Between the bounds, relative to the upper
                                 * one; above 0, below 1. */
    double initial_duration;    /* Seconds of a first trial at a load; */
    double final_duration;      /* of a full-length trial; */
    double duration_sum;        /* of all that decide about a load. */
};

#define DPX_SEARCH_MAX_GOALS 4

struct dpx_search_config {
    enum dpx_search_method method;
    double min_load, max_load;  /* Packets/s; 0 < min < max. */

    /* MLRsearch takes all goals; the binary searches only the first one, of
     * which loss ratio and durations count. */
    struct dpx_goal goals[DPX_SEARCH_MAX_GOALS];
    size_t n_goals;

    double resolution;          /* Binary: of 'max_load'. */
    unsigned int max_repeats;   /* TST 009: trials at a load, "max(r)". */
    double verify_below;        /* TST 009: loss ratio above which a loss is
                                 * believed at once, "z"; 1: never. */
};

/* One trial, as measured.  Only a valid one is added to a search. */
struct dpx_trial {
    double load;                /* Intended, packets/s. */
    double duration;            /* Effective, s. */
    double loss_ratio;          /* 0..1. */
};

/* What is known about one goal.  A bound that is not known is NAN. */
struct dpx_search_result {
    double lower, upper;        /* Relevant bounds, packets/s. */
    double throughput;          /* Conditional throughput (RFC 9971 section
                                 * 4.8.2), packets/s; NAN without a lower
                                 * bound. */
    bool regular;               /* The bounds are as close as was asked. */
    bool at_max;                /* The largest load is a lower bound. */
};

struct dpx_search;

/* Fills '*config' with what the field uses: the goals of FD.io CSIT for
 * MLRsearch (NDR and PDR 0.5 %, width 0.5 %, 21 trials of 1 s, half of which
 * may exceed), zero loss in 60 s with resolution 0.1 % for the binary ones.
 * The loads are left to the caller. */
void dpx_search_defaults(struct dpx_search_config *,
                         enum dpx_search_method);

/* Returns null, or what is wrong with '*config', to be freed. */
char *dpx_search_check(const struct dpx_search_config *);

/* '*config' is copied and must pass dpx_search_check().  Free with
 * dpx_search_destroy(), which accepts null. */
struct dpx_search *dpx_search_create(const struct dpx_search_config *);
void dpx_search_destroy(struct dpx_search *);

/* Stores the next trial's load (packets/s) and duration (s) and returns true,
 * or returns false: there is nothing more to learn. */
bool dpx_search_next(const struct dpx_search *, double *load,
                     double *duration);

/* Takes a copy of the trial that was asked for, as it was measured. */
void dpx_search_add(struct dpx_search *, const struct dpx_trial *);

/* What the trials so far say about goal number 'goal'. */
void dpx_search_result(const struct dpx_search *, size_t goal,
                       struct dpx_search_result *);

/* The trials so far, owned by the search. */
const struct dpx_trial *dpx_search_trials(const struct dpx_search *,
                                          size_t *n);

/* "mlr" etc. */
const char *dpx_search_method_name(enum dpx_search_method);

/* Reads a name; returns false if there is none such. */
bool dpx_search_method_from_name(const char *, enum dpx_search_method *);

#endif /* dpx-search.h */
