/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads the tables of 'lscpu -e' and 'lscpu -p'.  Called line by line by the
 * text reader of a machine. */

#include <config.h>
#include "dpx-topology-lscpu.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "dpx-paste.h"
#include "util.h"

static const struct {
    const char *name;
    enum dpx_lscpu_column column;
} column_names[] = {
    { "CPU", DPX_LSCPU_CPU },
    { "CORE", DPX_LSCPU_CORE },
    { "SOCKET", DPX_LSCPU_SOCKET },
    { "NODE", DPX_LSCPU_NODE },
    { "L3", DPX_LSCPU_L3 },
    { "ONLINE", DPX_LSCPU_ONLINE },
};

static enum dpx_lscpu_column
column_from_name(struct dpx_lscpu *l, const char *name)
{
    for (size_t i = 0; i < ARRAY_SIZE(column_names); i++) {
        if (!strcasecmp(name, column_names[i].name)) {
            return column_names[i].column;
        }
    }
    if (strchr(name, ':')) {
        const char *l3 = strstr(name, "L3");

        l->l3_of_caches = l3 ? 0 : -1;
        for (const char *s = name; l3 && s < l3; s++) {
            l->l3_of_caches += *s == ':';
        }
        return DPX_LSCPU_CACHES;
    }
    return DPX_LSCPU_OTHER;
}

/* Cuts the next field off '*s': at a comma in parsable tables, which may have
 * empty fields, else at blanks.  Returns null at the end. */
static char *
next_field(const struct dpx_lscpu *l, char **s)
{
    if (l->parsable) {
        return strsep(s, ",");
    }
    return strtok_r(NULL, " \t", s);
}

static void
read_columns(struct dpx_lscpu *l, const char *line)
{
    char *copy = xstrdup(line);
    char *s = copy, *field;

    l->n_columns = 0;
    l->l3_of_caches = -1;
    while (l->n_columns < DPX_LSCPU_MAX_COLUMNS
           && (field = next_field(l, &s)) != NULL) {
        l->columns[l->n_columns++] = column_from_name(l, field);
    }
    l->n_tables++;
    free(copy);
}

/* The number in field 'index' of "0:0:8:1", as a string in the same memory. */
static char *
cache_field(char *caches, int index)
{
    char *field = NULL;

    for (int i = 0; i <= index; i++) {
        field = strsep(&caches, ":");
        if (!field) {
            return NULL;
        }
    }
    return field;
}

/* Reads an id; "-" and nothing are unknown. */
static bool
read_id(const char *field, int *id)
{
    unsigned int value;

    *id = DPX_ID_UNKNOWN;
    if (!field || !*field || !strcmp(field, "-")) {
        return true;
    }
    if (strspn(field, "0123456789") != strlen(field)
        || !str_to_uint(field, 10, &value) || value > 65535) {
        return false;
    }
    *id = value;
    return true;
}

/* One row, read but not yet put into the machine. */
struct row {
    int ids[DPX_LSCPU_ONLINE + 1];      /* By enum dpx_lscpu_column. */
    bool online;
};

static bool
read_field(const struct dpx_lscpu *l, enum dpx_lscpu_column column,
           char *field, struct row *row)
{
    switch (column) {
    case DPX_LSCPU_CACHES:
        return l->l3_of_caches < 0
               || read_id(cache_field(field, l->l3_of_caches),
                          &row->ids[DPX_LSCPU_L3]);
    case DPX_LSCPU_ONLINE:
        row->online = field[0] == 'y' || field[0] == 'Y';
        return row->online || field[0] == 'n' || field[0] == 'N';
    case DPX_LSCPU_CPU:
    case DPX_LSCPU_CORE:
    case DPX_LSCPU_SOCKET:
    case DPX_LSCPU_NODE:
    case DPX_LSCPU_L3:
        return read_id(field, &row->ids[column]);
    case DPX_LSCPU_OTHER:
    default:
        return true;
    }
}

static void
put_row(struct dpx_lscpu *l, const struct row *row)
{
    int socket = row->ids[DPX_LSCPU_SOCKET];
    int core = row->ids[DPX_LSCPU_CORE];
    int node = row->ids[DPX_LSCPU_NODE];
    struct dpx_topology_cpu *c;

    c = dpx_topology_add(l->topology, row->ids[DPX_LSCPU_CPU]);
    c->online = row->online;
    c->package_id = socket;
    c->l3_id = row->ids[DPX_LSCPU_L3];
    /* Physical core numbers ('lscpu -y') repeat from socket to socket. */
    c->core_id = core < 0 || !row->online ? DPX_ID_UNKNOWN
                 : MIN(MAX(0, socket), INT_MAX / 65536 - 1) * 65536 + core;
    if (node >= 0) {
        c->numa_id = node;
        dpx_cpuset_add(&l->topology->nodes, node);
    }
}

static char *
read_row(struct dpx_lscpu *l, const char *line, int number)
{
    struct row row = { .online = true };
    char *copy = xstrdup(line);
    char *s = copy, *field, *error = NULL;
    size_t n = 0;

    for (size_t i = 0; i < ARRAY_SIZE(row.ids); i++) {
        row.ids[i] = DPX_ID_UNKNOWN;
    }
    for (; n < l->n_columns && (field = next_field(l, &s)) != NULL; n++) {
        char *word = xstrdup(field);

        if (!read_field(l, l->columns[n], field, &row)) {
            error = dpx_paste_error_at(number, word,
                                       "a number, '-' or yes or no");
        }
        free(word);
        if (error) {
            break;
        }
    }
    if (!error && (row.ids[DPX_LSCPU_CPU] < 0
                   || row.ids[DPX_LSCPU_CPU] >= DPX_MAX_CPUS
                   || row.ids[DPX_LSCPU_NODE] >= DPX_MAX_NODES)) {
        error = dpx_paste_error_at(number, line, "a row of the table of CPUs "
                                   "(CPUs below 8192, nodes below 1024)");
    }
    /* A second table has the same CPUs under other numbers. */
    if (!error && l->n_tables == 1) {
        put_row(l, &row);
    }
    free(copy);
    return error;
}

/* "CPU NODE SOCKET ...", but not "CPU MHz: 1000". */
static bool
is_heading(const char *s)
{
    size_t second;

    if (strncmp(s, "CPU ", 4)) {
        return false;
    }
    s += 4 + strspn(s + 4, " ");
    second = strcspn(s, " ");
    return second > 1 && strspn(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == second;
}

char *
dpx_lscpu_line(struct dpx_lscpu *l, const char *line, int number, bool *taken)
{
    const char *s = line + strspn(line, " \t");

    *taken = true;
    if (!strncmp(s, "# CPU,", 6) || !strncmp(s, "CPU,", 4)) {
        l->parsable = true;
        read_columns(l, s + (*s == '#' ? 2 : 0));
        return NULL;
    }
    if (is_heading(s)) {
        l->parsable = false;
        read_columns(l, s);
        return NULL;
    }
    if (l->n_columns && isdigit((unsigned char) *s)
        && strspn(s, "0123456789") < strlen(s)
        && s[strspn(s, "0123456789")] != ':') {
        return read_row(l, s, number);
    }
    if (*s) {
        l->n_columns = 0;
    }
    *taken = !*s;
    return NULL;
}
