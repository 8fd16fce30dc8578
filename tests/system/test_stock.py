# SPDX-License-Identifier: Apache-2.0
#
# What every operator of OVS-DPDK knows works as it is known: vdevs, n_rxq,
# pmd-cpu-mask, pmd-rxq-show, pmd-stats-show, memory/show.

import re
import time

from harness import given, paced, pcap
from harness.switch import wait_until
from harness.testing import expect, expect_equal


def fixture(undo):
    s = given.switch(undo)
    s.add_port("br0", "sink", "dpx-paced", 9)
    return s


def pmd_stats(s):
    """{core: {label: number}} of the PMD threads."""
    result, current = {}, None
    for line in s.appctl("dpif-netdev/pmd-stats-show").splitlines():
        m = re.match(r"pmd thread numa_id \d+ core_id (\d+):", line)
        if m:
            current = result.setdefault(int(m.group(1)), {})
        elif line.startswith("main thread"):
            current = None
        m = re.match(r"  ([a-z ]+): (\d+)", line)
        if m and current is not None:
            current[m.group(1)] = int(m.group(2))
    return result


def test_pmd_stats_count_a_replayed_capture(s):
    n = 5000
    path = s.path("replay.pcap")
    pcap.write(path, [pcap.udp_packet(0x0a000001, 0x0a000002 + i % 4, 1000)
                      for i in range(n)])
    given.forward(s, 1, 9)
    s.add_port("br0", "replay", "dpdk", 1,
               **{"dpdk-devargs": "net_pcap0,rx_pcap=%s,tx_pcap=/dev/null"
                  % path})

    def total(key):
        return sum(p.get(key, 0) for p in pmd_stats(s).values())

    # A new port is polled before it is known to its bridge, so the first
    # packets are lost.  Restarting the device plays the capture again.
    wait_until(lambda: total("packets received") == n, "it was played", 10)
    s.appctl("dpif-netdev/pmd-stats-clear")
    before = paced.total(s, "sink", "TXQ", "PACKETS")
    s.vsctl("set", "Interface", "replay", "options:n_rxq_desc=1024")
    wait_until(lambda: total("packets received") >= n, "it was played again",
               10)
    expect_equal(total("packets received"), n, "packets received")
    hits = sum(total(key) for key in
               ("emc hits", "smc hits", "megaflow hits",
                "miss with success upcall", "miss with failed upcall",
                "phwol hits", "simple match hits"))
    expect_equal(hits, n, "packets by lookup tier")
    expect_equal(total("miss with failed upcall"), 0, "failed upcalls")
    expect_equal(paced.total(s, "sink", "TXQ", "PACKETS") - before, n,
                 "packets at the sink")
    s.vsctl("del-port", "br0", "replay")


def test_n_rxq_gives_a_dpdk_port_queues(s):
    s.add_port("br0", "null", "dpdk", 2,
               **{"dpdk-devargs": "net_null9,no-rx=1", "n_rxq": 1})

    def queues():
        return sorted(q for p, q in given.placement(s) if p == "null")

    expect_equal(queues(), [0], "queues with n_rxq=1")
    s.vsctl("set", "Interface", "null", "options:n_rxq=3")
    wait_until(lambda: queues() == [0, 1, 2], "n_rxq=3 gives queues 0 to 2",
               10)
    s.vsctl("remove", "Interface", "null", "options", "n_rxq")
    wait_until(lambda: queues() == [0], "without n_rxq there is one", 10)


def test_pmd_cpu_mask_starts_and_ends_threads(s):
    a, b = given.cores()

    def threads():
        return sorted(pmd_stats(s))

    expect_equal(threads(), [a, b], "PMD threads")
    s.vsctl("set", "Open_vSwitch", ".",
            "other_config:pmd-cpu-mask=" + given.mask(b))
    wait_until(lambda: threads() == [b], "one core in the mask, one thread",
               10)
    expect_equal(set(given.placement(s).values()), {b}, "cores that poll")
    s.vsctl("set", "Open_vSwitch", ".",
            "other_config:pmd-cpu-mask=" + given.mask(a, b))
    wait_until(lambda: threads() == [a, b], "two again", 10)


def test_null_device_forwards_without_end(s):
    s.add_port("br0", "flood", "dpdk", 3, **{"dpdk-devargs": "net_null0"})
    given.forward(s, 3, 9)
    try:
        wait_until(lambda: sum(p["packets received"]
                               for p in pmd_stats(s).values()) > 200000,
                   "200000 packets were received", 10)
    finally:
        s.vsctl("del-port", "br0", "flood")
    time.sleep(0.2)
    before = sum(p["packets received"] for p in pmd_stats(s).values())
    time.sleep(0.2)
    expect_equal(sum(p["packets received"] for p in pmd_stats(s).values()),
                 before, "packets after the port is gone")


def test_memory_show_counts_what_is_there(s):
    text = s.appctl("memory/show")
    figures = dict((k, int(v)) for k, v in
                   re.findall(r"([a-z-]+(?: [a-z-]+)?):(\d+)", text))
    ports = len(s.vsctl("list-ports", "br0").split()) + 1
    expect_equal(figures.get("ports"), ports, "ports in: " + text)
    expect(figures.get("rules", 0) > 0, "no rules in: " + text)


def test_unknown_policy_is_warned_about(s):
    s.vsctl("set", "Open_vSwitch", ".", "other_config:pmd-rxq-assign=blue")
    wait_until(lambda: "Unsupported rx queue to PMD assignment mode in "
               "pmd-rxq-assign" in s.log(), "a warning", 10)
    s.vsctl("remove", "Open_vSwitch", ".", "other_config", "pmd-rxq-assign")
