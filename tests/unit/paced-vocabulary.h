/* SPDX-License-Identifier: Apache-2.0
 *
 * Words of the unit tests that use paced netdevs from outside: a source and a
 * sink, their options, polls and counters. */

#ifndef PACED_VOCABULARY_H
#define PACED_VOCABULARY_H 1

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "dp-packet.h"
#include "netdev.h"
#include "netdev-dpx-paced.h"
#include "netdev-provider.h"
#include "openvswitch/vlog.h"
#include "smap.h"
#include "util.h"

static struct netdev *source, *sink;
static struct netdev_rxq *rxqs[4];
static int n_rxqs;

/* Sets options "KEY=VALUE;KEY=VALUE".  Returns what is wrong, or null. */
static char *
set_options(struct netdev *netdev, const char *text)
{
    struct smap args = SMAP_INITIALIZER(&args);
    char *copy = xstrdup(text), *next = copy, *option, *error = NULL;

    while ((option = strsep(&next, ";")) && *option) {
        char *key = strsep(&option, "=");

        smap_add(&args, key, option);
    }
    ck_assert_int_eq(netdev_set_config(netdev, &args, &error) != 0,
                     error != NULL);
    smap_destroy(&args);
    free(copy);
    return error;
}

static void
close_rxqs(void)
{
    while (n_rxqs) {
        netdev_rxq_close(rxqs[--n_rxqs]);
    }
}

/* Does what the datapath does after a change of options. */
static void
reconfigure(struct netdev *netdev, const char *options)
{
    char *error = set_options(netdev, options);

    ck_assert_msg(!error, "%s", error);
    if (netdev_is_reconf_required(netdev)) {
        close_rxqs();
        ck_assert_int_eq(netdev_reconfigure(netdev), 0);
    }
    if (netdev == source && !n_rxqs) {
        for (; n_rxqs < netdev_n_rxq(netdev); n_rxqs++) {
            ck_assert_int_eq(netdev_rxq_open(netdev, &rxqs[n_rxqs], n_rxqs),
                             0);
        }
    }
}

static void
setup(void)
{
    vlog_set_levels(NULL, VLF_ANY_DESTINATION, VLL_OFF);
    dpx_paced_register();
    ck_assert_int_eq(netdev_open("in", "dpx-paced", &source), 0);
    ck_assert_int_eq(netdev_open("out", "dpx-paced", &sink), 0);
}

static void
teardown(void)
{
    close_rxqs();
    netdev_close(source);
    netdev_close(sink);
}

/* Value of the counter called 'name' of 'netdev'. */
static uint64_t
counter(const struct netdev *netdev, const char *name)
{
    struct netdev_custom_stats stats;
    uint64_t value = UINT64_MAX;

    ck_assert_int_eq(netdev_get_custom_stats(netdev, &stats), 0);
    for (int i = 0; i < stats.size; i++) {
        if (!strcmp(stats.counters[i].name, name)) {
            value = stats.counters[i].value;
        }
    }
    netdev_free_custom_stats_counters(&stats);
    ck_assert_msg(value != UINT64_MAX, "no counter \"%s\"", name);
    return value;
}

/* Polls once.  Returns the number of packets, which go to 'sink' if 'send',
 * else are freed. */
static size_t
poll_once(struct netdev_rxq *rxq, bool send)
{
    struct dp_packet_batch batch;
    size_t n = 0;

    dp_packet_batch_init(&batch);
    if (!netdev_rxq_recv(rxq, &batch, NULL)) {
        n = dp_packet_batch_size(&batch);
        ck_assert_uint_gt(n, 0);
        ck_assert_uint_le(n, NETDEV_MAX_BURST);
        if (send) {
            netdev_send(sink, 0, &batch, false);
        } else {
            dp_packet_delete_batch(&batch, true);
        }
    }
    return n;
}

#endif /* paced-vocabulary.h */
