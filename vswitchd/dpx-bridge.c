/* SPDX-License-Identifier: Apache-2.0
 *
 * Interface columns of ovs-dpx.  Called by the bridge when it refreshes the
 * interface statistics; asks the datapath, writes rows, decides nothing. */

#include <config.h>

#include "vswitchd/dpx-bridge.h"

#include <inttypes.h>
#include <stdlib.h>

#include "lib/dpx-dpif.h"
#include "lib/dpx-dpif-txq.h"
#include "lib/dpx-machine.h"
#include "lib/dpx-topology-hwloc.h"
#include "lib/vswitch-idl.h"
#include "ovsdb-idl.h"
#include "util.h"
#include "vswitchd/dpx-bridge-private.h"

/* Whose schema is asked for our columns.  Main thread only. */
static struct ovsdb_idl *dpx_idl;

void
dpx_bridge_init(struct ovsdb_idl *idl)
{
    dpx_idl = idl;
    dpx_machine_set_loader(dpx_topology_from_live);
    ovsdb_idl_omit_alert(idl, &ovsrec_interface_col_rxq_placement);
    ovsdb_idl_omit_alert(idl, &ovsrec_interface_col_rxq_load);
    ovsdb_idl_omit_alert(idl, &ovsrec_interface_col_txq_placement);
    dpx_bridge_threads_init(idl);
    dpx_bridge_flows_init(idl);
}

int
dpx_bridge_permille(double load)
{
    return load < 0 ? -1 : load * 1000 + 0.5;
}

static char *
core_name(int core_id)
{
    return core_id == DPX_CORE_MAIN ? xstrdup("main")
           : core_id == DPX_CORE_NONE ? xstrdup("none")
           : xasprintf("%d", core_id);
}

static void
set_rxq_placement(const struct ovsrec_interface *iface, const int *cores,
                  size_t n)
{
    int64_t *keys = xmalloc(n * sizeof *keys);
    char **values = xmalloc(n * sizeof *values);

    for (size_t i = 0; i < n; i++) {
        keys[i] = i;
        values[i] = core_name(cores[i]);
    }
    ovsrec_interface_set_rxq_placement(iface, keys, (const char **) values, n);
    for (size_t i = 0; i < n; i++) {
        free(values[i]);
    }
    free(values);
    free(keys);
}

static void
set_rxq_load(const struct ovsrec_interface *iface, const double *loads,
             size_t n_loads)
{
    int64_t *keys = xmalloc(n_loads * sizeof *keys);
    int64_t *values = xmalloc(n_loads * sizeof *values);
    size_t n = 0;

    for (size_t i = 0; i < n_loads; i++) {
        int permille = dpx_bridge_permille(loads[i]);

        /* What is not known is not there: 0 would be a lie. */
        if (permille >= 0) {
            keys[n] = i;
            values[n++] = permille;
        }
    }
    ovsrec_interface_set_rxq_load(iface, keys, values, n);
    free(values);
    free(keys);
}

static char *
txq_name(const struct dpx_port_txqs *port, int queue)
{
    char *cores = port->mode == DPX_TXQ_HASH ? xstrdup("hash")
                  : dpx_txq_cores(port, queue);

    return cores ? cores : xstrdup("none");
}

/* Null: no datapath has the port. */
static void
set_txq_placement(const struct ovsrec_interface *iface,
                  const struct dpx_port_txqs *port)
{
    int n = port ? port->n : 0;
    int64_t *keys = xmalloc(n * sizeof *keys);
    char **values = xmalloc(n * sizeof *values);

    for (int i = 0; i < n; i++) {
        keys[i] = i;
        values[i] = txq_name(port, i);
    }
    ovsrec_interface_set_txq_placement(iface, keys, (const char **) values, n);
    for (int i = 0; i < n; i++) {
        free(values[i]);
    }
    free(values);
    free(keys);
}

void
dpx_bridge_iface_stats(const struct ovsrec_interface *iface)
{
    /* A database that was not converted lacks the columns: stock's statistics,
     * which share the transaction, must not suffer. */
    if (ovsdb_idl_server_has_column(dpx_idl,
                                    &ovsrec_interface_col_rxq_placement)) {
        int *cores;
        size_t n = dpx_dpif_port_cores(iface->name, &cores);

        set_rxq_placement(iface, cores, n);
        free(cores);
    }
    if (ovsdb_idl_server_has_column(dpx_idl,
                                    &ovsrec_interface_col_rxq_load)) {
        double *loads;
        size_t n = dpx_dpif_port_loads(iface->name, &loads);

        set_rxq_load(iface, loads, n);
        free(loads);
    }
    if (ovsdb_idl_server_has_column(dpx_idl,
                                    &ovsrec_interface_col_txq_placement)) {
        struct dpx_txq_list *list = dpx_dpif_port_txqs(iface->name);

        set_txq_placement(iface, list && list->n ? list->ports : NULL);
        dpx_txq_list_destroy(list);
    }
}
