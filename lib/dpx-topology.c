/* SPDX-License-Identifier: Apache-2.0
 *
 * The machine model: holds and answers, reads nothing but a list of nodes.
 * Called by the readers that fill it and by whoever places threads. */

#include <config.h>
#include "dpx-topology.h"

#include <stdlib.h>
#include <string.h>

#include "util.h"

struct dpx_topology *
dpx_topology_create(void)
{
    struct dpx_topology *t = xzalloc(sizeof *t);

    svec_init(&t->notes);
    return t;
}

void
dpx_topology_destroy(struct dpx_topology *t)
{
    if (t) {
        free(t->cpus);
        free(t->distance);
        svec_destroy(&t->notes);
        free(t);
    }
}

struct dpx_topology_cpu *
dpx_topology_add(struct dpx_topology *t, unsigned int cpu)
{
    struct dpx_topology_cpu *c;

    ovs_assert(cpu < DPX_MAX_CPUS);
    if (cpu >= t->n_cpus) {
        t->cpus = xrealloc(t->cpus, (cpu + 1) * sizeof *t->cpus);
        memset(&t->cpus[t->n_cpus], 0,
               (cpu + 1 - t->n_cpus) * sizeof *t->cpus);
        t->n_cpus = cpu + 1;
    }
    c = &t->cpus[cpu];
    if (!c->present) {
        *c = (struct dpx_topology_cpu) {
            .present = true, .online = true,
            .package_id = DPX_ID_UNKNOWN, .numa_id = DPX_ID_UNKNOWN,
            .l3_id = DPX_ID_UNKNOWN, .core_id = DPX_ID_UNKNOWN,
        };
    }
    return c;
}

const struct dpx_topology_cpu *
dpx_topology_cpu(const struct dpx_topology *t, unsigned int cpu)
{
    return cpu < t->n_cpus && t->cpus[cpu].present ? &t->cpus[cpu] : NULL;
}

void
dpx_topology_set_distance(struct dpx_topology *t, unsigned int from,
                          unsigned int to, int distance)
{
    size_t n = MAX(t->n_numa, MAX(from, to) + 1);

    if (n > t->n_numa || !t->distance) {
        int *grown = xcalloc(n * n, sizeof *grown);

        for (size_t i = 0; t->distance && i < t->n_numa; i++) {
            memcpy(&grown[i * n], &t->distance[i * t->n_numa],
                   t->n_numa * sizeof *grown);
        }
        free(t->distance);
        t->distance = grown;
        t->n_numa = n;
    }
    t->distance[from * n + to] = distance;
}

int
dpx_topology_distance(const struct dpx_topology *t, int from, int to)
{
    int n = t->n_numa;

    if (!t->distance || from < 0 || to < 0 || from >= n || to >= n) {
        return 0;
    }
    return t->distance[from * n + to];
}

bool
dpx_topology_are_siblings(const struct dpx_topology *t, unsigned int a,
                          unsigned int b)
{
    const struct dpx_topology_cpu *x = dpx_topology_cpu(t, a);
    const struct dpx_topology_cpu *y = dpx_topology_cpu(t, b);

    return x && y && x->core_id >= 0 && x->core_id == y->core_id;
}

void
dpx_topology_siblings(const struct dpx_topology *t, unsigned int cpu,
                      struct dpx_cpuset *siblings)
{
    memset(siblings, 0, sizeof *siblings);
    dpx_cpuset_add(siblings, cpu);
    for (size_t i = 0; i < t->n_cpus; i++) {
        if (t->cpus[i].online && dpx_topology_are_siblings(t, cpu, i)) {
            dpx_cpuset_add(siblings, i);
        }
    }
}

/* Counts different ids. */
struct id_set {
    int *ids;
    size_t n, allocated;
};

static int
compare_ids(const void *a_, const void *b_)
{
    const int *a = a_, *b = b_;

    return *a < *b ? -1 : *a > *b;
}

static void
add_id(struct id_set *set, int id)
{
    if (id >= 0) {
        if (set->n >= set->allocated) {
            set->ids = x2nrealloc(set->ids, &set->allocated, sizeof *set->ids);
        }
        set->ids[set->n++] = id;
    }
}

/* Returns the number of different ids and the length of the longest run of
 * equal ones, and frees the set. */
static size_t
count_ids(struct id_set *set, size_t *longest)
{
    size_t n = 0, run = 0;

    if (set->n) {
        qsort(set->ids, set->n, sizeof *set->ids, compare_ids);
    }
    *longest = 0;
    for (size_t i = 0; i < set->n; i++) {
        run = i && set->ids[i] == set->ids[i - 1] ? run + 1 : 1;
        n += run == 1;
        *longest = MAX(*longest, run);
    }
    free(set->ids);
    return n;
}

void
dpx_topology_count(const struct dpx_topology *t,
                   struct dpx_topology_totals *totals)
{
    struct id_set cores = { NULL, 0, 0 }, l3s = { NULL, 0, 0 };
    struct id_set packages = { NULL, 0, 0 };
    size_t unused;

    memset(totals, 0, sizeof *totals);
    for (size_t i = 0; i < t->n_cpus; i++) {
        const struct dpx_topology_cpu *c = &t->cpus[i];

        if (c->present && c->online) {
            totals->n_cpus++;
            add_id(&cores, c->core_id);
            add_id(&l3s, c->l3_id);
            add_id(&packages, c->package_id);
        }
        totals->n_offline += c->present && !c->online;
    }
    totals->n_cores = count_ids(&cores, &totals->max_siblings);
    totals->n_l3 = count_ids(&l3s, &unused);
    totals->n_packages = count_ids(&packages, &unused);
    totals->n_nodes = dpx_cpuset_count(&t->nodes);
}

/* The next on-line CPU after 'cpu' on its core, or -1. */
static int
next_sibling(const struct dpx_topology *t, size_t cpu)
{
    for (size_t i = cpu + 1; i < t->n_cpus; i++) {
        if (t->cpus[i].online && t->cpus[i].present
            && t->cpus[i].core_id == t->cpus[cpu].core_id) {
            return i;
        }
    }
    return -1;
}

char *
dpx_topology_numbering(const struct dpx_topology *t)
{
    struct dpx_topology_totals totals;
    int step = 0;

    dpx_topology_count(t, &totals);
    if (!totals.n_cores) {
        return xstrdup("unknown");
    }
    for (size_t i = 0; i < t->n_cpus && totals.max_siblings > 1; i++) {
        int next;

        if (!t->cpus[i].present || !t->cpus[i].online
            || t->cpus[i].core_id < 0) {
            continue;
        }
        next = next_sibling(t, i);
        if (next >= 0) {
            int distance = next - (int) i;

            if (step && step != distance) {
                return xstrdup("irregular");
            }
            step = distance;
        }
    }
    if (!step) {
        return xstrdup("none");
    }
    return step == 1 ? xstrdup("neighbours") : xasprintf("c and c+%d", step);
}

bool
dpx_topology_place_pmd(const struct dpx_topology *t, struct dpx_view_pmd *pmd)
{
    const struct dpx_topology_cpu *c = dpx_topology_cpu(t, pmd->core_id);

    if (!c || !c->online) {
        return false;
    }
    pmd->package_id = c->package_id;
    pmd->l3_id = c->l3_id;
    pmd->smt_id = c->core_id;
    if (pmd->numa_id == DPX_ID_UNKNOWN) {
        pmd->numa_id = c->numa_id;
    }
    return true;
}

char *
dpx_topology_from_numa_list(const char *list, struct dpx_topology **topology)
{
    struct dpx_topology *t = dpx_topology_create();
    char *copy = xstrdup(list), *save = NULL, *error = NULL;
    unsigned int cpu = 0;

    *topology = NULL;
    for (char *word = strtok_r(copy, ",", &save); word && !error;
         word = strtok_r(NULL, ",", &save)) {
        unsigned int node;

        if (!str_to_uint(word, 10, &node) || node >= DPX_MAX_CPUS) {
            error = xasprintf("'%.40s' is not the number of a NUMA node",
                              word);
        } else if (cpu >= DPX_MAX_CPUS) {
            error = xasprintf("more than %d CPUs", DPX_MAX_CPUS);
        } else {
            struct dpx_topology_cpu *c = dpx_topology_add(t, cpu);

            /* Such a list has nothing to say about cores: as in the datapath,
             * each CPU is a core. */
            c->numa_id = node;
            c->core_id = cpu++;
            dpx_cpuset_add(&t->nodes, node);
        }
    }
    if (!error && !cpu) {
        error = xstrdup("the list of NUMA nodes is empty");
    }
    free(copy);
    if (error) {
        dpx_topology_destroy(t);
    } else {
        *topology = t;
    }
    return error;
}
