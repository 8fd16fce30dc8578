# SPDX-License-Identifier: Apache-2.0
#
# What the demo shows, in order.

import time

import scene as stage
import show
from harness.cpuwatch import TOO_LONG, CpuWatch
from harness.failure import Failure
from harness.switch import wait_until

WINDOW = 5                      # Seconds over which a load is taken.
SETTLE = WINDOW + 1.5           # After a change, until a load is all new.
NOISE = 0.03                    # Of all work; less may be chance.
RATE_ERROR = 0.05               # Between rates set and seen.
SHARE_ERROR = 0.15              # Of the busiest core: a packet costs less on
                                # a thread that has more to do.
EXTRA_WINDOWS = 2               # If other programs disturb the others.


class Loads:
    """One answer of pmd-placement-show."""

    def __init__(self, switch):
        self.answer = switch.query("dpif-netdev/pmd-placement-show")
        self.busy = {p["core"]: p["busy_pct"] or 0.0
                     for p in self.answer["pmds"]}
        self.queues = [q for q in self.answer["rxqs"]
                       if q["port"] == stage.SOURCE]
        self.core = max(self.busy, key=self.busy.get)
        self.busiest = self.busy[self.core]
        self.waited = 0.0       # See Meter.
        self.share = self.busiest / max(0.1, sum(self.busy.values()))

    def expected_share(self, rates):
        """Share of all packets that the busiest core should have."""
        there = sum(rates[q["queue"]] for q in self.queues
                    if q["core"] == self.core)
        return there / sum(rates)

    def worst_rate(self, rates):
        """Largest relative difference between rates set and seen."""
        return max(abs((q["pps"] or 0) - rates[q["queue"]])
                   / max(1, rates[q["queue"]]) for q in self.queues)

    def line(self):
        return ", ".join("core %d %.1f %%" % c
                         for c in sorted(self.busy.items()))


def agreement(loads, scene):
    text = ("Busiest core %d: %.1f %% busy, %.0f %% of both cores' load; by "
            "the rates set %.0f %%.\nRates seen differ from those set by at "
            "most %.1f %%."
            % (loads.core, loads.busiest, 100 * loads.share,
               100 * loads.expected_share(scene.rates),
               100 * loads.worst_rate(scene.rates)))
    if loads.waited >= TOO_LONG:
        text += ("\nOther programs kept a PMD thread off its CPU for %.0f %% "
                 "of the time: not exact." % (100 * loads.waited))
    return text


class Meter:
    def __init__(self, switch):
        self.switch = switch
        self.extra = EXTRA_WINDOWS

    def loads(self, changed):
        """Loads of a window after time 'changed' in which the threads had
        their CPUs to themselves, if that is to be had soon."""
        time.sleep(max(0.0, changed + SETTLE - WINDOW - time.monotonic()))
        loads = self._window()
        while loads.waited >= TOO_LONG and self.extra:
            loads = self.again()
        return loads

    def again(self):
        """Loads of the next window."""
        self.extra -= 1
        return self._window()

    def _window(self):
        watch = CpuWatch(self.switch.vswitchd.pid)
        time.sleep(WINDOW)
        self.switch.check()
        loads = Loads(self.switch)
        loads.waited = watch.waited()
        return loads


def tell(screen, switch, scene):
    meter = Meter(switch)
    tell_set_up(screen, switch, scene)
    started = tell_rates(screen, scene)
    first = tell_first(screen, meter, scene, started)
    stock = tell_rebalance(screen, meter)
    ours = tell_placement(screen, meter, scene, first)
    screen.text("BUSIEST CORE: %.0f %% of all work by number, %.0f %% by "
                "\"cycles\", %.0f %% by \"placement\""
                % (100 * first.share, 100 * stock.share, 100 * ours.share))
    require_fall(first, ours)
    for loads in (first, ours):
        require_agreement(loads, scene)
    tell_flows(screen, switch, ours.core)
    tell_database(screen, switch, ours)


def tell_set_up(screen, switch, scene):
    version = switch.run("ovs-vswitchd", "--version").splitlines()
    screen.step("Open vSwitch %s with %s runs in %s"
                % (version[0].split()[-1], version[-1], switch.dir))
    scene.build()
    screen.step("Bridge \"%s\", PMD threads on cores %d and %d "
                "(pmd-cpu-mask=%s):" % (stage.BRIDGE, *scene.cores,
                                        scene.mask()))
    screen.text(
        "%s    %d rx queues of a modelled NIC, %s\n"
        "%s a dpdk port, net_pcap, that replays a capture of %d packets\n"
        "%s where all packets go, and are counted"
        % (stage.SOURCE, len(stage.WEIGHTS),
           "packets of " + scene.capture if scene.capture
           else "%d flows each, Zipf" % stage.FLOWS,
           stage.REPLAY, stage.REPLAYED, stage.SINK))


def tell_rates(screen, scene):
    """Returns since when they are in force."""
    scene.replay()
    total = scene.calibrate()
    changed = time.monotonic()
    screen.step("%s has played its capture once (without end it would keep "
                "a core 100 %% busy).\n%sRates of %s set for this machine's "
                "speed, %.2f million packets/s in all"
                % (stage.REPLAY, " " * 14, stage.SOURCE, total / 1e6))
    screen.command("ovs-vsctl set Interface %s options:rx-rate=%s"
                   % (stage.SOURCE, ",".join("%d" % r for r in scene.rates)))
    return changed


def tell_first(screen, meter, scene, started):
    loads = meter.loads(started)
    appctl = meter.switch.appctl
    screen.step("Stock's default policy, \"cycles\": queues that it has not "
                "measured are dealt out by number")
    screen.command("ovs-appctl dpif-netdev/pmd-stats-show   (abridged)")
    screen.text(show.statistics(appctl("dpif-netdev/pmd-stats-show")))
    screen.command("ovs-appctl dpif-netdev/pmd-placement-show   (abridged)")
    screen.text(show.placement(appctl("dpif-netdev/pmd-placement-show")))
    screen.text("\n" + agreement(loads, scene))
    screen.text("(BUSY counts whole iterations of a thread, LOAD what one "
                "queue takes of them.)")
    return loads


def tell_rebalance(screen, meter):
    meter.switch.appctl("dpif-netdev/pmd-rxq-rebalance")
    loads = meter.loads(time.monotonic())
    screen.step("The same policy once it knows the loads, by hand")
    screen.command("ovs-appctl dpif-netdev/pmd-rxq-rebalance")
    screen.text("Busiest core %d: %.1f %% busy (%s)"
                % (loads.core, loads.busiest, loads.line()))
    return loads


def tell_placement(screen, meter, scene, before):
    meter.switch.vsctl("set", "Open_vSwitch", ".",
                       "other_config:pmd-rxq-assign=placement")
    loads = meter.loads(time.monotonic())
    # A virtual machine's host takes CPUs away, too, and tells nobody.
    while not fell(before, loads) and meter.extra:
        loads = meter.again()
    screen.step("Our policy")
    screen.command("ovs-vsctl set Open_vSwitch . "
                   "other_config:pmd-rxq-assign=placement")
    screen.command("ovs-appctl dpif-netdev/pmd-placement-show   (abridged)")
    screen.text(show.placement(
        meter.switch.appctl("dpif-netdev/pmd-placement-show")))
    screen.text("\n" + agreement(loads, scene))
    return loads


def fell(before, after):
    """A share of the work is compared, because what a packet costs changes
    from minute to minute on a machine that others use, too."""
    return after.share <= before.share - NOISE


def require_fall(before, after):
    if not fell(before, after):
        waited = max(before.waited, after.waited)
        if waited >= TOO_LONG:
            raise Failure(
                "the loads say nothing: other programs kept a PMD thread off "
                "its CPU for %.0f %% of the time" % (100 * waited),
                "end what keeps the CPUs busy (top), then try again")
        raise Failure(
            "the busiest core's share of the work did not fall: %.0f %% "
            "before, %.0f %% after" % (100 * before.share, 100 * after.share),
            "try again; if it stays so, this is a fault of ours: please "
            "report it with the output above")


def require_agreement(loads, scene):
    """Measured figures are those that the rates promise, unless others
    disturbed the measurement."""
    if loads.waited >= TOO_LONG:
        return
    if loads.worst_rate(scene.rates) > RATE_ERROR:
        raise Failure("packets/s of a queue differ by %.0f %% from the rate "
                      "set" % (100 * loads.worst_rate(scene.rates)),
                      "see \"ovs-appctl dpx-paced/show\" with --keep for "
                      "packets that were missed")
    if abs(loads.share - loads.expected_share(scene.rates)) > SHARE_ERROR:
        raise Failure("the busiest core's share of the load is %.0f %%, by "
                      "the rates %.0f %%"
                      % (100 * loads.share,
                         100 * loads.expected_share(scene.rates)),
                      "try again; if it stays so, please report it with the "
                      "output above")


def tell_flows(screen, switch, core):
    rows = switch.query("dpif-netdev/flow-stats-show", "-pmd", str(core),
                        "-n", "5")["flows"]
    screen.step("What keeps core %d busy" % core)
    screen.command("ovs-appctl dpif-netdev/flow-stats-show -pmd %d -n 5   "
                   "(abridged)" % core)
    screen.text(show.flows(rows))
    if not rows:
        raise Failure("no flow is shown for core %d" % core)


def tell_database(screen, switch, loads):
    """Shows the columns as soon as they hold what the datapath says."""
    expected = {str(q["queue"]): str(q["core"]) for q in loads.queues}
    wait_until(lambda: switch.get("Interface", stage.SOURCE,
                                  "rxq_placement") == expected,
               "rxq_placement holds the placement", 15, 0.3)
    screen.step("The same in the database, for whoever watches it")
    screen.command("ovs-vsctl --columns=name,rxq_placement list Interface")
    screen.text(switch.vsctl("--columns=name,rxq_placement", "list",
                             "Interface"))
