# SPDX-License-Identifier: Apache-2.0
#
# The cases of bench-overhead, and one trial of a case on a running switch.
#
# A trial is the median of short windows: on a shared machine the thread is
# thrown off its core for milliseconds, and a window in which that happened is
# dropped.  A trial with too few windows left, or with time stolen by the
# hypervisor, is invalid and repeated.

import os
import time

import machine
import steps
import summary

STEAL_LIMIT = 0.01              # Of a trial; above, it is repeated.
WAIT_LIMIT = 0.05               # Of a window; above, it is dropped.
SETTLE_S = 20                   # For all upcalls of a case to be over.


class Case:
    """Traffic, the flow table, and what must be seen for it to be what its
    name says: 'share' of the packets hit in 'tier'."""

    def __init__(self, key, title, flows, packets, rules, tier, share):
        self.key = key
        self.title = title
        self.flows = flows
        self.packets = packets
        self.rules = rules
        self.tier = tier
        self.share = share


CASES = (
    Case("1flow", "1 flow", 1, 256,
         ["in_port=1,actions=output:2"], "simple", 0.99),
    # A match on an address rules out simple match: the flow sits in the EMC.
    Case("1flow_emc", "1 flow, EMC", 1, 256,
         ["in_port=1,udp,nw_dst=192.0.2.0/24,actions=output:2"],
         "emc", 0.99),
    # One wide megaflow, more 5-tuples than the EMC holds.
    Case("10kflows", "10k flows", 10000, 10000,
         ["in_port=1,udp,nw_dst=192.0.2.0/24,actions=output:2"],
         "megaflow", 0.15),
    # Reading the fields puts them into the match: a megaflow per 5-tuple, so
    # that the work per burst of a flow is done for each packet.
    Case("10kmegaflows", "10k megaflows", 10000, 10000,
         ["in_port=1,udp,actions=move:NXM_OF_IP_SRC[]->NXM_NX_REG0[],"
          "move:NXM_OF_UDP_SRC[]->NXM_NX_REG1[0..15],output:2"],
         "megaflow", 0.15),
)
TIERS = ("simple", "emc", "megaflow", "upcall")


class Trial:
    """One case on one program."""

    def __init__(self, cycles, tiers, steal, switches, kept, windows):
        self.cycles = cycles            # Per packet; None: none was clean.
        self.tiers = tiers              # Share of the packets, by tier.
        self.steal = steal              # Share of the time.
        self.switches = switches        # Involuntary, of the PMD thread.
        self.kept = kept                # Windows used,
        self.windows = windows          # of so many.

    def valid(self):
        return (self.cycles is not None and self.steal <= STEAL_LIMIT
                and 2 * self.kept >= self.windows)

    def why(self):
        return "steal %.1f %%, %d of %d windows undisturbed" % (
            100 * self.steal, self.kept, self.windows)


def settle(sw, case):
    """Waits until every flow of 'case' is in the datapath."""
    deadline = time.monotonic() + SETTLE_S
    last = sw.counters()
    while time.monotonic() < deadline:
        time.sleep(0.25)
        now = sw.counters()
        if (now["packets"] - last["packets"] > 4 * case.packets
                and now["upcall"] == last["upcall"]
                and now["failed"] == last["failed"]):
            return
        last = now
        sw.check()
    raise machine.Failure("case '%s' did not settle in %d s:\n%s"
                          % (case.title, SETTLE_S, sw.log_tail()))


def reading(sw, thread, core):
    counters = sw.counters()
    counters["waited"] = thread.waited_ns()
    counters["ns"] = time.monotonic_ns()
    counters["steal"] = machine.steal_ms(core)
    return counters


def window_cycles(a, b):
    """Cycles per packet between two readings, or None if disturbed.  What
    the thread spent off its core is no work: it is taken out."""
    waited = (b["waited"] - a["waited"]) / (b["ns"] - a["ns"])
    packets = b["packets"] - a["packets"]
    if not packets or waited > WAIT_LIMIT or b["steal"] > a["steal"]:
        return None
    return (b["cycles"] - a["cycles"]) * (1 - waited) / packets


def measure(args, sw, thread, case):
    switches = thread.involuntary()
    readings = [reading(sw, thread, args.pmd_core)]
    for _ in range(max(1, round(args.seconds / args.window))):
        time.sleep(args.window)
        readings.append(reading(sw, thread, args.pmd_core))
    sw.check()
    first, last = readings[0], readings[-1]
    packets = last["packets"] - first["packets"]
    if not packets:
        raise machine.Failure("case '%s': no packet was received"
                              % case.title)
    tiers = {tier: (last[tier] - first[tier]) / packets for tier in TIERS}
    if tiers[case.tier] < case.share:
        raise machine.Failure(
            "case '%s': %.1f %% of the packets hit in %s, at least %.0f %% "
            "must" % (case.title, 100 * tiers[case.tier], case.tier,
                      100 * case.share))
    cycles = [window_cycles(a, b) for a, b in zip(readings, readings[1:])]
    kept = [c for c in cycles if c is not None]
    return Trial(summary.median(kept) if kept else None, tiers,
                 (last["steal"] - first["steal"]) * 1e6
                 / (last["ns"] - first["ns"]),
                 thread.involuntary() - switches, len(kept), len(cycles))


def begin(args, sw, case, number):
    """Ports and flows of 'case', settled.  Returns the PMD thread."""
    sw.add_ports(os.path.join(args.work, case.key + ".pcap"), str(number))
    for rule in case.rules:
        sw.add_flow(rule)
    thread = sw.thread()
    if args.nice:
        thread.prefer()
    settle(sw, case)
    return thread


def run_case(args, sw, case, number):
    """Measures 'case', again while it is disturbed.  Returns all trials, the
    one to be used last."""
    thread = begin(args, sw, case, number)
    trials = []
    while len(trials) <= args.repeats:
        trials.append(measure(args, sw, thread, case))
        if trials[-1].valid():
            break
    usable = [t for t in trials if t.cycles is not None]
    if not usable:
        raise machine.Failure("case '%s' was disturbed all the time (%s): "
                              "stop what else uses core %d"
                              % (case.title, trials[-1].why(),
                                 args.pmd_core))
    best = min(usable, key=lambda t: (not t.valid(), -t.kept))
    trials.remove(best)
    sw.delete_ports(str(number))
    return trials + [best]


def count_case(args, sw, case, number):
    """Instructions per packet of 'case': of the median iteration."""
    thread = begin(args, sw, case, number)
    counts, packets = steps.count(sw, thread.tid, args.iterations)
    sw.check()
    sw.delete_ports(str(number))
    if not packets:
        raise machine.Failure("no packet in %d iterations" % len(counts))
    return summary.median(counts) * len(counts) / packets
