/* SPDX-License-Identifier: Apache-2.0
 *
 * Validity of a trial: the load was offered, in the time it should take, and
 * no packet came that was not sent. */

#include <config.h>
#include "dpx-trial.h"

#include <math.h>
#include <stddef.h>

#include "util.h"

/* A pacer sends whole bursts: so many packets more or less are no fault. */
#define BURST 64

const struct dpx_trial_limits dpx_trial_limits_default = { 0.01, 0.01, 0.05 };

char *
dpx_trial_check(const struct dpx_trial_counts *c,
                const struct dpx_trial_limits *limits)
{
    /* In the time that it took; that this is right is checked apart. */
    double asked = c->load * c->measured;

    if (isnan(c->sent) || isnan(c->received) || isnan(c->measured)) {
        return xstrdup("nothing was counted");
    } else if (fabs(c->measured - c->duration)
               > limits->stretch * c->duration) {
        return xasprintf("took %.3f s instead of %.3f s", c->measured,
                         c->duration);
    } else if (c->sent < asked * (1 - limits->shortfall) - BURST) {
        return xasprintf("the generator did not keep up: sent %.0f of %.0f "
                         "packets", c->sent, asked);
    } else if (c->sent > asked * (1 + limits->shortfall) + BURST) {
        return xasprintf("the generator sent %.0f packets instead of %.0f",
                         c->sent, asked);
    } else if (c->sent <= 0) {
        return xstrdup("nothing was sent");
    } else if (c->received > c->sent) {
        return xasprintf("%.0f packets more came back than were sent",
                         c->received - c->sent);
    } else if (c->duplicates > 0) {
        return xasprintf("%.0f packets came back twice", c->duplicates);
    } else if (c->steal_ms > limits->steal * c->duration * 1000) {
        return xasprintf("the hypervisor took the CPUs away for %.0f ms",
                         c->steal_ms);
    }
    return NULL;
}

double
dpx_trial_loss(const struct dpx_trial_counts *c)
{
    return c->sent > 0 ? (c->sent - c->received) / c->sent : 0;
}

double
dpx_trial_unaccounted(const struct dpx_trial_counts *c)
{
    return c->sent - c->received - c->dropped;
}
