# SPDX-License-Identifier: Apache-2.0
#
# The demo's switch: one bridge, a port whose rx queues are unevenly loaded, a
# dpdk port that replays a capture, a port where everything goes.

import glob
import os
import time

from harness import paced, pcap
from harness.switch import wait_until

BRIDGE = "demo"
SOURCE, SINK, REPLAY = "p0", "sink0", "dpdk0"
SOURCE_NO, SINK_NO, REPLAY_NO = 1, 2, 3

# Packets/s of the rx queues, relative to each other.  Stock spreads queues
# that it knows nothing about by number, there and back: 0 3 4 on one thread
# (62 of 90), 1 2 5 on the other.  "cycles" spreads known ones by rank in the
# same way: 30 13 13 (56) and 17 15 2.  Halves of 45 exist, and what a packet
# costs may differ by a tenth from one queue and one moment to the next without
# hiding that.
WEIGHTS = (30, 13, 2, 17, 15, 13)
FLOWS = 16                      # Of each queue, Zipf with exponent 1.
REPLAYED = 20000                # Packets of the dpdk port's capture.

# A queue that is not measured yet must not be flooded on a slow machine.
FIRST_RATE = 8000               # Packets/s for a weight of 1.
TARGET = 0.62                   # Of a core, for the busiest at the start.


def _list(path):
    """The CPUs that a file of sysfs names; empty if there is no file."""
    cpus = set()
    try:
        with open(path, encoding="ascii") as f:
            for part in f.read().strip().split(","):
                first, _, last = part.partition("-")
                cpus.update(range(int(first), int(last or first) + 1))
    except (FileNotFoundError, ValueError):
        pass
    return cpus


def _node(cpu):
    found = glob.glob("/sys/devices/system/cpu/cpu%d/node[0-9]*" % cpu)
    return int(found[0].rpartition("node")[2]) if found else 0


def choose_cores():
    """Two CPUs of one NUMA node, on two cores if there are, and not CPU 0 if
    there is a choice.  Returns them and their node."""
    allowed = sorted(os.sched_getaffinity(0), key=lambda c: (c == 0, c))
    best = None
    for i, a in enumerate(allowed):
        siblings = _list("/sys/devices/system/cpu/cpu%d/topology/"
                         "thread_siblings_list" % a)
        for b in allowed[i + 1:]:
            cost = (_node(a) != _node(b), b in siblings)
            if best is None or cost < best[0]:
                best = (cost, sorted((a, b)), _node(a))
            if cost == (False, False):
                return best[1], best[2]
    return best[1], best[2]


class Scene:
    def __init__(self, switch, capture=None):
        self.switch = switch
        self.capture = capture
        self.cores, self.node = choose_cores()
        self.rates = [0] * len(WEIGHTS)

    def mask(self):
        return "0x%x" % sum(1 << core for core in self.cores)

    def build(self):
        """Bridge, rules, ports; nothing flows yet but the replay."""
        switch = self.switch
        switch.vsctl("set", "Open_vSwitch", ".",
                     "other_config:pmd-cpu-mask=" + self.mask())
        switch.add_bridge(BRIDGE)
        self._add_rules()
        source = {"n_rxq": len(WEIGHTS), "numa_id": self.node}
        if self.capture:
            source["rx-pcap"] = self.capture
        else:
            source.update({"flows": FLOWS, "flow-skew": 1})
        switch.add_port(BRIDGE, SOURCE, "dpx-paced", SOURCE_NO,
                        **{"rx-rate": 0, "ring-size": 4096}, **source)
        switch.add_port(BRIDGE, SINK, "dpx-paced", SINK_NO,
                        numa_id=self.node)

        # Played once: with infinite_rx the device always has a packet, and
        # its thread would be 100 % busy wherever its queue is.
        path = switch.path("replay.pcap")
        pcap.write(path, (pcap.udp_packet(0xc0a80001 + i % 16, 0xac100001,
                                          2000 + i % 16)
                          for i in range(REPLAYED)))
        switch.add_port(BRIDGE, REPLAY, "dpdk", REPLAY_NO,
                        **{"dpdk-devargs": "net_pcap0,rx_pcap=%s,"
                           "tx_pcap=/dev/null" % path})

    def _add_rules(self):
        rules = ["priority=1,in_port=%d,actions=output:%d"
                 % (REPLAY_NO, SINK_NO)]
        if self.capture:
            # A hash over addresses and ports makes each connection a
            # megaflow of its own; what it gives is not used.
            rules.append("priority=1,in_port=%d,actions=multipath("
                         "symmetric_l3l4+udp,0,modulo_n,1,0,NXM_NX_REG0[]),"
                         "output:%d"
                         % (SOURCE_NO, SINK_NO))
        else:
            rules.append("priority=1,in_port=%d,actions=output:%d"
                         % (SOURCE_NO, SINK_NO))
            for queue in range(len(WEIGHTS)):
                for flow in range(FLOWS):
                    rules.append(
                        "priority=10,in_port=%d,ip,nw_src=0.0.%d.0/0.0.255.0,"
                        "nw_dst=172.16.0.%d,actions=output:%d"
                        % (SOURCE_NO, queue, flow, SINK_NO))
        path = self.switch.path("rules")
        with open(path, "w", encoding="ascii") as f:
            f.write("\n".join(rules) + "\n")
        self.switch.ofctl("add-flows", BRIDGE, path)

    def set_unit(self, unit):
        """'unit' packets/s for a weight of 1."""
        self.rates = [round(w * unit, -3) for w in WEIGHTS]
        self.switch.vsctl(
            "set", "Interface", SOURCE, 'options:rx-rate="%s"'
            % ",".join("%d" % r for r in self.rates))

    def calibrate(self):
        """Sets rates that keep the busiest core about TARGET busy, from what
        a packet costs on this machine.  Returns the total of the rates."""
        unit = FIRST_RATE
        for _ in range(2):
            self.set_unit(unit)
            time.sleep(0.3)
            unit *= min(10, TARGET / max(self._busiest(), 0.01))
        self.set_unit(unit)
        return sum(self.rates)

    def _busiest(self):
        """Load of the busiest core, from the cycle counts of stock's own
        command.  Of a few short samples the least counts, because a thread
        that loses its CPU in the middle of a burst only seems busier."""
        least = {}
        before = pmd_counters(self.switch)
        for _ in range(5):
            time.sleep(0.25)
            after = pmd_counters(self.switch)
            for core, now in after.items():
                busy = now["processing"] - before[core]["processing"]
                idle = now["idle"] - before[core]["idle"]
                load = busy / max(1, busy + idle)
                least[core] = min(load, least.get(core, 1.0))
            before = after
        return max(least.values())

    def replay(self):
        """Has the dpdk port play its capture through the bridge."""
        # A new port is polled before it is known to its bridge, and what it
        # receives then is lost.  Restarting the device, here by another
        # number of descriptors, plays the capture again.
        def played(before):
            return paced.total(self.switch, SINK, "TXQ",
                               "FOREIGN") >= before + REPLAYED

        before = paced.total(self.switch, SINK, "TXQ", "FOREIGN")
        self.switch.vsctl("set", "Interface", REPLAY,
                          "options:n_rxq_desc=1024")
        wait_until(lambda: played(before),
                   "%s has replayed its capture" % REPLAY)


def pmd_counters(switch):
    """{core: {"packets":, "idle":, "processing":}} from pmd-stats-show."""
    result, current = {}, None
    for line in switch.appctl("dpif-netdev/pmd-stats-show").splitlines():
        words = line.split()
        if line.startswith("pmd thread"):
            core = int(words[words.index("core_id") + 1].rstrip(":"))
            current = {"packets": 0, "idle": 0, "processing": 0}
            result[core] = current
        elif line.startswith("main thread"):
            current = None
        elif current is not None and len(words) >= 3:
            for key, label in (("packets", "packets received:"),
                               ("idle", "idle cycles:"),
                               ("processing", "processing cycles:")):
                if line.strip().startswith(label):
                    current[key] = int(words[2])
    return result
