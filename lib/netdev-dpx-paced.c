/* SPDX-License-Identifier: Apache-2.0
 *
 * Netdev class "dpx-paced": life cycle and queues.  What a queue does is in
 * dpx-paced-rx.c and dpx-paced-tx.c. */

#include <config.h>
#include "netdev-dpx-paced.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "dp-packet.h"
#include "netdev-dpx-paced-private.h"
#include "ovs-thread.h"
#include "packets.h"
#include "smap.h"
#include "util.h"

struct ovs_mutex dpx_paced_mutex = OVS_MUTEX_INITIALIZER;
struct ovs_list dpx_paced_devs OVS_GUARDED_BY(dpx_paced_mutex)
    = OVS_LIST_INITIALIZER(&dpx_paced_devs);

struct paced_rxq {
    struct netdev_rxq up;
    struct dpx_paced_rx *rx;        /* The netdev's. */
};

/* Gives 'dev' the least free number and a place in the list.  A number's next
 * owner has the next epoch, so that a sink does not take its packets for
 * those of the owner before. */
static bool
dev_enlist(struct dpx_paced_dev *dev)
{
    static uint8_t epochs[DPX_PACED_PORTS_MAX];
    struct ovs_list *before = &dpx_paced_devs;
    struct dpx_paced_dev *other;
    int number = 0;
    bool ok;

    ovs_mutex_lock(&dpx_paced_mutex);
    LIST_FOR_EACH (other, node, &dpx_paced_devs) {
        if (other->number != number) {
            before = &other->node;
            break;
        }
        number++;
    }
    ok = number < DPX_PACED_PORTS_MAX;
    if (ok) {
        dev->number = number;
        dev->epoch = epochs[number]++;
        ovs_list_insert(before, &dev->node);
    }
    ovs_mutex_unlock(&dpx_paced_mutex);
    return ok;
}

/* Makes it 'n_rx' rx queues and 'n_tx' tx queues; those that stay keep
 * sequence numbers and counters. */
static void
resize_queues(struct dpx_paced_dev *dev, int n_rx, int n_tx)
{
    const char *name = netdev_get_name(&dev->up);

    for (; dev->n_rx > n_rx; dev->n_rx--) {
        struct dpx_paced_rx_totals totals;

        dpx_paced_rx_totals(dev->rx[dev->n_rx - 1], &totals);
        dpx_paced_add_totals(&dev->old_rx, &totals, sizeof totals);
        dpx_paced_rx_destroy(dev->rx[dev->n_rx - 1]);
    }
    dev->rx = xrealloc(dev->rx, n_rx * sizeof *dev->rx);
    for (; dev->n_rx < n_rx; dev->n_rx++) {
        dev->rx[dev->n_rx] = dpx_paced_rx_create(name, dev->n_rx);
    }

    for (; dev->n_tx > n_tx; dev->n_tx--) {
        struct dpx_paced_tx_totals totals;

        dpx_paced_tx_totals(dev->tx[dev->n_tx - 1], &totals);
        dpx_paced_add_totals(&dev->old_tx, &totals, sizeof totals);
        dpx_paced_tx_destroy(dev->tx[dev->n_tx - 1]);
    }
    dev->tx = xrealloc(dev->tx, n_tx * sizeof *dev->tx);
    for (; dev->n_tx < n_tx; dev->n_tx++) {
        dev->tx[dev->n_tx] = dpx_paced_tx_create(name, dev->n_tx,
                                                 &dev->sink);
    }
    dev->up.n_rxq = n_rx;
    dev->up.n_txq = n_tx;
}

/* Puts 'dev->config' in force.  Nobody polls or sends. */
static void
apply_config(struct dpx_paced_dev *dev)
    OVS_REQUIRES(dev->mutex)
{
    const struct dpx_paced_config *config = &dev->config;
    struct dpx_paced_stamp stamp = {
        .port = dev->number,
        .epoch = dev->epoch,
    };
    int n_tx = config->n_txq ? config->n_txq : dev->asked_n_txq;

    if (dev->pcap != dev->next_pcap) {
        dpx_paced_pcap_destroy(dev->pcap);
        dev->pcap = dev->next_pcap;
    }
    dpx_paced_flows_destroy(dev->flows);
    dev->flows = dpx_paced_flows_create(config->n_flows, config->skew);
    dev->numa_id = config->numa_id;

    resize_queues(dev, config->n_rxq, n_tx);
    for (int i = 0; i < dev->n_rx; i++) {
        stamp.queue = i;
        dpx_paced_rx_setup(dev->rx[i], config, &stamp, dev->flows,
                           dev->pcap);
        atomic_store_relaxed(&dev->rx[i]->rate, dev->rates[i]);
        atomic_store_relaxed(&dev->rx[i]->up,
                             (dev->flags & NETDEV_UP) != 0);
    }
    for (int i = 0; i < dev->n_tx; i++) {
        dpx_paced_tx_setup(dev->tx[i], config);
    }
}

static struct netdev *
paced_alloc(void)
{
    struct dpx_paced_dev *dev = xzalloc_cacheline(sizeof *dev);

    return &dev->up;
}

static void
paced_dealloc(struct netdev *netdev)
{
    free_cacheline(dpx_paced_dev_cast(netdev));
}

static int
paced_construct(struct netdev *netdev)
{
    struct smap no_options = SMAP_INITIALIZER(&no_options);
    struct dpx_paced_dev *dev = dpx_paced_dev_cast(netdev);

    if (!dev_enlist(dev)) {
        return ENOSPC;
    }
    ovs_mutex_init(&dev->mutex);
    ovs_mutex_lock(&dev->mutex);
    dev->flags = NETDEV_UP;
    dev->asked_n_txq = 1;
    dpx_paced_sink_init(&dev->sink);
    free(dpx_paced_config_parse(&dev->config, &no_options));
    apply_config(dev);
    ovs_mutex_unlock(&dev->mutex);
    return 0;
}

static void
paced_destruct(struct netdev *netdev)
{
    struct dpx_paced_dev *dev = dpx_paced_dev_cast(netdev);

    ovs_mutex_lock(&dpx_paced_mutex);
    ovs_list_remove(&dev->node);
    ovs_mutex_unlock(&dpx_paced_mutex);

    resize_queues(dev, 0, 0);
    free(dev->rx);
    free(dev->tx);
    dpx_paced_sink_destroy(&dev->sink);
    dpx_paced_flows_destroy(dev->flows);
    if (dev->next_pcap != dev->pcap) {
        dpx_paced_pcap_destroy(dev->next_pcap);
    }
    dpx_paced_pcap_destroy(dev->pcap);
    dpx_paced_config_destroy(&dev->config);
    free(dev->refused);
    ovs_mutex_destroy(&dev->mutex);
}

static int
paced_reconfigure(struct netdev *netdev)
{
    struct dpx_paced_dev *dev = dpx_paced_dev_cast(netdev);

    ovs_mutex_lock(&dev->mutex);
    apply_config(dev);
    netdev_change_seq_changed(netdev);
    ovs_mutex_unlock(&dev->mutex);
    return 0;
}

static int
paced_get_numa_id(const struct netdev *netdev)
{
    struct dpx_paced_dev *dev = dpx_paced_dev_cast(netdev);
    int numa_id;

    ovs_mutex_lock(&dev->mutex);
    numa_id = dev->numa_id;
    ovs_mutex_unlock(&dev->mutex);
    return numa_id;
}

static int
paced_set_tx_multiq(struct netdev *netdev, unsigned int n_txq)
{
    struct dpx_paced_dev *dev = dpx_paced_dev_cast(netdev);
    int n = MIN(n_txq, DPX_PACED_QUEUES_MAX);

    ovs_mutex_lock(&dev->mutex);
    if (n != dev->asked_n_txq) {
        dev->asked_n_txq = n;
        if (!dev->config.n_txq) {
            netdev_request_reconfigure(netdev);
        }
    }
    ovs_mutex_unlock(&dev->mutex);
    return 0;
}

static int
paced_send(struct netdev *netdev, int qid, struct dp_packet_batch *batch,
           bool concurrent_txq)
{
    struct dpx_paced_dev *dev = dpx_paced_dev_cast(netdev);

    dpx_paced_tx_send(dev->tx[qid], batch, concurrent_txq);
    return 0;
}

static int
paced_get_etheraddr(const struct netdev *netdev, struct eth_addr *mac)
{
    uint16_t number = dpx_paced_dev_cast(netdev)->number;

    /* Not one that its packets come from. */
    *mac = (struct eth_addr) {
        .ea = { 0x06, 0x64, 0x70, number >> 8, number & 0xff, 0 }
    };
    return 0;
}

static int
paced_get_mtu(const struct netdev *netdev, int *mtu)
{
    struct dpx_paced_dev *dev = dpx_paced_dev_cast(netdev);

    ovs_mutex_lock(&dev->mutex);
    *mtu = MAX(ETH_PAYLOAD_MAX, dev->config.frame_size - DPX_PACED_FCS
                                - ETH_HEADER_LEN);
    ovs_mutex_unlock(&dev->mutex);
    return 0;
}

static int
paced_update_flags(struct netdev *netdev, enum netdev_flags off,
                   enum netdev_flags on, enum netdev_flags *old_flagsp)
{
    struct dpx_paced_dev *dev = dpx_paced_dev_cast(netdev);

    if ((off | on) & ~(NETDEV_UP | NETDEV_PROMISC)) {
        return EINVAL;
    }
    ovs_mutex_lock(&dev->mutex);
    *old_flagsp = dev->flags;
    dev->flags = (dev->flags | on) & ~off;
    if (dev->flags != *old_flagsp) {
        for (int i = 0; i < dev->n_rx; i++) {
            atomic_store_relaxed(&dev->rx[i]->up,
                                 (dev->flags & NETDEV_UP) != 0);
        }
        netdev_change_seq_changed(netdev);
    }
    ovs_mutex_unlock(&dev->mutex);
    return 0;
}

static struct netdev_rxq *
paced_rxq_alloc(void)
{
    struct paced_rxq *rxq = xzalloc(sizeof *rxq);

    return &rxq->up;
}

static int
paced_rxq_construct(struct netdev_rxq *rxq)
{
    struct dpx_paced_dev *dev = dpx_paced_dev_cast(rxq->netdev);

    if (rxq->queue_id < 0 || rxq->queue_id >= dev->n_rx) {
        return EINVAL;
    }
    CONTAINER_OF(rxq, struct paced_rxq, up)->rx = dev->rx[rxq->queue_id];
    return 0;
}

static void
paced_rxq_destruct(struct netdev_rxq *rxq OVS_UNUSED)
{
}

static void
paced_rxq_dealloc(struct netdev_rxq *rxq)
{
    free(CONTAINER_OF(rxq, struct paced_rxq, up));
}

static int
paced_rxq_recv(struct netdev_rxq *rxq, struct dp_packet_batch *batch,
               int *qfill)
{
    return dpx_paced_rx_recv(CONTAINER_OF(rxq, struct paced_rxq, up)->rx,
                             batch, qfill);
}

static const struct netdev_class paced_class = {
    .type = "dpx-paced",
    .is_pmd = true,
    .alloc = paced_alloc,
    .construct = paced_construct,
    .destruct = paced_destruct,
    .dealloc = paced_dealloc,
    .get_config = dpx_paced_get_config,
    .set_config = dpx_paced_set_config,
    .get_numa_id = paced_get_numa_id,
    .set_tx_multiq = paced_set_tx_multiq,
    .send = paced_send,
    .get_etheraddr = paced_get_etheraddr,
    .get_mtu = paced_get_mtu,
    .get_stats = dpx_paced_get_stats,
    .get_custom_stats = dpx_paced_get_custom_stats,
    .get_status = dpx_paced_get_status,
    .update_flags = paced_update_flags,
    .reconfigure = paced_reconfigure,
    .rxq_alloc = paced_rxq_alloc,
    .rxq_construct = paced_rxq_construct,
    .rxq_destruct = paced_rxq_destruct,
    .rxq_dealloc = paced_rxq_dealloc,
    .rxq_recv = paced_rxq_recv,
};

void
dpx_paced_register(void)
{
    netdev_register_provider(&paced_class);
    dpx_paced_cmd_register();
}
