/* SPDX-License-Identifier: Apache-2.0
 *
 * Part of dpx-dpif-glue.h: where in the machine a PMD thread and a port are.
 * Main thread only. */

/* NUMA node of 'netdev', or DPX_ID_UNKNOWN. */
static int
dpx_netdev_numa_id(const struct netdev *netdev)
{
    int numa_id = netdev_get_numa_id(netdev);

    return numa_id < 0 || numa_id == NETDEV_NUMA_UNSPEC ? DPX_ID_UNKNOWN
                                                        : numa_id;
}

/* Fills '*v' with 'pmd' and its place in the machine, its load unknown.  Every
 * picture of a datapath takes its threads from here. */
static void
dpx_view_fill_pmd(struct dpx_view_pmd *v,
                  const struct dp_netdev_pmd_thread *pmd)
{
    *v = (struct dpx_view_pmd) {
        .core_id = pmd->core_id,
        .numa_id = pmd->numa_id,
        .isolated = pmd->isolated,
        .busy = DPX_LOAD_UNKNOWN,
    };
    dpx_machine_place_pmd(v);
}

/* Looks now and then what else is at work on the cores of the PMD threads. */
static void
dpx_machine_run(struct dp_netdev *dp)
{
    struct dp_netdev_pmd_thread *pmd;
    struct dpx_view view = { .n_pmds = 0 };

    if (time_msec() < dp->dpx->next_cpus_ms) {
        return;
    }
    dp->dpx->next_cpus_ms = time_msec() + DPX_CPUS_INTERVAL_MS;
    view.pmds = xmalloc(cmap_count(&dp->poll_threads) * sizeof *view.pmds);
    CMAP_FOR_EACH (pmd, node, &dp->poll_threads) {
        if (pmd->core_id != NON_PMD_CORE_ID) {
            dpx_view_fill_pmd(&view.pmds[view.n_pmds++], pmd);
        }
    }
    if (view.n_pmds) {
        dpx_machine_sample_cpus(&view);
    }
    free(view.pmds);
}
