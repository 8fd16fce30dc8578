/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads datapath actions for where packets go. */

#include <config.h>
#include "dpx-flow-outputs.h"

#include <inttypes.h>
#include <string.h>

#include "netlink.h"
#include "odp-util.h"
#include "openvswitch/dynamic-string.h"
#include "sset.h"
#include "util.h"

/* What has been said already. */
struct outputs {
    const struct hmap *names;
    struct sset said;
    struct ds *s;
};

static void
say(struct outputs *o, struct ds *word)
{
    if (sset_add(&o->said, ds_cstr(word))) {
        ds_put_format(o->s, "%s%s", sset_count(&o->said) > 1 ? "," : "",
                      ds_cstr(word));
    }
    ds_destroy(word);
}

static void walk(struct outputs *, const struct nlattr *actions, size_t size);

/* Actions within the attributes of an action; what else is there is left
 * out. */
static void
walk_nested(struct outputs *o, const struct nlattr *action)
{
    bool sample = nl_attr_type(action) == OVS_ACTION_ATTR_SAMPLE;
    const struct nlattr *a;
    size_t left;

    NL_NESTED_FOR_EACH_UNSAFE (a, left, action) {
        int type = nl_attr_type(a);

        if (sample ? type == OVS_SAMPLE_ATTR_ACTIONS
            : type != OVS_CHECK_PKT_LEN_ATTR_PKT_LEN) {
            walk(o, nl_attr_get(a), nl_attr_get_size(a));
        }
    }
}

static void
walk(struct outputs *o, const struct nlattr *actions, size_t size)
{
    const struct nlattr *a;
    size_t left;

    NL_ATTR_FOR_EACH_UNSAFE (a, left, actions, size) {
        struct ds word = DS_EMPTY_INITIALIZER;
        int type = nl_attr_type(a);

        if (type == OVS_ACTION_ATTR_OUTPUT) {
            odp_portno_name_format(o->names, nl_attr_get_odp_port(a), &word);
        } else if (type == OVS_ACTION_ATTR_LB_OUTPUT) {
            ds_put_format(&word, "bond %"PRIu32, nl_attr_get_u32(a));
        } else if (type == OVS_ACTION_ATTR_RECIRC
                   || type == OVS_ACTION_ATTR_TUNNEL_POP) {
            ds_put_cstr(&word, "recirc");
        } else if (type == OVS_ACTION_ATTR_USERSPACE) {
            ds_put_cstr(&word, "userspace");
        } else if (type == OVS_ACTION_ATTR_CLONE) {
            walk(o, nl_attr_get(a), nl_attr_get_size(a));
        } else if (type == OVS_ACTION_ATTR_SAMPLE
                   || type == OVS_ACTION_ATTR_CHECK_PKT_LEN) {
            walk_nested(o, a);
        }
        if (word.length) {
            say(o, &word);
        }
    }
}

void
dpx_flow_outputs_format(const struct nlattr *actions, size_t size,
                        const struct hmap *names, struct ds *s)
{
    struct outputs o = { .names = names, .s = s };

    sset_init(&o.said);
    walk(&o, actions, size);
    if (sset_is_empty(&o.said)) {
        ds_put_cstr(s, "drop");
    }
    sset_destroy(&o.said);
}
