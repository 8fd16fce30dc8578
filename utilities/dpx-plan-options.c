/* SPDX-License-Identifier: Apache-2.0
 *
 * The command line of ovs-pmd-plan.  One table holds every option, its value
 * and its help; parsing, usage and error texts come from it, and a test holds
 * the manual page and the completion against it. */

#include <config.h>

#include <getopt.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dpx-plan.h"
#include "util.h"

/* Value that getopt gives to the first option. */
#define FIRST 256

typedef char *option_reader(struct dpx_plan_options *, const char *value);

static option_reader read_rxq, read_stats, read_flows, read_dpif, read_log,
    read_machine, read_guests, read_housekeeping, read_threads, read_mask,
    read_port_numa, read_smt_factor, read_cross_numa, read_cross_numa_cost,
    read_tolerance, read_max_moves, read_json, read_help, read_version;

static const struct plan_option {
    const char *name;
    const char *value;          /* Null: a switch. */
    option_reader *read;
    const char *help;
} table[] = {
    { "rxq", "FILE|-", read_rxq,
      "output of dpif-netdev/pmd-rxq-show (default: standard input)" },
    { "stats", "FILE", read_stats,
      "output of dpif-netdev/pmd-stats-show or pmd-perf-show" },
    { "flows", "FILE", read_flows, "output of dpctl/dump-flows" },
    { "dpif", "FILE", read_dpif, "output of dpif/show" },
    { "log", "FILE", read_log, "log of ovs-vswitchd" },
    { "machine", "WHAT", read_machine,
      "live, a file (hwloc XML, lscpu, lscpu -p or -e, numactl --hardware), "
      "synthetic:STRING or numa:LIST; files may be given several times" },
    { "guests", "CPULIST", read_guests, "CPUs that guests or pods use" },
    { "housekeeping", "CPULIST", read_housekeeping,
      "CPUs of the host, never proposed, nor their siblings (default: 0)" },
    { "threads", "N", read_threads, "propose the N best cores for PMDs" },
    { "mask", "MASK", read_mask, "plan for another pmd-cpu-mask" },
    { "port-numa", "PORT=NODE", read_port_numa,
      "NUMA node of a port (default: that of the PMDs that poll it)" },
    { "smt-factor", "F", read_smt_factor,
      "capacity of two siblings, 1.0 to 2.0 (default: 1.3)" },
    { "cross-numa", "MODE", read_cross_numa,
      "never, overload or always (default: never)" },
    { "cross-numa-cost", "PERCENT", read_cross_numa_cost,
      "added to a queue's load on another node (default: 20)" },
    { "tolerance", "PERCENT", read_tolerance,
      "given up to move fewer queues (default: 2)" },
    { "max-moves", "N", read_max_moves,
      "move at most N queues (default: 0, no limit)" },
    { "json", NULL, read_json, "print JSON" },
    { "help", NULL, read_help, "print this" },
    { "version", NULL, read_version, "print the version" },
};

static char *
read_rxq(struct dpx_plan_options *o, const char *value)
{
    o->rxq = value;
    return NULL;
}

static char *
read_stats(struct dpx_plan_options *o, const char *value)
{
    o->stats = value;
    return NULL;
}

static char *
read_flows(struct dpx_plan_options *o, const char *value)
{
    o->flows = value;
    return NULL;
}

static char *
read_dpif(struct dpx_plan_options *o, const char *value)
{
    o->dpif = value;
    return NULL;
}

static char *
read_log(struct dpx_plan_options *o, const char *value)
{
    o->log = value;
    return NULL;
}

static char *
read_machine(struct dpx_plan_options *o, const char *value)
{
    svec_add(&o->machines, value);
    return NULL;
}

static char *
read_guests(struct dpx_plan_options *o, const char *value)
{
    return dpx_cpuset_from_list(&o->guests, value);
}

static char *
read_housekeeping(struct dpx_plan_options *o, const char *value)
{
    return dpx_cpuset_from_list(&o->housekeeping, value);
}

static char *
read_number(const char *value, unsigned int min, unsigned int max,
            unsigned int *number)
{
    if (strspn(value, "0123456789") != strlen(value)
        || !str_to_uint(value, 10, number) || *number < min
        || *number > max) {
        return xasprintf("'%s' is not a whole number from %u to %u", value,
                         min, max);
    }
    return NULL;
}

static char *
read_threads(struct dpx_plan_options *o, const char *value)
{
    return read_number(value, 1, DPX_MAX_CPUS, &o->n_threads);
}

static char *
read_mask(struct dpx_plan_options *o, const char *value)
{
    char *error = dpx_cpuset_from_mask(&o->mask, value);

    if (!error && !dpx_cpuset_count(&o->mask)) {
        error = xasprintf("mask '%s' has no CPU", value);
    }
    o->has_mask = !error;
    return error;
}

static char *
read_port_numa(struct dpx_plan_options *o, const char *value)
{
    const char *equals = strrchr(value, '=');
    unsigned int node;
    char *port, *error;

    if (!equals || equals == value) {
        return xasprintf("'%s' is not PORT=NODE", value);
    }
    error = read_number(equals + 1, 0, 1023, &node);
    if (!error) {
        port = xmemdup0(value, equals - value);
        shash_replace(&o->port_numa, port, (void *) (uintptr_t) (node + 1));
        free(port);
    }
    return error;
}

static char *
read_real(const char *value, double min, double max, double *number)
{
    double n;

    if (!str_to_double(value, &n) || !(n >= min && n <= max)) {
        return xasprintf("'%s' is not a number from %g to %g", value, min,
                         max);
    }
    *number = n;
    return NULL;
}

static char *
read_smt_factor(struct dpx_plan_options *o, const char *value)
{
    return read_real(value, 1, 2, &o->placement.smt_factor);
}

static char *
read_cross_numa(struct dpx_plan_options *o, const char *value)
{
    static const char *const names[] = {
        [DPX_CROSS_NUMA_NEVER] = "never",
        [DPX_CROSS_NUMA_OVERLOAD] = "overload",
        [DPX_CROSS_NUMA_ALWAYS] = "always",
    };

    for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
        if (!strcmp(value, names[i])) {
            o->placement.cross_numa = i;
            return NULL;
        }
    }
    return xasprintf("'%s' is not never, overload or always", value);
}

static char *
read_cross_numa_cost(struct dpx_plan_options *o, const char *value)
{
    char *error = read_real(value, 0, 1000, &o->placement.cross_numa_cost);

    o->placement.cross_numa_cost /= error ? 1 : 100;
    return error;
}

static char *
read_tolerance(struct dpx_plan_options *o, const char *value)
{
    char *error = read_real(value, 0, 100, &o->placement.tolerance);

    o->placement.tolerance /= error ? 1 : 100;
    return error;
}

static char *
read_max_moves(struct dpx_plan_options *o, const char *value)
{
    unsigned int n;
    char *error = read_number(value, 0, 1000000, &n);

    if (!error) {
        o->placement.max_moves = n ? (int) n : -1;
    }
    return error;
}

static char *
read_json(struct dpx_plan_options *o, const char *value OVS_UNUSED)
{
    o->json = true;
    return NULL;
}

static char *
read_help(struct dpx_plan_options *o, const char *value OVS_UNUSED)
{
    o->help = true;
    return NULL;
}

static char *
read_version(struct dpx_plan_options *o, const char *value OVS_UNUSED)
{
    o->version = true;
    return NULL;
}

/* Reads one option that getopt has found. */
static char *
read_option(struct dpx_plan_options *o, int code, char *argv[])
{
    const struct plan_option *row;
    char *error, *with_name;

    if (code == '?' || code == ':') {
        return xasprintf("'%s': no such option, or its value is missing (try "
                         "--help)", argv[optind - 1]);
    }
    row = &table[code - FIRST];
    error = row->read(o, optarg);
    if (!error) {
        return NULL;
    }
    with_name = xasprintf("--%s: %s", row->name, error);
    free(error);
    return with_name;
}

char *
dpx_plan_options_parse(struct dpx_plan_options *o, int argc, char *argv[])
{
    struct option options[ARRAY_SIZE(table) + 1];
    char *error = NULL;
    int code;

    memset(o, 0, sizeof *o);
    memset(options, 0, sizeof options);
    svec_init(&o->machines);
    shash_init(&o->port_numa);
    dpx_cpuset_add(&o->housekeeping, 0);
    dpx_placement_options_default(&o->placement);
    o->placement.max_moves = -1;
    for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
        options[i].name = table[i].name;
        options[i].has_arg = (table[i].value ? required_argument
                                             : no_argument);
        options[i].val = FIRST + i;
    }
    opterr = 0;
    while (!error
           && (code = getopt_long(argc, argv, "", options, NULL)) != -1) {
        error = read_option(o, code, argv);
    }
    if (!error && optind < argc) {
        error = xasprintf("'%s': no word without an option is taken (try "
                          "--help)", argv[optind]);
    }
    if (!error && o->n_threads && o->has_mask) {
        error = xstrdup("--threads and --mask exclude each other");
    }
    return error;
}

void
dpx_plan_options_destroy(struct dpx_plan_options *o)
{
    svec_destroy(&o->machines);
    shash_destroy(&o->port_numa);
}

void
dpx_plan_usage(void)
{
    printf("ovs-pmd-plan: plan which PMD polls which rx queue, from what a "
           "stock\nOpen vSwitch printed\n"
           "usage: ovs-appctl dpif-netdev/pmd-rxq-show | ovs-pmd-plan "
           "[OPTION]...\n\n");
    for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
        char *left = xasprintf("--%s%s%s", table[i].name,
                               table[i].value ? "=" : "",
                               table[i].value ? table[i].value : "");

        printf("  %-26s  %s\n", left, table[i].help);
        free(left);
    }
    printf("\nexit status: 0 nothing to do, 1 input unusable, 2 wrong usage, "
           "3 a plan\nwas printed, 4 problems that need a decision\n");
}
