# SPDX-License-Identifier: Apache-2.0
#
# A guest: testpmd with a virtio-user device on our vhost-user port sends back
# what it gets.  Source -> switch -> guest -> switch -> sink, checked there by
# sequence numbers.

import shutil
import time

from harness import given, paced, process
from harness.switch import EAL, wait_until
from harness.testing import (expect, expect_equal, need_switch, need_testpmd)

RATE = 2000                     # Packets/s, for a guest that shares a core.


class Guest:
    def __init__(self, switch, undo):
        self.switch = switch
        core = given.cores()[1]
        words = EAL.split() + [
            "-m", "128", "--file-prefix", "dpx-guest",
            "--lcores", "0@%d,1@%d" % (core, core),
            "--vdev=net_virtio_user0,path=%s,queues=1,server=1"
            % switch.path("vhost.sock"),
            "--", "--rxq=1", "--txq=1", "--nb-cores=1", "--forward-mode=io",
            "--auto-start", "--stats-period=1"]
        self.daemon = process.Daemon(
            [shutil.which("dpdk-testpmd")] + words, switch.env,
            switch.path("testpmd.out"))
        undo.add(self.daemon.stop)

    def output(self):
        with open(self.switch.path("testpmd.out"), encoding="utf-8",
                  errors="replace") as f:
            return f.read()


def fixture(undo):
    need_switch()
    need_testpmd()
    s = given.switch(undo, given.cores()[0])
    s.add_port("br0", "p0", "dpx-paced", 1, flows=4,
               **{"rx-rate": 0, "ring-size": 16384})
    s.add_port("br0", "sink", "dpx-paced", 2)
    s.add_port("br0", "vhost0", "dpdkvhostuserclient", 3,
               **{"vhost-server-path": s.path("vhost.sock")})
    given.forward(s, 1, 3)
    given.forward(s, 3, 2)
    return Guest(s, undo)


def test_guest_connects(guest):
    s = guest.switch
    wait_until(lambda: (guest.daemon.status() is None
                        and s.get("Interface", "vhost0", "link_state")
                        == "up"), "vhost0 is up", 20)
    wait_until(lambda: ("vhost0", 0) in given.placement(s),
               "a PMD polls vhost0", 10)
    wait_until(lambda: "Port statistics" in guest.output(),
               "the guest forwards", 20)


def test_packets_come_back_without_loss(guest):
    s = guest.switch
    given.set_rates(s, "p0", RATE)
    wait_until(lambda: any(int(r["RECEIVED"]) > 3 * RATE for r in
                           paced.rows(s, "sink", "SOURCE")),
               "%d packets have come back" % (3 * RATE), 30)
    given.set_rates(s, "p0", 0)

    time.sleep(1)
    expect_equal(paced.total(s, "sink", "SOURCE", "RECEIVED"),
                 paced.total(s, "p0", "RXQ", "PACKETS"),
                 "packets that came back")
    (row,) = paced.rows(s, "sink", "SOURCE")
    for key in ("LOST", "DUPLICATED", "REORDERED"):
        expect_equal(row[key], "0", key.lower())


def test_flows_of_the_guest_are_named(guest):
    answer = guest.switch.query("dpif-netdev/flow-stats-show", "-port",
                                "vhost0")
    queues = {r["rxq"] for r in answer["flows"]}
    expect_equal(queues, {"vhost0:0"}, "rx queues of the guest's flows")
    expect(all(r["packets"] > 0 for r in answer["flows"]),
           "a flow without packets: %s" % answer["flows"])


def test_killed_guest_does_no_harm(guest):
    s = guest.switch
    guest.daemon.kill()
    wait_until(lambda: s.get("Interface", "vhost0", "link_state") == "down",
               "vhost0 is down", 20)
    s.check()
    s.appctl("dpif-netdev/pmd-placement-show")
