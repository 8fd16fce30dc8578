/* SPDX-License-Identifier: Apache-2.0
 *
 * Text that an operator copied from a terminal or a bug report, as lines and
 * as words.
 *
 * Takes out what is not output: prompts with their command, comments, fences,
 * the marks of a quoted mail, the "--" of grep.  Joins words that the width of
 * a terminal has cut.  Knows nothing about what the text means; the readers of
 * the outputs are on top of it.  Pure: text in, words or an error out. */

#ifndef DPX_PASTE_H
#define DPX_PASTE_H 1

#include <stdbool.h>
#include <stddef.h>

#include "compiler.h"

/* Longest input; a longer one is not what an operator pasted. */
#define DPX_PASTE_MAX_SIZE (16 * 1024 * 1024)

/* A line without its ornaments. */
struct dpx_paste_line {
    char *s;
    int number;             /* As in the input, from 1. */
    int block;              /* Grows at each prompt: one per command. */
};

/* A word and where it stood. */
struct dpx_paste_word {
    char *s;
    int line;
    int block;
    bool first, last;       /* On its line. */
    bool comma;             /* A comma followed. */
};

struct dpx_paste {
    struct dpx_paste_line *lines;
    size_t n_lines;
    struct dpx_paste_word *words;
    size_t n_words;
    size_t next;            /* Word to be read next. */
    int last_line;          /* Number of the last line of the input. */
};

/* Cuts up 'length' bytes of 'text'. */
struct dpx_paste *dpx_paste_create(const char *text, size_t length);
void dpx_paste_destroy(struct dpx_paste *);

/* The word to be read next, or the one 'ahead' of it; null at the end. */
const struct dpx_paste_word *dpx_paste_peek(const struct dpx_paste *,
                                            size_t ahead);

/* Steps over 'word', in one piece or cut by a line end; else stays. */
bool dpx_paste_accept(struct dpx_paste *, const char *word);

/* Steps over 'key' and its colon: "key:", "key :", or "key:" with the value
 * right behind it, which is then the next word. */
bool dpx_paste_accept_key(struct dpx_paste *, const char *key);

/* Steps over a number of at most 'max'. */
bool dpx_paste_accept_uint(struct dpx_paste *, unsigned int max,
                           unsigned int *);

/* Makes the error for the next word, "line 7: EXPECTED, not 'word'". */
char *dpx_paste_error(const struct dpx_paste *, const char *expected);

/* Makes the error for 'word' in 'line'. */
char *dpx_paste_error_at(int line, const char *word, const char *expected);

/* Does 'line' hold the whole word sequence 'part', blanks aside? */
bool dpx_paste_says(const struct dpx_paste *, const char *part);

#endif /* dpx-paste.h */
