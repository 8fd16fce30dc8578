# SPDX-License-Identifier: Apache-2.0
#
# Reads what the paced test netdev says of itself.


def rows(switch, port, table):
    """Rows of one table ("RXQ", "TXQ", "SOURCE") of dpx-paced/show, as
    dicts."""
    found, names = [], None
    for line in switch.appctl("dpx-paced/show", port).splitlines()[1:]:
        words = line.split()
        if words[0] in ("RXQ", "TXQ", "SOURCE"):
            names = words if words[0] == table else None
        elif names:
            found.append(dict(zip(names, words)))
    return found


def total(switch, port, table, column):
    return sum(int(row[column]) for row in rows(switch, port, table))
