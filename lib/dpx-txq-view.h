/* SPDX-License-Identifier: Apache-2.0
 *
 * The tx queues of ports as a command and the database show them.
 *
 * The datapath fills in who sends where and what was counted; what follows
 * from that is worked out here.  Pure; called on the main thread. */

#ifndef DPX_TXQ_VIEW_H
#define DPX_TXQ_VIEW_H 1

#include <stdbool.h>
#include <stddef.h>

#include "dpx-tx.h"

/* How the tx queue of a thread is chosen. */
#define DPX_TXQ_MODES                                                       \
    DPX_TXQ_MODE(STATIC, "static")  /* Each thread has its own. */          \
    DPX_TXQ_MODE(XPS, "xps")        /* The one that fewest threads use. */  \
    DPX_TXQ_MODE(HASH, "hash")      /* By packet: all threads use all. */   \
    DPX_TXQ_MODE(PLACED, "placed")  /* By pmd-rxq-assign=placement. */      \
    DPX_TXQ_MODE(PINNED, "pinned")  /* By pmd-txq-affinity. */

enum dpx_txq_mode {
#define DPX_TXQ_MODE(ID, NAME) DPX_TXQ_##ID,
    DPX_TXQ_MODES
#undef DPX_TXQ_MODE
};

/* "static"; static. */
const char *dpx_txq_mode_name(enum dpx_txq_mode mode);

/* Guest queues that are none. */
#define DPX_TXQ_NO_GUEST (-1)       /* The port is no guest's. */
#define DPX_TXQ_GUEST_OFF (-2)      /* The guest has enabled none. */

/* A thread that has the port. */
struct dpx_txq_user {
    int core;                   /* DPX_TXQ_MAIN: the main thread. */
    int queue;                  /* That it sends on; DPX_TXQ_NONE: none yet,
                                 * or, with hash, all. */
    bool pinned;
};

struct dpx_txq_row {
    int guest;                  /* Queue of the guest that the packets go to,
                                 * or one of the above. */
    struct dpx_txq_totals totals;
};

struct dpx_port_txqs {
    char *name;
    char *type;                 /* "dpdk". */
    enum dpx_txq_mode mode;     /* Of threads that are not pinned. */
    int asked;                  /* Tx queues that the device was asked for. */
    bool noted;                 /* Contention and drops are known. */
    struct dpx_txq_totals gone; /* Of queues that the port had. */
    char *affinity;             /* pmd-txq-affinity in force, or null. */
    char *remark;               /* About it, or null. */

    struct dpx_txq_row *rows;   /* By queue. */
    int n;
    struct dpx_txq_user *users; /* By core. */
    size_t n_users;
};

/* Ports by name.  Free with dpx_txq_list_destroy(). */
struct dpx_txq_list {
    char *name;                 /* Datapath. */
    struct dpx_port_txqs *ports;
    size_t n;
};

void dpx_txq_list_sort(struct dpx_txq_list *list);
void dpx_txq_list_destroy(struct dpx_txq_list *list);

/* How the threads on 'queue' came there. */
enum dpx_txq_mode dpx_txq_mode_of(const struct dpx_port_txqs *port,
                                  int queue);

/* The threads on 'queue', "0-2,main", or null: none; to be freed. */
char *dpx_txq_cores(const struct dpx_port_txqs *port, int queue);

/* Queues that the guest has enabled, or DPX_TXQ_NO_GUEST. */
int dpx_txq_guest_queues(const struct dpx_port_txqs *port);

/* Queues, of the guest if there is one, that can have traffic as long as
 * threads and queues stay as they are. */
int dpx_txq_can_be_busy(const struct dpx_port_txqs *port);

#endif /* dpx-txq-view.h */
