/* SPDX-License-Identifier: Apache-2.0
 *
 * The netdev "dpx-paced" as its class and its commands see it; for nobody
 * else.  Configuration is the main thread's; threads that poll or send touch
 * 'rx' and 'tx' only, and never while these are changed. */

#ifndef NETDEV_DPX_PACED_PRIVATE_H
#define NETDEV_DPX_PACED_PRIVATE_H 1

#include "dpx-paced-config.h"
#include "dpx-paced-rx.h"
#include "dpx-paced-sink.h"
#include "dpx-paced-tx.h"
#include "netdev-provider.h"
#include "openvswitch/list.h"
#include "openvswitch/thread.h"

/* Protects 'dpx_paced_devs' and the numbers. */
extern struct ovs_mutex dpx_paced_mutex;
extern struct ovs_list dpx_paced_devs;  /* Of struct dpx_paced_dev, by
                                         * number. */

struct dpx_paced_dev {
    struct netdev up;
    struct ovs_list node;           /* In 'dpx_paced_devs'. */
    uint16_t number;                /* Below DPX_PACED_PORTS_MAX. */
    uint8_t epoch;

    /* Protects the members below, and 'rx' and 'tx' from being changed.
     * Inside 'dpx_paced_mutex'. */
    struct ovs_mutex mutex;
    enum netdev_flags flags;
    int asked_n_txq;                /* By the datapath. */
    struct dpx_paced_config config; /* As set; in force after the next
                                     * reconfiguration, except the rates. */
    struct dpx_paced_pcap *next_pcap;   /* Contents of 'config.rx_pcap'. */
    bool configured;                /* Options were accepted once. */
    char *refused;                  /* Why the last ones were not, or null. */

    /* In force.  A rate may have been changed by command since it was
     * configured. */
    uint64_t rates[DPX_PACED_QUEUES_MAX];
    int numa_id;
    struct dpx_paced_pcap *pcap;
    struct dpx_paced_flows *flows;
    struct dpx_paced_rx **rx;
    struct dpx_paced_tx **tx;
    int n_rx, n_tx;
    struct dpx_paced_sink sink;

    /* Of queues that are no more. */
    struct dpx_paced_rx_totals old_rx;
    struct dpx_paced_tx_totals old_tx;
};

static inline struct dpx_paced_dev *
dpx_paced_dev_cast(const struct netdev *netdev)
{
    return CONTAINER_OF(netdev, struct dpx_paced_dev, up);
}

/* Callbacks of the class: options. */
int dpx_paced_set_config(struct netdev *, const struct smap *, char **errp);
int dpx_paced_get_config(const struct netdev *, struct smap *);
int dpx_paced_get_status(const struct netdev *, struct smap *);

/* Callbacks of the class: statistics. */
int dpx_paced_get_stats(const struct netdev *, struct netdev_stats *);
int dpx_paced_get_custom_stats(const struct netdev *,
                               struct netdev_custom_stats *);

/* Adds the 'size' bytes at 'from', all counters of 64 bits, to 'to'. */
void dpx_paced_add_totals(void *to, const void *from, size_t size);

/* Registers the commands. */
void dpx_paced_cmd_register(void);

#endif /* netdev-dpx-paced-private.h */
