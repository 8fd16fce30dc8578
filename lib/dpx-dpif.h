/* SPDX-License-Identifier: Apache-2.0
 *
 * The narrow door to the userspace datapath: what commands and the database
 * publisher may ask of it.
 *
 * Everything here runs on the main thread, takes the datapath's own locks for
 * the time of the call and returns copies; no caller ever sees a private
 * structure of dpif-netdev.c. */

#ifndef DPX_DPIF_H
#define DPX_DPIF_H 1

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dpx-flow-query.h"
#include "dpx-heavy-hitters-top.h"
#include "dpx-history.h"
#include "dpx-load.h"
#include "dpx-placement.h"
#include "dpx-view.h"
#include "openvswitch/types.h"

/* What there is to say about pmd-rxq-affinity of a port. */
struct dpx_affinity_note {
    char *port;
    char *error;                /* Why the list in the database was refused,
                                 * quoting the word; null: it is in force. */
    char *in_force;             /* The list that is, or null: none. */
    char *remarks;              /* What of it has no effect, or null. */
    bool guest_decides;         /* How many queues the port has: then a queue
                                 * that it lacks may come. */
};

/* A datapath as it is now.  Free with dpx_dpif_state_destroy(). */
struct dpx_dpif_state {
    char *name;                 /* "ovs-netdev". */
    const char *policy;         /* pmd-rxq-assign in force. */
    bool enabled;               /* dpx-enable. */
    bool isolate;               /* pmd-rxq-isolate in force. */
    char *refused;              /* Options refused, or null. */
    struct dpx_placement_options options;
    bool handoff;               /* pmd-placement-handoff. */
    unsigned int window_s;      /* The loads are those of so many seconds. */
    struct dpx_view view;       /* PMDs by core, rx queues by port and id. */
    struct dpx_affinity_note *affinities;   /* In no order of its own. */
    size_t n_affinities;

    char *last_step;            /* Time (UTC) and cause of the last step that
                                 * moved a queue, or null. */
    uint64_t moves_total;       /* Queues moved by all steps. */

    /* The automatic mode; it works under pmd-rxq-assign=placement only. */
    bool auto_on;               /* pmd-auto-lb. */
    int auto_interval_s;        /* Between two checks. */
    double auto_load_threshold; /* Part of a core. */
    double auto_improvement;    /* 0.25: 25 %.  Also for queues placed by
                                 * hand. */
    char *auto_said;            /* What it did last or why not, or null. */
};

/* Reads the datapath 'name', or the only one if 'name' is null, with loads
 * over the last 'window_s' seconds (1 to DPX_LOAD_WINDOW_MAX_S).  Returns null
 * and sets '*statep', or returns an error to be freed. */
char *dpx_dpif_state_get(const char *name, unsigned int window_s,
                         struct dpx_dpif_state **statep);
void dpx_dpif_state_destroy(struct dpx_dpif_state *state);

/* Names of all userspace datapaths, sorted, a null pointer behind the last;
 * names and array are the caller's to free. */
char **dpx_dpif_names(void);

/* Counters of a PMD thread since dpif-netdev/pmd-stats-clear: packets, cycles
 * of the time stamp counter, or what the name says. */
enum dpx_pmd_counter {
    DPX_PMD_RX_PACKETS,         /* Received from ports. */
    DPX_PMD_RECIRCULATED,       /* Passes after the first. */
    DPX_PMD_PHWOL_HITS,         /* Packets that hardware had matched. */
    DPX_PMD_SIMPLE_HITS,        /* Lookups, by the tier that knew the flow. */
    DPX_PMD_EMC_HITS,
    DPX_PMD_SMC_HITS,
    DPX_PMD_MEGAFLOW_HITS,
    DPX_PMD_SUBTABLE_LOOKUPS,   /* For megaflow hits. */
    DPX_PMD_UPCALLS,            /* Packets that no tier knew. */
    DPX_PMD_FAILED_UPCALLS,     /* Dropped. */
    DPX_PMD_TX_PACKETS,
    DPX_PMD_TX_BATCHES,
    DPX_PMD_IDLE_CYCLES,        /* Of iterations that found no packet, */
    DPX_PMD_BUSY_CYCLES,        /* and of the others. */
    DPX_PMD_SLEEP_CYCLES,
    DPX_N_PMD_COUNTERS
};

/* "rx_packets"; static. */
const char *dpx_pmd_counter_name(enum dpx_pmd_counter);

struct dpx_pmd_counters {
    unsigned core_id;
    uint64_t n[DPX_N_PMD_COUNTERS];
};

/* Reads the counters of all PMD threads of datapath 'name' into '*countersp',
 * an array to be freed, and returns their number; 0 and null when there is no
 * such datapath, or no thread. */
size_t dpx_dpif_pmd_counters(const char *name,
                             struct dpx_pmd_counters **countersp);

/* What the automatic mode does, or why it does nothing; valid as long as
 * 'state'. */
const char *dpx_dpif_auto_text(const struct dpx_dpif_state *state);

/* Carries out the best plan in datapath 'name' (null: the only one), at once:
 * every thread that gains or loses a queue has its new list when this returns.
 * Returns null and sets '*stepp' to what was done, to be destroyed, or returns
 * an error to be freed: no such datapath, or placement does not decide
 * there. */
char *dpx_dpif_placement_apply(const char *name, struct dpx_step **stepp);

/* Puts one rx queue on the PMD of 'core', at once, and has it stay there until
 * a plan improves on it by the improvement threshold.  Returns as
 * dpx_dpif_placement_apply() does; an error also if there is no such port,
 * queue or PMD, or if pinning, isolation or the NUMA rule forbid it: then
 * nothing has changed. */
char *dpx_dpif_rxq_move(const char *name, const char *port, int queue_id,
                        unsigned int core, struct dpx_step **stepp);

/* Copies of the steps of a datapath, the newest first.  Free with
 * dpx_step_list_uninit(). */
struct dpx_step_list {
    char *name;                 /* Datapath. */
    struct dpx_step *steps[DPX_HISTORY_STEPS];
    size_t n;
};

/* Fills '*list'.  Returns null, or an error to be freed. */
char *dpx_dpif_history_get(const char *name, struct dpx_step_list *list);
void dpx_step_list_uninit(struct dpx_step_list *list);

/* Whose drops the device counts. */
enum dpx_drops_of {
    DPX_DROPS_UNKNOWN,
    DPX_DROPS_QUEUE,
    DPX_DROPS_PORT              /* Of all queues of the port together. */
};

/* What an rx queue counted since it was made: over reloads and moves, until
 * its port is deleted or has fewer queues. */
struct dpx_rxq_row {
    char *port;
    int queue_id;
    int core_id;                /* DPX_CORE_MAIN, DPX_CORE_NONE. */
    uint64_t packets, bytes;
    uint64_t bursts;            /* Polls that gave packets... */
    uint64_t full;              /* ...and as many as a poll may give. */
    uint64_t empty;             /* Polls that gave none. */
    int64_t cycles;             /* Negative: not known. */
    uint64_t drops;
    enum dpx_drops_of drops_of;
    int fill;                   /* Filled descriptors when it was looked at,
                                 * about a second ago; negative: not known. */
    struct dpx_load_rates rates;
};

/* By port and queue.  Free with dpx_rxq_list_destroy(). */
struct dpx_rxq_list {
    char *name;                 /* Datapath. */
    unsigned int window_s;      /* The rates are those of so many seconds. */
    struct dpx_rxq_row *rows;
    size_t n;
};

/* Reads the counters of the rx queues of 'port', or of all if it is null, in
 * datapath 'name' (null: the only one), with rates over the last 'window_s'
 * seconds (1 to DPX_LOAD_WINDOW_MAX_S).  Returns null and sets '*listp', or
 * returns an error to be freed. */
char *dpx_dpif_rxqs_get(const char *name, const char *port,
                        unsigned int window_s, struct dpx_rxq_list **listp);
void dpx_rxq_list_destroy(struct dpx_rxq_list *list);

/* A PMD thread's bursts that were timed, since it was started. */
struct dpx_flow_core {
    int core_id;                /* DPX_CORE_MAIN. */
    uint64_t bursts, packets, interrupted;
    double stages[DPX_N_STAGES];    /* Cycles per packet; negative: unknown. */
    double explained;           /* What all flows are estimated to cost, as a
                                 * part of the thread's busy cycles over the
                                 * last interval of the sweep; negative: not
                                 * known. */
    uint64_t sizes[DPX_COST_SIZES], times[DPX_COST_TIMES];
    double hz;                  /* Cycles per second; 0: not known. */
};

/* A megaflow that was picked, with what only its flow knows. */
struct dpx_flow_row {
    char *port;                 /* Port of its last burst, or null; */
    int queue_id;               /* its queue, or -1. */
    char *outputs;              /* Ports that its actions send to, or what they
                                 * do instead. */
    char *cores;                /* "0,3". */
    const char *offloaded;      /* "no", "partial" or "yes"; static. */
    double busy;                /* Part of a core's time that it takes;
                                 * negative: not known. */
    double first_s, last_s;     /* Age, and time since the last packet;
                                 * negative: never, or not known. */
    ovs_u128 ufid;
    char *match, *actions;
};

/* The answer, best first.  Free with dpx_flow_list_destroy(). */
struct dpx_flow_list {
    char *name;                 /* Datapath. */
    struct dpx_flow_picks picks;
    struct dpx_flow_row *rows;  /* One for each pick. */
    double age_s;               /* Age of the rates; negative: none yet. */
    double sweep_s;             /* How long the last sweep took; negative: no
                                 * sweep yet. */
    bool counting;              /* flow-stats. */
    struct dpx_flow_counts total;   /* Of all flows, here or gone... */
    struct dpx_flow_counts gone;    /* ...of those that are gone. */
    uint64_t n_gone;            /* Flows that are gone. */
    size_t memory;              /* Bytes that all this takes. */
    struct dpx_flow_core *cores;
    size_t n_cores;
};

/* Finds the megaflows of 'query' in datapath 'name' (null: the only one), as
 * of the last sweep; the rows asked for are refreshed.  A few thousand flows
 * are swept first.  Returns null and sets '*listp', or returns an error to be
 * freed. */
char *dpx_dpif_flows_get(const char *name, const struct dpx_flow_query *query,
                         struct dpx_flow_list **listp);
void dpx_flow_list_destroy(struct dpx_flow_list *list);

/* flow-stats-top in force in datapath 'name'; 0 without such a datapath, or if
 * nothing is counted. */
size_t dpx_dpif_flow_top(const char *name);

/* Has the counters of all megaflows in datapath 'name' (null: the only one)
 * start from zero for the commands of ovs-dpx; upstream's own stay.  Returns
 * null, and the datapath's name in '*dpp', to be freed; or an error to be
 * freed. */
char *dpx_dpif_flows_clear(const char *name, char **dpp);

/* Which heavy hitters, how many, by what. */
struct dpx_hitter_query {
    size_t n;                   /* Most rows wanted. */
    enum dpx_hh_weight rank;
    bool any_core;              /* False: only those of 'core_id'. */
    int core_id;
};

/* With what probability all that is said of one of them holds. */
#define DPX_HITTER_CONFIDENCE 0.99

/* The answer.  Free with dpx_hitter_list_destroy(). */
struct dpx_hitter_list {
    char *name;                 /* Datapath. */
    size_t n_threads;           /* That count; 0: it is switched off. */
    enum dpx_hh_kind kind;
    size_t memory;              /* Bytes of all threads. */
    struct dpx_hh_top *top;     /* Null without a thread. */
};

/* Takes snapshots of what the threads of datapath 'name' (null: the only one)
 * count, without stopping them, and merges them.  Returns null and sets
 * '*listp', or returns an error to be freed. */
char *dpx_dpif_hitters_get(const char *name, const struct dpx_hitter_query *,
                           struct dpx_hitter_list **listp);
void dpx_hitter_list_destroy(struct dpx_hitter_list *list);

/* Stores in '*loadsp' the load of each of the rx queues of 'port' (index:
 * queue id; a fraction of a core, or DPX_LOAD_UNKNOWN), to be freed, and
 * returns their number; 0 when no userspace datapath has such a port. */
size_t dpx_dpif_port_loads(const char *port, double **loadsp);

/* Stores in '*coresp' the core that polls each of the rx queues of 'port'
 * (index: queue id; DPX_CORE_MAIN, DPX_CORE_NONE), to be freed, and returns
 * their number; 0 when no userspace datapath has such a port. */
size_t dpx_dpif_port_cores(const char *port, int **coresp);

#endif /* dpx-dpif.h */
