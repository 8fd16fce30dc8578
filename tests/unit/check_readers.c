/* SPDX-License-Identifier: Apache-2.0
 *
 * Feeds the fuzz target of the readers a fixed sequence of spoiled texts, so
 * that every build runs a little of it.  (tests/fuzz/run does more.) */

#include <config.h>

#include "../fuzz/fuzz_readers.c"

#include <check.h>

#include "random.h"

#define SEED 20240229

/* A text of each kind that the readers know. */
static const char *const seeds[] = {
    "Displaying last 60 seconds pmd usage %\n"
    "pmd thread numa_id 0 core_id 2:\n  isolated : false\n"
    "  port: dpdk0   queue-id:  0 (enabled)   pmd usage: 45 %\n"
    "  port: dpdk0   queue-id:  1 (enabled)   pmd usage: 40 %\n"
    "  overhead:  2 %\n"
    "pmd thread numa_id 0 core_id 4:\n  isolated : true\n"
    "  port: vhu0    queue-id:  0 (disabled)  pmd usage: NOT AVAIL\n"
    "%%\n# CPU,Core,Socket,Node,,L1d,L1i,L2,L3\n0,0,0,0,,0,0,0,0\n"
    "2,1,0,0,,1,1,1,0\n4,1,0,0,,1,1,1,0\n",
    "numa_id   core_id      kpps\n 1  126  1500\n 1  127  1000\n 1 62 500\n",
    "pmd thread numa_id 0 core_id 22:\n    emc hits:17461158\n    miss:0\n"
    "    polling cycles:4948219259 (25.81%)\n"
    "    processing cycles:14220835107 (74.19%)\nmain thread:\n",
    "pmd thread numa_id 0 core_id 5:\n  Rx packets:   83  (0 Kpps)\n"
    "  - busy:                 86009  (84.1 % cycles)\n  Histograms\n"
    "    packets/it      pkts/batch       upcalls/it\n"
    "    1         83    1         166    1         3\n",
    "flow-dump from pmd on cpu core: 9\n"
    "recirc_id(0),in_port(15), packets:6, bytes:588, "
    "actions:ct(zone=6,nat),recirc(0x2d277)\n"
    "recirc_id(0x2d277),in_port(15), packets:6, bytes:588, actions:8\n",
    "netdev@ovs-netdev: hit:0 missed:0\n  br0:\n"
    "    p0 2/3: (dpdk: configured_tx_queues=4, requested_tx_queues=4)\n"
    "    v0 1/4: (dpdkvhostuser: configured_tx_queues=1)\n",
    "Interface enp97s0 unable to setup txq(64): Invalid argument\n"
    "Retrying setup with (rxq:8 txq:64)\n",
    "CPU(s): 8\nOn-line CPU(s) list: 0-7\nThread(s) per core: 2\n"
    "Socket(s): 2\nNUMA node0 CPU(s): 0-6:2\nNUMA node1 CPU(s): 1,3,5,7\n"
    "node 0 cpus: 0 2\nnode distances:\nnode   0   1\n  0:  10  21\n",
    "CPU NODE SOCKET CORE L1d:L1i:L2:L3 ONLINE\n"
    "  0    0      0    0 0:0:0:0          yes\n"
    "  1    -      -    - -                 no\n",
};

static void
spoil(char *text, size_t *length)
{
    size_t at = random_range(*length), from = random_range(*length);

    switch (random_range(4)) {
    case 0:
        text[at] = random_range(256);
        break;
    case 1:
        *length = at + 1;
        break;
    case 2:
        memmove(text + at, text + at + 1, *length - at - 1);
        *length -= *length > 1;
        break;
    default:
        memmove(text + at, text + from, MIN(*length - MAX(at, from), 8));
        break;
    }
}

START_TEST(spoiled_texts_do_no_harm)
{
    random_set_seed(SEED);
    for (int i = 0; i < 2000; i++) {
        const char *seed = seeds[random_range(ARRAY_SIZE(seeds))];
        size_t length = strlen(seed);
        char *text = xstrdup(seed);

        for (int n = random_range(6); n > 0; n--) {
            spoil(text, &length);
        }
        /* Aborts if a reader gives both or neither of result and error. */
        LLVMFuzzerTestOneInput((const uint8_t *) text, length);
        free(text);
    }
}
END_TEST

/* The seeds would be worth little if no reader took them. */
START_TEST(unspoiled_texts_are_read)
{
    size_t n = 0;

    for (size_t i = 0; i < ARRAY_SIZE(seeds); i++) {
        const char *split = strstr(seeds[i], "%%\n");
        size_t length = split ? split - seeds[i] : strlen(seeds[i]);
        const char *second = split ? split + 3 : seeds[i];
        struct dpx_plan_input in;

        free(dpx_rxq_show_parse(seeds[i], length, &in.rxq));
        free(dpx_load_table_parse(seeds[i], length, &in.table));
        free(dpx_stats_show_parse(seeds[i], length, &in.stats));
        free(dpx_flow_dump_parse(seeds[i], length, &in.flows));
        free(dpx_txq_from_dpif_show(seeds[i], length, &in.dpif));
        free(dpx_txq_from_log(seeds[i], length, &in.log));
        free(dpx_topology_from_text(second, strlen(second), &in.machine));
        ck_assert_msg(in.rxq || in.table || in.stats || in.flows || in.dpif
                      || in.log->n_refusals || in.machine, "seed %"PRIuSIZE,
                      i);
        n += in.rxq && in.machine;
        dpx_rxq_show_destroy(in.rxq);
        dpx_load_table_destroy(in.table);
        dpx_stats_show_destroy(in.stats);
        dpx_flow_dump_destroy(in.flows);
        dpx_txq_text_destroy(in.dpif);
        dpx_txq_text_destroy(in.log);
        dpx_topology_destroy(in.machine);
    }
    ck_assert_uint_eq(n, 1);
}
END_TEST

int
main(void)
{
    Suite *suite = suite_create("readers");
    TCase *all = tcase_create("all");
    SRunner *runner;
    int failed;

    /* A machine under load takes its time. */
    tcase_set_timeout(all, 120);
    tcase_add_test(all, spoiled_texts_do_no_harm);
    tcase_add_test(all, unspoiled_texts_are_read);
    suite_add_tcase(suite, all);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
