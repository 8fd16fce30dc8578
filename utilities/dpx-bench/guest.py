# SPDX-License-Identifier: Apache-2.0
#
# What guests have in common, whatever they are made of: a process that must
# go on, and what it says.

import os
import time

from harness import process
from harness.failure import Failure
from harness.switch import tail


def prepare():
    """In the child: it goes when we go, and gets the CPU as we do."""
    process.die_with_parent()
    process.set_session_priority()


class Guest:
    """'logs' are the files that it writes to, the most important last; the
    derived class starts 'child'."""

    def __init__(self, name, *logs):
        self.name = name
        self.logs = logs
        self.child = None

    def end(self):
        self.child.kill()
        self.child.wait()

    def output(self):
        text = ""
        for name in self.logs:
            if os.path.exists(name):
                with open(name, encoding="utf-8", errors="replace") as f:
                    text += f.read()
        return text

    def wait_for(self, word, seconds, after=0):
        """What it said after the first 'after' characters, once it has said
        'word' there."""
        end = time.monotonic() + seconds
        while True:
            text = self.output()[after:]
            if word in text:
                return text
            self.check()
            if time.monotonic() > end:
                raise Failure("%s: no '%s' after %d s\n%s"
                              % (self.name, word, seconds, tail(text)))
            time.sleep(0.05)

    def check(self):
        """Raises Failure if it has died."""
        if self.child.poll() is not None:
            raise Failure("%s has died (status %d).  What it said last:\n%s"
                          % (self.name, self.child.returncode,
                             tail(self.output())))
