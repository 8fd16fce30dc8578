# SPDX-License-Identifier: Apache-2.0
#
# Where the programs are: of the build tree that ovs-dpx-bench was started
# from, or those that are installed.  The harness reads it from the
# environment, so this comes before it.

import os
import shutil
import sys
import tempfile

NAMES = ("ovs-vswitchd", "ovsdb-server", "ovsdb-tool", "ovsdb-client",
         "ovs-vsctl", "ovs-appctl", "ovs-ofctl", "ovs-dpctl")
SYSTEM = os.pathsep.join((os.environ.get("PATH", ""), "/usr/sbin",
                          "/usr/local/sbin", "/usr/local/bin"))


def bench():
    """Path of ovs-dpx-bench itself."""
    return os.environ["DPX_BENCH_PROGRAM"]


def _build_of(program):
    """The build directory that 'program' lies in, or None."""
    directory = os.path.dirname(os.path.realpath(program))
    for _ in range(4):
        if os.path.exists(os.path.join(directory, "bin", "ovs-vswitchd")):
            return directory
        directory = os.path.dirname(directory)
    return None


def links(find, undo=None):
    """A directory with a link to each program; 'find' gives its path."""
    directory = tempfile.mkdtemp(prefix="ovs-dpx-bin-")
    if undo:
        undo.add(shutil.rmtree, directory)
    for name in NAMES:
        path = find(name)
        if path:
            os.symlink(path, os.path.join(directory, name))
    return directory


def of_build(directory, undo):
    """The programs of another build directory: with bin/, or Open vSwitch's
    own."""
    def find(name):
        for sub in ("bin", "vswitchd", "ovsdb", "utilities"):
            path = os.path.join(os.path.abspath(directory), sub, name)
            if os.path.exists(path):
                return path
        return None
    return links(find, undo)


def prepare(here):
    """Sets up the environment, and the path to the harness."""
    for place in (here, os.path.join(here, "..", "..", "tests", "system")):
        if os.path.isdir(os.path.join(place, "harness")):
            sys.path.append(os.path.abspath(place))
            break
    if "DPX_BIN" in os.environ or "DPX_BUILD" in os.environ:
        return
    build = _build_of(os.environ.get("DPX_BENCH_PROGRAM", ""))
    if build:
        os.environ["DPX_BUILD"] = build
        return
    directory = links(lambda name: shutil.which(name, path=SYSTEM))
    os.environ["DPX_BIN"] = directory
    os.environ.setdefault("DPX_SCHEMA",
                          "/usr/share/openvswitch/vswitch.ovsschema")
