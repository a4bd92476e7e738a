"""Calls of the API that say that they have 10,000,000 bytes or more: nginx asks the program who sends one before it reads any of it."""

import json
import subprocess
import time

from .client import expect, expect_in, key_of
from .place import CLIENTS, REPO, SET
from .program import StandIn
from .uploads import MIB, GIB, PIECE, SHELF, Sender, held, strangers

LARGE = f"Content-Length: {100 * MIB}"
# As clients may write it.
IMPORTS = ("/v2/import", "/%76%32/import?a=b", "//v2/./import/", "/x/../v2/import")
OWN_NAMES = ("/.cooperage/./sender", "/.cooperage/sender", "/.cooperage/%2e/sender", "/.cooperage/%252e/sender", "/.cooperage/.%2fsender", "/x/..%2f.cooperage/./sender",
             "/.cooperage/./call", "/.cooperage/call", "/.cooperage/%2E/call", "/.cooperage//./call")
# What differs between two answers, and the policy, which is nginx's own on what nginx says.
OF_ONE_ANSWER = {"date", "x-request-id", "connection", "transfer-encoding", "content-security-policy"}


def refuses_strangers_before_large_calls(server, door):
    """They get the answer that they get to a small one."""
    for headers, _, _ in strangers():
        for path in IMPORTS:
            door.source = CLIENTS[0]
            small = door.ask("POST", path, headers, b"{}")
            sender = Sender(door, CLIENTS[0], headers, path, LARGE)
            sender.send(b"x")
            answer = sender.answer()
            what = f"100 MiB to {path} of {headers}"
            expect(what, (answer.status, answer.text), (small.status, small.text))
            expect(f"whether it is a refusal, {what}", answer.status in (401, 403, 404), True)
            expect(f"headers, {what}", *({name: value for name, value in one.headers.items() if name not in OF_ONE_ANSWER} for one in (answer, small)))
            for name in ("referrer-policy", "cross-origin-opener-policy", "cross-origin-resource-policy"):
                expect(f"{name}, {what}", answer.headers[name], "same-origin")
            for _ in range(8):
                sender.send(PIECE)
            time.sleep(0.1)
            expect(f"bytes that nginx holds of {what}", held(server), 0)
            sender.close()
    for method, path, role, limit in (("POST", "/v2/clusters", "user", "8 MiB"), ("GET", "/v2/openapi.json", "user", "64 KiB"), ("POST", "/v2/import", "admin", "150 MiB")):
        large = LARGE if role == "user" else f"Content-Length: {150 * MIB + 1}"
        answer = Sender(door, CLIENTS[1], key_of(role), path, large, method).answer()
        expect(f"more than {path} takes", (answer.status, answer.text), (413, f"The request is larger than {limit}."))
    for path in ("/login", "/v2/import"):
        sender = Sender(door, CLIENTS[1], {}, path, f"Content-Length: {GIB}", "TRACE")
        sender.send(PIECE * 8)
        expect(f"TRACE {path} with a body", sender.answer().status, 413)
        expect("bytes that nginx holds of it", held(server), 0)
        sender.close()
    door.source = "127.0.0.1"


def whatever_version(exported):
    """What was exported, in one order: of the entries that an import writes the versions begin at 1."""
    return {name: sorted((entry | {"version": 1} for entry in entries), key=json.dumps) for name, entries in json.loads(exported).items()}


def takes_large_calls_of_who_may(server, door):
    example = next((REPO / "sql/examples/simulated/catalogue/hardwaretypes").glob("*.json"))
    entry = json.loads(example.read_text()) | {"name": "large-call"}
    entry.pop("description", None)
    body = f'{json.dumps(entry)[:-1]}{" " * 20_000_000},"description": "at the end of 20 MB"}}'.encode()
    answer = door.ask("PUT", "/v2/hardwaretypes/large-call", key_of("admin"), body)
    expect(f"an entry in 20 MB: {answer.text}", answer.status, 200)
    kept = door.ask("GET", "/v2/hardwaretypes/large-call", key_of("admin"))
    expect("what is kept of it", (kept.status, kept.json().get("description")), (200, "at the end of 20 MB"))
    expect("its deletion", door.ask("DELETE", "/v2/hardwaretypes/large-call", key_of("admin")).status, 200)
    # An import replaces the whole catalogue.
    before = door.ask("GET", "/v2/export", key_of("admin")).text
    answer = door.ask("POST", "/v2/import", key_of("admin"), f'{before[:-1]}{" " * 20_000_000}{before[-1]}'.encode())
    expect(f"an import of 20 MB: {answer.text}", answer.status, 200)
    after = door.ask("GET", "/v2/export", key_of("admin")).text
    expect("the catalogue after it", *(whatever_version(text) for text in (after, before)))
    expect("bytes that are left", held(server), 0)


def bounds_what_does_not_say_its_length(server, door):
    """As HTTP/1.1 and HTTP/2 have it."""
    text = "A request larger than 10 MiB has to say its length (Content-Length)."
    pieces = (b" " * MIB for _ in range(12))
    large = door.ask("POST", "/v2/import", {**key_of("admin"), "Transfer-Encoding": "chunked"}, pieces, chunked=True)
    expect("12 MiB in chunks", (large.status, large.text), (413, text))
    pieces = (b" " * MIB for _ in range(9))
    small = door.ask("POST", "/v2/import", {**key_of("admin"), "Transfer-Encoding": "chunked"}, pieces, chunked=True)
    expect(f"9 MiB in chunks: {small.text}", small.status, 400)
    file = SET / "web-servers" / "some"
    file.write_bytes(b" " * 12 * MIB)

    def by_curl(headers, *how):
        named = [word for name, value in headers.items() for word in ("-H", f"{name}: {value}")]
        with open(file, "rb") as body:
            said = subprocess.run(["curl", "-sS", "--http2", "--max-time", "60", "--cacert", door.ca, "--resolve", f"{door.name}:443:127.0.0.1", "-X", "POST",
                                   "-w", "%{http_version} %{http_code}", *named, *how, f"https://{door.name}/v2/import"], stdin=body, capture_output=True, text=True)
        return said.stdout

    expect_in("12 MiB in HTTP/2 without a length", "2 413", by_curl(key_of("admin"), "-T", "-"))
    expect_in("12 MiB in HTTP/2 with a length", "2 400", by_curl(key_of("admin"), "--data-binary", f"@{file}"))
    expect("12 MiB of a stranger in HTTP/2", by_curl({}, "--data-binary", f"@{file}"), "Coopr-UserID not found in request headers.2 401")
    expect("bytes that are left", held(server), 0)


def asks_about_large_calls_only(_, door):
    """By the parameters that reach the program."""
    def methods():
        seen = [(params["REQUEST_METHOD"], params.get("BODY_WITHHELD")) for params in program.seen]
        program.seen.clear()
        return seen

    with StandIn() as program:
        for size in (0, 1, 9_999_999):
            said = door.ask("POST", "/v2/import?a=%2F", key_of("admin"), b" " * size).json()
            expect(f"{size} bytes", (said["body"], said["params"]["CONTENT_LENGTH"]), (size, str(size)))
            expect(f"questions about {size} bytes", methods(), [("POST", None)])
        said = door.ask("POST", "/v2/import", {"Transfer-Encoding": "chunked"}, (b" " * MIB for _ in range(10)), chunked=True).json()
        expect("10 MiB in chunks", (said["body"], said["params"]["CONTENT_LENGTH"]), (10 * MIB, str(10 * MIB)))
        expect("questions about 10 MiB in chunks", methods(), [("POST", None)])
        for path in (*IMPORTS, "/v2?x"):
            for size in (10_000_000, 150 * MIB) if path == IMPORTS[0] else (10_000_000,):
                said = door.ask("PUT", path, {"Content-Type": "text/x"}, b" " * size).json()
                expect(f"{size} bytes to {path}", (said["body"], said["params"]["CONTENT_LENGTH"], said["params"]["REQUEST_URI"]), (size, str(size), path))
                expect(f"questions about {size} bytes to {path}", methods(), [("ASK", "PUT"), ("PUT", None)])
        # A file of a plugin stays one.
        sender = Sender(door, CLIENTS[0], {}, f"{SHELF}/x", f"Content-Length: {GIB}")
        expect("whether 1 GiB is waited for", sender.is_waited_for(), True)
        sender.close()
        expect("questions about it", methods(), [("ASK", "POST")])
        for path in OWN_NAMES:
            expect(f"{path} from outside", door.ask("GET", path).json()["params"]["REQUEST_METHOD"], "GET")
            expect(f"20 MiB to {path}", Sender(door, CLIENTS[0], {}, path, f"Content-Length: {20 * MIB}").answer().status, 413)
        expect("questions about these", set(methods()), {("GET", None)})
    door.source = "127.0.0.1"


def does_not_ask_who_cannot_answer(_, door):
    """A program that is older than the question refuses its method, and is sent nothing."""
    with StandIn(is_older=True) as program:
        for path in ("/v2/import", f"{SHELF}/x"):
            answer = Sender(door, CLIENTS[0], key_of("admin"), path, LARGE).answer()
            expect(f"{path} while the program is older", (answer.status, answer.headers["retry-after"]), (503, "5"))
        expect("what it was asked", [params["REQUEST_METHOD"] for params in program.seen], ["ASK", "ASK"])
        expect("a small call", door.ask("POST", "/v2/import", {}, b"{}").json()["body"], 2)
    door.source = "127.0.0.1"


def lets_strangers_take_no_place_of_large_calls(_, door):
    """Eight places, four for an address, are for who may send."""
    admin = key_of("admin")
    waiting = [Sender(door, CLIENTS[2], {}, "/v2/import", LARGE) for _ in range(16)]
    expect("statuses of strangers", {one.answer().status for one in waiting}, {401})
    slow = [Sender(door, CLIENTS[3 + number // 4], admin, "/v2/import", "Content-Length: 10000000") for number in range(8)]
    for one in slow:
        one.send(b"  ")
    time.sleep(0.5)
    expect("answers before calls have come", [one.is_waited_for() for one in slow], [True] * 8)
    for source in (CLIENTS[3], CLIENTS[5]):
        ninth = Sender(door, source, admin, "/v2/import", "Content-Length: 10000000").answer()
        expect("one large call more", ninth.status, 429)
        expect_in("what it says", "Four requests of 10 MB or more are under way", ninth.text)
        expect("a stranger beside them", Sender(door, source, {}, "/v2/import", LARGE).answer().status, 401)
    door.source = CLIENTS[3]
    expect("a small call beside them", door.ask("GET", "/v2/hardwaretypes", admin).status, 200)
    expect("a file beside them", door.ask("POST", f"{SHELF}/beside", admin, b"1").status, 200)
    expect("its deletion", door.ask("DELETE", f"{SHELF}/beside", admin).status, 200)
    slow[0].send(b" " * 9_999_998)
    expect("the first", slow[0].answer(20).status, 400)
    slow[1].close()
    time.sleep(0.3)
    expect("one in a place that is free again", door.ask("PUT", "/v2/hardwaretypes/x", admin, b" " * 10_000_000).status, 400)
    for one in [*waiting, *slow[2:]]:
        one.close()
    door.source = "127.0.0.1"


def serves_large_calls_below(server, door, prefix):
    answer = door.ask("POST", f"{prefix}/v2/import", key_of("admin"), b" " * 12 * MIB)
    expect(f"12 MiB below the prefix: {answer.text}", answer.status, 400)
    if not server.asks_who_sends_files:
        return
    sender = Sender(door, "127.0.0.1", {}, f"{prefix}/v2/import", LARGE)
    sender.send(PIECE)
    answer = sender.answer()
    expect("a stranger's large call below the prefix", (answer.status, answer.text), (401, "Coopr-UserID not found in request headers."))
    for path in OWN_NAMES:
        own = door.ask("POST", prefix + path, key_of("admin"), b"1")
        expect(f"{path} below the prefix", (own.status, own.headers["cooperage-refusal"]), (404, ""))
        own = Sender(door, "127.0.0.1", key_of("admin"), prefix + path, f"Content-Length: {20 * MIB}")
        own.send(PIECE)
        expect(f"20 MiB to {path} below the prefix", own.answer().status, 413)
        own.close()
    expect("bytes that nginx holds of these", held(server), 0)
    sender.close()
