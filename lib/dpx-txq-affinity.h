/* SPDX-License-Identifier: Apache-2.0
 *
 * pmd-txq-affinity of an interface, "CORE:QUEUE,...": which thread sends by
 * which tx queue.  Pure; called on the main thread. */

#ifndef DPX_TXQ_AFFINITY_H
#define DPX_TXQ_AFFINITY_H 1

#include <stddef.h>

#include "compiler.h"

/* In place of a core: the main thread, "main" in the list. */
#define DPX_TXQ_MAIN (-1)

/* Queues of a list are below this, and so are cores. */
#define DPX_TXQ_MAX 8192

struct dpx_txq_pin {
    int core;                   /* Or DPX_TXQ_MAIN. */
    int queue;
};

struct dpx_txq_affinity {
    struct dpx_txq_pin *pins;   /* In the order of the list. */
    size_t n;
};

/* Reads 'list' (null: none).  Entries are separated by commas or blanks.
 * Returns null, or an error that quotes the word, to be freed; then 'affinity'
 * is empty.  Free with dpx_txq_affinity_uninit(). */
char *dpx_txq_affinity_parse(const char *list,
                             struct dpx_txq_affinity *affinity)
    OVS_WARN_UNUSED_RESULT;
void dpx_txq_affinity_uninit(struct dpx_txq_affinity *affinity);

/* The tx queue that 'core' is pinned to on a port with 'n_txq' of them, or
 * -1: none.  A queue that the port lacks becomes its last one. */
int dpx_txq_affinity_find(const struct dpx_txq_affinity *affinity, int core,
                          int n_txq);

/* Returns sentences about entries that a port with 'n_txq' tx queues cannot do
 * as they are written; null: none; to be freed. */
char *dpx_txq_affinity_remarks(const struct dpx_txq_affinity *affinity,
                               int n_txq);

#endif /* dpx-txq-affinity.h */
