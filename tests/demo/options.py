# SPDX-License-Identifier: Apache-2.0
#
# Words of "quickstart demo", and what can be said about them before anything
# is built or started.

import argparse
import os
import sys

from harness import pcap
from harness.failure import Failure

EPILOG = """\
Environment: DPX_BUILD (where the build is), DPX_BIN (other programs to run),
DPX_DEMO_STATE (directory of the lock, default /run)."""


def parse(words):
    parser = argparse.ArgumentParser(
        prog="./quickstart demo", allow_abbrev=False, epilog=EPILOG,
        description="Builds and starts Open vSwitch with DPDK on this "
        "machine, no NIC needed, and shows what placement and per-flow "
        "statistics do for unevenly loaded rx queues.  Then stops it.")
    parser.add_argument("--pcap", metavar="FILE",
                        help="feed the rx queues with the packets of this "
                        "capture instead of generated ones")
    parser.add_argument("--keep", action="store_true",
                        help="leave the switch running at the end and say "
                        "how to talk to it")
    parser.add_argument("--stop", action="store_true",
                        help="stop what --keep left running")
    args = parser.parse_args(words)
    if args.stop and (args.keep or args.pcap):
        parser.error("--stop goes with no other option")
    return args


def check_machine():
    """Fails if the demo cannot work here, whatever is installed."""
    if os.geteuid():
        raise Failure("needs root, for hugepages and /dev/net/tun",
                      "run: sudo ./quickstart demo")
    if len(os.sched_getaffinity(0)) < 2:
        raise Failure("needs two CPUs, one for each of two PMD threads; "
                      "this process may use only one",
                      "give the machine or container a second one")
    if not os.path.exists("/dev/net/tun"):
        raise Failure("there is no /dev/net/tun, which the userspace "
                      "datapath needs", "run: modprobe tun (in a container: "
                      "start it with --device /dev/net/tun)")


def check_capture(path):
    """Returns the capture's full name; fails if it is of no use."""
    packets = pcap.check(path)
    print("%s: %d packets" % (path, packets), file=sys.stderr)
    return os.path.abspath(path)
