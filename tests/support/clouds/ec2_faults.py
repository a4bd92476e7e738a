"""Faults that tests ask for, and the envelope of errors that EC2 sends."""

import random
import threading
import time
import uuid
from xml.sax.saxutils import escape

# Statuses of real answers. InsufficientInstanceCapacity has been seen as 500, too: tests set `status`.
STATUSES = {"AuthFailure": 401, "UnauthorizedOperation": 403, "RequestLimitExceeded": 503, "Unavailable": 503, "InternalError": 500, "InsufficientInstanceCapacity": 500,
            "DryRunOperation": 412}


# What a rule of kind "chance" draws from: none of them says that the request was wrong.
HORRORS = [{"kind": "error", "code": "InternalError"}, {"kind": "error", "code": "Unavailable"}, {"kind": "throttle"}, {"kind": "lost_reply"}, {"kind": "truncated"},
           {"kind": "reset"}, {"kind": "delay", "delay_ms": 300}]
KINDS = {"error", "delay", "lost_reply", "truncated", "throttle", "reset", "chance"}


def envelope(code, message):
    """The body of an error."""
    return (f'<?xml version="1.0" encoding="UTF-8"?>\n<Response><Errors><Error><Code>{escape(code)}</Code><Message>{escape(message)}</Message></Error></Errors>'
            f"<RequestID>{uuid.uuid4()}</RequestID></Response>")


class Faults:
    """Rules in the order in which they were asked for; each serves `count` requests of its operation ("" or "*": of any). One of kind
    "chance" serves so many per cent of them with one of the HORRORS, drawn from `seed`."""

    def __init__(self):
        self.rules = []
        self.lock = threading.Lock()
        self.served = 0

    def add(self, rule):
        if rule.get("kind") not in KINDS:
            raise ValueError(f"no fault is called {rule.get('kind')}")
        with self.lock:
            self.rules.append({"operation": "*", "count": 1, "draw": random.Random(rule.get("seed", 1)), **rule})

    def clear(self):
        with self.lock:
            self.rules = []

    def take(self, operation):
        """The rule for this request, or None."""
        with self.lock:
            for rule in self.rules:
                if rule["count"] > 0 and rule["operation"] in ("", "*", operation):
                    rule["count"] -= 1
                    if rule["kind"] == "chance":
                        if rule["draw"].random() * 100 >= rule["percent"]:
                            return None
                        rule = rule["draw"].choice(HORRORS)
                    self.served += 1
                    return rule
        return None


def error_of(rule):
    """(status, code, message) of a rule that answers with an error; None for another rule."""
    if rule["kind"] == "throttle":
        return rule.get("status", 503), "RequestLimitExceeded", rule.get("message", "Request limit exceeded.")
    if rule["kind"] == "error":
        code = rule.get("code", "InternalError")
        return rule.get("status", STATUSES.get(code, 400)), code, rule.get("message", f"{code} was asked for")
    return None


def delay(rule):
    if rule["kind"] == "delay":
        time.sleep(rule.get("delay_ms", 1000) / 1000)


class Rates:
    """A bucket of tokens for each operation, as EC2 throttles: refills a second and the size of the bucket."""

    def __init__(self):
        self.limits = {}
        self.levels = {}
        self.lock = threading.Lock()
        self.throttled = 0

    def set(self, limits):
        with self.lock:
            self.limits = limits
            self.levels = {}

    def allows(self, operation):
        limit = self.limits.get(operation) or self.limits.get("*")
        if not limit:
            return True
        rate, burst = limit
        name = operation if operation in self.limits else "*"
        with self.lock:
            level, then = self.levels.get(name, (burst, time.monotonic()))
            level = min(burst, level + (time.monotonic() - then) * rate)
            allowed = level >= 1
            self.levels[name] = (level - allowed, time.monotonic())
            self.throttled += not allowed
        return allowed
