# SPDX-License-Identifier: Apache-2.0
#
# The scenarios of ovs-dpx-bench: what it becomes for p2p, pvp, pvvp and
# table.  Starts switches, guests and the generator, carries lines between the
# search and whoever runs its trials, and leaves nothing behind.

import argparse
import os
import sys
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import programs                                           # noqa: E402
programs.prepare(HERE)

import campaign                                           # noqa: E402
import tables                                             # noqa: E402
from harness.failure import Failure                       # noqa: E402
from harness.process import run_in_front                  # noqa: E402
from harness.undo import exit_on_signals                  # noqa: E402

SCENARIOS = ("p2p", "pvp", "pvvp")


class Parser(argparse.ArgumentParser):
    def error(self, message):
        sys.stderr.write("%s: %s (try --help)\n" % (self.prog, message))
        sys.exit(2)


def whole(low, high):
    def read(word):
        if not word.isdigit() or not low <= int(word) <= high:
            raise argparse.ArgumentTypeError(
                "'%s' is not a whole number from %d to %d"
                % (word, low, high))
        return int(word)
    return read


def make_parser(command):
    p = Parser(prog="ovs-dpx-bench " + command, allow_abbrev=False)
    if command == "table":
        p.add_argument("name", metavar="NAME")
        p.add_argument("--host", metavar="LABEL", default="",
                       help="of this host and its settings, as one of the "
                            "table's columns or rows names it")
    p.add_argument("--traffic", choices=("paced", "virtio"),
                   default="paced",
                   help="the paced model of a NIC inside the switch, or "
                        "packets of the program's own generator (default: "
                        "%(default)s)")
    p.add_argument("--guest", choices=("testpmd", "qemu"),
                   default="testpmd", help="(default: %(default)s)")
    p.add_argument("--kernel", metavar="FILE",
                   help="of QEMU guests (default: one of /boot)")
    p.add_argument("--modules", metavar="DIR",
                   help="of that kernel (default: from /lib/modules)")
    p.add_argument("--method", default="mlr",
                   choices=("mlr", "rfc2544", "tst009", "loss-curve",
                            "soak"))
    p.add_argument("--preset", default="field",
                   choices=("field", "short", "smoke"),
                   help="how long trials are (default: %(default)s)")
    p.add_argument("--repetitions", type=whole(1, 1000), default=1)
    p.add_argument("--size", type=whole(64, 9018), default=64,
                   help="of frames, with check sequence (default: 64)")
    p.add_argument("--flows", type=whole(1, 1 << 20), default=4)
    p.add_argument("--queues", type=whole(1, 16), default=1,
                   help="rx queues of each port (default: 1)")
    p.add_argument("--pmds", type=whole(1, 128), default=1,
                   help="PMD threads (default: 1)")
    p.add_argument("--max-load", type=whole(1, 10 ** 10), metavar="PPS",
                   help="(default: line rate of 10 Gbit/s)")
    p.add_argument("--max-steal", type=whole(0, 100), metavar="PERCENT",
                   default=5)
    p.add_argument("--set", metavar="KEY=VALUE", action="append",
                   default=[], help="other_config of the switch")
    p.add_argument("--against", metavar="DIR",
                   help="build directory of another switch, measured in "
                        "turn with this one")
    p.add_argument("--output", metavar="FILE|DIR",
                   help="where results go (default: below the current "
                        "directory, named after the scenario)")
    p.add_argument("--json", action="store_true")
    p.add_argument("--trials", action="store_true",
                   help="print every trial as well")
    return p


def main():
    command = sys.argv[1] if len(sys.argv) > 1 else ""
    options = make_parser(command).parse_args(sys.argv[2:])
    for word in options.set:
        if "=" not in word:
            sys.stderr.write("ovs-dpx-bench %s: --set: '%s' is not KEY=VALUE"
                             "\n" % (command, word))
            return 2
    options.command = command
    options.started = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    exit_on_signals()
    try:
        if command == "table":
            return tables.run(options)
        return campaign.run(options)
    except Failure as failure:
        sys.stderr.write("ovs-dpx-bench %s: %s\n" % (command, failure.what))
        if failure.hint:
            sys.stderr.write("  %s\n" % failure.hint)
        return 1


if __name__ == "__main__":
    sys.exit(run_in_front(main))
