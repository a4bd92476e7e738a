"""One request: who asks, how often, what goes wrong on purpose, the operation, and what the judge says about both sides."""

import json
import math
import threading
import time
from collections import Counter, deque
from urllib.parse import parse_qs, unquote, urlencode, urlsplit

from .chaos import Chaos
from .routes import SCOPES_OF_MEMBERS, check, find
from .world import Refusal, World, not_found


class Call:
    """What an operation gets."""

    def __init__(self, base, path, values, query, body, fault, largest_page):
        self.largest_page = largest_page
        self.base, self.path, self.values, self.query, self.body, self.fault = base, path, values, query, body, fault

    def page(self, name, items):
        """A page of a list, with links to the others: 20 items, or as many as `per_page` says."""
        size, number = min(int(self.query.get("per_page", 20)), self.largest_page), int(self.query.get("page", 1))
        last = max(1, math.ceil(len(items) / size))
        others = {"first": 1, "prev": number - 1} if number > 1 else {}
        others |= {"next": number + 1, "last": last} if number < last else {}
        pages = {word: f"{self.base}{self.path}?{urlencode({**self.query, 'page': page, 'per_page': size})}" for word, page in others.items()}
        return {name: items[(number - 1) * size:number * size], "links": {"pages": pages} if pages else {}, "meta": {"total": len(items)}}


class Answer:
    """`cut` says that half of the body is sent, `lost` that nothing is."""

    def __init__(self, status, body, headers=None, delay=0.0, cut=False, lost=False):
        self.status, self.body, self.headers, self.delay, self.cut, self.lost = status, body, headers or {}, delay, cut, lost


class Service:
    def __init__(self, judge):
        check(judge)
        self.judge, self.world, self.lock = judge, World(), threading.Lock()
        self.faults, self.calls, self.injected, self.refused, self.wrong_answers = [], Counter(), Counter(), [], []
        self.moments = deque()
        self.throttled, self.chaos = 0, None

    def serve(self, method, target, headers, body, base):
        target = urlsplit(target)
        route, values = find(method, target.path)
        with self.lock:
            fault = self.next_fault(route.operation) if route else {}
        if fault.get("kind") == "slow_request":
            # On its way: whoever asked may be gone when it arrives.
            time.sleep(fault["seconds"])
        with self.lock:
            return self.serve_alone(method, target, route, values, fault, headers, body, base)

    def serve_alone(self, method, target, route, values, fault, headers, body, base):
        values = {name: unquote(value) for name, value in values.items()}
        query = {name: texts[-1] for name, texts in parse_qs(target.query, keep_blank_values=True).items()}
        if route is None:
            self.refused.append({"operation": f"{method} {target.path}", "reasons": ["this is not simulated"]})
            return Answer(404, not_found().body)
        self.calls[route.operation] += 1
        try:
            self.keep_limits(fault)
            if fault.get("kind") in ("error", "lost_request"):
                return self.fail(fault)
            self.check_token(route, headers)
            status, answer = self.carry_out(route, values, query, headers, body, base, target.path, fault)
        except Refusal as refusal:
            status, answer, fault = refusal.status, refusal.body, {**fault, "retry_after": getattr(refusal, "retry_after", None)}
        self.judge_answer(route, status, answer)
        return self.spoilt(fault, status, answer)

    def carry_out(self, route, values, query, headers, body, base, path, fault):
        if reasons := self.judge.problems_with_request(route.operation, values, query, headers, body):
            self.refused.append({"operation": route.operation, "reasons": reasons, "body": body.decode(errors="replace")[:2000]})
            raise Refusal(422, "unprocessable_entity", reasons[0])
        content = json.loads(body) if body else {}
        if route.operation == "droplets_create":
            self.check_scopes(headers, {scope for member, scope in SCOPES_OF_MEMBERS.items() if content.get(member)})
        return route.act(self.world, Call(base, path, values, query, content, fault, self.world.settings["largest_page"]))

    def judge_answer(self, route, status, answer):
        # What is kept may still change: as it is sent, it is judged.
        if problems := self.judge.problems_with_answer(route.operation, status, json.loads(json.dumps(answer))):
            self.wrong_answers.append({"operation": route.operation, "status": status, "problems": problems})

    def spoilt(self, fault, status, answer):
        headers = self.limit_headers()
        if fault.get("retry_after"):
            headers["retry-after"] = str(math.ceil(fault["retry_after"]))
        kind = fault.get("kind")
        if kind == "late":
            status, answer = 503, {"id": "service_unavailable", "message": "Service Unavailable"}
        return Answer(status, json.loads(json.dumps(answer)), headers, fault.get("seconds", 0.0) if kind == "delay" else 0.0, kind == "truncated",
                      kind == "lost_reply")

    def fail(self, fault):
        status = fault.get("status", 503)
        body = {"id": fault.get("id", "service_unavailable"), "message": fault.get("message", "Service Unavailable")}
        return Answer(status, body, self.limit_headers(), lost=fault["kind"] == "lost_request")

    def next_fault(self, operation):
        for fault in self.faults:
            if fault["operation"] in (operation, "*") and fault["count"] > 0:
                fault["count"] -= 1
                self.injected[fault["kind"]] += 1
                return dict(fault)
        fault = self.chaos.draw(operation) if self.chaos else {}
        if fault:
            self.injected[fault["kind"]] += 1
        return fault

    def used(self, seconds):
        return sum(1 for moment in self.moments if moment > self.world.now() - seconds)

    def keep_limits(self, fault):
        settings, now = self.world.settings, self.world.now()
        while self.moments and self.moments[0] <= now - settings["hour_seconds"]:
            self.moments.popleft()
        refusal = Refusal(429, "too_many_requests", "API Rate limit exceeded.")
        if fault.get("kind") == "throttle":
            refusal.retry_after = fault.get("retry_after", 1)
            raise refusal
        if len(self.moments) >= settings["hour_limit"]:
            # Only the burst says when to come back.
            self.throttled += 1
            raise refusal
        if self.used(settings["burst_seconds"]) >= settings["burst_limit"]:
            first = next(moment for moment in self.moments if moment > now - settings["burst_seconds"])
            refusal.retry_after = first + settings["burst_seconds"] - now
            self.throttled += 1
            raise refusal
        self.moments.append(now)

    def limit_headers(self):
        settings = self.world.settings
        oldest = self.moments[0] if self.moments else self.world.now()
        return {"ratelimit-limit": str(settings["hour_limit"]), "ratelimit-remaining": str(max(0, settings["hour_limit"] - len(self.moments))),
                "ratelimit-reset": str(math.ceil(oldest + settings["hour_seconds"]))}

    def granted(self, headers):
        kind, _, token = headers.get("Authorization", "").partition(" ")
        scopes = self.world.settings["tokens"].get(token) if kind == "Bearer" else None
        if scopes is None:
            raise Refusal(401, "Unauthorized", "Unable to authenticate you")
        return set(scopes)

    def check_token(self, route, headers):
        self.check_scopes(headers, route.scopes)

    def check_scopes(self, headers, wanted):
        granted = self.granted(headers)
        if "*" not in granted and not wanted <= granted:
            raise Refusal(403, "forbidden", "You are not authorized to perform this operation")

    def control(self, method, path, body):
        """Paths below /-/, for tests."""
        with self.lock:
            if (method, path) == ("POST", "/-/fault"):
                self.faults.append({"count": 1, **json.loads(body)})
            elif (method, path) == ("POST", "/-/chaos"):
                wanted = json.loads(body)
                self.chaos = Chaos(**wanted) if wanted else None
            elif (method, path) == ("POST", "/-/settings"):
                self.world.settings.update(json.loads(body))
            elif (method, path) == ("POST", "/-/switch_off"):
                self.world.droplets[json.loads(body)["droplet"]].is_off = True
            elif (method, path) == ("POST", "/-/change_firewalls"):
                for firewall in self.world.firewalls.values():
                    firewall.update(json.loads(body))
            elif (method, path) == ("POST", "/-/add_key"):
                number = next(self.world.numbers)
                self.world.keys[number] = {"id": number, "fingerprint": f"{number:032x}", **json.loads(body)}
            elif (method, path) == ("GET", "/-/state"):
                return self.world.everything()
            elif (method, path) == ("GET", "/-/calls"):
                return {"calls": self.calls, "faults": self.injected, "made": self.world.made, "throttled": self.throttled, "doubles": self.world.doubles,
                        "refused": self.refused, "wrong_answers": self.wrong_answers, "schema": str(self.judge.path or "")}
            elif (method, path) == ("POST", "/-/reset"):
                self.__init__(self.judge)
            else:
                return None
            return {}
