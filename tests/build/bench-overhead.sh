#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# tests/bench/bench-overhead without a switch: its captures, what it reads from
# a switch's output, its verdicts on known numbers, and what it refuses.

. "$(dirname "$0")/lib"

bench=$top/tests/bench/bench-overhead
# py CODE: runs it with the parts of bench-overhead at hand.
py() {
    PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$bench.d python3 -c "$1"
}

# Ten rounds of stock around 100, the second run scattered by 1 %.
verdict() {
    py "
import summary
a = [100 + i % 3 for i in range(10)]
b = [x * (1.01 if i % 2 else 0.99) for i, x in enumerate(a)]
c = summary.Comparison(a, b, [$1 for x in a])
print('%.3f %.1f spread %.3f %s' % (c.ratio, c.extra, c.spread, c.verdict()))"
}
ok "equal" verdict "x"
says "equal is not resolved" "not resolved, within the goal"
ok "half a percent" verdict "x * 1.005"
says "a difference inside the spread is not resolved" "not resolved, within"
ok "five percent" verdict "x * 1.05"
says "five percent is resolved" "1.050 5.1"
says "five percent is above" "spread 0.010 resolved, ABOVE THE GOAL"
ok "two cycles" verdict "x + 1.5"
says "the larger of ratio and cycles counts" "within the goal"

ok "median and percentiles" py "
import summary
assert summary.median([3, 1, 2]) == 2
assert summary.median([1, 2, 3, 4]) == 2.5
assert summary.percentile([0, 10], 10) == 1
low, high = summary.median_interval([(1,)] * 5 + [(3,)] * 5)
assert low == 1 and high == 3, (low, high)"

ok "captures" py "
import capture, struct
capture.write('one.pcap', 10, 30, 7)
capture.write('two.pcap', 10, 30, 7)
one = open('one.pcap', 'rb').read()
assert one == open('two.pcap', 'rb').read(), 'the seed is not all'
assert len(one) == 24 + 30 * (16 + 60)
frames = [one[24 + i * 76 + 16:24 + (i + 1) * 76] for i in range(30)]
assert sorted(map(frames.count, set(frames))) == [3] * 10
assert len({f[26:38] for f in frames}) == 10, 'not ten 5-tuples'
capture.write('few.pcap', 10, 30, 7, 2)
few = open('few.pcap', 'rb').read()
frames = [few[24 + i * 76 + 16:24 + (i + 1) * 76] for i in range(30)]
assert len({f[26:38] for f in frames}) == 10, 'not ten 5-tuples of two'
assert len({f[26:30] for f in frames}) == 2, 'not two sources'
capture.write('turn.pcap', 10, 30, None)
turn = open('turn.pcap', 'rb').read()[24:]
assert len(turn) == 30 * 76
assert turn[16:76] == turn[776:836] != turn[92:152], 'not in turn'
for f in frames:
    assert capture.checksum(f[14:34]) == 0, 'bad IP checksum'
    assert struct.unpack('!H', f[16:18])[0] == len(f) - 14"

# What the releases print: pmd-stats-show, and pmd-perf-show as in 4.0.
cat >stats <<'END2'
pmd thread numa_id 0 core_id 1:
  packets received: 1000
  packet recirculations: 0
  phwol hits: 0
  simple match hits: 10
  emc hits: 600
  smc hits: 0
  megaflow hits: 388
  miss with success upcall: 1
  miss with failed upcall: 1
  idle cycles: 50 (1.00%)
  processing cycles: 123456 (99.00%)
main thread:
  packets received: 7
END2
cat >perf <<'END2'
Time: 12:00:00.000
Measurement duration: 10.000 s

pmd thread numa_id 0 core_id 1:

  Iterations:                 5  (1.00 us/it)
  - Used TSC cycles:     200000  (100.0 % of total cycles)
  - idle iterations:          1  ( 25.0 % of used cycles)
  - busy iterations:          4  ( 75.0 % of used cycles)
  Rx packets:              1000  (1 Kpps, 150 cycles/pkt)
  - Simple Match hits:       10  (  1.0 %)
  - EMC hits:               600  ( 60.0 %)
  - SMC hits:                 0  (  0.0 %)
  - Megaflow hits:          388  ( 38.8 %, 1.00 subtbl lookups/hit)
  - Upcalls:                  1  (  0.1 %, 0.0 us/upcall)
  - Lost upcalls:             1  (  0.1 %)
END2
ok "both outputs" py "
import switch
want = dict(packets=1000, simple=10, emc=600, smc=0, megaflow=388, upcall=1,
            failed=1)
for name, cycles in (('stats', 123456), ('perf', 150000)):
    found = switch.parse_counters(open(name).read(), 1)
    assert found == dict(want, cycles=cycles), found"
refuses "another core" "no PMD thread on core 2" py "
import switch
switch.parse_counters(open('stats').read(), 2)"
refuses "a counter that is missing" "no 'emc' counter" py "
import switch
switch.parse_counters(open('stats').read().replace('emc', 'cme'), 1)"

ok "a window" py "
import trial
a = dict(waited_before=100, waited_after=100, ns=0, steal=0, packets=0,
         cycles=0)
b = dict(waited_before=100, waited_after=100, ns=10000, steal=0, packets=10,
         cycles=1000)
assert trial.window_cycles(a, b) == 100
assert trial.window_cycles(a, dict(b, waited_after=120)) is None
assert trial.window_cycles(dict(a, waited_before=80), b) is None
assert trial.window_cycles(a, dict(b, steal=10)) is None
assert trial.window_cycles(a, dict(b, packets=0)) is None
T = trial.Trial
assert T(100, {}, 0, 0, 5, 20).valid()
assert not T(100, {}, 0, 0, 4, 20).valid()
assert not T(100, {}, 0.02, 0, 20, 20).valid()
assert not T(None, {}, 0, 0, 0, 20).valid()"

refuses "a case that is none" "'nosuch'" "$bench" --build-dir . --case nosuch
refuses "one layout" "'1' is not at least 2" "$bench" --build-dir . --layouts 1
refuses "no rounds" "'0' is not above 0" "$bench" --build-dir . --rounds 0
refuses "a word" "nonsense" "$bench" --build-dir . nonsense
if test "$(id -u)" = 0; then
    refuses "nothing built" "is not built: run 'make bench-overhead'" \
        "$bench" --build-dir .
    refuses "no such core" "core 999 does not exist" \
        "$bench" --build-dir . --pmd-core 999
fi
finish
