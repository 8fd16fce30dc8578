/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads what a stock 'ovs-appctl dpif-netdev/pmd-rxq-show' printed.
 *
 * Every format from 2.5 to 4.0, also as it arrives in a bug report: with
 * prompts, indented, quoted, wrapped, cut, retyped.  Pure: text in, rows or an
 * error out.  What had to be assumed is in the notes, never silent. */

#ifndef DPX_RXQ_SHOW_H
#define DPX_RXQ_SHOW_H 1

#include <stdbool.h>
#include <stddef.h>

#include "compiler.h"
#include "svec.h"

/* Where the output does not say yes or no. */
enum dpx_said {
    DPX_SAID_NOTHING,
    DPX_SAID_NO,
    DPX_SAID_YES
};

struct dpx_rxq_show_pmd {
    unsigned int core_id;
    int numa_id;                /* DPX_ID_UNKNOWN if unspecified. */
    enum dpx_said isolated;
    double overhead;            /* Fraction, or DPX_LOAD_UNKNOWN. */
    int line, block;            /* Of its heading; block: command it is of. */
    bool has_items;             /* Something of this output followed. */
    bool foreign;               /* Heads a part of another output. */
};

struct dpx_rxq_show_rxq {
    char *port;
    int queue_id;
    size_t pmd;                 /* Index in 'pmds'. */
    enum dpx_said enabled;
    double usage;               /* Fraction, or DPX_LOAD_UNKNOWN. */
    bool not_avail;             /* Says NOT AVAIL. */
    int line;
};

struct dpx_rxq_show {
    struct dpx_rxq_show_pmd *pmds;
    size_t n_pmds;
    struct dpx_rxq_show_rxq *rxqs;
    size_t n_rxqs;

    unsigned int seconds;       /* Of the heading; 0: there is none. */
    bool has_isolated, has_usage, has_enabled, has_overhead;
    bool low_confidence;        /* More than 100 %: the loads are doubtful. */
    bool incomplete;            /* A queue could not be read. */
    struct svec notes;          /* Sentences on what was assumed. */
};

/* Reads 'length' bytes of 'text' into '*show', which the caller destroys.
 * Returns null, or an error with line and word, to be freed; '*show' is null
 * then. */
char *dpx_rxq_show_parse(const char *text, size_t length,
                         struct dpx_rxq_show **show)
    OVS_WARN_UNUSED_RESULT;
void dpx_rxq_show_destroy(struct dpx_rxq_show *);

/* The releases that print like this, "2.12 to 2.15". */
const char *dpx_rxq_show_release(const struct dpx_rxq_show *);

#endif /* dpx-rxq-show.h */
