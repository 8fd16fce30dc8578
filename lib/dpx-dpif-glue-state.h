/* SPDX-License-Identifier: Apache-2.0
 *
 * Part of dpx-dpif-glue.h: pictures of a datapath for commands and for the
 * database.  Main thread only; takes dp_netdev_mutex, then port_rwlock. */

/* Finds datapath 'name' (null: the only one); "netdev@NAME" is NAME. */
static char *
dpx_dp_find(const char *name, struct dp_netdev **dpp)
    OVS_REQUIRES(dp_netdev_mutex)
{
    const char *prefix = "netdev@";

    *dpp = NULL;
    if (name) {
        const char *base = !strncmp(name, prefix, strlen(prefix))
                           ? name + strlen(prefix) : name;

        *dpp = shash_find_data(&dp_netdevs, base);
        return *dpp ? NULL
               : xasprintf("\"%s\": no such userspace datapath", name);
    }
    if (shash_count(&dp_netdevs) == 1) {
        *dpp = shash_first(&dp_netdevs)->data;
        return NULL;
    }
    return xstrdup(shash_is_empty(&dp_netdevs)
                   ? "no userspace datapath exists"
                   : "more than one userspace datapath exists, name one");
}

static void
dpx_state_fill_pmds(struct dpx_dpif_state *state, struct dp_netdev *dp)
{
    struct dp_netdev_pmd_thread **list;
    struct dpx_view *view = &state->view;
    size_t n;

    sorted_poll_thread_list(dp, &list, &n);
    view->pmds = xcalloc(n, sizeof *view->pmds);
    for (size_t i = 0; i < n; i++) {
        const struct dp_netdev_pmd_thread *pmd = list[i];
        struct dpx_view_pmd *v = &view->pmds[view->n_pmds];
        const struct dpx_pmd_load *pl;
        double pps;

        if (pmd->core_id == NON_PMD_CORE_ID) {
            continue;
        }
        view->n_pmds++;
        dpx_view_fill_pmd(v, pmd);
        pl = dpx_pmd_load_find(dp->dpx, pmd->core_id);
        if (pl) {
            dpx_load_get(&pl->load, state->window_s, &v->busy, &pps);
        }
    }
    free(list);
    dpx_machine_set_distances(view);
}

static int
dpx_state_pmd_index(const struct dpx_view *view, bool known, unsigned core_id)
{
    for (size_t i = 0; known && i < view->n_pmds; i++) {
        if (view->pmds[i].core_id == core_id) {
            return i;
        }
    }
    return DPX_NO_PMD;
}

static int
dpx_view_rxq_compare(const void *a_, const void *b_)
{
    const struct dpx_view_rxq *a = a_, *b = b_;
    int cmp = strcmp(a->port, b->port);

    return cmp ? cmp : a->queue_id - b->queue_id;
}

static void
dpx_state_add_rxq(struct dpx_view *view, const struct dp_netdev_rxq *rxq,
                  unsigned int window_s)
{
    bool asked = rxq->core_id != OVS_CORE_UNSPEC;
    struct dpx_view_rxq *v;

    view->rxqs = xrealloc(view->rxqs,
                          (view->n_rxqs + 1) * sizeof *view->rxqs);
    v = &view->rxqs[view->n_rxqs++];
    *v = (struct dpx_view_rxq) {
        .port = xstrdup(netdev_rxq_get_name(rxq->rx)),
        .queue_id = netdev_rxq_get_queue_id(rxq->rx),
        .numa_id = dpx_netdev_numa_id(rxq->port->netdev),
        .asked_core = asked ? (int) rxq->core_id : -1,
        .pinned = dpx_state_pmd_index(view, asked, rxq->core_id),
        .current = dpx_state_pmd_index(view, rxq->pmd,
                                       rxq->pmd ? rxq->pmd->core_id : 0),
        .by_hand = rxq->dpx.by_hand,
        .enabled = netdev_rxq_enabled(rxq->rx),
    };
    dpx_rxq_view_load(v, rxq, window_s);
}

static void
dpx_state_fill_rxqs(struct dpx_dpif_state *state, struct dp_netdev *dp)
    OVS_REQ_RDLOCK(dp->port_rwlock)
{
    struct dpx_view *view = &state->view;
    struct dp_netdev_port *port;

    HMAP_FOR_EACH (port, node, &dp->ports) {
        if (netdev_is_pmd(port->netdev)) {
            for (int i = 0; i < port->n_rxq; i++) {
                dpx_state_add_rxq(view, &port->rxqs[i], state->window_s);
            }
        }
    }
    if (view->n_rxqs) {
        qsort(view->rxqs, view->n_rxqs, sizeof *view->rxqs,
              dpx_view_rxq_compare);
    }
}

static void
dpx_state_fill_affinities(struct dpx_dpif_state *state, struct dp_netdev *dp)
    OVS_REQ_RDLOCK(dp->port_rwlock)
{
    struct dp_netdev_port *port;

    HMAP_FOR_EACH (port, node, &dp->ports) {
        if (state->enabled) {
            dpx_state_add_affinity(state, dp, port);
        }
    }
}

/* With dpx-enable=false nothing is sampled: the loads that are still held are
 * those of another time. */
static void
dpx_state_forget_loads(struct dpx_view *view)
{
    for (size_t i = 0; i < view->n_pmds; i++) {
        view->pmds[i].busy = DPX_LOAD_UNKNOWN;
    }
    for (size_t i = 0; i < view->n_rxqs; i++) {
        dpx_view_forget_load(&view->rxqs[i]);
    }
}

static void
dpx_state_fill_engine(struct dpx_dpif_state *state, struct dp_netdev *dp)
{
    const struct dpx_auto_options options = dpx_auto_options_of(dp);
    const struct dpx_engine *engine = &dp->dpx->engine;

    state->auto_on = dp->pmd_alb.is_enabled;
    state->auto_interval_s = options.interval_ms / 1000;
    state->auto_load_threshold = options.load_threshold;
    state->auto_improvement = options.improvement;
    state->moves_total = engine->moves_total;
    if (engine->moved_ms) {
        char *when = xastrftime_msec("%Y-%m-%d %H:%M:%S", engine->moved_ms,
                                     true);

        state->last_step = xasprintf("%s %s", when,
                                     dpx_cause_name(engine->moved_cause));
        free(when);
    }
    state->auto_said = nullable_xstrdup(engine->auto_on ? engine->said
                                                        : NULL);
}

/* The picture of 'dp', to be destroyed. */
static struct dpx_dpif_state *
dpx_state_make(struct dp_netdev *dp, unsigned int window_s)
    OVS_REQ_RDLOCK(dp->port_rwlock)
{
    struct dpx_dpif_state *state = xzalloc(sizeof *state);

    state->name = xstrdup(dp->name);
    state->policy = get_assignment_type_string(dp->pmd_rxq_assign_type);
    state->enabled = dp->dpx->config.enable;
    state->isolate = dp->pmd_iso;
    state->refused = nullable_xstrdup(dp->dpx->refused);
    state->options = dp->dpx->config.placement;
    state->handoff = dp->dpx->config.handoff;
    state->window_s = window_s;
    dpx_state_fill_engine(state, dp);
    dpx_state_fill_pmds(state, dp);
    dpx_state_fill_rxqs(state, dp);
    if (!state->enabled) {
        dpx_state_forget_loads(&state->view);
    }
    return state;
}

char *
dpx_dpif_state_get(const char *name, unsigned int window_s,
                   struct dpx_dpif_state **statep)
{
    struct dp_netdev *dp;
    char *error;

    *statep = NULL;
    ovs_mutex_lock(&dp_netdev_mutex);
    error = dpx_dp_find(name, &dp);
    if (!error) {
        ovs_rwlock_rdlock(&dp->port_rwlock);
        *statep = dpx_state_make(dp, window_s);
        dpx_state_fill_affinities(*statep, dp);
        ovs_rwlock_unlock(&dp->port_rwlock);
    }
    ovs_mutex_unlock(&dp_netdev_mutex);
    return error;
}

/* Core of 'rxq' for the database. */
static int
dpx_rxq_core(const struct dp_netdev_rxq *rxq)
{
    return !netdev_is_pmd(rxq->port->netdev) ? DPX_CORE_MAIN
           : rxq->pmd ? (int) rxq->pmd->core_id
           : DPX_CORE_NONE;
}

static struct dp_netdev_port *
dpx_port_find(struct dp_netdev *dp, const char *name)
    OVS_REQ_RDLOCK(dp->port_rwlock)
{
    struct dp_netdev_port *port;

    HMAP_FOR_EACH (port, node, &dp->ports) {
        if (!strcmp(netdev_get_name(port->netdev), name)) {
            return port;
        }
    }
    return NULL;
}

/* Sets '*portp' to the port that a command names, null if it names none.
 * Returns null, or an error to be freed. */
static char *
dpx_port_named(struct dp_netdev *dp, const char *name,
               struct dp_netdev_port **portp)
    OVS_REQ_RDLOCK(dp->port_rwlock)
{
    *portp = name ? dpx_port_find(dp, name) : NULL;
    return !name || *portp ? NULL
           : xasprintf("\"%s\": no such port in datapath %s", name, dp->name);
}

/* The rx queue of that name, or null. */
static const struct dp_netdev_rxq *
dpx_rxq_find(struct dp_netdev *dp, const char *port_name, int queue_id)
    OVS_REQ_RDLOCK(dp->port_rwlock)
{
    const struct dp_netdev_port *port = dpx_port_find(dp, port_name);

    return port && queue_id >= 0 && queue_id < port->n_rxq
           ? &port->rxqs[queue_id] : NULL;
}

/* Calls 'fill' for each rx queue of port 'name' and returns their number; 0
 * when no enabled datapath has it.  '*arrayp' then has an element of 'size'
 * bytes for each, to be freed. */
static size_t
dpx_port_rxqs(const char *name, size_t size, void **arrayp,
              void (*fill)(const struct dp_netdev_rxq *, void *element))
{
    struct shash_node *node;
    size_t n = 0;

    *arrayp = NULL;
    ovs_mutex_lock(&dp_netdev_mutex);
    SHASH_FOR_EACH (node, &dp_netdevs) {
        struct dp_netdev *dp = node->data;
        struct dp_netdev_port *port;

        ovs_rwlock_rdlock(&dp->port_rwlock);
        port = n ? NULL : dpx_port_find(dp, name);
        if (port && dp->dpx->config.enable) {
            *arrayp = xcalloc(port->n_rxq, size);
            for (; n < port->n_rxq; n++) {
                fill(&port->rxqs[n], (char *) *arrayp + n * size);
            }
        }
        ovs_rwlock_unlock(&dp->port_rwlock);
    }
    ovs_mutex_unlock(&dp_netdev_mutex);
    return n;
}

static void
dpx_fill_core(const struct dp_netdev_rxq *rxq, void *core)
{
    *(int *) core = dpx_rxq_core(rxq);
}

size_t
dpx_dpif_port_cores(const char *name, int **coresp)
{
    void *array;
    size_t n = dpx_port_rxqs(name, sizeof **coresp, &array, dpx_fill_core);

    *coresp = array;
    return n;
}

static void
dpx_fill_load(const struct dp_netdev_rxq *rxq, void *load)
{
    struct dpx_view_rxq v;

    dpx_rxq_view_load(&v, rxq, DPX_LOAD_WINDOW_S);
    *(double *) load = v.load;
}

size_t
dpx_dpif_port_loads(const char *name, double **loadsp)
{
    void *array;
    size_t n = dpx_port_rxqs(name, sizeof **loadsp, &array, dpx_fill_load);

    *loadsp = array;
    return n;
}

/* Names of all ports of 'dp' for the formatters; destroy with
 * odp_portno_names_destroy() and hmap_destroy(). */
static void
dpx_port_names(struct dp_netdev *dp, struct hmap *names)
    OVS_REQ_RDLOCK(dp->port_rwlock)
{
    struct dp_netdev_port *port;

    hmap_init(names);
    HMAP_FOR_EACH (port, node, &dp->ports) {
        odp_portno_names_set(names, port->port_no,
                             CONST_CAST(char *,
                                        netdev_get_name(port->netdev)));
    }
}
