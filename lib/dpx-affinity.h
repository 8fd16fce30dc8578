/* SPDX-License-Identifier: Apache-2.0
 *
 * pmd-rxq-affinity of an interface, "QUEUE:CORE,...", read to be explained.
 *
 * Open vSwitch reads the list itself and goes by what it read; this reads it
 * by the same rules and says what is wrong with which word.  Pure; called on
 * the main thread. */

#ifndef DPX_AFFINITY_H
#define DPX_AFFINITY_H 1

#include <stddef.h>

#include "compiler.h"

struct dpx_affinity_entry {
    int queue;
    int core;
    char *word;                 /* As it was written, "0:010". */
};

struct dpx_affinity {
    struct dpx_affinity_entry *entries;
    size_t n, allocated;
};

/* Reads 'list' (null: none) into 'affinity', in the order of the list.  An
 * entry is a queue and a core with ':' or '=' between, or the core in
 * parentheses; entries are separated by commas or white space; numbers may be
 * octal (010) or hexadecimal (0x8), as Open vSwitch takes them.
 *
 * Returns null, or what is wrong, quoting the first offending word as it was
 * written, to be freed; then 'affinity' is empty, and Open vSwitch refuses the
 * whole list.  Free with dpx_affinity_destroy(). */
char *dpx_affinity_parse(const char *list, struct dpx_affinity *affinity)
    OVS_WARN_UNUSED_RESULT;
void dpx_affinity_destroy(struct dpx_affinity *affinity);

/* Returns sentences about a list that is in force and says something that has
 * no effect: a queue named twice (the last counts), a queue that a port with
 * 'n_rxq' queues does not have.  Null if there is nothing to say; to be
 * freed. */
char *dpx_affinity_remarks(const struct dpx_affinity *affinity, int n_rxq);

#endif /* dpx-affinity.h */
