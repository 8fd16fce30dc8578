/* SPDX-License-Identifier: Apache-2.0 */

#include <config.h>

#include "dpx-ukey.h"

#include <stddef.h>

static dpx_ukey_clone_func *registered; /* Main thread. */

void
dpx_ukey_register(dpx_ukey_clone_func *clone)
{
    registered = clone;
}

enum dpx_ukey_clone
dpx_ukey_clone(void *aux, const ovs_u128 *ufid, unsigned from, unsigned to)
{
    return registered ? registered(aux, ufid, from, to) : DPX_UKEY_NONE;
}
