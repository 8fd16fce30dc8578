/* SPDX-License-Identifier: Apache-2.0
 *
 * Keeps the one machine model of this program.  Main thread only. */

#include <config.h>
#include "dpx-machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "openvswitch/dynamic-string.h"
#include "openvswitch/vlog.h"
#include "timeval.h"
#include "util.h"

VLOG_DEFINE_THIS_MODULE(dpx_machine);

/* A CPU that is not known is looked for again, but not more often. */
#define RELOAD_INTERVAL_MS (60 * 1000)

/* Main thread only. */
static dpx_machine_loader *loader;
static char *dummy_list;            /* Of --dummy-numa, or null. */
static struct dpx_topology *machine;
static bool tried;                  /* To read it; null then is a failure. */
static bool complained;
static long long int reload_ms;     /* Not to be read again before. */
static struct dpx_cpu_busy cpu_busy;

static void
forget(void)
{
    dpx_topology_destroy(machine);
    machine = NULL;
    tried = false;
}

void
dpx_machine_set_loader(dpx_machine_loader *load)
{
    forget();
    loader = load;
    complained = false;
}

void
dpx_machine_set_dummy(const char *list)
{
    forget();
    free(dummy_list);
    dummy_list = nullable_xstrdup(list);
}

bool
dpx_machine_is_dummy(void)
{
    return dummy_list != NULL;
}

/* Has hwloc been told to read something else than this machine? */
static bool
environment_describes_machine(void)
{
    return (getenv("HWLOC_SYNTHETIC") || getenv("HWLOC_XMLFILE")
            || getenv("HWLOC_FSROOT"));
}

/* Takes from 'model' which CPUs of 'dummy' share what, and the distances. */
static void
adopt(struct dpx_topology *dummy, const struct dpx_topology *model)
{
    for (size_t cpu = 0; cpu < dummy->n_cpus; cpu++) {
        const struct dpx_topology_cpu *from = dpx_topology_cpu(model, cpu);
        struct dpx_topology_cpu *to = &dummy->cpus[cpu];

        /* Core numbers of the list and of the model mean different cores. */
        to->core_id = from ? from->core_id : DPX_ID_UNKNOWN;
        to->l3_id = from ? from->l3_id : DPX_ID_UNKNOWN;
        to->package_id = from ? from->package_id : DPX_ID_UNKNOWN;
    }
    for (size_t i = 0; model->distance && i < model->n_numa; i++) {
        for (size_t j = 0; j < model->n_numa; j++) {
            dpx_topology_set_distance(dummy, i, j,
                                      dpx_topology_distance(model, i, j));
        }
    }
}

static char *
load_dummy(struct dpx_topology **topology)
{
    struct dpx_topology *model;
    char *error;

    error = dpx_topology_from_numa_list(dummy_list, topology);
    if (!error && loader && environment_describes_machine()) {
        error = loader(&model);
        if (!error) {
            adopt(*topology, model);
            dpx_topology_destroy(model);
        }
    }
    return error;
}

/* Reads the machine.  When that fails, what was known stays. */
static void
load(void)
{
    struct dpx_topology *fresh = NULL;
    char *error = NULL;

    tried = true;
    reload_ms = time_msec() + RELOAD_INTERVAL_MS;
    if (dummy_list) {
        error = load_dummy(&fresh);
    } else if (loader) {
        error = loader(&fresh);
    }
    if (error && !complained) {
        complained = true;
        VLOG_WARN("%s: which CPUs share a core or a cache is not known",
                  error);
    }
    free(error);
    if (fresh) {
        dpx_topology_destroy(machine);
        machine = fresh;
    }
}

const struct dpx_topology *
dpx_machine_get(void)
{
    if (!tried) {
        load();
    }
    return machine;
}

void
dpx_machine_place_pmd(struct dpx_view_pmd *pmd)
{
    pmd->package_id = pmd->l3_id = pmd->smt_id = DPX_ID_UNKNOWN;
    if (!dpx_machine_get() || dpx_topology_place_pmd(machine, pmd)) {
        return;
    }
    if (time_msec() >= reload_ms) {
        load();
        dpx_topology_place_pmd(machine, pmd);
    }
}

const struct dpx_cpu_busy *
dpx_machine_cpu_busy(void)
{
    return &cpu_busy;
}

/* Has a PMD of 'view' a sibling that is none? */
static bool
has_outsider(const struct dpx_view *view)
{
    struct dpx_cpuset pmds = { .bits = { 0 } };

    for (size_t i = 0; i < view->n_pmds; i++) {
        dpx_cpuset_add(&pmds, view->pmds[i].core_id);
    }
    for (size_t cpu = 0; cpu < machine->n_cpus; cpu++) {
        for (size_t i = 0; i < view->n_pmds; i++) {
            if (!dpx_cpuset_has(&pmds, cpu) && machine->cpus[cpu].online
                && dpx_topology_are_siblings(machine, cpu,
                                             view->pmds[i].core_id)) {
                return true;
            }
        }
    }
    return false;
}

void
dpx_machine_sample_cpus(const struct dpx_view *view)
{
    struct ds text = DS_EMPTY_INITIALIZER;
    char line[512];
    FILE *stream;

    if (dummy_list || !dpx_machine_get() || !has_outsider(view)) {
        return;
    }
    stream = fopen("/proc/stat", "r");
    if (!stream) {
        return;
    }
    /* The lines of the CPUs come first; the others may be megabytes. */
    while (fgets(line, sizeof line, stream) && !strncmp(line, "cpu", 3)) {
        ds_put_cstr(&text, line);
    }
    fclose(stream);
    dpx_cpu_busy_update(&cpu_busy, ds_cstr(&text));
    ds_destroy(&text);
}

void
dpx_machine_set_distances(struct dpx_view *view)
{
    const struct dpx_topology *t = dpx_machine_get();

    view->numa_distance = t ? t->distance : NULL;
    view->n_numa = t && t->distance ? t->n_numa : 0;
}
