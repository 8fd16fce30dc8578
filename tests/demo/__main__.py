#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# "quickstart demo": from a machine with nothing to a switch whose queues are
# placed by measured load, and back.  Everything shown is measured in this
# run; the demo fails if the busiest core's load does not fall.

import os
import signal
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(TOP, "tests", "system"))
sys.dont_write_bytecode = True      # The source may be read-only.

# pylint: disable=wrong-import-position
import options                                          # noqa: E402
import show                                             # noqa: E402
import state                                            # noqa: E402
import story                                            # noqa: E402
from harness import hugepages, process                  # noqa: E402
from harness.failure import Failure                     # noqa: E402
from harness.switch import Switch                       # noqa: E402
from harness.undo import Undo, exit_on_signals          # noqa: E402
from scene import Scene                                 # noqa: E402

PAGES = 160                     # Of 2 MB; what DPDK and one port take.


def build():
    """Installs and builds what is missing; shows its own progress."""
    if "DPX_BIN" in os.environ:
        return
    script = os.path.join(TOP, "build-aux", "quickstart.d", "build")
    environment = dict(os.environ, DPX_TOP=TOP)
    environment.setdefault("DPX_BUILD", os.path.join(TOP, "_build"))
    child = subprocess.Popen(
        [script], cwd=TOP, env=environment, start_new_session=True,
        preexec_fn=lambda: os.setpriority(os.PRIO_PROCESS, 0, 0))
    try:
        status = child.wait()
    except BaseException:
        # Whatever it is running must not go on without us.
        os.killpg(child.pid, signal.SIGTERM)
        child.wait()
        raise
    if status:
        raise Failure("the build failed (see above)",
                      "put right what it names, then run ./quickstart demo "
                      "again; ./quickstart clean starts from scratch")


def take_over():
    """Sees what an earlier demo has left."""
    record = state.read()
    if not record:
        return
    pids = state.running(record)
    if pids:
        raise Failure("a demo that was started with --keep is running "
                      "(process %s)" % pids[-1],
                      "stop it: ./quickstart demo --stop")
    print("cleaning up after a demo that was killed")
    state.clean_up(record)


def stop():
    record = state.read()
    if not record:
        print("no demo is running")
        return
    pids = state.running(record)
    state.clean_up(record)
    print("stopped process%s %s; %s and %d hugepages are gone"
          % ("es" if len(pids) != 1 else "",
             " ".join(map(str, pids)) or "(had ended already)",
             record["dir"], record["pages"]))


def keep(switch):
    print("""
Left running.  To talk to it:
    export OVS_RUNDIR=%s PATH=%s:$PATH
    ovs-vsctl --db=%s show
    ovs-appctl dpif-netdev/pmd-placement-show
To stop it:
    ./quickstart demo --stop""" % (switch.dir, os.path.dirname(
        switch.program("ovs-appctl")), switch.db))


def demo(args, capture):
    build()
    screen = show.Screen()
    with Undo() as undo:
        free = hugepages.free()
        added = hugepages.take(PAGES)
        undo.add(hugepages.give_back, added)
        screen.step("Hugepages: %d of the needed %d (2 MB) were free, added "
                    "%d until the end" % (min(free, PAGES), PAGES, added))
        switch = Switch(undo, args.keep, lambda s: state.write(s, added))
        undo.add(state.erase)
        state.write(switch, added)
        try:
            switch.start()
            story.tell(screen, switch, Scene(switch, capture))
        except Failure:
            switch.check()      # A dead daemon explains any other failure.
            raise
        if args.keep:
            undo.forget()
            for daemon in (switch.ovsdb, switch.vswitchd):
                process.be_modest(daemon)
            keep(switch)
            return
        screen.step("Stopping")
    print("[%5.1f s] stopped; run directory, kernel interfaces and hugepages "
          "are gone" % screen.elapsed())


def main():
    args = options.parse(sys.argv[1:])
    lock = None
    try:
        options.check_machine()
        exit_on_signals()
        lock = state.Lock()
        if args.stop:
            stop()
            return 0
        capture = options.check_capture(args.pcap) if args.pcap else None
        take_over()
        demo(args, capture)
        return 0
    except Failure as failure:
        sys.stdout.flush()
        print("quickstart demo: " + failure.what, file=sys.stderr)
        if failure.hint:
            print("what to do: " + failure.hint, file=sys.stderr)
        return 1
    finally:
        if lock:
            lock.release()


if __name__ == "__main__":
    sys.exit(process.run_in_front(main))
