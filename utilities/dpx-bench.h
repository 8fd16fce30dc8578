/* SPDX-License-Identifier: Apache-2.0
 *
 * The parts of ovs-dpx-bench.  A command is one function and one row in
 * ovs-dpx-bench.c; what commands share is declared here. */

#ifndef DPX_BENCH_H
#define DPX_BENCH_H 1

#include <stdbool.h>
#include <stddef.h>

#include "compiler.h"
#include "dpx-search.h"
#include "dpx-trial.h"
#include "openvswitch/shash.h"

struct dpx_report;

/* What the program exits with; the manual page explains it. */
enum dpx_bench_exit {
    DPX_BENCH_OK = 0,
    DPX_BENCH_FAILED = 1,       /* It could not be done; said why. */
    DPX_BENCH_USAGE = 2,        /* Wrong words on the command line. */
    DPX_BENCH_PARTIAL = 3       /* Results are partial or invalid. */
};

/* Options. */

struct dpx_bench_option {
    const char *name;           /* Null ends the list. */
    const char *value;          /* Its name in the usage; null: a switch. */
    const char *help;
};

/* What the user typed; the strings are the command line's. */
struct dpx_bench_args {
    struct shash values;        /* Name of the option: its last value. */
    char **words;
    size_t n_words;
};

/* Sorts the words after the command's name, 'argv[0]'.  Returns null, or an
 * error that quotes the word, to be freed. */
char *dpx_bench_args_parse(struct dpx_bench_args *, int argc, char *argv[],
                           const struct dpx_bench_option *)
    OVS_WARN_UNUSED_RESULT;
void dpx_bench_args_destroy(struct dpx_bench_args *);

/* Value of an option, or 'missing'. */
const char *dpx_bench_text(const struct dpx_bench_args *, const char *name,
                           const char *missing);

/* Reads a number into '*value', which is left alone if the option was not
 * given.  Returns null, or an error that quotes the value, to be freed. */
char *dpx_bench_number(const struct dpx_bench_args *, const char *name,
                       double min, double max, double *value)
    OVS_WARN_UNUSED_RESULT;

/* Results. */

/* What is known of a trial beside load and duration, each under the name that
 * whoever ran it uses.  One list makes the columns, the JSON keys and the
 * words of the protocol. */
#define DPX_BENCH_VALUES \
    DPX_BENCH_VALUE(MEASURED, "measured", "MEASURED S", 3) \
    DPX_BENCH_VALUE(SENT, "sent", "SENT", 0) \
    DPX_BENCH_VALUE(RECEIVED, "received", "RECEIVED", 0) \
    DPX_BENCH_VALUE(DROPPED, "dropped", "DROPPED", 0) \
    DPX_BENCH_VALUE(DUPLICATES, "duplicates", "DUPLICATES", 0) \
    DPX_BENCH_VALUE(REORDERED, "reordered", "REORDERED", 0) \
    DPX_BENCH_VALUE(P50, "p50_us", "P50 US", 1) \
    DPX_BENCH_VALUE(P90, "p90_us", "P90 US", 1) \
    DPX_BENCH_VALUE(P99, "p99_us", "P99 US", 1) \
    DPX_BENCH_VALUE(P999, "p999_us", "P999 US", 1) \
    DPX_BENCH_VALUE(WORST, "max_us", "MAX US", 1) \
    DPX_BENCH_VALUE(LATE, "late_us", "LATE US", 1) \
    DPX_BENCH_VALUE(CYCLES, "cycles", "CYCLES", 1) \
    DPX_BENCH_VALUE(STEAL, "steal_ms", "STEAL MS", 0) \
    DPX_BENCH_VALUE(SWITCHED, "switched", "SWITCHED", 0)

enum dpx_bench_value {
#define DPX_BENCH_VALUE(ENUM, KEY, HEADING, DECIMALS) DPX_BENCH_##ENUM,
    DPX_BENCH_VALUES
#undef DPX_BENCH_VALUE
    DPX_BENCH_N_VALUES
};

/* And in words. */
#define DPX_BENCH_TEXTS \
    DPX_BENCH_TEXT(BUSY, "busy", "BUSY") \
    DPX_BENCH_TEXT(TIERS, "tiers", "TIERS") \
    DPX_BENCH_TEXT(DROPS, "drops", "DROPS")

enum dpx_bench_text {
#define DPX_BENCH_TEXT(ENUM, KEY, HEADING) DPX_BENCH_##ENUM,
    DPX_BENCH_TEXTS
#undef DPX_BENCH_TEXT
    DPX_BENCH_N_TEXTS
};

/* What they are called in a result line and in a file. */
extern const char *const dpx_bench_value_keys[DPX_BENCH_N_VALUES];
extern const char *const dpx_bench_text_keys[DPX_BENCH_N_TEXTS];

struct dpx_bench_trial {
    unsigned int repetition;    /* From 1. */
    double load, duration;      /* As asked. */
    double values[DPX_BENCH_N_VALUES];  /* NAN: not known. */
    char *texts[DPX_BENCH_N_TEXTS];     /* Null: not known. */
    char *invalid;              /* Why; null: it is valid. */
};

/* What one repetition found for one goal. */
struct dpx_bench_found {
    unsigned int repetition;
    char *goal;
    double lower, upper, throughput;    /* Packets/s; NAN: not known. */
    char *state;                /* "regular", or why there is no number. */
};

struct dpx_bench_pair {
    char *key, *value;
};

/* A result file. */
struct dpx_bench_result {
    struct dpx_bench_pair *facts;       /* What was measured, how, notes. */
    size_t n_facts;
    struct dpx_bench_pair *machine;     /* Where. */
    size_t n_machine;
    struct dpx_bench_trial *trials;
    size_t n_trials, allocated_trials;
    struct dpx_bench_found *found;
    size_t n_found;
};

void dpx_bench_result_init(struct dpx_bench_result *);
void dpx_bench_result_destroy(struct dpx_bench_result *);

/* Adds copies.  A fact that is there gets a new value. */
void dpx_bench_set_fact(struct dpx_bench_result *, const char *key,
                        const char *value);
void dpx_bench_add_machine(struct dpx_bench_result *, const char *key,
                           const char *value);
struct dpx_bench_trial *dpx_bench_add_trial(struct dpx_bench_result *);
void dpx_bench_add_found(struct dpx_bench_result *,
                         const struct dpx_bench_found *);
const char *dpx_bench_fact(const struct dpx_bench_result *, const char *key);

/* The throughputs of 'goal' that are numbers, in an array to be freed, and how
 * many. */
double *dpx_bench_throughputs(const struct dpx_bench_result *,
                              const char *goal, size_t *n);

/* Fills 'report'; 'trials' says whether every trial is listed. */
void dpx_bench_report(struct dpx_report *, const struct dpx_bench_result *,
                      bool trials);

/* Writes the result as JSON, in one step: a file that is there is whole.
 * Returns null or an error, to be freed. */
char *dpx_bench_write(const struct dpx_bench_result *, const char *file)
    OVS_WARN_UNUSED_RESULT;

/* Reads such a file.  Returns null or an error that quotes the file's name, to
 * be freed. */
char *dpx_bench_read(struct dpx_bench_result *, const char *file)
    OVS_WARN_UNUSED_RESULT;

/* Prints a report as text, or as JSON. */
void dpx_bench_print(const struct dpx_report *, bool as_json);

/* Commands.  'argv[0]' is the command's name.  Each prints its own errors and
 * returns what to exit with. */

typedef int dpx_bench_command(int argc, char *argv[]);
dpx_bench_command dpx_bench_cmd_search, dpx_bench_cmd_show,
    dpx_bench_cmd_compare, dpx_bench_cmd_table, dpx_bench_cmd_generate,
    dpx_bench_cmd_scenario;

extern const struct dpx_bench_option dpx_bench_search_options[];
extern const struct dpx_bench_option dpx_bench_show_options[];
extern const struct dpx_bench_option dpx_bench_compare_options[];
extern const struct dpx_bench_option dpx_bench_table_options[];
extern const struct dpx_bench_option dpx_bench_generate_options[];

/* Prints 'error' after the command's name, frees it, returns 'code'. */
int dpx_bench_fail(const char *command, char *error,
                   enum dpx_bench_exit code);

#endif /* dpx-bench.h */
