/* SPDX-License-Identifier: Apache-2.0
 *
 * Part of dpx-dpif-glue.h: heavy hitters of PMD threads.
 *
 * The main thread makes a counter for each thread, publishes it by a pointer
 * and takes it back; what is taken back is freed after a grace period, and a
 * thread is not quiescent within a burst.  So a thread never waits, and finds
 * a counter or none.  A snapshot is taken while the thread goes on. */

/* A thread's counter.  Main: makes and frees.  The thread: all the rest. */
struct dpx_hitters {
    enum dpx_hh_kind kind;
    struct dpx_hh *table;
    struct dpx_hh_burst burst;
};

/* Main's note of a counter that a thread has. */
struct dpx_hitters_note {
    struct ovs_list node;       /* In 'hitters' of struct dpx_dp. */
    struct dp_netdev_pmd_thread *pmd;   /* May be gone: not to be followed. */
    struct dpx_hitters *hitters;
};

/* A burst has come: makes the keys of those of its packets that are counted.
 * They travel together from memory, where most have to come from. */
static inline void
dpx_hitters_burst(struct dpx_hitters *h, const struct dp_packet_batch *batch)
{
    size_t n = dp_packet_batch_size(batch);
    uint8_t at[DPX_HH_BURST];
    size_t n_at;

    n_at = dpx_hh_sample(h->table, MIN(n, DPX_HH_BURST), at);
    for (size_t i = 0; i < n_at; i++) {
        OVS_PREFETCH(dp_packet_data(batch->packets[at[i]]));
    }
    for (size_t i = 0; i < n_at; i++) {
        const struct dp_packet *packet = batch->packets[at[i]];
        uint32_t bytes = dp_packet_size(packet);

        if (packet->packet_type == htonl(PT_ETH)
            && !dpx_hh_frame_key(dpx_hh_next(&h->burst, bytes), h->kind,
                                 dp_packet_data(packet), bytes)) {
            dpx_hh_drop(&h->burst);     /* Not of IP. */
        }
    }
    dpx_hh_prefetch(h->table, &h->burst);
}

static inline struct dpx_hitters *
dpx_hitters_get(struct dp_netdev_pmd_thread *pmd)
{
    return ovsrcu_get(struct dpx_hitters *, &pmd->dpx_flows.hitters);
}

static inline void
dpx_hitters_received(struct dp_netdev_pmd_thread *pmd,
                     const struct dp_packet_batch *batch)
{
    struct dpx_hitters *h = dpx_hitters_get(pmd);

    if (OVS_UNLIKELY(h)) {
        dpx_hitters_burst(h, batch);
    }
}

/* The burst has been worked off, and the table's lines have come. */
static inline void
dpx_hitters_done(struct dp_netdev_pmd_thread *pmd)
{
    struct dpx_hitters *h = dpx_hitters_get(pmd);

    if (OVS_UNLIKELY(h) && h->burst.n) {
        dpx_hh_commit(h->table, &h->burst);
    }
}

static void
dpx_hitters_destroy(struct dpx_hitters *h)
{
    dpx_hh_destroy(h->table);
    free(h);
}

static struct dpx_hitters *
dpx_hitters_create(const struct dpx_config *config)
{
    struct dpx_hitters *h = xzalloc(sizeof *h);

    h->kind = config->hitters_key;
    h->table = dpx_hh_create(&(struct dpx_hh_config) {
        .size = config->hitters_size,
        .sampling = config->hitters_sampling,
        .weight = DPX_HH_PACKETS,
    });
    return h;
}

static void
dpx_hitters_note_free(struct dpx_hitters_note *note)
{
    ovs_list_remove(&note->node);
    ovsrcu_postpone(dpx_hitters_destroy, note->hitters);
    free(note);
}

static bool
dpx_hitters_as_wanted(const struct dpx_hitters *h,
                      const struct dpx_config *config)
{
    return h->kind == config->hitters_key
           && h->table->config.size == (size_t) config->hitters_size
           && h->table->config.sampling == (uint32_t) config->hitters_sampling;
}

/* Gives up the counters of threads that are gone, and those that are not
 * wanted (any more, or like this). */
static void
dpx_hitters_sweep(struct dp_netdev *dp, bool wanted)
{
    struct dpx_hitters_note *note, *next;

    LIST_FOR_EACH_SAFE (note, next, node, &dp->dpx->hitters) {
        struct dp_netdev_pmd_thread *pmd;
        bool there = false;

        CMAP_FOR_EACH (pmd, node, &dp->poll_threads) {
            if (pmd == note->pmd && dpx_hitters_get(pmd) == note->hitters) {
                there = true;
                break;
            }
        }
        if (there && wanted
            && dpx_hitters_as_wanted(note->hitters, &dp->dpx->config)) {
            continue;
        }
        if (there) {
            ovsrcu_set(&note->pmd->dpx_flows.hitters, NULL);
        }
        dpx_hitters_note_free(note);
    }
}

/* Brings the threads' counters in line with the options. */
static void
dpx_hitters_tell(struct dp_netdev *dp)
{
    struct dpx_dp *dpx = dp->dpx;
    bool wanted = dpx->config.enable && dpx->config.hitters;
    struct dp_netdev_pmd_thread *pmd;

    dpx_hitters_sweep(dp, wanted);
    CMAP_FOR_EACH (pmd, node, &dp->poll_threads) {
        if (wanted && pmd->core_id != NON_PMD_CORE_ID
            && !dpx_hitters_get(pmd)) {
            struct dpx_hitters_note *note = xmalloc(sizeof *note);

            note->pmd = pmd;
            note->hitters = dpx_hitters_create(&dpx->config);
            ovs_list_push_back(&dpx->hitters, &note->node);
            ovsrcu_set(&pmd->dpx_flows.hitters, note->hitters);
        }
    }
}

/* All threads are gone. */
static void
dpx_hitters_stop(struct dpx_dp *dpx)
{
    struct dpx_hitters_note *note, *next;

    LIST_FOR_EACH_SAFE (note, next, node, &dpx->hitters) {
        dpx_hitters_note_free(note);
    }
}

static void
dpx_hitters_clear(struct dpx_dp *dpx)
{
    struct dpx_hitters_note *note;

    LIST_FOR_EACH (note, node, &dpx->hitters) {
        dpx_hh_clear(note->hitters->table);
    }
}

/* Fills 'list' from the threads that 'query' is about. */
static void
dpx_hitters_collect(struct dp_netdev *dp, const struct dpx_hitter_query *query,
                    struct dpx_hitter_list *list)
{
    struct dpx_hh_snapshot **snapshots;
    struct dpx_hitters_note *note;
    size_t n = 0;

    snapshots = xcalloc(ovs_list_size(&dp->dpx->hitters) + 1,
                        sizeof *snapshots);
    LIST_FOR_EACH (note, node, &dp->dpx->hitters) {
        /* The note's thread is there: dpx_hitters_tell() has seen to it. */
        if (query->any_core
            || note->pmd->core_id == (unsigned) query->core_id) {
            list->kind = note->hitters->kind;
            list->memory += dpx_hh_memory(note->hitters->table);
            snapshots[n++] = dpx_hh_snapshot(note->hitters->table);
        }
    }
    list->n_threads = n;
    if (n) {
        list->top = dpx_hh_top(snapshots, n, query->n, query->rank,
                               DPX_HITTER_CONFIDENCE);
    }
    while (n) {
        dpx_hh_snapshot_destroy(snapshots[--n]);
    }
    free(snapshots);
}

char *
dpx_dpif_hitters_get(const char *name, const struct dpx_hitter_query *query,
                     struct dpx_hitter_list **listp)
{
    struct dp_netdev *dp;
    char *error;

    *listp = NULL;
    ovs_mutex_lock(&dp_netdev_mutex);
    error = dpx_dp_find(name, &dp);
    if (!error) {
        struct dpx_flow_query who = {
            .any_core = query->any_core, .core_id = query->core_id,
        };
        unsigned long *ports;

        ovs_rwlock_rdlock(&dp->port_rwlock);
        error = dpx_query_check(dp, &who, &ports);
        ovs_rwlock_unlock(&dp->port_rwlock);
    }
    if (!error) {
        *listp = xzalloc(sizeof **listp);
        (*listp)->name = xstrdup(dp->name);
        dpx_hitters_tell(dp);
        dpx_hitters_collect(dp, query, *listp);
    }
    ovs_mutex_unlock(&dp_netdev_mutex);
    return error;
}
