/* SPDX-License-Identifier: Apache-2.0
 *
 * Decides which thread sends by which tx queue of a port.
 *
 * Each thread has a queue of its own while they last.  Where they do not, the
 * threads that send least share, because two threads that send much to one
 * queue wait for each other.  A thread stays on its queue unless a queue would
 * be idle while others are shared, or somebody asked for a new plan and it is
 * clearly better.
 *
 * Pure and deterministic: the same senders in any order give the same plan.
 * Called on the main thread. */

#ifndef DPX_TXQ_PLACE_H
#define DPX_TXQ_PLACE_H 1

#include <stdbool.h>
#include <stddef.h>

/* No queue, in 'current' and 'pinned'. */
#define DPX_TXQ_PLACE_NONE (-1)

/* A thread that sends to the port. */
struct dpx_txq_sender {
    int core;                   /* Each sender has another; negative: the main
                                 * thread. */
    double pps;                 /* What it sends to the port, packets per
                                 * second; negative: not known. */
    int current;                /* Queue that it sends on, or none. */
    int pinned;                 /* Queue that it must send on, or none; below
                                 * the number of queues. */
    int queue;                  /* Out: 0 to the number of queues - 1. */
};

/* A new plan must have less than this part of the sharing of the old one. */
#define DPX_TXQ_PLACE_BETTER 0.8

/* Gives each of the 'n' 'senders', which are sorted by this, one of 'n_queues'
 * (at least 1) queues.  'may_move': also those that could stay. */
void dpx_txq_place(struct dpx_txq_sender *senders, size_t n, int n_queues,
                   bool may_move);

/* How much the senders disturb each other: for each two on one queue, the
 * product of what they send. */
double dpx_txq_sharing(const struct dpx_txq_sender *senders, size_t n,
                       int n_queues);

#endif /* dpx-txq-place.h */
