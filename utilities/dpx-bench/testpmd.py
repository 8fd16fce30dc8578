# SPDX-License-Identifier: Apache-2.0
#
# A guest that forwards between two vhost-user ports of ours: testpmd on
# virtio-user, in place of a virtual machine.

import re
import shutil
import subprocess
import time

from guest import Guest, prepare
from harness.failure import Failure
from harness.switch import EAL


class Testpmd(Guest):
    """Forwards between ports 'first' and 'first' + 1 of the scene."""

    def __init__(self, scene, undo, first):
        name = "guest%d" % (first // 2)
        log = scene.switch.path(name + ".out")
        super().__init__(name, log)
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
        with open(log, "w", encoding="utf-8") as out:
            self.child = subprocess.Popen(
                ["stdbuf", "-oL", program] + words, stdin=subprocess.PIPE,
                stdout=out, stderr=out, text=True, start_new_session=True,
                preexec_fn=prepare)
        undo.add(self.end)
        self.wait_for("testpmd>", 60)
        self._say("start")

    def _say(self, words):
        try:
            self.child.stdin.write(words + "\n")
            self.child.stdin.flush()
        except BrokenPipeError:
            self.check()

    def drops(self):
        """Packets that it could not send back."""
        after = len(self.output())
        self._say("show fwd stats all")
        text = self.wait_for("Accumulated", 10, after)
        text = self.wait_for("++++", 10, after)
        time.sleep(0.05)
        text = self.output()[after:]
        found = re.findall(r"TX-dropped: *(\d+)",
                           text.partition("Accumulated")[2])
        return {self.name: int(found[0]) if found else 0}

    def version(self):
        return "testpmd on virtio-user"
