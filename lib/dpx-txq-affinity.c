/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads pmd-txq-affinity.  Pure. */

#include <config.h>

#include "dpx-txq-affinity.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "openvswitch/dynamic-string.h"
#include "util.h"

static bool
read_number(const char *word, int *number)
{
    return word[0] && strspn(word, "0123456789") == strlen(word)
           && str_to_int(word, 10, number) && *number < DPX_TXQ_MAX;
}

static int
find_exact(const struct dpx_txq_affinity *affinity, int core)
{
    for (size_t i = 0; i < affinity->n; i++) {
        if (affinity->pins[i].core == core) {
            return affinity->pins[i].queue;
        }
    }
    return -1;
}

/* Adds the entry 'word'.  Returns null or an error. */
static char *
add_entry(struct dpx_txq_affinity *affinity, const char *word)
{
    struct dpx_txq_pin pin = { .core = DPX_TXQ_MAIN };
    char *copy = xstrdup(word);
    char *colon = strchr(copy, ':');
    char *error = NULL;

    if (colon) {
        *colon = '\0';
    }
    if (!colon) {
        error = xasprintf("\"%s\": CORE:QUEUE is expected", word);
    } else if (strcmp(copy, "main") && !read_number(copy, &pin.core)) {
        error = xasprintf("\"%s\": the core is neither \"main\" nor a number "
                          "below %d", word, DPX_TXQ_MAX);
    } else if (!read_number(colon + 1, &pin.queue)) {
        error = xasprintf("\"%s\": the tx queue is no number below %d", word,
                          DPX_TXQ_MAX);
    } else if (find_exact(affinity, pin.core) >= 0) {
        error = xasprintf("\"%s\": the core is named twice", word);
    } else {
        affinity->pins = xrealloc(affinity->pins, (affinity->n + 1)
                                                  * sizeof *affinity->pins);
        affinity->pins[affinity->n++] = pin;
    }
    free(copy);
    return error;
}

char *
dpx_txq_affinity_parse(const char *list, struct dpx_txq_affinity *affinity)
{
    char *copy = xstrdup(list ? list : "");
    char *save = NULL, *error = NULL;

    *affinity = (struct dpx_txq_affinity) { .pins = NULL };
    for (char *word = strtok_r(copy, ", \t\n", &save); word && !error;
         word = strtok_r(NULL, ", \t\n", &save)) {
        error = add_entry(affinity, word);
    }
    if (error) {
        dpx_txq_affinity_uninit(affinity);
    }
    free(copy);
    return error;
}

void
dpx_txq_affinity_uninit(struct dpx_txq_affinity *affinity)
{
    free(affinity->pins);
    *affinity = (struct dpx_txq_affinity) { .pins = NULL };
}

int
dpx_txq_affinity_find(const struct dpx_txq_affinity *affinity, int core,
                      int n_txq)
{
    return MIN(find_exact(affinity, core), n_txq - 1);
}

char *
dpx_txq_affinity_remarks(const struct dpx_txq_affinity *affinity, int n_txq)
{
    struct ds s = DS_EMPTY_INITIALIZER;

    for (size_t i = 0; i < affinity->n; i++) {
        const struct dpx_txq_pin *pin = &affinity->pins[i];

        if (pin->queue >= n_txq) {
            ds_put_format(&s, "%stx queue %d does not exist, %d is used",
                          s.length ? "; " : "", pin->queue, n_txq - 1);
        }
    }
    return s.length ? ds_steal_cstr(&s) : NULL;
}
