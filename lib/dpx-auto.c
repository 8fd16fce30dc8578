/* SPDX-License-Identifier: Apache-2.0
 *
 * Decides whether the automatic mode acts.  Main thread only; reads no
 * clock. */

#include <config.h>

#include "dpx-auto.h"

#include <math.h>
#include <stdlib.h>

#include "util.h"

/* The main thread comes a little late rather than early: half a second of
 * grace keeps an interval of 5 s from becoming one of 6 s. */
#define GRACE_MS 500

static long long int
wait_ms(const struct dpx_auto *a, const struct dpx_auto_options *o)
{
    double wait = ldexp(o->interval_ms, MIN(a->waits, 30));

    return MAX(o->interval_ms, MIN(wait, DPX_AUTO_MAX_WAIT_MS));
}

bool
dpx_auto_is_due(const struct dpx_auto *a, long long int now_ms)
{
    return now_ms >= a->next_ms - GRACE_MS;
}

/* Sentences. */

static char *
say_small(const struct dpx_auto_options *o, const struct dpx_auto_facts *f,
          double gain)
{
    if (gain < DPX_AUTO_MIN_GAIN) {
        return xasprintf("the plan takes the busiest core from %.1f %% to "
                         "%.1f %%, which is less than %.0f %% of a core",
                         f->now * 100, f->planned * 100,
                         DPX_AUTO_MIN_GAIN * 100);
    }
    return xasprintf("the plan takes the busiest core from %.1f %% to %.1f "
                     "%%, which is less than "
                     "pmd-auto-lb-improvement-threshold, %.0f %%",
                     f->now * 100, f->planned * 100, o->improvement * 100);
}

/* Does the gain show in the last seconds as well?  Half of it must. */
static bool
is_borne_out(const struct dpx_auto_facts *f)
{
    return f->recent_now - f->recent_planned
           >= (f->now - f->planned) * DPX_AUTO_PAID;
}

static enum dpx_auto_verdict
judge_plan(const struct dpx_auto_options *o, const struct dpx_auto_facts *f,
           char **why)
{
    double gain = f->now - f->planned;

    if (!f->measured) {
        *why = xstrdup("a load is not measured yet");
        return DPX_AUTO_UNMEASURED;
    } else if (f->busiest <= o->load_threshold) {
        *why = xasprintf("the busiest core is at %.1f %%, not above "
                         "pmd-auto-lb-load-threshold, %.0f %%",
                         f->busiest * 100, o->load_threshold * 100);
        return DPX_AUTO_IDLE;
    } else if (!f->n_moves) {
        *why = xstrdup(f->summary);
        return DPX_AUTO_NO_MOVE;
    } else if (f->above <= o->load_threshold) {
        *why = xasprintf("the plan relieves cores up to %.1f %% only, not "
                         "above pmd-auto-lb-load-threshold, %.0f %%: %s",
                         f->above * 100, o->load_threshold * 100,
                         f->summary);
        return DPX_AUTO_HOPELESS;
    } else if (gain < DPX_AUTO_MIN_GAIN || gain < f->now * o->improvement) {
        *why = say_small(o, f, gain);
        return DPX_AUTO_SMALL;
    } else if (!is_borne_out(f)) {
        *why = xasprintf("the load is changing: by the last %d s the plan "
                         "takes the busiest core from %.1f %% to %.1f %%",
                         DPX_AUTO_RECENT_S, f->recent_now * 100,
                         f->recent_planned * 100);
        return DPX_AUTO_CHANGING;
    }
    *why = xstrdup(f->summary);
    return DPX_AUTO_ACT;
}

enum dpx_auto_verdict
dpx_auto_decide(struct dpx_auto *a, const struct dpx_auto_options *o,
                const struct dpx_auto_facts *f, long long int now_ms,
                char **why)
{
    a->next_ms = now_ms + wait_ms(a, o);
    return judge_plan(o, f, why);
}

void
dpx_auto_made(struct dpx_auto *a, const struct dpx_auto_facts *f)
{
    a->pending = true;
    a->before = f->now;
    a->predicted = f->planned;
    a->pps = f->pps;
}

void
dpx_auto_forget(struct dpx_auto *a)
{
    a->pending = false;
}

/* Half of what was promised must have come against the same loads without the
 * step, which a change of the traffic does not touch.  As long as the traffic
 * is the same, a part of it must also show against what was before: that finds
 * queues that cost more where they are now.  A quarter is enough there: any
 * packet costs more on a thread with less to do, whose bursts are shorter. */
static bool
has_paid(const struct dpx_auto *a, const struct dpx_auto_result *r)
{
    double promised = a->before - a->predicted;
    bool same = fabs(r->pps - a->pps) <= a->pps * DPX_AUTO_SAME_TRAFFIC;

    return r->undone - r->realised >= promised * DPX_AUTO_PAID
           && (!same
               || a->before - r->realised >= promised * DPX_AUTO_SEEN);
}

bool
dpx_auto_judge(struct dpx_auto *a, const struct dpx_auto_options *o,
               const struct dpx_auto_result *r, long long int now_ms,
               char **why)
{
    *why = NULL;
    a->pending = false;
    if (has_paid(a, r)) {
        a->waits = 0;
        return true;
    }
    a->waits = MIN(a->waits + 1, 30);
    a->next_ms = now_ms + wait_ms(a, o);
    *why = xasprintf("the last step did not pay: %.1f %% became %.1f %% where "
                     "%.1f %% was predicted, and would be %.1f %% without "
                     "it; next check in %lld s",
                     a->before * 100, r->realised * 100, a->predicted * 100,
                     r->undone * 100, wait_ms(a, o) / 1000);
    return false;
}
