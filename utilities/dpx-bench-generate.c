/* SPDX-License-Identifier: Apache-2.0
 *
 * "ovs-dpx-bench generate": sends at a set rate on the first port, receives
 * on the last one, and counts.  It is told on its input what to run, and
 * answers in the words that "ovs-dpx-bench search" takes:
 *
 *     it is told                  it answers
 *     trial LOAD SECONDS          result KEY=VALUE...
 *     (end of input: it ends)     error TEXT
 *
 * "ready" comes first.  One thread sends and receives; nothing else may use
 * its core. */

#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dpx-bench.h"
#include "dpx-bench-port.h"
#include "dpx-bench-trial.h"
#include "dpx-stream.h"
#include "openvswitch/dynamic-string.h"
#include "svec.h"
#include "util.h"

const struct dpx_bench_option dpx_bench_generate_options[] = {
    { "size", "BYTES|imix", "frame size with check sequence (default: 64)" },
    { "flows", "N", "by increasing addresses (default: 1)" },
    { "zipf", "EXPONENT", "flows by Zipf's law (default: 0, in turn)" },
    { "vlan", "TAG", "802.1Q tag (default: none)" },
    { "core", "CPU", "where it runs (default: 0)" },
    { "memory", "MB", "hugepages that it takes (default: 64)" },
    { NULL, NULL, NULL }
};

struct generator {
    struct dpx_stream_config stream;
    unsigned int core, memory;
    struct svec eal;
    bool pci;
};

static char *
read_size(struct dpx_stream_config *stream, const char *size)
{
    unsigned int n;

    if (!strcmp(size, "imix")) {
        stream->size = 0;
        return NULL;
    } else if (!str_to_uint(size, 10, &n) || n < DPX_STREAM_MIN_SIZE
               || n > DPX_STREAM_MAX_SIZE) {
        return xasprintf("--size: '%s' is not imix or a number from %d to "
                         "%d", size, DPX_STREAM_MIN_SIZE,
                         DPX_STREAM_MAX_SIZE);
    }
    stream->size = n;
    return NULL;
}

static char *
read_ports(struct generator *g, const struct dpx_bench_args *args)
{
    if (!args->n_words || args->n_words > DPX_BENCH_MAX_PORTS) {
        return xasprintf("'%"PRIuSIZE"' ports, not 1 or 2", args->n_words);
    }
    for (size_t i = 0; i < args->n_words; i++) {
        char *word, *error = dpx_bench_port_words(args->words[i], i, &word);

        if (error) {
            return error;
        }
        g->pci = g->pci || !strncmp(word, "--allow", 7);
        svec_add_nocopy(&g->eal, word);
    }
    return NULL;
}

static char *
read_generator(struct generator *g, const struct dpx_bench_args *args)
{
    double flows = 1, vlan = 0, core = 0, memory = 64;
    char *error;

    if ((error = read_size(&g->stream, dpx_bench_text(args, "size", "64")))
        || (error = dpx_bench_number(args, "flows", 1, DPX_STREAM_MAX_FLOWS,
                                     &flows))
        || (error = dpx_bench_number(args, "zipf", 0, 5, &g->stream.zipf))
        || (error = dpx_bench_number(args, "vlan", 1, 4094, &vlan))
        || (error = dpx_bench_number(args, "core", 0, 1023, &core))
        || (error = dpx_bench_number(args, "memory", 16, 65536, &memory))) {
        return error;
    }
    g->stream.n_flows = flows;
    g->stream.vlan = vlan;
    g->core = core;
    g->memory = memory;
    memcpy(g->stream.source, "\2\0\0\0\0\1", 6);
    memcpy(g->stream.destination, "\2\0\0\0\0\2", 6);
    error = dpx_stream_check_config(&g->stream);
    return error ? error : read_ports(g, args);
}

/* Runs what the input asks for.  Returns what to exit with. */
static int
obey(struct dpx_bench_traffic *traffic)
{
    struct ds line = DS_EMPTY_INITIALIZER;

    printf("ready\n");
    fflush(stdout);
    while (!ds_get_line(&line, stdin)) {
        double load, seconds;
        char more;

        if (sscanf(ds_cstr(&line), "trial %lf %lf %c", &load, &seconds,
                   &more) != 2
            || !(load > 0 && load <= 1e12)
            || !(seconds > 0 && seconds <= 86400)) {
            printf("error '%s' is not \"trial LOAD SECONDS\"\n",
                   ds_cstr(&line));
        } else {
            dpx_bench_traffic_trial(traffic, load, seconds);
            dpx_bench_traffic_print(traffic);
        }
        fflush(stdout);
    }
    ds_destroy(&line);
    return DPX_BENCH_OK;
}

int
dpx_bench_cmd_generate(int argc, char *argv[])
{
    struct generator g = { .eal = SVEC_EMPTY_INITIALIZER };
    struct dpx_bench_traffic *traffic = NULL;
    struct dpx_bench_args args;
    char *error = dpx_bench_args_parse(&args, argc, argv,
                                       dpx_bench_generate_options);
    int code = DPX_BENCH_USAGE;

    if (!error) {
        error = read_generator(&g, &args);
    }
    if (!error) {
        code = DPX_BENCH_FAILED;
        error = dpx_bench_traffic_create(&traffic, &g.stream, &g.eal, g.pci,
                                         g.core, g.memory);
    }
    if (error) {
        dpx_bench_fail(argv[0], error, code);
    } else {
        code = obey(traffic);
    }
    dpx_bench_traffic_destroy(traffic);
    svec_destroy(&g.eal);
    dpx_bench_args_destroy(&args);
    return code;
}
