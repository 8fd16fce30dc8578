/* SPDX-License-Identifier: Apache-2.0
 *
 * ovs-dpx-bench: measures what a switch forwards, as the field measures it.
 * Finds the command and calls it; everything else is in dpx-bench-*.c. */

#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dpx-bench.h"
#include "util.h"

static const struct command {
    const char *name, *words, *help;
    dpx_bench_command *run;
    const struct dpx_bench_option *options;     /* Null: --help of its own. */
} commands[] = {
    { "p2p", "[OPTION]...", "port to port", dpx_bench_cmd_scenario, NULL },
    { "pvp", "[OPTION]...", "port, guest, port", dpx_bench_cmd_scenario,
      NULL },
    { "pvvp", "[OPTION]...", "port, two guests, port",
      dpx_bench_cmd_scenario, NULL },
    { "table", "NAME [OPTION]...",
      "one of the published tables, measured or from results",
      dpx_bench_cmd_table, dpx_bench_table_options },
    { "show", "[OPTION]... FILE", "a result", dpx_bench_cmd_show,
      dpx_bench_show_options },
    { "compare", "[OPTION]... A B", "two results: ratios with their interval",
      dpx_bench_cmd_compare, dpx_bench_compare_options },
    { "search", "[OPTION]...", "decide about trials that others run",
      dpx_bench_cmd_search, dpx_bench_search_options },
    { "generate", "[OPTION]... PORT...", "send and receive packets",
      dpx_bench_cmd_generate, dpx_bench_generate_options },
};

static void
usage(void)
{
    printf("ovs-dpx-bench: measure what a switch forwards, as the field "
           "measures it\nusage: ovs-dpx-bench COMMAND [OPTION]...\n\n");
    for (size_t i = 0; i < ARRAY_SIZE(commands); i++) {
        char *left = xasprintf("%s %s", commands[i].name, commands[i].words);

        printf("  %-26s  %s\n", left, commands[i].help);
        free(left);
    }
    printf("\nOptions of a command: ovs-dpx-bench COMMAND --help\nexit "
           "status: 0 measured, 1 failed, 2 wrong usage, 3 partial or "
           "invalid\n");
}

static void
command_usage(const struct command *c)
{
    printf("usage: ovs-dpx-bench %s %s\n%s\n\n", c->name, c->words, c->help);
    for (const struct dpx_bench_option *o = c->options; o->name; o++) {
        char *left = xasprintf("--%s%s%s", o->name, o->value ? "=" : "",
                               o->value ? o->value : "");

        printf("  %-26s  %s\n", left, o->help);
        free(left);
    }
}

static int
run(const struct command *c, int argc, char *argv[])
{
    for (int i = 1; i < argc && c->options; i++) {
        if (!strcmp(argv[i], "--help")) {
            command_usage(c);
            return DPX_BENCH_OK;
        } else if (!strcmp(argv[i], "--")) {
            break;
        }
    }
    return c->run(argc, argv);
}

int
main(int argc, char *argv[])
{
    const char *word = argc > 1 ? argv[1] : "";
    int code = DPX_BENCH_USAGE;
    bool found = true;

    if (!strcmp(word, "--help")) {
        usage();
        code = DPX_BENCH_OK;
    } else if (!strcmp(word, "--version")) {
        printf("ovs-dpx-bench (ovs-dpx on Open vSwitch) %s\n", VERSION);
        code = DPX_BENCH_OK;
    } else {
        found = false;
        for (size_t i = 0; i < ARRAY_SIZE(commands) && !found; i++) {
            if (!strcmp(word, commands[i].name)) {
                found = true;
                code = run(&commands[i], argc - 1, argv + 1);
            }
        }
    }
    if (!found) {
        fprintf(stderr, "ovs-dpx-bench: '%s': no such command (try --help)\n",
                word);
    }
    if (fflush(stdout) || ferror(stdout)) {
        fprintf(stderr, "ovs-dpx-bench: cannot write the output\n");
        return DPX_BENCH_FAILED;
    }
    return code;
}
