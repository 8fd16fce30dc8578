/* SPDX-License-Identifier: Apache-2.0
 *
 * Part of dpx-dpif-glue.h: before an rx queue moves, the thread that gets it
 * gets the megaflows that its traffic uses.
 *
 * Else the first packet of each would be an upcall in that thread, which
 * stalls all its queues.  A copy starts at zero: the original keeps what it
 * counted.  EMC and SMC are their thread's own and fill by themselves.  Main
 * thread only. */

/* Does the traffic of 'rxq' use 'flow'?  The queue of the last burst says so,
 * also for what was recirculated or came out of a tunnel. */
static bool
dpx_copy_wants(const struct dp_netdev_flow *flow,
               const struct dp_netdev_rxq *rxq)
{
    odp_port_t port_no = rxq->port->port_no;
    dpx_rxq_id id, own;

    atomic_read_relaxed(&CONST_CAST(struct dp_netdev_flow *, flow)->dpx.rxq,
                        &id);
    atomic_read_relaxed(&CONST_CAST(struct dp_netdev_rxq *, rxq)->dpx.id,
                        &own);
    if (flow->dead) {
        return false;
    } else if (!id) {
        /* One packet, which was an upcall. */
        return flow->flow.in_port.odp_port == port_no;
    }
    return id == own || (flow->dpx_more.shared
                         && dpx_rxq_id_port(id) == port_no);
}

/* Has 'pmd' a megaflow for this already, its own or an earlier copy? */
static bool
dpx_copy_exists(struct dp_netdev_pmd_thread *pmd,
                const struct dp_netdev_flow *flow)
{
    struct netdev_flow_key key;

    netdev_flow_key_init(&key, &flow->flow);
    return dp_netdev_pmd_find_flow(pmd, &flow->ufid, NULL, 0)
           || dp_netdev_pmd_lookup_flow(pmd, &key, NULL);
}

/* As upstream does after an upcall: the upcall layer knows the megaflow first,
 * then it is installed, unless the thread has done that itself meanwhile. */
static enum dpx_ukey_clone
dpx_copy_flow(struct dp_netdev *dp, const struct dp_netdev_flow *flow,
              struct dp_netdev_pmd_thread *dest)
{
    const struct dp_netdev_actions *actions;
    enum dpx_ukey_clone result;
    struct match match;

    result = dpx_ukey_clone(dp->upcall_aux, &flow->ufid, flow->pmd_id,
                            dest->core_id);
    if (result != DPX_UKEY_CLONED) {
        return result;
    }
    memset(&match, 0, sizeof match);
    match.flow = flow->flow;
    miniflow_expand(&flow->cr.mask->mf, &match.wc.masks);
    /* Matched exactly by the choice of the classifier, not by its mask. */
    match.wc.masks.in_port.odp_port = ODPP_NONE;
    actions = dp_netdev_flow_get_actions(flow);

    ovs_mutex_lock(&dest->flow_mutex);
    if (!dpx_copy_exists(dest, flow)) {
        dp_netdev_flow_add(dest, &match, &flow->ufid, actions->actions,
                           actions->size, flow->orig_in_port);
    }
    ovs_mutex_unlock(&dest->flow_mutex);
    return result;
}

/* Copies what the traffic of 'rxq' uses from 'source' to 'dest', one megaflow
 * per turn of the lock, so that an upcall in 'dest' does not wait.  Returns
 * how many. */
static int
dpx_copy_flows(struct dp_netdev *dp, const struct dp_netdev_rxq *rxq,
               struct dp_netdev_pmd_thread *source,
               struct dp_netdev_pmd_thread *dest)
{
    const struct dp_netdev_flow *flow;
    int n = 0;

    CMAP_FOR_EACH (flow, node, &source->flow_table) {
        if (dpx_copy_wants(flow, rxq) && !dpx_copy_exists(dest, flow)) {
            enum dpx_ukey_clone result = dpx_copy_flow(dp, flow, dest);

            if (result == DPX_UKEY_FULL) {
                break;
            }
            n += result == DPX_UKEY_CLONED;
        }
    }
    return n;
}
