/* SPDX-License-Identifier: Apache-2.0
 *
 * The automatic mode (pmd-auto-lb under pmd-rxq-assign=placement): whether to
 * carry out a plan now, and if not, why not.
 *
 * Pure: figures and a clock in, a verdict and a sentence out.  It knows no
 * queue and makes no plan.  Main thread only.
 *
 * Moving queues towards the less loaded core by fresh load figures, a few at
 * a time, is what RSS++ does with its indirection buckets (T. Barbette et
 * al., "RSS++: load and state-aware receive side scaling", CoNEXT 2019).  New
 * here: a step is judged by what it brought, and one that did not pay makes
 * the next one wait. */

#ifndef DPX_AUTO_H
#define DPX_AUTO_H 1

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A gain below this part of a core is noise, whatever the thresholds say. */
#define DPX_AUTO_MIN_GAIN 0.05

/* A step paid if it brought this part of what was predicted, compared with the
 * loads of the same moment without it... */
#define DPX_AUTO_PAID 0.5

/* ...and this part compared with the loads before it, under equal traffic. */
#define DPX_AUTO_SEEN 0.25

/* The waiting time after steps that did not pay grows to this at most. */
#define DPX_AUTO_MAX_WAIT_MS (3600 * 1000)

/* Seconds of the short window: what a plan brings must show in it as well. */
#define DPX_AUTO_RECENT_S 2

/* Packets/s that differ by more than this part: the traffic has changed. */
#define DPX_AUTO_SAME_TRAFFIC 0.1

/* What the operator chose. */
struct dpx_auto_options {
    long long int interval_ms;  /* Time between two checks. */
    double load_threshold;      /* Part of a core: act above it only. */
    double improvement;         /* 0.25: the busiest core must get 25 %
                                 * idler. */
};

/* Why it did not act, in the order in which it asks.  The history counts equal
 * ones. */
enum dpx_auto_verdict {
    DPX_AUTO_ACT,               /* It acts. */
    DPX_AUTO_UNMEASURED,        /* A load is not known yet. */
    DPX_AUTO_IDLE,              /* No core is above the load threshold. */
    DPX_AUTO_NO_MOVE,           /* The plan moves nothing. */
    DPX_AUTO_HOPELESS,          /* The plan relieves only cores that are not
                                 * above the threshold. */
    DPX_AUTO_SMALL,             /* The gain is too small. */
    DPX_AUTO_CHANGING,          /* The last seconds do not bear the plan
                                 * out. */
    DPX_AUTO_DID_NOT_PAY        /* The last step did not pay. */
};

/* A plan in figures.  Loads are those of a core relative to its capacity; a
 * core that the plan leaves as it is does not count for 'now' and
 * 'planned'. */
struct dpx_auto_facts {
    bool measured;              /* Every queue has a load. */
    double busiest;             /* Busiest core, or thread if that is more. */
    double cores_now;           /* Busiest core now, and as the plan has */
    double cores_planned;       /* it: for the history. */
    size_t n_moves;
    const char *summary;        /* The plan's own words. */
    double above;               /* Busiest core that gets idler, or thread if
                                 * that is more. */
    double now, planned;        /* Busiest of the cores that change. */
    double recent_now;          /* The same two by the loads of the last */
    double recent_planned;      /* DPX_AUTO_RECENT_S seconds. */
    double pps;                 /* Packets/s of all queues. */
};

/* What a step that was made is judged by. */
struct dpx_auto_result {
    double undone;              /* The cores that changed, busiest, with the
                                 * loads of now but every queue where it was
                                 * before the step. */
    double realised;            /* The same, with every queue where it is. */
    double pps;
};

/* All zero is the state at the start. */
struct dpx_auto {
    long long int next_ms;      /* When to check next. */
    int waits;                  /* Steps in a row that did not pay. */
    bool pending;               /* A step waits for its judgement: */
    double before, predicted, pps;
};

/* Is it time to check? */
bool dpx_auto_is_due(const struct dpx_auto *, long long int now_ms);

/* Decides on a plan at 'now_ms' and sets the time of the next check.  Sets
 * '*why' to a sentence, to be freed.  Does not note the step as made. */
enum dpx_auto_verdict dpx_auto_decide(struct dpx_auto *,
                                      const struct dpx_auto_options *,
                                      const struct dpx_auto_facts *,
                                      long long int now_ms, char **why);

/* The step was made: from now on it waits to be judged. */
void dpx_auto_made(struct dpx_auto *, const struct dpx_auto_facts *);

/* Judges the step that was made.  Returns true if it paid: the waiting time
 * is what the options say.  Otherwise doubles it, counted from 'now_ms', and
 * sets '*why' to a sentence, to be freed. */
bool dpx_auto_judge(struct dpx_auto *, const struct dpx_auto_options *,
                    const struct dpx_auto_result *, long long int now_ms,
                    char **why);

/* Something else has placed queues since: the step will not be judged. */
void dpx_auto_forget(struct dpx_auto *);

#endif /* dpx-auto.h */
