/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of ports into DPDK devices. */

#include <config.h>
#include "dpx-bench-port.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "util.h"

/* Kind of port, and the device that it becomes: %d is its number, %s what
 * follows the colon. */
static const struct {
    const char *kind, *device;
} kinds[] = {
    { "virtio", "--vdev=net_virtio_user%d,path=%s,queues=1,server=1,"
      "queue_size=1024" },
    { "vhost", "--vdev=net_vhost%d,iface=%s,queues=1" },
    { "tap", "--vdev=net_tap%d,iface=%s" },
    { "af_packet", "--vdev=net_af_packet%d,iface=%s" },
    { "pcap", "--vdev=net_pcap%d,%s" },
    { "ring", "--vdev=net_ring%d%s" },
    { "null", "--vdev=net_null%d%s" },
};

/* Appends 'text' with its two places filled. */
static char *
fill(const char *text, int number, const char *rest)
{
    const char *d = strstr(text, "%d"), *s = strstr(text, "%s");

    return xasprintf("%.*s%d%.*s%s%s", (int) (d - text), text, number,
                     (int) (s - d - 2), d + 2, rest, s + 2);
}

char *
dpx_bench_port_words(const char *word, int i, char **eal_word)
{
    const char *colon = strchr(word, ':');
    size_t len = colon ? colon - word : 0;

    *eal_word = NULL;
    if (len && !strncmp(word, "pci", len) && len == 3) {
        *eal_word = xasprintf("--allow=%s", colon + 1);
        return NULL;
    }
    for (size_t k = 0; k < ARRAY_SIZE(kinds); k++) {
        if (len == strlen(kinds[k].kind)
            && !strncmp(word, kinds[k].kind, len)) {
            bool bare = !strcmp(kinds[k].kind, "ring")
                        || !strcmp(kinds[k].kind, "null");

            if (!colon[1] && !bare) {
                return xasprintf("'%s' does not say which", word);
            }
            *eal_word = fill(kinds[k].device, i, colon + 1);
            return NULL;
        }
    }
    return xasprintf("'%s' is not virtio:SOCKET, vhost:SOCKET, tap:NAME, "
                     "af_packet:NAME, pcap:ARGUMENTS, pci:ADDRESS, ring: or "
                     "null:", word);
}

#ifdef DPDK_NETDEV

#include <rte_ethdev.h>

#define RING 1024

char *
dpx_bench_port_start(uint16_t port, struct rte_mempool *pool, uint16_t size)
{
    struct rte_eth_conf conf = { .rxmode = { .mtu = 0 } };
    uint16_t n_rx = RING, n_tx = RING;
    int error = rte_eth_dev_configure(port, 1, 1, &conf);

    if (!error) {
        error = rte_eth_dev_adjust_nb_rx_tx_desc(port, &n_rx, &n_tx);
    }
    if (!error && size > 1518) {
        error = rte_eth_dev_set_mtu(port, size - 18);
    }
    if (!error) {
        error = rte_eth_rx_queue_setup(port, 0, n_rx, SOCKET_ID_ANY, NULL,
                                       pool);
    }
    if (!error) {
        error = rte_eth_tx_queue_setup(port, 0, n_tx, SOCKET_ID_ANY, NULL);
    }
    if (!error) {
        error = rte_eth_dev_start(port);
    }
    if (error) {
        return xasprintf("port %u does not start: %s", port,
                         ovs_strerror(-error));
    }
    rte_eth_promiscuous_enable(port);       /* A virtual one need not. */
    return NULL;
}

#endif /* DPDK_NETDEV */
