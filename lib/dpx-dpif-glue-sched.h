/* SPDX-License-Identifier: Apache-2.0
 *
 * Part of dpx-dpif-glue.h: pmd-rxq-assign=placement.
 *
 * Upstream's scheduling has dealt with pinned queues and lists the others;
 * the planner is asked once for all of them, and its answer waits in each rx
 * queue until upstream comes to it.  Upstream keeps its own log lines,
 * isolation and cross-NUMA warnings.  Main thread only, port_rwlock held. */

/* Where 'rxq' is polled now, or was before its port was taken from the
 * threads to be reconfigured: index in 'pmds', or DPX_NO_PMD. */
static int
dpx_sched_index(const struct sched_pmd *const *pmds, size_t n_pmds,
                bool known, unsigned core_id)
{
    for (size_t i = 0; known && i < n_pmds; i++) {
        if (pmds[i]->pmd->core_id == core_id) {
            return i;
        }
    }
    return DPX_NO_PMD;
}

static int
dpx_sched_compare(const void *a_, const void *b_)
{
    const struct sched_pmd *const *a = a_;
    const struct sched_pmd *const *b = b_;

    return (*a)->pmd->core_id < (*b)->pmd->core_id ? -1
           : (*a)->pmd->core_id > (*b)->pmd->core_id;
}

/* The PMD threads of 'list' by core, to be freed. */
static const struct sched_pmd **
dpx_sched_pmds(const struct sched_numa_list *list, size_t *n)
{
    const struct sched_pmd **pmds = NULL;
    struct sched_numa *numa;

    *n = 0;
    HMAP_FOR_EACH (numa, node, &list->numas) {
        pmds = xrealloc(pmds, (*n + numa->n_pmds) * sizeof *pmds);
        for (unsigned i = 0; i < numa->n_pmds; i++) {
            pmds[(*n)++] = &numa->pmds[i];
        }
    }
    if (*n) {
        qsort(pmds, *n, sizeof *pmds, dpx_sched_compare);
    }
    return pmds;
}

static void
dpx_sched_fill_rxq(struct dpx_view_rxq *v, const struct dp_netdev_rxq *rxq,
                   const struct sched_pmd *const *pmds, size_t n_pmds,
                   bool pinned)
{
    *v = (struct dpx_view_rxq) {
        .port = netdev_rxq_get_name(rxq->rx),
        .queue_id = netdev_rxq_get_queue_id(rxq->rx),
        .numa_id = dpx_netdev_numa_id(rxq->port->netdev),
        .asked_core = rxq->core_id == OVS_CORE_UNSPEC ? -1
                      : (int) rxq->core_id,
        .pinned = dpx_sched_index(pmds, n_pmds, pinned, rxq->core_id),
        .current = dpx_sched_index(pmds, n_pmds, rxq->dpx.placed,
                                   rxq->dpx.core_id),
        .by_hand = rxq->dpx.by_hand,
        .enabled = netdev_rxq_enabled(rxq->rx),
    };
    dpx_rxq_view_load(v, rxq, DPX_LOAD_WINDOW_S);
}

/* Fills 'view' with the threads of 'pmds', the queues pinned to them and the
 * 'n_rxqs' in 'rxqs' that wait for a thread, in this order. */
static void
dpx_sched_view(struct dpx_view *view, const struct sched_pmd *const *pmds,
               size_t n_pmds, struct dp_netdev_rxq **rxqs, unsigned n_rxqs)
{
    size_t n = n_rxqs;

    for (size_t i = 0; i < n_pmds; i++) {
        n += pmds[i]->n_rxq;
    }
    *view = (struct dpx_view) {
        .pmds = xcalloc(n_pmds, sizeof *view->pmds),
        .n_pmds = n_pmds,
        .rxqs = xcalloc(n, sizeof *view->rxqs),
    };
    for (unsigned i = 0; i < n_rxqs; i++) {
        dpx_sched_fill_rxq(&view->rxqs[view->n_rxqs++], rxqs[i], pmds, n_pmds,
                           false);
    }
    for (size_t i = 0; i < n_pmds; i++) {
        dpx_view_fill_pmd(&view->pmds[i], pmds[i]->pmd);
        view->pmds[i].isolated = pmds[i]->isolated;
        for (unsigned j = 0; j < pmds[i]->n_rxq; j++) {
            dpx_sched_fill_rxq(&view->rxqs[view->n_rxqs++], pmds[i]->rxqs[j],
                               pmds, n_pmds, true);
        }
    }
    dpx_machine_set_distances(view);
}

/* A queue that is moved by hand counts as pinned where it is told to go. */
static void
dpx_sched_put_hand(const struct dpx_engine *engine, struct dpx_view *view,
                   struct dp_netdev_rxq **rxqs, unsigned n_rxqs)
{
    for (unsigned i = 0; i < n_rxqs; i++) {
        if (dpx_step_is_hand(engine, rxqs[i])) {
            for (size_t j = 0; j < view->n_pmds; j++) {
                if (view->pmds[j].core_id == engine->hand_core) {
                    view->rxqs[i].pinned = j;
                }
            }
        }
    }
}

/* Plans the 'n_rxqs' queues of 'rxqs', which upstream is about to hand out one
 * by one, and notes the plan in them: the best one if somebody asked for it,
 * else one in which only those move that cannot stay.  Any other 'algo' than
 * placement, or dpx-enable=false: notes nothing, stock decides. */
static void
dpx_sched_plan(struct dp_netdev *dp, int algo, struct sched_numa_list *list,
               struct dp_netdev_rxq **rxqs, unsigned n_rxqs)
    OVS_REQ_RDLOCK(dp->port_rwlock)
{
    struct dpx_engine *engine = &dp->dpx->engine;
    struct dpx_placement_options options = dp->dpx->config.placement;
    const struct sched_pmd **pmds;
    struct dpx_plan *plan;
    struct dpx_view view;
    bool may_move;
    size_t n_pmds;

    for (unsigned i = 0; i < n_rxqs; i++) {
        rxqs[i]->dpx.planned = false;
    }
    if (algo != SCHED_PLACEMENT || !dp->dpx->config.enable) {
        return;
    }
    engine->cause = dpx_step_cause(dp, &may_move);
    if (!may_move) {
        options.max_moves = 0;
    }
    pmds = dpx_sched_pmds(list, &n_pmds);
    dpx_sched_view(&view, pmds, n_pmds, rxqs, n_rxqs);
    dpx_sched_put_hand(engine, &view, rxqs, n_rxqs);
    plan = dpx_placement_plan_by_hand(&view, &options, dpx_improvement(dp));
    for (unsigned i = 0; i < n_rxqs; i++) {
        int to = plan->pmd_of_rxq[i];

        rxqs[i]->dpx.planned = true;
        rxqs[i]->dpx.plan_core = to == DPX_NO_PMD ? OVS_CORE_UNSPEC
                                 : view.pmds[to].core_id;
    }
    dpx_step_destroy(engine->plan);
    engine->plan = view.n_rxqs ? dpx_step_from_plan(engine->cause, &view, plan)
                               : NULL;
    VLOG_DBG("placement: %s", plan->summary);
    dpx_plan_destroy(plan);
    free(view.pmds);
    free(view.rxqs);
    free(pmds);
}

/* The thread that the plan has for 'rxq', null if it has none; 'stock' when
 * there is no plan. */
static struct sched_pmd *
dpx_sched_pick(int algo, struct sched_numa_list *list,
               const struct dp_netdev_rxq *rxq, struct sched_pmd *stock)
{
    struct sched_numa *numa;

    if (algo != SCHED_PLACEMENT || !rxq->dpx.planned) {
        return stock;
    }
    HMAP_FOR_EACH (numa, node, &list->numas) {
        for (unsigned i = 0; i < numa->n_pmds; i++) {
            if (numa->pmds[i].pmd->core_id == rxq->dpx.plan_core) {
                return &numa->pmds[i];
            }
        }
    }
    return NULL;
}
