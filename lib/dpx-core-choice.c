/* SPDX-License-Identifier: Apache-2.0
 *
 * Chooses CPUs for PMD threads, one after the other: first the node that is
 * shortest of threads, then the best CPU there.  Pure. */

#include <config.h>
#include "dpx-core-choice.h"

#include <stdlib.h>
#include <string.h>

#include "openvswitch/dynamic-string.h"
#include "util.h"

/* How good a CPU is, the best first. */
enum grade {
    GRADE_WHOLE,                /* No sibling is used by anybody. */
    GRADE_SIBLING,              /* Its siblings are PMDs of ours. */
    GRADE_UNFIT
};

/* Choosing in progress. */
struct chooser {
    const struct dpx_topology *machine;
    const struct dpx_core_wish *wish;
    struct dpx_core_choice *choice;
    struct dpx_cpuset taken;    /* By guests or housekeeping, siblings too. */
    double *weight;             /* Per node id. */
    size_t *n_chosen;           /* Per node id. */
    size_t n_nodes;
};

static void
take_with_siblings(struct chooser *c, const struct dpx_cpuset *cpus)
{
    for (unsigned int cpu = 0; cpu < c->machine->n_cpus; cpu++) {
        struct dpx_cpuset siblings;

        if (!dpx_cpuset_has(cpus, cpu)) {
            continue;
        }
        dpx_topology_siblings(c->machine, cpu, &siblings);
        for (unsigned int i = 0; i < c->machine->n_cpus; i++) {
            if (dpx_cpuset_has(&siblings, i)) {
                dpx_cpuset_add(&c->taken, i);
            }
        }
    }
}

static enum grade
grade_of(const struct chooser *c, unsigned int cpu)
{
    const struct dpx_topology_cpu *info = dpx_topology_cpu(c->machine, cpu);

    if (!info || !info->online || dpx_cpuset_has(&c->taken, cpu)
        || dpx_cpuset_has(&c->choice->mask, cpu)) {
        return GRADE_UNFIT;
    }
    for (unsigned int i = 0; i < c->machine->n_cpus; i++) {
        if (dpx_cpuset_has(&c->choice->mask, i)
            && dpx_topology_are_siblings(c->machine, cpu, i)) {
            return GRADE_SIBLING;
        }
    }
    return GRADE_WHOLE;
}

static size_t
node_of(const struct chooser *c, unsigned int cpu)
{
    int numa = c->machine->cpus[cpu].numa_id;

    return numa < 0 ? 0 : numa;
}

/* CPUs of guests that share the last-level cache with 'cpu'. */
static size_t
neighbours_of(const struct chooser *c, unsigned int cpu)
{
    int l3 = c->machine->cpus[cpu].l3_id;
    size_t n = 0;

    for (unsigned int i = 0; l3 >= 0 && i < c->machine->n_cpus; i++) {
        n += (dpx_cpuset_has(&c->wish->guests, i)
              && c->machine->cpus[i].l3_id == l3);
    }
    return n;
}

/* The best CPU of 'node' and its grade, or -1. */
static int
best_cpu(const struct chooser *c, size_t node, enum grade *grade)
{
    bool best_current = false;
    size_t best_neighbours = 0;
    int best = -1;

    *grade = GRADE_UNFIT;
    for (unsigned int cpu = 0; cpu < c->machine->n_cpus; cpu++) {
        enum grade g;
        bool current;
        size_t neighbours;

        if (!c->machine->cpus[cpu].present || node_of(c, cpu) != node) {
            continue;
        }
        g = grade_of(c, cpu);
        if (g == GRADE_UNFIT || g > *grade) {
            continue;
        }
        current = dpx_cpuset_has(&c->wish->current, cpu);
        neighbours = neighbours_of(c, cpu);
        if (g < *grade || current > best_current
            || (current == best_current && neighbours < best_neighbours)) {
            best = cpu;
            *grade = g;
            best_current = current;
            best_neighbours = neighbours;
        }
    }
    return best;
}

/* The node whose ports bring most load per thread it would have then. */
static int
neediest_node(const struct chooser *c, const bool *full)
{
    int best = -1;
    double most = 0;

    for (size_t i = 0; i < c->n_nodes; i++) {
        /* A first thread comes before any second one. */
        double need = (c->n_chosen[i] ? c->weight[i] / (c->n_chosen[i] + 1)
                       : c->weight[i] > 0 ? 1e9 + c->weight[i] : 0);

        if (!full[i] && need > most) {
            most = need;
            best = i;
        }
    }
    return best;
}

/* The node with room that is nearest to a node that needs more. */
static int
nearest_node(const struct chooser *c, const bool *full)
{
    int best = -1, least = INT_MAX;

    for (size_t i = 0; i < c->n_nodes; i++) {
        for (size_t j = 0; j < c->n_nodes && !full[i]; j++) {
            int distance = dpx_topology_distance(c->machine, j, i);

            distance = distance ? distance : 255;
            if (c->weight[j] > 0 && distance < least) {
                least = distance;
                best = i;
            }
        }
    }
    return best;
}

static void
put_siblings(struct ds *s, const struct chooser *c, unsigned int cpu)
{
    struct dpx_cpuset siblings;

    dpx_topology_siblings(c->machine, cpu, &siblings);
    dpx_cpuset_remove(&siblings, cpu);
    if (c->machine->cpus[cpu].core_id < 0) {
        ds_put_cstr(s, ", its siblings are unknown");
    } else if (!dpx_cpuset_count(&siblings)) {
        ds_put_cstr(s, ", no sibling");
    } else {
        ds_put_cstr(s, ", sibling ");
        dpx_cpuset_put_list(&siblings, s);
    }
}

static void
pick(struct chooser *c, unsigned int cpu, enum grade grade, bool far)
{
    struct dpx_core_choice *choice = c->choice;
    struct ds s = DS_EMPTY_INITIALIZER;
    size_t node = node_of(c, cpu);

    ds_put_cstr(&s, grade == GRADE_WHOLE ? "a whole core"
                    : "second thread of a core (no whole core is left)");
    if (c->machine->cpus[cpu].numa_id >= 0) {
        ds_put_format(&s, " of node %"PRIuSIZE, node);
        ds_put_cstr(&s, far ? ", near the ports' full node"
                        : c->wish->node_load && node < c->wish->n_nodes
                          && c->wish->node_load[node] > 0
                          ? ", where ports are" : "");
    }
    put_siblings(&s, c, cpu);
    if (dpx_cpuset_has(&c->wish->current, cpu)) {
        ds_put_cstr(&s, ", has a PMD now");
    }
    choice->picks = xrealloc(choice->picks,
                             (choice->n_picks + 1) * sizeof *choice->picks);
    choice->picks[choice->n_picks++] = (struct dpx_core_pick) {
        .cpu = cpu, .reason = ds_steal_cstr(&s),
    };
    dpx_cpuset_add(&choice->mask, cpu);
    c->n_chosen[node]++;
}

/* Loads of the nodes; where nothing is known, all nodes with CPUs count by
 * their CPUs, so that the largest is filled first. */
static void
weigh_nodes(struct chooser *c)
{
    bool any = false;

    for (unsigned int cpu = 0; cpu < c->machine->n_cpus; cpu++) {
        if (c->machine->cpus[cpu].present) {
            c->n_nodes = MAX(c->n_nodes, node_of(c, cpu) + 1);
        }
    }
    c->weight = xcalloc(c->n_nodes + 1, sizeof *c->weight);
    c->n_chosen = xcalloc(c->n_nodes + 1, sizeof *c->n_chosen);
    for (size_t i = 0; i < c->n_nodes && i < c->wish->n_nodes; i++) {
        c->weight[i] = c->wish->node_load[i];
        any |= c->weight[i] > 0;
    }
    for (unsigned int cpu = 0; !any && cpu < c->machine->n_cpus; cpu++) {
        if (c->machine->cpus[cpu].present && c->machine->cpus[cpu].online) {
            c->weight[node_of(c, cpu)]++;
        }
    }
}

/* Siblings of whole cores are part of what was chosen. */
static void
find_left_idle(struct chooser *c)
{
    for (size_t i = 0; i < c->choice->n_picks; i++) {
        struct dpx_cpuset siblings;

        dpx_topology_siblings(c->machine, c->choice->picks[i].cpu, &siblings);
        for (unsigned int cpu = 0; cpu < c->machine->n_cpus; cpu++) {
            if (dpx_cpuset_has(&siblings, cpu)
                && !dpx_cpuset_has(&c->choice->mask, cpu)) {
                dpx_cpuset_add(&c->choice->left_idle, cpu);
            }
        }
    }
}

struct dpx_core_choice *
dpx_core_choose(const struct dpx_topology *machine,
                const struct dpx_core_wish *wish)
{
    struct chooser c = {
        .machine = machine, .wish = wish,
        .choice = xzalloc(sizeof *c.choice),
    };
    bool *full;

    take_with_siblings(&c, &wish->guests);
    take_with_siblings(&c, &wish->housekeeping);
    weigh_nodes(&c);
    full = xcalloc(c.n_nodes + 1, sizeof *full);
    while (c.choice->n_picks < wish->n_threads) {
        int node = neediest_node(&c, full);
        bool far = node < 0;
        enum grade grade;
        int cpu;

        node = far ? nearest_node(&c, full) : node;
        if (node < 0) {
            c.choice->shortage = xasprintf(
                "only %"PRIuSIZE" of %"PRIuSIZE" threads find a CPU that "
                "neither guests nor housekeeping use", c.choice->n_picks,
                wish->n_threads);
            break;
        }
        cpu = best_cpu(&c, node, &grade);
        if (cpu < 0) {
            full[node] = true;
        } else {
            pick(&c, cpu, grade, far);
        }
    }
    find_left_idle(&c);
    free(full);
    free(c.weight);
    free(c.n_chosen);
    return c.choice;
}

void
dpx_core_choice_destroy(struct dpx_core_choice *choice)
{
    if (choice) {
        for (size_t i = 0; i < choice->n_picks; i++) {
            free(choice->picks[i].reason);
        }
        free(choice->picks);
        free(choice->shortage);
        free(choice);
    }
}
