/* SPDX-License-Identifier: Apache-2.0
 *
 * Frees and names what the datapath glue hands out.  Main thread only. */

#include <config.h>

#include "dpx-dpif.h"

#include <stdlib.h>
#include <string.h>

#include "util.h"

void
dpx_dpif_state_destroy(struct dpx_dpif_state *state)
{
    if (!state) {
        return;
    }
    for (size_t i = 0; i < state->view.n_rxqs; i++) {
        free(CONST_CAST(char *, state->view.rxqs[i].port));
    }
    for (size_t i = 0; i < state->n_affinities; i++) {
        struct dpx_affinity_note *note = &state->affinities[i];

        free(note->port);
        free(note->error);
        free(note->in_force);
        free(note->remarks);
    }
    free(state->affinities);
    free(state->view.rxqs);
    free(state->view.pmds);
    free(state->refused);
    free(state->auto_said);
    free(state->last_step);
    free(state->name);
    free(state);
}

const char *
dpx_dpif_auto_text(const struct dpx_dpif_state *state)
{
    if (!state->auto_on) {
        return "off (pmd-auto-lb is false)";
    } else if (strcmp(state->policy, "placement")) {
        return "upstream's (pmd-rxq-assign is not placement)";
    } else if (!state->enabled) {
        return "off (dpx-enable is false)";
    }
    return state->auto_said ? state->auto_said : "has not checked yet";
}

void
dpx_step_list_uninit(struct dpx_step_list *list)
{
    for (size_t i = 0; i < list->n; i++) {
        dpx_step_destroy(list->steps[i]);
    }
    free(list->name);
}

void
dpx_rxq_list_destroy(struct dpx_rxq_list *list)
{
    if (!list) {
        return;
    }
    for (size_t i = 0; i < list->n; i++) {
        free(list->rows[i].port);
    }
    free(list->rows);
    free(list->name);
    free(list);
}

void
dpx_flow_list_destroy(struct dpx_flow_list *list)
{
    if (!list) {
        return;
    }
    for (size_t i = 0; i < list->picks.n; i++) {
        free(list->rows[i].port);
        free(list->rows[i].outputs);
        free(list->rows[i].cores);
        free(list->rows[i].match);
        free(list->rows[i].actions);
    }
    dpx_flow_picks_uninit(&list->picks);
    free(list->cores);
    free(list->rows);
    free(list->name);
    free(list);
}

void
dpx_hitter_list_destroy(struct dpx_hitter_list *list)
{
    if (list) {
        if (list->top) {
            dpx_hh_top_destroy(list->top);
        }
        free(list->name);
        free(list);
    }
}

const char *
dpx_pmd_counter_name(enum dpx_pmd_counter counter)
{
    switch (counter) {
    case DPX_PMD_RX_PACKETS: return "rx_packets";
    case DPX_PMD_RECIRCULATED: return "recirculated_packets";
    case DPX_PMD_PHWOL_HITS: return "phwol_hits";
    case DPX_PMD_SIMPLE_HITS: return "simple_match_hits";
    case DPX_PMD_EMC_HITS: return "emc_hits";
    case DPX_PMD_SMC_HITS: return "smc_hits";
    case DPX_PMD_MEGAFLOW_HITS: return "megaflow_hits";
    case DPX_PMD_SUBTABLE_LOOKUPS: return "subtable_lookups";
    case DPX_PMD_UPCALLS: return "upcalls";
    case DPX_PMD_FAILED_UPCALLS: return "failed_upcalls";
    case DPX_PMD_TX_PACKETS: return "tx_packets";
    case DPX_PMD_TX_BATCHES: return "tx_batches";
    case DPX_PMD_IDLE_CYCLES: return "idle_cycles";
    case DPX_PMD_BUSY_CYCLES: return "busy_cycles";
    case DPX_PMD_SLEEP_CYCLES: return "sleep_cycles";
    case DPX_N_PMD_COUNTERS:
    default: OVS_NOT_REACHED();
    }
}
