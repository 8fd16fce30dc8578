/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads dpif/show and the log line by line.  Called by offline programs. */

#include <config.h>
#include "dpx-txq-text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "dpx-paste.h"
#include "util.h"

/* Returns the number behind "KEY=" in 's', or -1. */
static int
find_count(const char *s, const char *key)
{
    const char *found = strstr(s, key);
    unsigned int n;
    char *digits;
    bool ok;

    if (!found) {
        return -1;
    }
    found += strlen(key);
    digits = xmemdup0(found, strspn(found, "0123456789"));
    ok = str_to_uint(digits, 10, &n) && n <= 65536;
    free(digits);
    return ok ? (int) n : -1;
}

/* "    NAME 2/3: (TYPE: key=value, ...)" */
static char *
read_port(struct dpx_txq_text *t, const char *s, const char *open, int number)
{
    struct dpx_txq_port *port;
    size_t name = strcspn(s, " \t");
    size_t type = strcspn(open + 1, ":)");

    if (!name || s + name >= open || !open[1 + type]) {
        return dpx_paste_error_at(number, s, "'PORT N/M: (TYPE: ...)'");
    }
    t->ports = xrealloc(t->ports, (t->n_ports + 1) * sizeof *t->ports);
    port = &t->ports[t->n_ports++];
    *port = (struct dpx_txq_port) {
        .name = xmemdup0(s, name),
        .type = xmemdup0(open + 1, type),
        .rxqs = find_count(open, "configured_rx_queues="),
        .rxqs_asked = find_count(open, "requested_rx_queues="),
        .txqs = find_count(open, "configured_tx_queues="),
        .txqs_asked = find_count(open, "requested_tx_queues="),
    };
    return NULL;
}

char *
dpx_txq_from_dpif_show(const char *text, size_t length,
                       struct dpx_txq_text **txq)
{
    struct dpx_paste *p = dpx_paste_create(text, length);
    struct dpx_txq_text *t = xzalloc(sizeof *t);
    char *error = NULL;

    for (size_t i = 0; i < p->n_lines && !error; i++) {
        const char *s = p->lines[i].s + strspn(p->lines[i].s, " \t");
        const char *open = strstr(s, ": (");

        if (open) {
            error = read_port(t, s, open + 2, p->lines[i].number);
        } else if (*s && !strstr(s, "hit:") && !strchr(s, ':')) {
            error = dpx_paste_error_at(p->lines[i].number, s,
                                       "a line of dpif/show");
        }
    }
    if (!error && !t->n_ports) {
        error = xstrdup("there is no port in the text: no line says 'PORT "
                        "N/M: (TYPE: ...)'");
    }
    dpx_paste_destroy(p);
    if (error) {
        dpx_txq_text_destroy(t);
        t = NULL;
    }
    *txq = t;
    return error;
}

static struct dpx_txq_refusal *
add_refusal(struct dpx_txq_text *t, const char *name, size_t length)
{
    struct dpx_txq_refusal *refusal;

    t->refusals = xrealloc(t->refusals,
                           (t->n_refusals + 1) * sizeof *t->refusals);
    refusal = &t->refusals[t->n_refusals++];
    *refusal = (struct dpx_txq_refusal) {
        .name = xmemdup0(name, length), .refused = -1, .retried = -1,
    };
    return refusal;
}

char *
dpx_txq_from_log(const char *text, size_t length, struct dpx_txq_text **txq)
{
    struct dpx_paste *p = dpx_paste_create(text, length);
    struct dpx_txq_text *t = xzalloc(sizeof *t);

    for (size_t i = 0; i < p->n_lines; i++) {
        const char *s = p->lines[i].s;
        const char *interface = strstr(s, "Interface ");

        if (interface && strstr(s, "unable to setup txq(")) {
            const char *name = interface + strlen("Interface ");
            struct dpx_txq_refusal *refusal;

            refusal = add_refusal(t, name, strcspn(name, " "));
            refusal->refused = find_count(s, "unable to setup txq(");
        } else if (strstr(s, "Retrying setup with (") && t->n_refusals) {
            t->refusals[t->n_refusals - 1].retried = find_count(s, "txq:");
        }
    }
    dpx_paste_destroy(p);
    *txq = t;
    return NULL;
}

void
dpx_txq_text_destroy(struct dpx_txq_text *t)
{
    if (t) {
        for (size_t i = 0; i < t->n_ports; i++) {
            free(t->ports[i].name);
            free(t->ports[i].type);
        }
        for (size_t i = 0; i < t->n_refusals; i++) {
            free(t->refusals[i].name);
        }
        free(t->ports);
        free(t->refusals);
        free(t);
    }
}

bool
dpx_txq_is_vhost(const char *type)
{
    return strstr(type, "vhost") != NULL;
}
