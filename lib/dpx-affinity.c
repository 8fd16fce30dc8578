/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads pmd-rxq-affinity.  Called when the database configures a port, and by
 * what explains a placement. */

#include <config.h>
#include "dpx-affinity.h"

#include <stdlib.h>
#include <string.h>

#include "openvswitch/dynamic-string.h"
#include "openvswitch/ofp-parse.h"
#include "util.h"

/* Whether 'text' is a number as Open vSwitch reads one here. */
static bool
is_id(const char *text, int *id)
{
    return str_to_int(text, 0, id) && *id >= 0;
}

/* What is wrong with 'word', whose parts are 'key' and 'value'; null if
 * nothing is, then 'entry' has the numbers. */
static char *
read_entry(const char *word, const char *key, const char *value,
           struct dpx_affinity_entry *entry)
{
    if (!*value) {
        return xasprintf("\"%s\" is not QUEUE:CORE", word);
    } else if (!is_id(key, &entry->queue)) {
        return xasprintf("'%s' in \"%s\" is not an rx queue", key, word);
    } else if (!is_id(value, &entry->core)) {
        return xasprintf("'%s' in \"%s\" is not a core", value, word);
    }
    return NULL;
}

char *
dpx_affinity_parse(const char *list, struct dpx_affinity *affinity)
{
    char *copy, *rest, *key, *value, *error = NULL;

    *affinity = (struct dpx_affinity) { .n = 0 };
    if (!list) {
        return NULL;
    }
    rest = copy = xstrdup(list);
    while (!error && ofputil_parse_key_value(&rest, &key, &value)) {
        /* The parser ends key and value in 'copy' with a null byte and leaves
         * their places, so 'list' still has the word in one piece. */
        char *end = value + strlen(value);
        size_t length = end - key + (list[end - copy] == ')');
        char *word = xmemdup0(list + (key - copy), length);
        struct dpx_affinity_entry entry = { .word = word };

        error = read_entry(word, key, value, &entry);
        if (error) {
            free(word);
            break;
        }
        if (affinity->n >= affinity->allocated) {
            affinity->entries = x2nrealloc(affinity->entries,
                                           &affinity->allocated,
                                           sizeof *affinity->entries);
        }
        affinity->entries[affinity->n++] = entry;
    }
    free(copy);
    if (error) {
        dpx_affinity_destroy(affinity);
    }
    return error;
}

void
dpx_affinity_destroy(struct dpx_affinity *affinity)
{
    for (size_t i = 0; i < affinity->n; i++) {
        free(affinity->entries[i].word);
    }
    free(affinity->entries);
    *affinity = (struct dpx_affinity) { .n = 0 };
}

/* The last entry of the queue of entry 'i'. */
static size_t
last_of_queue(const struct dpx_affinity *affinity, size_t i)
{
    size_t last = i;

    for (size_t j = i + 1; j < affinity->n; j++) {
        if (affinity->entries[j].queue == affinity->entries[i].queue) {
            last = j;
        }
    }
    return last;
}

char *
dpx_affinity_remarks(const struct dpx_affinity *affinity, int n_rxq)
{
    struct ds s = DS_EMPTY_INITIALIZER;

    for (size_t i = 0; i < affinity->n; i++) {
        const struct dpx_affinity_entry *entry = &affinity->entries[i];
        size_t last = last_of_queue(affinity, i);
        const char *gap = s.length ? "; " : "";

        if (last != i) {
            ds_put_format(&s, "%s\"%s\" has no effect, because \"%s\" comes "
                          "later", gap, entry->word,
                          affinity->entries[last].word);
        } else if (entry->queue >= n_rxq) {
            ds_put_format(&s, "%s\"%s\" has no effect, because the port has "
                          "%d rx queue%s", gap, entry->word, n_rxq,
                          n_rxq == 1 ? "" : "s");
        }
    }
    return s.length ? ds_steal_cstr(&s) : NULL;
}
