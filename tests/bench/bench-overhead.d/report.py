# SPDX-License-Identifier: Apache-2.0
#
# Prints what bench-overhead found: a table for people, a line for programs.
#
# Called once, at the end.  It measures nothing and hides nothing: repeated
# and disturbed trials are counted, and every trial is in trials.json.

import machine
import summary
import trial

# In each round: stock, stock in another layout, ours.
NAMES = (("a", "stock"), ("b", "stock again"), ("ours", "ours"))


def spread(values):
    return "%7.1f [%.1f %.1f]" % (summary.median(values),
                                  summary.percentile(values, 10),
                                  summary.percentile(values, 90))


def compare(rounds):
    return summary.Comparison(*([ts[-1].cycles for ts in rounds[name]]
                                for name, title in NAMES))


def print_case(case, rounds, comparison, instructions):
    trials = [t for name in rounds for ts in rounds[name] for t in ts]
    used = [ts[-1] for name in rounds for ts in rounds[name]]
    share = {tier: summary.median([t.tiers[tier] for t in used])
             for tier in trial.TIERS}
    print("\n%s (hits: %s)" % (case.title, ", ".join(
        "%s %.1f %%" % (tier, 100 * share[tier]) for tier in trial.TIERS
        if share[tier] >= 0.0005)))
    for name, title in NAMES:
        mine = [ts[-1] for ts in rounds[name]]
        print("  %-20s %-26s  steal %.2f %%, thrown off its core %d times"
              % (title, spread([t.cycles for t in mine]),
                 100 * summary.median([t.steal for t in mine]),
                 sum(t.switches for t in mine)))
    print("  stock again / stock   %.4f [%.4f %.4f]"
          % ((comparison.control,) + comparison.control_interval))
    print("  ours / stock          %.4f [%.4f %.4f]  extra %+.2f cycles: %s"
          % ((comparison.ratio,) + comparison.interval
             + (comparison.extra, comparison.verdict())))
    if instructions:
        print("  instructions/packet   stock %.2f, ours %.2f, extra %+.2f"
              % (instructions["stock"], instructions["ours"],
                 instructions["ours"] - instructions["stock"]))
    print("  trials: %d, of them repeated because disturbed %d, used though "
          "disturbed %d"
          % (len(trials), len(trials) - len(used),
             sum(not t.valid() for t in used)))


def print_all(args, cflags, results, instructions):
    print("\nCycles per packet at P2P, net_pcap replay -> net_null, 64 byte "
          "frames, one PMD\nthread on core %d.  Median [P10 P90] of %d "
          "rounds of %g s; of ratios within a\nround the median [95 %% "
          "confidence].  %d layouts of each program, seed %d.\n%s\n%s"
          % (args.pmd_core, args.rounds, args.seconds, args.layouts,
             args.seed, machine.describe(), "CFLAGS " + cflags))
    found = {}
    for case in args.cases:
        rounds = results[case.key]
        found[case.key] = compare(rounds)
        print_case(case, rounds, found[case.key],
                   instructions.get(case.key))
    words = ["ratio_%s=%.4f" % (k, c.ratio) for k, c in found.items()]
    words += ["extra_cycles_%s=%.2f" % (k, c.extra)
              for k, c in found.items()]
    words.append("aa_spread=%.4f" % max(c.spread for c in found.values()))
    print("\nRESULT " + " ".join(words))
