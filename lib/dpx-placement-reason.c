/* SPDX-License-Identifier: Apache-2.0
 *
 * Why a plan is as it is, in words.
 *
 * An operator who reads a plan wants to know what each move is for, and even
 * more why nothing is moved when a core is hot.  Called by the planner's entry
 * when all numbers are there.  Must not change them. */

#include <config.h>
#include "dpx-placement-reason.h"

#include <stdlib.h>

#include "dpx-placement-demand.h"
#include "openvswitch/dynamic-string.h"
#include "util.h"

/* Below this a PMD counts as free: what is left is polling of queues that
 * carry next to nothing. */
#define FREE_LOAD 0.05

/* So many free PMDs are named. */
#define MAX_NAMED 8

/* From here on a PMD counts as full: a burst does not fit any more. */
#define FULL_LOAD 0.85

static void
put_percent(struct ds *s, double load)
{
    double percent = load * 100;

    if (load < 0) {
        ds_put_cstr(s, "-");
    } else {
        /* One digit where rounding to none would tell 0 from something. */
        ds_put_format(s, "%.*f %%", percent > 0 && percent < 9.95 ? 1 : 0,
                      percent);
    }
}

static void
put_change(struct ds *s, const struct dpx_story *story, int pmd)
{
    ds_put_format(s, "core %u goes from ", story->view->pmds[pmd].core_id);
    put_percent(s, story->now.pmd[pmd]);
    ds_put_cstr(s, " to ");
    put_percent(s, story->then.pmd[pmd]);
}

static void
put_balance(struct ds *s, const struct dpx_story *story,
            const struct dpx_placement_move *move)
{
    const struct dpx_loads *now = &story->now, *then = &story->then;
    unsigned from = story->view->pmds[move->from].core_id;

    if (story->task->load[move->rxq] <= 0) {
        ds_put_format(s, "not measured yet: spread by count, fewer such "
                      "queues on core %u",
                      story->view->pmds[move->to].core_id);
        return;
    }
    if (now->n_busy[move->from] > 1 && then->n_busy[move->to] == 1) {
        ds_put_format(s, "core %u and a sibling are both busy, core %u has "
                      "the physical core to itself: ", from,
                      story->view->pmds[move->to].core_id);
    } else if (then->pmd[move->from] > now->pmd[move->from]) {
        ds_put_format(s, "makes room on core %u for another queue: ", from);
    } else if (then->pmd[move->to] < now->pmd[move->to]) {
        ds_put_format(s, "exchanged for another queue of core %u: ",
                      story->view->pmds[move->to].core_id);
    } else {
        ds_put_format(s, "takes load off core %u: ", from);
    }
    put_change(s, story, move->from);
    ds_put_cstr(s, ", ");
    put_change(s, story, move->to);
    if (dpx_placement_is_far(story->view, &story->view->rxqs[move->rxq],
                             move->to)) {
        ds_put_cstr(s, "; not on the port's NUMA node, which costs ");
        put_percent(s, story->options->cross_numa_cost);
    }
}

char *
dpx_reason_for_move(const struct dpx_story *story,
                    const struct dpx_placement_move *move)
{
    const struct dpx_view *view = story->view;
    const struct dpx_view_rxq *rxq = &view->rxqs[move->rxq];
    const struct dpx_view_pmd *to = move->to >= 0 ? &view->pmds[move->to]
                                                  : NULL;
    struct ds s = DS_EMPTY_INITIALIZER;

    switch (story->task->fate[move->rxq]) {
    case DPX_FATE_NOWHERE:
        ds_put_cstr(&s, "no PMD may poll it: all PMDs are isolated");
        break;
    case DPX_FATE_PINNED:
        ds_put_format(&s, "pinned to core %u by pmd-rxq-affinity",
                      to->core_id);
        break;
    case DPX_FATE_NEW:
        ds_put_format(&s, "was not polled: core %u has room", to->core_id);
        if (dpx_placement_is_far(view, rxq, move->to)) {
            ds_put_format(&s, " and NUMA node %d, where the port is, has no "
                          "PMD for it", rxq->numa_id);
        }
        break;
    case DPX_FATE_ISOLATED:
        ds_put_format(&s, "core %u is isolated and polls pinned queues only",
                      view->pmds[move->from].core_id);
        break;
    case DPX_FATE_NUMA:
        ds_put_format(&s, "the port is on NUMA node %d, core %u is not",
                      rxq->numa_id, view->pmds[move->from].core_id);
        break;
    case DPX_FATE_HELD:
    case DPX_FATE_FREE:
        put_balance(&s, story, move);
        break;
    default:
        OVS_NOT_REACHED();
    }
    return ds_steal_cstr(&s);
}

/* The core that is busiest after the plan. */
static int
busiest_pmd(const struct dpx_story *story)
{
    const struct dpx_task *task = story->task;
    int best = -1;

    for (int t = 0; t < task->all->n_threads; t++) {
        int pmd = task->all->pmd[t];

        if (best < 0 || story->then.pmd[pmd] > story->then.pmd[best]) {
            best = pmd;
        }
    }
    return best;
}

/* The queue that alone makes up the load of 'pmd', or -1. */
static int
lone_queue(const struct dpx_story *story, int pmd)
{
    const struct dpx_task *task = story->task;

    for (size_t r = 0; r < story->view->n_rxqs; r++) {
        int i = task->order[r];

        if (story->plan->pmd_of_rxq[i] == pmd) {
            return (task->load[i] > 0
                    && task->load[i] >= 0.95 * story->then.own[pmd]) ? i : -1;
        }
    }
    return -1;
}

static void
put_free_pmds(struct ds *s, const struct dpx_story *story, int busiest)
{
    const struct dpx_problem *p = story->task->all;
    const struct dpx_view *view = story->view;
    int n = 0;
    struct ds list = DS_EMPTY_INITIALIZER;

    for (int t = 0; t < p->n_threads; t++) {
        int pmd = p->pmd[t];
        bool shares = (p->core_of[t]
                       == p->core_of[story->task->thread_of_pmd[busiest]]);

        if (!shares && !view->pmds[pmd].isolated
            && view->pmds[pmd].numa_id == view->pmds[busiest].numa_id
            && story->then.pmd[pmd] < FREE_LOAD
            && story->then.n_busy[pmd] <= (story->then.own[pmd] > 0)) {
            if (n < MAX_NAMED) {
                ds_put_format(&list, "%s%u", n ? ", " : "",
                              view->pmds[pmd].core_id);
            }
            n++;
        }
    }
    if (n > MAX_NAMED) {
        ds_put_format(&list, " and %d more", n - MAX_NAMED);
    }
    if (n) {
        ds_put_format(s, "; PMD%s %s %s free on its node", n > 1 ? "s" : "",
                      ds_cstr(&list), n > 1 ? "are" : "is");
    }
    ds_destroy(&list);
}

/* Is there a PMD on the node of 'busiest', not on its core, that could take
 * some of its load if that came in smaller pieces? */
static bool
has_room(const struct dpx_story *story, int busiest)
{
    const struct dpx_problem *p = story->task->all;
    const struct dpx_view *view = story->view;
    int core = p->core_of[story->task->thread_of_pmd[busiest]];

    for (int t = 0; t < p->n_threads; t++) {
        int pmd = p->pmd[t];

        if (p->core_of[t] != core && !view->pmds[pmd].isolated
            && view->pmds[pmd].numa_id == view->pmds[busiest].numa_id
            && story->then.pmd[pmd] < FULL_LOAD) {
            return true;
        }
    }
    return false;
}

/* The busiest of the cores that queues leave and that end lower, or -1. */
static int
most_relieved_pmd(const struct dpx_story *story)
{
    const double *now = story->now.pmd, *then = story->then.pmd;
    int best = -1;

    for (size_t i = 0; i < story->plan->n_moves; i++) {
        int pmd = story->plan->moves[i].from;

        if (pmd >= 0 && then[pmd] < now[pmd]
            && (best < 0 || now[pmd] > now[best])) {
            best = pmd;
        }
    }
    return best;
}

/* Why the plan does not move anything. */
static void
put_nothing(struct ds *s, const struct dpx_story *story)
{
    const struct dpx_plan *plan = story->plan;
    int pmd = busiest_pmd(story);
    int rxq = lone_queue(story, pmd);

    if (plan->busiest_now < 0) {
        ds_put_cstr(s, "no move: no load is measured yet");
    } else if (plan->cap_binds) {
        ds_put_format(s, "no move: at most %d allowed; without the cap the "
                      "busiest core would go from ",
                      story->options->max_moves);
        put_percent(s, plan->busiest_now);
        ds_put_cstr(s, " to ");
        put_percent(s, story->best);
    } else if (plan->busiest_now < FREE_LOAD) {
        ds_put_cstr(s, "no move: idle, the busiest core is at ");
        put_percent(s, plan->busiest_now);
    } else if (rxq >= 0 && story->best >= 0.99 * plan->busiest_now
               && plan->busiest_now >= FULL_LOAD && has_room(story, pmd)) {
        ds_put_cstr(s, "one queue carries ");
        put_percent(s, story->then.own[pmd]);
        ds_put_format(s, ": no move helps, raise n_rxq of %s",
                      story->view->rxqs[rxq].port
                      ? story->view->rxqs[rxq].port : "its port");
        put_free_pmds(s, story, pmd);
    } else if (story->best < 0.999 * plan->busiest_now) {
        ds_put_cstr(s, "no move: the best plan takes the busiest core from ");
        put_percent(s, plan->busiest_now);
        ds_put_cstr(s, " to ");
        put_percent(s, story->best);
        ds_put_cstr(s, ", which is within the tolerance of ");
        put_percent(s, story->options->tolerance);
    } else if (story->view->pmds[pmd].isolated) {
        ds_put_cstr(s, "no move: the busiest core is at ");
        put_percent(s, plan->busiest_now);
        ds_put_format(s, " by what is pinned to core %u",
                      story->view->pmds[pmd].core_id);
    } else {
        ds_put_cstr(s, "no move: no better plan, the busiest core is at ");
        put_percent(s, plan->busiest_now);
        if (plan->lower_bound < 0.999 * plan->busiest_now) {
            /* Not proven: say how much there may be to gain. */
            ds_put_cstr(s, ", no plan is below ");
            put_percent(s, plan->lower_bound);
        }
        if (plan->busiest_now >= FULL_LOAD) {
            ds_put_cstr(s, "; only more PMDs help");
        }
    }
}

/* What the moves are good for. */
static void
put_effect(struct ds *s, const struct dpx_story *story)
{
    const struct dpx_plan *plan = story->plan;
    int relieved = most_relieved_pmd(story);

    if (plan->busiest_planned < plan->busiest_now || relieved < 0) {
        ds_put_cstr(s, ": the busiest core goes from ");
        put_percent(s, plan->busiest_now);
        ds_put_cstr(s, " to ");
        put_percent(s, plan->busiest_planned);
    } else {
        ds_put_cstr(s, ": the busiest core stays at ");
        put_percent(s, plan->busiest_planned);
        ds_put_cstr(s, ", ");
        put_change(s, story, relieved);
    }
    ds_put_cstr(s, ", no plan is below ");
    put_percent(s, plan->lower_bound);
}

static void
put_moves(struct ds *s, const struct dpx_story *story, size_t n_unpolled)
{
    const struct dpx_plan *plan = story->plan;
    size_t n = 0, n_new = 0;

    for (size_t i = 0; i < plan->n_moves; i++) {
        n += plan->moves[i].from >= 0 && plan->moves[i].to >= 0;
        n_new += plan->moves[i].from < 0;
    }
    if (n) {
        ds_put_format(s, "moves %"PRIuSIZE" queue%s", n, n > 1 ? "s" : "");
    }
    if (n_new) {
        ds_put_format(s, "%splaces %"PRIuSIZE" new queue%s",
                      s->length ? ", " : "", n_new, n_new > 1 ? "s" : "");
    }
    if (n_unpolled) {
        ds_put_format(s, "%s%"PRIuSIZE" queue%s cannot be polled",
                      s->length ? ", " : "", n_unpolled,
                      n_unpolled > 1 ? "s" : "");
    }
    if (plan->busiest_planned >= 0) {
        put_effect(s, story);
    }
    if (plan->cap_binds) {
        ds_put_format(s, "; the cap of %d moves keeps it from ",
                      story->options->max_moves);
        put_percent(s, story->best);
    }
}

char *
dpx_reason_for_plan(const struct dpx_story *story)
{
    const struct dpx_view *view = story->view;
    struct ds s = DS_EMPTY_INITIALIZER;
    size_t n_unpolled = 0;

    for (size_t i = 0; i < view->n_rxqs; i++) {
        n_unpolled += story->plan->pmd_of_rxq[i] < 0;
    }
    if (!view->n_pmds) {
        ds_put_cstr(&s, "no move: there is no PMD");
    } else if (!view->n_rxqs) {
        ds_put_cstr(&s, "no move: there is no rx queue");
    } else if (n_unpolled == view->n_rxqs && !story->plan->n_moves) {
        ds_put_cstr(&s, "no move: every PMD is isolated, no queue can be "
                    "polled");
    } else if (story->plan->n_moves) {
        put_moves(&s, story, n_unpolled);
    } else {
        put_nothing(&s, story);
    }
    return ds_steal_cstr(&s);
}
