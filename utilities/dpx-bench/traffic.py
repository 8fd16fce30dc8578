# SPDX-License-Identifier: Apache-2.0
#
# Who runs a trial: the paced model inside the switch, or the program's own
# generator.  Each returns what it counted, in the words of the search.

import select
import subprocess
import time

import programs
from harness import paced
from harness.failure import Failure
from harness.switch import tail
from pmds import Watch


def dropped(control):
    """{port: packets that the datapath could not send to it}."""
    found, name = {}, None
    for line in control.ask("dpctl/show", "-s").splitlines():
        words = line.split()
        if words[:1] == ["port"]:
            name = words[2]
        if words[:1] == ["TX"] and name:
            for word in words:
                key, _, value = word.partition(":")
                if key == "dropped" and value.isdigit():
                    found[name] = int(value)
    return found


class Drops:
    """Drops by place, from its making until told() is called."""

    def __init__(self, scene):
        self.scene = scene
        self.before = self._read()

    def _read(self):
        found = {"tx_" + port: n
                 for port, n in dropped(self.scene.control).items()
                 if port.startswith("v") or self.scene.generated}
        for guest in self.scene.guests:
            found.update(guest.drops())
        return found

    def told(self, more):
        now = self._read()
        places = {k: n - self.before.get(k, 0) for k, n in now.items()}
        places.update(more)
        return {"dropped": sum(places.values()),
                "drops": ",".join("%s:%d" % p for p in sorted(places.items())
                                  if p[1]) or "-"}


class Paced:
    """The model: rx rings filled at a set rate, and a sink that checks."""

    name = "paced model (no generator: rx rings are filled by the clock)"
    stretch = 20                # Percent that a trial may take longer.

    def __init__(self, scene):
        self.scene = scene
        self.control = scene.control
        self.queues = scene.options.queues

    def _total(self, port, table, *columns):
        rows = paced.rows(self, port, table)
        return sum(int(r[c]) for r in rows for c in columns)

    def appctl(self, *words):
        return self.control.ask(*words)

    def _settle(self, most=3):
        """Waits until nothing moves any more."""
        last, end = None, time.monotonic() + most
        while time.monotonic() < end:
            now = (self._total("p0", "RXQ", "PACKETS"),
                   self._total("p1", "SOURCE", "RECEIVED"),
                   [r["RING"].split("/")[0]
                    for r in paced.rows(self, "p0", "RXQ")])
            if now == last and set(now[2]) <= {"0"}:
                return
            last = now
            time.sleep(0.1)

    def trial(self, load, seconds):
        self.scene.check()
        self.control.ask("dpx-paced/reset")
        drops, watch = Drops(self.scene), Watch(self.control)
        rate = max(1, round(load / self.queues))
        start = time.monotonic()
        self.control.ask("dpx-paced/set-rate", "p0", "all", rate)
        time.sleep(max(0, start + seconds - time.monotonic()))
        self.control.ask("dpx-paced/set-rate", "p0", "all", 0)
        told = watch.told()
        self._settle()
        self.scene.check()
        missed = self._total("p0", "RXQ", "MISSED")
        sent = self._total("p0", "RXQ", "PACKETS") + missed
        # The model offers exactly what its clock says, so what it offered
        # tells for how long it did.
        told.update({
            "measured": "%.6f" % (sent / load), "sent": sent,
            "received": (self._total("p1", "SOURCE", "RECEIVED")
                         - self._total("p1", "SOURCE", "DUPLICATED")),
            "duplicates": self._total("p1", "SOURCE", "DUPLICATED"),
            "reordered": self._total("p1", "SOURCE", "REORDERED")})
        told.update(drops.told({
            "rx_missed": missed,
            "tx_p1": self._total("p1", "TXQ", "DROPPED")}))
        return told

    def fastest(self, asked):
        """The model needs no core, so any load can be offered."""
        return asked


class Generator:
    """ovs-dpx-bench generate, on ports of its own."""

    name = "generator on virtio-user"
    stretch = 1

    def __init__(self, scene, undo):
        self.scene = scene
        options = scene.options
        self.log = scene.switch.path("generator.out")
        with open(self.log, "w", encoding="utf-8") as log:
            self.child = subprocess.Popen(
                [programs.bench(), "generate", "--size=%d" % options.size,
                 "--flows=%d" % options.flows,
                 "--core=%d" % scene.other_core]
                + ["virtio:" + scene.switch.path("p%d.sock" % i)
                   for i in range(2)],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log,
                text=True)
        undo.add(self._end)
        self._read("ready", 30)

    def _end(self):
        self.child.kill()
        self.child.wait()

    def _read(self, word, seconds):
        """The rest of the next line, which begins with 'word'."""
        ready, _, _ = select.select([self.child.stdout], [], [], seconds)
        line = self.child.stdout.readline() if ready else None
        if not line:
            status = self.child.poll()
            with open(self.log, encoding="utf-8", errors="replace") as f:
                said = tail(f.read())
            raise Failure("the generator %s.  What it said last:\n%s"
                          % ("does not answer" if status is None
                             else "has died (status %d)" % status, said))
        first, _, rest = line.strip().partition(" ")
        if first != word:
            raise Failure("the generator says: " + line.strip())
        return rest

    def _run(self, load, seconds):
        try:
            self.child.stdin.write("trial %f %f\n" % (load, seconds))
            self.child.stdin.flush()
        except BrokenPipeError:
            pass                # Reading tells why.
        return dict(pair.split("=") for pair in
                    self._read("result", seconds + 30).split())

    def trial(self, load, seconds):
        self.scene.check()
        drops, watch = Drops(self.scene), Watch(self.scene.control)
        counted = self._run(load, seconds)
        counted.update(watch.told())
        self.scene.check()
        counted.update(drops.told({}))
        return counted

    def fastest(self, asked):
        """Packets/s that it can send on these ports, at most 'asked'; with a
        quarter to spare."""
        best = 0
        for _ in range(3):
            counted = self._run(asked * 2, 0.3)
            best = max(best, int(counted["sent"])
                       / float(counted["measured"]))
        self.scene.notes.append("the generator can send %.0f packets/s on "
                                "these ports" % best)
        return min(asked, best * 0.75)
