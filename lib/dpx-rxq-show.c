/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads pmd-rxq-show.  Called by offline programs; goes word by word, so that
 * it makes no difference where lines end. */

#include <config.h>
#include "dpx-rxq-show.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "dpx-cpuset.h"
#include "dpx-paste.h"
#include "dpx-rxq-show-check.h"
#include "dpx-view.h"
#include "util.h"

#define MAX_QUEUE_ID 65535

/* Reading in progress. */
struct reader {
    struct dpx_paste *p;
    struct dpx_rxq_show *show;
    size_t allocated_pmds, allocated_rxqs;
    bool said_thread, said_comma, said_joined;      /* Notes made already. */
};

static void OVS_PRINTF_FORMAT(2, 3)
note(struct reader *r, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    svec_add_nocopy(&r->show->notes, xvasprintf(format, args));
    va_end(args);
}

static struct dpx_rxq_show_pmd *
last_pmd(struct reader *r)
{
    return (r->show->n_pmds ? &r->show->pmds[r->show->n_pmds - 1] : NULL);
}

/* Steps over the next word if the line ends within 'word' there. */
static bool
accept_cut(struct reader *r, const char *word)
{
    const struct dpx_paste_word *w = dpx_paste_peek(r->p, 0);

    if (!w || !w->last || strlen(w->s) >= strlen(word)
        || strncmp(word, w->s, strlen(w->s))) {
        return false;
    }
    note(r, "line %d is cut: what should follow '%s' is unknown", w->line,
         w->s);
    r->p->next++;
    return true;
}

/* "13:", "13", or "13" and ":". */
static bool
accept_core(struct dpx_paste *p, unsigned int *core)
{
    const struct dpx_paste_word *w = dpx_paste_peek(p, 0);
    size_t digits = w ? strspn(w->s, "0123456789") : 0;
    char *number;
    bool ok;

    if (!digits || strspn(w->s + digits, ":") != strlen(w->s + digits)) {
        return false;
    }
    number = xmemdup0(w->s, digits);
    ok = str_to_uint(number, 10, core) && *core < DPX_MAX_CPUS;
    free(number);
    if (ok) {
        p->next++;
        dpx_paste_accept(p, ":");
    }
    return ok;
}

static bool
accept_word_or_key(struct dpx_paste *p, const char *word)
{
    return dpx_paste_accept(p, word) || dpx_paste_accept_key(p, word);
}

/* "[pmd thread] numa_id N core_id N:" after the words before numa_id. */
static char *
read_pmd(struct reader *r, int line, int block)
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
    if (!accept_core(r->p, &core)) {
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

/* Puts the next two words together if the line end between them cuts a
 * number: "9" and "8 %". */
static char *
percent_word(struct reader *r, size_t *n_words)
{
    const struct dpx_paste_word *a = dpx_paste_peek(r->p, 0);
    const struct dpx_paste_word *b = dpx_paste_peek(r->p, 1);

    *n_words = 1;
    if (!a) {
        return xstrdup("");
    }
    if (a->last && b && isdigit((unsigned char) a->s[strlen(a->s) - 1])
        && isdigit((unsigned char) b->s[0])) {
        *n_words = 2;
        return xasprintf("%s%s", a->s, b->s);
    }
    return xstrdup(a->s);
}

/* Reads "98 %", "98%", "0.6 %". */
static bool
accept_percent(struct reader *r, double *fraction)
{
    size_t n_words;
    char *word = percent_word(r, &n_words);
    size_t digits = strspn(word, "0123456789.");
    bool ok = false;

    if (digits && digits <= 12 && isdigit((unsigned char) word[0])
        && (!word[digits] || !strcmp(word + digits, "%"))) {
        double percent;
        bool sign = word[digits] == '%';

        word[digits] = '\0';
        ok = str_to_double(word, &percent);
        if (ok) {
            r->p->next += n_words;
            if (!sign && !dpx_paste_accept(r->p, "%")) {
                note(r, "line %d: '%s' has no %% sign, taken as percent",
                     r->p->words[r->p->next - 1].line, word);
            }
            *fraction = percent / 100;
        }
    }
    free(word);
    return ok;
}

/* Reads a percentage, or that there is none. */
static char *
read_percent(struct reader *r, double *fraction, bool *not_avail)
{
    const struct dpx_paste_word *w = dpx_paste_peek(r->p, 0);

    *fraction = DPX_LOAD_UNKNOWN;
    *not_avail = false;
    if (dpx_paste_accept(r->p, "NOT")) {
        *not_avail = true;
        return dpx_paste_accept(r->p, "AVAIL") || accept_cut(r, "AVAIL")
               ? NULL : dpx_paste_error(r->p, "'AVAIL'");
    }
    if (accept_cut(r, "NOT")) {
        *not_avail = true;
        return NULL;
    }
    if (!w || (w->first && !isdigit((unsigned char) w->s[0]))) {
        note(r, "line %d is cut: the percentage is unknown",
             r->p->words[r->p->next - 1].line);
        return NULL;
    }
    return accept_percent(r, fraction)
           ? NULL : dpx_paste_error(r->p, "a percentage or 'NOT AVAIL'");
}

/* The name of a port, in one piece or cut by a line end before "queue-id". */
static char *
accept_name(struct reader *r)
{
    const struct dpx_paste_word *a = dpx_paste_peek(r->p, 0);
    const struct dpx_paste_word *b = dpx_paste_peek(r->p, 1);
    const struct dpx_paste_word *c = dpx_paste_peek(r->p, 2);

    if (!a) {
        return NULL;
    }
    if (a->last && b && c && strncmp(b->s, "queue-id", 8)
        && !strncmp(c->s, "queue-id:", 9) && b->line == c->line) {
        note(r, "lines %d and %d: '%s%s' is taken as one name", a->line,
             b->line, a->s, b->s);
        r->p->next += 2;
        return xasprintf("%s%s", a->s, b->s);
    }
    r->p->next++;
    return xstrdup(a->s);
}

/* "(enabled)" or "(disabled)", if there is one. */
static enum dpx_said
accept_enabled(struct reader *r)
{
    if (dpx_paste_accept(r->p, "(enabled)")) {
        return DPX_SAID_YES;
    }
    if (dpx_paste_accept(r->p, "(disabled)")) {
        return DPX_SAID_NO;
    }
    if (accept_cut(r, "(enabled)") || accept_cut(r, "(disabled)")) {
        return DPX_SAID_NOTHING;
    }
    return DPX_SAID_NOTHING;
}

/* "pmd usage: N %", if it is there. */
static char *
read_usage(struct reader *r, bool *found, double *usage, bool *not_avail)
{
    size_t start = r->p->next;

    *found = *not_avail = false;
    *usage = DPX_LOAD_UNKNOWN;
    if (dpx_paste_accept(r->p, "pmd")) {
        if (dpx_paste_accept_key(r->p, "usage")) {
            *found = true;
            return read_percent(r, usage, not_avail);
        }
        if (accept_cut(r, "usage:")) {
            return NULL;
        }
        if (r->p->words[start].last) {
            const struct dpx_paste_word *next = dpx_paste_peek(r->p, 0);

            if (!next || strcmp(next->s, "thread")) {
                note(r, "line %d is cut: the usage is unknown",
                     r->p->words[start].line);
                return NULL;
            }
        }
        r->p->next = start;
    }
    return NULL;
}

static void
add_rxq(struct reader *r, const struct dpx_rxq_show_rxq *rxq)
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
ends_with_comma(const struct reader *r)
{
    return r->p->next && r->p->words[r->p->next - 1].comma;
}

/* "port: NAME queue-id: N... [(enabled)] [pmd usage: N %]" after "port:". */
static char *
read_port(struct reader *r, int line)
{
    struct dpx_rxq_show_rxq rxq = { .line = line, .pmd = r->show->n_pmds - 1 };
    char *name = accept_name(r), *error = NULL;
    unsigned int queue;
    size_t first = r->show->n_rxqs;
    bool found;

    if (!name) {
        return dpx_paste_error(r->p, "the name of a port");
    }
    if (ends_with_comma(r) && !r->said_comma) {
        r->said_comma = true;
        note(r, "line %d: commas between the fields are left out", line);
    }
    rxq.port = name;
    if (!dpx_paste_accept_key(r->p, "queue-id")) {
        if (accept_cut(r, "queue-id:") || r->p->words[r->p->next - 1].last) {
            note(r, "line %d: port '%s' has no queue id, left out", line,
                 name);
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
read_isolated(struct reader *r)
{
    static const struct { const char *word; enum dpx_said said; } words[] = {
        { "true", DPX_SAID_YES }, { "false", DPX_SAID_NO },
        { "yes", DPX_SAID_YES }, { "no", DPX_SAID_NO },
    };

    for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
        if (dpx_paste_accept(r->p, words[i].word)
            || accept_cut(r, words[i].word)) {
            last_pmd(r)->isolated = words[i].said;
            r->show->has_isolated = true;
            return NULL;
        }
    }
    return dpx_paste_error(r->p, "'true' or 'false'");
}

static char *
read_overhead(struct reader *r, bool joined)
{
    bool not_avail;

    if (joined && !r->said_joined) {
        r->said_joined = true;
        note(r, "line %d: 'overhead' on the line of a queue is taken as the "
             "PMD's", r->p->words[r->p->next - 1].line);
    }
    r->show->has_overhead = true;
    return read_percent(r, &last_pmd(r)->overhead, &not_avail);
}

/* "Displaying last N seconds pmd usage %" after "Displaying". */
static char *
read_heading(struct reader *r)
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
skip_foreign(struct reader *r)
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
read_item(struct reader *r)
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
            note(r, "line %d: 'numa_id' without 'pmd thread' is taken as the "
                 "heading of a PMD", line);
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
    struct reader r = {
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
