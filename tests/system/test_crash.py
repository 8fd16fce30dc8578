# SPDX-License-Identifier: Apache-2.0
#
# vswitchd is killed under load and started again on the same database.

import os
import signal

from harness import given, paced
from harness.switch import wait_until
from harness.testing import expect, expect_equal


def fixture(undo):
    s = given.switch(undo)
    s.vsctl("set", "Open_vSwitch", ".",
            "other_config:pmd-rxq-assign=placement")
    s.add_port("br0", "p0", "dpx-paced", 1, n_rxq=2,
               **{"rx-rate": 20000})
    s.add_port("br0", "sink", "dpx-paced", 2)
    given.forward(s, 1, 2)
    flows(s)
    return s


def flows(s):
    wait_until(lambda: any(int(r["RECEIVED"]) > 10000 for r in
                           paced.rows(s, "sink", "SOURCE")),
               "packets arrive at the sink", 15)


def test_restart_after_kill_9_works_as_before(s):
    before = s.get("Open_vSwitch", ".", "other_config")
    queues = sorted(given.placement(s))
    s.vswitchd.kill()
    expect_equal(s.vswitchd.status(), -signal.SIGKILL, "how it ended")
    s.start_vswitchd()
    wait_until(lambda: sorted(given.placement(s)) == queues,
               "the same queues are polled", 20)
    given.forward(s, 1, 2)
    flows(s)
    expect_equal(s.get("Open_vSwitch", ".", "other_config"), before,
                 "other_config")
    answer = s.query("dpif-netdev/pmd-placement-show")
    expect_equal(answer["pmd_rxq_assign"], "placement", "policy")


def test_database_is_current_after_it(s):
    wanted = {str(q): str(c) for (p, q), c in given.placement(s).items()
              if p == "p0"}
    wait_until(lambda: s.get("Interface", "p0", "rxq_placement") == wanted,
               "rxq_placement is %s" % wanted, 15, 0.3)


def test_ephemeral_columns_are_not_on_disk(s):
    with open(s.path("conf.db"), encoding="utf-8") as f:
        # The first record is the schema, which names the column.
        journal = f.read().split("\nOVSDB JSON", 2)[2]
    expect("rxq_placement" not in journal, "rxq_placement is in conf.db")
    expect(os.path.getsize(s.path("conf.db")) > 0, "conf.db is empty")
