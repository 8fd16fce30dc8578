/* SPDX-License-Identifier: Apache-2.0
 *
 * One row per ovs-appctl command: name, options, what it does.
 *
 * The row is the only place that knows a command's words: registration, usage,
 * parsing and error texts come from it.  Main thread only. */

#ifndef DPX_CMD_H
#define DPX_CMD_H 1

#include <stdbool.h>
#include <stddef.h>

struct dpx_report;

/* Most options and positional words that a command may have. */
#define DPX_CMD_MAX_OPTIONS 8
#define DPX_CMD_MAX_WORDS 4

/* An option that takes a value, or a switch. */
struct dpx_cmd_option {
    const char *name;           /* "-pmd"; null ends the list. */
    const char *value;          /* Its name in the usage, "CORE"; null: a
                                 * switch. */
};

/* What the user typed, sorted into options and words. */
struct dpx_cmd_args {
    bool json;
    const char *options[DPX_CMD_MAX_OPTIONS];   /* Value, or null: not given.
                                                 * A switch holds its name. */
    const char *words[DPX_CMD_MAX_WORDS];
    size_t n_words;
};

struct dpx_cmd {
    const char *name;           /* "dpif-netdev/pmd-placement-show". */
    const char *words;          /* Positional words for the usage, "[DP]". */
    size_t min_words, max_words;
    const struct dpx_cmd_option *options;   /* Null: none besides --json. */

    /* Fills 'report' from 'args'.  Returns null, or an error that quotes the
     * offending word, which the caller frees. */
    char *(*run)(const struct dpx_cmd_args *args, struct dpx_report *report);
};

/* Registers every command of ovs-dpx.  May be called more than once. */
void dpx_cmd_init(void);

/* Sorts the 'argc' words of 'argv' (the first is the command's own name) by
 * 'cmd'.  Returns null, or an error to be freed. */
char *dpx_cmd_parse(const struct dpx_cmd *cmd, int argc, const char *argv[],
                    struct dpx_cmd_args *args);

/* "[--json] [-n N] [DP]", to be freed. */
char *dpx_cmd_usage(const struct dpx_cmd *cmd);

/* Reads the number in option 'index' of 'args' into '*value', which is left
 * alone if the option was not given.  Returns null, or an error to be freed
 * when it is no number within 'min' and 'max'. */
char *dpx_cmd_int(const struct dpx_cmd *cmd, const struct dpx_cmd_args *args,
                  size_t index, int min, int max, int *value);

/* The rows, each defined beside what it does. */
extern const struct dpx_cmd dpx_cmd_placement_show;
extern const struct dpx_cmd dpx_cmd_placement_plan;
extern const struct dpx_cmd dpx_cmd_placement_apply;
extern const struct dpx_cmd dpx_cmd_placement_history;
extern const struct dpx_cmd dpx_cmd_rxq_move;
extern const struct dpx_cmd dpx_cmd_flow_stats_show;
extern const struct dpx_cmd dpx_cmd_flow_stats_clear;
extern const struct dpx_cmd dpx_cmd_heavy_hitters_show;
extern const struct dpx_cmd dpx_cmd_rxq_stats_show;
extern const struct dpx_cmd dpx_cmd_txq_show;

#endif /* dpx-cmd.h */
