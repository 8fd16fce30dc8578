/* SPDX-License-Identifier: Apache-2.0
 *
 * What follows from who sends where.  Pure. */

#include <config.h>

#include "dpx-txq-view.h"

#include <stdlib.h>
#include <string.h>

#include "dpx-cpuset.h"
#include "dpx-txq-affinity.h"
#include "openvswitch/dynamic-string.h"
#include "util.h"

const char *
dpx_txq_mode_name(enum dpx_txq_mode mode)
{
    switch (mode) {
#define DPX_TXQ_MODE(ID, NAME) case DPX_TXQ_##ID: return NAME;
    DPX_TXQ_MODES
#undef DPX_TXQ_MODE
    default: OVS_NOT_REACHED();
    }
}

static int
port_compare(const void *a_, const void *b_)
{
    const struct dpx_port_txqs *a = a_, *b = b_;

    return strcmp(a->name, b->name);
}

void
dpx_txq_list_sort(struct dpx_txq_list *list)
{
    if (list->n) {
        qsort(list->ports, list->n, sizeof *list->ports, port_compare);
    }
}

void
dpx_txq_list_destroy(struct dpx_txq_list *list)
{
    if (!list) {
        return;
    }
    for (size_t i = 0; i < list->n; i++) {
        struct dpx_port_txqs *port = &list->ports[i];

        free(port->name);
        free(port->type);
        free(port->affinity);
        free(port->remark);
        free(port->rows);
        free(port->users);
    }
    free(list->ports);
    free(list->name);
    free(list);
}

static bool
is_on(const struct dpx_port_txqs *port, const struct dpx_txq_user *user,
      int queue)
{
    return port->mode == DPX_TXQ_HASH || user->queue == queue;
}

enum dpx_txq_mode
dpx_txq_mode_of(const struct dpx_port_txqs *port, int queue)
{
    for (size_t i = 0; i < port->n_users; i++) {
        if (port->users[i].pinned && is_on(port, &port->users[i], queue)) {
            return DPX_TXQ_PINNED;
        }
    }
    return port->mode;
}

char *
dpx_txq_cores(const struct dpx_port_txqs *port, int queue)
{
    struct dpx_cpuset cores = { .bits = { 0 } };
    struct ds s = DS_EMPTY_INITIALIZER;
    bool any_core = false, is_main = false;

    for (size_t i = 0; i < port->n_users; i++) {
        if (is_on(port, &port->users[i], queue)) {
            if (port->users[i].core == DPX_TXQ_MAIN) {
                is_main = true;
            } else {
                dpx_cpuset_add(&cores, port->users[i].core);
                any_core = true;
            }
        }
    }
    if (any_core) {
        dpx_cpuset_put_list(&cores, &s);
    }
    if (is_main) {
        ds_put_cstr(&s, any_core ? ",main" : "main");
    }
    return s.length ? ds_steal_cstr(&s) : NULL;
}

int
dpx_txq_guest_queues(const struct dpx_port_txqs *port)
{
    int n = 0;

    for (int i = 0; i < port->n; i++) {
        if (port->rows[i].guest == DPX_TXQ_NO_GUEST) {
            return DPX_TXQ_NO_GUEST;
        }
        /* An enabled queue gets what is meant for it. */
        n += port->rows[i].guest == i;
    }
    return port->n ? n : DPX_TXQ_NO_GUEST;
}

/* The queues that packets for the queues with users end in. */
static int
distinct_queues(const struct dpx_port_txqs *port)
{
    bool *busy = xcalloc(port->n + 1, sizeof *busy);
    int n = 0;

    for (int i = 0; i < port->n; i++) {
        int guest = port->rows[i].guest;
        int end = guest == DPX_TXQ_NO_GUEST ? i : guest;
        bool used = false;

        for (size_t j = 0; j < port->n_users && !used; j++) {
            used = is_on(port, &port->users[j], i);
        }
        if (used && end >= 0 && end < port->n && !busy[end]) {
            busy[end] = true;
            n++;
        }
    }
    free(busy);
    return n;
}

int
dpx_txq_can_be_busy(const struct dpx_port_txqs *port)
{
    int guests = dpx_txq_guest_queues(port);

    return port->mode == DPX_TXQ_XPS
           ? MIN((int) port->n_users, guests < 0 ? port->n : guests)
           : distinct_queues(port);
}
