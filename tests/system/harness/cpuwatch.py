# SPDX-License-Identifier: Apache-2.0
#
# Tells whether the PMD threads had their CPUs to themselves.  If not, a load
# in cycles is not what their work costs.

import glob

TOO_LONG = 0.1                  # Of its time that a thread waits for its CPU.


class CpuWatch:
    """How long the PMD threads waited for their CPUs since this was made."""

    def __init__(self, pid):
        self.pid = pid
        self.start = self._read()

    def _read(self):
        """{thread: (nanoseconds on its CPU, waiting for it)}."""
        found = {}
        for task in glob.glob("/proc/%d/task/[0-9]*" % self.pid):
            try:
                with open(task + "/comm", encoding="ascii") as f:
                    if not f.read().startswith("pmd-"):
                        continue
                with open(task + "/schedstat", encoding="ascii") as f:
                    found[task] = tuple(map(int, f.read().split()[:2]))
            except OSError:
                pass        # It has just ended, or this kernel cannot say.
        return found

    def waited(self):
        """Of the thread that waited most, the fraction of its time."""
        worst = 0.0
        for task, (ran, waited) in self._read().items():
            if task in self.start:
                ran -= self.start[task][0]
                waited -= self.start[task][1]
                worst = max(worst, waited / max(1, ran + waited))
        return worst
