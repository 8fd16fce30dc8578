# SPDX-License-Identifier: Apache-2.0
#
# Gets hugepages of 2 MB from the kernel and gives back as many.  A file
# system for them is not needed: DPDK runs with --in-memory.
#
# Others may change the number too, so we add and subtract, under a lock that
# everyone who uses this file takes, and never set it to an old value.

import contextlib
import fcntl
import os

from .failure import Failure

DIRECTORY = "/sys/kernel/mm/hugepages/hugepages-2048kB"
PAGE_MB = 2


def _read(name):
    with open(os.path.join(DIRECTORY, name), encoding="ascii") as f:
        return int(f.read())


def free():
    """Number of free pages that are not promised to anybody; 0 if the
    machine has none of this size."""
    try:
        return _read("free_hugepages") - _read("resv_hugepages")
    except FileNotFoundError:
        return 0


@contextlib.contextmanager
def _locked():
    with open(os.path.join(DIRECTORY, "nr_hugepages"), "r+",
              encoding="ascii") as f:
        fcntl.flock(f, fcntl.LOCK_EX)
        yield f


def _set(f, n):
    f.seek(0)
    f.write("%d\n" % n)
    f.flush()


def _compact():
    """Asks the kernel to make room: free memory in small pieces is why a
    machine with enough memory has no hugepages to give."""
    for path, word in (("/proc/sys/vm/drop_caches", "3"),
                       ("/proc/sys/vm/compact_memory", "1")):
        with contextlib.suppress(OSError):
            with open(path, "w", encoding="ascii") as f:
                f.write(word)


def take(n):
    """Sees to it that 'n' pages are free.  Returns how many were added,
    which the caller gives back later."""
    advice = ("give the machine more memory, or reserve the pages at boot "
              "with the kernel option hugepages=%d" % n)
    if not os.path.isdir(DIRECTORY):
        raise Failure("this kernel has no hugepages of 2 MB (no %s)"
                      % DIRECTORY, "run on a machine or a kernel that has "
                      "them; in a container, /sys must be there")
    try:
        with _locked() as f:
            before = _read("nr_hugepages")
            missing = n - free()
            if missing <= 0:
                return 0
            _set(f, before + missing)
            if free() < n:
                _compact()
                _set(f, before + missing)
            if free() < n:
                got = free()
                _set(f, before)
                raise Failure("%d hugepages of 2 MB are needed, only %d can "
                              "be had" % (n, got), advice)
            return missing
    except (PermissionError, OSError) as error:
        raise Failure("hugepages cannot be reserved: %s" % error,
                      "run as root, on the machine itself or in a container "
                      "that may write to /sys; or have the administrator "
                      "reserve %d pages of 2 MB" % n) from error


def give_back(added):
    """Takes 'added' pages from the pool again."""
    if added > 0:
        with _locked() as f:
            _set(f, max(0, _read("nr_hugepages") - added))
