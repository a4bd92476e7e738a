"""How the rows of the contract's tables are read and tried.

A table is a list of rows (method, path, role, body, status, expected). A string between rows is a heading.

* role: a key of the world's people ("admin", "user", "super", "other", "other-admin", "nobody"), or a dict of headers
* body: None, a dict or list (sent as JSON), or a text sent as it is
* expected: a text the whole body must equal, `matching(regex)`, a list or dict the JSON must equal,
  `having({...})` members the JSON must have among others, `keeping(name, member, ...)` one of these for later rows,
  or ANY
* $name in path, body and expected stands for what an earlier row has kept
"""

import http.client
import json
import re
import time

ANY = object()
EMPTY = ""


class matching:
    """The body, as text, matches a regular expression as a whole."""

    def __init__(self, pattern):
        self.pattern = pattern

    def accepts(self, text):
        return re.fullmatch(self.pattern, text, re.DOTALL) is not None

    def __repr__(self):
        return "a text matching " + self.pattern


class having:
    """The JSON has these members, whatever else it has; with a list: these elements are among its."""

    def __init__(self, members):
        self.members = members

    def accepts(self, text):
        return _has(json.loads(text), self.members)

    def __repr__(self):
        return "JSON with " + json.dumps(self.members)


class lacking:
    """The body is JSON and does not mention this text."""

    def __init__(self, text):
        self.text = text

    def accepts(self, text):
        json.loads(text)
        return self.text not in text

    def __repr__(self):
        return "JSON without " + self.text


class keeping:
    """Keeps a member of the JSON under a name, after checking what else is expected."""

    def __init__(self, name, *path, expected=ANY):
        self.name, self.path, self.expected = name, path, expected


def _has(value, wanted):
    if isinstance(wanted, dict):
        return isinstance(value, dict) and all(key in value and _has(value[key], wanted[key]) for key in wanted)
    if isinstance(wanted, list):
        return isinstance(value, list) and all(any(_has(one, element) for one in value) for element in wanted)
    if isinstance(wanted, matching):
        return wanted.accepts(str(value))
    return value == wanted


class Failure(Exception):
    pass


class World:
    """A running set: where it is, who may be asked as, and what rows have kept."""

    def __init__(self, access):
        self.host = access["url"].split("//")[1].rstrip("/")
        self.people = {"nobody": {}}
        self.kept = {}
        self.rows = 0
        self.connection = None
        names = {("demo", "admin"): "admin", ("demo", "user"): "user", ("superadmin", "superadmin"): "super"}
        for user in access["users"]:
            name = names.get((user["tenant"], user["role"]))
            if name:
                self.add_person(name, user["tenant"], user["user"], user["apikey"])

    def add_person(self, name, tenant, user, key):
        self.people[name] = {"Coopr-UserID": user, "Coopr-TenantID": tenant, "Coopr-ApiKey": key}

    def fill(self, value):
        """`value` with what was kept in place of $names."""
        if isinstance(value, str):
            return re.sub(r"\$([a-z_]+)", lambda match: str(self.kept.get(match[1], match[0])), value)
        if isinstance(value, dict):
            return {self.fill(key): self.fill(one) for key, one in value.items()}
        if isinstance(value, list):
            return [self.fill(one) for one in value]
        if isinstance(value, having):
            return having(self.fill(value.members))
        if isinstance(value, matching):
            return matching(self.fill(value.pattern))
        return value

    def ask(self, method, path, role, body=None):
        """Status, headers and text of one answer."""
        status, headers, content = self.ask_bytes(method, path, role, body)
        return status, headers, content.decode()

    def ask_bytes(self, method, path, role, body=None):
        headers = dict(role) if isinstance(role, dict) else dict(self.people[role])
        path, body = self.fill(path), self.fill(body)
        if body is not None and not isinstance(body, (str, bytes)):
            body = json.dumps(body)
        if isinstance(body, str):
            body = body.encode()
        connection = http.client.HTTPConnection(self.host, timeout=60)
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read()
        finally:
            connection.close()

    def json(self, method, path, role, body=None, status=200):
        got, _, text = self.ask(method, path, role, body)
        if got != status:
            raise Failure(f"{method} {path} answered {got} {text}")
        return json.loads(text) if text else None

    def try_row(self, row):
        method, path, role, body, status, expected = row
        got, headers, text = self.ask(method, path, role, body)
        self.rows += 1
        where = f"{method} {self.fill(path)} as {role} with {self.fill(body)!r}"[:2000]
        if got != status:
            raise Failure(f"{where}\n  answered {got} instead of {status}: {text}")
        self.check_headers(where, got, headers, text, expected)
        wanted = expected.expected if isinstance(expected, keeping) else expected
        self.check_body(where, text, self.fill(wanted))
        if isinstance(expected, keeping):
            value = json.loads(text)
            for step in expected.path:
                value = value[step]
            self.kept[expected.name] = value

    @staticmethod
    def check_headers(where, status, headers, text, expected):
        kind = headers.get("Content-Type", "")
        if isinstance(expected, (dict, list, having, keeping, lacking)) and kind != "application/json":
            raise Failure(f"{where}\n  is not application/json but {kind!r}")
        if isinstance(expected, str) and text and not kind.startswith("text/plain"):
            raise Failure(f"{where}\n  is not text/plain but {kind!r}")

    @staticmethod
    def check_body(where, text, expected):
        if expected is ANY:
            return
        if isinstance(expected, (dict, list)):
            good = json.loads(text) == expected
        elif isinstance(expected, str):
            good = text == expected
        else:
            good = expected.accepts(text)
        if not good:
            raise Failure(f"{where}\n  answered {text!r}\n  instead of {expected!r}")

    def wait_for_cluster(self, cluster, status, role="user", seconds=120):
        end = time.monotonic() + seconds
        while True:
            now = self.json("GET", f"/v2/clusters/{cluster}/status", role)["status"]
            if now == status:
                return
            if now != "pending" or time.monotonic() > end:
                raise Failure(f"cluster {cluster} is {now} instead of {status}")
            time.sleep(0.2)
