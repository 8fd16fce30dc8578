/* SPDX-License-Identifier: Apache-2.0
 *
 * All findings about a live datapath, in the order in which they are worth
 * reading.  Main thread. */

#include <config.h>

#include "dpx-dpif.h"
#include "dpx-findings.h"
#include "dpx-machine.h"
#include "util.h"

static void
judge_affinity(struct dpx_findings *f, const struct dpx_affinity_note *note)
{
    if (note->error && note->in_force) {
        dpx_findings_add(f, DPX_PROBLEM, "pmd-rxq-affinity of %s is refused: "
                         "%s; \"%s\" stays in force", note->port, note->error,
                         note->in_force);
    } else if (note->error) {
        dpx_findings_add(f, DPX_PROBLEM, "pmd-rxq-affinity of %s is refused: "
                         "%s; no queue is pinned", note->port, note->error);
    }
    if (note->remarks) {
        dpx_findings_add(f, DPX_CHECK, "pmd-rxq-affinity of %s: %s%s",
                         note->port, note->remarks, note->guest_decides
                         ? " (its guest decides how many it has)" : "");
    }
}

void
dpx_findings_of_state(struct dpx_findings *f,
                      const struct dpx_dpif_state *state)
{
    const struct dpx_topology *machine;

    for (size_t i = 0; i < state->n_affinities; i++) {
        judge_affinity(f, &state->affinities[i]);
    }
    dpx_findings_of_view(f, &state->view);
    dpx_findings_of_siblings(f, &state->view);
    machine = dpx_machine_get();
    if (machine) {
        dpx_findings_of_outsiders(f, &state->view, machine,
                                  dpx_machine_cpu_busy());
    }
}
