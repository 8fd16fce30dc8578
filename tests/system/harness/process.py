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
import time

PR_SET_PDEATHSIG = 1
CLONE_NEWNET = 0x40000000
LIBC = ctypes.CDLL(None, use_errno=True)


def be_prompt():
    """Gives us, and all that we start, the CPU before other programs: loads
    are measured in cycles, and a thread that waits for its CPU in the middle
    of a burst seems to work.  (ovs-ctl, too, starts vswitchd with a better
    priority.)  Not every container allows it."""
    with contextlib.suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, 0, -20)
        _set_group_priority()


def _set_group_priority():
    """A kernel that shares the CPU between sessions looks at the priority of
    the session first.  Called again in each new one."""
    with contextlib.suppress(OSError):
        nice = os.getpriority(os.PRIO_PROCESS, 0)
        if nice < 0:
            with open("/proc/self/autogroup", "w", encoding="ascii") as f:
                f.write("%d" % nice)


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
            _set_group_priority()
            if not outlive:
                LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
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
