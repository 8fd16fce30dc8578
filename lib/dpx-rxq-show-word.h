/* SPDX-License-Identifier: Apache-2.0
 *
 * Words of pmd-rxq-show.  Private to its reader. */

#ifndef DPX_RXQ_SHOW_WORD_H
#define DPX_RXQ_SHOW_WORD_H 1

#include "compiler.h"
#include "dpx-paste.h"
#include "dpx-rxq-show.h"

/* Reading in progress. */
struct dpx_rxq_reader {
    struct dpx_paste *p;
    struct dpx_rxq_show *show;
    size_t allocated_pmds, allocated_rxqs;
    bool said_thread, said_comma, said_joined;      /* Notes made already. */
};

/* Appends to the notes of what is read. */
void dpx_rxq_note(struct dpx_rxq_reader *, const char *format, ...)
    OVS_PRINTF_FORMAT(2, 3);

/* Steps over the next word if the line ends within 'word' there. */
bool dpx_rxq_accept_cut(struct dpx_rxq_reader *, const char *word);

/* Steps over "13:", "13", or "13" and ":". */
bool dpx_rxq_accept_core(struct dpx_paste *, unsigned int *core);

/* Reads "98 %", or that it is not available.  Returns null or an error. */
char *dpx_rxq_read_percent(struct dpx_rxq_reader *, double *fraction,
                           bool *not_avail);

/* The name of a port, in one piece or cut before "queue-id"; null at the end
 * of the text. */
char *dpx_rxq_accept_name(struct dpx_rxq_reader *);

#endif /* dpx-rxq-show-word.h */
