/* SPDX-License-Identifier: Apache-2.0
 *
 * What the methods of a search share; only they and dpx-search.c read it. */

#ifndef DPX_SEARCH_PRIVATE_H
#define DPX_SEARCH_PRIVATE_H 1

#include "dpx-search.h"

struct dpx_search {
    struct dpx_search_config config;
    struct dpx_trial *trials;
    size_t n, allocated;
};

/* A method: both functions read the trials and keep nothing. */
struct dpx_search_class {
    bool (*next)(const struct dpx_search *, double *load, double *duration);
    void (*result)(const struct dpx_search *, size_t goal,
                   struct dpx_search_result *);
};

extern const struct dpx_search_class dpx_search_mlr;
extern const struct dpx_search_class dpx_search_binary;

/* How a load stands to a goal. */
enum dpx_load_class {
    DPX_LOAD_UNDECIDED,
    DPX_LOAD_LOWER,             /* A lower bound of throughput. */
    DPX_LOAD_UPPER
};

/* Classifies 'load' from those of 'trials' that ran at it (RFC 9971 section
 * 6.1): undecided while the time that is missing could still turn it. */
enum dpx_load_class dpx_load_classify(const struct dpx_trial *trials,
                                      size_t n, double load,
                                      const struct dpx_goal *);

/* The forwarding rate at 'load' that the goal's part of its full-length trials
 * reaches (RFC 9971 section 6.2), packets/s. */
double dpx_load_throughput(const struct dpx_trial *trials, size_t n,
                           double load, const struct dpx_goal *);

#endif /* dpx-search-private.h */
