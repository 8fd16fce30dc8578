/* SPDX-License-Identifier: Apache-2.0
 *
 * Order statistics and the ratio of two means. */

#include <config.h>
#include "dpx-summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "util.h"

static int
compare(const void *a_, const void *b_)
{
    const double *a = a_, *b = b_;

    return (*a > *b) - (*a < *b);
}

static double
percentile(const double *sorted, size_t n, double percent)
{
    double at = (n - 1) * percent / 100;
    size_t low = floor(at);
    size_t high = MIN(low + 1, n - 1);

    return sorted[low] + (sorted[high] - sorted[low]) * (at - low);
}

static double
mean(const double *values, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++) {
        sum += values[i];
    }
    return sum / n;
}

void
dpx_summary_make(const double *values, size_t n, struct dpx_summary *s)
{
    double *sorted;

    if (!n) {
        *s = (struct dpx_summary) { NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0 };
        return;
    }
    sorted = xmemdup(values, n * sizeof *values);
    qsort(sorted, n, sizeof *sorted, compare);
    *s = (struct dpx_summary) {
        .min = sorted[0], .p10 = percentile(sorted, n, 10),
        .median = percentile(sorted, n, 50), .average = mean(sorted, n),
        .p90 = percentile(sorted, n, 90), .p99 = percentile(sorted, n, 99),
        .max = sorted[n - 1], .count = n,
    };
    free(sorted);
}

/* Variance of the mean of 'values'. */
static double
mean_variance(const double *values, size_t n)
{
    double m = mean(values, n), sum = 0;

    for (size_t i = 0; i < n; i++) {
        sum += (values[i] - m) * (values[i] - m);
    }
    return sum / (n - 1) / n;
}

/* Part of Student's distribution with 'df' degrees of freedom that lies above
 * 't', by Simpson's rule over the angle atan(t / sqrt(df)), in which it is a
 * power of a cosine. */
static double
student_tail(double t, double df)
{
    enum { STEPS = 128 };
    double from = atan(t / sqrt(df)), h = (M_PI / 2 - from) / STEPS, sum = 0;

    for (int i = 0; i <= STEPS; i++) {
        double weight = i == 0 || i == STEPS ? 1 : i % 2 ? 4 : 2;

        sum += weight * pow(fabs(cos(from + i * h)), df - 1);
    }
    return (sum * h / 3 / sqrt(M_PI)
            * exp(lgamma((df + 1) / 2) - lgamma(df / 2)));
}

double
dpx_student_quantile(double df)
{
    double low = 1.9, high = 13;

    /* Beyond 500 it is the normal distribution to 0.3 %, and too narrow for
     * the steps of the integral. */
    df = MIN(df, 500);
    for (int i = 0; i < 30; i++) {
        double middle = (low + high) / 2;

        *(student_tail(middle, df) > 0.025 ? &low : &high) = middle;
    }
    return (low + high) / 2;
}

void
dpx_ratio_make(const double *a, size_t n_a, const double *b, size_t n_b,
               struct dpx_ratio *r)
{
    double mean_a, mean_b, var_a, var_b, scaled, df, t, g, half;

    *r = (struct dpx_ratio) { NAN, NAN, NAN, false };
    if (!n_a || !n_b) {
        return;
    }
    mean_a = mean(a, n_a);
    mean_b = mean(b, n_b);
    if (mean_a == 0) {
        return;
    }
    r->ratio = mean_b / mean_a;
    if (n_a < 2 || n_b < 2) {
        return;
    }
    var_a = mean_variance(a, n_a);
    var_b = mean_variance(b, n_b);
    scaled = r->ratio * r->ratio * var_a;
    df = (scaled + var_b > 0
          ? (pow(scaled + var_b, 2)
             / (pow(scaled, 2) / (n_a - 1) + pow(var_b, 2) / (n_b - 1)))
          : n_a + n_b - 2);
    t = dpx_student_quantile(MAX(df, 1));
    g = t * t * var_a / (mean_a * mean_a);
    if (g >= 1) {
        return;                 /* The divisor may well be 0. */
    }
    half = t / mean_a * sqrt(var_b * (1 - g) + scaled);
    r->low = (r->ratio - fabs(half)) / (1 - g);
    r->high = (r->ratio + fabs(half)) / (1 - g);
    r->resolved = r->low > 1 || r->high < 1;
}
