/* SPDX-License-Identifier: Apache-2.0
 *
 * Alias table of the paced test netdev's flow mix. */

#include <config.h>
#include "dpx-paced-flows.h"

#include <math.h>
#include <stdlib.h>

#include "util.h"

/* Pairs each column that is too low with one that is too high, until all are
 * level (Vose's form of the method).  'height' holds each flow's share times
 * the number of flows. */
static void
level_columns(struct dpx_paced_flows *flows, double *height)
{
    uint32_t *low = xmalloc(flows->n * sizeof *low);
    uint32_t *high = xmalloc(flows->n * sizeof *high);
    uint32_t n_low = 0, n_high = 0;

    for (uint32_t i = 0; i < flows->n; i++) {
        /* Whatever rounding leaves over at the end is a full column. */
        flows->columns[i].cut = UINT32_MAX;
        flows->columns[i].alias = i;
        if (height[i] < 1.0) {
            low[n_low++] = i;
        } else {
            high[n_high++] = i;
        }
    }
    while (n_low && n_high) {
        uint32_t l = low[--n_low];
        uint32_t h = high[n_high - 1];

        flows->columns[l].cut = height[l] * UINT32_MAX;
        flows->columns[l].alias = h;
        height[h] -= 1.0 - height[l];
        if (height[h] < 1.0) {
            n_high--;
            low[n_low++] = h;
        }
    }
    free(low);
    free(high);
}

struct dpx_paced_flows *
dpx_paced_flows_create(uint32_t n, double skew)
{
    struct dpx_paced_flows *flows = xzalloc(sizeof *flows);
    double *height, sum = 0.0;

    flows->n = n;
    if (skew <= 0.0 || n < 2) {
        return flows;
    }

    height = xmalloc(n * sizeof *height);
    for (uint32_t i = 0; i < n; i++) {
        height[i] = pow(i + 1, -skew);
        sum += height[i];
    }
    for (uint32_t i = 0; i < n; i++) {
        height[i] *= n / sum;
    }
    flows->columns = xmalloc(n * sizeof *flows->columns);
    level_columns(flows, height);
    free(height);
    return flows;
}

void
dpx_paced_flows_destroy(struct dpx_paced_flows *flows)
{
    if (flows) {
        free(flows->columns);
        free(flows);
    }
}
