"""A service that misbehaves at random: every kind of fault, in so many calls of a hundred."""

import random


class Chaos:
    """`percent`: kind -> how often in a hundred calls. The same seed gives the same faults to the same calls in the same order."""

    def __init__(self, seed, percent):
        self.random, self.percent = random.Random(seed), percent

    def draw(self, operation):
        """A fault for the next call of that operation, or {}."""
        at = self.random.uniform(0, 100)
        for kind, often in self.percent.items():
            at -= often
            if at < 0:
                return self.fault(kind, operation)
        return {}

    def fault(self, kind, operation):
        if kind == "late" and operation != "droplets_create" or kind == "comes_back" and operation != "droplets_destroy":
            return {}
        more = {"error": {"status": self.random.choice((500, 502, 503, 504))}, "throttle": {"retry_after": self.random.randint(1, 3)},
                "delay": {"seconds": self.random.uniform(0.1, 4)}, "slow_request": {"seconds": self.random.uniform(0.1, 4)},
                "late": {"after": self.random.uniform(0.5, 7)}, "comes_back": {"after": self.random.uniform(0.5, 3)}}
        return {"kind": kind, **more.get(kind, {})}
