/* SPDX-License-Identifier: Apache-2.0
 *
 * What repetitions say: their distribution, and how two sets of them compare.
 * Pure; numbers in, numbers out. */

#ifndef DPX_SUMMARY_H
#define DPX_SUMMARY_H 1

#include <stdbool.h>
#include <stddef.h>

/* One list makes the members and the headings. */
#define DPX_SUMMARY_COLUMNS \
    DPX_SUMMARY_COLUMN(min, "MIN") \
    DPX_SUMMARY_COLUMN(p10, "P10") \
    DPX_SUMMARY_COLUMN(median, "MEDIAN") \
    DPX_SUMMARY_COLUMN(average, "AVERAGE") \
    DPX_SUMMARY_COLUMN(p90, "P90") \
    DPX_SUMMARY_COLUMN(p99, "P99") \
    DPX_SUMMARY_COLUMN(max, "MAX")

/* All NAN if there was no value. */
struct dpx_summary {
#define DPX_SUMMARY_COLUMN(NAME, HEADING) double NAME;
    DPX_SUMMARY_COLUMNS
#undef DPX_SUMMARY_COLUMN
    size_t count;
};

/* A ratio of two means with its confidence interval. */
struct dpx_ratio {
    double ratio;               /* NAN: not defined. */
    double low, high;           /* 95 %; NAN: the values do not bound it. */
    bool resolved;              /* The interval is bounded and without 1. */
};

/* Fills '*summary' from 'n' values, which it does not keep.  A percentile
 * lies by linear interpolation between the two nearest ranks. */
void dpx_summary_make(const double *values, size_t n, struct dpx_summary *);

/* Mean of 'b' divided by that of 'a', by Fieller's theorem (E. C. Fieller,
 * J. R. Statist. Soc. B 16, 1954) for independent samples of unequal
 * variance, with Welch's and Satterthwaite's degrees of freedom.  With fewer
 * than two values on a side there is no interval. */
void dpx_ratio_make(const double *a, size_t n_a, const double *b, size_t n_b,
                    struct dpx_ratio *);

/* 97.5 % quantile of Student's distribution with 'df' degrees of freedom, at
 * least 1. */
double dpx_student_quantile(double df);

#endif /* dpx-summary.h */
