# SPDX-License-Identifier: Apache-2.0
#
# What bench-overhead takes from the machine and reads of it: hugepages, time
# stolen by the hypervisor, and how a thread was treated by the scheduler.
#
# It changes one setting, nr_hugepages, and takes the change back.

import os
import signal
import socket
import sys
import time

PAGES = "/sys/kernel/mm/hugepages/hugepages-2048kB/"


class Failure(Exception):
    """Shown to the user as one line."""


def read_number(path):
    with open(path) as f:
        return int(f.read())


def end_on_signals():
    """Ends the with-blocks, which end what was started."""
    def stop(number, unused):
        sys.exit(128 + number)

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, stop)


class Hugepages:
    """With-block that sees to 'megabytes' of free 2 MB pages."""

    def __init__(self, megabytes):
        self.want = megabytes // 2
        self.added = 0

    def __enter__(self):
        try:
            missing = self.want - read_number(PAGES + "free_hugepages")
            if missing > 0:
                self.resize(missing)
                self.added = missing
            free = read_number(PAGES + "free_hugepages")
        except OSError as e:
            raise Failure("hugepages: %s" % e)
        if free < self.want:
            self.__exit__()
            raise Failure("%d MB of 2 MB hugepages are needed, the kernel "
                          "gave %d MB: free some memory"
                          % (2 * self.want, 2 * free))
        return self

    def __exit__(self, *unused):
        # Others may have changed the number meanwhile: only ours goes.
        if self.added:
            self.resize(-self.added)
            self.added = 0

    @staticmethod
    def resize(by):
        now = read_number(PAGES + "nr_hugepages")
        with open(PAGES + "nr_hugepages", "w") as f:
            f.write("%d" % max(0, now + by))


class Alone:
    """With-block that no other benchmark enters meanwhile.  An abstract
    socket: it leaves no file behind, and it is free again if we are
    killed."""

    NAME = "\0ovs-dpx-bench"

    def __enter__(self):
        self.socket = socket.socket(socket.AF_UNIX)
        told = False
        while True:
            try:
                self.socket.bind(self.NAME)
                return self
            except OSError:
                if not told:
                    print("waiting for another benchmark to end", flush=True)
                told = True
                time.sleep(1)

    def __exit__(self, *unused):
        self.socket.close()


def steal_ms(core):
    """Time that the hypervisor took from 'core' so far."""
    tick = 1000 / os.sysconf("SC_CLK_TCK")
    with open("/proc/stat") as f:
        for line in f:
            words = line.split()
            if words[0] == "cpu%d" % core:
                return int(words[8]) * tick if len(words) > 8 else 0
    raise Failure("core %d does not exist" % core)


class Thread:
    """A thread of another process, found by the start of its name."""

    def __init__(self, pid, name):
        self.path = None
        self.pid = pid
        for tid in os.listdir("/proc/%d/task" % pid):
            path = "/proc/%d/task/%s/" % (pid, tid)
            with open(path + "comm") as f:
                if f.read().startswith(name):
                    self.path, self.tid = path, int(tid)
        if not self.path:
            raise Failure("no thread '%s' in process %d" % (name, pid))

    def waited_ns(self):
        """Time that it was ready to run but did not.  Exact: the kernel adds
        to it whenever the thread gets a core."""
        try:
            with open(self.path + "schedstat") as f:
                return int(f.read().split()[1])
        except FileNotFoundError:
            return 0

    def involuntary(self):
        """How often it was thrown off its core."""
        with open(self.path + "status") as f:
            for line in f:
                if line.startswith("nonvoluntary_ctxt_switches:"):
                    return int(line.split()[1])
        return 0

    def prefer(self):
        """What else runs on a busy machine shall run on another core.  Where
        the kernel groups processes by session, the group's priority counts
        too: the process must be alone in its session."""
        os.setpriority(os.PRIO_PROCESS, self.tid, -20)
        try:
            with open("/proc/%d/autogroup" % self.pid, "w") as f:
                f.write("-20")
        except OSError:
            pass


def describe():
    """Processor and number of cores, for the head of the table."""
    model = "unknown processor"
    with open("/proc/cpuinfo") as f:
        for line in f:
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                break
    return "%s, %d cores, kernel %s" % (model, os.cpu_count(),
                                        os.uname().release)
