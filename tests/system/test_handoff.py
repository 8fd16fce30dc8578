# SPDX-License-Identifier: Apache-2.0
#
# Hands rx queues between running PMD threads, thousands of times, under load.
# Source and sink number the packets: what is lost, doubled or overtaken shows.
# Rings are large, so that a thread whose core was taken away loses nothing.

import os

from harness import given, paced
from harness.switch import wait_until
from harness.testing import expect, expect_equal

QUEUES = 4
RATE = 150000                   # Packets/s of each queue.
MOVES = int(os.environ.get("DPX_HANDOFF_MOVES", 300))


def fixture(undo):
    s = given.switch(undo)
    s.vsctl("set", "Open_vSwitch", ".",
            "other_config:pmd-rxq-assign=placement")
    s.add_port("br0", "p0", "dpx-paced", 1, n_rxq=QUEUES, flows=100,
               **{"rx-rate": 0, "ring-size": 65536})
    s.add_port("br0", "sink", "dpx-paced", 2)
    given.forward(s, 1, 2)
    return s


def start(s, rate=RATE):
    s.appctl("dpx-paced/reset")
    given.set_rates(s, "p0", *[rate] * QUEUES)


def stop(s):
    """Stops the source and waits until all that it gave out has come."""
    given.set_rates(s, "p0", *[0] * QUEUES)
    wait_until(lambda: all(row["RING"].startswith("0/")
                           for row in paced.rows(s, "p0", "RXQ")),
               "the rings are empty")
    wait_until(lambda: paced.total(s, "p0", "RXQ", "PACKETS")
               == paced.total(s, "sink", "SOURCE", "RECEIVED"),
               "all that was given out has come")


def move(s, queue):
    """Hands a queue to the other thread; how long nobody polled it."""
    core = given.placement(s)["p0", queue]
    other = [c for c in given.cores() if c != core][0]
    moves = s.query("dpif-netdev/pmd-rxq-move", "p0", str(queue),
                    str(other))["moves"]
    expect_equal([(m["queue"], m["from"], m["to"]) for m in moves],
                 [(queue, core, other)], "moves")
    return moves[0]["blocked_us"]


def expect_whole(s):
    """All packets came, once and in order."""
    for column in ("LOST", "DUPLICATED", "REORDERED", "ANCIENT"):
        expect_equal(paced.total(s, "sink", "SOURCE", column), 0,
                     "packets " + column.lower())
    expect_equal(paced.total(s, "p0", "RXQ", "MISSED"), 0, "packets missed")
    expect("AT ONCE" not in s.appctl("dpx-paced/show"),
           "no queue was polled by two threads at once")


def median(values):
    return sorted(values)[len(values) // 2]


def test_nothing_is_lost_by_many_moves(s):
    start(s)
    blocked = [move(s, i % QUEUES) for i in range(MOVES)]
    stop(s)
    expect(None not in blocked, "each move was a hand-off")
    print("RESULT moves=%d lost=%d duplicated=%d reordered=%d "
          "blocked_median_us=%.1f blocked_p99_us=%.1f"
          % (MOVES, paced.total(s, "sink", "SOURCE", "LOST"),
             paced.total(s, "sink", "SOURCE", "DUPLICATED"),
             paced.total(s, "sink", "SOURCE", "REORDERED"),
             median(blocked), sorted(blocked)[MOVES * 99 // 100]))
    expect_whole(s)


def with_option(s, key, value):
    """The same, shorter, with an option of Open vSwitch set."""
    s.vsctl("set", "Open_vSwitch", ".", "other_config:%s=%s" % (key, value))
    try:
        start(s)
        for i in range(40):
            move(s, i % QUEUES)
        stop(s)
        expect_whole(s)
    finally:
        s.vsctl("remove", "Open_vSwitch", ".", "other_config", key)


def test_with_buffered_output(s):
    with_option(s, "tx-flush-interval", 500)


def test_with_threads_that_sleep(s):
    # The key has another name before 3.2; the other one is ignored.
    s.vsctl("set", "Open_vSwitch", ".", "other_config:pmd-sleep-max=500")
    with_option(s, "pmd-maxsleep", 500)
    s.vsctl("remove", "Open_vSwitch", ".", "other_config", "pmd-sleep-max")


def test_with_the_signature_match_cache(s):
    with_option(s, "smc-enable", "true")


def test_without_the_exact_match_cache(s):
    with_option(s, "emc-insert-inv-prob", 0)


def test_with_an_empty_thread(s):
    """The last queue of a thread leaves it, and it sleeps; the first wakes
    it."""
    core, other = given.cores()
    s.appctl("dpif-netdev/pmd-rxq-move", "sink", "0", str(core))
    for queue in range(QUEUES):
        s.appctl("dpif-netdev/pmd-rxq-move", "p0", str(queue), str(core))
    start(s)
    for _ in range(40):
        move(s, 0)
    stop(s)
    expect_whole(s)
    expect({c for c in given.placement(s).values()} == {core},
           "all queues are on core %d, none on %d" % (core, other))


def test_a_load_survives(s):
    """Ours and stock's own, which a reload clears."""
    start(s)
    move(s, 0)
    wait_until(lambda: "NOT AVAIL" not in s.appctl(
        "dpif-netdev/pmd-rxq-show"), "stock has a history of each queue", 60)
    load = [q["load_pct"] for q in s.query(
        "dpif-netdev/pmd-placement-show")["rxqs"] if q["port"] == "p0"]
    for queue in range(1, QUEUES):
        move(s, queue)
    after = [q["load_pct"] for q in s.query(
        "dpif-netdev/pmd-placement-show")["rxqs"] if q["port"] == "p0"]
    stop(s)
    expect(None not in load + after, "loads are known: %s, %s"
           % (load, after))
    expect("NOT AVAIL" not in s.appctl("dpif-netdev/pmd-rxq-show"),
           "stock's own history is whole")


def test_nothing_was_complained_about(s):
    expect_equal(s.complaints(), [], "lines of the log")
