/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the actions of a megaflow send packets to.  Pure; any thread. */

#ifndef DPX_FLOW_OUTPUTS_H
#define DPX_FLOW_OUTPUTS_H 1

#include <stddef.h>

struct ds;
struct hmap;
struct nlattr;

/* Appends to 's' the ports that the actions output to, each once and in their
 * order, separated by commas, with names from 'names' (null: numbers);
 * "bond N" for one that a bond chooses, "recirc" if packets are looked up
 * again, "userspace" if they go up, and "drop" if nothing of that happens. */
void dpx_flow_outputs_format(const struct nlattr *actions, size_t size,
                             const struct hmap *names, struct ds *s);

#endif /* dpx-flow-outputs.h */
