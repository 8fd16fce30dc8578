# SPDX-License-Identifier: Apache-2.0
#
# What a trial says of the PMD threads: cycles per packet, how busy, which
# lookup found the flow, and whether they had their cores.

import glob
import os
import re

TIERS = (("simple match hits", "simple"), ("emc hits", "emc"),
         ("smc hits", "smc"), ("megaflow hits", "megaflow"),
         ("miss with success upcall", "upcall"),
         ("miss with failed upcall", "failed"))


def steal_ms():
    """Time that the hypervisor took so far, of all CPUs."""
    with open("/proc/stat", encoding="ascii") as f:
        words = f.readline().split()
    return (int(words[8]) * 1000 / os.sysconf("SC_CLK_TCK")
            if len(words) > 8 else 0)


def switched(pid):
    """How often PMD threads were thrown off their cores so far."""
    total = 0
    for task in glob.glob("/proc/%d/task/[0-9]*" % pid):
        try:
            with open(task + "/comm", encoding="ascii") as f:
                if not f.read().startswith("pmd-"):
                    continue
            with open(task + "/status", encoding="ascii") as f:
                total += int(re.search(r"nonvoluntary_ctxt_switches:\s*(\d+)",
                                       f.read()).group(1))
        except (OSError, AttributeError):
            pass                # It has just ended.
    return total


def parse(text):
    """(cycles per packet, "core:percent,...", "tier:share,...") of what
    pmd-stats-show prints; a value that it does not have is "-"."""
    counts = dict((name, 0) for _, name in TIERS)
    packets = cycles = 0
    busy, core = [], None
    for line in text.splitlines():
        line = line.strip()
        m = re.match(r"pmd thread numa_id \d+ core_id (\d+)", line)
        if m or line.startswith("main thread"):
            core = m.group(1) if m else None
        key, _, value = line.partition(":")
        number = re.match(r"\s*(\d+)", value)
        if core is None or not number:
            continue
        for words, name in TIERS:
            if key == words:
                counts[name] += int(number.group(1))
        if key == "packets received":
            packets += int(number.group(1))
        if key == "processing cycles":
            cycles += int(number.group(1))
            m = re.search(r"\(([\d.]+)%\)", value)
            busy.append("%s:%s" % (core, m.group(1) if m else "-"))
    total = sum(counts.values())
    tiers = ["%s:%.4f" % (name, n / total) for name, n in counts.items() if n]
    return ("%.2f" % (cycles / packets) if packets else "-",
            ",".join(busy) or "-", ",".join(tiers) or "-")


class Watch:
    """From its making until told() is called."""

    def __init__(self, control):
        self.control = control
        self.pid = control.switch.vswitchd.pid
        self.control.ask("dpif-netdev/pmd-stats-clear")
        self.steal = steal_ms()
        self.switched = switched(self.pid)

    def told(self):
        cycles, busy, tiers = parse(
            self.control.ask("dpif-netdev/pmd-stats-show"))
        return {"cycles": cycles, "busy": busy, "tiers": tiers,
                "steal_ms": "%.0f" % (steal_ms() - self.steal),
                "switched": switched(self.pid) - self.switched}
