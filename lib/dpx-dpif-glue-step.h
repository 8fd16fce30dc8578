/* SPDX-License-Identifier: Apache-2.0
 *
 * Part of dpx-dpif-glue.h: why queues are handed out anew, and what came of
 * it.
 *
 * A reconfiguration moves only what must move, unless somebody asked for
 * more: the cause of a scheduling says which.  What has moved is seen by
 * comparing, once upstream has handed out every queue, and is one step of the
 * history.  Main thread only, port_rwlock held. */

/* Does placement decide where queues go? */
static bool
dpx_places(const struct dp_netdev *dp)
{
    return dp->pmd_rxq_assign_type == SCHED_PLACEMENT
           && dp->dpx->config.enable;
}

/* pmd-auto-lb-improvement-threshold, also for what was placed by hand. */
static double
dpx_improvement(const struct dp_netdev *dp)
{
    return dp->pmd_alb.rebalance_improve_thresh / 100.0;
}

static struct dpx_auto_options
dpx_auto_options_of(struct dp_netdev *dp)
{
    const struct dpx_config *config = &dp->dpx->config;
    uint8_t threshold;

    atomic_read_relaxed(&dp->pmd_alb.rebalance_load_thresh, &threshold);
    return (struct dpx_auto_options) {
        .interval_ms = config->stock_interval
                       ? (long long int) dp->pmd_alb.rebalance_intvl
                       : config->interval_s * 1000LL,
        .load_threshold = threshold / 100.0,
        .improvement = dpx_improvement(dp),
    };
}

/* The next scheduling is one of this cause. */
static void
dpx_step_ask(struct dp_netdev *dp, enum dpx_cause cause)
{
    dp->dpx->engine.is_asked = true;
    dp->dpx->engine.asked = cause;
}

/* Upstream's command: its scheduling will be the next one. */
static void
dpx_rebalance_requested(struct dp_netdev *dp)
{
    if (dpx_places(dp)) {
        dpx_step_ask(dp, DPX_CAUSE_APPLY);
    }
}

static void
dpx_step_cores(const struct dp_netdev *dp, struct dpx_cpuset *cores)
{
    const struct dp_netdev_pmd_thread *pmd;

    *cores = (struct dpx_cpuset) { .bits = { 0 } };
    CMAP_FOR_EACH (pmd, node, &dp->poll_threads) {
        if (pmd->core_id != NON_PMD_CORE_ID) {
            dpx_cpuset_add(cores, pmd->core_id);
        }
    }
}

/* Notes in 'cause' what has changed about the queues since the last
 * scheduling; leaves it alone if nothing has. */
static void
dpx_step_compare_rxqs(const struct dp_netdev *dp, enum dpx_cause *cause)
    OVS_REQ_RDLOCK(dp->port_rwlock)
{
    const struct dpx_engine *engine = &dp->dpx->engine;
    const struct dp_netdev_port *port;
    bool pinned = engine->isolate != dp->pmd_iso;
    size_t n_old = 0, n = 0;

    HMAP_FOR_EACH (port, node, &dp->ports) {
        for (int i = 0; netdev_is_pmd(port->netdev) && i < port->n_rxq; i++) {
            const struct dp_netdev_rxq *rxq = &port->rxqs[i];

            n++;
            n_old += rxq->dpx.known;
            pinned |= rxq->dpx.known && rxq->core_id != rxq->dpx.asked_core;
        }
    }
    if (pinned) {
        *cause = DPX_CAUSE_PINNED;
    } else if (n_old != n || n != engine->n_rxqs) {
        *cause = DPX_CAUSE_PORT;
    }
}

/* Says why this scheduling happens, and whether queues may move that could
 * stay. */
static enum dpx_cause
dpx_step_cause(const struct dp_netdev *dp, bool *may_move)
    OVS_REQ_RDLOCK(dp->port_rwlock)
{
    const struct dpx_engine *engine = &dp->dpx->engine;
    enum dpx_cause cause = DPX_CAUSE_OTHER;
    struct dpx_cpuset cores;

    dpx_step_cores(dp, &cores);
    dpx_step_compare_rxqs(dp, &cause);
    if (!engine->in_force) {
        cause = DPX_CAUSE_POLICY;
    } else if (memcmp(&cores, &engine->cores, sizeof cores)) {
        cause = DPX_CAUSE_PMDS;
    }
    *may_move = dpx_cause_is_request(cause);
    if (engine->is_asked) {
        cause = engine->asked;
        *may_move |= dpx_cause_is_request(cause);
    }
    return cause;
}

/* Makes the step that carries out 'plan' if upstream does as it is told. */
static struct dpx_step *
dpx_step_from_plan(enum dpx_cause cause, const struct dpx_view *view,
                   const struct dpx_plan *plan)
{
    struct dpx_step *step = dpx_step_create(cause);

    step->why = xstrdup(plan->summary);
    step->before = plan->busiest_now;
    step->predicted = plan->busiest_planned;
    for (size_t i = 0; i < plan->n_moves; i++) {
        const struct dpx_placement_move *m = &plan->moves[i];
        const struct dpx_view_rxq *rxq = &view->rxqs[m->rxq];

        dpx_step_add_move(step, rxq->port, rxq->queue_id,
                          DPX_CORE_NONE, DPX_CORE_NONE, m->reason);
    }
    return step;
}

static const char *
dpx_step_reason(const struct dpx_step *plan, const char *port, int queue_id)
{
    const struct dpx_step_move *move = dpx_step_find_move(plan, port,
                                                          queue_id);

    return move ? move->reason : NULL;
}

/* Is 'rxq' the one that pmd-rxq-move is about to move? */
static bool
dpx_step_is_hand(const struct dpx_engine *engine,
                 const struct dp_netdev_rxq *rxq)
{
    return engine->is_asked && engine->asked == DPX_CAUSE_HAND
           && rxq->port->port_no == engine->hand_port
           && netdev_rxq_get_queue_id(rxq->rx) == engine->hand_queue;
}

/* Notes in 'step' where 'rxq', which upstream has just given a thread or none,
 * was and is. */
static void
dpx_step_note(struct dpx_step *step, const struct dpx_engine *engine,
              struct dp_netdev_rxq *rxq)
{
    const char *port = netdev_rxq_get_name(rxq->rx);
    int queue_id = netdev_rxq_get_queue_id(rxq->rx);
    int from = rxq->dpx.polled ? (int) rxq->dpx.core_id : DPX_CORE_NONE;
    int to = rxq->pmd ? (int) rxq->pmd->core_id : DPX_CORE_NONE;

    if (dpx_step_is_hand(engine, rxq)) {
        rxq->dpx.by_hand = to == (int) engine->hand_core;
    } else if (from != to || rxq->core_id != OVS_CORE_UNSPEC) {
        rxq->dpx.by_hand = false;
    }
    if (step->cause == DPX_CAUSE_AUTO) {
        rxq->dpx.undoable = from != DPX_CORE_NONE;
        rxq->dpx.undo_core = from;
    }
    if (from == DPX_CORE_NONE) {
        step->n_placed += to != DPX_CORE_NONE;
    } else if (from != to) {
        struct dpx_step_move *move;

        move = dpx_step_add_move(step, port, queue_id, from, to,
                                 dpx_step_is_hand(engine, rxq)
                                 ? "moved by hand" : engine->plan
                                 ? dpx_step_reason(engine->plan, port,
                                                   queue_id)
                                 : NULL);
        if (rxq->dpx.moved.tried) {
            move->blocked_us = rxq->dpx.moved.blocked_us;
            move->copied = rxq->dpx.moved.copied;
        }
    }
}

/* Names in 'stayed' a queue whose move was cancelled. */
static void
dpx_step_note_cancelled(struct ds *stayed, const struct dp_netdev_rxq *rxq)
{
    const struct dpx_moved *moved = &rxq->dpx.moved;

    if (moved->tried && moved->cancelled) {
        ds_put_format(stayed, "; %s queue %d stays: %s",
                      netdev_rxq_get_name(rxq->rx),
                      netdev_rxq_get_queue_id(rxq->rx),
                      dpx_move_reason_text(moved->cancelled));
    }
}

/* Says what 'step' did, but for what was cancelled; to be freed. */
static char *
dpx_step_why(const struct dp_netdev *dp, const struct dpx_step *step)
{
    const struct dpx_engine *engine = &dp->dpx->engine;

    if (step->cause == DPX_CAUSE_HAND) {
        return xasprintf("%s by hand, stays until a plan makes the busiest "
                         "core %.0f %% idler",
                         step->n_moves ? "moved" : "held",
                         dpx_improvement(dp) * 100);
    }
    return engine->plan && dpx_cause_is_request(step->cause)
           ? xstrdup(engine->plan->why) : dpx_step_words(step);
}

/* Hands 'step', which has been done, to the history, and has the load that it
 * brings read when a whole window has passed.  'stayed' says which moves were
 * cancelled; one that nobody asked for had to be, and is tried again. */
static void
dpx_step_done(struct dp_netdev *dp, struct dpx_step *step, const char *stayed)
{
    struct dpx_engine *engine = &dp->dpx->engine;
    bool moved = step->n_moves > 0, changed = moved || step->n_placed;
    char *why;

    if (engine->plan) {
        step->before = engine->plan->before;
        step->predicted = engine->plan->predicted;
    }
    why = dpx_step_why(dp, step);
    step->why = xasprintf("%s%s", why, stayed);
    free(why);
    dp->dpx->retry_ms = *stayed && !dpx_cause_is_request(step->cause)
                        ? time_msec() + DPX_HANDOFF_RETRY_MS : 0;
    step->first_ms = step->last_ms = time_wall_msec();
    dpx_step_sort(step);
    if (moved && step->cause != DPX_CAUSE_AUTO) {
        dpx_auto_forget(&engine->automatic);
    }
    if (moved) {
        engine->moves_total += step->n_moves;
        engine->moved_cause = step->cause;
        engine->moved_ms = step->first_ms;
    }
    engine->last = dpx_history_add(&engine->history, step)->serial;
    dpx_after_name(dp, engine->last);
    if (changed) {
        engine->watched = engine->last;
        engine->watch_ms = time_msec() + (DPX_LOAD_WINDOW_S + 1) * 1000;
    }
}

/* Upstream has a thread for every queue but has told none yet: names new
 * queues, which nobody polls so far, and remembers where each one goes. */
static void
dpx_scheduled(struct dp_netdev *dp)
    OVS_REQ_RDLOCK(dp->port_rwlock)
{
    struct dpx_engine *engine = &dp->dpx->engine;
    bool in_force = dpx_places(dp);
    struct dpx_step *step = in_force ? dpx_step_create(engine->cause) : NULL;
    struct ds stayed = DS_EMPTY_INITIALIZER;
    struct dp_netdev_port *port;

    if (in_force && dp->dpx->config.handoff) {
        dpx_handoff_run(dp);
    }
    engine->n_rxqs = 0;
    HMAP_FOR_EACH (port, node, &dp->ports) {
        for (int i = 0; i < port->n_rxq; i++) {
            struct dp_netdev_rxq *rxq = &port->rxqs[i];
            dpx_rxq_id id = dp->dpx->config.enable
                            ? dpx_rxq_id_make(port->port_no, i) : 0;

            atomic_store_relaxed(&rxq->dpx.id, id);
            if (!netdev_is_pmd(port->netdev)) {
                continue;
            }
            engine->n_rxqs++;
            if (step) {
                dpx_step_note(step, engine, rxq);
                dpx_step_note_cancelled(&stayed, rxq);
            } else {
                rxq->dpx.by_hand = false;
            }
            rxq->dpx.moved.tried = false;
            rxq->dpx.known = true;
            rxq->dpx.asked_core = rxq->core_id;
            rxq->dpx.polled = rxq->pmd;
            if (rxq->pmd) {
                rxq->dpx.placed = true;
                rxq->dpx.core_id = rxq->pmd->core_id;
            }
        }
    }
    if (step) {
        dpx_step_done(dp, step, ds_cstr(&stayed));
    }
    dpx_txq_scheduled(dp, in_force && dpx_cause_is_request(engine->cause));
    ds_destroy(&stayed);
    dpx_step_cores(dp, &engine->cores);
    engine->isolate = dp->pmd_iso;
    engine->in_force = in_force;
    engine->is_asked = false;
    dpx_step_destroy(engine->plan);
    engine->plan = NULL;
    dpx_affinity_scheduled(dp);
    dpx_flows_tell(dp);
}
