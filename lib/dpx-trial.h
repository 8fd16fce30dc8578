/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether what a trial counted may be believed.  Pure. */

#ifndef DPX_TRIAL_H
#define DPX_TRIAL_H 1

#include <stdint.h>

/* What was asked and what was counted.  A value that is not known is NAN. */
struct dpx_trial_counts {
    double load, duration;      /* Asked: packets/s, s. */
    double measured;            /* s. */
    double sent, received;      /* Packets; 'received' has no duplicates. */
    double duplicates;
    double dropped;             /* Counted drops, in all places. */
    double steal_ms;            /* Taken by the hypervisor from our CPUs. */
};

struct dpx_trial_limits {
    double stretch;             /* Of the duration, relative. */
    double shortfall;           /* Of the packets that were asked for. */
    double steal;               /* Of the duration. */
};

/* 1 %, 1 % and 5 %. */
extern const struct dpx_trial_limits dpx_trial_limits_default;

/* Returns null if the trial is valid, or why it is not, to be freed. */
char *dpx_trial_check(const struct dpx_trial_counts *,
                      const struct dpx_trial_limits *);

/* Loss ratio of a valid trial, 0..1. */
double dpx_trial_loss(const struct dpx_trial_counts *);

/* Packets that are neither received nor counted as dropped; NAN if drops are
 * not known. */
double dpx_trial_unaccounted(const struct dpx_trial_counts *);

#endif /* dpx-trial.h */
