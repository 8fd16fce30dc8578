# SPDX-License-Identifier: Apache-2.0
#
# One ovsdb-server and one ovs-vswitchd with DPDK, in a run directory of their
# own, and the programs that talk to them.
#
# Nothing outside that directory is written.  If the machine allows it, the
# switch has its own network namespace, because the userspace datapath makes
# kernel interfaces ("ovs-netdev", one per bridge) whose names may be taken.

import json
import os
import re
import shutil
import socket
import subprocess
import tempfile
import time

from . import process
from .failure import Failure

TOP = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.dirname(os.path.abspath(__file__)))))
BUILD = os.environ.get("DPX_BUILD", os.path.join(TOP, "_build"))
BIN = os.environ.get("DPX_BIN", os.path.join(BUILD, "bin"))
SCHEMA = os.environ.get("DPX_SCHEMA",
                        os.path.join(BUILD, "share", "vswitch.ovsschema"))

EAL = "--no-pci --in-memory --single-file-segments --no-telemetry"

# Seconds.  Long, because a machine with busy PMD threads answers late.
PATIENCE = 30

# Warnings that a healthy switch may write: it had to wait for its CPU; there
# are no hugepages of a size that we do not use.
HARMLESS = r"\|timeval(\(\w+\))?\|WARN\||EAL: No free \d+ kB hugepages"

# What the log says (first match counts) -> what to do.
ADVICE = (
    (r"hugepage|Cannot allocate memory|Cannot init memory|rte_malloc",
     "free memory or hugepages (see HugePages_ in /proc/meminfo), then try "
     "again"),
    (r"/dev/net/tun|could not create tap|tap.*busy",
     "the userspace datapath needs /dev/net/tun (modprobe tun; in a "
     "container: --device /dev/net/tun) and the interface names that it "
     "makes"),
    (r"error while loading shared libraries",
     "the build does not fit this machine: ./quickstart clean, then again"),
)


def wait_until(condition, what, seconds=PATIENCE, interval=0.1):
    """Returns the first true value of 'condition()'; fails after
    'seconds'."""
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise Failure("%s: not so after %d s" % (what, seconds))
        time.sleep(interval)


class CommandError(Failure):
    """A program of Open vSwitch said no; 'what' is what it said."""


class Switch:
    def __init__(self, undo, outlive=False, on_start=None):
        """Makes the run directory and the environment; starts nothing.  All
        is put on 'undo'.  'on_start' is called with the switch after each
        daemon that was started."""
        self.outlive = outlive
        self.on_start = on_start or (lambda switch: None)
        self.dir = tempfile.mkdtemp(prefix="ovs-dpx-")
        undo.add(shutil.rmtree, self.dir)
        self.env = dict(os.environ)
        for name in ("RUN", "LOG", "DB", "SYSCONF", "PKGDATA"):
            self.env["OVS_%sDIR" % name] = self.dir
        self.env["LC_ALL"] = "C"
        self.db = "unix:" + self.path("db.sock")
        self.own_network = (os.environ.get("DPX_OWN_NETWORK") != "no"
                            and process.can_unshare_network())
        self.ovsdb = self.vswitchd = None
        undo.add(self.stop)

    def path(self, name):
        return os.path.join(self.dir, name)

    # Programs.

    def program(self, name):
        path = os.path.join(BIN, name)
        if not os.path.exists(path):
            raise Failure("%s has not been built" % path,
                          "run ./quickstart build")
        return path

    def run(self, name, *words, seconds=PATIENCE, ok=True):
        """Runs a program of Open vSwitch and returns what it printed."""
        child = subprocess.Popen(
            [self.program(name)] + [str(w) for w in words], env=self.env,
            text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, preexec_fn=process.die_with_parent)
        try:
            out, err = self._await_exit(child, seconds)
        finally:
            child.kill()
        if ok and child.returncode:
            what = (err or out).strip()
            raise CommandError(what, self.advice(what))
        return out

    def _await_exit(self, child, seconds):
        """Returns what 'child' printed.  It is not waited for if the daemon
        that should answer it has ended."""
        end = time.monotonic() + seconds + 10
        while True:
            try:
                return child.communicate(timeout=0.5)
            except subprocess.TimeoutExpired:
                self.check()
                if time.monotonic() > end:
                    raise

    def vsctl(self, *words, **options):
        """ovs-vsctl, which waits until vswitchd has done it."""
        return self.run("ovs-vsctl", "--timeout=%d" % PATIENCE,
                        "--db=" + self.db, *words, **options).rstrip("\n")

    def appctl(self, *words, **options):
        return self.run("ovs-appctl", "--timeout=%d" % PATIENCE, *words,
                        **options)

    def ofctl(self, *words, **options):
        return self.run("ovs-ofctl", *words, **options)

    def query(self, *words):
        """The answer of a command of ours, from its --json."""
        return json.loads(self.appctl(*words, "--json"))

    def get(self, table, record, column):
        """A column, as Python has it: a map is a dict, no value is None."""
        out = json.loads(self.vsctl("--format=json", "--columns=" + column,
                                    "list", table, record))
        value = out["data"][0][0]
        if isinstance(value, list):
            kind, content = value
            if kind == "map":
                return dict((str(k), v) for k, v in content)
            if kind == "set":
                return content or None
            return content
        return value

    # Daemons.

    def start_ovsdb(self):
        if not os.path.exists(self.path("conf.db")):
            self.run("ovsdb-tool", "create", self.path("conf.db"), SCHEMA)
        self.ovsdb = process.Daemon(
            [self.program("ovsdb-server"), self.path("conf.db"),
             "--remote=p" + self.db, "--pidfile", "-vconsole:off",
             "--log-file"], self.env, self.path("ovsdb-server.out"),
            outlive=self.outlive)
        self.on_start(self)
        self._await_file(self.ovsdb, "ovsdb-server", "db.sock")

    def check_interface_name(self, name):
        """Fails if the switch would find this kernel interface there."""
        if not self.own_network and name in [
                n for _, n in socket.if_nameindex()]:
            raise Failure("there is a network interface \"%s\" already"
                          % name, "end the switch that made it, or remove "
                          "it: ip link delete %s" % name)

    def start_vswitchd(self, dpdk=True, dummy=True):
        self.check_interface_name("ovs-netdev")
        words = ["--disable-system"] + (["--enable-dummy"] if dummy else [])
        if dpdk:
            self.vsctl("--no-wait", "set", "Open_vSwitch", ".",
                       "other_config:dpdk-init=true",
                       "other_config:per-port-memory=true",
                       'other_config:dpdk-extra="%s"' % EAL)
        self.vswitchd = process.Daemon(
            [self.program("ovs-vswitchd"), self.db, "--pidfile",
             "-vconsole:off", "-vsyslog:off", "--log-file"] + words,
            self.env, self.path("ovs-vswitchd.out"),
            own_network=self.own_network, outlive=self.outlive)
        self.on_start(self)
        self._await_file(self.vswitchd, "ovs-vswitchd",
                         "ovs-vswitchd.%d.ctl" % self.vswitchd.pid)
        if dpdk:
            wait_until(lambda: self.vsctl("get", "Open_vSwitch", ".",
                                          "dpdk_initialized") == "true"
                       or self.check(), "DPDK is initialized")

    def start(self, **options):
        self.start_ovsdb()
        self.vsctl("--no-wait", "init")
        self.start_vswitchd(**options)

    def _await_file(self, daemon, name, file_name):
        def there():
            self.check_one(name, daemon)
            return os.path.exists(self.path(file_name))

        wait_until(there, "%s has started" % name, interval=0.02)

    def check_one(self, name, daemon):
        if daemon and daemon.status() is not None:
            status = daemon.status()
            how = ("was killed by signal %d" % -status if status < 0
                   else "ended with status %d" % status)
            log = tail(self.log(name))
            raise Failure("%s %s.  The end of its log:\n%s"
                          % (name, how, log), self.advice(log))

    def check(self):
        """Raises Failure if a daemon is gone."""
        self.check_one("ovs-vswitchd", self.vswitchd)
        self.check_one("ovsdb-server", self.ovsdb)

    def stop(self):
        if self.vswitchd:
            self.vswitchd.stop()
        if self.ovsdb:
            self.ovsdb.stop()

    # Ports.

    def add_bridge(self, name):
        self.check_interface_name(name)
        self.vsctl("add-br", name, "--", "set", "Bridge", name,
                   "datapath_type=netdev", "fail_mode=secure")
        self.check_port(name)

    def add_port(self, bridge, name, kind, number, **options):
        """Adds a port whose OpenFlow number is 'number'."""
        words = ["add-port", bridge, name, "--", "set", "Interface", name,
                 "type=" + kind, "ofport_request=%d" % number]
        for key, value in options.items():
            words.append('options:%s="%s"' % (key, value))
        self.vsctl(*words)
        self.check_port(name)

    def check_port(self, name):
        error = self.get("Interface", name, "error")
        if error:
            raise Failure("port %s: %s" % (name, error),
                          self.advice(error))

    # Logs.

    def log(self, program="ovs-vswitchd"):
        text = ""
        for suffix in (".log", ".out"):
            try:
                with open(self.path(program + suffix), encoding="utf-8",
                          errors="replace") as f:
                    text += f.read()
            except FileNotFoundError:
                pass
        return text

    def advice(self, error):
        """What to do about 'error', from it and what the log complains
        about; None if we do not know."""
        text = "\n".join([error] + self.complaints())
        for pattern, hint in ADVICE:
            if re.search(pattern, text, re.I):
                return hint
        return None

    def complaints(self):
        """Lines of the log that no healthy switch writes."""
        return [line for line in self.log().splitlines()
                if re.search(r"\|(WARN|ERR|EMER)\|", line)
                and not re.search(HARMLESS, line)]


def tail(text, n=8):
    return "\n".join("    " + line[:200]
                     for line in text.splitlines()[-n:])
