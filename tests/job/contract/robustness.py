"""Bodies, paths, headers and connections no client of good will sends: each is refused with a reason, none breaks or blocks
anything, and the web program stays the one it was."""

import http.client
import json
import os
import socket
import time
from pathlib import Path
from urllib.parse import quote

from .support import ANY, Failure, having, keeping

HERE = Path(os.environ.get("COOPERAGE_TEST_DIR", Path(__file__).parents[3] / "var" / "test"))
MIB = 1024 * 1024

# Bodies a client could send, one for each entity and call that reads one: method, path, who, body.
TEMPLATE = {
    "name": "rb", "label": "l", "description": "d", "icon": "i",
    "defaults": {"services": ["a", {"name": "b", "config": {"x": 1}}], "provider": "p", "hardwaretype": "h", "imagetype": "i",
                 "dnsSuffix": "example.com", "config": {"a": 1}},
    "compatibility": {"hardwaretypes": ["h"], "imagetypes": ["i"], "services": ["a"]},
    "constraints": {"layout": {"mustcoexist": [["a", "b"]], "cantcoexist": [["a", "c"]]},
                    "services": {"a": {"hardwaretypes": ["h"], "imagetypes": ["i"], "quantities": {"min": 1, "max": 2}}},
                    "size": {"min": 1, "max": 3}},
    "administration": {"leaseduration": {"initial": "7d", "max": 86400000, "step": 0}},
    "links": [{"label": "l", "url": "u"}]}
CLUSTER = {"name": "rb", "clusterTemplate": "nope", "numMachines": 1, "description": "d", "provider": "p", "providerFields": {"a": "b"},
           "services": ["a"], "hardwaretype": "h", "imagetype": "i", "initialLeaseDuration": 0, "dnsSuffix": "example.com", "config": {"a": 1}}
NO = "/v2/clusters/99999999"
CALLS = [
    ("PUT", "/v2/providers/rb", "admin", {"name": "rb", "label": "l", "description": "d", "icon": "i", "providertype": "simulated",
                                          "provisioner": {"a": "b"}}),
    ("PUT", "/v2/hardwaretypes/rb", "admin", {"name": "rb", "label": "l", "providermap": {"p": {"flavor": "1"}}}),
    ("PUT", "/v2/imagetypes/rb", "admin", {"name": "rb", "icon": "i", "providermap": {"p": {"image": "1", "sshuser": "root"}}}),
    ("PUT", "/v2/services/rb", "admin", {
        "name": "rb", "dependencies": {"provides": ["x"], "conflicts": ["y"], "install": {"requires": ["a"], "uses": ["b"]},
                                       "runtime": {"requires": ["a"], "uses": ["b"]}},
        "provisioner": {"actions": {"start": {"type": "simulated", "fields": {"a": "b"}}}}, "links": [{"label": "l", "url": "u"}]}),
    ("PUT", "/v2/clustertemplates/rb", "admin", TEMPLATE | {"extends": {"name": "e"}, "includes": [{"name": "p"}]}),
    ("PUT", "/v2/partialtemplates/rb", "admin", TEMPLATE | {"immutable": True}),
    ("POST", "/v2/resolve", "user", TEMPLATE | {"extends": {"name": "e"}, "includes": [{"name": "p"}]}),
    ("POST", "/v2/clusters", "user", CLUSTER),
    ("POST", "/v2/clusters/preview", "user", CLUSTER | {"explain": True, "sizes": {"from": 1, "to": 2}}),
    ("POST", NO, "user", {"expireTime": 1}),
    ("DELETE", NO, "user", {"providerFields": {"a": "b"}}),
    ("PUT", NO + "/config", "user", {"config": {"a": 1}, "restart": True, "providerFields": {"a": "b"}}),
    ("POST", NO + "/services", "user", {"services": ["a"], "providerFields": {"a": "b"}}),
    ("POST", NO + "/services/remove", "user", {"services": ["a"], "restart": True}),
    ("POST", NO + "/services/start", "user", {"providerFields": {"a": "b"}}),
    ("POST", NO + "/grow", "user", {"numMachines": 1, "hardwaretype": "h", "imagetype": "i", "restart": True, "providerFields": {}}),
    ("POST", NO + "/shrink", "user", {"numMachines": 1, "nodes": [1000, "x"], "force": True, "restart": True}),
    ("POST", NO + "/nodes/1000/replace", "user", {"restart": True, "providerFields": {"a": "b"}}),
    ("POST", "/v2/getNodeProperties", "user", {"clusterId": "99999999", "properties": ["hostname"], "services": ["a"]}),
    ("PUT", "/v2/nodes/rb", "super", {"id": "rb", "clusterId": "99999999", "services": [{"name": "a"}], "provisionerResults": {"a": 1},
                                      "properties": {"hostname": "h", "ipaddresses": {"access_v4": "192.0.2.1"}, "automators": ["a"]}}),
    ("POST", "/v2/tenants/nope/users", "super", {"name": "rb", "role": "user", "password": "long enough"}),
    ("POST", "/v2/profile/apikeys", "user", {"name": "rb", "scope": "read", "expireTime": 1}),
    ("PUT", "/v2/tenants/rb", "super", {"tenant": {"name": "rb", "description": "d", "workers": 0, "maxClusters": 1, "maxNodes": 1},
                                              "bootstrap": False}),
]

# What a member may be replaced with. The last ones stand for themselves in the text of the body: Python cannot write them.
RAW = {"@1e400": "1e400", "@-1e400": "-1e400", "@2^63": str(2 ** 63), "@2^64": str(2 ** 64), "@-2^63-1": str(-2 ** 63 - 1),
       "@1e19": "1e19", "@0.1": "0.1", "@deep": "[" * 5000 + "]" * 5000, "@NaN": "NaN", "@half": '"\\ud800"'}
VALUES = [None, True, -1, 0, 2 ** 31, "", "x", "\0", "n" * 300, "é" * 200, "\U0001F6E2", [], [[]], [None], ["x", 1], {}, {"x": {}}, {"": None}] + list(RAW)


def wrong_bodies(body):
    """The body with each member replaced by each value, and with each left out."""
    def walk(part, path):
        members = part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ()
        for key, value in list(members):
            yield path + [key]
            yield from walk(value, path + [key])

    for path in list(walk(body, [])):
        for value in VALUES:
            changed = json.loads(json.dumps(body))
            place = changed
            for step in path[:-1]:
                place = place[step]
            place[path[-1]] = value
            text = json.dumps(changed)
            for word, raw in RAW.items():
                text = text.replace(json.dumps(word), raw)
            yield text
        if isinstance(path[-1], str):
            changed = json.loads(json.dumps(body))
            place = changed
            for step in path[:-1]:
                place = place[step]
            del place[path[-1]]
            yield json.dumps(changed)


class Line:
    """One connection for many requests."""

    def __init__(self, world):
        self.world = world
        self.connection = http.client.HTTPConnection(world.host, timeout=30)

    def ask(self, method, path, role, body, headers=None):
        self.connection.request(method, path, body.encode() if isinstance(body, str) else body,
                                dict(self.world.people[role]) | (headers or {}))
        answer = self.connection.getresponse()
        self.world.rows += 1
        return answer.status, answer.read()


def check_refusal(what, status, text, allowed=range(400, 500)):
    if status not in allowed:
        raise Failure(f"{what} answered {status} {text[:300]!r}")
    if 400 <= status and not text:
        raise Failure(f"{what} answered {status} without a reason")


def every_member_takes_every_value(world):
    """Whatever a member is: taken or refused with a reason, and what was taken can be read again."""
    line = Line(world)
    for method, path, role, body in CALLS:
        for text in wrong_bodies(body):
            status, answer = line.ask(method, path, role, text)
            what = f"{method} {path} with {text[:400]}"
            check_refusal(what, status, answer, {200, 201, 204, *range(400, 500)})
            entity = path.endswith("/rb") and role == "admin"
            if status == 200 and entity:
                got, read = line.ask("GET", path, role, None)
                if got != 200 or json.loads(read)["name"] != "rb":
                    raise Failure(f"{what} was taken, but reading it answered {got} {read[:300]!r}")
            if status == 200 and path == "/v2/profile/apikeys":
                line.ask("DELETE", f"{path}/{json.loads(answer)['id']}", role, None)
            if status == 200 and path.startswith("/v2/tenants/"):
                line.ask("DELETE", path, role, None)
    for collection in ("providers", "hardwaretypes", "imagetypes", "services", "clustertemplates", "partialtemplates"):
        line.ask("DELETE", f"/v2/{collection}/rb", "admin", None)


NOT_BODIES = [b"", b" ", b"null", b"{", b"[", b"}", b'"', b"{\"name\":", b"[]", b"1", b"\"x\"", b"true", b"\xff\xfe", b"{\"name\":\"\xff\"}", b"{\"\xc0\xaf\":1}",
              b"{\"name\":\"\xed\xa0\x80\"}", b"\0", b"{\"name\":\"a\0b\"}", b"{} x", b"{}{}", b"/*", b"\"\\u12\"", b"\xef\xbb\xbf",
              b"[" * 100000, b"[" * 100000 + b"]" * 100000, b"{\"a\":" * 100000, b"{\"a\":" * 100000 + b"1" + b"}" * 100000, b"'" * 1001,
              b"9" * 100000, b"-", b"1e", b"1e400"]


def what_is_no_body_is_refused(world):
    line = Line(world)
    for method, path, role, _ in CALLS + [("PUT", "/v2/profile", "user", None), ("POST", "/v2/import", "admin", None)]:
        for body in NOT_BODIES:
            # An object of any members is a profile, and a catalogue without anything; so is an empty array.
            if path in ("/v2/profile", "/v2/import") and body in (b"[]", b"{\"name\":\"a\0b\"}"):
                continue
            status, text = line.ask(method, path, role, body)
            check_refusal(f"{method} {path} with {body[:60]!r} of {len(body)} bytes", status, text)
    line.ask("DELETE", "/v2/profile", "user", None)


def duplicate_names_last_counts(world):
    line = Line(world)
    status, text = line.ask("PUT", "/v2/hardwaretypes/rb", "admin", '{"name":"no","name":"rb","label":"a","label":"b"}')
    check_refusal("a body with names twice", status, text, {200})
    if world.json("GET", "/v2/hardwaretypes/rb", "admin")["label"] != "b":
        raise Failure("of two equal names the last one does not count")
    world.json("DELETE", "/v2/hardwaretypes/rb", "admin")


ODD_IDS = ["0", "-1", "+1", " 1", "1 ", "1.0", "1e3", "0x1", "00", str(2 ** 31), str(2 ** 63 - 1), str(2 ** 63), str(2 ** 64), "9" * 1000, "abc", "1-1",
           "1-1-1", "-", "1-", "%00", "a%00b", "%FF", "%C0%AF", "..%2F..", "%2F", "%5C", "%25", "%", "%zz", "é", "\U0001F6E2", "'", '"', "<b>", ";", "n" * 300,
           "n" * 3000, "%0A", "%0D%0A", "a%0Ab"]


def every_odd_id_is_refused(world):
    """Each placeholder of each path of the description with each odd id. Taken where there is nothing to refuse."""
    line = Line(world)
    document = json.loads(line.ask("GET", "/v2/openapi.json", "nobody", None)[1])
    tried = 0
    for path, item in document["paths"].items():
        if "{" not in path:
            continue
        for odd in ODD_IDS:
            literal = quote(odd, safe="%") if not odd.startswith("%") or len(odd) > 3 else odd
            target = path
            while "{" in target:
                begin, end = target.index("{"), target.index("}")
                target = target[:begin] + literal + target[end + 1:]
            for method in item:
                if method == "parameters":
                    continue
                status, text = line.ask(method.upper(), target, "super", b"{}")
                tried += 1
                what = f"{method.upper()} {target[:200]}"
                # Deleting what is not there is done; a good name of nothing that is read by its number is none.
                good = {200, 204} if method == "delete" or (method == "post" and "provid" not in path) else {200}
                check_refusal(what, status, text or b"-", good | set(range(400, 500)))
    if tried < 1000:
        raise Failure(f"only {tried} odd ids were tried")


ODD_VALUES = [b"\xff", b"\xc0\xaf", b"n" * 3000, b"a\tb", b"'", b"\"", b"\xf0\x9f\x9b\xa2", b"a, b", b";"]


def wait_until_let_in(world):
    """Wrong keys make their address wait; the right ones of that address wait, too."""
    for _ in range(90):
        if world.ask("GET", "/v2/clusters", "user")[0] != 429:
            return
        time.sleep(2)
    raise Failure("after three minutes right keys are still refused")


def odd_headers_are_refused(world):
    """As bytes on the wire, for http.client would not send some of them."""
    good = world.people["user"]
    for name in ("Coopr-UserID", "Coopr-TenantID", "Coopr-ApiKey"):
        for value in ODD_VALUES:
            headers = {key: one.encode() for key, one in good.items()} | {name: value}
            status, _, text = raw(world, b"GET /v2/clusters HTTP/1.1", headers)
            world.rows += 1
            check_refusal(f"{name}: {value[:40]!r}", status, text, {401, 404, 429})
    wait_until_let_in(world)
    for name in (b"Idempotency-Key", b"If-None-Match", b"Accept", b"Content-Type", b"Cookie", b"X-CSRF-Token"):
        for value in ODD_VALUES:
            headers = {key: one.encode() for key, one in good.items()} | {name.decode(): value}
            status, _, text = raw(world, b"GET /v2/clusters HTTP/1.1", headers)
            world.rows += 1
            check_refusal(f"{name}: {value[:40]!r}", status, text, {200, *range(400, 500)})
    for value in (b"\xff", b"k" * 256, b"\xc0\xaf"):
        headers = {key: one.encode() for key, one in good.items()} | {"Idempotency-Key": value}
        body = json.dumps(CLUSTER).encode()
        status, _, text = raw(world, b"POST /v2/clusters HTTP/1.1", headers, body)
        world.rows += 1
        check_refusal(f"Idempotency-Key: {value[:40]!r}", status, text, {400})


ODD_QUERIES = ["limit=0", "limit=-1", "limit=1001", "limit=x", "limit=" + str(2 ** 63), "limit=1e400", "limit=", "limit=%00", "limit=%FF",
               "cursor=0", "cursor=-1", "cursor=x", "cursor=" + str(2 ** 63), "cursor=" + str(2 ** 64), "cursor=%00"]
TAKEN_QUERIES = ["status=%FF", "status=%00", "status=" + "x," * 1000, "status=,,,", "status", "=", "&&&", "?", "%", "%zz=1", "a=" + "b" * 3000, "status=%F0%9F%9B%A2"]
USAGE_QUERIES = ["start=-1", "start=x", "start=" + str(2 ** 63), "start=253402300800", "end=x", "start=2&end=1", "groupby=", "groupby=x", "groupby=%FF", "timeunit=x",
                 "timeunit=%00", "cluster=x", "cluster=-1", "cluster=" + str(2 ** 64), "cluster=%FF", "tenant=%FF", "tenant=nope", "tenant=%00"]
TAKEN_USAGE = ["user=%FF", "user=%00", "user=n" * 300, "clustertemplate=%FF", "clustertemplate=%F0%9F%9B%A2", "start=0&end=253402300799&groupby=hour&timeunit=nanoseconds",
               "cluster=" + str(2 ** 63 - 1)]


LISTS = ["/v2/nodes", "/v2/tenants", "/v2/tenants/demo/users", "/v2/provisioners", "/v2/daemons", "/v2/unknownmachines", "/v2/lostmachines", "/v2/provideraccounts", "/v2/machineleases", "/v2/profile/apikeys", "/v2/plugins/providertypes",
         "/v2/plugins/automatortypes", "/v2/services", "/v2/partialtemplates"]
ODD_PARTS = ["limit=0", "limit=-1", "limit=1001", "limit=x", "limit=%FF", "cursor=%FF", "cursor=%00", "cursor=%C0%AF", "cursor=" + "n" * 3000,
             "cursor=%F0%9F%9B%A2", "limit=1&cursor=" + str(2 ** 64)]


def odd_parts_of_lists_are_refused(world):
    line = Line(world)
    for path in LISTS:
        for query in ODD_PARTS:
            status, text = line.ask("GET", f"{path}?{query}", "super", None)
            check_refusal(f"GET {path}?{query[:100]}", status, text, {400})


def odd_queries_are_refused(world):
    line = Line(world)
    usage = "/v2/metrics/nodes/usage"
    for path, queries, allowed in [("/v2/clusters", ODD_QUERIES, {400}), ("/v2/clusters", TAKEN_QUERIES, {200, 400}), (usage, USAGE_QUERIES, {400, 405}),
                                   (usage, TAKEN_USAGE, {200, 400})]:
        for query in queries:
            began = time.monotonic()
            status, text = line.ask("GET", f"{path}?{query}", "user", None)
            check_refusal(f"GET {path}?{query[:100]}", status, text, allowed)
            if time.monotonic() - began > 5:
                raise Failure(f"GET {path}?{query[:100]} took {time.monotonic() - began:.1f} s")


def raw(world, first_line, headers, body=b"", timeout=30):
    """One request as bytes: status, headers and body of the answer."""
    host, _, port = world.host.partition(":")
    with socket.create_connection((host, int(port or 80)), timeout=timeout) as line:
        head = first_line + b"\r\nHost: x\r\nConnection: close\r\nContent-Length: %d\r\n" % len(body)
        head += b"".join(name.encode() + b": " + value + b"\r\n" for name, value in headers.items())
        line.sendall(head + b"\r\n" + body)
        answer = http.client.HTTPResponse(line, method="HEAD" if first_line.startswith(b"HEAD") else "GET")
        answer.begin()
        return answer.status, answer.headers, answer.read()


ODD_LINES = [b"GET /v2/clusters?a=\xff HTTP/1.1", b"GET /v2/clusters/\xff HTTP/1.1", b"GET /v2/providers/\xc0\xaf HTTP/1.1", b"GET /v2/clusters/a\0b HTTP/1.1",
             b"GET /v2/providers/%00 HTTP/1.1", b"GET /v2/%FF HTTP/1.1", b"GET /v2/../../etc/passwd HTTP/1.1", b"GET /static/../../cooperage HTTP/1.1",
             b"GET /static/..%2f..%2fcooperage HTTP/1.1", b"GET http://[ HTTP/1.1", b"GET * HTTP/1.1", b"G\xffT / HTTP/1.1", b"get /v2/clusters HTTP/1.1", b"GET  /v2/clusters HTTP/1.1",
             b"GET /v2/" + b"n" * 10000 + b" HTTP/1.1", b"GET /v2/clusters HTTP/9.9", b"BREW /v2/clusters HTTP/1.1", b"TRACE /v2/clusters HTTP/1.1", b"CONNECT x:1 HTTP/1.1"]


def odd_first_lines_are_refused(world):
    for first in ODD_LINES:
        status, _, text = raw(world, first, {key: one.encode() for key, one in world.people["user"].items()})
        world.rows += 1
        good = {200} if first.startswith((b"GET  /v2/clusters", b"GET /v2/clusters?a=")) else set()
        check_refusal(repr(first[:60]), status, text, good | {*range(400, 500), 501, 505})


def wrong_methods_are_told_the_right_ones(world):
    for method, path, allowed in [("PATCH", "/v2/clusters", "GET, POST"), ("HEAD", "/v2/clusters", "GET, POST"), ("OPTIONS", "/v2/clusters/1", "DELETE, GET, POST"), ("TRACE", "/v2/clusters", "GET, POST"),
                                  ("PUT", "/status", "GET"), ("GET", "/v2/import", "POST"), ("DELETE", "/v2/clusters/1/config", "GET, PUT")]:
        status, headers, text = raw(world, f"{method} {path} HTTP/1.1".encode(), {})
        world.rows += 1
        if (status, headers["Allow"]) != (405, allowed) or (method != "HEAD" and text != path.encode()):
            raise Failure(f"{method} {path} answered {status}, Allow: {headers['Allow']}, {text!r}")


def too_large_a_body_is_refused_clearly(world):
    """Announced only: nobody sends 151 MiB to be told."""
    host, _, port = world.host.partition(":")
    with socket.create_connection((host, int(port or 80)), timeout=30) as line:
        line.sendall(b"PUT /v2/profile HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n{" % (151 * MIB))
        answer = http.client.HTTPResponse(line)
        answer.begin()
        text = answer.read()
    world.rows += 1
    if (answer.status, text) != (413, b"The request is larger than 150 MiB."):
        raise Failure(f"151 MiB answered {answer.status} {text!r}")


def wrong_lengths_are_refused(world):
    for length in (b"-1", b"x", b"99999999999999999999", b"1e3"):
        host, _, port = world.host.partition(":")
        with socket.create_connection((host, int(port or 80)), timeout=30) as line:
            line.sendall(b"PUT /v2/profile HTTP/1.1\r\nHost: x\r\nContent-Length: " + length + b"\r\n\r\n{")
            answer = http.client.HTTPResponse(line)
            answer.begin()
            check_refusal(f"Content-Length: {length}", answer.status, answer.read())
        world.rows += 1


def bodies_in_chunks_are_read(world):
    connection = http.client.HTTPConnection(world.host, timeout=30)
    connection.request("PUT", "/v2/profile", iter([b'{"a":', b'"', b"x" * 100000, b'"}']), dict(world.people["user"]) | {"Transfer-Encoding": "chunked"},
                       encode_chunked=True)
    status = connection.getresponse().status
    world.rows += 1
    if status != 200 or world.json("GET", "/v2/profile", "user") != {"a": "x" * 100000}:
        raise Failure(f"a body in chunks was answered {status}")
    world.json("DELETE", "/v2/profile", "user")


def slow_clients_hold_nobody_up(world):
    """Forty that send their body byte by byte, and forty that say nothing more, while others are served at once."""
    host, _, port = world.host.partition(":")
    body = json.dumps({"slow": "x" * 40}).encode()
    head = b"PUT /v2/profile HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n" % len(body)
    head += b"".join(name.encode() + b": " + value.encode() + b"\r\n" for name, value in world.people["user"].items()) + b"\r\n"
    slow = [socket.create_connection((host, int(port or 80)), timeout=30) for _ in range(40)]
    silent = [socket.create_connection((host, int(port or 80)), timeout=30) for _ in range(40)]
    try:
        for line in silent:
            line.sendall(head[:20])
        for line in slow:
            line.sendall(head)
        slowest = 0.0
        for at in range(len(body)):
            for line in slow:
                line.sendall(body[at:at + 1])
            began = time.monotonic()
            if world.ask("GET", "/v2/clusters", "user")[0] != 200:
                raise Failure("others are not served while slow clients send")
            slowest = max(slowest, time.monotonic() - began)
        world.rows += len(body)
        for line in slow:
            answer = http.client.HTTPResponse(line)
            answer.begin()
            world.rows += 1
            if answer.status != 200:
                raise Failure(f"a slow body was answered {answer.status} {answer.read()!r}")
        if slowest > 2:
            raise Failure(f"while slow clients sent, others waited {slowest:.1f} s")
    finally:
        for line in slow + silent:
            line.close()
    world.json("DELETE", "/v2/profile", "user")


def clients_that_go_away_hold_nobody_up(world):
    """Who breaks off in the middle of a body or before reading the answer costs nothing."""
    host, _, port = world.host.partition(":")
    identity = b"".join(name.encode() + b": " + value.encode() + b"\r\n" for name, value in world.people["user"].items())
    for first in (b"PUT /v2/profile HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n" + identity + b"\r\n{",
                  b"GET /v2/export HTTP/1.1\r\nHost: x\r\n" + identity + b"\r\n"):
        for _ in range(50):
            with socket.create_connection((host, int(port or 80)), timeout=30) as line:
                line.sendall(first)
            world.rows += 1
    if world.ask("GET", "/v2/clusters", "user")[0] != 200:
        raise Failure("others are not served after clients went away")


def nested(depth):
    config = 1
    for _ in range(depth):
        config = {"a": config}
    return config


def new(**members):
    return {"name": "rb", "clusterTemplate": "ct-sim", "numMachines": 1} | members


LATE = "The lease must end before the year 10000"
TOO_LONG = "ct-rb-" + "n" * 70000
LONG = "ct-rb-" + "n" * 249

# In the tenant and with the machines that the tenants' part made.
NO_ROOM = [
    "what no column holds is refused, and what is long but fits is kept",
    *[("POST", "/v2/clusters", "other", new(initialLeaseDuration=lease), 400, LATE)
      for lease in (2 ** 63 - 1, 253402300799999, 9e15, "99999999999d")],
    *[("POST", "/v2/clusters", "other", new(initialLeaseDuration=lease), 400, ANY) for lease in (2 ** 63, 2 ** 64 - 1, 2 ** 64, -2 ** 63)],
    ("POST", "/v2/clusters", "other", new(config=nested(30)), 400, "invalid input"),
    ("POST", "/v2/clusters", "other", new(config=nested(29), services=["nope"], description="\U0001F6E2" * 16383), 200, keeping("deep", "id")),
    ("GET", "/v2/clusters/$deep/config", "other", None, 200, nested(29)),
    ("GET", "/v2/clusters/$deep", "other", None, 200, having({"description": "\U0001F6E2" * 16383})),
    ("POST", "/v2/clusters", "other", new(description="\U0001F6E2" * 16384), 400, "invalid input: description must not be longer than 65535 bytes"),
    ("POST", "/v2/clusters", "other", new(services=[TOO_LONG]), 400, "names of services have at most 255 bytes"),
    ("POST", "/v2/clusters", "other", new(services=[LONG]), 200, keeping("long", "id")),
    ("GET", "/v2/clusters/$long", "other", None, 200, having({"status": "terminated", "services": [LONG]})),
    ("PUT", "/v2/profile", "other", nested(31), 400, "invalid request."),
    ("PUT", "/v2/profile", "other", nested(30), 200, ""),
    ("DELETE", "/v2/profile", "other", None, 200, ""),
    ("PUT", "/v2/hardwaretypes/rb", "other-admin", {"name": "rb", "providermap": {"p": {"flavor": "f" * 256}}}, 400,
     "invalid input: flavor of provider p must not exceed 255 characters."),
    ("PUT", "/v2/imagetypes/rb", "other-admin", {"name": "rb", "providermap": {"p": {"image": "i", "sshuser": "u" * 256}}}, 400,
     "invalid input: sshuser of provider p must not exceed 255 characters."),
    ("PUT", "/v2/clustertemplates/rb", "other-admin", {"name": "rb", "defaults": {"services": ["ct-one"], "provider": "ct-sim", "dnsSuffix": "d" * 300}},
     200, ""),
    ("POST", "/v2/clusters", "other", new(clusterTemplate="rb"), 400, "d" * 300 + " is an invalid DNS suffix."),
    ("DELETE", "/v2/clustertemplates/rb", "other-admin", None, 200, ""),
    ("POST", "/v2/plugins/automatortypes/shell/scripts/rb", "other-admin", b"\0\xff" * 20 * MIB, 200, having({"name": "rb", "status": "inactive"})),
    ("DELETE", "/v2/plugins/automatortypes/shell/scripts/rb", "other-admin", None, 200, ""),
]


def pid_of_web():
    number = (HERE / "run" / "web" / "web.sock.lock").read_text().strip()
    began = Path(f"/proc/{number}/stat").read_text().rsplit(")", 1)[1].split()[19] if Path(f"/proc/{number}/stat").exists() else ""
    return f"{number} {began}"


def errors_in_the_log():
    return [line for line in (HERE / "log" / "web.log").read_text(errors="replace").splitlines() if "request.broken" in line or "child.died" in line]


class SameProgram:
    """Remembers who answered before, and what its log said."""

    def begin(self, _world):
        self.pid, self.errors = pid_of_web(), len(errors_in_the_log())

    def end(self, _world):
        pid = pid_of_web()
        if pid != self.pid:
            raise Failure(f"cooperage-web was {self.pid}, is {pid}")
        new = errors_in_the_log()[self.errors:]
        if new:
            raise Failure(f"the log says {len(new)} times that a request broke: {new[:3]}")


def steps(_world):
    same = SameProgram()
    return [
        "robustness: before", same.begin,
        "every member of every body takes every value or refuses it", every_member_takes_every_value,
        "what is no body", what_is_no_body_is_refused,
        "names twice", duplicate_names_last_counts,
        *NO_ROOM,
        "odd ids", every_odd_id_is_refused,
        "odd headers", odd_headers_are_refused,
        "odd queries", odd_queries_are_refused,
        "odd parts of lists", odd_parts_of_lists_are_refused,
        "odd first lines", odd_first_lines_are_refused,
        "wrong methods", wrong_methods_are_told_the_right_ones,
        "a body over the limit", too_large_a_body_is_refused_clearly,
        "wrong lengths", wrong_lengths_are_refused,
        "bodies in chunks", bodies_in_chunks_are_read,
        "slow clients", slow_clients_hold_nobody_up,
        "clients that go away", clients_that_go_away_hold_nobody_up,
        ("GET", "/v2/clusters", "user", None, 200, ANY),
        "the program is the one it was", same.end,
    ]
