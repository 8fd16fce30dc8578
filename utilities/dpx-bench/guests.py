# SPDX-License-Identifier: Apache-2.0
#
# A guest that forwards between two vhost-user ports of ours: testpmd on
# virtio-user, in place of a virtual machine.

import re
import shutil
import subprocess
import time

from harness import process
from harness.failure import Failure
from harness.switch import EAL, tail


def prepare():
    """In the child: it goes when we go, and gets the CPU as we do."""
    process.die_with_parent()
    process.set_session_priority()


class Testpmd:
    """Forwards between ports 'first' and 'first' + 1 of the scene."""

    def __init__(self, scene, undo, first):
        self.name = "guest%d" % (first // 2)
        self.log = scene.switch.path(self.name + ".out")
        program = shutil.which("dpdk-testpmd")
        if not program:
            raise Failure("dpdk-testpmd is not installed",
                          "apt-get install dpdk (or dpdk-dev)")
        core, queues = scene.other_core, scene.options.queues
        words = EAL.split() + [
            "-m", "128", "--file-prefix", self.name,
            "--lcores", "0@%d,1@%d" % (core, core)]
        for i in range(2):
            words.append(
                "--vdev=net_virtio_user%d,path=%s,queues=%d,server=1,"
                "queue_size=1024"
                % (i, scene.switch.path("v%d.sock" % (first + i)), queues))
        # Its answers would wait in a buffer for the next ones.
        words += ["--", "-i", "--rxq=%d" % queues, "--txq=%d" % queues,
                  "--nb-cores=1", "--forward-mode=io", "--total-num-mbufs",
                  "16384"]
        with open(self.log, "w", encoding="utf-8") as log:
            self.child = subprocess.Popen(
                ["stdbuf", "-oL", program] + words, stdin=subprocess.PIPE, stdout=log,
                stderr=log, text=True, start_new_session=True,
                preexec_fn=prepare)
        undo.add(self.end)
        self._await("testpmd>", 60)
        self._say("start")

    def end(self):
        self.child.kill()
        self.child.wait()

    def _output(self):
        with open(self.log, encoding="utf-8", errors="replace") as f:
            return f.read()

    def _say(self, words):
        try:
            self.child.stdin.write(words + "\n")
            self.child.stdin.flush()
        except BrokenPipeError:
            self.check()

    def _await(self, word, seconds, after=0):
        end = time.monotonic() + seconds
        while True:
            text = self._output()[after:]
            if word in text:
                return text
            self.check()
            if time.monotonic() > end:
                raise Failure("%s: no '%s' after %d s\n%s"
                              % (self.name, word, seconds, tail(text)))
            time.sleep(0.05)

    def check(self):
        if self.child.poll() is not None:
            raise Failure("%s has died (status %d).  What it said last:\n%s"
                          % (self.name, self.child.returncode,
                             tail(self._output())))

    def drops(self):
        """Packets that it could not send back."""
        after = len(self._output())
        self._say("show fwd stats all")
        text = self._await("Accumulated", 10, after)
        text = self._await("++++", 10, after)
        time.sleep(0.05)
        text = self._output()[after:]
        found = re.findall(r"TX-dropped: *(\d+)",
                           text.partition("Accumulated")[2])
        return {self.name: int(found[0]) if found else 0}

    def version(self):
        return "testpmd on virtio-user"
