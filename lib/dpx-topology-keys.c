/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads the "Key: value" lines of lscpu and completes the machine from them.
 * Called line by line by the text reader of a machine. */

#include <config.h>

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "dpx-paste.h"
#include "dpx-topology-lscpu.h"
#include "openvswitch/dynamic-string.h"
#include "util.h"

static char *
list_of_line(struct dpx_cpuset *set, const char *list, int number)
{
    char *error = dpx_cpuset_from_list(set, list);

    if (error) {
        char *with_line = xasprintf("line %d: %s", number, error);

        free(error);
        return with_line;
    }
    return NULL;
}

/* "NUMA node3 CPU(s):   3-63:4" after "NUMA node". */
static char *
read_node(struct dpx_lscpu *l, const char *s, const char *value, int number)
{
    struct dpx_topology *t = l->topology;
    struct dpx_cpuset cpus;
    size_t digits = strspn(s, "0123456789");
    char *word = xmemdup0(s, digits);
    unsigned int node;
    char *error;

    if (!digits || !str_to_uint(word, 10, &node) || node >= DPX_MAX_NODES) {
        error = dpx_paste_error_at(number, s, "the number of a NUMA node "
                                   "(below 1024)");
        free(word);
        return error;
    }
    free(word);
    error = list_of_line(&cpus, value, number);
    if (error) {
        return error;
    }
    dpx_cpuset_add(&t->nodes, node);
    for (unsigned int cpu = 0; cpu < DPX_MAX_CPUS; cpu++) {
        if (dpx_cpuset_has(&cpus, cpu)) {
            dpx_topology_add(t, cpu)->numa_id = node;
        }
    }
    return NULL;
}

static char *
read_count(const char *value, int number, unsigned int *count)
{
    return (str_to_uint(value, 10, count) && *count <= DPX_MAX_CPUS
            ? NULL
            : dpx_paste_error_at(number, value, "a number up to 8192"));
}

/* Does 'key', of which 'length' bytes count, read 'name'? */
static bool
is_key(const char *key, size_t length, const char *name)
{
    return length == strlen(name) && !memcmp(key, name, length);
}

static char *
read_key(struct dpx_lscpu *l, const char *key, size_t length,
         const char *value, int number)
{
    if (is_key(key, length, "CPU(s)")) {
        return read_count(value, number, &l->n_cpus);
    } else if (is_key(key, length, "Thread(s) per core")) {
        return read_count(value, number, &l->threads_per_core);
    } else if (is_key(key, length, "Core(s) per socket")) {
        return read_count(value, number, &l->cores_per_socket);
    } else if (is_key(key, length, "Socket(s)")) {
        return read_count(value, number, &l->n_sockets);
    } else if (is_key(key, length, "On-line CPU(s) list")) {
        l->has_online = true;
        return list_of_line(&l->online, value, number);
    } else if (is_key(key, length, "Off-line CPU(s) list")) {
        return list_of_line(&l->offline, value, number);
    } else if (length > 9 && !memcmp(key, "NUMA node", 9)
               && isdigit((unsigned char) key[9])) {
        return read_node(l, key + 9, value, number);
    }
    return NULL;
}

char *
dpx_lscpu_key(struct dpx_lscpu *l, const char *line, int number, bool *taken)
{
    const char *s = line + strspn(line, " \t");
    const char *colon = strchr(s, ':');

    *taken = true;
    if (!colon) {
        /* The flags of a CPU are many: some terminal wrapped them. */
        *taken = l->in_flags;
        return NULL;
    }
    l->has_keys = true;
    l->in_flags = is_key(s, colon - s, "Flags");
    return read_key(l, s, colon - s, colon + 1 + strspn(colon + 1, " \t"),
                    number);
}

static void
take_offline(struct dpx_lscpu *l)
{
    struct dpx_topology *t = l->topology;
    struct dpx_cpuset gone = { { 0 } };

    for (size_t i = 0; i < t->n_cpus; i++) {
        struct dpx_topology_cpu *c = &t->cpus[i];

        if (c->present && (dpx_cpuset_has(&l->offline, i)
                           || (l->has_online
                               && !dpx_cpuset_has(&l->online, i)))) {
            c->online = false;
        }
        if (c->present && !c->online) {
            dpx_cpuset_add(&gone, i);
        }
    }
    if (dpx_cpuset_count(&gone)) {
        struct ds note = DS_EMPTY_INITIALIZER;

        ds_put_cstr(&note, "CPUs ");
        dpx_cpuset_put_list(&gone, &note);
        ds_put_cstr(&note, " are listed but not on line");
        svec_add_nocopy(&t->notes, ds_steal_cstr(&note));
    }
}

/* Would siblings 'step' apart all be of one node? */
static bool
siblings_fit(const struct dpx_topology *t, unsigned int n, unsigned int step,
             unsigned int threads)
{
    for (unsigned int i = 0; i < n; i++) {
        unsigned int base = step == 1 ? i - i % threads : i % step;
        const struct dpx_topology_cpu *a = dpx_topology_cpu(t, i);
        const struct dpx_topology_cpu *b = dpx_topology_cpu(t, base);

        if (!a || !b || !a->online || a->numa_id != b->numa_id) {
            return false;
        }
    }
    return true;
}

/* Without a table, lscpu says how many siblings there are, not which. */
static void
assume_siblings(struct dpx_lscpu *l)
{
    struct dpx_topology *t = l->topology;
    unsigned int n = l->n_cpus, threads = l->threads_per_core, step;

    if (!threads) {
        return;
    }
    if (threads == 1) {
        for (size_t i = 0; i < t->n_cpus; i++) {
            t->cpus[i].core_id = t->cpus[i].online ? (int) i : DPX_ID_UNKNOWN;
        }
        return;
    }
    if (!n || n % threads || n > t->n_cpus) {
        return;
    }
    step = n / threads;
    if (!siblings_fit(t, n, step, threads)) {
        if (!siblings_fit(t, n, 1, threads)) {
            svec_add(&t->notes, "which CPUs are siblings is unknown: add the "
                     "output of 'lscpu -p'");
            return;
        }
        step = 1;
    }
    for (unsigned int i = 0; i < n; i++) {
        t->cpus[i].core_id = step == 1 ? i / threads : i % step;
    }
    svec_add_nocopy(&t->notes,
                    xasprintf("lscpu without -p does not say which CPUs are "
                              "siblings: by the usual numbering c and c+%u",
                              step));
}

/* As many sockets as nodes: each node is one, which is how machines without
 * sub-NUMA clustering are. */
static void
assume_packages(struct dpx_lscpu *l)
{
    struct dpx_topology *t = l->topology;

    if (l->n_sockets && l->n_sockets == dpx_cpuset_count(&t->nodes)) {
        for (size_t i = 0; i < t->n_cpus; i++) {
            t->cpus[i].package_id = t->cpus[i].numa_id;
        }
    }
}

void
dpx_lscpu_finish(struct dpx_lscpu *l)
{
    if (l->has_keys && !l->n_tables) {
        /* A kernel without NUMA lists no node. */
        for (unsigned int i = 0; i < DPX_MAX_CPUS && l->has_online; i++) {
            if (dpx_cpuset_has(&l->online, i)) {
                dpx_topology_add(l->topology, i);
            }
        }
    }
    take_offline(l);
    if (l->has_keys && !l->n_tables) {
        assume_siblings(l);
        assume_packages(l);
    }
}
