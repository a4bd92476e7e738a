"""Files of plugins: nginx asks the program who sends one before it reads any of it."""

import hashlib
import http.client
import json
import os
import re
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlencode

from .client import Answer, expect, expect_in, key_of, person, read
from .place import CLIENTS, SET, die
from .program import StandIn

SHELF = "/v2/plugins/automatortypes/shell/scripts"
MIB = 1024 * 1024
GIB = 1024 * MIB
# Well above what nginx keeps of a body in memory.
PIECE = b"x" * 256 * 1024
AT_ONCE = 5.0  # seconds, also on a machine that does much else; nginx waits 60 for a body
TOO_MANY_FILES = "Four requests for files are under way"


class Sender:
    """A request for a file of 1 GiB that comes slowly."""

    def __init__(self, door, source, headers, path=f"{SHELF}/slow", announced=f"Content-Length: {GIB}", method="POST"):
        self.began = time.monotonic()
        door.source = source
        self.line = door.line()
        head = [f"{method} {path} HTTP/1.1", f"Host: {door.name}", announced, *(f"{name}: {value}" for name, value in headers.items())]
        self.line.sendall("\r\n".join([*head, "", ""]).encode())

    def send(self, piece):
        """Whoever was answered may have been left alone meanwhile."""
        try:
            self.line.sendall(piece)
        except OSError:
            pass

    def answer(self, seconds=AT_ONCE):
        """The answer, which has to come while the body has not."""
        self.line.settimeout(seconds)
        answer = http.client.HTTPResponse(self.line)
        try:
            answer.begin()
        except TimeoutError:
            die(f"no answer within {seconds} seconds")
        got = read(answer)
        if time.monotonic() - self.began > seconds:
            die(f"the answer {got.status} took {time.monotonic() - self.began:.1f} seconds")
        return got

    def is_waited_for(self):
        """Whether nothing has been answered yet."""
        self.line.settimeout(0.3)
        try:
            return not self.line.recv(1)
        except TimeoutError:
            return True

    def close(self):
        self.line.close()


def held(server):
    """Bytes of bodies in files that nginx has open, which have no name any more."""
    children = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children").read_text().split()
    found = 0
    for process in children:
        for file in Path(f"/proc/{process}/fd").iterdir():
            try:
                if "/body/" in os.readlink(file):
                    found += os.stat(file).st_size
            except FileNotFoundError:
                continue
    return found


def strangers():
    """Who may not, with status and text of their answer."""
    admin = key_of("admin")
    return [({}, 401, "Coopr-UserID not found in request headers."),
            ({**admin, "Coopr-ApiKey": "wrong"}, 401, "Coopr-ApiKey is not valid for this user."),
            ({**admin, "Coopr-TenantID": "nowhere"}, 404, "Tenant does not exist."),
            (key_of("user"), 403, "user unauthorized, must be admin."),
            ({"Cookie": "__Host-cooperage=x"}, 401, "Coopr-UserID not found in request headers.")]


def refuses_strangers_before_their_files(server, door):
    for headers, status, text in strangers():
        for announced in (f"Content-Length: {GIB}", "Transfer-Encoding: chunked"):
            for more in ({}, {"Expect": "100-continue"}):
                sender = Sender(door, CLIENTS[0], {**headers, **more}, announced=announced)
                if not more:
                    sender.send(b"x" if "Length" in announced else b"1\r\nx\r\n")
                answer = sender.answer()
                what = f"{text} {announced} {more}"
                expect(what, (answer.status, answer.text), (status, text))
                expect(f"its type, {what}", answer.headers["content-type"], "text/plain; charset=utf-8")
                expect(f"its caching, {what}", answer.headers["cache-control"], "no-store")
                for name, value in (("x-content-type-options", "nosniff"), ("referrer-policy", "same-origin"), ("cross-origin-opener-policy", "same-origin")):
                    expect(f"its {name}, {what}", answer.headers[name], value)
                expect(f"length of its id, {what}", len(answer.headers["x-request-id"]), 32)
                expect_in(f"its policy, {what}", "default-src 'none'", answer.headers["content-security-policy"])
                for _ in range(8):
                    sender.send(PIECE if "Length" in announced else b"40000\r\n" + PIECE + b"\r\n")
                time.sleep(0.1)
                expect(f"bytes that nginx holds of {what}", held(server), 0)
                sender.close()
    wanted = {"Accept": "application/problem+json", "X-Request-Id": "r-12345678"}
    answer = Sender(door, CLIENTS[0], {**key_of("user"), **wanted}).answer()
    expect("details", (answer.json()["status"], answer.json()["detail"]), (403, "user unauthorized, must be admin."))
    expect("their type", (answer.headers["content-type"], answer.headers["x-request-id"]), ("application/problem+json", "r-12345678"))
    expect("a method that is none", Sender(door, CLIENTS[0], key_of("admin"), method="PUT").answer().headers["allow"], "DELETE, GET, POST")
    for method in ("GET", "DELETE"):
        expect(f"{method} with a body", Sender(door, CLIENTS[0], {}, method=method).answer().status, 401)
    expect("beyond the limit", Sender(door, CLIENTS[0], {}, announced=f"Content-Length: {5 * GIB}").answer().status, 413)
    door.source = "127.0.0.1"


def answers_strangers_in_http_2(_, door):
    """By curl, which still sends when the answer comes."""
    file = SET / "web-servers" / "some"
    file.write_bytes(PIECE * 8)
    for headers, status, text in strangers()[:4]:
        named = [word for name, value in headers.items() for word in ("-H", f"{name}: {value}")]
        for how in (["--data-binary", f"@{file}"], ["-T", "-", "-X", "POST"]):
            with open(file, "rb") as body:
                said = subprocess.run(["curl", "-sS", "--http2", "--max-time", "20", "--cacert", door.ca, "--resolve", f"{door.name}:443:127.0.0.1", 
                                       "-w", "%{http_version} %{http_code}", *named, *how, f"https://{door.name}{SHELF}/two"],
                                      stdin=body, capture_output=True, text=True)
            expect(f"in HTTP/2 {how}: {said.stderr}", (said.stdout, said.returncode), (f"{text}2 {status}", 0))
    named = [word for name, value in key_of("admin").items() for word in ("-H", f"{name}: {value}")]
    with open(file, "rb") as body:
        said = subprocess.run(["curl", "-s", "--http2", "--max-time", "60", "--cacert", door.ca, "--resolve", f"{door.name}:443:127.0.0.1", *named, "-T", "-", "-X", "POST",
                               f"https://{door.name}{SHELF}/two"], stdin=body, capture_output=True, text=True)
    expect("what came of it", json.loads(said.stdout)["sha256"], hashlib.sha256(PIECE * 8).hexdigest())
    expect("its deletion", door.ask("DELETE", f"{SHELF}/two", key_of("admin")).status, 200)


def is_kept(what, answer, sha256, size):
    expect(f"{what}: {answer.text}", answer.status, 200)
    expect(f"bytes of {what}", (answer.json()["size"], answer.json()["sha256"]), (size, sha256))


def takes_files_of_who_may(server, door):
    block = os.urandom(MIB)
    file = b"".join(number.to_bytes(8, "big") + block[8:] for number in range(64))
    sha256 = hashlib.sha256(file).hexdigest()
    path = f"{SHELF}/taken"
    is_kept("64 MiB", door.ask("POST", path, key_of("admin"), file), sha256, len(file))
    pieces = (file[at:at + MIB] for at in range(0, len(file), MIB))
    is_kept("64 MiB in chunks", door.ask("POST", path, {**key_of("admin"), "Transfer-Encoding": "chunked"}, pieces, chunked=True), sha256, len(file))
    is_kept("nothing", door.ask("POST", path, key_of("admin"), b""), hashlib.sha256(b"").hexdigest(), 0)
    sender = Sender(door, CLIENTS[0], {**key_of("admin"), "Expect": "100-continue"}, path, "Content-Length: 5")
    expect_in("who waits for it", b"HTTP/1.1 100 Continue", sender.line.recv(25))
    sender.line.recv(100) if not sender.is_waited_for() else None
    sender.send(b"12345")
    is_kept("five bytes", sender.answer(), hashlib.sha256(b"12345").hexdigest(), 5)
    by_cookie(door, path)
    expect("the versions", len(door.ask("GET", path, key_of("admin")).json()), 5)
    expect("their deletion", door.ask("DELETE", path, key_of("admin")).status, 200)
    expect("bytes that are left", held(server), 0)
    door.source = "127.0.0.1"


def by_cookie(door, path):
    """A page's script has to send the token of its session."""
    door.source = CLIENTS[1]
    user = person("admin")
    fields = {"user": user["user"], "tenant": "demo", "password": user["password"], "next": "/clusters", "csrf": ""}
    answer = door.ask("POST", "/login", {"Content-Type": "application/x-www-form-urlencoded"}, urlencode(fields))
    expect(f"the login: {answer.text}", answer.status, 303)
    session = {"Cookie": answer.headers["set-cookie"].split(";")[0]}
    token = re.search(r'name="csrf" value="([^"]+)"', door.ask("GET", "/clusters", session).text)[1]
    sender = Sender(door, CLIENTS[1], session)
    expect("a session without its token", sender.answer().status, 401)
    sender.close()
    is_kept("a file of a session", door.ask("POST", path, {**session, "X-CSRF-Token": token}, b"123"), hashlib.sha256(b"123").hexdigest(), 3)


def lets_strangers_take_no_place(server, door):
    """Eight places, four for an address, are for who may send; one of them is free at once when its file has come or is given up."""
    for _ in range(3):
        waiting = [Sender(door, CLIENTS[2 + number % 2], {}, announced=announced) for number in range(16)
                   for announced in (f"Content-Length: {GIB}", "Transfer-Encoding: chunked")]
        expect("statuses of strangers", {one.answer(5).status for one in waiting}, {401})
        began = time.monotonic()
        for source in (CLIENTS[2], CLIENTS[4]):
            door.source = source
            expect("a file beside 32 refused ones", door.ask("POST", f"{SHELF}/beside", key_of("admin"), b"1").status, 200)
        if time.monotonic() - began > AT_ONCE:
            die("strangers hinder who may send")
        for one in waiting:
            one.close()
    slow = [Sender(door, CLIENTS[5 + number // 4], key_of("admin"), f"{SHELF}/slow{number}", "Content-Length: 5") for number in range(8)]
    for one in slow:
        one.send(b"123")
    time.sleep(0.5)
    expect("answers before files have come", [one.is_waited_for() for one in slow], [True] * 8)
    for source in (CLIENTS[5], CLIENTS[7]):
        ninth = Sender(door, source, key_of("admin")).answer()
        expect("one file more", ninth.status, 429)
        expect_in("what it says", TOO_MANY_FILES, ninth.text)
        expect("a stranger beside them", Sender(door, source, {}).answer().status, 401)
    slow[0].send(b"45")
    is_kept("the first", slow[0].answer(20), hashlib.sha256(b"12345").hexdigest(), 5)
    slow[1].close()
    time.sleep(0.3)
    door.source = CLIENTS[5]
    expect("two in places that are free again", [door.ask("POST", f"{SHELF}/beside", key_of("admin"), b"1").status for _ in range(2)], [200, 200])
    for one in slow[2:]:
        one.close()
    door.source = "127.0.0.1"
    for name in ("beside", "slow0"):
        expect(f"deletion of {name}", door.ask("DELETE", f"{SHELF}/{name}", key_of("admin")).status, 200)


def slows_down_who_asks_often(server, door):
    door.source = CLIENTS[8]
    began = time.monotonic()
    expect("sixty in a row", {door.ask("GET", f"{SHELF}/none", key_of("admin")).status for _ in range(60)}, {200})
    print(f"  sixty in a row: {time.monotonic() - began:.1f} s")
    with ThreadPoolExecutor(100) as pool:
        statuses = list(pool.map(lambda _: door.ask("POST", f"{SHELF}/none", {}, b"1").status, range(100)))
    expect("a hundred at once", set(statuses), {401, 429})
    door.source = CLIENTS[9]
    expect("somebody else", door.ask("POST", f"{SHELF}/none", {}, b"1").status, 401)
    # A wrong key is counted once: sixty a minute may be tried.
    wrong = {"Coopr-UserID": f"nobody-{time.time()}", "Coopr-TenantID": "demo", "Coopr-ApiKey": "wrong"}
    door.source = CLIENTS[10]
    expect("sixty wrong keys", {door.ask("POST", f"{SHELF}/none", wrong, b"1").status for _ in range(60)}, {401})
    refused = Sender(door, CLIENTS[10], wrong).answer()
    expect("one more", refused.status, 429)
    expect_in("what it says", "Too many failed attempts", refused.text)
    expect("when to come again", 1 <= int(refused.headers["retry-after"]) <= 60, True)
    door.source = "127.0.0.1"


def asks_without_the_body(_, door):
    """By the parameters that reach the program."""
    with StandIn() as program, door.line() as line:
        head = f"POST {SHELF}/x?a=b HTTP/1.1\r\nHost: {door.name}\r\nContent-Length: 4\r\nCoopr-UserID: u\r\nConnection: close\r\n\r\n"
        line.sendall(head.encode() + b"ab")
        time.sleep(0.5)
        expect("questions before the body is there", program.asked, 1)
        params = program.seen[0]
        expect("what is asked", {name: params.get(name) for name in ("REQUEST_METHOD", "REQUEST_URI", "HTTP_COOPR_USERID", "BODY_WITHHELD", "HTTPS", "CONTENT_LENGTH")},
               {"REQUEST_METHOD": "ASK", "REQUEST_URI": f"{SHELF}/x?a=b", "HTTP_COOPR_USERID": "u", "BODY_WITHHELD": "POST", "HTTPS": "on", "CONTENT_LENGTH": None})
        line.sendall(b"cd")
        expect_in("the answer", b'"body": 4', b"".join(iter(lambda: line.recv(65536), b"")))
        expect("whether the body was kept back then, too", "BODY_WITHHELD" in program.seen[1], False)
        expect("the method then", program.seen[1]["REQUEST_METHOD"], "POST")


def says_that_the_program_is_away(_, door):
    answer = Sender(door, CLIENTS[0], key_of("admin")).answer()
    expect("a file while the program is away", (answer.status, answer.headers["retry-after"]), (503, "5"))
    expect_in("what it says", "Cooperage is not running at the moment", answer.text)
    door.source = "127.0.0.1"


def serves_files_below(server, door, prefix):
    path = f"{prefix}{SHELF}/below"
    is_kept("a file below the prefix", door.ask("POST", path, key_of("admin"), b"123"), hashlib.sha256(b"123").hexdigest(), 3)
    expect("its deletion", door.ask("DELETE", path, key_of("admin")).status, 200)
    if server.asks_who_sends_files:
        sender = Sender(door, "127.0.0.1", {}, path)
        sender.send(PIECE)
        answer = sender.answer()
        expect("a stranger's file below the prefix", (answer.status, answer.text), (401, "Coopr-UserID not found in request headers."))
        expect("bytes that nginx holds of it", held(server), 0)
        sender.close()
