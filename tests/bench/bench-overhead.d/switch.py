# SPDX-License-Identifier: Apache-2.0
#
# An ovsdb-server and an ovs-vswitchd with DPDK in a run directory of their
# own, for one trial of bench-overhead.
#
# One PMD thread on 'pmd_core', everything else on 'main_core'.  Whatever ends
# the trial, the two processes end with it: stop() kills them by process id,
# and the kernel does when we are killed ourselves.

import ctypes
import json
import os
import re
import signal
import socket
import subprocess
import time

import machine

EAL = "--no-pci --in-memory --single-file-segments --no-telemetry"
PR_SET_PDEATHSIG = 1
LIBC = ctypes.CDLL(None)

# pmd-stats-show (3.1, 3.5) or pmd-perf-show (4.0) -> our name.
COUNTERS = (
    ("packets", r"packets received: (\d+)|Rx packets: +(\d+)"),
    ("simple", r"simple match hits: (\d+)|Simple Match hits: +(\d+)"),
    ("emc", r"emc hits: (\d+)|EMC hits: +(\d+)"),
    ("smc", r"smc hits: (\d+)|SMC hits: +(\d+)"),
    ("megaflow", r"  megaflow hits: (\d+)|Megaflow hits: +(\d+)"),
    ("upcall", r"miss with success upcall: (\d+)|Upcalls: +(\d+)"),
    ("failed", r"miss with failed upcall: (\d+)|Lost upcalls: +(\d+)"),
)


def die_with_parent():
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def parse_counters(text, core):
    """Counters of the PMD on 'core' from what the switch printed; "cycles"
    are those of the iterations that moved packets."""
    part = re.search(r"pmd thread numa_id -?\d+ core_id %d:\n(.*?)"
                     r"(?=^\S|\Z)" % core, text, re.S | re.M)
    if not part:
        raise machine.Failure("no PMD thread on core %d" % core)
    part = part.group(1)
    found = {}
    for name, pattern in COUNTERS:
        m = re.search(pattern, part)
        if not m:
            raise machine.Failure("no '%s' counter in:\n%s" % (name, part))
        found[name] = int(m.group(1) or m.group(2))
    m = re.search(r"processing cycles: (\d+)", part)
    if m:
        found["cycles"] = int(m.group(1))
    else:
        used = re.search(r"Used TSC cycles: +(\d+)", part)
        idle = re.search(r"idle iterations: .*\( *([\d.]+) %", part)
        if not used or not idle:
            raise machine.Failure("no cycles in:\n%s" % part)
        found["cycles"] = int(used.group(1)) * (1 - float(idle.group(1))
                                                / 100)
    return found


class Switch:
    """'options' are words of other_config that it starts with."""

    def __init__(self, build, program, run_dir, pmd_core, main_core,
                 options=("per-port-memory=true",)):
        self.build = build
        self.options = ["other_config:" + option for option in options]
        self.program = program
        self.dir = run_dir
        self.pmd_core = pmd_core
        self.main_core = main_core
        self.children = []
        self.control = None
        self.command = None
        self.env = dict(os.environ)
        for name in ("RUN", "LOG", "DB", "SYSCONF", "PKGDATA"):
            self.env["OVS_%sDIR" % name] = run_dir
        self.db = "unix:" + os.path.join(run_dir, "db.sock")

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *unused):
        self.stop()

    def spawn(self, *words):
        log = open(os.path.join(self.dir, "output"), "a")
        child = subprocess.Popen(
            ["taskset", "-c", str(self.main_core)] + list(words),
            env=self.env, cwd=self.dir, stdin=subprocess.DEVNULL,
            stdout=log, stderr=log, preexec_fn=die_with_parent,
            start_new_session=True)
        log.close()
        self.children.append(child)
        return child

    def tool(self, name, *words):
        """Runs one of the build's own programs, returns its output."""
        done = subprocess.run(
            ["taskset", "-c", str(self.main_core), self.build.path(name)]
            + list(words), env=self.env, cwd=self.dir, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
        if done.returncode:
            self.check()
            raise machine.Failure("%s %s: %s"
                                  % (os.path.basename(name), " ".join(words),
                                     done.stdout.strip())
                                  + "\n" + self.log_tail())
        return done.stdout

    def vsctl(self, *words):
        return self.tool("utilities/ovs-vsctl", "--db=" + self.db,
                         "--timeout=30", *words)

    def ofctl(self, *words):
        return self.tool("utilities/ovs-ofctl", "-OOpenFlow13", *words)

    def start(self):
        self.tool("ovsdb/ovsdb-tool", "create", "conf.db", self.build.schema)
        self.spawn(self.build.path("ovsdb/ovsdb-server"), "conf.db",
                   "--remote=p" + self.db, "-vconsole:off")
        self.await_file("db.sock")
        self.vsctl("--no-wait", "init", "--", "set", "Open_vSwitch", ".",
                   "other_config:dpdk-init=true",
                   'other_config:dpdk-extra="%s"' % EAL,
                   "other_config:pmd-cpu-mask=0x%x" % (1 << self.pmd_core),
                   *self.options)
        vswitchd = self.spawn(self.program, self.db,
                              "--unixctl=control", "-vconsole:off",
                              "--log-file=vswitchd.log")
        self.vsctl("add-br", "br0", "--", "set", "Bridge", "br0",
                   "datapath_type=netdev", "fail_mode=secure")
        self.await_file("control")
        self.control = Control(os.path.join(self.dir, "control"))
        self.vswitchd = vswitchd

    def await_file(self, name):
        path = os.path.join(self.dir, name)
        for _ in range(1000):
            if os.path.exists(path):
                return
            self.check()
            time.sleep(0.01)
        raise machine.Failure("%s did not appear" % path)

    def check(self):
        """Fails, with the end of the log, if a daemon is gone."""
        for child in self.children:
            if child.poll() is not None:
                raise machine.Failure("%s ended (status %d):\n%s"
                                      % (child.args[3], child.returncode,
                                         self.log_tail()))

    def log_tail(self):
        lines = []
        for name in ("output", "vswitchd.log"):
            try:
                with open(os.path.join(self.dir, name)) as f:
                    lines += f.read().splitlines()
            except FileNotFoundError:
                pass
        return "\n".join(lines[-20:])

    def add_ports(self, capture, device):
        """From a port that replays 'capture' without end to one that drops
        all it is given."""
        self.vsctl("add-port", "br0", "in" + device, "--", "set",
                   "Interface", "in" + device, "type=dpdk",
                   "ofport_request=1", 'options:dpdk-devargs='
                   '"net_pcap%s,rx_pcap=%s,infinite_rx=1"'
                   % (device, capture),
                   "--", "add-port", "br0", "out" + device, "--", "set",
                   "Interface", "out" + device, "type=dpdk",
                   "ofport_request=2",
                   'options:dpdk-devargs="net_null%s,no-rx=1"' % device)
        for port in ("in" + device, "out" + device):
            error = self.vsctl("get", "Interface", port, "error").strip()
            if error != "[]":
                raise machine.Failure("port %s: %s\n%s" % (port, error,
                                                           self.log_tail()))

    def delete_ports(self, device):
        self.ofctl("del-flows", "br0")
        for port in ("in" + device, "out" + device):
            self.vsctl("del-port", "br0", port)

    def add_flow(self, flow):
        self.ofctl("add-flow", "br0", flow)

    def counters(self):
        """Counters of the PMD since it started."""
        if not self.command:
            text = self.control.call("dpif-netdev/pmd-stats-show")
            self.command = ("dpif-netdev/pmd-stats-show"
                            if "avg processing cycles" in text
                            else "dpif-netdev/pmd-perf-show")
        return parse_counters(self.control.call(self.command), self.pmd_core)

    def thread(self):
        return machine.Thread(self.vswitchd.pid,
                              "pmd-c%02d" % self.pmd_core)

    def stop(self):
        if self.control:
            self.control.close()
        for child in reversed(self.children):
            if child.poll() is None:
                child.terminate()
            try:
                child.wait(10)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
        self.children = []


class Control:
    """What ovs-appctl does, without starting a program for each reading:
    that would disturb what is measured."""

    def __init__(self, path):
        self.path = path
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(30)
        self.socket.connect(path)

    def call(self, command, *words):
        self.socket.sendall(json.dumps(
            {"id": 0, "method": command, "params": list(words)}).encode())
        text = ""
        while True:
            more = self.socket.recv(65536)
            if not more:
                raise machine.Failure("ovs-vswitchd closed '%s'" % self.path)
            text += more.decode()
            try:
                reply = json.loads(text)
            except ValueError:
                continue
            if reply.get("error") is not None:
                raise machine.Failure("%s: %s" % (command, reply["error"]))
            return reply["result"]

    def close(self):
        self.socket.close()
