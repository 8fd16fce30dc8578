/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies what the upcall layer knows of a megaflow (its "ukey") for another
 * thread of the same datapath.
 *
 * The datapath asks, the upcall layer above it answers: it registers the
 * function that can.  Without a ukey a megaflow is a stranger to the
 * revalidators, which delete it if it recirculates. */

#ifndef DPX_UKEY_H
#define DPX_UKEY_H 1

#include "openvswitch/types.h"

enum dpx_ukey_clone {
    DPX_UKEY_CLONED,
    DPX_UKEY_NONE,              /* None to copy, it is about to go, or there
                                 * is one already. */
    DPX_UKEY_FULL,              /* The datapath has as many flows as it may. */
};

/* Copies the ukey of 'ufid' in thread 'from' (a core) for thread 'to', with
 * references of its own to the recirculation ids.  'aux' is what upcalls of
 * the datapath are called with.  Main thread. */
typedef enum dpx_ukey_clone dpx_ukey_clone_func(void *aux,
                                                const ovs_u128 *ufid,
                                                unsigned from, unsigned to);

/* Registers 'clone' for all datapaths.  Main thread, at start. */
void dpx_ukey_register(dpx_ukey_clone_func *clone);

/* Calls what was registered; DPX_UKEY_NONE if nothing was. */
dpx_ukey_clone_func dpx_ukey_clone;

/* Called by the upcall layer when it starts: registers its function. */
void dpx_upcall_init(void);

#endif /* dpx-ukey.h */
