/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads a command line by the command's table of options. */

#include <config.h>

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dpx-bench.h"
#include "util.h"

/* Value that getopt gives to the first option. */
#define FIRST 256

char *
dpx_bench_args_parse(struct dpx_bench_args *args, int argc, char *argv[],
                     const struct dpx_bench_option *table)
{
    struct option *options;
    char *error = NULL;
    size_t n = 0;
    int code;

    shash_init(&args->values);
    while (table[n].name) {
        n++;
    }
    options = xcalloc(n + 1, sizeof *options);
    for (size_t i = 0; i < n; i++) {
        options[i].name = table[i].name;
        options[i].has_arg = (table[i].value ? required_argument
                                             : no_argument);
        options[i].val = FIRST + i;
    }
    opterr = 0;
    optind = 1;
    while (!error
           && (code = getopt_long(argc, argv, ":", options, NULL)) != -1) {
        if (code == ':') {
            error = xasprintf("'%s' needs a value", argv[optind - 1]);
        } else if (code == '?') {
            error = xasprintf("'%s': no such option", argv[optind - 1]);
        } else {
            shash_replace(&args->values, table[code - FIRST].name,
                          optarg ? optarg : "");
        }
    }
    free(options);
    args->words = argv + optind;
    args->n_words = argc - optind;
    return error;
}

void
dpx_bench_args_destroy(struct dpx_bench_args *args)
{
    shash_destroy(&args->values);
}

const char *
dpx_bench_text(const struct dpx_bench_args *args, const char *name,
               const char *missing)
{
    const char *value = shash_find_data(&args->values, name);

    return value ? value : missing;
}

char *
dpx_bench_number(const struct dpx_bench_args *args, const char *name,
                 double min, double max, double *value)
{
    const char *text = dpx_bench_text(args, name, NULL);
    double n;

    if (!text) {
        return NULL;
    } else if (!str_to_double(text, &n) || !(n >= min && n <= max)) {
        return xasprintf("--%s: '%s' is not a number from %g to %g", name,
                         text, min, max);
    }
    *value = n;
    return NULL;
}

int
dpx_bench_fail(const char *command, char *error, enum dpx_bench_exit code)
{
    fprintf(stderr, "ovs-dpx-bench %s: %s\n", command, error);
    free(error);
    return code;
}
