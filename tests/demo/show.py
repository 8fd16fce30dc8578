# SPDX-License-Identifier: Apache-2.0
#
# What the demo prints: numbered steps with the time, and what the switch's
# own commands answered, shortened to what matters here.

import re
import time

# The lines of pmd-stats-show that stay.
STATISTICS = ("packets received:", "megaflow hits:", "idle cycles:",
              "processing cycles:", "avg processing cycles per packet:")

# Of a megaflow's match, what every one here has.
COMMON = re.compile(r"recirc_id\(0\),?|packet_type\([^)]*\),?|"
                    r"dp_hash\([^)]*\),?|skb_priority\([^)]*\),?|,?frag=no")


class Screen:
    def __init__(self):
        self.start = time.monotonic()
        self.n = 0

    def elapsed(self):
        return time.monotonic() - self.start

    def step(self, text):
        self.n += 1
        print("\n[%5.1f s] %d. %s" % (self.elapsed(), self.n, text),
              flush=True)

    @staticmethod
    def text(text):
        for line in text.rstrip("\n").splitlines():
            print("    " + line, flush=True)

    @staticmethod
    def command(words):
        print("    $ " + words, flush=True)


def statistics(text):
    """pmd-stats-show without the main thread and the counters that are of
    no interest here."""
    lines, wanted = [], False
    for line in text.splitlines():
        if not line.startswith(" "):
            wanted = line.startswith("pmd thread")
            if wanted:
                lines.append(line)
        elif wanted and line.strip().startswith(STATISTICS):
            lines.append(line)
    return "\n".join(lines)


def percent(value):
    return "-" if value is None else "%.1f" % value


def table(columns, rows):
    """Lines of a table; the columns of numbers are right-aligned."""
    cells = [list(columns)] + [[str(c) for c in row] for row in rows]
    widths = [max(len(row[i]) for row in cells) for i in range(len(columns))]
    right = [all(re.fullmatch(r"[-\d.]+", row[i]) for row in cells[1:])
             for i in range(len(columns))]
    lines = []
    for row in cells:
        line = "  ".join(c.rjust(w) if r else c.ljust(w)
                         for c, w, r in zip(row, widths, right))
        lines.append(line.rstrip())
    return "\n".join(lines)


def placement(text):
    """pmd-placement-show up to its list of options, without facts about
    what is not used here."""
    lines = []
    for line in text.splitlines():
        if line.startswith("Options in force"):
            break
        if not line.startswith(("dpx-enable", "pmd-rxq-isolate",
                                "refused options", "datapath")):
            lines.append(line)
    return "\n".join(lines).rstrip("\n")


def flows(rows):
    return table(("RANK", "CORE", "RXQ", "PPS", "SHARE %", "PACKETS",
                  "MATCH"),
                 [(r["rank"], r["core"], r["rxq"] or "-",
                   "-" if r["pps"] is None else "%d" % r["pps"],
                   percent(r["share_pct"]), r["packets"],
                   COMMON.sub("", r["match"]).rstrip(",")) for r in rows])
