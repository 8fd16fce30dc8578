# SPDX-License-Identifier: Apache-2.0
#
# What ports that come and go do to the queues of another port: nothing, under
# pmd-rxq-assign=placement, and what they do under stock's policy.

import os

from harness import given
from harness.testing import expect, expect_equal

# Packets/s of four queues.
RATES = (1200000, 600000, 300000, 150000)
# 200 are made on dummy ports by the functional tests.
FLAPS = int(os.environ.get("DPX_FLAPS", 50))


def fixture(undo):
    s = given.switch(undo)
    s.add_port("br0", "p0", "dpx-paced", 1, n_rxq=len(RATES), flows=16,
               **{"rx-rate": 0, "ring-size": 8192})
    s.add_port("br0", "sink", "dpx-paced", 2)
    given.forward(s, 1, 2)
    given.set_rates(s, "p0", *RATES)
    return s


def plan(s):
    return s.query("dpif-netdev/pmd-placement-plan")


def flap(s, n):
    for _ in range(n):
        s.add_port("br0", "p9", "dpx-paced", 9, n_rxq=3)
        s.vsctl("del-port", "br0", "p9")


def log_moves(s, port, since):
    """How often a scheduling put a queue of 'port' on another core than the
    one before it."""
    at, n = {}, 0
    for line in s.log().splitlines()[since:]:
        words = line.replace("'", " ").replace(".", " ").split()
        if " on numa node " in line and "port" in words and (
                words[words.index("port") + 1] == port):
            queue = words[words.index("queue") + 1]
            core = line.split("Core", 1)[1].split()[0]
            n += at.get(queue, core) != core
            at[queue] = core
    return n


def test_ports_that_come_and_go_move_no_other_queue(s):
    """Though a plan would pay: all queues are on one core."""
    s.vsctl("set", "Open_vSwitch", ".", "other_config:pmd-auto-lb=false",
            "other_config:pmd-rxq-assign=placement")
    core = str(given.cores()[0])
    for queue in range(len(RATES)):
        s.appctl("dpif-netdev/pmd-rxq-move", "p0", str(queue), core)
    since = len(s.log().splitlines())
    flap(s, FLAPS)
    ours = log_moves(s, "p0", since)
    expect({c for (p, _), c in given.placement(s).items() if p == "p0"}
           == {int(core)}, "queues of p0 are still on core %s" % core)
    expect(plan(s)["queues_to_move"] > 0, "a plan would move queues")

    s.vsctl("set", "Open_vSwitch", ".", "other_config:pmd-rxq-assign=cycles")
    since = len(s.log().splitlines())
    flap(s, FLAPS)
    stock = log_moves(s, "p0", since)
    print("RESULT flaps=%d moves_placement=%d moves_stock_cycles=%d"
          % (FLAPS, ours, stock))
    expect_equal(ours, 0, "queues of p0 moved by %d ports that came and went"
                 % FLAPS)


def test_nothing_was_complained_about(s):
    expect_equal(s.complaints(), [], "lines of the log")
