/* SPDX-License-Identifier: Apache-2.0
 *
 * The words of pmd-rxq-show that a line end may cut: numbers, percentages,
 * names.  Called by its reader only. */

#include <config.h>
#include "dpx-rxq-show-word.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "dpx-cpuset.h"
#include "dpx-view.h"
#include "util.h"

void
dpx_rxq_note(struct dpx_rxq_reader *r, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    svec_add_nocopy(&r->show->notes, xvasprintf(format, args));
    va_end(args);
}

/* Steps over the next word if the line ends within 'word' there. */
bool
dpx_rxq_accept_cut(struct dpx_rxq_reader *r, const char *word)
{
    const struct dpx_paste_word *w = dpx_paste_peek(r->p, 0);

    if (!w || !w->last || strlen(w->s) >= strlen(word)
        || strncmp(word, w->s, strlen(w->s))) {
        return false;
    }
    dpx_rxq_note(r, "line %d is cut: what should follow '%s' is unknown",
                 w->line, w->s);
    r->p->next++;
    return true;
}

/* Returns the next word, to be freed; put together with the one after it if
 * the line end between them cuts a number: "9" and "8 %". */
static char *
number_word(const struct dpx_paste *p, size_t *n_words)
{
    const struct dpx_paste_word *a = dpx_paste_peek(p, 0);
    const struct dpx_paste_word *b = dpx_paste_peek(p, 1);

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

/* "13:", "13", or "13" and ":". */
bool
dpx_rxq_accept_core(struct dpx_paste *p, unsigned int *core)
{
    size_t n_words;
    char *word = number_word(p, &n_words);
    size_t digits = strspn(word, "0123456789");
    bool ok = digits && strspn(word + digits, ":") == strlen(word + digits);

    word[digits] = '\0';
    ok = ok && str_to_uint(word, 10, core) && *core < DPX_MAX_CPUS;
    free(word);
    if (ok) {
        p->next += n_words;
        dpx_paste_accept(p, ":");
    }
    return ok;
}

/* Reads "98 %", "98%", "0.6 %". */
static bool
accept_percent(struct dpx_rxq_reader *r, double *fraction)
{
    size_t n_words;
    char *word = number_word(r->p, &n_words);
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
                dpx_rxq_note(r, "line %d: '%s' has no %% sign, taken as "
                             "percent", r->p->words[r->p->next - 1].line,
                             word);
            }
            *fraction = percent / 100;
        }
    }
    free(word);
    return ok;
}

/* Reads a percentage, or that there is none. */
char *
dpx_rxq_read_percent(struct dpx_rxq_reader *r, double *fraction,
                     bool *not_avail)
{
    const struct dpx_paste_word *w = dpx_paste_peek(r->p, 0);

    *fraction = DPX_LOAD_UNKNOWN;
    *not_avail = false;
    if (dpx_paste_accept(r->p, "NOT")) {
        *not_avail = true;
        return (dpx_paste_accept(r->p, "AVAIL")
                || dpx_rxq_accept_cut(r, "AVAIL")
                ? NULL : dpx_paste_error(r->p, "'AVAIL'"));
    }
    if (dpx_rxq_accept_cut(r, "NOT")) {
        *not_avail = true;
        return NULL;
    }
    if (!w || (w->first && !isdigit((unsigned char) w->s[0]))) {
        dpx_rxq_note(r, "line %d is cut: the percentage is unknown",
             r->p->words[r->p->next - 1].line);
        return NULL;
    }
    return accept_percent(r, fraction)
           ? NULL : dpx_paste_error(r->p, "a percentage or 'NOT AVAIL'");
}

/* The name of a port, in one piece or cut by a line end before "queue-id". */
char *
dpx_rxq_accept_name(struct dpx_rxq_reader *r)
{
    const struct dpx_paste_word *a = dpx_paste_peek(r->p, 0);
    const struct dpx_paste_word *b = dpx_paste_peek(r->p, 1);
    const struct dpx_paste_word *c = dpx_paste_peek(r->p, 2);

    if (!a) {
        return NULL;
    }
    if (a->last && b && c && strncmp(b->s, "queue-id", 8)
        && !strncmp(c->s, "queue-id:", 9) && b->line == c->line) {
        dpx_rxq_note(r, "lines %d and %d: '%s%s' is taken as one name",
                     a->line, b->line, a->s, b->s);
        r->p->next += 2;
        return xasprintf("%s%s", a->s, b->s);
    }
    r->p->next++;
    return xstrdup(a->s);
}
