# SPDX-License-Identifier: Apache-2.0
#
# "quickstart demo": what it shows, every way in which it can fail, and that
# nothing is left in any case.  Its lock is in a directory of our own, so that
# a demo of the user's is not disturbed.

import glob
import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time

from harness import pcap, process, switch
from harness.switch import wait_until
from harness.testing import (expect, expect_equal, expect_in, need_program,
                             need_root, need_switch)

DEMO = [os.path.join(switch.TOP, "quickstart"), "demo"]


class Demo:
    """Runs demos; knows what the machine looked like before."""

    def __init__(self, directory):
        self.directory = directory
        self.command = DEMO
        # TMPDIR: run directories are found there and nowhere else.
        self.env = dict(os.environ, DPX_DEMO_STATE=directory,
                        DPX_BIN=switch.BIN, DPX_SCHEMA=switch.SCHEMA,
                        TMPDIR=directory)
        self.before = self.footprint()

    def footprint(self):
        """All that a demo could leave on the machine."""
        with open("/proc/mounts", encoding="ascii") as f:
            mounts = f.read()
        return {"files": sorted(os.listdir(self.directory)),
                "mounts": mounts,
                "interfaces": [n for _, n in socket.if_nameindex()],
                "processes": self.processes()}

    def processes(self):
        """Those that have a run directory of ours in their command line."""
        found = []
        for path in glob.glob("/proc/[0-9]*/cmdline"):
            try:
                with open(path, "rb") as f:
                    if os.fsencode(self.directory) in f.read():
                        found.append(path.split("/")[2])
            except OSError:
                pass
        return found

    def expect_nothing_left(self):
        wait_until(lambda: not self.processes(), "all processes are gone", 10)
        expect_equal(self.footprint(), self.before, "what is on the machine")

    def start(self, *words, prefix=()):
        return subprocess.Popen(list(prefix) + self.command + list(words),
                                env=self.env, text=True,
                                stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT)

    def end(self):
        """Ends whatever a failed test has left running."""
        for pid in self.processes():
            os.kill(int(pid), signal.SIGTERM)
        self.start("--stop").communicate(timeout=60)

    def run(self, *words, prefix=(), status=0):
        child = self.start(*words, prefix=prefix)
        out = child.communicate(timeout=120)[0]
        expect_equal(child.returncode, status, "exit status; it said:\n%s\n"
                     % out)
        return out

    def run_until(self, text, *words):
        """Starts a demo and returns it as soon as it has printed 'text'."""
        child = self.start(*words)
        seen = ""
        for line in child.stdout:
            seen += line
            if text in line:
                return child
        raise AssertionError("%r did not come; the demo said:\n%s"
                             % (text, seen))

    def refuses(self, what, *words, advice=None, prefix=()):
        out = self.run(*words, prefix=prefix, status=1)
        expect_in(what, out, "message")
        expect_in("what to do: ", out, "message")
        if advice:
            expect_in(advice, out, "message")
        expect("Traceback" not in out, "a traceback:\n" + out)
        self.expect_nothing_left()


def fixture(undo):
    directory = tempfile.mkdtemp(prefix="dpx-test-demo-")
    os.chmod(directory, 0o755)
    undo.add(shutil.rmtree, directory)
    demo = Demo(directory)
    undo.add(demo.end)
    return demo


def test_without_root_it_says_so(demo):
    """From a copy, because others may not be able to read our tree."""
    need_root()
    need_program("setpriv")
    copy = os.path.join(demo.directory, "copy")
    try:
        for part in ("quickstart", "build-aux/quickstart.d", "tests/demo",
                     "tests/system"):
            source = os.path.join(switch.TOP, part)
            target = os.path.join(copy, part)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            (shutil.copytree if os.path.isdir(source) else shutil.copy)(
                source, target)
        demo.before = demo.footprint()
        demo.command = [os.path.join(copy, "quickstart"), "demo"]
        demo.refuses("needs root", advice="sudo", prefix=[
            "setpriv", "--reuid=65534", "--clear-groups"])
    finally:
        demo.command = DEMO
        shutil.rmtree(copy)
        demo.before = demo.footprint()


def test_bad_captures_are_refused(demo):
    need_switch()
    path = os.path.join(demo.directory, "bad.pcap")
    try:
        demo.refuses("bad.pcap': No such file", "--pcap", path)
        good = os.path.join(demo.directory, "good")
        pcap.write(good, [pcap.udp_packet(1, 2, 3)] * 3)
        with open(good, "rb") as f:
            content = f.read()
        os.unlink(good)
        for content, message in (
                (b"", "is not a capture"),
                (b"GIF89a and what follows it in an image", "is not a capt"),
                (b"\x0a\x0d\x0d\x0a" + content[4:], "is a pcapng file"),
                (content[:20] + b"\x71" + content[21:], "link type 113"),
                (content[:24], "has no packets"),
                (content[:-1], "is cut off in packet 3"),
                (content[:36] + b"\xff\xff" + content[38:], "claims")):
            with open(path, "wb") as f:
                f.write(content)
            demo.before = demo.footprint()
            demo.refuses(message, "--pcap", path)
    finally:
        if os.path.exists(path):
            os.unlink(path)
        demo.before = demo.footprint()


def test_without_hugepages_it_says_how_many(demo):
    """The kernel's files are covered by others: it has none to give."""
    need_switch()
    need_program("unshare")
    fake = os.path.join(demo.directory, "none")
    os.mkdir(fake)
    for name in ("nr_hugepages", "free_hugepages", "resv_hugepages"):
        with open(os.path.join(fake, name), "w", encoding="ascii") as f:
            f.write("0\n")
    try:
        demo.before = demo.footprint()
        demo.refuses("only 0 can be had", advice="hugepages=", prefix=[
            "unshare", "--mount", "sh", "-c",
            "mount --bind %s /sys/kernel/mm/hugepages/hugepages-2048kB && "
            'exec "$@"' % fake, "sh"])
    finally:
        shutil.rmtree(fake)
        demo.before = demo.footprint()


def test_second_demo_names_the_first_which_sigterm_ends(demo):
    need_switch()
    first = demo.run_until("Open vSwitch ")
    try:
        out = demo.run(status=1)
        expect_in("another demo is running (process %d)" % first.pid, out,
                  "message")
        expect_in("another demo is running", demo.run("--stop", status=1),
                  "message of --stop")
    finally:
        first.send_signal(signal.SIGTERM)
        first.communicate(timeout=30)
    expect_equal(first.returncode, 128 + signal.SIGTERM, "exit status")
    demo.expect_nothing_left()


def test_killed_vswitchd_is_reported(demo):
    need_switch()
    child = demo.run_until("Open vSwitch ")
    (pid_file,) = glob.glob(demo.directory + "/ovs-dpx-*/ovs-vswitchd.pid")
    with open(pid_file, encoding="ascii") as f:
        os.kill(int(f.read()), signal.SIGKILL)
    out = child.communicate(timeout=60)[0]
    expect_equal(child.returncode, 1, "exit status; it said:\n" + out)
    expect_in("ovs-vswitchd was killed by signal 9", out, "message")
    expect("Traceback" not in out, "a traceback:\n" + out)
    demo.expect_nothing_left()


def test_killed_demo_is_cleaned_up_by_the_next(demo):
    need_switch()
    child = demo.run_until("Open vSwitch ")
    child.kill()
    child.communicate(timeout=30)
    wait_until(lambda: not demo.processes(), "the kernel ended the daemons",
               10)
    out = demo.run("--stop")
    expect_in("hugepages are gone", out, "message")
    demo.expect_nothing_left()


def test_taken_interface_name_is_explained(demo):
    """Without a namespace of its own it meets the machine's interfaces."""
    need_switch()
    need_program("ip")
    need_program("unshare")
    demo.env["DPX_OWN_NETWORK"] = "no"
    try:
        demo.refuses("ovs-netdev", advice="ovs-netdev", prefix=[
            "unshare", "--net", "sh", "-c",
            'ip tuntap add ovs-netdev mode tun && exec "$@"', "sh"])
    finally:
        del demo.env["DPX_OWN_NETWORK"]


def test_keep_leaves_it_running_and_stop_ends_it(demo):
    need_switch()
    start = time.monotonic()
    out = demo.run("--keep")
    seconds = time.monotonic() - start
    loads = re.search(r"BUSIEST CORE: ([\d.]+) % of all work by number, "
                      r'([\d.]+) % by "cycles", ([\d.]+) % by '
                      r'"placement"', out)
    expect(loads, "no loads in:\n" + out)
    expect(float(loads.group(3)) < float(loads.group(1)), loads.group(0))
    for text in ("processing cycles", "rxq_placement", "RANK",
                 "./quickstart demo --stop"):
        expect_in(text, out, "output")

    talk = re.search(r"export OVS_RUNDIR=(\S+) PATH=(\S+):", out)
    env = dict(demo.env, OVS_RUNDIR=talk.group(1),
               PATH=talk.group(2) + ":" + os.environ["PATH"])
    text = subprocess.run(["ovs-appctl", "dpif-netdev/pmd-placement-show"],
                          env=env, text=True, check=True,
                          stdout=subprocess.PIPE).stdout
    expect_in("placement", text, "ovs-appctl as it was told")
    expect_in("--keep is running", demo.run(status=1), "second demo")
    pids = [int(p) for p in demo.processes()]
    expect_equal(len(pids), 2, "processes that run")
    demo.run("--stop")
    for pid in pids:
        expect(process.start_time(pid) is None, "process %d is there" % pid)
    demo.expect_nothing_left()
    expect_in("no demo is running", demo.run("--stop"), "second --stop")
    expect(seconds < 40, "it took %.0f s" % seconds)
