/* SPDX-License-Identifier: Apache-2.0
 *
 * Registers, parses and answers the ovs-appctl commands.  Main thread only;
 * takes no lock itself. */

#include <config.h>

#include "dpx-cmd.h"

#include <stdlib.h>
#include <string.h>

#include "dpx-compat.h"
#include "dpx-report.h"
#include "openvswitch/dynamic-string.h"
#include "openvswitch/json.h"
#include "unixctl.h"
#include "util.h"

/* Every command.  A new one is its own file and one row here. */
static const struct dpx_cmd *const commands[] = {
    &dpx_cmd_placement_show,
    &dpx_cmd_placement_plan,
    &dpx_cmd_placement_apply,
    &dpx_cmd_placement_history,
    &dpx_cmd_rxq_move,
    &dpx_cmd_flow_stats_show,
    &dpx_cmd_flow_stats_clear,
    &dpx_cmd_heavy_hitters_show,
    &dpx_cmd_rxq_stats_show,
    &dpx_cmd_txq_show,
};

static size_t
option_index(const struct dpx_cmd *cmd, const char *word)
{
    size_t i;

    for (i = 0; cmd->options && cmd->options[i].name; i++) {
        if (!strcmp(cmd->options[i].name, word)) {
            return i;
        }
    }
    return SIZE_MAX;
}

char *
dpx_cmd_usage(const struct dpx_cmd *cmd)
{
    struct ds usage = DS_EMPTY_INITIALIZER;

    ds_put_cstr(&usage, "[--json]");
    for (size_t i = 0; cmd->options && cmd->options[i].name; i++) {
        const struct dpx_cmd_option *o = &cmd->options[i];

        ds_put_format(&usage, o->value ? " [%s %s]" : " [%s]", o->name,
                      o->value);
    }
    if (cmd->words) {
        ds_put_format(&usage, " %s", cmd->words);
    }
    return ds_steal_cstr(&usage);
}

static char *
usage_error(const struct dpx_cmd *cmd, const char *word, const char *what)
{
    char *usage = dpx_cmd_usage(cmd);
    char *error = xasprintf("\"%s\": %s (usage: %s %s)", word, what,
                            cmd->name, usage);

    free(usage);
    return error;
}

char *
dpx_cmd_parse(const struct dpx_cmd *cmd, int argc, const char *argv[],
              struct dpx_cmd_args *args)
{
    memset(args, 0, sizeof *args);
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];
        size_t index;

        if (!strcmp(word, "--json")) {
            args->json = true;
            continue;
        }
        if (word[0] != '-') {
            if (args->n_words >= cmd->max_words) {
                return usage_error(cmd, word, "unexpected word");
            }
            args->words[args->n_words++] = word;
            continue;
        }
        index = option_index(cmd, word);
        if (index == SIZE_MAX) {
            return usage_error(cmd, word, "unknown option");
        }
        if (args->options[index]) {
            return usage_error(cmd, word, "given twice");
        }
        if (!cmd->options[index].value) {
            args->options[index] = word;
        } else if (i + 1 < argc) {
            args->options[index] = argv[++i];
        } else {
            return usage_error(cmd, word, "needs a value");
        }
    }
    if (args->n_words < cmd->min_words) {
        return usage_error(cmd, argv[0], "needs more words");
    }
    return NULL;
}

char *
dpx_cmd_int(const struct dpx_cmd *cmd, const struct dpx_cmd_args *args,
            size_t index, int min, int max, int *value)
{
    const char *word = args->options[index];
    int number;

    if (!word) {
        return NULL;
    }
    if (!str_to_int(word, 10, &number) || number < min || number > max) {
        return xasprintf("\"%s\": %s takes a number from %d to %d", word,
                         cmd->options[index].name, min, max);
    }
    *value = number;
    return NULL;
}

static void
run_command(struct unixctl_conn *conn, int argc, const char *argv[],
            void *cmd_)
{
    const struct dpx_cmd *cmd = cmd_;
    struct dpx_report *report = dpx_report_create();
    struct dpx_cmd_args args;
    char *error;

    error = dpx_cmd_parse(cmd, argc, argv, &args);
    if (!error) {
        error = cmd->run(&args, report);
    }
    if (error) {
        unixctl_command_reply_error(conn, error);
        free(error);
    } else if (dpx_unixctl_wants_json(conn)) {
        dpx_unixctl_reply_json(conn, dpx_report_to_json(report));
    } else if (args.json) {
        struct json *json = dpx_report_to_json(report);
        char *text = json_to_string(json, JSSF_SORT);

        unixctl_command_reply(conn, text);
        free(text);
        json_destroy(json);
    } else {
        struct ds text = DS_EMPTY_INITIALIZER;

        dpx_report_to_text(report, &text);
        unixctl_command_reply(conn, ds_cstr(&text));
        ds_destroy(&text);
    }
    dpx_report_destroy(report);
}

void
dpx_cmd_init(void)
{
    static bool done;       /* Main thread only. */

    if (done) {
        return;
    }
    done = true;
    for (size_t i = 0; i < ARRAY_SIZE(commands); i++) {
        const struct dpx_cmd *cmd = commands[i];

        /* The argument count is checked by the parser, whose error says more
         * than unixctl's own.  unixctl keeps the usage for ever. */
        unixctl_command_register(cmd->name, dpx_cmd_usage(cmd), 0, INT_MAX,
                                 run_command,
                                 CONST_CAST(struct dpx_cmd *, cmd));
    }
}
