/* SPDX-License-Identifier: Apache-2.0
 *
 * Table PMD_Thread and the column placement_status.
 *
 * A row's UUID says nothing: a row is reused for whatever thread needs one, so
 * that a restart of this program or of ovsdb-server, which forgets what is in
 * ephemeral columns, leaves no row behind and writes none to disk.  Main
 * thread only. */

#include <config.h>

#include "vswitchd/dpx-bridge.h"

#include <inttypes.h>
#include <stdlib.h>

#include "lib/dpx-dpif.h"
#include "lib/dpx-load.h"
#include "lib/dpx-placement-hand.h"
#include "lib/vswitch-idl.h"
#include "openvswitch/util.h"
#include "ovsdb-idl.h"
#include "smap.h"
#include "util.h"
#include "vswitchd/dpx-bridge-private.h"

/* A thread and where it is described. */
struct thread {
    const struct dpx_dpif_state *state;
    size_t pmd;                                 /* Index in its view. */
    const uint64_t *counters;                   /* Null: not known. */
    const struct ovsrec_pmd_thread *row;
};

/* All that one round publishes. */
struct picture {
    struct dpx_dpif_state **states;
    struct dpx_pmd_counters **counters;         /* Per state. */
    size_t n_states;
    struct thread *threads;
    size_t n_threads;
};

void
dpx_bridge_threads_init(struct ovsdb_idl *idl)
{
    ovsdb_idl_omit_alert(idl, &ovsrec_open_vswitch_col_pmd_threads);
    ovsdb_idl_omit_alert(idl, &ovsrec_open_vswitch_col_placement_status);
    for (size_t i = 0; i < OVSREC_PMD_THREAD_N_COLUMNS; i++) {
        ovsdb_idl_omit_alert(idl, &ovsrec_pmd_thread_columns[i]);
    }
}

static const uint64_t *
counters_of(const struct dpx_pmd_counters *all, size_t n, unsigned core_id)
{
    for (size_t i = 0; i < n; i++) {
        if (all[i].core_id == core_id) {
            return all[i].n;
        }
    }
    return NULL;
}

static void
picture_add(struct picture *pic, const char *name)
{
    struct dpx_dpif_state *state;
    struct dpx_pmd_counters *counters;
    size_t n_counters;
    char *error = dpx_dpif_state_get(name, DPX_LOAD_WINDOW_S, &state);

    if (error) {
        /* The datapath is gone since its name was read. */
        free(error);
        return;
    }
    if (!state->enabled) {
        dpx_dpif_state_destroy(state);
        return;
    }
    n_counters = dpx_dpif_pmd_counters(name, &counters);
    pic->states = xrealloc(pic->states,
                           (pic->n_states + 1) * sizeof *pic->states);
    pic->counters = xrealloc(pic->counters,
                             (pic->n_states + 1) * sizeof *pic->counters);
    pic->states[pic->n_states] = state;
    pic->counters[pic->n_states++] = counters;

    pic->threads = xrealloc(pic->threads,
                            (pic->n_threads + state->view.n_pmds)
                            * sizeof *pic->threads);
    for (size_t i = 0; i < state->view.n_pmds; i++) {
        pic->threads[pic->n_threads++] = (struct thread) {
            .state = state,
            .pmd = i,
            .counters = counters_of(counters, n_counters,
                                    state->view.pmds[i].core_id),
        };
    }
}

static void
picture_init(struct picture *pic)
{
    char **names = dpx_dpif_names();

    *pic = (struct picture) { .n_states = 0 };
    for (size_t i = 0; names[i]; i++) {
        picture_add(pic, names[i]);
        free(names[i]);
    }
    free(names);
}

static void
picture_destroy(struct picture *pic)
{
    for (size_t i = 0; i < pic->n_states; i++) {
        dpx_dpif_state_destroy(pic->states[i]);
        free(pic->counters[i]);
    }
    free(pic->states);
    free(pic->counters);
    free(pic->threads);
}

/* An optional integer: empty if 'value' is unknown. */
#define SET_OPTIONAL(SETTER, ROW, VALUE)                \
    do {                                                \
        int64_t value__ = (VALUE);                      \
                                                        \
        SETTER(ROW, &value__, value__ >= 0);            \
    } while (0)

static void
set_siblings(const struct thread *t)
{
    const struct dpx_view *view = &t->state->view;
    const struct dpx_view_pmd *pmd = &view->pmds[t->pmd];
    int64_t *cores = xmalloc(view->n_pmds * sizeof *cores);
    size_t n = 0;

    for (size_t i = 0; i < view->n_pmds; i++) {
        if (i != t->pmd && pmd->smt_id != DPX_ID_UNKNOWN
            && view->pmds[i].smt_id == pmd->smt_id) {
            cores[n++] = view->pmds[i].core_id;
        }
    }
    ovsrec_pmd_thread_set_smt_siblings(t->row, cores, n);
    free(cores);
}

static void
set_rxqs(const struct thread *t)
{
    const struct dpx_view *view = &t->state->view;
    char **names = xmalloc(view->n_rxqs * sizeof *names);
    size_t n = 0;

    for (size_t i = 0; i < view->n_rxqs; i++) {
        if (view->rxqs[i].current == (int) t->pmd) {
            names[n++] = xasprintf("%s:%d", view->rxqs[i].port,
                                   view->rxqs[i].queue_id);
        }
    }
    ovsrec_pmd_thread_set_rxqs(t->row, (const char **) names, n);
    while (n) {
        free(names[--n]);
    }
    free(names);
}

static void
set_statistics(const struct thread *t)
{
    const char *names[DPX_N_PMD_COUNTERS];
    int64_t values[DPX_N_PMD_COUNTERS];

    for (int i = 0; i < DPX_N_PMD_COUNTERS; i++) {
        names[i] = dpx_pmd_counter_name(i);
        values[i] = t->counters ? t->counters[i] : 0;
    }
    ovsrec_pmd_thread_set_statistics(t->row, names, values,
                                     t->counters ? DPX_N_PMD_COUNTERS : 0);
}

static void
set_thread(const struct thread *t)
{
    const struct dpx_view_pmd *pmd = &t->state->view.pmds[t->pmd];

    ovsrec_pmd_thread_set_core_id(t->row, pmd->core_id);
    SET_OPTIONAL(ovsrec_pmd_thread_set_numa_id, t->row, pmd->numa_id);
    SET_OPTIONAL(ovsrec_pmd_thread_set_package_id, t->row, pmd->package_id);
    SET_OPTIONAL(ovsrec_pmd_thread_set_l3_id, t->row, pmd->l3_id);
    ovsrec_pmd_thread_set_isolated(t->row, pmd->isolated);
    SET_OPTIONAL(ovsrec_pmd_thread_set_busy, t->row,
                 dpx_bridge_permille(pmd->busy));
    set_siblings(t);
    set_rxqs(t);
    set_statistics(t);
}

/* Gives each thread a row: the one that was about its core, else one that is
 * about no thread, else a new one.  Touches the set of references only when it
 * changes, because that goes to disk. */
static void
publish_threads(const struct ovsrec_open_vswitch *cfg, struct picture *pic)
{
    struct ovsdb_idl_txn *txn = ovsdb_idl_txn_get(&cfg->header_);
    struct ovsrec_pmd_thread **rows;
    bool *taken = xcalloc(cfg->n_pmd_threads + 1, sizeof *taken);
    bool changed = pic->n_threads != cfg->n_pmd_threads;

    for (size_t i = 0; i < pic->n_threads; i++) {
        struct thread *t = &pic->threads[i];

        for (size_t j = 0; j < cfg->n_pmd_threads && !t->row; j++) {
            if (!taken[j] && cfg->pmd_threads[j]->core_id
                             == t->state->view.pmds[t->pmd].core_id) {
                t->row = cfg->pmd_threads[j];
                taken[j] = true;
            }
        }
    }

    rows = xmalloc(pic->n_threads * sizeof *rows);
    for (size_t i = 0; i < pic->n_threads; i++) {
        struct thread *t = &pic->threads[i];

        for (size_t j = 0; j < cfg->n_pmd_threads && !t->row; j++) {
            if (!taken[j]) {
                t->row = cfg->pmd_threads[j];
                taken[j] = true;
            }
        }
        if (!t->row) {
            t->row = ovsrec_pmd_thread_insert(txn);
            changed = true;
        }
        rows[i] = CONST_CAST(struct ovsrec_pmd_thread *, t->row);
        set_thread(t);
    }
    if (changed) {
        ovsrec_open_vswitch_set_pmd_threads(cfg, rows, pic->n_threads);
    }
    free(rows);
    free(taken);
}

static void
add_permille(struct smap *status, const char *key, double load)
{
    int permille = dpx_bridge_permille(load);

    if (permille >= 0) {
        smap_add_format(status, key, "%d", permille);
    }
}

/* The PMD whose queues have the highest load, or DPX_NO_PMD. */
static int
busiest_pmd(const struct dpx_view *view)
{
    double *loads = xcalloc(view->n_pmds, sizeof *loads);
    int busiest = DPX_NO_PMD;

    for (size_t i = 0; i < view->n_rxqs; i++) {
        const struct dpx_view_rxq *rxq = &view->rxqs[i];

        if (rxq->current != DPX_NO_PMD && rxq->load > 0) {
            loads[rxq->current] += rxq->load;
        }
    }
    for (size_t i = 0; i < view->n_pmds; i++) {
        if (loads[i] > 0 && (busiest == DPX_NO_PMD
                             || loads[i] > loads[busiest])) {
            busiest = i;
        }
    }
    free(loads);
    return busiest;
}

/* Of the first datapath that has a PMD thread: in practice there is one. */
static void
publish_status(const struct ovsrec_open_vswitch *cfg,
               const struct picture *pic)
{
    struct smap status = SMAP_INITIALIZER(&status);

    if (pic->n_threads) {
        const struct dpx_dpif_state *state = pic->threads[0].state;
        struct dpx_plan *plan = dpx_placement_plan_by_hand(
            &state->view, &state->options, state->auto_improvement);
        int busiest = busiest_pmd(&state->view);

        smap_add(&status, "policy", state->policy);
        if (busiest != DPX_NO_PMD) {
            smap_add_format(&status, "busiest_core", "%u",
                            state->view.pmds[busiest].core_id);
        }
        add_permille(&status, "busiest_load", plan->busiest_now);
        add_permille(&status, "planned_load", plan->busiest_planned);
        add_permille(&status, "lower_bound", plan->lower_bound);
        if (state->last_step) {
            smap_add(&status, "last_step", state->last_step);
        }
        smap_add_format(&status, "moves_total", "%"PRIu64,
                        state->moves_total);
        dpx_plan_destroy(plan);
    }
    ovsrec_open_vswitch_set_placement_status(cfg, &status);
    smap_destroy(&status);
}

void
dpx_bridge_stats(const struct ovsrec_open_vswitch *cfg)
{
    struct ovsdb_idl *idl = ovsdb_idl_txn_get_idl(
        ovsdb_idl_txn_get(&cfg->header_));
    struct picture pic;

    dpx_bridge_flows(cfg);

    /* A database that was not converted lacks the table: stock's statistics,
     * which share the transaction, must not suffer. */
    if (!ovsrec_server_has_pmd_thread_table(idl)
        || !ovsdb_idl_server_has_column(
               idl, &ovsrec_open_vswitch_col_pmd_threads)) {
        return;
    }
    picture_init(&pic);
    publish_threads(cfg, &pic);
    publish_status(cfg, &pic);
    picture_destroy(&pic);
}
