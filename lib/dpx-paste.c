/* SPDX-License-Identifier: Apache-2.0
 *
 * Cuts pasted text into lines and words.  Called by the readers of outputs;
 * must accept any bytes. */

#include <config.h>
#include "dpx-paste.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "openvswitch/dynamic-string.h"
#include "util.h"

/* Longest part of a wrong word that an error repeats. */
#define QUOTED 40

/* Does 'line' begin like a shell prompt, "user@host:~# " or "[user@h d]$ "? */
static bool
has_prompt(const char *line)
{
    size_t first = strcspn(line, " ");
    const char *end = strpbrk(line, "#$");

    if (line[0] == '#' || line[0] == '$') {
        return true;
    }
    if (!end || (end[1] && end[1] != ' ')) {
        return false;
    }
    return line[0] == '[' || line[0] == '('
           || memchr(line, '@', MIN(first, (size_t) (end - line)));
}

/* Lines that are no output of the command: what was typed, comments, and what
 * tools and people put between. */
static bool
is_ornament(const char *line)
{
    /* 'lscpu -p' prints the names of its columns as a comment. */
    return (has_prompt(line) && strncmp(line, "# CPU,", 6))
           || strstr(line, "ovs-appctl dpif")
           || strstr(line, "ovs-appctl dpctl")
           || !strcmp(line, "--")
           || !strcmp(line, "...")
           || !strcmp(line, "[...]")
           || !strncmp(line, "```", 3)
           || !strncmp(line, "~~~", 3);
}

static bool
is_blank(char c)
{
    return (unsigned char) c <= ' ' || c == 0x7f;
}

/* Cuts the marks of a quoted mail and trailing blanks off the line from 's' to
 * 'end', and returns its start. */
static char *
clean_line(char *s, char *end)
{
    char *mark = s;

    while (mark < end && (*mark == '>' || *mark == '|')) {
        mark++;
        if (mark < end && *mark == ' ') {
            mark++;
        }
        s = mark;
    }
    while (end > s && is_blank(end[-1])) {
        end--;
    }
    *end = '\0';
    return s;
}

static void
add_line(struct dpx_paste *p, size_t *allocated, char *s, int number,
         int *block)
{
    const char *start = s + strspn(s, " \t");

    if (is_ornament(start)) {
        *block += has_prompt(start) || strstr(start, "ovs-appctl");
        return;
    }
    if (p->n_lines >= *allocated) {
        p->lines = x2nrealloc(p->lines, allocated, sizeof *p->lines);
    }
    p->lines[p->n_lines++] = (struct dpx_paste_line) {
        .s = xstrdup(s), .number = number, .block = *block,
    };
}

static void
add_words(struct dpx_paste *p, size_t *allocated,
          const struct dpx_paste_line *line)
{
    const char *s = line->s;
    bool first = true;

    for (;;) {
        const char *start, *end;

        s += strspn(s, " \t");
        if (!*s) {
            break;
        }
        start = s;
        s += strcspn(s, " \t");
        for (end = s; end > start && end[-1] == ','; end--) {
            continue;
        }
        if (end == start) {
            continue;
        }
        if (p->n_words >= *allocated) {
            p->words = x2nrealloc(p->words, allocated, sizeof *p->words);
        }
        p->words[p->n_words++] = (struct dpx_paste_word) {
            .s = xmemdup0(start, end - start), .line = line->number,
            .block = line->block, .first = first, .comma = end < s,
        };
        first = false;
    }
    if (!first) {
        p->words[p->n_words - 1].last = true;
    }
}

/* Makes a blank of every byte that is one on some screen. */
static char *
copy_text(const char *text, size_t length)
{
    char *copy = xmemdup0(text, length);

    for (size_t i = 0; i < length; i++) {
        if (is_blank(copy[i]) && copy[i] != '\n' && copy[i] != '\t') {
            copy[i] = ' ';
        } else if (copy[i] == '\xc2' && copy[i + 1] == '\xa0') {
            copy[i] = copy[i + 1] = ' ';    /* No-break space of a web page. */
        }
    }
    return copy;
}

struct dpx_paste *
dpx_paste_create(const char *text, size_t length)
{
    struct dpx_paste *p = xzalloc(sizeof *p);
    char *copy = copy_text(text, length);
    size_t allocated_lines = 0, allocated_words = 0;
    int number = 0, block = 0;

    for (char *s = copy, *next; s < copy + length; s = next) {
        char *end = s + strcspn(s, "\n");

        next = end + 1;
        add_line(p, &allocated_lines, clean_line(s, end), ++number, &block);
    }
    p->last_line = number;
    for (size_t i = 0; i < p->n_lines; i++) {
        add_words(p, &allocated_words, &p->lines[i]);
    }
    free(copy);
    return p;
}

void
dpx_paste_destroy(struct dpx_paste *p)
{
    if (p) {
        for (size_t i = 0; i < p->n_lines; i++) {
            free(p->lines[i].s);
        }
        for (size_t i = 0; i < p->n_words; i++) {
            free(p->words[i].s);
        }
        free(p->lines);
        free(p->words);
        free(p);
    }
}

const struct dpx_paste_word *
dpx_paste_peek(const struct dpx_paste *p, size_t ahead)
{
    return (p->next + ahead < p->n_words ? &p->words[p->next + ahead] : NULL);
}

/* Does a line end cut 'word' (of which 'length' bytes count) between the next
 * two words?  The second may go on behind it; then '*rest' is that. */
static bool
is_cut(const struct dpx_paste *p, const char *word, char **rest)
{
    const struct dpx_paste_word *a = dpx_paste_peek(p, 0);
    const struct dpx_paste_word *b = dpx_paste_peek(p, 1);
    size_t length = a ? strlen(a->s) : 0;
    size_t left = strlen(word) - MIN(length, strlen(word));

    if (!b || !a->last || !left || strncmp(a->s, word, length)
        || strncmp(b->s, word + length, left)) {
        return false;
    }
    *rest = b->s + left;
    return true;
}

bool
dpx_paste_accept(struct dpx_paste *p, const char *word)
{
    const struct dpx_paste_word *w = dpx_paste_peek(p, 0);
    char *rest;

    if (w && !strcmp(w->s, word)) {
        p->next++;
        return true;
    }
    if (w && is_cut(p, word, &rest) && !*rest) {
        p->next += 2;
        return true;
    }
    return false;
}

/* Leaves of the word at 'index' what is behind 'rest', or steps over it. */
static void
take_up_to(struct dpx_paste *p, size_t index, const char *rest)
{
    struct dpx_paste_word *w = &p->words[index];

    p->next = index + !*rest;
    memmove(w->s, rest, strlen(rest) + 1);
}

bool
dpx_paste_accept_key(struct dpx_paste *p, const char *key)
{
    const struct dpx_paste_word *w = dpx_paste_peek(p, 0);
    const struct dpx_paste_word *colon = dpx_paste_peek(p, 1);
    size_t length = strlen(key);
    char *with_colon, *rest;
    bool cut;

    if (!w) {
        return false;
    }
    if (!strncmp(w->s, key, length) && w->s[length] == ':') {
        take_up_to(p, p->next, w->s + length + 1);
        return true;
    }
    if (!strcmp(w->s, key) && colon && colon->s[0] == ':') {
        take_up_to(p, p->next + 1, colon->s + 1);
        return true;
    }
    with_colon = xasprintf("%s:", key);
    cut = is_cut(p, with_colon, &rest);
    if (cut) {
        take_up_to(p, p->next + 1, rest);
    }
    free(with_colon);
    return cut;
}

bool
dpx_paste_accept_uint(struct dpx_paste *p, unsigned int max,
                      unsigned int *value)
{
    const struct dpx_paste_word *w = dpx_paste_peek(p, 0);
    unsigned int n;

    if (!w || strspn(w->s, "0123456789") != strlen(w->s)
        || !str_to_uint(w->s, 10, &n) || n > max) {
        return false;
    }
    *value = n;
    p->next++;
    return true;
}

char *
dpx_paste_error_at(int line, const char *word, const char *expected)
{
    struct ds s = DS_EMPTY_INITIALIZER;

    ds_put_format(&s, "line %d: expected %s, not '", line, expected);
    for (int i = 0; word[i] && i < QUOTED; i++) {
        ds_put_char(&s, isprint((unsigned char) word[i]) ? word[i] : '?');
    }
    ds_put_format(&s, "%s'", strlen(word) > QUOTED ? "..." : "");
    return ds_steal_cstr(&s);
}

char *
dpx_paste_error(const struct dpx_paste *p, const char *expected)
{
    const struct dpx_paste_word *w = dpx_paste_peek(p, 0);

    return w ? dpx_paste_error_at(w->line, w->s, expected)
             : xasprintf("line %d: the text ends where %s is expected",
                         p->last_line, expected);
}

bool
dpx_paste_says(const struct dpx_paste *p, const char *part)
{
    for (size_t i = 0; i < p->n_lines; i++) {
        if (strstr(p->lines[i].s, part)) {
            return true;
        }
    }
    return false;
}
