# SPDX-License-Identifier: Apache-2.0
#
# The published tables: which cells this machine can fill, each a campaign of
# its own whose result says where it belongs.  A cell that it cannot fill gets
# a file that says why.

import copy
import json
import os
import subprocess
import sys

import campaign
import programs
from harness.failure import Failure

ON_OFF = ("on", "off")


class Cell:
    def __init__(self, row, column, command, **options):
        self.row = row
        self.column = column
        self.command = command
        self.options = options

    def stem(self):
        return "".join(c if c.isalnum() else "-" for c in
                       "%s--%s" % (self.row, self.column)).strip("-")


def opnfv(_):
    cells = []
    for pmds in (1, 2, 4):
        cells += [
            Cell(str(pmds), "P2P 10K FLOWS", "p2p", pmds=pmds, flows=10000,
                 queues=pmds),
            Cell(str(pmds), "PVP 10K FLOWS", "pvp", pmds=pmds, flows=10000,
                 queues=pmds),
            Cell(str(pmds), "PVP 4 FLOWS", "pvp", pmds=pmds, flows=4,
                 queues=pmds)]
    return cells


def vms(_):
    return [Cell("2 VMs, 2 PMD threads, 1 queue", "-", "pvvp", pmds=2,
                 queues=1),
            Cell("2 VMs, 4 PMD threads, 2 queues", "-", "pvvp", pmds=4,
                 queues=2)]


def state_of_host():
    """"smt/iommu" as this host is now."""
    import snapshot
    found = dict(snapshot.machine())
    smt = "on" if found["smt"] == "on" else "off"
    return "%s/%s" % (smt, "on" if found["iommu_groups"] else "off")


def smt(options):
    row = options.host or state_of_host()
    if row not in ["%s/%s" % (a, b) for a in ON_OFF for b in ON_OFF]:
        raise Failure("--host: '%s' is not SMT/IOMMU, each on or off" % row)
    return [Cell(row, column, "p2p", size=1518)
            for column in ("A TO B", "B TO A")]


def xps(_):
    """A thread picks a tx queue as it sends (XPS) where there are fewer than
    threads; else each has its own."""
    return [Cell("on", "-", "p2p", size=1518, flows=1, sink_txqs=1),
            Cell("off", "-", "p2p", size=1518, flows=1)]


TABLES = {"opnfv-baseline": opnfv, "rfc2544-vms": vms, "smt-iommu": smt,
          "xps": xps}


def write_missing(path, facts, reason):
    whole = dict(facts, missing=reason, state="complete", goals=[],
                 trials=[], machine=[], summary=[])
    with open(path, "w", encoding="utf-8") as f:
        json.dump(whole, f, indent=1, sort_keys=True)


def measure(options, cell, directory):
    """Returns why the cell could not be measured, or None."""
    mine = copy.copy(options)
    mine.command = cell.command
    for key, value in cell.options.items():
        setattr(mine, key, value)
    facts = {"table": options.name, "row": cell.row, "column": cell.column,
             "label": options.host or "ours"}
    path = os.path.join(directory, "%s--%s.json" % (cell.stem(),
                                                    facts["label"]
                                                    .replace("/", "-")))
    mine.output = path
    campaign.say(options, "== %s, %s" % (cell.row, cell.column))
    try:
        campaign.run(mine, facts, quiet=True)
    except Failure as failure:
        if not os.path.exists(path):
            write_missing(path, facts, failure.what.splitlines()[0])
        return failure.what
    return None


def run(options):
    if options.name == "rfc2544-vms" and options.against is None:
        sys.stderr.write("rfc2544-vms: without --against or the results of "
                         "another --host there is no gain\n")
    directory = options.output or "%s-%s" % (
        options.name, options.started.replace(":", ""))
    os.makedirs(directory, exist_ok=True)
    status = 0
    for cell in TABLES[options.name](options):
        if measure(options, cell, directory):
            status = 3
    words = [programs.bench(), "table", options.name, "--from=" + directory]
    subprocess.run(words + (["--json"] if options.json else []), check=True)
    print("results: " + directory)
    return status
