/* SPDX-License-Identifier: Apache-2.0
 *
 * Part of dpx-dpif-glue.h: what a step has brought, and the automatic mode.
 *
 * Takes pictures, asks those who decide, writes their words into the history.
 * Main thread only, port_rwlock held. */

/* Remembers 'why', which it takes, as the last word of the automatic mode, and
 * in the history if it did nothing. */
static void
dpx_auto_say(struct dpx_engine *engine, enum dpx_auto_verdict verdict,
             const struct dpx_auto_facts *facts, char *why)
{
    free(engine->said);
    engine->said = why;
    if (verdict != DPX_AUTO_ACT) {
        struct dpx_step *step = dpx_step_create(DPX_CAUSE_AUTO);

        step->declined = verdict;
        step->why = xstrdup(why);
        if (facts && facts->measured) {
            step->before = facts->cores_now;
            step->predicted = facts->cores_planned;
        }
        step->first_ms = step->last_ms = time_wall_msec();
        dpx_history_add(&engine->history, step);
    }
}

/* Where each queue of the picture was before the last automatic step, as an
 * index of its PMDs, to be freed. */
static int *
dpx_auto_undone(struct dp_netdev *dp, const struct dpx_view *view)
    OVS_REQ_RDLOCK(dp->port_rwlock)
{
    int *undone = xcalloc(view->n_rxqs + 1, sizeof *undone);

    for (size_t i = 0; i < view->n_rxqs; i++) {
        const struct dp_netdev_rxq *rxq;

        rxq = dpx_rxq_find(dp, view->rxqs[i].port, view->rxqs[i].queue_id);
        undone[i] = rxq ? dpx_state_pmd_index(view, rxq->dpx.undoable,
                                              rxq->dpx.undo_core)
                        : DPX_NO_PMD;
    }
    return undone;
}

/* Judges the last automatic step by the loads of 'view'.  False, and has said
 * why, if it did not pay. */
static bool
dpx_auto_judge_by(struct dp_netdev *dp, const struct dpx_view *view)
    OVS_REQ_RDLOCK(dp->port_rwlock)
{
    struct dpx_engine *engine = &dp->dpx->engine;
    const struct dpx_auto_options options = dpx_auto_options_of(dp);
    int *undone = dpx_auto_undone(dp, view);
    struct dpx_auto_result result;
    char *why;
    bool paid;

    dpx_auto_result_init(&result, view, undone, &dp->dpx->config.placement,
                         &engine->changed);
    paid = dpx_auto_judge(&engine->automatic, &options, &result, time_msec(),
                          &why);
    if (!paid) {
        dpx_auto_say(engine, DPX_AUTO_DID_NOT_PAY, NULL, why);
    }
    free(undone);
    return paid;
}

/* A window has passed since the last step: what has it brought? */
static void
dpx_step_realise(struct dp_netdev *dp)
    OVS_REQ_RDLOCK(dp->port_rwlock)
{
    struct dpx_engine *engine = &dp->dpx->engine;
    struct dpx_dpif_state *state = dpx_state_make(dp, DPX_LOAD_WINDOW_S);
    struct dpx_step *step = dpx_history_find(&engine->history,
                                             engine->watched);
    double *loads = xcalloc(state->view.n_pmds + 1, sizeof *loads);

    engine->watched = 0;
    if (step) {
        step->realised = dpx_placement_loads(&state->view, &state->options,
                                             loads);
    }
    if (engine->automatic.pending) {
        dpx_auto_judge_by(dp, &state->view);
    }
    free(loads);
    dpx_dpif_state_destroy(state);
}

static void
dpx_auto_act(struct dp_netdev *dp, const struct dpx_auto_facts *facts,
             const struct dpx_cpuset *changed)
    OVS_REQ_RDLOCK(dp->port_rwlock)
{
    struct dpx_engine *engine = &dp->dpx->engine;

    VLOG_INFO("automatic placement: %s", facts->summary);
    engine->changed = *changed;
    dpx_auto_made(&engine->automatic, facts);
    dpx_step_ask(dp, DPX_CAUSE_AUTO);
    reconfigure_datapath(dp);
}

static void
dpx_auto_check(struct dp_netdev *dp)
    OVS_REQ_RDLOCK(dp->port_rwlock)
{
    struct dpx_engine *engine = &dp->dpx->engine;
    const struct dpx_auto_options options = dpx_auto_options_of(dp);
    struct dpx_dpif_state *state = dpx_state_make(dp, DPX_LOAD_WINDOW_S);
    struct dpx_dpif_state *recent = dpx_state_make(dp, DPX_AUTO_RECENT_S);
    struct dpx_plan *plan;
    struct dpx_auto_facts facts;
    struct dpx_cpuset changed;
    enum dpx_auto_verdict verdict;
    char *why;

    plan = dpx_placement_plan_by_hand(&state->view, &state->options,
                                      options.improvement);
    dpx_auto_facts_init(&facts, &state->view, &recent->view, plan,
                        &state->options, &changed);
    verdict = dpx_auto_decide(&engine->automatic, &options, &facts,
                              time_msec(), &why);
    if (verdict == DPX_AUTO_ACT && engine->automatic.pending
        && !dpx_auto_judge_by(dp, &state->view)) {
        /* It has been said why the next step waits. */
        free(why);
    } else {
        dpx_auto_say(engine, verdict, &facts, why);
        if (verdict == DPX_AUTO_ACT) {
            dpx_auto_act(dp, &facts, &changed);
        }
    }
    dpx_plan_destroy(plan);
    dpx_dpif_state_destroy(recent);
    dpx_dpif_state_destroy(state);
}

/* Starts anew when the operator has changed how often or whether at all. */
static void
dpx_auto_follow_options(struct dp_netdev *dp)
{
    struct dpx_engine *engine = &dp->dpx->engine;
    const struct dpx_auto_options options = dpx_auto_options_of(dp);
    bool on = dp->pmd_alb.is_enabled && dpx_places(dp);

    if (on != engine->auto_on
        || options.interval_ms != engine->auto_interval_ms) {
        engine->auto_on = on;
        engine->auto_interval_ms = options.interval_ms;
        engine->automatic = (struct dpx_auto) { .next_ms = 0 };
        free(engine->said);
        engine->said = NULL;
    }
}

/* After each sample. */
static void
dpx_engine_run(struct dp_netdev *dp)
    OVS_REQ_RDLOCK(dp->port_rwlock)
{
    struct dpx_engine *engine = &dp->dpx->engine;

    dpx_auto_follow_options(dp);
    if (engine->watched && time_msec() >= engine->watch_ms) {
        dpx_step_realise(dp);
    }
    if (engine->auto_on && dpx_auto_is_due(&engine->automatic, time_msec())) {
        dpx_auto_check(dp);
    }
}

static void
dpx_engine_uninit(struct dpx_engine *engine)
{
    dpx_step_destroy(engine->plan);
    dpx_history_uninit(&engine->history);
    free(engine->said);
}
