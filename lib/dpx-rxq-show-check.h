/* SPDX-License-Identifier: Apache-2.0
 *
 * What the reader of pmd-rxq-show knows about whole outputs.  Private to the
 * reader. */

#ifndef DPX_RXQ_SHOW_CHECK_H
#define DPX_RXQ_SHOW_CHECK_H 1

#include "dpx-rxq-show.h"

struct dpx_paste;

/* Returns an error if the text is a refusal of ovs-appctl, or another
 * command's output, else null. */
char *dpx_rxq_show_refuse(const struct dpx_paste *);

/* Is the next word the first of a line that another command printed? */
bool dpx_rxq_show_is_foreign(const struct dpx_paste *);

/* Takes out what is not of the last output in the text, holds loads to 100 %,
 * and refuses what cannot be.  Returns null or an error. */
char *dpx_rxq_show_check(struct dpx_rxq_show *);

#endif /* dpx-rxq-show-check.h */
