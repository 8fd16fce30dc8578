/* SPDX-License-Identifier: Apache-2.0
 *
 * What differs between the releases of Open vSwitch that we build with, and
 * nothing else.  DPX_OVS_RELEASE is major times 100 plus minor (3.1: 301) and
 * comes from the build. */

#ifndef DPX_COMPAT_H
#define DPX_COMPAT_H 1

#ifndef DPX_OVS_RELEASE
#error "DPX_OVS_RELEASE is not defined: build through overlay.mk"
#endif

#include <stdbool.h>
#include <stddef.h>

#include "compiler.h"
#include "flow.h"
#include "odp-util.h"
#include "openvswitch/json.h"
#include "unixctl.h"
#include "util.h"

/* Formats a flow key with its mask, port names from 'names'; fields without a
 * mask are left out, as dpctl/dump-flows does. */
static inline void
dpx_odp_flow_format(const struct nlattr *key, size_t key_len,
                    const struct nlattr *mask, size_t mask_len,
                    const struct hmap *names, struct ds *ds)
{
#if DPX_OVS_RELEASE >= 305
    odp_flow_format(key, key_len, mask, mask_len, names, ds, false, false);
#else
    odp_flow_format(key, key_len, mask, mask_len, names, ds, false);
#endif
}

/* Makes 'packet' one of 'flow' with right checksums and 'payload' bytes. */
static inline void
dpx_flow_compose(struct dp_packet *packet, const struct flow *flow,
                 size_t payload)
{
#if DPX_OVS_RELEASE >= 305
    flow_compose(packet, flow, NULL, payload, false);
#else
    flow_compose(packet, flow, NULL, payload);
#endif
}

/* 'ovs-appctl --format json', which came with 3.4. */
static inline bool
dpx_unixctl_wants_json(struct unixctl_conn *conn OVS_UNUSED)
{
#if DPX_OVS_RELEASE >= 304
    return unixctl_command_get_output_format(conn) == UNIXCTL_OUTPUT_FMT_JSON;
#else
    return false;
#endif
}

/* Replies with 'json', which it takes; only after dpx_unixctl_wants_json(). */
static inline void
dpx_unixctl_reply_json(struct unixctl_conn *conn OVS_UNUSED,
                       struct json *json)
{
#if DPX_OVS_RELEASE >= 304
    unixctl_command_reply_json(conn, json);
#else
    json_destroy(json);
    OVS_NOT_REACHED();
#endif
}

/* Elements of a JSON array, whose members are hidden since 3.6. */
static inline size_t
dpx_json_array_size(const struct json *array)
{
#if DPX_OVS_RELEASE >= 306
    return json_array_size(array);
#else
    return array->array.n;
#endif
}

static inline const struct json *
dpx_json_array_at(const struct json *array, size_t i)
{
#if DPX_OVS_RELEASE >= 306
    return json_array_at(array, i);
#else
    return array->array.elems[i];
#endif
}

#endif /* dpx-compat.h */
