# SPDX-License-Identifier: Apache-2.0
#
# Counts the instructions of a PMD thread, one by one: the second witness of
# bench-overhead, which no neighbour, layout or cache can disturb.
#
# A virtual machine often has no instruction counter, and DPDK does not run
# under an emulator; but the kernel can step one thread of a running switch.
# That is some thousand times slower than running, so a few dozen iterations
# of the thread's loop are counted, never timed.

import ctypes
import os
import struct
import subprocess

import machine

LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.ptrace.restype = ctypes.c_long
LIBC.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p,
                        ctypes.c_void_p]
PTRACE_PEEKUSER = 3
PTRACE_SINGLESTEP = 9
PTRACE_DETACH = 17
PTRACE_SEIZE = 0x4206
PTRACE_INTERRUPT = 0x4207
RIP = 16 * 8                    # In the user area of x86-64.
WALL = 0x40000000               # waitpid() for a thread of another process.

# Called by a PMD thread once per iteration of its loop, in every release.
MARK = "pmd_perf_end_iteration"


def ptrace(request, tid, data=0):
    ctypes.set_errno(0)
    result = LIBC.ptrace(request, tid, None, data)
    if result == -1 and ctypes.get_errno():
        raise machine.Failure("ptrace(%d): %s: instructions cannot be counted"
                              % (request, os.strerror(ctypes.get_errno())))
    return result


def peek_rip(tid):
    ctypes.set_errno(0)
    result = LIBC.ptrace(PTRACE_PEEKUSER, tid, RIP, None)
    if result == -1 and ctypes.get_errno():
        raise machine.Failure("ptrace: %s" % os.strerror(ctypes.get_errno()))
    return result


def mark_address(pid, program):
    """Where MARK is in the running 'program'."""
    with open(program, "rb") as f:
        header = f.read(20)
    if header[18:20] != struct.pack("<H", 62):
        raise machine.Failure("instructions are counted on x86-64 only")
    fixed = header[16:18] == struct.pack("<H", 2)
    done = subprocess.run(["nm", program], stdout=subprocess.PIPE, text=True,
                          check=True)
    found = [int(words[0], 16) for words in
             (line.split() for line in done.stdout.splitlines())
             if words[-1] == MARK]
    if not found:
        raise machine.Failure("%s has no %s" % (program, MARK))
    return found[0] + (0 if fixed else load_address(pid))


def load_address(pid):
    """Where the program starts in process 'pid'."""
    exe = os.readlink("/proc/%d/exe" % pid)
    with open("/proc/%d/maps" % pid) as f:
        for line in f:
            words = line.split(None, 5)
            if len(words) == 6 and words[5].strip() == exe:
                return int(words[0].split("-")[0], 16) - int(words[2], 16)
    raise machine.Failure("'%s' is not in the maps of process %d"
                          % (exe, pid))


def step(tid):
    """One instruction further; returns the address of the next."""
    ptrace(PTRACE_SINGLESTEP, tid)
    status = os.waitpid(tid, WALL)[1]
    if not os.WIFSTOPPED(status):
        raise machine.Failure("the PMD thread ended while it was stepped")
    return peek_rip(tid)


def count_to(tid, mark):
    """Instructions until the one at 'mark'.  A string instruction stops after
    each of its elements: it counts once."""
    n = 0
    here = None
    while here != mark:
        last, here = here, step(tid)
        n += here != last
    return n


def count(sw, tid, iterations):
    """Instructions of each of 'iterations' of the loop, and the packets that
    all of them moved."""
    mark = mark_address(sw.vswitchd.pid, sw.program)
    cores = os.sched_getaffinity(0)
    ptrace(PTRACE_SEIZE, tid)
    try:
        # Next to it: to wake a thread on another core takes much longer.
        os.sched_setaffinity(0, {sw.pmd_core})
        ptrace(PTRACE_INTERRUPT, tid)
        os.waitpid(tid, WALL)
        count_to(tid, mark)
        before = sw.counters()["packets"]
        counts = [count_to(tid, mark) for _ in range(iterations)]
        return counts, sw.counters()["packets"] - before
    finally:
        os.sched_setaffinity(0, cores)
        release(tid)


def release(tid):
    """Lets the thread run again.  Whoever interrupts us may do so while it
    takes a step: then it must be stopped to be released, or it could not even
    end."""
    try:
        ptrace(PTRACE_DETACH, tid)
    except machine.Failure:
        ptrace(PTRACE_INTERRUPT, tid)
        os.waitpid(tid, WALL)
        ptrace(PTRACE_DETACH, tid)
