# SPDX-License-Identifier: Apache-2.0
#
# Two PMD threads and the main thread share the one queue of a guest: who is on
# it, what went there, and how often one waited for the other, which Open
# vSwitch counts as well, for all ports together.

import time

from harness import given, paced
from harness.switch import wait_until
from harness.testing import (expect, expect_equal, need_switch, need_testpmd,
                             need_two_cpus)
from test_vhost import Guest

RATE = 4000                     # Packets/s per rx queue.


def fixture(undo):
    need_switch()
    need_testpmd()
    need_two_cpus()
    s = given.switch(undo)
    s.add_port("br0", "p0", "dpx-paced", 1, flows=4, n_rxq=2,
               **{"rx-rate": 0, "ring-size": 16384})
    s.add_port("br0", "sink", "dpx-paced", 2)
    s.add_port("br0", "vhost0", "dpdkvhostuserclient", 3,
               **{"vhost-server-path": s.path("vhost.sock")})
    given.forward(s, 1, 3)
    given.forward(s, 3, 2)
    return Guest(s, undo)


def txqs(s, port):
    answer = s.query("dpif-netdev/txq-show", port)
    return answer["ports"][0], answer["txqs"]


def contention(s):
    return int(s.appctl("coverage/read-counter", "vhost_tx_contention"))


def test_guest_enables_its_queue(guest):
    s = guest.switch
    wait_until(lambda: "Port statistics" in guest.output(),
               "the guest forwards", 30)
    wait_until(lambda: txqs(s, "vhost0")[0]["guest_queues"] == 1,
               "the guest has enabled its queue", 20)


def test_both_threads_share_the_queue(guest):
    s = guest.switch
    given.set_rates(s, "p0", RATE, RATE)
    wait_until(lambda: txqs(s, "vhost0")[1][0]["packets"] > 4 * RATE,
               "%d packets went to the guest" % (4 * RATE), 30)
    port, (queue,) = txqs(s, "vhost0")
    cores = given.cores()
    expect_equal((port["mode"], port["txqs"], port["asked"],
                  port["can_be_busy"]), ("xps", 1, 3, 1), "the port")
    expect_equal((queue["mode"], queue["cores"], queue["guest_queue"]),
                 ("xps", "%d-%d" % tuple(cores), 0), "its queue")
    expect(0 < queue["sends"] <= queue["packets"], "sends: %s" % queue)


def test_contention_is_what_open_vswitch_counts(guest):
    s = guest.switch
    given.set_rates(s, "p0", 0)
    time.sleep(1)
    _, (queue,) = txqs(s, "vhost0")
    expect_equal(queue["contended"], contention(s), "contended sends")
    expect_equal(queue["packets"], paced.total(s, "p0", "RXQ", "PACKETS"),
                 "packets given to the guest")
    print("  vhost0: %d packets, %d sends, %d contended, %d drops"
          % (queue["packets"], queue["sends"], queue["contended"],
             queue["drops"]))


def test_placed_they_share_it_too(guest):
    s = guest.switch
    s.vsctl("set", "Open_vSwitch", ".",
            "other_config:pmd-rxq-assign=placement")
    wait_until(lambda: txqs(s, "vhost0")[0]["mode"] == "placed",
               "vhost0 is placed", 10)
    _, (queue,) = txqs(s, "vhost0")
    expect_equal(queue["cores"], "%d-%d,main" % tuple(given.cores()),
                 "threads on the queue")
    expect_equal(queue["remaps"], 0, "remaps")


def test_a_guest_that_is_gone_has_no_queue(guest):
    s = guest.switch
    guest.daemon.kill()
    wait_until(lambda: txqs(s, "vhost0")[0]["can_be_busy"] == 0,
               "no queue of the guest can be busy", 20)
    given.set_rates(s, "p0", RATE, RATE)
    before = txqs(s, "vhost0")[1][0]
    wait_until(lambda: txqs(s, "vhost0")[1][0]["drops"] > before["drops"],
               "packets for a guest that is gone are drops", 10)
