# SPDX-License-Identifier: Apache-2.0
#
# Daemons that we start and end by process id.
#
# A daemon is in a session of its own, so that Ctrl-C reaches only us and we
# end it in order.  Unless it is to outlive us, the kernel kills it when we
# are killed.  Nothing here looks a process up by name.

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
import traceback

from .undo import SIGNALS

PR_SET_PDEATHSIG = 1
CLONE_NEWNET = 0x40000000
LIBC = ctypes.CDLL(None, use_errno=True)


def die_with_parent():
    """Has the kernel kill this process when its parent is killed."""
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def run_in_front(work):
    """Returns what 'work()' does, an exit status, after running it in a
    child that, with all that it starts, gets the CPU before other programs.

    Loads are measured in cycles, and a thread that waits for its CPU in the
    middle of a burst seems to work.  (ovs-ctl, too, starts vswitchd with a
    better priority.)  The child has a session of its own, because a kernel
    that shares the CPU between sessions looks at their priority first, and
    the user's session must keep its own."""
    pid = os.fork()
    if not pid:
        die_with_parent()
        os.setsid()
        with contextlib.suppress(OSError):  # Not every container allows it.
            os.setpriority(os.PRIO_PROCESS, 0, -20)
        set_session_priority()
        status = 1
        try:
            status = work()
        except SystemExit as leave:
            status = leave.code
        except BaseException:   # pylint: disable=broad-except
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            os._exit(status)
    for number in SIGNALS:
        signal.signal(number, lambda n, _: os.kill(pid, n))
    status = os.waitpid(pid, 0)[1]
    return os.waitstatus_to_exitcode(status) % 256


def set_session_priority():
    """Of the session that we lead, as our own."""
    with contextlib.suppress(OSError):
        nice = os.getpriority(os.PRIO_PROCESS, 0)
        if nice < 0:
            with open("/proc/self/autogroup", "w", encoding="ascii") as f:
                f.write("%d" % nice)


def be_modest(daemon):
    """Takes from 'daemon', which is to outlive us, what run_in_front()
    gave."""
    with contextlib.suppress(OSError):
        for task in os.listdir("/proc/%d/task" % daemon.pid):
            os.setpriority(os.PRIO_PROCESS, int(task), 0)
        with open("/proc/%d/autogroup" % daemon.pid, "w",
                  encoding="ascii") as f:
            f.write("0")


def can_unshare_network():
    """True if a child can have a network namespace of its own."""
    pid = os.fork()
    if not pid:
        os._exit(0 if LIBC.unshare(CLONE_NEWNET) == 0 else 1)
    return os.waitpid(pid, 0)[1] == 0


def start_time(pid):
    """When process 'pid' started, or None if there is none: together with
    the number it names a process for good."""
    try:
        with open("/proc/%d/stat" % pid, encoding="ascii",
                  errors="replace") as f:
            fields = f.read().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None
    return None if fields[0] in "ZX" else int(fields[19])


def kill_and_wait(pid, started, seconds=5):
    """Ends process 'pid' if it is the one that started then."""
    for sig, patience in ((signal.SIGTERM, seconds), (signal.SIGKILL, 5)):
        if start_time(pid) != started:
            return
        try:
            os.kill(pid, sig)
        except ProcessLookupError:
            return
        end = time.monotonic() + patience
        while start_time(pid) == started and time.monotonic() < end:
            time.sleep(0.02)


class Daemon:
    def __init__(self, argv, env, output, own_network=False, outlive=False):
        """Starts 'argv', its output going to the end of file 'output'."""
        def prepare():
            set_session_priority()
            if not outlive:
                die_with_parent()
            if own_network and LIBC.unshare(CLONE_NEWNET):
                raise OSError(ctypes.get_errno(), "unshare")

        with open(output, "ab") as log:
            self.child = subprocess.Popen(
                argv, env=env, stdin=subprocess.DEVNULL, stdout=log,
                stderr=log, start_new_session=True, preexec_fn=prepare)
        self.pid = self.child.pid
        self.started = start_time(self.pid)

    def status(self):
        """None while it runs, else its exit status (negative: signal)."""
        return self.child.poll()

    def kill(self):
        """Ends it at once, as a crash would."""
        if self.child.poll() is None:
            os.kill(self.pid, signal.SIGKILL)
            self.child.wait()

    def stop(self, seconds=5):
        """Ends it in order, or by force if it does not hear."""
        if self.child.poll() is None:
            os.kill(self.pid, signal.SIGTERM)
            try:
                self.child.wait(seconds)
            except subprocess.TimeoutExpired:
                self.kill()
