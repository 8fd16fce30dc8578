/* SPDX-License-Identifier: Apache-2.0
 *
 * What the texts say beyond the view: how far they can be trusted, which
 * queues are missing, how the machine fits.  Pure. */

#include <config.h>

#include <ctype.h>
#include <float.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "dpx-plan.h"
#include "dpx-plan-find.h"
#include "openvswitch/dynamic-string.h"
#include "util.h"

static void
find_notes(struct dpx_findings *f, const struct svec *notes, const char *what)
{
    for (size_t i = 0; i < notes->n; i++) {
        dpx_findings_add(f, DPX_NOTE, "%s%s", what, notes->names[i]);
    }
}

/* Where the queues of each port are, for an output that has only counts. */
static void
find_counts(struct dpx_findings *f, const struct dpx_view *view)
{
    struct shash ports = SHASH_INITIALIZER(&ports);

    for (size_t i = 0; i < view->n_rxqs; i++) {
        const char *port = view->rxqs[i].port;
        int numa = view->pmds[view->rxqs[i].current].numa_id;
        struct dpx_cpuset pmds = { { 0 } };
        size_t n_queues = 0, n_node = 0;

        if (!shash_add_once(&ports, port, NULL)) {
            continue;
        }
        for (size_t j = 0; j < view->n_rxqs; j++) {
            if (!strcmp(view->rxqs[j].port, port)) {
                dpx_cpuset_add(&pmds,
                               view->pmds[view->rxqs[j].current].core_id);
                n_queues++;
            }
        }
        for (size_t j = 0; j < view->n_pmds; j++) {
            n_node += view->pmds[j].numa_id == numa;
        }
        dpx_findings_add(f, DPX_NOTE, "the %"PRIuSIZE" queue%s of %s %s on "
                         "%"PRIuSIZE" of the %"PRIuSIZE" PMDs of NUMA node "
                         "%d", n_queues, n_queues > 1 ? "s" : "", port,
                         n_queues > 1 ? "are" : "is", dpx_cpuset_count(&pmds),
                         n_node, numa);
    }
    shash_destroy(&ports);
}

static void
find_trust(struct dpx_findings *f, const struct dpx_rxq_show *show,
           const struct dpx_view *view)
{
    size_t n_not_avail = 0;

    for (size_t i = 0; i < show->n_rxqs; i++) {
        n_not_avail += show->rxqs[i].not_avail;
    }
    if (!show->has_usage && show->n_rxqs) {
        dpx_findings_add(f, DPX_CHECK, "this output has no usage (Open "
                         "vSwitch before 2.9): there is no load to plan by, "
                         "only the number of queues");
        find_counts(f, view);
    }
    if (n_not_avail) {
        dpx_findings_add(f, DPX_CHECK, "%"PRIuSIZE" of %"PRIuSIZE" queues "
                         "are NOT AVAIL, which is not 0: the datapath was "
                         "reconfigured less than a minute before; take the "
                         "output again after a minute", n_not_avail,
                         show->n_rxqs);
    }
    if (show->low_confidence) {
        dpx_findings_add(f, DPX_CHECK, "usage above 100 %%: up to 2.16 the "
                         "first output after a reload is wrong; take it "
                         "again after a minute");
    }
    if (show->incomplete) {
        dpx_findings_add(f, DPX_PROBLEM, "the output is cut: queues are "
                         "missing, so the plan cannot be complete");
    }
}

/* Output over 60 s divides by 60 s even when less has been measured. */
static void
find_window(struct dpx_findings *f, const struct dpx_rxq_show *show)
{
    double most = 0;

    for (size_t i = 0; i < show->n_rxqs; i++) {
        most = MAX(most, show->rxqs[i].usage);
    }
    if (most > 0 && show->seconds != 5) {
        dpx_findings_add(f, DPX_NOTE, "in the first minute after a change "
                         "these loads read too low%s",
                         show->seconds ? "; '-secs 5' is right after 10 s"
                         : "");
    }
}

/* Length of the part of 'port' before its number, if it ends with one. */
static size_t
stem_length(const char *port)
{
    size_t length = strlen(port);

    while (length && isdigit((unsigned char) port[length - 1])) {
        length--;
    }
    return length;
}

static size_t
count_port_queues(const struct dpx_rxq_show *show, const char *port,
                  int *highest)
{
    size_t n = 0;

    *highest = -1;
    for (size_t i = 0; i < show->n_rxqs; i++) {
        if (!strcmp(show->rxqs[i].port, port)) {
            n++;
            *highest = MAX(*highest, show->rxqs[i].queue_id);
        }
    }
    return n;
}

/* The number of queues that all other ports with the name of 'port' but for
 * the number have, or 0 if they differ or are fewer than two. */
static size_t
queues_of_likes(const struct dpx_rxq_show *show, const char *port,
                const struct shash *ports)
{
    size_t stem = stem_length(port), n = 0, n_likes = 0;
    const struct shash_node *node;

    if (!port[stem] || !stem) {
        return 0;
    }
    SHASH_FOR_EACH (node, ports) {
        int highest;
        size_t queues;

        if (strcmp(node->name, port) && stem_length(node->name) == stem
            && !strncmp(node->name, port, stem)) {
            queues = count_port_queues(show, node->name, &highest);
            if (n_likes++ && queues != n) {
                return 0;
            }
            n = queues;
        }
    }
    return n_likes > 1 ? n : 0;
}

/* A queue that nobody polls has no line at all. */
static void
find_missing(struct dpx_findings *f, const struct dpx_rxq_show *show)
{
    struct shash ports = SHASH_INITIALIZER(&ports);
    struct shash seen = SHASH_INITIALIZER(&seen);

    /* More would be compared for too long, and hold no surprise. */
    if (show->n_rxqs > 4096) {
        return;
    }
    for (size_t i = 0; i < show->n_rxqs; i++) {
        shash_add_once(&ports, show->rxqs[i].port, NULL);
    }
    for (size_t i = 0; i < show->n_rxqs; i++) {
        const char *port = show->rxqs[i].port;
        int highest;
        size_t n, likes;

        if (!shash_add_once(&seen, port, NULL)) {
            continue;
        }
        n = count_port_queues(show, port, &highest);
        likes = queues_of_likes(show, port, &ports);
        if ((int) n <= highest) {
            dpx_findings_add(f, DPX_NOTE, "queues of %s are missing: it has "
                             "queue %d, but only %"PRIuSIZE" of its queues "
                             "are listed", port, highest, n);
        } else if (likes > n) {
            dpx_findings_add(f, DPX_NOTE, "queue %"PRIuSIZE" of %s is "
                             "missing: the other ports of its kind have "
                             "%"PRIuSIZE" queues; nobody polls it, or it is "
                             "not configured", n, port, likes);
        }
    }
    shash_destroy(&ports);
    shash_destroy(&seen);
}

static int
compare_cores(const void *a_, const void *b_)
{
    const unsigned int *a = a_, *b = b_;

    return *a < *b ? -1 : *a > *b;
}

static double
busy_of_core(const struct dpx_view *view, unsigned int core)
{
    for (size_t i = 0; i < view->n_pmds; i++) {
        if (view->pmds[i].core_id == core) {
            return view->pmds[i].busy;
        }
    }
    return DPX_LOAD_UNKNOWN;
}

/* "5/33", and how busy they are if both are. */
static void
put_pair(struct ds *s, const struct dpx_view *view, unsigned int a,
         unsigned int b)
{
    double x = busy_of_core(view, a), y = busy_of_core(view, b);

    ds_put_format(s, "%s%u/%u", s->length ? ", " : "", a, b);
    if (x >= DPX_BUSY && y >= DPX_BUSY) {
        ds_put_format(s, " (at %.0f and %.0f %%)", x * 100, y * 100);
    }
}

/* Core numbers of the PMDs in which the upper half repeats the lower one at a
 * distance are what operators get who take both threads of each core. */
static void
find_likely_siblings(struct dpx_findings *f, const struct dpx_view *view)
{
    size_t n = view->n_pmds, half = n / 2;
    unsigned int *cores = xcalloc(n + 1, sizeof *cores);
    struct ds list = DS_EMPTY_INITIALIZER;
    unsigned int step;
    bool fits;

    for (size_t i = 0; i < n; i++) {
        cores[i] = view->pmds[i].core_id;
    }
    qsort(cores, n, sizeof *cores, compare_cores);
    step = n ? cores[half] - cores[0] : 0;
    fits = (n >= 2 && n % 2 == 0 && step >= 4 && step % 2 == 0
            && cores[half - 1] < step && cores[n - 1] < 2 * step);
    for (size_t i = 0; i < half && fits; i++) {
        fits = cores[half + i] - cores[i] == step;
        put_pair(&list, view, cores[i], cores[half + i]);
    }
    if (fits) {
        dpx_findings_add(f, DPX_CHECK, "cores %s: by their numbers these may "
                         "be siblings, on one physical core; --machine tells",
                         ds_cstr(&list));
    }
    ds_destroy(&list);
    free(cores);
}

/* Does the machine fit the output? */
static void
find_machine(struct dpx_findings *f, const struct dpx_view *view,
             const struct dpx_topology *machine)
{
    for (size_t i = 0; i < view->n_pmds; i++) {
        const struct dpx_view_pmd *pmd = &view->pmds[i];
        const struct dpx_topology_cpu *cpu;

        cpu = dpx_topology_cpu(machine, pmd->core_id);
        if (!cpu || !cpu->online) {
            dpx_findings_add(f, DPX_PROBLEM, "core %u has a PMD but is no "
                             "on-line CPU of the machine: is it of this "
                             "host?", pmd->core_id);
        } else if (cpu->numa_id >= 0 && pmd->numa_id >= 0
                   && cpu->numa_id != pmd->numa_id) {
            dpx_findings_add(f, DPX_PROBLEM, "core %u is on NUMA node %d by "
                             "pmd-rxq-show and on node %d by the machine: is "
                             "it of this host?", pmd->core_id, pmd->numa_id,
                             cpu->numa_id);
        }
    }
}

/* What the shifts of a table come to, node by node. */
static void
find_levels(struct dpx_findings *f, const struct dpx_load_table *table)
{
    struct dpx_cpuset done = { { 0 } };

    for (size_t i = 0; i < table->n_rows; i++) {
        int numa = table->rows[i].numa_id;
        double least = DBL_MAX, most = 0, sum = 0;
        size_t n = 0;

        if (dpx_cpuset_has(&done, numa)) {
            continue;
        }
        dpx_cpuset_add(&done, numa);
        for (size_t j = i; j < table->n_rows; j++) {
            const struct dpx_load_table_row *row = &table->rows[j];

            if (row->numa_id == numa) {
                least = MIN(least, row->load);
                most = MAX(most, row->load);
                sum += row->load;
                n++;
            }
        }
        dpx_findings_add(f, DPX_NOTE, "NUMA node %d: %"PRIuSIZE" cores at "
                         "%.0f to %.0f %s; equal shares are %.0f each", numa,
                         n, least, most, table->unit, sum / n);
    }
}

void
dpx_plan_find(struct dpx_findings *f, const struct dpx_plan_input *in,
              const struct dpx_view *view)
{
    if (in->rxq) {
        find_trust(f, in->rxq, view);
        find_missing(f, in->rxq);
        find_window(f, in->rxq);
        find_notes(f, &in->rxq->notes, "");
    }
    if (in->table) {
        find_levels(f, in->table);
    }
    if (in->machine) {
        find_machine(f, view, in->machine);
        find_notes(f, &in->machine->notes, "machine: ");
    } else {
        find_likely_siblings(f, view);
    }
    dpx_plan_find_counters(f, in, view);
}
