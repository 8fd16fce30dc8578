/* SPDX-License-Identifier: Apache-2.0
 *
 * Part of dpx-dpif-glue.h, release 4.0 and later: dpif-netdev/pmd-stats-show
 * prints what it has printed since 2.11, which exporters and operators read.
 * Upstream made the name an alias of pmd-perf-show.  Main thread only. */

static double
dpx_ratio(uint64_t a, uint64_t b)
{
    return b ? (double) a / b : 0;
}

static void
dpx_pmd_stats_format(struct ds *s, struct dp_netdev_pmd_thread *pmd)
{
    uint64_t n[PMD_N_STATS], cycles, packets, busy;

    pmd_perf_read_counters(&pmd->perf_stats, n);
    packets = n[PMD_STAT_RECV];
    busy = n[PMD_CYCLES_ITER_BUSY];
    cycles = n[PMD_CYCLES_ITER_IDLE] + busy;

    format_pmd_thread(s, pmd);
    ds_put_format(s, "  packets received: %"PRIu64"\n", packets);
    ds_put_format(s, "  packet recirculations: %"PRIu64"\n",
                  n[PMD_STAT_RECIRC]);
    ds_put_format(s, "  avg. datapath passes per packet: %.02f\n",
                  dpx_ratio(packets + n[PMD_STAT_RECIRC], packets));
    ds_put_format(s, "  phwol hits: %"PRIu64"\n", n[PMD_STAT_PHWOL_HIT]);
    /* The counter went away with AVX512; readers expect its line. */
    ds_put_cstr(s, "  mfex opt hits: 0\n");
    ds_put_format(s, "  simple match hits: %"PRIu64"\n",
                  n[PMD_STAT_SIMPLE_HIT]);
    ds_put_format(s, "  emc hits: %"PRIu64"\n", n[PMD_STAT_EXACT_HIT]);
    ds_put_format(s, "  smc hits: %"PRIu64"\n", n[PMD_STAT_SMC_HIT]);
    ds_put_format(s, "  megaflow hits: %"PRIu64"\n", n[PMD_STAT_MASKED_HIT]);
    ds_put_format(s, "  avg. subtable lookups per megaflow hit: %.02f\n",
                  dpx_ratio(n[PMD_STAT_MASKED_LOOKUP],
                            n[PMD_STAT_MASKED_HIT]));
    ds_put_format(s, "  miss with success upcall: %"PRIu64"\n",
                  n[PMD_STAT_MISS]);
    ds_put_format(s, "  miss with failed upcall: %"PRIu64"\n",
                  n[PMD_STAT_LOST]);
    ds_put_format(s, "  avg. packets per output batch: %.02f\n",
                  dpx_ratio(n[PMD_STAT_SENT_PKTS], n[PMD_STAT_SENT_BATCHES]));
    if (!cycles) {
        return;
    }
    ds_put_format(s, "  idle cycles: %"PRIu64" (%.02f%%)\n",
                  n[PMD_CYCLES_ITER_IDLE],
                  100 * dpx_ratio(n[PMD_CYCLES_ITER_IDLE], cycles));
    ds_put_format(s, "  processing cycles: %"PRIu64" (%.02f%%)\n", busy,
                  100 * dpx_ratio(busy, cycles));
    if (!packets) {
        return;
    }
    ds_put_format(s, "  avg cycles per packet: %.02f (%"PRIu64"/%"PRIu64")\n",
                  dpx_ratio(cycles, packets), cycles, packets);
    ds_put_format(s, "  avg processing cycles per packet: %.02f"
                  " (%"PRIu64"/%"PRIu64")\n",
                  dpx_ratio(busy, packets), busy, packets);
}

/* Formats the threads of the datapath that 'args' names, or says what is
 * wrong with them. */
static char *
dpx_pmd_stats_run(const struct dpx_cmd *cmd, const struct dpx_cmd_args *args,
                  struct ds *s)
    OVS_REQUIRES(dp_netdev_mutex)
{
    struct dp_netdev_pmd_thread **pmds;
    struct dp_netdev *dp;
    int core_id = -1;
    size_t n, shown = 0;
    char *error;

    error = dpx_cmd_int(cmd, args, 0, 0, INT_MAX, &core_id);
    if (!error) {
        error = dpx_dp_find(args->n_words ? args->words[0] : NULL, &dp);
    }
    if (error) {
        return error;
    }
    sorted_poll_thread_list(dp, &pmds, &n);
    for (size_t i = 0; i < n; i++) {
        if (!args->options[0] || pmds[i]->core_id == core_id) {
            dpx_pmd_stats_format(s, pmds[i]);
            shown++;
        }
    }
    free(pmds);
    return shown ? NULL
           : xasprintf("\"%d\": no PMD thread on this core in datapath %s",
                       core_id, dp->name);
}

static void
dpx_pmd_stats_show(struct unixctl_conn *conn, int argc, const char *argv[],
                   void *aux OVS_UNUSED)
{
    static const struct dpx_cmd_option options[] = {
        { "-pmd", "CORE" },
        { NULL, NULL },
    };
    static const struct dpx_cmd cmd = {
        .name = "dpif-netdev/pmd-stats-show",
        .words = "[DP]",
        .max_words = 1,
        .options = options,
    };
    struct ds s = DS_EMPTY_INITIALIZER;
    struct dpx_cmd_args args;
    char *error;

    error = dpx_cmd_parse(&cmd, argc, argv, &args);
    if (!error) {
        ovs_mutex_lock(&dp_netdev_mutex);
        error = dpx_pmd_stats_run(&cmd, &args, &s);
        ovs_mutex_unlock(&dp_netdev_mutex);
    }
    if (error) {
        unixctl_command_reply_error(conn, error);
        free(error);
    } else {
        unixctl_command_reply(conn, ds_cstr(&s));
    }
    ds_destroy(&s);
}
