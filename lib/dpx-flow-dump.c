/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads dpctl/dump-flows line by line.  Called by offline programs. */

#include <config.h>
#include "dpx-flow-dump.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "dpx-cpuset.h"
#include "dpx-paste.h"
#include "hash.h"
#include "openvswitch/hmap.h"
#include "util.h"

/* A recirculation id that some flow of the thread matches or sets. */
struct recirc {
    struct hmap_node node;
    uint32_t id;
    struct recirc *parent;      /* Another of the same path; itself: root. */
};

/* Reading in progress. */
struct reader {
    struct dpx_flow_dump *dump;
    struct dpx_flow_dump_pmd *pmd;
    struct hmap recircs;        /* Of the thread being read. */
    size_t n_joined;            /* Ids that joined another's path. */
    size_t n_lone;              /* Paths of one flow. */
};

static struct recirc *
get_recirc(struct reader *r, uint32_t id)
{
    uint32_t hash = hash_int(id, 0);
    struct recirc *recirc;

    HMAP_FOR_EACH_WITH_HASH (recirc, node, hash, &r->recircs) {
        if (recirc->id == id) {
            return recirc;
        }
    }
    recirc = xmalloc(sizeof *recirc);
    recirc->id = id;
    recirc->parent = recirc;
    hmap_insert(&r->recircs, &recirc->node, hash);
    return recirc;
}

static struct recirc *
find_root(struct recirc *recirc)
{
    while (recirc->parent != recirc) {
        recirc = recirc->parent = recirc->parent->parent;
    }
    return recirc;
}

static void
join(struct reader *r, struct recirc *a, struct recirc *b)
{
    a = find_root(a);
    b = find_root(b);
    if (a != b) {
        a->parent = b;
        r->n_joined++;
    }
}

/* A path is either one flow, or all that hangs on ids that are tied to each
 * other. */
static void
finish_pmd(struct reader *r)
{
    struct recirc *recirc;

    if (r->pmd) {
        r->pmd->n_paths = r->n_lone + hmap_count(&r->recircs) - r->n_joined;
    }
    HMAP_FOR_EACH_POP (recirc, node, &r->recircs) {
        free(recirc);
    }
    r->n_joined = r->n_lone = 0;
}

static void
start_pmd(struct reader *r, int core)
{
    struct dpx_flow_dump *d = r->dump;

    finish_pmd(r);
    d->pmds = xrealloc(d->pmds, (d->n_pmds + 1) * sizeof *d->pmds);
    r->pmd = &d->pmds[d->n_pmds++];
    memset(r->pmd, 0, sizeof *r->pmd);
    r->pmd->core_id = core;
}

/* "flow-dump from ..." */
static char *
read_heading(struct reader *r, const char *s, int number)
{
    unsigned int core;

    if (ovs_scan(s, "flow-dump from pmd on cpu core: %u", &core)
        && core < DPX_MAX_CPUS) {
        start_pmd(r, core);
    } else if (strstr(s, "main thread") || strstr(s, "non-dpdk")) {
        start_pmd(r, -1);
    } else {
        return dpx_paste_error_at(number, s, "'flow-dump from pmd on cpu "
                                  "core: N' or 'flow-dump from the main "
                                  "thread'");
    }
    return NULL;
}

/* Reads the number behind 'key' in 's'. */
static bool
find_number(const char *s, const char *key, uint64_t *number)
{
    const char *found = strstr(s, key);
    char *end;

    if (!found) {
        return false;
    }
    found += strlen(key);
    if (!isdigit((unsigned char) *found)) {
        return false;
    }
    *number = strtoull(found, &end, 0);
    return true;
}

/* Ties the id that a flow matches to those that its actions set. */
static void
put_path(struct reader *r, const char *s)
{
    const char *actions = strstr(s, "actions:");
    uint64_t matched = 0, set;
    struct recirc *from = NULL;
    bool any = false;

    find_number(s, "recirc_id(", &matched);
    if (matched) {
        r->pmd->n_recirculated++;
        from = get_recirc(r, matched);
        any = true;
    }
    while (actions && (actions = strstr(actions, "recirc(")) != NULL) {
        if (find_number(actions, "recirc(", &set)) {
            struct recirc *to = get_recirc(r, set);

            if (from) {
                join(r, from, to);
            }
            from = to;
            any = true;
        }
        actions++;
    }
    r->n_lone += !any;
}

static char *
read_flow(struct reader *r, const char *s, int number)
{
    uint64_t packets, bytes = 0, recirc = 0;

    if (!strstr(s, "recirc_id(")) {
        return dpx_paste_error_at(number, s, "a flow with 'recirc_id(...)' "
                                  "or 'flow-dump from'");
    }
    if (!r->pmd) {
        return dpx_paste_error_at(number, s, "'flow-dump from pmd on cpu "
                                  "core: N' before the flows");
    }
    r->pmd->n_flows++;
    put_path(r, s);
    if (!find_number(s, "packets:", &packets)) {
        r->pmd->n_cut++;
        return NULL;
    }
    find_number(s, "bytes:", &bytes);
    find_number(s, "recirc_id(", &recirc);
    if (!recirc) {
        r->pmd->packets += packets;
        r->pmd->bytes += bytes;
    }
    r->pmd->n_single += packets <= 1;
    r->pmd->n_offloaded += (strstr(s, "offloaded:yes")
                            || strstr(s, "offloaded:partial"));
    return NULL;
}

char *
dpx_flow_dump_parse(const char *text, size_t length,
                    struct dpx_flow_dump **dump)
{
    struct dpx_paste *p = dpx_paste_create(text, length);
    struct reader r = { .dump = xzalloc(sizeof *r.dump) };
    char *error = NULL;

    hmap_init(&r.recircs);
    for (size_t i = 0; i < p->n_lines && !error; i++) {
        const char *s = p->lines[i].s + strspn(p->lines[i].s, " \t");
        int number = p->lines[i].number;

        if (*s) {
            error = (!strncmp(s, "flow-dump", 9) ? read_heading(&r, s, number)
                     : read_flow(&r, s, number));
        }
    }
    finish_pmd(&r);
    hmap_destroy(&r.recircs);
    if (!error && !r.dump->n_pmds) {
        error = xstrdup("there is no flow dump in the text: no line says "
                        "'flow-dump from'");
    }
    dpx_paste_destroy(p);
    if (error) {
        dpx_flow_dump_destroy(r.dump);
        r.dump = NULL;
    }
    *dump = r.dump;
    return error;
}

void
dpx_flow_dump_destroy(struct dpx_flow_dump *dump)
{
    if (dump) {
        free(dump->pmds);
        free(dump);
    }
}
