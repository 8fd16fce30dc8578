/* SPDX-License-Identifier: Apache-2.0
 *
 * Fills the machine model from hwloc.  Called by offline programs, and once by
 * whoever needs the live machine. */

#include <config.h>
#include "dpx-topology-hwloc.h"

#include <errno.h>
#include <hwloc.h>
#include <stdlib.h>
#include <string.h>

#include "util.h"

static int
ancestor_index(hwloc_topology_t hw, hwloc_obj_type_t type, hwloc_obj_t pu)
{
    hwloc_obj_t obj = hwloc_get_ancestor_obj_by_type(hw, type, pu);

    return obj ? (int) obj->logical_index : DPX_ID_UNKNOWN;
}

static int
numa_of(hwloc_topology_t hw, hwloc_obj_t pu)
{
    /* A CPU may be near several memories (HBM): the first is the plain one. */
    int node = pu->nodeset ? hwloc_bitmap_first(pu->nodeset) : -1;

    return node >= 0 && hwloc_get_numanode_obj_by_os_index(hw, node)
           ? node : DPX_ID_UNKNOWN;
}

static char *
put_cpus(hwloc_topology_t hw, struct dpx_topology *t)
{
    hwloc_const_bitmap_t all = hwloc_topology_get_complete_cpuset(hw);
    hwloc_obj_t pu = NULL;
    int cpu;

    if (!all || hwloc_bitmap_last(all) < 0
        || hwloc_bitmap_last(all) >= DPX_MAX_CPUS) {
        return xasprintf("the machine has a CPU that is not below %d",
                         DPX_MAX_CPUS);
    }
    hwloc_bitmap_foreach_begin (cpu, all) {
        dpx_topology_add(t, cpu)->online = false;
    } hwloc_bitmap_foreach_end();

    while ((pu = hwloc_get_next_obj_by_type(hw, HWLOC_OBJ_PU, pu)) != NULL) {
        struct dpx_topology_cpu *c = dpx_topology_add(t, pu->os_index);

        c->online = true;
        c->package_id = ancestor_index(hw, HWLOC_OBJ_PACKAGE, pu);
        c->l3_id = ancestor_index(hw, HWLOC_OBJ_L3CACHE, pu);
        c->core_id = ancestor_index(hw, HWLOC_OBJ_CORE, pu);
        c->numa_id = numa_of(hw, pu);
    }
    return NULL;
}

static void
put_distances(hwloc_topology_t hw, struct dpx_topology *t)
{
    struct hwloc_distances_s *d;
    unsigned int n = 1, last = 0;

    if (hwloc_distances_get_by_type(hw, HWLOC_OBJ_NUMANODE, &n, &d,
                                    HWLOC_DISTANCES_KIND_MEANS_LATENCY, 0)
        || !n) {
        return;
    }
    /* The farthest corner first, so that the matrix grows once. */
    for (unsigned int i = 0; i < d->nbobjs; i++) {
        last = MAX(last, d->objs[i]->os_index);
    }
    dpx_topology_set_distance(t, last, last, 0);
    for (unsigned int i = 0; i < d->nbobjs; i++) {
        for (unsigned int j = 0; j < d->nbobjs; j++) {
            uint64_t value = d->values[i * d->nbobjs + j];

            dpx_topology_set_distance(t, d->objs[i]->os_index,
                                      d->objs[j]->os_index,
                                      MIN(value, INT_MAX));
        }
    }
    hwloc_distances_release(hw, d);
}

static char *
put_machine(hwloc_topology_t hw, struct dpx_topology *t)
{
    hwloc_obj_t node = NULL;

    while ((node = hwloc_get_next_obj_by_type(hw, HWLOC_OBJ_NUMANODE,
                                              node)) != NULL) {
        if (node->os_index >= 1024) {
            return xasprintf("NUMA node %u is not below 1024",
                             node->os_index);
        }
        dpx_cpuset_add(&t->nodes, node->os_index);
    }
    put_distances(hw, t);
    return put_cpus(hw, t);
}

/* The variable that tells hwloc to read something else than this machine, or
 * null.  hwloc looks at them in this order. */
static const char *
source_in_environment(void)
{
    static const char *const names[] = {
        "HWLOC_SYNTHETIC", "HWLOC_XMLFILE", "HWLOC_FSROOT",
    };

    for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
        const char *value = getenv(names[i]);

        if (value && *value) {
            return names[i];
        }
    }
    return NULL;
}

/* hwloc reads this machine instead of what it cannot read. */
static bool
ignored_environment(hwloc_topology_t hw, const char *variable)
{
    return (variable && !getenv("HWLOC_THISSYSTEM")
            && hwloc_topology_is_thissystem(hw));
}

/* Loads 'hw', which has been told where from, if not by 'variable' of the
 * environment, and destroys it. */
static char *
load(hwloc_topology_t hw, const char *what, const char *variable,
     struct dpx_topology **topology)
{
    struct dpx_topology *t = NULL;
    char *error;

    hwloc_topology_set_flags(hw, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
    if (hwloc_topology_load(hw)) {
        error = xasprintf("hwloc cannot read %s: %s", what,
                          ovs_strerror(errno));
    } else if (ignored_environment(hw, variable)) {
        error = xasprintf("hwloc does not take %s='%.60s'", variable,
                          getenv(variable));
    } else {
        t = dpx_topology_create();
        error = put_machine(hw, t);
    }
    hwloc_topology_destroy(hw);
    if (error) {
        dpx_topology_destroy(t);
        t = NULL;
    }
    *topology = t;
    return error;
}

char *
dpx_topology_from_live(struct dpx_topology **topology)
{
    const char *variable = source_in_environment();
    hwloc_topology_t hw;

    *topology = NULL;
    if (hwloc_topology_init(&hw)) {
        return xstrdup("hwloc cannot start");
    }
    /* It would bind the calling thread to each CPU in turn, also to those of
     * PMD threads, which never let it run; Linux knows all that we need. */
    hwloc_topology_set_components(hw, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST,
                                  "x86");
    return load(hw, "this machine", variable, topology);
}

char *
dpx_topology_from_xml(const char *xml, size_t length,
                      struct dpx_topology **topology)
{
    hwloc_topology_t hw;
    char *copy;
    char *error;

    *topology = NULL;
    if (hwloc_topology_init(&hw)) {
        return xstrdup("hwloc cannot start");
    }
    /* hwloc counts the null byte at the end. */
    copy = xmemdup0(xml, length);
    if (hwloc_topology_set_xmlbuffer(hw, copy, length + 1)) {
        hwloc_topology_destroy(hw);
        error = xstrdup("hwloc does not take this for its XML");
    } else {
        error = load(hw, "the XML", NULL, topology);
    }
    free(copy);
    return error;
}

char *
dpx_topology_from_synthetic(const char *description,
                            struct dpx_topology **topology)
{
    hwloc_topology_t hw;

    *topology = NULL;
    if (hwloc_topology_init(&hw)) {
        return xstrdup("hwloc cannot start");
    }
    if (hwloc_topology_set_synthetic(hw, description)) {
        hwloc_topology_destroy(hw);
        return xasprintf("'%.60s' is not a synthetic topology of hwloc, such "
                         "as 'numa:2 core:12 pu:2'", description);
    }
    return load(hw, "the synthetic topology", NULL, topology);
}
