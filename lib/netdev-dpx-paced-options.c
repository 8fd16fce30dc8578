/* SPDX-License-Identifier: Apache-2.0
 *
 * Options of the netdev "dpx-paced": taking them, refusing them, saying what
 * they are.  Main thread.  Rates take effect at once; everything else when
 * the datapath has stopped polling and reconfigures the netdev. */

#include <config.h>
#include "netdev-dpx-paced-private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "dp-packet.h"
#include "flow.h"
#include "openvswitch/dynamic-string.h"
#include "openvswitch/vlog.h"
#include "smap.h"
#include "util.h"

VLOG_DEFINE_THIS_MODULE(netdev_dpx_paced);

/* Reads 'config->rx_pcap', unless 'dev' has it already.  Returns what is
 * wrong, or null. */
static char *
load_pcap(const struct dpx_paced_dev *dev,
          const struct dpx_paced_config *config,
          struct dpx_paced_pcap **pcap)
{
    char *error = NULL;

    if (nullable_string_is_equal(config->rx_pcap, dev->config.rx_pcap)) {
        *pcap = dev->next_pcap;
        return NULL;
    }
    *pcap = NULL;
    if (config->rx_pcap) {
        *pcap = dpx_paced_pcap_read(config->rx_pcap, &error);
    }
    if (error) {
        char *reason = error;

        error = xasprintf("rx-pcap: %s", reason);
        free(reason);
    }
    for (size_t i = 0; *pcap && i < (*pcap)->n; i++) {
        struct dpx_paced_pcap_packet *p = &(*pcap)->packets[i];
        struct dp_packet packet;
        struct flow flow;

        dp_packet_use_const(&packet, p->data, p->size);
        flow_extract(&packet, &flow);
        p->hash = flow_hash_5tuple(&flow, 0);
    }
    return error;
}

/* Changes the rates that differ from the configuration before; a rate that a
 * command has set stays otherwise. */
static void
apply_rates(struct dpx_paced_dev *dev, const struct dpx_paced_config *new)
    OVS_REQUIRES(dev->mutex)
{
    for (int i = 0; i < new->n_rxq; i++) {
        if (i >= dev->config.n_rxq
            || new->rx_rates[i] != dev->config.rx_rates[i]) {
            dev->rates[i] = new->rx_rates[i];
            if (i < dev->n_rx) {
                atomic_store_relaxed(&dev->rx[i]->rate, dev->rates[i]);
            }
        }
    }
    if (new->tx_rate != dev->config.tx_rate) {
        for (int i = 0; i < dev->n_tx; i++) {
            atomic_store_relaxed(&dev->tx[i]->rate, new->tx_rate);
        }
    }
}

/* Takes note that options were refused because of 'error', which the call
 * takes; null if they were not.  Returns what set_config() should return. */
static int
refuse(struct dpx_paced_dev *dev, char *error, char **errp)
    OVS_REQUIRES(dev->mutex)
{
    const char *name = netdev_get_name(&dev->up);

    if (error && !dev->configured) {
        /* A new port is not added. */
        *errp = xasprintf("%s: %s", name, error);
        free(error);
        return EINVAL;
    }
    /* The bridge would delete a port that returns an error now, and with it
     * the old setting.  It asks again and again, which is worth one line. */
    if (error && (!dev->refused || strcmp(error, dev->refused))) {
        VLOG_WARN("%s: %s; the old setting stays", name, error);
    }
    if (error || dev->refused) {
        netdev_change_seq_changed(&dev->up);
    }
    free(dev->refused);
    dev->refused = error;
    return 0;
}

int
dpx_paced_set_config(struct netdev *netdev, const struct smap *args,
                     char **errp)
{
    struct dpx_paced_dev *dev = dpx_paced_dev_cast(netdev);
    struct dpx_paced_config config;
    struct dpx_paced_pcap *pcap = NULL;
    char *error;
    int retval;

    ovs_mutex_lock(&dev->mutex);
    error = dpx_paced_config_parse(&config, args);
    if (!error) {
        error = load_pcap(dev, &config, &pcap);
        if (error) {
            dpx_paced_config_destroy(&config);
        }
    }
    retval = refuse(dev, error, errp);
    if (error) {
        ovs_mutex_unlock(&dev->mutex);
        return retval;
    }

    dev->configured = true;
    apply_rates(dev, &config);
    if (pcap != dev->next_pcap
        || dpx_paced_config_restarts(&dev->config, &config)) {
        netdev_request_reconfigure(netdev);
    }
    if (pcap != dev->next_pcap) {
        if (dev->next_pcap != dev->pcap) {
            dpx_paced_pcap_destroy(dev->next_pcap);
        }
        dev->next_pcap = pcap;
    }
    dpx_paced_config_destroy(&dev->config);
    dev->config = config;
    ovs_mutex_unlock(&dev->mutex);
    return 0;
}

int
dpx_paced_get_config(const struct netdev *netdev, struct smap *args)
{
    struct dpx_paced_dev *dev = dpx_paced_dev_cast(netdev);
    struct ds rates = DS_EMPTY_INITIALIZER;

    ovs_mutex_lock(&dev->mutex);
    for (int i = 0; i < dev->n_rx; i++) {
        ds_put_format(&rates, "%s%"PRIu64, i ? "," : "", dev->rates[i]);
    }
    smap_add_format(args, "n_rxq", "%d", dev->n_rx);
    smap_add_format(args, "n_txq", "%d", dev->n_tx);
    smap_add(args, "rx-rate", ds_cstr(&rates));
    smap_add_format(args, "ring-size", "%"PRIu32, dev->config.ring_size);
    if (dev->config.rx_pcap) {
        smap_add(args, "rx-pcap", dev->config.rx_pcap);
    } else {
        smap_add_format(args, "frame-size", "%"PRIu32,
                        dev->config.frame_size);
        smap_add_format(args, "flows", "%"PRIu32, dev->config.n_flows);
    }
    ovs_mutex_unlock(&dev->mutex);
    ds_destroy(&rates);
    return 0;
}

int
dpx_paced_get_status(const struct netdev *netdev, struct smap *status)
{
    struct dpx_paced_dev *dev = dpx_paced_dev_cast(netdev);

    ovs_mutex_lock(&dev->mutex);
    smap_add(status, "driver_name", "dpx-paced");
    smap_add_format(status, "number", "%d", dev->number);
    if (dev->refused) {
        smap_add(status, "refused", dev->refused);
    }
    ovs_mutex_unlock(&dev->mutex);
    return 0;
}
