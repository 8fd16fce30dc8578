/* SPDX-License-Identifier: Apache-2.0
 *
 * Glue to the upcall layer: included at the end of ofproto-dpif-upcall.c, the
 * only place where its keys of megaflows are known.  Main thread only. */

#ifndef DPX_UPCALL_GLUE_H
#define DPX_UPCALL_GLUE_H 1

#include "dpx-ukey.h"

/* Takes references of its own to what 'old' refers to.  False, and has taken
 * none, if an id is about to go. */
static bool
dpx_recirc_refs_clone(struct recirc_refs *new, const struct recirc_refs *old)
{
    const uint32_t *ids = old->n_recircs > ARRAY_SIZE(old->recirc)
                          ? old->recircs : old->recirc;

    recirc_refs_init(new);
    for (unsigned i = 0; i < old->n_recircs; i++) {
        if (!recirc_id_node_find_and_ref(ids[i])) {
            recirc_refs_unref(new);
            return false;
        }
        recirc_refs_add(new, ids[i]);
    }
    return true;
}

/* A copy of 'old' for thread 'to' that has not been dumped yet, or null. */
static struct udpif_key *
dpx_ukey_copy(struct udpif_key *old, unsigned to)
    OVS_REQUIRES(old->mutex)
{
    const struct ofpbuf *actions = ovsrcu_get(struct ofpbuf *, &old->actions);
    struct xlate_out xout = { .recircs = RECIRC_REFS_EMPTY_INITIALIZER };

    if (old->state != UKEY_VISIBLE && old->state != UKEY_OPERATIONAL) {
        return NULL;
    }
    if (old->key_recirc_id
        && !recirc_id_node_find_and_ref(old->key_recirc_id)) {
        return NULL;
    }
    if (!dpx_recirc_refs_clone(&xout.recircs, &old->recircs)) {
        if (old->key_recirc_id) {
            recirc_free_id(old->key_recirc_id);
        }
        return NULL;
    }
    return ukey_create__(old->key, old->key_len, old->mask, old->mask_len,
                         old->ufid_present, &old->ufid, to, actions,
                         old->reval_seq, 0, old->key_recirc_id, &xout);
}

static enum dpx_ukey_clone
dpx_upcall_clone(void *aux, const ovs_u128 *ufid, unsigned from, unsigned to)
{
    struct udpif *udpif = aux;
    struct udpif_key *old, *new;
    unsigned int limit;

    atomic_read_relaxed(&udpif->flow_limit, &limit);
    if (udpif_get_n_flows(udpif) >= limit) {
        return DPX_UKEY_FULL;
    }
    old = ukey_lookup(udpif, ufid, from);
    if (!old || old->pmd_id != from || ukey_lookup(udpif, ufid, to)) {
        return DPX_UKEY_NONE;
    }
    ovs_mutex_lock(&old->mutex);
    new = dpx_ukey_copy(old, to);
    ovs_mutex_unlock(&old->mutex);
    if (!new) {
        return DPX_UKEY_NONE;
    }
    if (!ukey_install(udpif, new)) {
        ukey_delete__(new);
        return DPX_UKEY_NONE;
    }
    return DPX_UKEY_CLONED;
}

void
dpx_upcall_init(void)
{
    dpx_ukey_register(dpx_upcall_clone);
}

#endif /* dpx-upcall-glue.h */
