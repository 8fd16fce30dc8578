/* SPDX-License-Identifier: Apache-2.0
 *
 * Part of dpx-dpif-glue.h: megaflows that were removed, on their way to the
 * main thread, which adds their last counts to the remainder.
 *
 * A flow is removed by any thread, and the thread that owns it may be counting
 * into it: its counts are final after a grace period of RCU.  Then it goes
 * into the ledger of its datapath, from which main takes it.  A reference
 * keeps the flow until then, so main may look at a flow as long as it has a
 * part for it.  While a ledger is closed nobody waits for its flows.
 *
 * The ledgers belong to no datapath: a PMD thread may be destroyed, and its
 * flows with it, after the datapath. */

struct dpx_ledger {
    struct ovs_list node;       /* In 'dpx_ledgers'. */
    uint32_t serial;            /* Never used twice. */
    bool open;
    struct dp_netdev_flow *gone;    /* The last one; linked through 'next'. */
};

static struct ovs_mutex dpx_ledgers_mutex = OVS_MUTEX_INITIALIZER;
static struct ovs_list dpx_ledgers OVS_GUARDED_BY(dpx_ledgers_mutex)
    = OVS_LIST_INITIALIZER(&dpx_ledgers);

/* The ledger 'serial', or null if it is gone or not open. */
static struct dpx_ledger *
dpx_ledger_find(uint32_t serial)
    OVS_REQUIRES(dpx_ledgers_mutex)
{
    struct dpx_ledger *ledger;

    LIST_FOR_EACH (ledger, node, &dpx_ledgers) {
        if (ledger->serial == serial) {
            return ledger->open ? ledger : NULL;
        }
    }
    return NULL;
}

/* A new ledger, not open. */
static struct dpx_ledger *
dpx_ledger_create(void)
{
    static uint32_t last;       /* Under the mutex. */
    struct dpx_ledger *ledger = xzalloc(sizeof *ledger);

    ovs_mutex_lock(&dpx_ledgers_mutex);
    ledger->serial = ++last;
    ovs_list_push_back(&dpx_ledgers, &ledger->node);
    ovs_mutex_unlock(&dpx_ledgers_mutex);
    return ledger;
}

/* Opens or closes 'ledger' and takes all flows out of it: returns the last
 * one, the caller has a reference to each. */
static struct dp_netdev_flow *
dpx_ledger_take(struct dpx_ledger *ledger, bool open)
{
    struct dp_netdev_flow *gone;

    ovs_mutex_lock(&dpx_ledgers_mutex);
    gone = ledger->gone;
    ledger->gone = NULL;
    ledger->open = open;
    ovs_mutex_unlock(&dpx_ledgers_mutex);
    return gone;
}

/* It must be closed. */
static void
dpx_ledger_destroy(struct dpx_ledger *ledger)
{
    ovs_mutex_lock(&dpx_ledgers_mutex);
    ovs_list_remove(&ledger->node);
    ovs_mutex_unlock(&dpx_ledgers_mutex);
    free(ledger);
}

/* Nobody counts into 'flow' any more. */
static void
dpx_flow_settled(struct dp_netdev_flow *flow)
{
    struct dpx_ledger *ledger;

    ovs_mutex_lock(&dpx_ledgers_mutex);
    ledger = dpx_ledger_find(flow->dpx_more.ledger);
    if (ledger) {
        flow->dpx_more.next = ledger->gone;
        ledger->gone = flow;
    }
    ovs_mutex_unlock(&dpx_ledgers_mutex);
    if (!ledger) {
        dp_netdev_flow_unref(flow);
    }
}

static void
dpx_flow_removed(struct dp_netdev_flow *flow)
{
    bool known;

    ovs_mutex_lock(&dpx_ledgers_mutex);
    known = dpx_ledger_find(flow->dpx_more.ledger) != NULL;
    ovs_mutex_unlock(&dpx_ledgers_mutex);
    if (known && dp_netdev_flow_ref(flow)) {
        ovsrcu_postpone(dpx_flow_settled, flow);
    }
}
