/* SPDX-License-Identifier: Apache-2.0
 *
 * Part of dpx-dpif-glue.h: moves queues on request.
 *
 * The reconfiguration is complete, as far as upstream's is, before a call
 * returns: every thread that gained or lost a queue has taken its new list.
 * Main thread only. */

/* Finds datapath 'name' and takes a reference; an error if placement does not
 * decide there. */
static char *
dpx_apply_begin(const char *name, struct dp_netdev **dpp)
{
    struct dp_netdev *dp;
    char *error;

    ovs_mutex_lock(&dp_netdev_mutex);
    error = dpx_dp_find(name, &dp);
    if (!error && !dp->dpx->config.enable) {
        error = xasprintf("\"%s\": dpx-enable is false", dp->name);
    } else if (!error && !dpx_places(dp)) {
        error = xasprintf("\"%s\": pmd-rxq-assign is %s, not placement (to "
                          "change it: ovs-vsctl set Open_vSwitch . "
                          "other_config:pmd-rxq-assign=placement)", dp->name,
                          get_assignment_type_string(
                              dp->pmd_rxq_assign_type));
    }
    if (!error) {
        ovs_refcount_ref(&dp->ref_cnt);
        *dpp = dp;
    }
    ovs_mutex_unlock(&dp_netdev_mutex);
    return error;
}

/* Hands every queue out anew for 'cause' and returns a copy of the step. */
static struct dpx_step *
dpx_apply_now(struct dp_netdev *dp, enum dpx_cause cause)
    OVS_REQ_RDLOCK(dp->port_rwlock)
{
    struct dpx_engine *engine = &dp->dpx->engine;

    dpx_step_ask(dp, cause);
    reconfigure_datapath(dp);
    return dpx_step_clone(dpx_history_find(&engine->history, engine->last));
}

char *
dpx_dpif_placement_apply(const char *name, struct dpx_step **stepp)
{
    struct dp_netdev *dp;
    char *error = dpx_apply_begin(name, &dp);

    *stepp = NULL;
    if (!error) {
        ovs_rwlock_rdlock(&dp->port_rwlock);
        *stepp = dpx_apply_now(dp, DPX_CAUSE_APPLY);
        ovs_rwlock_unlock(&dp->port_rwlock);
        dp_netdev_unref(dp);
    }
    return error;
}

/* Is there a PMD on the node of 'rxq' that may poll it? */
static bool
dpx_move_has_local(struct dp_netdev *dp, int numa_id)
{
    struct dp_netdev_pmd_thread *pmd;

    CMAP_FOR_EACH (pmd, node, &dp->poll_threads) {
        if (pmd->core_id != NON_PMD_CORE_ID && pmd->numa_id == numa_id
            && !pmd->isolated) {
            return true;
        }
    }
    return false;
}

/* Checks where 'rxq' may be put by hand. */
static char *
dpx_move_check_core(struct dp_netdev *dp, const struct dp_netdev_rxq *rxq,
                    unsigned core)
{
    const char *port = netdev_rxq_get_name(rxq->rx);
    int queue_id = netdev_rxq_get_queue_id(rxq->rx);
    int numa_id = netdev_get_numa_id(rxq->port->netdev);
    struct dp_netdev_pmd_thread *pmd = dp_netdev_get_pmd(dp, core);
    char *error = NULL;

    if (!pmd || core == NON_PMD_CORE_ID) {
        error = xasprintf("\"%u\": no PMD thread on this core", core);
    } else if (rxq->core_id != OVS_CORE_UNSPEC) {
        error = xasprintf("\"%d\": queue %d of %s is pinned to core %u by "
                          "pmd-rxq-affinity", queue_id, queue_id, port,
                          rxq->core_id);
    } else if (pmd->isolated) {
        error = xasprintf("\"%u\": core %u is isolated and polls pinned "
                          "queues only", core, core);
    } else if (dp->dpx->config.placement.cross_numa == DPX_CROSS_NUMA_NEVER
               && numa_id >= 0 && pmd->numa_id != numa_id
               && dpx_move_has_local(dp, numa_id)) {
        error = xasprintf("\"%u\": core %u is on NUMA node %d, %s on node %d, "
                          "and pmd-placement-cross-numa is never", core, core,
                          pmd->numa_id, port, numa_id);
    }
    if (pmd) {
        dp_netdev_pmd_unref(pmd);
    }
    return error;
}

static char *
dpx_move_check(struct dp_netdev *dp, const char *name, int queue_id,
               unsigned core, struct dp_netdev_rxq **rxqp)
    OVS_REQ_RDLOCK(dp->port_rwlock)
{
    struct dp_netdev_port *port;
    char *error = dpx_port_named(dp, name, &port);

    if (error) {
        return error;
    } else if (!netdev_is_pmd(port->netdev)) {
        return xasprintf("\"%s\": polled by the main thread, not by a PMD "
                         "thread", name);
    } else if (queue_id < 0 || queue_id >= port->n_rxq) {
        return xasprintf("\"%d\": %s has rx queue%s 0%s%.0d", queue_id, name,
                         port->n_rxq > 1 ? "s" : "",
                         port->n_rxq > 1 ? " to " : "", port->n_rxq - 1);
    }
    *rxqp = &port->rxqs[queue_id];
    return dpx_move_check_core(dp, *rxqp, core);
}

char *
dpx_dpif_rxq_move(const char *name, const char *port, int queue_id,
                  unsigned int core, struct dpx_step **stepp)
{
    struct dp_netdev_rxq *rxq = NULL;
    struct dp_netdev *dp;
    char *error = dpx_apply_begin(name, &dp);

    *stepp = NULL;
    if (error) {
        return error;
    }
    ovs_rwlock_rdlock(&dp->port_rwlock);
    error = dpx_move_check(dp, port, queue_id, core, &rxq);
    if (!error) {
        struct dpx_engine *engine = &dp->dpx->engine;

        engine->hand_port = rxq->port->port_no;
        engine->hand_queue = queue_id;
        engine->hand_core = core;
        *stepp = dpx_apply_now(dp, DPX_CAUSE_HAND);
    }
    ovs_rwlock_unlock(&dp->port_rwlock);
    dp_netdev_unref(dp);
    return error;
}

char *
dpx_dpif_history_get(const char *name, struct dpx_step_list *list)
{
    struct dp_netdev *dp;
    char *error;

    *list = (struct dpx_step_list) { .n = 0 };
    ovs_mutex_lock(&dp_netdev_mutex);
    error = dpx_dp_find(name, &dp);
    if (!error) {
        const struct dpx_history *history = &dp->dpx->engine.history;

        list->name = xstrdup(dp->name);
        while (list->n < history->n) {
            list->steps[list->n] = dpx_step_clone(
                dpx_history_get(history, list->n));
            list->n++;
        }
    }
    ovs_mutex_unlock(&dp_netdev_mutex);
    return error;
}
