/* SPDX-License-Identifier: Apache-2.0
 *
 * Part of dpx-dpif-glue.h: answers about megaflows, from the table that the
 * sweep fills.  Main thread only; takes dp_netdev_mutex, then port_rwlock. */

static bool
dpx_flow_alive(const void *flow)
{
    return !((const struct dp_netdev_flow *) flow)->dead;
}

static const char *
dpx_flow_offloaded(const struct dpif_flow_attrs *attrs)
{
    return !attrs->offloaded ? "no"
           : attrs->dp_layer && !strcmp(attrs->dp_layer, "ovs") ? "partial"
           : "yes";
}

static void
dpx_flow_row_text(struct dpx_flow_row *row, struct dp_netdev *dp,
                  const struct dp_netdev_flow *flow, const struct hmap *names)
{
    struct ofpbuf key, mask;
    struct dpif_flow df;
    struct ds s = DS_EMPTY_INITIALIZER;

    ofpbuf_init(&key, 256);
    ofpbuf_init(&mask, 256);
    dp_netdev_flow_to_dpif_flow(dp, flow, &key, &mask, &df, false);
    row->ufid = df.ufid;
    row->offloaded = dpx_flow_offloaded(&df.attrs);
    dpx_odp_flow_format(df.key, df.key_len, df.mask, df.mask_len, names, &s);
    row->match = ds_steal_cstr(&s);
    ds_init(&s);
    format_odp_actions(&s, df.actions, df.actions_len, names);
    row->actions = ds_steal_cstr(&s);
    ds_init(&s);
    dpx_flow_outputs_format(df.actions, df.actions_len, names, &s);
    row->outputs = ds_steal_cstr(&s);
    ofpbuf_uninit(&key);
    ofpbuf_uninit(&mask);
}

static void
dpx_flow_row_rxq(struct dpx_flow_row *row, dpx_rxq_id rxq,
                 const struct hmap *names)
{
    struct ds s = DS_EMPTY_INITIALIZER;

    row->queue_id = -1;
    if (rxq) {
        odp_portno_name_format(names, dpx_rxq_id_port(rxq), &s);
        row->port = ds_steal_cstr(&s);
        row->queue_id = dpx_rxq_id_queue(rxq);
    }
}

/* The threads that have parts of the pick. */
static char *
dpx_flow_pick_cores(const struct dpx_flow_pick *pick)
{
    const struct dpx_flow_part *part;
    struct ds s = DS_EMPTY_INITIALIZER;

    if (pick->n_parts == 1) {
        return pick->core_id == DPX_CORE_MAIN ? xstrdup("main")
               : xasprintf("%d", pick->core_id);
    }
    LIST_FOR_EACH (part, node, &pick->part->mega->parts) {
        if (part->core_id == DPX_CORE_MAIN) {
            ds_put_format(&s, "%smain", s.length ? "," : "");
        } else {
            ds_put_format(&s, "%s%d", s.length ? "," : "", part->core_id);
        }
    }
    return ds_steal_cstr(&s);
}

static void
dpx_flow_row_fill(struct dpx_flow_row *row, struct dp_netdev *dp,
                  const struct dpx_flow_pick *pick, const struct hmap *names)
{
    const struct dpx_flow_part *part = pick->part;
    double hz = dpx_hz(dp->dpx);

    row->cores = dpx_flow_pick_cores(pick);
    row->busy = hz > 0 && pick->cycles >= 0 ? pick->cycles / hz : -1;
    row->first_s = (time_usec() - part->born_usec) / 1e6;
    row->last_s = (part->last.used_ms
                   ? (time_msec() - part->last.used_ms) / 1e3 : -1);
    dpx_flow_row_rxq(row, part->last.rxq, names);
    dpx_flow_row_text(row, dp, part->flow, names);
}

static void
dpx_query_add_port(unsigned long **ports, const struct dp_netdev_port *port)
{
    uint32_t number = odp_to_u32(port->port_no);

    if (!*ports) {
        *ports = bitmap_allocate(DPX_FLOW_PORTS);
    }
    if (number < DPX_FLOW_PORTS) {
        bitmap_set1(*ports, number);
    }
}

/* Finds the thread of 'query' and stores its ports, null for all, to be freed;
 * or says what is wrong. */
static char *
dpx_query_check(struct dp_netdev *dp, const struct dpx_flow_query *query,
                unsigned long **ports)
    OVS_REQ_RDLOCK(dp->port_rwlock)
{
    unsigned core_id = query->core_id == DPX_CORE_MAIN ? NON_PMD_CORE_ID
                       : query->core_id;
    struct dp_netdev_pmd_thread *pmd;
    struct dp_netdev_port *port;
    char *error;

    *ports = NULL;
    if (query->ports) {
        *ports = bitmap_allocate(DPX_FLOW_PORTS);
        HMAP_FOR_EACH (port, node, &dp->ports) {
            if (sset_contains(query->ports,
                              netdev_get_name(port->netdev))) {
                dpx_query_add_port(ports, port);
            }
        }
    }
    error = dpx_port_named(dp, query->port, &port);
    if (port) {
        dpx_query_add_port(ports, port);
    }
    if (error || query->any_core) {
        return error;
    }
    pmd = dpx_pmd_from(dp, core_id);
    return pmd && pmd->core_id == core_id ? NULL
           : xasprintf("\"%d\": no PMD thread on this core in datapath %s",
                       query->core_id, dp->name);
}

/* Busy cycles per second of 'pmd' over the last interval, or negative. */
static double
dpx_flow_core_busy(const struct dpx_dp *dpx,
                   const struct dp_netdev_pmd_thread *pmd)
{
    const struct dpx_pmd_load *pl = dpx_pmd_load_find(dpx, pmd->core_id);
    struct dpx_load_rates rates;

    if (!pl || !dpx->config.enable) {
        return -1;
    }
    dpx_load_get_rates(&pl->load, 2, &rates);
    return rates.busy < 0 ? -1 : rates.busy * dpx_hz(dpx);
}

static void
dpx_flow_core_fill(struct dpx_flow_core *core, const struct dpx_dp *dpx,
                   struct dp_netdev_pmd_thread *pmd,
                   const struct dpx_flow_picks *picks)
{
    struct dpx_cost_totals *totals = &pmd->dpx_flows.clock.totals;
    double busy = dpx_flow_core_busy(dpx, pmd);

    core->core_id = (pmd->core_id == NON_PMD_CORE_ID ? DPX_CORE_MAIN
                     : (int) pmd->core_id);
    core->hz = dpx_hz(dpx);
    atomic_read_relaxed(&totals->bursts, &core->bursts);
    atomic_read_relaxed(&totals->packets, &core->packets);
    atomic_read_relaxed(&totals->interrupted, &core->interrupted);
    for (int i = 0; i < DPX_N_STAGES; i++) {
        uint64_t cycles;

        atomic_read_relaxed(&totals->cycles[i], &cycles);
        core->stages[i] = core->packets ? (double) cycles / core->packets : -1;
    }
    for (int i = 0; i < DPX_COST_SIZES; i++) {
        atomic_read_relaxed(&totals->sizes[i], &core->sizes[i]);
    }
    for (int i = 0; i < DPX_COST_TIMES; i++) {
        atomic_read_relaxed(&totals->times[i], &core->times[i]);
    }
    core->explained = -1;
    for (size_t i = 0; i < picks->n_cores; i++) {
        if (picks->cores[i].core_id == core->core_id && busy > 0
            && picks->cores[i].cycles > 0) {
            core->explained = picks->cores[i].cycles / busy;
        }
    }
}

static void
dpx_flows_fill_cores(struct dpx_flow_list *list, struct dp_netdev *dp,
                     const struct dpx_flow_query *query)
{
    struct dp_netdev_pmd_thread **pmds;
    size_t n;

    sorted_poll_thread_list(dp, &pmds, &n);
    list->cores = xcalloc(n, sizeof *list->cores);
    for (size_t i = 0; i < n; i++) {
        if (pmds[i]->core_id != NON_PMD_CORE_ID
            && (query->any_core
                || query->core_id == (int) pmds[i]->core_id)) {
            dpx_flow_core_fill(&list->cores[list->n_cores++], dp->dpx,
                               pmds[i], &list->picks);
        }
    }
    free(pmds);
}

static struct dpx_flow_list *
dpx_flows_collect(struct dp_netdev *dp, const struct dpx_flow_query *query,
                  const unsigned long *ports)
    OVS_REQ_RDLOCK(dp->port_rwlock)
{
    struct dpx_flow_list *list = xzalloc(sizeof *list);
    const struct dpx_sweep *sweep = &dp->dpx->sweep;
    const struct dpx_flow_table *flows = &dp->dpx->flows;
    struct hmap names;

    list->name = xstrdup(dp->name);
    list->counting = dp->dpx->counting;
    list->age_s = sweep->done_ms ? (time_msec() - sweep->done_ms) / 1e3 : -1;
    list->sweep_s = sweep->done_ms ? sweep->took_ms / 1e3 : -1;
    if (list->counting) {
        dpx_sweep_now(dp);
    }
    list->total = flows->total;
    list->gone = flows->gone;
    list->n_gone = flows->n_gone;
    list->memory = dpx_flow_table_memory(flows);
    dpx_flow_query_run(flows, query, ports, dpx_flow_alive, &list->picks);
    list->rows = xcalloc(list->picks.n, sizeof *list->rows);
    dpx_port_names(dp, &names);
    for (size_t i = 0; i < list->picks.n; i++) {
        dpx_flow_row_fill(&list->rows[i], dp, &list->picks.picks[i], &names);
        list->picks.picks[i].part = NULL;   /* Not for long. */
    }
    odp_portno_names_destroy(&names);
    hmap_destroy(&names);
    dpx_flows_fill_cores(list, dp, query);
    return list;
}

char *
dpx_dpif_flows_get(const char *name, const struct dpx_flow_query *query,
                   struct dpx_flow_list **listp)
{
    struct dp_netdev *dp;
    unsigned long *ports = NULL;
    char *error;

    *listp = NULL;
    ovs_mutex_lock(&dp_netdev_mutex);
    error = dpx_dp_find(name, &dp);
    if (!error) {
        ovs_rwlock_rdlock(&dp->port_rwlock);
        error = dpx_query_check(dp, query, &ports);
        if (!error) {
            *listp = dpx_flows_collect(dp, query, ports);
        }
        ovs_rwlock_unlock(&dp->port_rwlock);
    }
    ovs_mutex_unlock(&dp_netdev_mutex);
    free(ports);
    return error;
}

size_t
dpx_dpif_flow_top(const char *name)
{
    struct dp_netdev *dp;
    size_t n;

    ovs_mutex_lock(&dp_netdev_mutex);
    dp = shash_find_data(&dp_netdevs, name);
    n = dp && dp->dpx->counting ? dp->dpx->config.flow_top : 0;
    ovs_mutex_unlock(&dp_netdev_mutex);
    return n;
}

char *
dpx_dpif_flows_clear(const char *name, char **dpp)
{
    struct dp_netdev *dp;
    char *error;

    *dpp = NULL;
    ovs_mutex_lock(&dp_netdev_mutex);
    error = dpx_dp_find(name, &dp);
    if (!error && !dp->dpx->counting) {
        error = xasprintf("\"%s\": flow-stats is off in this datapath",
                          dp->name);
    }
    if (!error) {
        ovs_rwlock_rdlock(&dp->port_rwlock);
        dpx_sweep_now(dp);
        ovs_rwlock_unlock(&dp->port_rwlock);
        dpx_flow_table_clear(&dp->dpx->flows);
        dpx_hitters_clear(dp->dpx);
        *dpp = xstrdup(dp->name);
    }
    ovs_mutex_unlock(&dp_netdev_mutex);
    return error;
}
