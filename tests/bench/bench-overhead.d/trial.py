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
WAIT_LIMIT = 0.001              # Of a window; above, it is dropped.
KEPT_LIMIT = 0.25               # Of the windows; below, it is repeated.
PAUSE_S = 1                     # After a disturbed trial.
PATIENCE_S = 180                # For a single undisturbed window.
SETTLE_S = 20                   # For all upcalls of a case to be over.


class Case:
    """Traffic, the flow table, and what must be seen for it to be what its
    name says: 'share' of the packets hit in 'tier'.  'in_turn': a capture
    whose flows take turns, and nothing is left to chance, so that the
    instructions of one iteration are those of any other."""

    def __init__(self, key, title, flows, packets, rule, tier, share,
                 in_turn):
        self.key = key
        self.title = title
        self.flows = flows
        self.packets = packets
        self.rule = rule
        self.tier = tier
        self.share = share
        self.in_turn = in_turn


# A match on an address rules out simple match.
WIDE = "in_port=1,udp,nw_dst=192.0.2.0/24,actions=output:2"
# Reading the fields puts them into the match: a megaflow per 5-tuple.
NARROW = ("in_port=1,udp,actions=move:NXM_OF_IP_SRC[]->NXM_NX_REG0[],"
          "move:NXM_OF_UDP_SRC[]->NXM_NX_REG1[0..15],output:2")
CASES = (
    Case("1flow", "1 flow", 1, 256,
         "in_port=1,actions=output:2", "simple", 0.99, True),
    Case("1flow_emc", "1 flow, no simple match", 1, 256,
         WIDE, "emc", 0.99, True),
    # What is done once per burst of a flow is done for every packet, while
    # all of it stays in the cache.
    Case("32megaflows", "32 megaflows in turn", 32, 256,
         NARROW, "emc", 0.99, True),
    # More 5-tuples than the EMC keeps.
    Case("10kflows", "10k flows, one megaflow", 10000, 10000,
         WIDE, "megaflow", 0.15, False),
    Case("10kmegaflows", "10k flows, 10k megaflows", 10000, 10000,
         NARROW, "megaflow", 0.15, False),
)
TIERS = ("simple", "emc", "smc", "megaflow", "upcall")


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
                and self.kept >= KEPT_LIMIT * self.windows)

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
    """The thread's waiting time before and after its counters: a wait is
    counted when it is over, and one that began before the counters were read
    leaves both of them as they were."""
    before = thread.waited_ns()
    counters = sw.counters()
    counters["waited_before"] = before
    counters["waited_after"] = thread.waited_ns()
    counters["ns"] = time.monotonic_ns()
    counters["steal"] = machine.steal_ms(core)
    return counters


def window_cycles(a, b):
    """Cycles per packet between two readings, or None if disturbed."""
    waited = b["waited_after"] - a["waited_before"]
    packets = b["packets"] - a["packets"]
    if (not packets or waited > WAIT_LIMIT * (b["ns"] - a["ns"])
            or b["steal"] > a["steal"]):
        return None
    return (b["cycles"] - a["cycles"]) / packets


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
    sw.add_flow(case.rule)
    thread = sw.thread()
    if args.nice:
        thread.prefer()
    settle(sw, case)
    return thread


def run_case(args, sw, case, number):
    """Measures 'case', again while it is disturbed.  Returns all trials, the
    one to be used last."""
    thread = begin(args, sw, case, number)
    deadline = time.monotonic() + PATIENCE_S
    trials = []
    usable = []
    while (len(trials) <= args.repeats
           or not usable and time.monotonic() < deadline):
        trials.append(measure(args, sw, thread, case))
        usable = [t for t in trials if t.cycles is not None]
        if trials[-1].valid():
            break
        time.sleep(PAUSE_S)
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
    """Instructions per packet of 'case': of the median iteration.  None
    where chance decides: which flows the EMC keeps."""
    if not case.in_turn:
        return None
    # A stepped thread is too slow to keep its flows in use.
    sw.vsctl("set", "Open_vSwitch", ".", "other_config:max-idle=100000000")
    thread = begin(args, sw, case, number)
    counts, packets = steps.count(sw, thread.tid, args.iterations)
    sw.check()
    sw.delete_ports(str(number))
    if not packets:
        raise machine.Failure("no packet in %d iterations" % len(counts))
    return summary.median(counts) * len(counts) / packets
