/* SPDX-License-Identifier: Apache-2.0
 *
 * The note of each thread, and who writes any.  Any thread. */

#include <config.h>

#include "dpx-tx-note.h"

#include <string.h>

#include "util.h"

DEFINE_EXTERN_PER_THREAD_DATA(dpx_tx_note, { 0, 0 });

bool
dpx_tx_note_is_kept(const char *netdev_type)
{
    static const char *const types[] = {
        "dpdk", "dpdkvhostuser", "dpdkvhostuserclient", "dpx-paced",
    };

    for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
        if (!strcmp(types[i], netdev_type)) {
            return true;
        }
    }
    return false;
}
