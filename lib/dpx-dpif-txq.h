/* SPDX-License-Identifier: Apache-2.0
 *
 * The tx queues of the userspace datapath, for commands and the database.
 * Main thread only; takes the datapath's own locks for the time of the call
 * and returns copies. */

#ifndef DPX_DPIF_TXQ_H
#define DPX_DPIF_TXQ_H 1

#include "dpx-txq-view.h"

/* Reads the tx queues of 'port', or of all if it is null, in datapath 'name'
 * (null: the only one).  Returns null and sets '*listp', to be freed with
 * dpx_txq_list_destroy(), or returns an error to be freed. */
char *dpx_dpif_txqs_get(const char *name, const char *port,
                        struct dpx_txq_list **listp);

/* The same of 'port' in whatever enabled datapath has it, or null. */
struct dpx_txq_list *dpx_dpif_port_txqs(const char *port);

#endif /* dpx-dpif-txq.h */
