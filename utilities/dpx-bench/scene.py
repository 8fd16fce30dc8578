# SPDX-License-Identifier: Apache-2.0
#
# A switch with its ports, rules and guests, as a scenario wants it.

import os

from harness import hugepages
from harness.control import Control
from harness.failure import Failure
from harness.switch import Switch, wait_until

PAGES = {"p2p": 300, "pvp": 420, "pvvp": 520}   # Of 2 MB.
GUESTS = {"p2p": 0, "pvp": 1, "pvvp": 2}
FIRST_GUEST_PORT = 3            # OpenFlow number of v0.


class Side(Switch):
    """A switch from another directory of programs."""

    def __init__(self, undo, directory=None):
        self.directory = directory
        super().__init__(undo)

    def program(self, name):
        if not self.directory:
            return super().program(name)
        path = os.path.join(self.directory, name)
        if not os.path.exists(path):
            raise Failure("--against: there is no %s" % name,
                          "build that switch first (make paced)")
        return path


def choose_cores(n_pmds):
    """CPUs of the PMD threads and one for everything else.  CPU 0 polls only
    if it must."""
    allowed = sorted(os.sched_getaffinity(0), key=lambda c: (c == 0, c))
    if n_pmds > len(allowed):
        raise Failure("%d PMD threads need %d CPUs, this machine has %d"
                      % (n_pmds, n_pmds, len(allowed)))
    rest = allowed[n_pmds:] or allowed[-1:]
    return sorted(allowed[:n_pmds]), rest[-1]


class Scene:
    def __init__(self, options, undo, directory=None):
        self.options = options
        self.notes = []
        self.guests = []
        self.generated = options.traffic != "paced"
        self.pmd_cores, self.other_core = choose_cores(options.pmds)
        undo.add(hugepages.give_back,
                 hugepages.take(PAGES[options.command]))
        self.switch = Side(undo, directory)
        self.switch.start()
        self._configure()
        self.control = Control(self.switch)
        self._add_guests(undo)
        self._add_traffic(undo)

    def mask(self):
        return "0x%x" % sum(1 << core for core in self.pmd_cores)

    def _configure(self):
        options = self.options
        words = ["other_config:pmd-cpu-mask=" + self.mask()]
        words += ["other_config:" + word for word in options.set]
        self.switch.vsctl("set", "Open_vSwitch", ".", *words)
        self.switch.add_bridge("br0")
        for i in range(2):
            self._add_port(i)
        last = 1
        for guest in range(GUESTS[options.command]):
            first = FIRST_GUEST_PORT + 2 * guest
            for i in range(2):
                self._add_vhost("v%d" % (2 * guest + i), first + i)
            self._forward(last, first)
            last = first + 1
        self._forward(last, 2)

    def _forward(self, source, sink):
        """By address, so that no flow takes the simple match."""
        for match in ("priority=1,in_port=%d,ip,nw_dst=128.0.0.0/1",
                      "priority=0,in_port=%d"):
            self.switch.ofctl("add-flow", "br0", (match + ",actions=output:"
                                                  "%d") % (source, sink))

    def _add_vhost(self, name, number):
        self.switch.add_port(
            "br0", name, "dpdkvhostuserclient", number,
            **{"vhost-server-path": self.switch.path(name + ".sock"),
               "n_rxq": self.options.queues})

    def _add_port(self, i):
        options, name = self.options, "p%d" % i
        if self.generated:
            self._add_vhost(name, i + 1)
        elif i:
            txqs = getattr(options, "sink_txqs", None)
            self.switch.add_port("br0", name, "dpx-paced", 2,
                                 **({"n_txq": txqs} if txqs else {}))
        else:
            self.switch.add_port(
                "br0", name, "dpx-paced", 1,
                **{"rx-rate": 0, "ring-size": 2048, "n_rxq": options.queues,
                   "flows": max(1, options.flows // options.queues),
                   "frame-size": options.size})

    def _add_guests(self, undo):
        for i in range(GUESTS[self.options.command]):
            if self.options.guest == "qemu":
                from qemu import Qemu
                guest = Qemu(self, undo, 2 * i)
            else:
                from testpmd import Testpmd
                guest = Testpmd(self, undo, 2 * i)
            self.guests.append(guest)
        for i in range(2 * len(self.guests)):
            self._await_link("v%d" % i)

    def _await_link(self, port):
        wait_until(lambda: self.check() or self.switch.get(
            "Interface", port, "link_state") == "up",
            "%s is up: the other side has connected" % port, 120)

    def _add_traffic(self, undo):
        import traffic
        if self.generated:
            self.traffic = traffic.Generator(self, undo)
            for i in range(2):
                self._await_link("p%d" % i)
        else:
            self.traffic = traffic.Paced(self)

    def warm_up(self):
        """Every flow, slowly, until nothing new comes up; then it must be
        said if nothing comes through at all."""
        load = max(2000, min(20000, 2 * self.options.flows))
        counted = {}
        for _ in range(5):
            counted = self.traffic.trial(load, 1 + self.options.flows / load)
            if int(counted["received"]) >= 0.9 * int(counted["sent"]):
                return
        if not int(counted["received"]):
            raise Failure("no packet comes through: sent %s, drops %s"
                          % (counted["sent"], counted.get("drops", "-")))

    def check(self):
        """Raises Failure if something that must run has died."""
        self.switch.check()
        for guest in self.guests:
            guest.check()
