/* SPDX-License-Identifier: Apache-2.0
 *
 * Part of dpx-dpif-glue.h: names of the datapaths and counters of their PMD
 * threads, for the database.  Main thread only; takes dp_netdev_mutex. */

char **
dpx_dpif_names(void)
{
    const struct shash_node **nodes;
    char **names;
    size_t n;

    ovs_mutex_lock(&dp_netdev_mutex);
    n = shash_count(&dp_netdevs);
    nodes = shash_sort(&dp_netdevs);
    names = xcalloc(n + 1, sizeof *names);
    for (size_t i = 0; i < n; i++) {
        names[i] = xstrdup(nodes[i]->name);
    }
    free(nodes);
    ovs_mutex_unlock(&dp_netdev_mutex);
    return names;
}

static void
dpx_pmd_counters_fill(struct dpx_pmd_counters *counters,
                      struct dp_netdev_pmd_thread *pmd)
{
    static const enum pmd_stat_type sources[DPX_N_PMD_COUNTERS] = {
        [DPX_PMD_RX_PACKETS] = PMD_STAT_RECV,
        [DPX_PMD_RECIRCULATED] = PMD_STAT_RECIRC,
        [DPX_PMD_PHWOL_HITS] = PMD_STAT_PHWOL_HIT,
        [DPX_PMD_SIMPLE_HITS] = PMD_STAT_SIMPLE_HIT,
        [DPX_PMD_EMC_HITS] = PMD_STAT_EXACT_HIT,
        [DPX_PMD_SMC_HITS] = PMD_STAT_SMC_HIT,
        [DPX_PMD_MEGAFLOW_HITS] = PMD_STAT_MASKED_HIT,
        [DPX_PMD_SUBTABLE_LOOKUPS] = PMD_STAT_MASKED_LOOKUP,
        [DPX_PMD_UPCALLS] = PMD_STAT_MISS,
        [DPX_PMD_FAILED_UPCALLS] = PMD_STAT_LOST,
        [DPX_PMD_TX_PACKETS] = PMD_STAT_SENT_PKTS,
        [DPX_PMD_TX_BATCHES] = PMD_STAT_SENT_BATCHES,
        [DPX_PMD_IDLE_CYCLES] = PMD_CYCLES_ITER_IDLE,
        [DPX_PMD_BUSY_CYCLES] = PMD_CYCLES_ITER_BUSY,
        [DPX_PMD_SLEEP_CYCLES] = PMD_CYCLES_SLEEP,
    };
    uint64_t n[PMD_N_STATS];

    pmd_perf_read_counters(&pmd->perf_stats, n);
    counters->core_id = pmd->core_id;
    for (int i = 0; i < DPX_N_PMD_COUNTERS; i++) {
        counters->n[i] = n[sources[i]];
    }
}

size_t
dpx_dpif_pmd_counters(const char *name, struct dpx_pmd_counters **countersp)
{
    struct dp_netdev *dp;
    size_t n = 0;

    *countersp = NULL;
    ovs_mutex_lock(&dp_netdev_mutex);
    dp = shash_find_data(&dp_netdevs, name);
    if (dp) {
        struct dp_netdev_pmd_thread **list;
        size_t n_list;

        sorted_poll_thread_list(dp, &list, &n_list);
        *countersp = xcalloc(n_list, sizeof **countersp);
        for (size_t i = 0; i < n_list; i++) {
            if (list[i]->core_id != NON_PMD_CORE_ID) {
                dpx_pmd_counters_fill(&(*countersp)[n++], list[i]);
            }
        }
        free(list);
    }
    ovs_mutex_unlock(&dp_netdev_mutex);
    return n;
}
