# SPDX-License-Identifier: Apache-2.0
#
# The vocabulary of the system tests: what a test needs, and what it expects.
#
# A test is a function whose name begins with "test_"; it is given what the
# function "fixture" of its file returns, made once for the file.  It is
# skipped only by a probe below, whose name is in the result.

import os
import shutil

from . import hugepages


class Skip(Exception):
    """Ends a test that cannot run here; the text says which probe failed."""


def need_root():
    if os.geteuid():
        raise Skip("need_root: not root")


def need_hugepages():
    if not os.path.isdir(hugepages.DIRECTORY):
        raise Skip("need_hugepages: the kernel has none of 2 MB")
    try:
        hugepages.give_back(hugepages.take(PAGES))
    except hugepages.Failure as failure:
        raise Skip("need_hugepages: %s" % failure.what) from failure


def need_tun():
    if not os.path.exists("/dev/net/tun"):
        raise Skip("need_tun: no /dev/net/tun")


def need_two_cpus():
    if len(os.sched_getaffinity(0)) < 2:
        raise Skip("need_two_cpus: only one may be used")


def need_testpmd():
    if not shutil.which("dpdk-testpmd"):
        raise Skip("need_testpmd: dpdk-testpmd is not installed (package "
                   "dpdk-dev)")


def need_program(name):
    if not shutil.which(name):
        raise Skip("need_program: %s is not installed" % name)


PAGES = 300                     # Of 2 MB; enough for the hungriest file.


def need_switch():
    """All that a switch with DPDK needs."""
    need_root()
    need_tun()
    need_two_cpus()
    need_hugepages()


# Expectations.

def expect(condition, what):
    if not condition:
        raise AssertionError(what)


def expect_equal(got, wanted, what):
    if got != wanted:
        raise AssertionError("%s: is %r, should be %r" % (what, got, wanted))


def expect_near(got, wanted, tolerance, what):
    """'tolerance' is a fraction of 'wanted'."""
    if abs(got - wanted) > abs(wanted) * tolerance:
        raise AssertionError("%s: is %s, should be %s within %.0f %%"
                             % (what, got, wanted, tolerance * 100))


def expect_in(word, text, what):
    if word not in text:
        raise AssertionError("%s: %r is not in:\n%s" % (what, word, text))


def expect_refused(switch, *command, naming):
    """ovs-appctl 'command' is an error whose text quotes 'naming'."""
    from .switch import CommandError
    try:
        text = switch.appctl(*command)
    except CommandError as error:
        expect_in(naming, error.what, " ".join(command))
        return
    raise AssertionError("%s was accepted:\n%s" % (" ".join(command), text))
