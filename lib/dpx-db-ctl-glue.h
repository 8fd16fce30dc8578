/* SPDX-License-Identifier: Apache-2.0
 *
 * Included by Open vSwitch's lib/db-ctl-base.c: which columns ovs-vsctl's
 * "list" and "find" show when none is named.
 *
 * 'top_flows' of Bridge is not among them: its value is a list of UUIDs that
 * says nothing to a reader, and whoever prints a whole bridge gets what stock
 * prints.  "--columns=top_flows" and "get" show it as any other. */

#ifndef DPX_DB_CTL_GLUE_H
#define DPX_DB_CTL_GLUE_H 1

#include <string.h>

#include "ovsdb-idl-provider.h"

/* Removes from the 'n' 'columns' those that are shown on request only, keeps
 * the order of the others, and returns how many they are.  A null pointer
 * stands for "_uuid". */
static inline size_t
dpx_columns_listed(const struct ovsdb_idl_column **columns, size_t n)
{
    size_t kept = 0;

    for (size_t i = 0; i < n; i++) {
        if (!columns[i] || strcmp(columns[i]->name, "top_flows")) {
            columns[kept++] = columns[i];
        }
    }
    return kept;
}

#endif /* dpx-db-ctl-glue.h */
