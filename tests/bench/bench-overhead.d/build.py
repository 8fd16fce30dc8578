# SPDX-License-Identifier: Apache-2.0
#
# Links an ovs-vswitchd several times, so that its code and data lie
# elsewhere each time.
#
# Where a function lies decides how it shares lines and predictor entries with
# others, and that alone moves a result by more than what is to be measured.
# So stock and ours both run in several layouts, and stock against stock shows
# what is left.  Called by bench-overhead; it builds nothing else, and leaves
# the build directory as it was.

import os
import random
import shutil
import subprocess

import machine

PROGRAM = "vswitchd/ovs-vswitchd"
PROBE = "dpif_netdev_run"       # A function in the middle of the datapath.


class Build:
    """A built Open vSwitch: NAME-src and NAME-build below 'top'."""

    def __init__(self, top, name):
        self.name = name
        self.dir = os.path.join(top, name + "-build")
        self.schema = os.path.join(top, name + "-src",
                                   "vswitchd/vswitch.ovsschema")
        for path in (self.path(PROGRAM), self.schema):
            if not os.path.exists(path):
                raise machine.Failure("%s is not built: run 'make "
                                      "bench-overhead'" % path)
        with open(self.path(PROGRAM), "rb") as f:
            if f.read(4) != b"\x7fELF":
                raise machine.Failure(
                    "%s is a libtool script: configure without "
                    "--enable-shared" % self.path(PROGRAM))

    def path(self, name):
        return os.path.join(self.dir, name)

    def words(self):
        """How it was configured."""
        with open(self.path("configure.words")) as f:
            return f.read().strip()

    def variable(self, name):
        """As make knows it: the makefile computes some."""
        done = subprocess.run(
            ["make", "-s", "--no-print-directory", "-C", self.dir,
             "--eval=print-it: ; @echo '$(%s)'" % name, "print-it"],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            raise machine.Failure("make in %s: %s" % (self.dir, done.stdout))
        return done.stdout.strip()

    def layouts(self, out, number, seed):
        """Paths of 'number' programs in directory 'out', linked where they
        are older than the build."""
        os.makedirs(out, exist_ok=True)
        made = []
        for i in range(number):
            program = os.path.join(out, "%s-%d" % (self.name, i))
            if (not os.path.exists(program)
                    or os.path.getmtime(program)
                    < os.path.getmtime(self.path(PROGRAM))):
                self.link(program, seed * 1000 + i)
            made.append(program)
        places = {address(program) for program in made}
        if len(places) != len(made):
            raise machine.Failure("two layouts of %s are the same: remove %s"
                                  % (self.name, out))
        return made

    def link(self, program, seed):
        pad = assemble(program + "-pad", seed, self.variable("CC"))
        kept = self.path(PROGRAM) + ".kept"
        os.rename(self.path(PROGRAM), kept)
        try:
            done = subprocess.run(
                ["make", "-C", self.dir, PROGRAM,
                 "LDFLAGS=%s %s" % (pad, self.variable("LDFLAGS"))],
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            if done.returncode:
                raise machine.Failure("linking %s failed:\n%s"
                                      % (program, done.stdout))
            shutil.move(self.path(PROGRAM), program)
        finally:
            os.rename(kept, self.path(PROGRAM))


def assemble(stem, seed, cc):
    """An object of nothing, to be linked in front of all others."""
    rng = random.Random(seed)
    text, data, bss = (16 * rng.randrange(1, 4096) for _ in range(3))
    with open(stem + ".s", "w") as f:
        f.write("\t.text\n\t.balign 16\n\t.skip %d, 0x90\n"
                "\t.data\n\t.balign 16\n\t.skip %d\n"
                "\t.bss\n\t.balign 16\n\t.skip %d\n"
                "\t.section .note.GNU-stack,\"\",@progbits\n"
                % (text, data, bss))
    subprocess.run(cc.split() + ["-c", "-o", stem + ".o", stem + ".s"],
                   check=True)
    return stem + ".o"


def address(program):
    """Where the datapath lies in 'program'."""
    done = subprocess.run(["nm", program], stdout=subprocess.PIPE, text=True,
                          check=True)
    for line in done.stdout.splitlines():
        words = line.split()
        if words[-1] == PROBE:
            return words[0]
    raise machine.Failure("%s has no %s: was it stripped?"
                          % (program, PROBE))
