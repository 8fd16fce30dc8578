# SPDX-License-Identifier: Apache-2.0
#
# A campaign: one or two sides, each measured in every repetition, in turn.

import os
import subprocess
import sys
import time

import programs
import snapshot
from harness.failure import Failure
from harness.undo import Undo
from scene import Scene
from search import Search

LINE_RATE = 10e9                # bit/s, where no other load is asked for.


def line_rate(options):
    return LINE_RATE / ((options.size + 20) * 8)


class Measured:
    """A side: its programs, its search, its file."""

    def __init__(self, name, output, directory=None):
        self.name = name
        self.output = output
        self.directory = directory
        self.search = None

    def start(self, options, scene, facts):
        load = scene.traffic.fastest(options.max_load or line_rate(options))
        self.search = Search(self.output, options,
                             ["--max-load=%f" % load,
                              "--max-stretch=%d" % scene.traffic.stretch])
        for key, value in facts.items():
            self.search.fact(key, value)
        self.search.fact("side", self.name)
        self.search.fact("traffic", scene.traffic.name)
        for i, note in enumerate(scene.notes):
            self.search.fact("note_%d" % (i + 1), note)
        self.search.machine(snapshot.machine())
        self.search.machine(snapshot.programs(scene))


def facts_of(options):
    facts = {"scenario": options.command, "started": options.started,
             "frame_size": options.size, "flows": options.flows,
             "queues": options.queues, "pmd_threads": options.pmds,
             "preset": options.preset,
             "command": "ovs-dpx-bench " + " ".join(sys.argv[1:]),
             "host": "generator and switch share this host: only ratios "
                     "hold"}
    if options.command != "p2p":
        facts["guest"] = options.guest
    return facts


def one_repetition(side, options, facts):
    """A fresh switch, one search on it."""
    with Undo() as undo:
        scene = Scene(options, undo, side.directory)
        scene.warm_up()
        if not side.search:
            side.start(options, scene, facts)
        start = time.monotonic()

        def trial(load, seconds):
            counted = scene.traffic.trial(load, seconds)
            lost = 100 * (1 - int(counted["received"])
                          / max(1, int(counted["sent"])))
            say(options, "%-6s %6.0f s  %11.0f packets/s for %g s: loss "
                "%.4f %%" % (side.name, time.monotonic() - start, load,
                             seconds, lost))
            return counted

        return side.search.repetition(trial)


def say(options, text):
    if not options.json:
        print(text, flush=True)


def run_sides(sides, options, facts):
    """Returns what to exit with.  Whatever ends it, every search writes what
    it knows."""
    reason = None
    try:
        for _ in range(options.repetitions):
            for side in sides:
                one_repetition(side, options, facts)
    except Failure as failure:
        reason = failure.what
        raise
    except SystemExit:
        reason = "interrupted"
        raise
    except BaseException as error:
        reason = "%s: %s" % (type(error).__name__, error)
        raise
    finally:
        for side in sides:
            if side.search:
                if reason:
                    side.search.abort(reason)
                side.status = side.search.end()
                if reason:
                    sys.stderr.write("partial results are in %s\n"
                                     % side.output)
    return max(side.status for side in sides)


def show(sides, options):
    words = ["--json"] if options.json else []
    more = words + (["--trials"] if options.trials else [])
    for side in sides:
        subprocess.run([programs.bench(), "show"] + more + [side.output],
                       check=False)
    if len(sides) > 1:
        subprocess.run([programs.bench(), "compare"] + words
                       + [side.output for side in sides], check=False)


def run(options, facts=None, quiet=False):
    output = options.output or "%s-%s.json" % (
        options.command, options.started.replace(":", ""))
    with Undo() as undo:
        sides = [Measured("ours", output)]
        if options.against:
            stem, ending = os.path.splitext(output)
            sides.insert(0, Measured(
                "stock", stem + "-stock" + (ending or ".json"),
                programs.of_build(options.against, undo)))
        all_facts = facts_of(options)
        all_facts.update(facts or {})
        status = run_sides(sides, options, all_facts)
        if not quiet:
            show(sides, options)
    return status
