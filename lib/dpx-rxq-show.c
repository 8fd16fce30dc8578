/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads pmd-rxq-show.  Called by offline programs; goes word by word, so that
 * it makes no difference where lines end. */

#include <config.h>
#include "dpx-rxq-show.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "dpx-cpuset.h"
#include "dpx-paste.h"
#include "dpx-rxq-show-check.h"
#include "dpx-rxq-show-word.h"
#include "dpx-view.h"
#include "util.h"

#define MAX_QUEUE_ID 65535

static struct dpx_rxq_show_pmd *
last_pmd(struct dpx_rxq_reader *r)
{
    return (r->show->n_pmds ? &r->show->pmds[r->show->n_pmds - 1] : NULL);
}

static bool
accept_word_or_key(struct dpx_paste *p, const char *word)
{
    return dpx_paste_accept(p, word) || dpx_paste_accept_key(p, word);
}

/* "[pmd thread] numa_id N core_id N:" after the words before numa_id. */
static char *
read_pmd(struct dpx_rxq_reader *r, int line, int block)
{
    struct dpx_rxq_show *show = r->show;
    unsigned int numa, core;

    if (!accept_word_or_key(r->p, "numa_id")) {
        return dpx_paste_error(r->p, "'numa_id'");
    }
    if (!dpx_paste_accept_uint(r->p, INT_MAX, &numa)) {
        return dpx_paste_error(r->p, "the number of a NUMA node");
    }
    if (!accept_word_or_key(r->p, "core_id")) {
        return dpx_paste_error(r->p, "'core_id'");
    }
    if (!dpx_rxq_accept_core(r->p, &core)) {
        return dpx_paste_error(r->p, "the number of a core (below 8192)");
    }
    if (show->n_pmds >= r->allocated_pmds) {
        show->pmds = x2nrealloc(show->pmds, &r->allocated_pmds,
                                sizeof *show->pmds);
    }
    show->pmds[show->n_pmds++] = (struct dpx_rxq_show_pmd) {
        .core_id = core,
        .numa_id = numa < DPX_MAX_CPUS ? (int) numa : DPX_ID_UNKNOWN,
        .overhead = DPX_LOAD_UNKNOWN,
        .line = line,
        .block = block,
    };
    return NULL;
}

/* "(enabled)" or "(disabled)", if there is one. */
static enum dpx_said
accept_enabled(struct dpx_rxq_reader *r)
{
    if (dpx_paste_accept(r->p, "(enabled)")) {
        return DPX_SAID_YES;
    }
    if (dpx_paste_accept(r->p, "(disabled)")) {
        return DPX_SAID_NO;
    }
    if (!dpx_rxq_accept_cut(r, "(enabled)")) {
        dpx_rxq_accept_cut(r, "(disabled)");
    }
    return DPX_SAID_NOTHING;
}

/* "pmd usage: N %", if it is there. */
static char *
read_usage(struct dpx_rxq_reader *r, bool *found, double *usage,
           bool *not_avail)
{
    size_t start = r->p->next;

    *found = *not_avail = false;
    *usage = DPX_LOAD_UNKNOWN;
    if (dpx_paste_accept(r->p, "pmd")) {
        if (dpx_paste_accept_key(r->p, "usage")) {
            *found = true;
            return dpx_rxq_read_percent(r, usage, not_avail);
        }
        if (dpx_rxq_accept_cut(r, "usage:")) {
            return NULL;
        }
        if (r->p->words[start].last) {
            const struct dpx_paste_word *next = dpx_paste_peek(r->p, 0);

            if (!next || strcmp(next->s, "thread")) {
                dpx_rxq_note(r, "line %d is cut: the usage is unknown",
                     r->p->words[start].line);
                return NULL;
            }
        }
        r->p->next = start;
    }
    return NULL;
}

static void
add_rxq(struct dpx_rxq_reader *r, const struct dpx_rxq_show_rxq *rxq)
{
    struct dpx_rxq_show *show = r->show;

    if (show->n_rxqs >= r->allocated_rxqs) {
        show->rxqs = x2nrealloc(show->rxqs, &r->allocated_rxqs,
                                sizeof *show->rxqs);
    }
    show->rxqs[show->n_rxqs] = *rxq;
    show->rxqs[show->n_rxqs++].port = xstrdup(rxq->port);
}

static bool
ends_with_comma(const struct dpx_rxq_reader *r)
{
    return r->p->next && r->p->words[r->p->next - 1].comma;
}

/* The formats that have several queues in a line have nothing behind them, so
 * with something behind, two numbers are one that a line end cuts. */
static void
join_queue_id(struct dpx_rxq_reader *r, size_t first)
{
    struct dpx_rxq_show_rxq *a = &r->show->rxqs[first];
    const struct dpx_paste_word *w = dpx_paste_peek(r->p, 0);

    if (r->show->n_rxqs == first + 2 && w && w[-2].last && a[1].queue_id < 100
        && (w->s[0] == '(' || !strcmp(w->s, "pmd")) && !w->first) {
        int shift = w[-1].s[1] ? 100 : 10;

        a->queue_id = a->queue_id * shift + a[1].queue_id;
        free(a[1].port);
        r->show->n_rxqs--;
    }
}

/* "port: NAME queue-id: N... [(enabled)] [pmd usage: N %]" after "port:". */
static char *
read_port(struct dpx_rxq_reader *r, int line)
{
    struct dpx_rxq_show_rxq rxq = { .line = line, .pmd = r->show->n_pmds - 1 };
    char *name = dpx_rxq_accept_name(r), *error = NULL;
    unsigned int queue;
    size_t first = r->show->n_rxqs;
    bool found;

    if (!name) {
        return dpx_paste_error(r->p, "the name of a port");
    }
    if (ends_with_comma(r) && !r->said_comma) {
        r->said_comma = true;
        dpx_rxq_note(r, "line %d: commas between the fields are left out",
                     line);
    }
    rxq.port = name;
    if (!dpx_paste_accept_key(r->p, "queue-id")) {
        if (dpx_rxq_accept_cut(r, "queue-id:")
            || r->p->words[r->p->next - 1].last) {
            dpx_rxq_note(r, "line %d: port '%s' has no queue id, left out",
                         line, name);
            r->show->incomplete = true;
        } else {
            error = dpx_paste_error(r->p, "'queue-id:'");
        }
        goto out;
    }
    while (dpx_paste_accept_uint(r->p, MAX_QUEUE_ID, &queue)) {
        rxq.queue_id = queue;
        add_rxq(r, &rxq);
    }
    if (r->show->n_rxqs == first) {
        error = dpx_paste_error(r->p, "a queue id (at most 65535)");
        goto out;
    }
    join_queue_id(r, first);
    rxq.enabled = accept_enabled(r);
    r->show->has_enabled |= rxq.enabled != DPX_SAID_NOTHING;
    error = read_usage(r, &found, &rxq.usage, &rxq.not_avail);
    r->show->has_usage |= found;
    for (size_t i = first; i < r->show->n_rxqs; i++) {
        r->show->rxqs[i].enabled = rxq.enabled;
        r->show->rxqs[i].usage = rxq.usage;
        r->show->rxqs[i].not_avail = rxq.not_avail;
    }
out:
    free(name);
    return error;
}

static char *
read_isolated(struct dpx_rxq_reader *r)
{
    static const struct { const char *word; enum dpx_said said; } words[] = {
        { "true", DPX_SAID_YES }, { "false", DPX_SAID_NO },
        { "yes", DPX_SAID_YES }, { "no", DPX_SAID_NO },
    };

    for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
        if (dpx_paste_accept(r->p, words[i].word)
            || dpx_rxq_accept_cut(r, words[i].word)) {
            last_pmd(r)->isolated = words[i].said;
            r->show->has_isolated = true;
            return NULL;
        }
    }
    return dpx_paste_error(r->p, "'true' or 'false'");
}

static char *
read_overhead(struct dpx_rxq_reader *r, bool joined)
{
    bool not_avail;

    if (joined && !r->said_joined) {
        r->said_joined = true;
        dpx_rxq_note(r, "line %d: 'overhead' on the line of a queue is taken "
                     "as the PMD's", r->p->words[r->p->next - 1].line);
    }
    r->show->has_overhead = true;
    return dpx_rxq_read_percent(r, &last_pmd(r)->overhead, &not_avail);
}

/* "Displaying last N seconds pmd usage %" after "Displaying". */
static char *
read_heading(struct dpx_rxq_reader *r)
{
    if (dpx_paste_accept(r->p, "last")
        && dpx_paste_accept_uint(r->p, 100000, &r->show->seconds)
        && dpx_paste_accept(r->p, "seconds")
        && dpx_paste_accept(r->p, "pmd")
        && dpx_paste_accept(r->p, "usage")
        && dpx_paste_accept(r->p, "%")) {
        return NULL;
    }
    return dpx_paste_error(r->p, "'Displaying last N seconds pmd usage %'");
}

/* A line that another command printed. */
static void
skip_foreign(struct dpx_rxq_reader *r)
{
    int line = dpx_paste_peek(r->p, 0)->line;

    if (last_pmd(r) && !last_pmd(r)->has_items) {
        last_pmd(r)->foreign = true;
    }
    while (dpx_paste_peek(r->p, 0) && dpx_paste_peek(r->p, 0)->line == line) {
        r->p->next++;
    }
}

/* Reads one item, whatever it is. */
static char *
read_item(struct dpx_rxq_reader *r)
{
    struct dpx_paste *p = r->p;
    const struct dpx_paste_word *w = dpx_paste_peek(p, 0);
    int line = w->line, block = w->block;
    bool first = w->first;

    if (dpx_rxq_show_is_foreign(p)) {
        skip_foreign(r);
        return NULL;
    }
    if (dpx_paste_accept(p, "Displaying")) {
        return read_heading(r);
    }
    if (dpx_paste_accept(p, "pmd")) {
        if (!dpx_paste_accept(p, "thread")) {
            return dpx_paste_error(p, "'thread'");
        }
        return read_pmd(r, line, block);
    }
    if (!strncmp(w->s, "numa_id", 7)) {
        if (!r->said_thread) {
            r->said_thread = true;
            dpx_rxq_note(r, "line %d: 'numa_id' without 'pmd thread' is taken "
                         "as the heading of a PMD", line);
        }
        return read_pmd(r, line, block);
    }
    if (!last_pmd(r)) {
        return dpx_paste_error(p, "'pmd thread numa_id N core_id N:'");
    }
    last_pmd(r)->has_items = true;
    if (dpx_paste_accept_key(p, "port")) {
        return read_port(r, line);
    }
    if (dpx_paste_accept_key(p, "isolated")) {
        return read_isolated(r);
    }
    if (dpx_paste_accept_key(p, "overhead")) {
        return read_overhead(r, !first);
    }
    return dpx_paste_error(p, "'pmd thread', 'isolated', 'port' or "
                           "'overhead'");
}

char *
dpx_rxq_show_parse(const char *text, size_t length,
                   struct dpx_rxq_show **show)
{
    struct dpx_rxq_reader r = {
        .p = dpx_paste_create(text, length),
        .show = xzalloc(sizeof *r.show),
    };
    char *error;

    svec_init(&r.show->notes);
    error = dpx_rxq_show_refuse(r.p);
    while (!error && dpx_paste_peek(r.p, 0)) {
        error = read_item(&r);
    }
    if (!error) {
        error = dpx_rxq_show_check(r.show);
    }
    dpx_paste_destroy(r.p);
    if (error) {
        dpx_rxq_show_destroy(r.show);
        r.show = NULL;
    }
    *show = r.show;
    return error;
}

void
dpx_rxq_show_destroy(struct dpx_rxq_show *show)
{
    if (show) {
        for (size_t i = 0; i < show->n_rxqs; i++) {
            free(show->rxqs[i].port);
        }
        free(show->rxqs);
        free(show->pmds);
        svec_destroy(&show->notes);
        free(show);
    }
}
