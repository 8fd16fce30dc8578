# SPDX-License-Identifier: Apache-2.0
#
# A stack of things to undo, run whatever ends us short of kill -9: the end of
# the work, an exception, Ctrl-C, SIGTERM, a closed terminal.  Each step runs
# even if another one failed, because half of a clean-up is not one.

import signal
import sys

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def exit_on_signals():
    """Turns each of SIGNALS into an exception in the main thread, so that
    clean-up runs.  A second signal does not interrupt the clean-up."""
    def leave(number, _):
        for ignored in SIGNALS:
            signal.signal(ignored, signal.SIG_IGN)
        sys.exit(128 + number)

    for number in SIGNALS:
        signal.signal(number, leave)


class Undo:
    def __init__(self):
        self.steps = []

    def add(self, function, *args):
        """Has 'function' called with 'args' at the end; last in, first
        out."""
        self.steps.append((function, args))

    def forget(self):
        """Drops all steps: what was started goes on."""
        self.steps = []

    def run(self):
        """Undoes everything, then raises the first error that occurred."""
        first = None
        while self.steps:
            function, args = self.steps.pop()
            try:
                function(*args)
            except Exception as error:  # pylint: disable=broad-except
                first = first or error
        if first:
            raise first

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        try:
            self.run()
        except Exception:  # pylint: disable=broad-except
            if kind is None:
                raise
        return False
