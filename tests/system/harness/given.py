# SPDX-License-Identifier: Apache-2.0
#
# Where the system tests start from: a running switch with a bridge "br0", and
# what they ask it all the time.

import os
import time

from . import hugepages
from .cpuwatch import TOO_LONG, CpuWatch
from .switch import Switch, wait_until
from .testing import PAGES, Skip, need_switch

WINDOW = 5                      # Seconds over which a load is taken.
SETTLE = WINDOW + 1.5           # Until a load is all new.


def cores():
    """The first two CPUs that we may use."""
    return sorted(os.sched_getaffinity(0))[:2]


def mask(*which):
    return "0x%x" % sum(1 << core for core in which)


def switch(undo, *pmd_cores):
    """DPDK, PMD threads on 'pmd_cores' (default: two), bridge "br0"."""
    need_switch()
    undo.add(hugepages.give_back, hugepages.take(PAGES))
    s = Switch(undo)
    s.start()
    s.vsctl("set", "Open_vSwitch", ".", "other_config:pmd-cpu-mask="
            + mask(*(pmd_cores or cores())))
    s.add_bridge("br0")
    return s


def forward(s, source, sink, *more):
    """All that comes in at port number 'source' leaves at 'sink'."""
    s.ofctl("add-flow", "br0", "in_port=%d,%sactions=output:%d"
            % (source, "".join(more), sink))


def set_rates(s, port, *rates):
    s.vsctl("set", "Interface", port, 'options:rx-rate="%s"'
            % ",".join(map(str, rates)))


def statistic(s, port, name):
    """A counter of the port, as fresh as the database has it."""
    return (s.get("Interface", port, "statistics") or {}).get(name, 0)


def await_statistic(s, port, name, condition, what, seconds=20):
    wait_until(lambda: condition(statistic(s, port, name)), what, seconds,
               0.3)


def settle():
    """Waits until loads are all new."""
    time.sleep(SETTLE)


def need_quiet_loads(s):
    """Waits until loads are all new and the PMD threads had their CPUs to
    themselves: otherwise loads say nothing."""
    time.sleep(SETTLE - WINDOW)
    for _ in range(4):
        watch = CpuWatch(s.vswitchd.pid)
        time.sleep(WINDOW)
        waited = watch.waited()
        if waited < TOO_LONG:
            return
    raise Skip("need_quiet_loads: other programs kept a PMD thread off its "
               "CPU for %.0f %% of the time" % (100 * waited))


def placement(s):
    """{(port, queue): core}, from the stock command."""
    found, core = {}, None
    for line in s.appctl("dpif-netdev/pmd-rxq-show").splitlines():
        words = line.split()
        if line.startswith("pmd thread"):
            core = int(words[words.index("core_id") + 1].rstrip(":"))
        elif words[:1] == ["port:"]:
            queue = int(words[words.index("queue-id:") + 1])
            found[words[1], queue] = core
    return found


def busy(s):
    """{core: percent}, from ours."""
    return {p["core"]: p["busy_pct"]
            for p in s.query("dpif-netdev/pmd-placement-show")["pmds"]}
