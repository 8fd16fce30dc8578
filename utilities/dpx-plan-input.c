/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads the inputs of ovs-pmd-plan: files, standard input, the machine.  The
 * only part that does I/O besides printing. */

#include <config.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dpx-paste.h"
#include "dpx-plan.h"
#include "dpx-topology-hwloc.h"
#include "dpx-topology-text.h"
#include "openvswitch/dynamic-string.h"
#include "util.h"

/* Puts "NAME: " before 'error', which may be null, and frees it. */
static char *
with_name(const char *name, char *error)
{
    char *longer;

    if (!error) {
        return NULL;
    }
    longer = xasprintf("%s: %s",
                       !strcmp(name, "-") ? "standard input" : name, error);
    free(error);
    return longer;
}

static char *
read_stream(FILE *stream, struct ds *text)
{
    char buffer[65536];
    size_t n;

    while ((n = fread(buffer, 1, sizeof buffer, stream)) > 0) {
        if (text->length + n > DPX_PASTE_MAX_SIZE) {
            return xasprintf("larger than %d MiB",
                             DPX_PASTE_MAX_SIZE / 1024 / 1024);
        }
        ds_put_buffer(text, buffer, n);
    }
    return ferror(stream) ? xstrdup(ovs_strerror(errno)) : NULL;
}

/* Reads all of 'name' ("-": standard input) into 'text'. */
static char *
read_file(const char *name, struct ds *text)
{
    FILE *stream;
    char *error;

    if (!strcmp(name, "-")) {
        return with_name(name, read_stream(stdin, text));
    }
    stream = fopen(name, "r");
    if (!stream) {
        return with_name(name, xstrdup(ovs_strerror(errno)));
    }
    error = read_stream(stream, text);
    fclose(stream);
    return with_name(name, error);
}

/* Reads an output of pmd-rxq-show, or a table of loads. */
static char *
parse_rxq(struct dpx_plan_input *in, const char *name, const struct ds *text)
{
    const char *s = text->string ? text->string : "";
    char *error;

    if (dpx_load_table_is(s, text->length)) {
        error = dpx_load_table_parse(s, text->length, &in->table);
    } else {
        error = dpx_rxq_show_parse(s, text->length, &in->rxq);
    }
    return with_name(name, error);
}

static char *
read_rxq(struct dpx_plan_input *in, const char *name)
{
    struct ds text = DS_EMPTY_INITIALIZER;
    char *error = read_file(name, &text);

    if (!error) {
        error = parse_rxq(in, name, &text);
    }
    ds_destroy(&text);
    return error;
}

#define READ(NAME, PARSE, RESULT)                                       \
    do {                                                                \
        struct ds text = DS_EMPTY_INITIALIZER;                          \
                                                                        \
        error = read_file(NAME, &text);                                 \
        if (!error) {                                                   \
            error = with_name(NAME, PARSE(ds_cstr(&text), text.length,  \
                                          RESULT));                     \
        }                                                               \
        ds_destroy(&text);                                              \
    } while (0)

/* Reads the files of --machine, all of them as one text, so that lscpu and
 * numactl complete each other. */
static char *
read_machine_files(struct dpx_plan_input *in,
                   const struct dpx_plan_options *options)
{
    struct ds text = DS_EMPTY_INITIALIZER;
    const char *name = options->machines.names[0];
    char *error = NULL;
    const char *s;

    for (size_t i = 0; i < options->machines.n && !error; i++) {
        error = read_file(options->machines.names[i], &text);
        ds_put_char(&text, '\n');
    }
    s = ds_cstr(&text) + strspn(ds_cstr(&text), " \t\r\n");
    if (!error && s[0] == '<') {
        error = with_name(name, options->machines.n > 1
                          ? xstrdup("hwloc's XML stands alone: give no other "
                                    "--machine")
                          : dpx_topology_from_xml(ds_cstr(&text), text.length,
                                                  &in->machine));
    } else if (!error) {
        error = with_name(name, dpx_topology_from_text(ds_cstr(&text),
                                                       text.length,
                                                       &in->machine));
    }
    ds_destroy(&text);
    return error;
}

static char *
read_machine(struct dpx_plan_input *in, const struct dpx_plan_options *options)
{
    for (size_t i = 0; i < options->machines.n; i++) {
        const char *what = options->machines.names[i];
        bool live = !strcmp(what, "live");
        bool synthetic = !strncmp(what, "synthetic:", 10);
        bool numa = !strncmp(what, "numa:", 5);

        if ((live || synthetic || numa) && options->machines.n > 1) {
            return xasprintf("--machine: '%s' stands alone", what);
        } else if (live) {
            return dpx_topology_from_live(&in->machine);
        } else if (synthetic) {
            return with_name("--machine",
                             dpx_topology_from_synthetic(what + 10,
                                                         &in->machine));
        } else if (numa) {
            return with_name("--machine",
                             dpx_topology_from_numa_list(what + 5,
                                                         &in->machine));
        }
    }
    return options->machines.n ? read_machine_files(in, options) : NULL;
}

/* Standard input is read unless something else was asked for and nobody
 * writes to it. */
static char *
read_standard_input(struct dpx_plan_input *in,
                    const struct dpx_plan_options *options)
{
    bool other = (options->stats || options->flows || options->dpif
                  || options->log || options->machines.n);
    struct ds text = DS_EMPTY_INITIALIZER;
    char *error = NULL;
    size_t i;

    if (isatty(STDIN_FILENO)) {
        return other ? NULL
               : xstrdup("no input: pipe the output of 'ovs-appctl "
                         "dpif-netdev/pmd-rxq-show' into it, or give --rxq "
                         "(try --help)");
    }
    error = read_file("-", &text);
    i = strspn(ds_cstr(&text), " \t\r\n");
    if (!error && (i < text.length || !other)) {
        error = parse_rxq(in, "-", &text);
    }
    ds_destroy(&text);
    return error;
}

char *
dpx_plan_input_read(struct dpx_plan_input *in,
                    const struct dpx_plan_options *options)
{
    char *error;

    memset(in, 0, sizeof *in);
    error = read_machine(in, options);
    if (!error && options->stats) {
        READ(options->stats, dpx_stats_show_parse, &in->stats);
    }
    if (!error && options->flows) {
        READ(options->flows, dpx_flow_dump_parse, &in->flows);
    }
    if (!error && options->dpif) {
        READ(options->dpif, dpx_txq_from_dpif_show, &in->dpif);
    }
    if (!error && options->log) {
        READ(options->log, dpx_txq_from_log, &in->log);
    }
    if (!error) {
        error = (options->rxq ? read_rxq(in, options->rxq)
                 : read_standard_input(in, options));
    }
    return error;
}

void
dpx_plan_input_destroy(struct dpx_plan_input *in)
{
    dpx_rxq_show_destroy(in->rxq);
    dpx_load_table_destroy(in->table);
    dpx_stats_show_destroy(in->stats);
    dpx_flow_dump_destroy(in->flows);
    dpx_txq_text_destroy(in->dpif);
    dpx_txq_text_destroy(in->log);
    dpx_topology_destroy(in->machine);
}
