/* SPDX-License-Identifier: Apache-2.0
 *
 * Table Flow_Statistics and the column top_flows of Bridge.
 *
 * A bridge has as many rows as flow-stats-top says, also while it has fewer
 * flows, and they are reused: so the references, which go to disk, are written
 * only when that number changes.  Main thread only. */

#include <config.h>

#include "vswitchd/dpx-bridge.h"

#include <stdlib.h>
#include <string.h>

#include "lib/dpx-dpif.h"
#include "lib/vswitch-idl.h"
#include "openvswitch/util.h"
#include "ovsdb-idl.h"
#include "sset.h"
#include "util.h"
#include "uuid.h"
#include "vswitchd/dpx-bridge-private.h"

void
dpx_bridge_flows_init(struct ovsdb_idl *idl)
{
    ovsdb_idl_omit_alert(idl, &ovsrec_bridge_col_top_flows);
    for (size_t i = 0; i < OVSREC_FLOW_STATISTICS_N_COLUMNS; i++) {
        ovsdb_idl_omit_alert(idl, &ovsrec_flow_statistics_columns[i]);
    }
}

/* What found the flow for most of its packets. */
static const char *
tier_name(const struct dpx_flow_counts *counts)
{
    static const char *const names[DPX_N_TIERS] = {
        [DPX_TIER_SIMPLE] = "simple",
        [DPX_TIER_EMC] = "emc",
        [DPX_TIER_SMC] = "smc",
        [DPX_TIER_DPCLS] = "dpcls",
        [DPX_TIER_OFFLOAD] = "offload",
        [DPX_TIER_OTHER] = "other",
    };
    int best = DPX_TIER_EMC;

    for (int i = 0; i < DPX_N_TIERS; i++) {
        if (counts->tier[i] > counts->tier[best]) {
            best = i;
        }
    }
    return counts->tier[best] ? names[best] : "upcall";
}

/* An optional integer: empty if 'value' is unknown. */
#define SET_OPTIONAL(SETTER, ROW, VALUE)                \
    do {                                                \
        double value__ = (VALUE);                       \
        int64_t number__ = value__ + 0.5;               \
                                                        \
        SETTER(ROW, &number__, value__ >= 0);           \
    } while (0)

static void
set_row(const struct ovsrec_flow_statistics *row,
        const struct dpx_flow_pick *pick, const struct dpx_flow_row *flow)
{
    char *ufid = xasprintf(UUID_FMT,
                           UUID_ARGS((const struct uuid *) &flow->ufid));
    char *rxq = (flow->port
                 ? xasprintf("%s:%d", flow->port, flow->queue_id)
                 : xstrdup(""));
    int64_t core_id = pick->core_id;

    ovsrec_flow_statistics_set_ufid(row, ufid);
    ovsrec_flow_statistics_set_match(row, flow->match);
    ovsrec_flow_statistics_set_actions(row, flow->actions);
    ovsrec_flow_statistics_set_core_id(row, &core_id, core_id >= 0);
    ovsrec_flow_statistics_set_rxq(row, rxq);
    ovsrec_flow_statistics_set_packets(row, pick->counts.packets);
    ovsrec_flow_statistics_set_bytes(row, pick->counts.bytes);
    SET_OPTIONAL(ovsrec_flow_statistics_set_pps, row, pick->rates.pps[0]);
    SET_OPTIONAL(ovsrec_flow_statistics_set_bps, row, pick->rates.bps[0]);
    SET_OPTIONAL(ovsrec_flow_statistics_set_cycles_per_packet, row,
                 pick->cost.cycles);
    ovsrec_flow_statistics_set_tier(row, tier_name(&pick->counts));
    free(rxq);
    free(ufid);
}

/* There is no flow of this rank. */
static void
empty_row(const struct ovsrec_flow_statistics *row)
{
    ovsrec_flow_statistics_set_ufid(row, "");
    ovsrec_flow_statistics_set_match(row, "");
    ovsrec_flow_statistics_set_actions(row, "");
    ovsrec_flow_statistics_set_core_id(row, NULL, 0);
    ovsrec_flow_statistics_set_rxq(row, "");
    ovsrec_flow_statistics_set_packets(row, 0);
    ovsrec_flow_statistics_set_bytes(row, 0);
    ovsrec_flow_statistics_set_pps(row, NULL, 0);
    ovsrec_flow_statistics_set_bps(row, NULL, 0);
    ovsrec_flow_statistics_set_cycles_per_packet(row, NULL, 0);
    ovsrec_flow_statistics_set_tier(row, "");
}

/* Names of the interfaces of 'br': a flow belongs to the bridge of its input
 * port. */
static void
ports_of(const struct ovsrec_bridge *br, struct sset *ports)
{
    sset_init(ports);
    for (size_t i = 0; i < br->n_ports; i++) {
        for (size_t j = 0; j < br->ports[i]->n_interfaces; j++) {
            sset_add(ports, br->ports[i]->interfaces[j]->name);
        }
    }
}

/* The best 'n' flows of 'br' in datapath 'name', or null. */
static struct dpx_flow_list *
flows_of(const struct ovsrec_bridge *br, const char *name, size_t n)
{
    struct dpx_flow_list *list = NULL;
    struct sset ports;

    ports_of(br, &ports);
    free(dpx_dpif_flows_get(name, &(struct dpx_flow_query) {
        .n = n, .key = DPX_FLOW_PPS, .any_core = true, .ports = &ports,
    }, &list));
    sset_destroy(&ports);
    return list;
}

/* Has 'br' have 'n' rows; those that it has stay. */
static void
set_references(const struct ovsrec_bridge *br, size_t n)
{
    struct ovsdb_idl_txn *txn = ovsdb_idl_txn_get(&br->header_);
    struct ovsrec_flow_statistics **rows;

    if (n == br->n_top_flows) {
        return;
    }
    rows = xmalloc(n * sizeof *rows);
    for (size_t i = 0; i < n; i++) {
        rows[i] = (i < br->n_top_flows ? br->top_flows[i]
                   : ovsrec_flow_statistics_insert(txn));
    }
    ovsrec_bridge_set_top_flows(br, rows, n);
    free(rows);
}

static void
publish(const struct ovsrec_bridge *br, const char *name, size_t n)
{
    struct dpx_flow_list *list = n ? flows_of(br, name, n) : NULL;

    set_references(br, n);
    for (size_t i = 0; i < br->n_top_flows && i < n; i++) {
        const struct ovsrec_flow_statistics *row = br->top_flows[i];

        ovsrec_flow_statistics_set_rank(row, i + 1);
        if (list && i < list->picks.n) {
            set_row(row, &list->picks.picks[i], &list->rows[i]);
        } else {
            empty_row(row);
        }
    }
    dpx_flow_list_destroy(list);
}

void
dpx_bridge_flows(const struct ovsrec_open_vswitch *cfg)
{
    struct ovsdb_idl *idl = ovsdb_idl_txn_get_idl(
        ovsdb_idl_txn_get(&cfg->header_));
    char **names;

    if (!ovsrec_server_has_flow_statistics_table(idl)
        || !ovsdb_idl_server_has_column(idl, &ovsrec_bridge_col_top_flows)) {
        return;
    }
    names = dpx_dpif_names();
    for (size_t i = 0; i < cfg->n_bridges; i++) {
        const struct ovsrec_bridge *br = cfg->bridges[i];
        char *name = xasprintf("ovs-%s", br->datapath_type);
        size_t n = 0;

        for (size_t j = 0; names[j]; j++) {
            if (!strcmp(names[j], name)) {
                n = dpx_dpif_flow_top(name);
            }
        }
        if (n || br->n_top_flows) {
            publish(br, name, n);
        }
        free(name);
    }
    for (size_t j = 0; names[j]; j++) {
        free(names[j]);
    }
    free(names);
}
