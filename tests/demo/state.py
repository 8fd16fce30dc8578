# SPDX-License-Identifier: Apache-2.0
#
# Who runs the demo, and what a demo that is over has left.
#
# A lock is held from the first check to the last clean-up, so that there is
# one demo at a time on a machine.  A record of what was started is kept as
# long as it runs: "--stop" reads it, and so does the next demo if this one
# was killed before it could clean up.

import fcntl
import json
import os
import shutil

from harness import hugepages
from harness import process
from harness.failure import Failure

DIRECTORY = os.environ.get("DPX_DEMO_STATE", "/run")
LOCK = os.path.join(DIRECTORY, "ovs-dpx-demo.lock")
RECORD = os.path.join(DIRECTORY, "ovs-dpx-demo.json")


class Lock:
    """Held until release() or the end of the process."""

    def __init__(self):
        while True:
            fd = os.open(LOCK, os.O_RDWR | os.O_CREAT, 0o600)
            try:
                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                pid = os.read(fd, 20).decode().strip() or "unknown"
                os.close(fd)
                raise Failure("another demo is running (process %s)" % pid,
                              "wait until it is done, or end it: kill %s"
                              % pid) from None
            if self._is_current(fd):
                break
            os.close(fd)
        # Our parent is what the user started; it passes signals on to us.
        os.ftruncate(fd, 0)
        os.write(fd, b"%d\n" % os.getppid())
        self.fd = fd

    @staticmethod
    def _is_current(fd):
        """False if whoever had the lock before us has removed the file."""
        try:
            return os.fstat(fd).st_ino == os.stat(LOCK).st_ino
        except FileNotFoundError:
            return False

    def release(self):
        os.unlink(LOCK)
        os.close(self.fd)


def write(switch, added_pages):
    record = {"dir": switch.dir, "pages": added_pages,
              "daemons": [[d.pid, d.started]
                          for d in (switch.ovsdb, switch.vswitchd) if d]}
    with open(RECORD + ".new", "w", encoding="ascii") as f:
        json.dump(record, f)
    os.rename(RECORD + ".new", RECORD)


def erase():
    try:
        os.unlink(RECORD)
    except FileNotFoundError:
        pass


def read():
    try:
        with open(RECORD, encoding="ascii") as f:
            return json.load(f)
    except FileNotFoundError:
        return None


def running(record):
    """Process ids of the record's daemons that are still there."""
    return [pid for pid, started in record["daemons"]
            if process.start_time(pid) == started]


def clean_up(record):
    """Ends and removes all that the record names."""
    for pid, started in reversed(record["daemons"]):
        process.kill_and_wait(pid, started)
    if os.path.basename(record["dir"]).startswith("ovs-dpx-"):
        shutil.rmtree(record["dir"], ignore_errors=True)
    hugepages.give_back(record["pages"])
    erase()
