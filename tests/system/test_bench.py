# SPDX-License-Identifier: Apache-2.0
#
# ovs-dpx-bench from end to end: port to port and through a guest, every packet
# accounted for; what dies is said, and everything is gone afterwards.
#
# Nothing is asked about speed: loads are so small that a machine with other
# work can forward them.

import json
import os
import re
import shutil
import signal
import subprocess
import tempfile

from harness.switch import BIN
from harness.testing import (Skip, expect, expect_equal, expect_in,
                             need_switch, need_testpmd)

LOAD = 20000                    # Packets/s.
PATIENCE = 180


def fixture(undo):
    need_switch()
    directory = tempfile.mkdtemp(prefix="dpx-test-bench-")
    undo.add(shutil.rmtree, directory)
    return directory


def words(directory, *more):
    return [os.path.join(BIN, "ovs-dpx-bench"), more[0], "--preset=smoke",
            "--max-load=%d" % LOAD, "--max-steal=100",
            "--output=" + os.path.join(directory, "r.json")] + list(more[1:])


def left_behind():
    """Directories and sockets of switches that nobody took away."""
    return {n for n in os.listdir(tempfile.gettempdir())
            if n.startswith("ovs-dpx-")}


def measure(directory, *more):
    before = left_behind()
    done = subprocess.run(words(directory, *more), capture_output=True,
                          text=True, timeout=PATIENCE, check=False)
    expect(not left_behind() - before, "left behind: %s"
           % (left_behind() - before))
    with open(os.path.join(directory, "r.json"), encoding="utf-8") as f:
        return done, json.load(f)


def expect_accounted(result):
    valid = [t for t in result["trials"] if t["verdict"] == "valid"]
    expect(valid, "no trial is valid: %s"
           % [t["verdict"] for t in result["trials"]])
    for t in valid:
        expect_equal(t["unaccounted"], 0, "unaccounted packets of a trial "
                     "(drops %s)" % t["drops"])
        expect_equal(t["duplicates"], 0, "duplicates")


def test_p2p_of_the_model(directory):
    _, result = measure(directory, "p2p")
    expect_accounted(result)
    expect_equal({g["goal"] for g in result["goals"]}, {"NDR", "PDR"},
                 "goals")
    keys = {m["key"] for m in result["machine"]}
    expect(keys >= {"cpu", "kernel", "open_vswitch", "dpdk", "pmd_cores"},
           "machine: %s" % sorted(keys))


def test_p2p_with_the_generator(directory):
    _, result = measure(directory, "p2p", "--traffic=virtio")
    expect_accounted(result)
    expect(all(t["p50_us"] > 0 for t in result["trials"]
               if t["verdict"] == "valid"), "latency is there")
    expect_in("generator can send", result.get("note_1", ""), "head-room")


def test_pvp_through_testpmd(directory):
    need_testpmd()
    _, result = measure(directory, "pvp")
    expect_accounted(result)
    expect_equal(result["guest"], "testpmd", "guest")


def start(directory, *more):
    return subprocess.Popen(words(directory, *more), stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)


def await_trial(child):
    for line in child.stdout:
        if "packets/s for" in line:
            return
    raise Skip("await_trial: it ended before its first trial: "
               + child.stderr.read())


def expect_partial(directory, reason):
    with open(os.path.join(directory, "r.json"), encoding="utf-8") as f:
        result = json.load(f)
    expect_in(reason, result["state"], "state")
    expect(all(g["throughput"] is None for g in result["goals"]),
           "a partial result has a number: %s" % result["goals"])


def test_interrupted_keeps_what_it_knows(directory):
    before = left_behind()
    child = start(directory, "p2p", "--duration=60")
    err = child.communicate(timeout=PATIENCE)[1]
    expect_equal(child.returncode, 2, "status of a wrong option")
    expect_in("--duration=60", err, "the error quotes the word")

    child = start(directory, "p2p", "--preset=field")
    await_trial(child)
    child.send_signal(signal.SIGINT)
    err = child.communicate(timeout=PATIENCE)[1]
    expect_equal(child.returncode, 130, "status after Ctrl-C (%s)" % err)
    expect(not left_behind() - before, "left behind")
    expect_partial(directory, "interrupted")


def test_guest_that_dies_is_named(directory):
    need_testpmd()
    child = start(directory, "pvp", "--preset=field")
    await_trial(child)
    for pid in os.listdir("/proc"):
        try:
            with open("/proc/%s/cmdline" % pid, "rb") as f:
                line = f.read().split(b"\0")
            with open("/proc/%s/stat" % pid, encoding="ascii") as f:
                parent = re.sub(r".*\)", "", f.read()).split()[1]
        except OSError:
            continue
        if b"testpmd" in line[0] and ours(int(parent), child.pid):
            os.kill(int(pid), signal.SIGKILL)
    err = child.communicate(timeout=PATIENCE)[1]
    expect_equal(child.returncode, 1, "status")
    expect_in("guest0 has died", err, "message")
    expect_partial(directory, "guest0 has died")


def ours(pid, ancestor):
    """True if 'pid' comes of 'ancestor'."""
    while pid > 1 and pid != ancestor:
        try:
            with open("/proc/%d/stat" % pid, encoding="ascii") as f:
                pid = int(re.sub(r".*\)", "", f.read()).split()[1])
        except OSError:
            return False
    return pid == ancestor
