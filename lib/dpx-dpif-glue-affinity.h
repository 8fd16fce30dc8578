/* SPDX-License-Identifier: Apache-2.0
 *
 * Part of dpx-dpif-glue.h: what pmd-rxq-affinity of each port asks for, and
 * what came of it.
 *
 * Upstream refuses a list with an error in it as a whole, keeps the last good
 * one, and says neither which word it was nor that.  It reads the list again
 * at every change of the database: what is kept here says each thing once.
 * Main thread only. */

/* What a port was asked for last. */
struct dpx_asked {
    char *list;                 /* As in the database. */
    char *error;                /* Why it was refused, or null. */
    char *remarks;              /* About the list in force, or null. */
};

static void
dpx_asked_destroy(struct dpx_asked *asked)
{
    if (asked) {
        free(asked->list);
        free(asked->error);
        free(asked->remarks);
        free(asked);
    }
}

static void
dpx_affinity_destroy_all(struct dpx_dp *dpx)
{
    struct shash_node *node;

    SHASH_FOR_EACH (node, &dpx->asked) {
        dpx_asked_destroy(node->data);
    }
    shash_destroy(&dpx->asked);
}

/* The database asks 'port' for 'list' (null: for none). */
static void
dpx_affinity_asked(struct dp_netdev *dp, const struct dp_netdev_port *port,
                   const char *list)
{
    const char *name = netdev_get_name(port->netdev);
    struct dpx_asked *asked = shash_find_data(&dp->dpx->asked, name);
    struct dpx_affinity affinity;

    if (!dp->dpx->config.enable || !netdev_is_pmd(port->netdev)
        || nullable_string_is_equal(list, asked ? asked->list : NULL)) {
        return;
    }
    if (!list) {
        dpx_asked_destroy(shash_find_and_delete(&dp->dpx->asked, name));
        return;
    }
    if (!asked) {
        asked = xzalloc(sizeof *asked);
        shash_add(&dp->dpx->asked, name, asked);
    }
    /* The remarks stay: they are about the list in force. */
    free(asked->list);
    free(asked->error);
    asked->list = xstrdup(list);
    asked->error = dpx_affinity_parse(list, &affinity);
    if (asked->error) {
        const char *old = port->rxq_affinity_list;

        VLOG_WARN("%s: pmd-rxq-affinity is refused: %s; %s%s%s", name,
                  asked->error, old ? "\"" : "", old ? old : "no queue is "
                  "pinned", old ? "\" stays in force" : "");
    }
    dpx_affinity_destroy(&affinity);
}

/* A guest decides how many of its port's queues there are. */
static bool
dpx_port_is_guests(const struct dp_netdev_port *port)
{
    return !strncmp(port->type, "dpdkvhost", 9);
}

/* Every port has the rx queues it will have: says what of the lists in force
 * has no effect, if it is news. */
static void
dpx_affinity_note_remarks(const struct dp_netdev_port *port,
                          struct dpx_asked *asked)
{
    struct dpx_affinity affinity;
    char *error = dpx_affinity_parse(port->rxq_affinity_list, &affinity);
    char *remarks = dpx_affinity_remarks(&affinity, port->n_rxq);

    if (remarks && !nullable_string_is_equal(remarks, asked->remarks)) {
        VLOG(dpx_port_is_guests(port) ? VLL_DBG : VLL_INFO,
             "%s: pmd-rxq-affinity: %s", netdev_get_name(port->netdev),
             remarks);
    }
    free(asked->remarks);
    asked->remarks = remarks;
    dpx_affinity_destroy(&affinity);
    free(error);
}

/* All queues have been handed out. */
static void
dpx_affinity_scheduled(struct dp_netdev *dp)
{
    struct shash known = SHASH_INITIALIZER(&known);
    struct shash *all = &dp->dpx->asked;
    struct dp_netdev_port *port;
    struct shash_node *node;

    if (!dp->dpx->config.enable) {
        return;
    }
    HMAP_FOR_EACH (port, node, &dp->ports) {
        const char *name = netdev_get_name(port->netdev);
        struct dpx_asked *asked = shash_find_and_delete(all, name);

        if (asked) {
            dpx_affinity_note_remarks(port, asked);
            shash_add(&known, name, asked);
        }
    }
    /* What is left belongs to ports that are gone. */
    SHASH_FOR_EACH (node, all) {
        dpx_asked_destroy(node->data);
    }
    shash_clear(all);
    shash_swap(all, &known);
    shash_destroy(&known);
}

/* Adds what there is to say about the list of 'port'. */
static void
dpx_state_add_affinity(struct dpx_dpif_state *state, struct dp_netdev *dp,
                       const struct dp_netdev_port *port)
{
    const char *name = netdev_get_name(port->netdev);
    const struct dpx_asked *asked = shash_find_data(&dp->dpx->asked, name);

    if (asked && (asked->error || asked->remarks)) {
        state->affinities = xrealloc(state->affinities,
                                     (state->n_affinities + 1)
                                     * sizeof *state->affinities);
        state->affinities[state->n_affinities++] = (struct dpx_affinity_note) {
            .port = xstrdup(name),
            .error = nullable_xstrdup(asked->error),
            .in_force = nullable_xstrdup(port->rxq_affinity_list),
            .remarks = nullable_xstrdup(asked->remarks),
            .guest_decides = dpx_port_is_guests(port),
        };
    }
}
