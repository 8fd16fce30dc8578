/* SPDX-License-Identifier: Apache-2.0
 *
 * Part of dpx-dpif-glue.h: pictures of tx queues for a command and for the
 * database.  Main thread only; takes dp_netdev_mutex, then port_rwlock. */

static enum dpx_txq_mode
dpx_txq_port_mode(const struct dp_netdev_port *port)
{
    switch (port->txq_mode) {
    case TXQ_MODE_XPS:
        return port->dpx_tx->placed ? DPX_TXQ_PLACED : DPX_TXQ_XPS;
    case TXQ_MODE_XPS_HASH:
        return DPX_TXQ_HASH;
    case TXQ_MODE_STATIC:
    default:
        return DPX_TXQ_STATIC;
    }
}

/* Adds 'pmd', if it has 'port'. */
static void
dpx_txqs_add_user(struct dpx_port_txqs *view, struct dp_netdev_port *port,
                  struct dp_netdev_pmd_thread *pmd)
{
    struct dpx_txq_user *user = &view->users[view->n_users];
    const struct dpx_tx *tx;
    bool has_it;
    int placed;

    ovs_mutex_lock(&pmd->port_mutex);
    has_it = tx_port_lookup(&pmd->tx_ports, port->port_no) != NULL;
    ovs_mutex_unlock(&pmd->port_mutex);
    if (!has_it) {
        return;
    }
    view->n_users++;
    tx = dpx_tx_thread(port->dpx_tx, pmd->core_id)->tx;
    atomic_read_relaxed(&tx->placed, &placed);
    user->core = dpx_tx_core(pmd->core_id);
    user->pinned = port->dpx_tx->pinned
                   && dpx_txq_affinity_find(&port->dpx_tx->affinity,
                                            user->core, view->n) >= 0;
    if (placed != DPX_TXQ_NONE) {
        user->queue = placed;
    } else if (view->mode == DPX_TXQ_STATIC) {
        user->queue = pmd->static_tx_qid;
    } else {
        atomic_read_relaxed(&tx->now, &user->queue);
    }
}

static void
dpx_txqs_fill_rows(struct dpx_port_txqs *view,
                   const struct dp_netdev_port *port)
{
    const struct dpx_port_tx *pt = port->dpx_tx;
    int *guests = xmalloc((view->n + 1) * sizeof *guests);

    dpx_netdev_dpdk_guest_txqs(port->netdev, guests, view->n);
    view->rows = xcalloc(view->n, sizeof *view->rows);
    for (int i = 0; i < view->n; i++) {
        view->rows[i].guest = guests[i];
        for (size_t j = 0; j < pt->n_threads; j++) {
            dpx_tx_add(pt->threads[j].tx, i, &view->rows[i].totals);
        }
    }
    free(guests);
}

/* What there is to say about pmd-txq-affinity of 'port', or null. */
static char *
dpx_txqs_remark(const struct dp_netdev_port *port)
{
    const struct dpx_port_tx *pt = port->dpx_tx;

    if (pt->error) {
        return xasprintf("pmd-txq-affinity is refused: %s", pt->error);
    } else if (pt->affinity.n && port->txq_mode == TXQ_MODE_XPS_HASH) {
        return xstrdup("pmd-txq-affinity has no effect with "
                       "tx-steering=hash");
    }
    return pt->pinned ? dpx_txq_affinity_remarks(&pt->affinity, pt->n_txq)
                      : NULL;
}

static void
dpx_txqs_fill(struct dpx_port_txqs *view, struct dp_netdev *dp,
              struct dp_netdev_port *port)
    OVS_REQ_RDLOCK(dp->port_rwlock)
{
    const struct dpx_port_tx *pt = dpx_port_tx(port);
    struct dp_netdev_pmd_thread **pmds;
    size_t n_pmds;

    *view = (struct dpx_port_txqs) {
        .name = xstrdup(netdev_get_name(port->netdev)),
        .type = xstrdup(port->type),
        .mode = dpx_txq_port_mode(port),
        .asked = cmap_count(&dp->poll_threads),
        .noted = dpx_tx_note_is_kept(netdev_get_type(port->netdev)),
        .gone = pt->gone,
        .affinity = pt->pinned ? nullable_xstrdup(pt->good) : NULL,
        .remark = dpx_txqs_remark(port),
        .n = MIN(pt->n_txq, netdev_n_txq(port->netdev)),
    };
    dpx_txqs_fill_rows(view, port);
    sorted_poll_thread_list(dp, &pmds, &n_pmds);
    view->users = xcalloc(n_pmds, sizeof *view->users);
    for (size_t i = 0; i < n_pmds; i++) {
        dpx_txqs_add_user(view, port, pmds[i]);
    }
    free(pmds);
}

static struct dpx_txq_list *
dpx_txqs_collect(struct dp_netdev *dp, const struct dp_netdev_port *only)
    OVS_REQ_RDLOCK(dp->port_rwlock)
{
    struct dpx_txq_list *list = xzalloc(sizeof *list);
    struct dp_netdev_port *port;

    list->name = xstrdup(dp->name);
    list->ports = xcalloc(hmap_count(&dp->ports), sizeof *list->ports);
    HMAP_FOR_EACH (port, node, &dp->ports) {
        /* A tunnel has none: it sends by another port. */
        if ((!only || port == only) && netdev_n_txq(port->netdev)) {
            dpx_txqs_fill(&list->ports[list->n++], dp, port);
        }
    }
    dpx_txq_list_sort(list);
    return list;
}

char *
dpx_dpif_txqs_get(const char *name, const char *port,
                  struct dpx_txq_list **listp)
{
    struct dp_netdev *dp;
    char *error;

    *listp = NULL;
    ovs_mutex_lock(&dp_netdev_mutex);
    error = dpx_dp_find(name, &dp);
    if (!error) {
        struct dp_netdev_port *only;

        ovs_rwlock_rdlock(&dp->port_rwlock);
        error = dpx_port_named(dp, port, &only);
        if (!error) {
            *listp = dpx_txqs_collect(dp, only);
        }
        ovs_rwlock_unlock(&dp->port_rwlock);
    }
    ovs_mutex_unlock(&dp_netdev_mutex);
    return error;
}

struct dpx_txq_list *
dpx_dpif_port_txqs(const char *name)
{
    struct dpx_txq_list *list = NULL;
    struct shash_node *node;

    ovs_mutex_lock(&dp_netdev_mutex);
    SHASH_FOR_EACH (node, &dp_netdevs) {
        struct dp_netdev *dp = node->data;
        struct dp_netdev_port *port;

        ovs_rwlock_rdlock(&dp->port_rwlock);
        port = list ? NULL : dpx_port_find(dp, name);
        if (port && dp->dpx->config.enable) {
            list = dpx_txqs_collect(dp, port);
        }
        ovs_rwlock_unlock(&dp->port_rwlock);
    }
    ovs_mutex_unlock(&dp_netdev_mutex);
    return list;
}
