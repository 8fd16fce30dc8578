/* SPDX-License-Identifier: Apache-2.0
 *
 * The machine that the datapath runs on, read when it is first asked for and
 * then kept.
 *
 * What reads the live machine is handed in by the program that wants it, so
 * that only ovs-vswitchd links hwloc and not every program with Open vSwitch's
 * library.  Main thread only. */

#ifndef DPX_MACHINE_H
#define DPX_MACHINE_H 1

#include "dpx-cpu-busy.h"
#include "dpx-topology.h"
#include "dpx-view.h"

/* Reads the machine, as dpx_topology_from_live() does: returns null, or an
 * error to be freed. */
typedef char *dpx_machine_loader(struct dpx_topology **);

/* From now on 'load' reads the machine.  Null, as at the start: nobody does,
 * and it stays unknown.  Forgets what was read before. */
void dpx_machine_set_loader(dpx_machine_loader *load);

/* ovs-vswitchd runs with --dummy-numa='list', the node of CPU 0, 1, 2, ...:
 * these are its CPUs and nodes.  Which of them share a core or a cache is
 * asked of hwloc only if its environment describes a machine
 * (HWLOC_SYNTHETIC, HWLOC_XMLFILE, HWLOC_FSROOT): the one that this program
 * runs on says nothing about a dummy. */
void dpx_machine_set_dummy(const char *list);

/* Is it a dummy?  Then nothing that is measured on this machine, such as the
 * load of a CPU, says anything about it. */
bool dpx_machine_is_dummy(void);

/* Returns the machine, or null: not known.  It is read on the first call,
 * which takes milliseconds; a failure is one warning in the log.  Valid until
 * the next call of a function of this file. */
const struct dpx_topology *dpx_machine_get(void);

/* Fills package, L3 and SMT id of 'pmd' from its core_id, and its NUMA node if
 * the datapath has not said it; DPX_ID_UNKNOWN where the machine does not say.
 * Reads the machine again, at most once a minute, if it does not know the CPU,
 * which may have come since. */
void dpx_machine_place_pmd(struct dpx_view_pmd *pmd);

/* How busy the CPUs of this machine are, between the last two calls of
 * dpx_machine_sample_cpus(); nothing is known of the CPUs of a dummy.  Never
 * null. */
const struct dpx_cpu_busy *dpx_machine_cpu_busy(void);

/* Looks how busy the CPUs are, if some PMD of 'view' has a sibling without
 * one: reads /proc/stat, which takes well below a millisecond for a few CPUs
 * and about one for hundreds.  To be called every few seconds. */
void dpx_machine_sample_cpus(const struct dpx_view *view);

/* Gives 'view' the distances between NUMA nodes, which stay ours: valid until
 * the next call of a function of this file. */
void dpx_machine_set_distances(struct dpx_view *view);

#endif /* dpx-machine.h */
