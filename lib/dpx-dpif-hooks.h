/* SPDX-License-Identifier: Apache-2.0
 *
 * What the hook lines in dpif-netdev.c call.
 *
 * Included at its top; the bodies are in dpx-dpif-glue.h, included at its end
 * where the private structures are known, and the compiler inlines the small
 * ones.  Each function is called from one place, named in
 * Documentation/hooks.rst. */

#ifndef DPX_DPIF_HOOKS_H
#define DPX_DPIF_HOOKS_H 1

#include "compiler.h"
#include "dpx-cmd.h"
#include "dpx-compat.h"
#include "dpx-dpif-types.h"

struct dp_netdev;
struct dp_packet;
struct dp_packet_batch;
struct dp_netdev_flow;
struct dp_netdev_pmd_thread;
struct dp_netdev_port;
struct dp_netdev_rxq;
struct dpx_dp;
struct dpx_tx;
struct polled_queue;
struct sched_numa_list;
struct sched_pmd;
struct smap;
struct tx_port;
struct unixctl_conn;

/* Life of a datapath.  Main thread. */
static struct dpx_dp *dpx_dp_create(void);
static void dpx_dp_destroy(struct dpx_dp *);
static void dpx_set_config(struct dp_netdev *, const struct smap *);
static void dpx_affinity_asked(struct dp_netdev *,
                               const struct dp_netdev_port *,
                               const char *list);
static void dpx_txq_asked(struct dp_netdev *, struct dp_netdev_port *,
                          const char *list);
static void dpx_run(struct dp_netdev *);
static void dpx_wait(const struct dp_netdev *);

/* Scheduling.  Main thread, port_rwlock held for reading.  'algo' is
 * upstream's enum sched_assignment_type: an int here, because the type is not
 * known yet where this header is included. */
static void dpx_sched_plan(struct dp_netdev *, int algo,
                           struct sched_numa_list *,
                           struct dp_netdev_rxq **rxqs, unsigned n_rxqs);
static struct sched_pmd *dpx_sched_pick(int algo, struct sched_numa_list *,
                                        const struct dp_netdev_rxq *,
                                        struct sched_pmd *stock);
static void dpx_scheduled(struct dp_netdev *);

/* Tx queues of a port.  Main thread. */
static struct dpx_tx *dpx_tx_of(const struct dp_netdev_pmd_thread *,
                                struct dp_netdev_port *);
static void dpx_port_tx_destroy(struct dp_netdev_port *);

/* Before anything of a reconfiguration.  Main thread, port_rwlock held for
 * reading. */
static void dpx_reconfigure(struct dp_netdev *);

/* Hand-off of rx queues.  The PMD thread itself; dpx_listed() with its
 * 'port_mutex' held. */
static inline bool dpx_rxq_turn(struct dp_netdev_pmd_thread *,
                                const struct polled_queue *,
                                uint64_t *sleep_time);
static inline int dpx_relist(struct dp_netdev_pmd_thread *,
                             struct polled_queue **, int n);
static inline void dpx_listed(struct dp_netdev_pmd_thread *);
static inline bool dpx_rxq_accounts(const struct dp_netdev_pmd_thread *,
                                    struct dp_netdev_rxq *);

/* Upstream's own automatic balancing.  Main thread. */
static void dpx_rebalance_requested(struct dp_netdev *);
static bool dpx_places(const struct dp_netdev *);

/* In place of netdev_send().  The thread that sends. */
static inline void dpx_tx_send(const struct dp_netdev_pmd_thread *,
                               struct tx_port *, int queue, bool concurrent);
static inline void dpx_tx_send_hashed(struct tx_port *, int queue);

/* Packet path: the thread that polls the queue, or owns the flow.  They count
 * and do nothing else. */
static inline void dpx_rxq_poll(struct dp_netdev_pmd_thread *,
                                struct dp_netdev_rxq *, int *fill,
                                int **fillp);
static inline void dpx_rxq_polled(struct dp_netdev_pmd_thread *,
                                  struct dp_netdev_rxq *,
                                  const struct dp_packet_batch *,
                                  const int *fill);
static inline void dpx_rxq_done(struct dp_netdev_pmd_thread *);
static inline void dpx_rxq_set_cycles(struct dp_netdev_rxq *, int type,
                                      unsigned long long cycles);
static inline void dpx_flow_hit(struct dp_netdev_flow *,
                                const struct dp_netdev_pmd_thread *,
                                enum dpx_flow_tier);
static inline void dpx_flow_burst(struct dp_netdev_flow *,
                                  struct dp_netdev_pmd_thread *,
                                  const struct dp_packet_batch *);
static inline void dpx_flow_burst_end(struct dp_netdev_pmd_thread *);
#if DPX_OVS_RELEASE < 400
static inline void dpx_flow_burst_untold(struct dp_netdev_flow *,
                                         const struct dp_netdev_pmd_thread *,
                                         const struct dp_packet_batch *);
#endif
static inline void dpx_input(struct dp_netdev_pmd_thread *,
                             const struct dp_packet_batch *, bool again);
static inline uint32_t dpx_upcall(struct dp_netdev_pmd_thread *,
                                  const struct dp_packet *);
static inline void dpx_flow_upcall(struct dp_netdev_flow *,
                                   struct dp_netdev_pmd_thread *,
                                   uint32_t bytes, uint64_t start);

#if DPX_OVS_RELEASE >= 400
/* Command dpif-netdev/pmd-stats-show.  Main thread. */
static void dpx_pmd_stats_show(struct unixctl_conn *, int argc,
                               const char *argv[], void *aux);
#endif

/* A new megaflow, before anyone can see it; and one that nobody finds any
 * more.  Any thread, 'flow_mutex' of the PMD thread held. */
static inline void dpx_flow_init(struct dp_netdev_flow *,
                                 const struct dp_netdev_pmd_thread *);
static void dpx_flow_removed(struct dp_netdev_flow *);

#endif /* dpx-dpif-hooks.h */
