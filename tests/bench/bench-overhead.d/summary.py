# SPDX-License-Identifier: Apache-2.0
#
# Medians, spreads and verdicts of bench-overhead.
#
# Pure: lists of numbers in, numbers and words out.  tests/build/
# bench-overhead.sh holds it to known answers.

import math
import random

GOAL_RATIO = 1.01               # At most this,
GOAL_CYCLES = 2.0               # or this many cycles per packet.
DRAWS = 2000


def percentile(values, percent):
    """By linear interpolation between the two nearest ranks."""
    values = sorted(values)
    at = (len(values) - 1) * percent / 100
    low = math.floor(at)
    high = min(low + 1, len(values) - 1)
    return values[low] + (values[high] - values[low]) * (at - low)


def median(values):
    return percentile(values, 50)


def flat(rounds):
    return [value for values in rounds for value in values]


def median_interval(rounds, seed=1):
    """95 % confidence interval of the median of all values of all 'rounds',
    by bootstrap of whole rounds, whose values depend on each other.  The seed
    is fixed, so that the same trials always give the same verdict."""
    rng = random.Random(seed)
    draws = [median(flat(rng.choices(rounds, k=len(rounds))))
             for _ in range(DRAWS)]
    return percentile(draws, 2.5), percentile(draws, 97.5)


class Comparison:
    """One case: in round i stock ran as 'a[i]' and 'b[i]', ours as
    'ours[i]', in cycles per packet.  Ours is compared with each run of stock,
    not with their mean: a disturbed run would count twice as often in it."""

    def __init__(self, a, b, ours):
        ratios = [(o / x, o / y) for x, y, o in zip(a, b, ours)]
        self.ratio = median(flat(ratios))
        self.interval = median_interval(ratios)
        self.extra = median(flat((o - x, o - y)
                                 for x, y, o in zip(a, b, ours)))
        control = [(y / x,) for x, y in zip(a, b)]
        self.control = median(flat(control))
        self.control_interval = median_interval(control)
        self.spread = max(abs(end - 1) for end in self.control_interval)

    def resolved(self):
        """Stock against stock spreads less than ours differs from it, and
        chance alone does not explain the difference."""
        return (abs(self.ratio - 1) > self.spread
                and not self.interval[0] <= 1 <= self.interval[1])

    def within_goal(self):
        return self.ratio <= GOAL_RATIO or self.extra <= GOAL_CYCLES

    def verdict(self):
        return "%s, %s" % ("resolved" if self.resolved() else "not resolved",
                           "within the goal" if self.within_goal()
                           else "ABOVE THE GOAL")
