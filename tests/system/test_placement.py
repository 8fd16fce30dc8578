# SPDX-License-Identifier: Apache-2.0
#
# pmd-rxq-assign=placement on real PMD threads, with queues of known rates.

from harness import given
from harness.switch import wait_until
from harness.testing import (expect, expect_equal, expect_in, expect_near,
                             expect_refused)

# Stock deals queues out by number: 0 and 3 on one thread, 1 and 2 on the
# other.  The best is 0 and 2 against 1 and 3.  (Lower rates are no use: a
# thread with little to do finds one packet at a time, and a packet that comes
# alone costs several times as much.)
RATES = (900000, 300000, 100000, 700000)


def fixture(undo):
    s = given.switch(undo)
    s.add_port("br0", "p0", "dpx-paced", 1, n_rxq=len(RATES), flows=16,
               **{"rx-rate": 0, "ring-size": 8192})
    s.add_port("br0", "sink", "dpx-paced", 2)
    given.forward(s, 1, 2)
    given.set_rates(s, "p0", *RATES)
    given.settle()
    return s


def by_core(s):
    """{core: packets/s set}."""
    total = {}
    for (port, queue), core in given.placement(s).items():
        if port == "p0":
            total[core] = total.get(core, 0) + RATES[queue]
    return total


def placement_of(s, port):
    return {q: core for (p, q), core in given.placement(s).items()
            if p == port}


def test_measured_rates_are_those_set(s):
    answer = s.query("dpif-netdev/pmd-placement-show")
    for queue in answer["rxqs"]:
        if queue["port"] == "p0":
            expect_near(queue["pps"], RATES[queue["queue"]], 0.1,
                        "packets/s of queue %d" % queue["queue"])
            expect(queue["load_pct"] > 0, "load of a busy queue is %s"
                   % queue["load_pct"])
        else:
            expect_equal(queue["pps"], 0, "packets/s of the sink's queue")


def test_policy_lowers_the_busiest_core(s):
    given.need_quiet_loads(s)
    rates_before, before = by_core(s), given.busy(s)
    s.vsctl("set", "Open_vSwitch", ".",
            "other_config:pmd-rxq-assign=placement")
    wait_until(lambda: by_core(s) != rates_before, "queues were moved", 10)
    given.need_quiet_loads(s)
    rates_after, after = by_core(s), given.busy(s)
    expect_equal(max(rates_before.values()), 1600000, "packets/s of the "
                 "busiest core by stock's policy")
    expect(max(rates_after.values()) <= 1100000,
           "packets/s by core afterwards: %s" % rates_after)
    expect(max(after.values()) < max(before.values()),
           "busy before %s, after %s" % (before, after))


def test_database_shows_the_placement(s):
    s.vsctl("set", "Open_vSwitch", ".",
            "other_config:pmd-rxq-assign=placement")
    for port in ("p0", "sink"):
        wanted = {str(q): str(c) for q, c in placement_of(s, port).items()}
        wait_until(lambda p=port, w=wanted: s.get(
            "Interface", p, "rxq_placement") == w,
            "rxq_placement of %s is %s" % (port, wanted), 15, 0.3)


def test_a_new_port_moves_no_measured_queue(s):
    given.need_quiet_loads(s)
    before = placement_of(s, "p0")
    s.add_port("br0", "p9", "dpx-paced", 9, n_rxq=2)
    try:
        expect_equal(len(placement_of(s, "p9")), 2, "queues of the new port")
        expect_equal(placement_of(s, "p0"), before, "queues of the old one")
    finally:
        s.vsctl("del-port", "br0", "p9")
    expect_equal(placement_of(s, "p0"), before, "queues after del-port")


def test_pinned_queue_stays_where_it_is_pinned(s):
    before = placement_of(s, "p0")
    other = [c for c in given.cores() if c != before[1]][0]
    s.vsctl("set", "Open_vSwitch", ".", "other_config:pmd-rxq-isolate=false",
            "--", "set", "Interface", "p0",
            'other_config:pmd-rxq-affinity="1:%d"' % other)
    try:
        wait_until(lambda: placement_of(s, "p0")[1] == other,
                   "queue 1 is on core %d" % other, 10)
        s.appctl("dpif-netdev/pmd-rxq-rebalance")
        expect_equal(placement_of(s, "p0")[1], other,
                     "core of queue 1 after a rebalance")
    finally:
        s.vsctl("remove", "Interface", "p0", "other_config",
                "pmd-rxq-affinity", "--", "remove", "Open_vSwitch", ".",
                "other_config", "pmd-rxq-isolate")


def test_text_and_json_say_the_same(s):
    answer = s.query("dpif-netdev/pmd-placement-show")
    text = s.appctl("dpif-netdev/pmd-placement-show")
    expect_equal(answer["pmd_rxq_assign"], "placement", "policy in JSON")
    expect_in("placement", text, "text")
    rows = [line.split()[:2] for line in text.splitlines()
            if line.split()[:1] == ["p0"]]
    expect_equal(rows, [["p0", str(i)] for i in range(len(RATES))],
                 "rows of p0")


def test_unknown_words_are_refused_by_name(s):
    expect_refused(s, "dpif-netdev/pmd-placement-show", "nosuchdp",
                   naming="nosuchdp")
    expect_refused(s, "dpif-netdev/pmd-placement-show", "-x", naming="-x")
    expect_refused(s, "dpif-netdev/flow-stats-show", "-s", "colour",
                   naming="colour")
    expect_refused(s, "dpif-netdev/flow-stats-show", "-pmd", "fast",
                   naming="fast")
    expect_refused(s, "dpif-netdev/flow-stats-show", "-n", "0", naming="0")


def test_nothing_was_complained_about(s):
    expect_equal(s.complaints(), [], "lines of the log")
