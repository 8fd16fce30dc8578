# SPDX-License-Identifier: Apache-2.0
#
# flow-stats-show against the datapath's own dump, and against a source whose
# rate and mix of flows are known; and that a slow source loses nothing.

import re
import time

from harness import given, paced
from harness.switch import wait_until
from harness.testing import expect, expect_equal, expect_near

RATE = 40000                    # Packets/s of each of two queues.
FLOWS = 8                       # Of each queue, Zipf with exponent 1.
SHOW = "dpif-netdev/flow-stats-show"


def fixture(undo):
    s = given.switch(undo)
    s.add_port("br0", "p0", "dpx-paced", 1, n_rxq=2, flows=FLOWS,
               **{"flow-skew": 1, "rx-rate": 0, "ring-size": 8192})
    s.add_port("br0", "sink", "dpx-paced", 2)
    for queue in range(2):
        for flow in range(FLOWS):
            given.forward(s, 1, 2, "ip,nw_src=0.0.%d.0/0.0.255.0,"
                          "nw_dst=172.16.0.%d," % (queue, flow))
    given.set_rates(s, "p0", RATE, RATE)
    given.settle()
    return s


def share(rank):
    """Of the flow with 'rank' in its queue."""
    return 1 / (rank + 1) / sum(1 / (i + 1) for i in range(FLOWS))


def rows(s, *words):
    return s.query(SHOW, "-n", "1000", *words)["flows"]


def rank_of(row):
    return int(re.search(r"dst=172\.16\.0\.(\d+)", row["match"]).group(1))


def test_rates_are_those_of_the_source(s):
    found = rows(s)
    expect_equal(len(found), 2 * FLOWS, "megaflows")
    expect_near(sum(r["pps"] for r in found), 2 * RATE, 0.1,
                "packets/s of all flows")
    for r in found:
        if rank_of(r) < 3:
            expect_near(r["pps"], RATE * share(rank_of(r)), 0.15,
                        "packets/s of " + r["match"])


def test_order_and_number_are_as_asked(s):
    answer = s.query(SHOW, "-n", "5", "-s", "packets")
    expect_equal(answer["sorted_by"], "packets", "key")
    packets = [r["packets"] for r in answer["flows"]]
    expect_equal(len(packets), 5, "rows with -n 5")
    expect_equal(packets, sorted(packets, reverse=True), "packets")


def test_each_pmd_has_the_flows_of_its_queues(s):
    total = 0
    for core in given.cores():
        queues = ["%s:%d" % q for q, c in given.placement(s).items()
                  if c == core]
        found = rows(s, "-pmd", str(core))
        total += len(found)
        for r in found:
            expect_equal(r["core"], core, "core of a flow with -pmd")
            expect(r["rxq"] in queues, "flow of %s on core %d, which polls %s"
                   % (r["rxq"], core, queues))
    expect_equal(total, 2 * FLOWS, "flows of all PMDs")
    expect_equal(rows(s, "-port", "sink"), [], "flows of a silent port")


def dumped(s):
    """{(core, ufid): (packets, bytes)} from dpctl/dump-flows."""
    flows, core = {}, None
    for line in s.appctl("dpctl/dump-flows", "-m").splitlines():
        m = re.match(r"flow-dump from pmd on cpu core: (\d+)", line)
        if m:
            core = int(m.group(1))
        elif line.startswith("flow-dump"):
            core = "main"
        m = re.match(r"ufid:([0-9a-f-]+),.*packets:(\d+), bytes:(\d+)", line)
        if m:
            flows[core, m.group(1)] = (int(m.group(2)), int(m.group(3)))
    return flows


def rest(s):
    """Stops the source and waits until all that it gave has been taken."""
    given.set_rates(s, "p0", 0, 0)
    wait_until(lambda: all(q["RING"].startswith("0/") for q in
                           paced.rows(s, "p0", "RXQ")),
               "the rings are empty", 5)


def test_slow_source_loses_nothing(s):
    rest(s)
    queues = paced.rows(s, "p0", "RXQ")
    sources = paced.rows(s, "sink", "SOURCE")
    expect_equal([q["MISSED"] for q in queues], ["0", "0"], "missed packets")
    expect_equal([r["RECEIVED"] for r in sources],
                 [q["PACKETS"] for q in queues], "packets at the sink")
    for r in sources:
        for key in ("LOST", "DUPLICATED", "REORDERED"):
            expect_equal(r[key], "0", "%s of queue %s"
                         % (key.lower(), r["QUEUE"]))


def test_every_packet_is_in_the_sum(s):
    """Of flows here and gone, of counters and upcalls."""
    rest(s)
    for _ in range(2):
        sent = sum(int(q["PACKETS"]) for q in paced.rows(s, "p0", "RXQ"))
        wait_until(lambda: counted(s) == sent,
                   "all %d packets are counted" % sent, 5, 0.5)
        # The flows come anew, while the source sends.
        given.set_rates(s, "p0", RATE, RATE)
        for _ in range(5):
            s.appctl("revalidator/purge")
            time.sleep(0.3)
        rest(s)
    expect(s.query(SHOW)["packets_of_removed_flows"] > 0,
           "no packet of a removed flow")


def counted(s):
    answer = s.query(SHOW)
    return (answer["packets_of_all_flows"]
            + answer["upcalls_of_all_flows"])


def test_costs_explain_the_time(s):
    """What all flows are estimated to cost is what their threads were busy
    with.  Both run full, so that it is not interruptions that most of the
    time goes to on a shared machine."""
    given.set_rates(s, "p0", 100 * RATE, 100 * RATE)
    given.settle()
    time.sleep(6)
    answer = s.query(SHOW, "-s", "cycles", "-n", "1000")
    for pmd in answer["pmds"]:
        expect(pmd["bursts"] > 50, "only %d bursts timed on core %d"
               % (pmd["bursts"], pmd["core"]))
        expect(pmd["explained_pct"] is not None
               and 40 < pmd["explained_pct"] < 130,
               "%s %% of the time of core %d explained"
               % (pmd["explained_pct"], pmd["core"]))
    for r in answer["flows"]:
        if rank_of(r) < 3:
            expect(r["cost"] is not None and 0 < r["cost"] < 50000,
                   "cost of %s: %s" % (r["match"], r["cost"]))
            expect(r["cost_ci"] is not None, "no interval of its cost")


def lost(s):
    """Packets that the source could not give, and that the sink misses."""
    return (sum(int(q["MISSED"]) for q in paced.rows(s, "p0", "RXQ")),
            sum(int(r["LOST"]) + int(r["DUPLICATED"])
                for r in paced.rows(s, "sink", "SOURCE")))


def set_hitters(s, on, **values):
    values = {"-" + key: value for key, value in values.items()}
    values[""] = on
    s.vsctl("set", "Open_vSwitch", ".",
            *("other_config:flow-stats-heavy-hitters%s=%s" % item
              for item in values.items()))


def test_heavy_hitters_come_and_go_under_load(s):
    rest(s)
    before = lost(s)
    given.set_rates(s, "p0", RATE, RATE)
    for _ in range(5):
        set_hitters(s, "true", sampling=4)
        time.sleep(0.2)
        s.query("dpif-netdev/heavy-hitters-show")
        set_hitters(s, "false")
    rest(s)
    expect_equal(lost(s), before, "packets missed and lost")


def test_heavy_hitters_are_those_of_the_source(s):
    set_hitters(s, "true", sampling=1, key="5tuple")
    s.query("dpif-netdev/heavy-hitters-show")   # They count from here on.
    given.set_rates(s, "p0", RATE, RATE)
    time.sleep(2)
    rest(s)
    answer = s.query("dpif-netdev/heavy-hitters-show", "-n", "100")
    expect_equal(len(answer["hitters"]), 2 * FLOWS, "heavy hitters")
    expect_equal(sum(h["packets"] for h in answer["hitters"]),
                 answer["packets_seen"], "packets of all")
    for h in answer["hitters"]:
        expect_equal((h["at_least"], h["at_most"]),
                     (h["packets"], h["packets"]), "bounds of " + h["key"])
    set_hitters(s, "false")


def test_counters_equal_those_of_dump_flows(s):
    rest(s)
    wait_until(lambda: {(r["core"], r["ufid"]): (r["packets"], r["bytes"])
                        for r in rows(s)} == dumped(s),
               "flow-stats-show and dpctl/dump-flows agree at rest", 5, 0.5)
    expect_equal(len(dumped(s)), 2 * FLOWS, "flows in the dump")


def test_nothing_was_complained_about(s):
    expect_equal(s.complaints(), [], "lines of the log")
