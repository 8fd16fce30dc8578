/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads how many tx queues ports have, from what a stock 'dpif/show' printed
 * and from lines of the log of ovs-vswitchd.  Pure. */

#ifndef DPX_TXQ_TEXT_H
#define DPX_TXQ_TEXT_H 1

#include <stdbool.h>
#include <stddef.h>

#include "compiler.h"

/* A port of dpif/show.  Counts that are not printed are negative. */
struct dpx_txq_port {
    char *name;
    char *type;                 /* "dpdk", "dpdkvhostuserclient", ... */
    int rxqs, rxqs_asked;
    int txqs, txqs_asked;
};

/* A port for which the log says that the device has fewer tx queues. */
struct dpx_txq_refusal {
    char *name;                 /* Of the interface. */
    int refused;                /* Id of the tx queue, or -1. */
    int retried;                /* Number then tried, or -1. */
};

struct dpx_txq_text {
    struct dpx_txq_port *ports;
    size_t n_ports;
    struct dpx_txq_refusal *refusals;
    size_t n_refusals;
};

/* Each returns null, or an error with line and word, to be freed; '*text' is
 * null then. */
char *dpx_txq_from_dpif_show(const char *text, size_t length,
                             struct dpx_txq_text **)
    OVS_WARN_UNUSED_RESULT;
char *dpx_txq_from_log(const char *text, size_t length, struct dpx_txq_text **)
    OVS_WARN_UNUSED_RESULT;
void dpx_txq_text_destroy(struct dpx_txq_text *);

/* Is 'type' that of a vhost-user port, whose guest decides on queues? */
bool dpx_txq_is_vhost(const char *type);

#endif /* dpx-txq-text.h */
