/* SPDX-License-Identifier: Apache-2.0
 *
 * Frees what the datapath glue hands out.  Main thread only. */

#include <config.h>

#include "dpx-dpif.h"

#include <stdlib.h>

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
    free(state->view.rxqs);
    free(state->view.pmds);
    free(state->refused);
    free(state->name);
    free(state);
}

void
dpx_flow_list_destroy(struct dpx_flow_list *list)
{
    if (!list) {
        return;
    }
    for (size_t i = 0; i < list->n; i++) {
        free(list->rows[i].port);
        free(list->rows[i].match);
        free(list->rows[i].actions);
    }
    free(list->rows);
    free(list->name);
    free(list);
}
