/* SPDX-License-Identifier: Apache-2.0
 *
 * The generator's loop.
 *
 * Pacing: the clock says how many packets should have been sent by now; what
 * is missing is sent, in bursts.  A thread that was off its core catches up,
 * but by no more than 10 ms worth of packets: a longer burst would measure the
 * generator.  What it does not catch up is missing in what was sent, which
 * makes the trial invalid if it is much. */

#include <config.h>
#include "dpx-bench-trial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dpx-stream.h"
#include "svec.h"
#include "util.h"

#ifdef DPDK_NETDEV

#include <rte_cycles.h>
#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_ethdev.h>
#include <rte_log.h>
#include <rte_mbuf.h>

#include "dpx-bench-port.h"

#define BURST 32
#define CATCH_UP 0.01           /* s. */
#define DRAIN 0.2               /* s without a packet until none is awaited. */
#define DRAIN_MAX 2.0           /* s altogether. */

struct dpx_bench_traffic {
    bool started;               /* DPDK is. */
    struct dpx_stream *stream;
    struct rte_mempool *pool;
    uint16_t in, out;           /* DPDK ports. */
    struct rte_mbuf *waiting[BURST];    /* Made but not yet sent. */
    uint16_t n_waiting;

    /* Of the trial. */
    struct dpx_stream_account account;
    double hz, measured;
    uint64_t sent, foreign, worst_late;         /* Packets; cycles. */
};

static char *
start_eal(const struct svec *ports, bool pci, unsigned int core,
          unsigned int memory)
{
    struct svec words = SVEC_EMPTY_INITIALIZER;
    char *error = NULL, **argv;

    svec_add(&words, "ovs-dpx-bench");
    svec_add(&words, "--in-memory");
    svec_add(&words, "--single-file-segments");
    svec_add(&words, "--no-telemetry");
    svec_add(&words, "--log-level=error");
    svec_add_nocopy(&words, xasprintf("--lcores=0@%u", core));
    svec_add_nocopy(&words, xasprintf("-m%u", memory));
    if (!pci) {
        svec_add(&words, "--no-pci");
    }
    svec_append(&words, ports);
    /* It moves the words about. */
    argv = xmemdup(words.names, words.n * sizeof *words.names);
    if (rte_eal_init(words.n, argv) < 0) {
        error = xasprintf("DPDK does not start (are there hugepages?): %s",
                          rte_strerror(rte_errno));
    }
    free(argv);
    svec_destroy(&words);
    return error;
}

static char *
start_ports(struct dpx_bench_traffic *t, uint16_t size)
{
    uint16_t room = MAX(2048, size) + RTE_PKTMBUF_HEADROOM;
    uint16_t ports[DPX_BENCH_MAX_PORTS], port, n = 0;
    char *error = NULL;

    t->pool = rte_pktmbuf_pool_create("packets", 8191, 256, 0, room,
                                      SOCKET_ID_ANY);
    if (!t->pool) {
        return xasprintf("no memory for packets: %s (more --memory?)",
                         rte_strerror(rte_errno));
    }
    RTE_ETH_FOREACH_DEV (port) {
        if (n < DPX_BENCH_MAX_PORTS) {
            ports[n++] = port;
        }
    }
    if (!n) {
        return xstrdup("DPDK has no such port");
    }
    t->out = ports[0];
    t->in = ports[n - 1];
    for (uint16_t i = 0; i < n && !error; i++) {
        error = dpx_bench_port_start(ports[i], t->pool, size);
    }
    return error;
}

char *
dpx_bench_traffic_create(struct dpx_bench_traffic **traffic,
                         const struct dpx_stream_config *config,
                         const struct svec *ports, bool pci,
                         unsigned int core, unsigned int memory)
{
    struct dpx_bench_traffic *t = xzalloc(sizeof *t);
    char *error = start_eal(ports, pci, core, memory);

    t->stream = dpx_stream_create(config);
    if (!error) {
        t->started = true;
        t->hz = rte_get_tsc_hz();
        error = start_ports(t, config->size ? config->size : 1518);
    }
    if (error) {
        dpx_bench_traffic_destroy(t);
        t = NULL;
    }
    *traffic = t;
    return error;
}

void
dpx_bench_traffic_destroy(struct dpx_bench_traffic *t)
{
    if (t) {
        dpx_stream_destroy(t->stream);
        dpx_stream_account_uninit(&t->account);
        if (t->started) {
            rte_eal_cleanup();
        }
        free(t);
    }
}

/* Fills 'waiting' up to 'n'. */
static void
make(struct dpx_bench_traffic *t, uint16_t n)
{
    uint64_t now = rte_rdtsc();

    if (n <= t->n_waiting
        || rte_pktmbuf_alloc_bulk(t->pool, t->waiting + t->n_waiting,
                                  n - t->n_waiting)) {
        return;
    }
    for (uint16_t i = t->n_waiting; i < n; i++) {
        struct rte_mbuf *m = t->waiting[i];
        uint16_t length = dpx_stream_fill(t->stream,
                                          rte_pktmbuf_mtod(m, uint8_t *),
                                          now);

        m->data_len = m->pkt_len = length;
    }
    t->n_waiting = n;
}

static void
transmit(struct dpx_bench_traffic *t, uint64_t n)
{
    uint16_t sent;

    make(t, MIN(n, BURST));
    sent = rte_eth_tx_burst(t->out, 0, t->waiting, t->n_waiting);
    t->sent += sent;
    t->n_waiting -= sent;
    memmove(t->waiting, t->waiting + sent,
            t->n_waiting * sizeof t->waiting[0]);
}

/* Returns how many of ours came. */
static uint16_t
receive(struct dpx_bench_traffic *t)
{
    struct rte_mbuf *packets[BURST];
    uint16_t n = rte_eth_rx_burst(t->in, 0, packets, BURST), ours = 0;
    uint64_t now = n ? rte_rdtsc() : 0;

    for (uint16_t i = 0; i < n; i++) {
        struct dpx_stream_stamp stamp;

        if (dpx_stream_read(t->stream,
                            rte_pktmbuf_mtod(packets[i], uint8_t *),
                            packets[i]->data_len, &stamp)) {
            dpx_stream_account(&t->account, t->stream, &stamp, now);
            ours++;
        } else {
            t->foreign++;
        }
    }
    rte_pktmbuf_free_bulk(packets, n);
    return ours;
}

/* What was made and never sent goes; its numbers must not count as sent. */
static void
drop_waiting(struct dpx_bench_traffic *t)
{
    rte_pktmbuf_free_bulk(t->waiting, t->n_waiting);
    t->n_waiting = 0;
}

static void
drain(struct dpx_bench_traffic *t)
{
    uint64_t start = rte_rdtsc(), last = start, now = start;

    while (now - last < t->hz * DRAIN && now - start < t->hz * DRAIN_MAX
           && t->account.received < t->sent) {
        last = receive(t) ? now : last;
        now = rte_rdtsc();
    }
}

void
dpx_bench_traffic_trial(struct dpx_bench_traffic *t, double load,
                        double seconds)
{
    double per_cycle = load / t->hz, forgone = 0;
    uint64_t start, now, length = seconds * t->hz;
    double most = MAX(BURST, load * CATCH_UP);

    dpx_stream_restart(t->stream);
    dpx_stream_account_reset(&t->account, t->stream->config.n_flows,
                             MIN(load * seconds * 1.1 + 1000, 1e10));
    t->sent = t->foreign = t->worst_late = 0;
    start = now = rte_rdtsc();
    while (now - start < length) {
        double due = (now - start) * per_cycle - forgone - t->sent;

        if (due > most) {
            forgone += due - most;
            due = most;
        }
        if (due >= 1) {
            t->worst_late = MAX(t->worst_late, (uint64_t) (due / per_cycle));
            transmit(t, due);
        }
        receive(t);
        now = rte_rdtsc();
    }
    t->measured = (now - start) / t->hz;
    drop_waiting(t);
    drain(t);
}

void
dpx_bench_traffic_print(const struct dpx_bench_traffic *t)
{
    static const struct {
        const char *key;
        double fraction;
    } quantiles[] = {
        { "p50_us", 0.5 }, { "p90_us", 0.9 }, { "p99_us", 0.99 },
        { "p999_us", 0.999 }, { "max_us", 1 },
    };
    const struct dpx_stream_account *a = &t->account;
    double us = 1e6 / t->hz;

    printf("result measured=%.6f sent=%"PRIu64" received=%"PRIu64
           " duplicates=%"PRIu64" reordered=%"PRIu64" late_us=%.1f",
           t->measured, t->sent, a->received, a->duplicates, a->reordered,
           t->worst_late * us);
    for (size_t i = 0; i < ARRAY_SIZE(quantiles) && a->latency.n; i++) {
        printf(" %s=%.3f", quantiles[i].key,
               dpx_histogram_quantile(&a->latency, quantiles[i].fraction)
               * us);
    }
    printf("\n");
}

#else /* !DPDK_NETDEV */

char *
dpx_bench_traffic_create(struct dpx_bench_traffic **traffic,
                         const struct dpx_stream_config *c OVS_UNUSED,
                         const struct svec *ports OVS_UNUSED,
                         bool pci OVS_UNUSED, unsigned int core OVS_UNUSED,
                         unsigned int memory OVS_UNUSED)
{
    *traffic = NULL;
    return xstrdup("this was built without DPDK");
}

void
dpx_bench_traffic_destroy(struct dpx_bench_traffic *t OVS_UNUSED)
{
}

void
dpx_bench_traffic_trial(struct dpx_bench_traffic *t OVS_UNUSED,
                        double load OVS_UNUSED, double seconds OVS_UNUSED)
{
}

void
dpx_bench_traffic_print(const struct dpx_bench_traffic *t OVS_UNUSED)
{
}

#endif /* !DPDK_NETDEV */
