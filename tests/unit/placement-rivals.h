/* SPDX-License-Identifier: Apache-2.0
 *
 * What Open vSwitch's own policies would do with the same picture, under the
 * same rules: written from their description, to hold plans against.  Included
 * by the planner's tests and its benchmark, never by the planner. */

#ifndef PLACEMENT_RIVALS_H
#define PLACEMENT_RIVALS_H 1

#include "placement-vocabulary.h"

/* The queues, largest first. */
static int sorted[MAX_RXQS];

static inline int
compare_loads(const void *a_, const void *b_)
{
    int a = *(const int *) a_, b = *(const int *) b_;

    if (rxqs[a].load != rxqs[b].load) {
        return rxqs[a].load < rxqs[b].load ? 1 : -1;
    }
    return a - b;
}

static inline void
sort_loads(void)
{
    for (size_t i = 0; i < view.n_rxqs; i++) {
        sorted[i] = i;
    }
    qsort(sorted, view.n_rxqs, sizeof *sorted, compare_loads);
}

/* "group": largest first, each to the least loaded PMD that may poll it. */
static inline void
assign_like_group(int *at)
{
    static double load[MAX_PMDS];

    memset(load, 0, sizeof load);
    sort_loads();
    for (size_t r = 0; r < view.n_rxqs; r++) {
        int i = sorted[r], best = -1;

        for (size_t p = 0; p < view.n_pmds; p++) {
            if ((best < 0 || load[p] < load[best]) && may_poll(i, p)) {
                best = p;
            }
        }
        at[i] = best;
        if (best >= 0) {
            load[best] += load_on(i, best);
        }
    }
}

/* "cycles": largest first, to and fro over the PMDs that may poll the queues
 * of a node. */
static inline void
assign_like_cycles(int *at)
{
    int place[MAX_NODES + 1] = { 0 }, step[MAX_NODES + 1] = { 0 };
    int n = view.n_pmds;

    sort_loads();
    for (size_t r = 0; r < view.n_rxqs; r++) {
        int i = sorted[r];
        int *k = &place[rxqs[i].numa_id + 1], *s = &step[rxqs[i].numa_id + 1];

        at[i] = -1;
        for (int tries = 0; tries < 2 * n && at[i] < 0; tries++) {
            int p = *k;

            *s = *s ? *s : 1;
            if (*k + *s < 0 || *k + *s >= n) {
                *s = -*s;               /* The ends count twice. */
            } else {
                *k += *s;
            }
            if (may_poll(i, p)) {
                at[i] = p;
            }
        }
    }
}

#endif /* placement-rivals.h */
