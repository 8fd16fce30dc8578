/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads a machine from pasted text: finds out whose line each line is, and
 * reads those of numactl.  Called by offline programs. */

#include <config.h>
#include "dpx-topology-text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "dpx-paste.h"
#include "dpx-topology-lscpu.h"
#include "util.h"

/* Reading in progress. */
struct reader {
    struct dpx_lscpu lscpu;
    bool in_distances;
    unsigned int *columns;          /* Nodes of the columns of distances. */
    size_t n_columns;
};

/* Cuts the next blank-separated number off '*s'. */
static bool
next_number(const char **s, unsigned int max, unsigned int *number)
{
    size_t digits;
    char *word;
    bool ok;

    *s += strspn(*s, " \t");
    digits = strspn(*s, "0123456789");
    word = xmemdup0(*s, digits);
    ok = digits && str_to_uint(word, 10, number) && *number < max;
    free(word);
    *s += ok ? digits : 0;
    return ok;
}

/* "0 2 4" after "node N cpus:". */
static char *
read_node_cpus(struct reader *r, unsigned int node, const char *s, int number)
{
    struct dpx_topology *t = r->lscpu.topology;
    unsigned int cpu;

    dpx_cpuset_add(&t->nodes, node);
    while (next_number(&s, DPX_MAX_CPUS, &cpu)) {
        dpx_topology_add(t, cpu)->numa_id = node;
    }
    s += strspn(s, " \t");
    return *s ? dpx_paste_error_at(number, s, "a CPU (below 8192)") : NULL;
}

/* "node   0   1": the columns of the table of distances. */
static char *
read_distance_columns(struct reader *r, const char *s, int number)
{
    unsigned int node;

    r->n_columns = 0;
    while (next_number(&s, DPX_MAX_NODES, &node)) {
        r->columns = xrealloc(r->columns,
                              (r->n_columns + 1) * sizeof *r->columns);
        r->columns[r->n_columns++] = node;
    }
    s += strspn(s, " \t");
    return *s ? dpx_paste_error_at(number, s, "a NUMA node (below 1024)")
              : NULL;
}

/* "  0:  10  21": a row of it. */
static char *
read_distance_row(struct reader *r, const char *s, int number)
{
    unsigned int node, *distance;
    size_t n = 0;

    if (!next_number(&s, DPX_MAX_NODES, &node) || *s++ != ':') {
        return dpx_paste_error_at(number, s, "a row of NUMA distances");
    }
    distance = xcalloc(r->n_columns + 1, sizeof *distance);
    while (n < r->n_columns && next_number(&s, 256, &distance[n])) {
        n++;
    }
    /* From the far end, so that the matrix grows once. */
    while (n > 0) {
        n--;
        dpx_topology_set_distance(r->lscpu.topology, node, r->columns[n],
                                  distance[n]);
    }
    free(distance);
    s += strspn(s, " \t");
    return *s ? dpx_paste_error_at(number, s, "a NUMA distance (below 256)")
              : NULL;
}

/* Offers a line to the reader of numactl. */
static char *
numactl_line(struct reader *r, const char *line, int number, bool *taken)
{
    const char *s = line + strspn(line, " \t");
    unsigned int node;

    *taken = true;
    if (!strncmp(s, "available:", 10)) {
        return NULL;
    }
    if (!strncmp(s, "node distances:", 15)) {
        r->in_distances = true;
        return NULL;
    }
    if (!strncmp(s, "node ", 5)) {
        const char *rest = s + 5;

        if (r->in_distances) {
            return read_distance_columns(r, rest, number);
        }
        if (!next_number(&rest, DPX_MAX_NODES, &node)) {
            return dpx_paste_error_at(number, s, "'node N cpus:'");
        }
        rest += strspn(rest, " \t");
        return !strncmp(rest, "cpus:", 5)
               ? read_node_cpus(r, node, rest + 5, number) : NULL;
    }
    if (r->in_distances && isdigit((unsigned char) *s)) {
        return read_distance_row(r, s, number);
    }
    r->in_distances &= !*s;
    *taken = false;
    return NULL;
}

static char *
read_line(struct reader *r, const struct dpx_paste_line *line)
{
    bool taken;
    char *error;

    error = numactl_line(r, line->s, line->number, &taken);
    if (!error && !taken) {
        error = dpx_lscpu_line(&r->lscpu, line->s, line->number, &taken);
    }
    if (!error && !taken) {
        error = dpx_lscpu_key(&r->lscpu, line->s, line->number, &taken);
    }
    if (!error && !taken) {
        error = dpx_paste_error_at(line->number, line->s,
                                   "a line of lscpu, 'lscpu -e', 'lscpu -p' "
                                   "or 'numactl --hardware'");
    }
    return error;
}

char *
dpx_topology_from_text(const char *text, size_t length,
                       struct dpx_topology **topology)
{
    struct dpx_topology *t = dpx_topology_create();
    struct dpx_paste *p = dpx_paste_create(text, length);
    struct reader r = { .lscpu.topology = t };
    char *error = NULL;

    for (size_t i = 0; i < p->n_lines && !error; i++) {
        error = read_line(&r, &p->lines[i]);
    }
    if (!error) {
        dpx_lscpu_finish(&r.lscpu);
        if (!t->n_cpus) {
            error = xstrdup("there is no CPU in the text: it has to be the "
                            "output of lscpu, 'lscpu -e', 'lscpu -p' or "
                            "'numactl --hardware', or hwloc's XML");
        }
    }
    free(r.columns);
    dpx_paste_destroy(p);
    if (error) {
        dpx_topology_destroy(t);
        t = NULL;
    }
    *topology = t;
    return error;
}
