/* SPDX-License-Identifier: Apache-2.0
 *
 * Glue to the userspace datapath: included at the end of dpif-netdev.c, the
 * only place where its private structures are known.
 *
 * It may lock, walk, copy and call a pure core; it decides nothing.  One part
 * per idea:
 *
 *   dpx-dpif-glue-flow-count.h  what the packet path counts of megaflows
 *   dpx-dpif-glue-count.h   what it counts of rx queues
 *   dpx-dpif-glue-drops.h   what the devices lost
 *   dpx-dpif-glue-sample.h  the samples that loads are made of
 *   dpx-dpif-glue-affinity.h  what pmd-rxq-affinity asked for
 *   dpx-dpif-glue-machine.h  where threads and ports are in the machine
 *   dpx-dpif-glue-poll.h    hand-off of rx queues: what a polling thread does
 *   dpx-dpif-glue-handoff.h  hand-off: what the main thread does
 *   dpx-dpif-glue-copy.h    the megaflows that go ahead of a queue
 *   dpx-dpif-glue-after.h   what a hand-off cost in its first second
 *   dpx-dpif-glue-step.h    why queues are handed out anew, what came of it
 *   dpx-dpif-glue-sched.h   asks the planner, carries its answer out
 *   dpx-dpif-glue-auto.h    the automatic mode
 *   dpx-dpif-glue-apply.h   moves queues on request
 *   dpx-dpif-glue-ledger.h  megaflows that are gone
 *   dpx-dpif-glue-hardware.h  what hardware counted
 *   dpx-dpif-glue-flows.h   brings what was counted to the main thread
 *   dpx-dpif-glue-flow-query.h  answers about megaflows
 *   dpx-dpif-glue-hitters.h  heavy hitters
 *   dpx-dpif-glue-state.h   pictures for commands and the database
 *   dpx-dpif-glue-rxq.h     the counters of rx queues
 *   dpx-dpif-glue-txq.h     by which tx queues threads send
 *   dpx-dpif-glue-txq-plan.h  places threads on tx queues
 *   dpx-dpif-glue-txq-show.h  pictures of tx queues
 *   dpx-dpif-glue-pmd-stats.h  pmd-stats-show where upstream dropped it
 *
 * This part: the life of a datapath, its options, and the work once a second.
 * Main thread only. */

#ifndef DPX_DPIF_GLUE_H
#define DPX_DPIF_GLUE_H 1

#include <pthread.h>
#include <time.h>

#include "dpx-affinity.h"
#include "dpx-auto.h"
#include "dpx-auto-facts.h"
#include "dpx-compat.h"
#include "dpx-config.h"
#include "dpx-counter.h"
#include "dpx-cpuset.h"
#include "dpx-dpif.h"
#include "dpx-dpif-txq.h"
#include "dpx-drops.h"
#include "dpx-flow-outputs.h"
#include "dpx-flow-table.h"
#include "dpx-heavy-hitters.h"
#include "dpx-heavy-hitters-frame.h"
#include "dpx-heavy-hitters-top.h"
#include "dpx-machine.h"
#include "dpx-history.h"
#include "dpx-netdev-dpdk.h"
#include "dpx-placement.h"
#include "dpx-placement-hand.h"
#include "dpx-tx.h"
#include "dpx-txq-affinity.h"
#include "dpx-txq-place.h"
#include "dpx-ukey.h"

/* How often counters are sampled and megaflows swept. */
#define DPX_SAMPLE_INTERVAL_MS 1000

/* How often it is seen what else runs on the cores of PMD threads. */
#define DPX_CPUS_INTERVAL_MS 5000

/* Load of a PMD thread, kept by core so that it outlives the thread. */
struct dpx_pmd_load {
    struct hmap_node node;      /* In 'pmd_loads' of struct dpx_dp. */
    unsigned core_id;
    struct dpx_load_sample clock;   /* When it was sampled last. */
    uint64_t cpu_ns;            /* The thread's CPU time then. */
    uint64_t sleep;             /* Cycles it had slept then. */
    uint64_t raw;               /* Busy cycles then... */
    uint64_t own;               /* ...and without time off the CPU. */
    double on_cpu;              /* Share of its time that it had the CPU. */
    struct dpx_load load;
};

/* Where the sweep over the megaflows is. */
struct dpx_sweep {
    bool active;
    unsigned core_id;           /* Thread being swept. */
    struct cmap_position pos;   /* Next flow in its table. */
    long long int started_ms;
    uint64_t busy_us;           /* What it took of the main thread's time. */

    /* Of the last one. */
    long long int done_ms;      /* When it ended; 0: none yet. */
    long long int took_ms;      /* From its start to its end. */
    long long int rest_until_ms;    /* Then the next one may start. */
};

/* What the placement engine remembers from one scheduling to the next. */
struct dpx_engine {
    /* The last scheduling. */
    bool in_force;              /* Placement decided it... */
    struct dpx_cpuset cores;    /* ...for threads on these cores... */
    size_t n_rxqs;              /* ...so many queues... */
    bool isolate;               /* ...and this pmd-rxq-isolate. */
    uint64_t last;              /* Its step in the history. */
    uint64_t moves_total;       /* Queues moved so far... */
    enum dpx_cause moved_cause; /* ...last for this cause... */
    long long int moved_ms;     /* ...at this time; 0: never. */

    /* The next one, or the one that is under way. */
    bool is_asked;              /* Somebody asked for it: */
    enum dpx_cause asked;
    enum dpx_cause cause;       /* Why it happens. */
    odp_port_t hand_port;       /* With DPX_CAUSE_HAND: which queue... */
    int hand_queue;
    unsigned hand_core;         /* ...goes where. */
    struct dpx_step *plan;      /* What was planned; null: nothing to. */

    struct dpx_history history;
    uint64_t watched;           /* Step whose load is still to be read... */
    long long int watch_ms;     /* ...at this time; 0: none. */

    struct dpx_auto automatic;
    bool auto_on;               /* The options that it goes by. */
    long long int auto_interval_ms;
    struct dpx_cpuset changed;  /* Cores that its last step changed. */
    char *said;                 /* Its last word, or null. */
};

/* What ovs-dpx keeps per datapath.  Main thread only. */
struct dpx_dp {
    struct dpx_config config;
    char *refused;              /* Options refused, or null. */
    long long int next_sample_ms;
    long long int next_cpus_ms;
    struct hmap pmd_loads;      /* Holds struct dpx_pmd_load. */
    struct shash asked;         /* Holds struct dpx_asked, by name of port. */
    struct dpx_sweep sweep;
    struct dpx_flow_table flows;
    struct dpx_ledger *ledger;  /* Of its flows. */
    struct ovs_list hitters;    /* Holds struct dpx_hitters_note. */
    bool counting;              /* flow-stats, and dpx-enable. */
    uint64_t tsc;               /* Time stamp counter... */
    struct timespec started;    /* ...at this time, of the monotonic clock. */
    struct dpx_engine engine;
    struct ovs_list moving;     /* Holds struct dpx_moving. */
    long long int retry_ms;     /* When queues are handed out anew because a
                                 * move was cancelled; 0: never. */
    long long int after_ms;     /* When the first second of a move is over; 0:
                                 * of none. */
};

static double dpx_hz(const struct dpx_dp *);
static void dpx_flows_tell(struct dp_netdev *);
static char *dpx_dp_find(const char *name, struct dp_netdev **);
static char *dpx_query_check(struct dp_netdev *, const struct dpx_flow_query *,
                             unsigned long **ports);

#include "dpx-dpif-glue-ledger.h"
#include "dpx-dpif-glue-hitters.h"
#include "dpx-dpif-glue-flow-count.h"
#include "dpx-dpif-glue-count.h"
#include "dpx-dpif-glue-drops.h"
#include "dpx-dpif-glue-sample.h"
#include "dpx-dpif-glue-affinity.h"
#include "dpx-dpif-glue-machine.h"
#include "dpx-dpif-glue-txq.h"
#include "dpx-dpif-glue-txq-plan.h"
#include "dpx-dpif-glue-poll.h"
#include "dpx-dpif-glue-copy.h"
#include "dpx-dpif-glue-after.h"
#include "dpx-dpif-glue-handoff.h"
#include "dpx-dpif-glue-step.h"
#include "dpx-dpif-glue-sched.h"
#include "dpx-dpif-glue-hardware.h"
#include "dpx-dpif-glue-flows.h"
#include "dpx-dpif-glue-state.h"
#include "dpx-dpif-glue-flow-query.h"
#include "dpx-dpif-glue-counters.h"
#include "dpx-dpif-glue-auto.h"
#include "dpx-dpif-glue-apply.h"
#include "dpx-dpif-glue-rxq.h"
#include "dpx-dpif-glue-txq-show.h"
#if DPX_OVS_RELEASE >= 400
#include "dpx-dpif-glue-pmd-stats.h"
#endif

/* Cycles per second of the time stamp counter, or 0 while that is not known.
 * By the real clock, also where tests warp time. */
static double
dpx_hz(const struct dpx_dp *dpx)
{
    struct pmd_perf_stats clock;
    struct timespec now;
    double seconds;

    clock_gettime(CLOCK_MONOTONIC, &now);
    seconds = (now.tv_sec - dpx->started.tv_sec
               + (now.tv_nsec - dpx->started.tv_nsec) / 1e9);
    return seconds < 0.1 ? 0
           : (cycles_counter_update(&clock) - dpx->tsc) / seconds;
}

static struct dpx_dp *
dpx_dp_create(void)
{
    struct dpx_dp *dpx = xzalloc(sizeof *dpx);
    struct pmd_perf_stats clock;

    dpx_config_init(&dpx->config);
    hmap_init(&dpx->pmd_loads);
    shash_init(&dpx->asked);
    dpx_flow_table_init(&dpx->flows);
    ovs_list_init(&dpx->hitters);
    dpx->ledger = dpx_ledger_create();
    clock_gettime(CLOCK_MONOTONIC, &dpx->started);
    dpx->tsc = cycles_counter_update(&clock);
    ovs_list_init(&dpx->moving);
    return dpx;
}

static void
dpx_dp_destroy(struct dpx_dp *dpx)
{
    struct dpx_pmd_load *pl;

    if (!dpx) {
        return;
    }
    dpx_hitters_stop(dpx);
    dpx_flows_stop(dpx);
    dpx_flow_table_uninit(&dpx->flows);
    dpx_ledger_destroy(dpx->ledger);
    HMAP_FOR_EACH_POP (pl, node, &dpx->pmd_loads) {
        free(pl);
    }
    hmap_destroy(&dpx->pmd_loads);
    dpx_affinity_destroy_all(dpx);
    dpx_engine_uninit(&dpx->engine);
    free(dpx->refused);
    free(dpx);
}

/* Warns once per set of refused values: the database is read again at every
 * change of anything. */
static void
dpx_note_refused(struct dpx_dp *dpx, char *refused)
{
    if (refused && !nullable_string_is_equal(refused, dpx->refused)) {
        VLOG_WARN("other_config refused: %s", refused);
    }
    free(dpx->refused);
    dpx->refused = refused;
}

static void
dpx_set_config(struct dp_netdev *dp, const struct smap *other_config)
{
    struct dpx_dp *dpx = dp->dpx;
    bool was_enabled = dpx->config.enable;

    dpx_note_refused(dpx, dpx_config_parse(&dpx->config, other_config));
    dpx_flows_configure(dp);
    if (dpx->config.enable != was_enabled) {
        /* Names the rx queues again, or takes their names away, and under
         * pmd-rxq-assign=placement hands the choice back to stock. */
        dpx_txq_enable_changed(dp);
        dp_netdev_request_reconfigure(dp);
    }
}

static void
dpx_run(struct dp_netdev *dp)
    OVS_REQ_RDLOCK(dp->port_rwlock)
{
    struct dpx_dp *dpx = dp->dpx;

    dpx_handoff_background(dp);
    dpx_after_run(dp);
    if (!dpx->config.enable) {
        return;
    }
    if (time_msec() >= dpx->next_sample_ms) {
        dpx->next_sample_ms = time_msec() + DPX_SAMPLE_INTERVAL_MS;
        dpx_sample(dp);
        dpx_txq_sample(dp);
        dpx_machine_run(dp);
        dpx_flows_tell(dp);
        if (dpx->counting) {
            dpx_sweep_start(&dpx->sweep);
        }
        dpx_engine_run(dp);
    }
    dpx_sweep_run(dp);
}

static void
dpx_wait(const struct dp_netdev *dp)
{
    const struct dpx_dp *dpx = dp->dpx;

    dpx_handoff_wait(dpx);
    dpx_after_wait(dpx);
    if (!dpx->config.enable) {
        return;
    }
    if (dpx->sweep.active) {
        poll_immediate_wake();
    } else {
        poll_timer_wait_until(dpx->next_sample_ms);
    }
}

#endif /* dpx-dpif-glue.h */
