# SPDX-License-Identifier: Apache-2.0
#
# The search, a process of ovs-dpx-bench, and what it is told.

import subprocess

import programs
from harness.failure import Failure


class Search:
    """One side's search; 'with' ends it, and what it knows is in its
    file."""

    def __init__(self, output, options, words=()):
        self.output = output
        self.child = subprocess.Popen(
            [programs.bench(), "search", "--output=" + output,
             "--method=" + options.method, "--preset=" + options.preset,
             "--repetitions=%d" % options.repetitions,
             "--max-steal=%d" % options.max_steal] + list(words),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def _say(self, *words):
        try:
            self.child.stdin.write(" ".join(words) + "\n")
            self.child.stdin.flush()
        except BrokenPipeError:
            pass                # What it last said tells why.

    def fact(self, key, value):
        self._say("fact", key, str(value))

    def machine(self, pairs):
        for key, value in pairs:
            self._say("machine", key, str(value))

    def abort(self, reason):
        self._say("abort", reason.replace("\n", " "))

    def repetition(self, run_trial):
        """Runs trials until a repetition ends.  'run_trial(load, seconds)'
        returns a dict of what was counted.  False if there is no more."""
        for line in self.child.stdout:
            words = line.split()
            if words[0] == "trial":
                counted = run_trial(float(words[1]), float(words[2]))
                self._say("result", *("%s=%s" % pair
                                      for pair in counted.items()))
            elif words[0] == "repetition":
                return True
            elif words[0] == "error":
                raise Failure("the search does not understand: "
                              + " ".join(words[1:]))
            else:
                return False
        return False

    def end(self):
        """Returns what it exits with."""
        self.child.stdin.close()
        for _ in self.child.stdout:
            pass
        return self.child.wait()
