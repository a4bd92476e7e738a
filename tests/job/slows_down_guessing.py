#!/usr/bin/env python3
"""Guessing of passwords is slowed down in all web processes together, and the owner still gets in. Sessions that are ended really
end, initial passwords have to be changed, keys make none that live longer, and dangerous pages ask who is there. The web program
is asked over FastCGI, past the limit of nginx. Against the set of COOPERAGE_TEST_DIR."""

import base64
import hashlib
import hmac
import json
import os
import re
import signal
import socket
import struct
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from pathlib import Path
from urllib.parse import urlencode

REPO = Path(__file__).resolve().parents[2]
SET = Path(os.environ.get("COOPERAGE_TEST_DIR", REPO / "var" / "test"))
AS_WEB = [REPO / "cooperage", "--dir", SET, "enter", REPO / "provisioner/programs/package/run-as", "cooperage-web", SET / "run" / "web", "www-data"]
USERS = json.loads((SET / "access.json").read_text())["users"]
FIRST = SET / "run" / "web" / "web.sock"
SECOND = SET / "run" / "web" / "second.sock"
checks = 0


def expect(what, got, wanted):
    global checks
    checks += 1
    if got != wanted:
        sys.exit(f"FAILED: {what}: {got!r} instead of {wanted!r}")


def expect_in(what, part, text):
    expect(f"{what} ({text[:2000]!r})", part in text, True)


def person(role, tenant="demo"):
    return next(one for one in USERS if (one["tenant"], one["role"]) == (tenant, role))


class Answer:
    def __init__(self, raw):
        head, _, self.body = raw.decode(errors="replace").partition("\r\n\r\n")
        self.headers = {}
        for line in head.split("\r\n"):
            name, _, value = line.partition(": ")
            # The message of what was done, which is told once, is no session.
            if not value.startswith("cooperage-done-"):
                self.headers[name.lower()] = value
        self.status = int(self.headers.get("status", "200").split()[0])
        self.cookie = self.headers.get("set-cookie", "").partition(";")[0]
        self.location = self.headers.get("location", "")


def ask(method, path, body=b"", headers=None, address="192.0.2.1", web=FIRST):
    """What cooperage-web answers to a client of that address."""
    def record(kind, content=b""):
        return struct.pack(">BBHHBx", 1, kind, 1, len(content), 0) + content

    def pair(name, value):
        return struct.pack(">II", len(name) | 0x80000000, len(value) | 0x80000000) + name.encode() + value.encode()

    if isinstance(body, dict):
        body = urlencode(body).encode()
    params = {"REQUEST_METHOD": method, "REQUEST_URI": path, "CONTENT_LENGTH": str(len(body)), "REMOTE_ADDR": address,
              "HTTP_HOST": "cooperage.example", "HTTP_USER_AGENT": "Mozilla/5.0 (X11; Linux) Firefox/140.0", "QUERY_STRING": path.partition("?")[2]}
    for name, value in (headers or {}).items():
        params["HTTP_" + name.upper().replace("-", "_")] = value
    with socket.socket(socket.AF_UNIX) as line:
        line.settimeout(60)
        line.connect(str(web))
        line.sendall(record(1, struct.pack(">HB5x", 1, 0)) + record(4, b"".join(pair(*one) for one in params.items())) + record(4)
                     + (record(5, body) if body else b"") + record(5))
        raw, out = b"", b""
        while chunk := line.recv(65536):
            raw += chunk
    while len(raw) >= 8:
        _, kind, _, length, padding = struct.unpack(">BBHHBx", raw[:8])
        if kind == 6:
            out += raw[8:8 + length]
        raw = raw[8 + length + padding:]
    return Answer(out)


def log_in(who, password=None, address="192.0.2.1", web=FIRST, path="/login"):
    fields = {"tenant": who["tenant"], "user": who["user"], "password": who["password"] if password is None else password, "next": "/clusters"}
    return ask("POST", path, fields, address=address, web=web)


class Browser:
    """Somebody who is logged in."""

    def __init__(self, who, address="192.0.2.1", password=None):
        self.address = address
        self.answer = log_in(who, password, address)
        expect(f"the login of {who['user']}: {self.answer.body[:600]}", self.answer.status, 303)
        self.cookie = self.answer.cookie

    def get(self, path):
        return self.kept(ask("GET", path, headers={"Cookie": self.cookie, "Accept": "text/html"}, address=self.address))

    def post(self, path, fields=None, form=None):
        """Sends a form with the token of the page `form`."""
        page = self.get(form or "/profile")
        token = re.search(r'name="csrf" value="([^"]*)"', page.body)
        expect(f"a token on {form}: {page.status} {page.location}", bool(token), True)
        return self.kept(ask("POST", path, {**(fields or {}), "csrf": token[1]},
                             headers={"Cookie": self.cookie, "Accept": "text/html"}, address=self.address))

    def kept(self, answer):
        if answer.cookie:
            self.cookie = answer.cookie
        return answer


def call(who, method, path, body=None, key=None):
    answer = ask(method, path, json.dumps(body).encode() if body is not None else b"",
                 {"Coopr-UserID": who["user"], "Coopr-TenantID": who["tenant"], "Coopr-ApiKey": key or who["apikey"]})
    return answer.status, answer.body


def code_of(secret):
    key = base64.b32decode(secret.replace(" ", ""))
    digest = hmac.new(key, struct.pack(">Q", int(time.time()) // 30), hashlib.sha1).digest()
    at = digest[-1] & 15
    return f"{(struct.unpack('>I', digest[at:at + 4])[0] & 0x7FFFFFFF) % 1_000_000:06}"


def next_code_of(secret):
    """The code of the step after this one, in that step: codes count once, and none counts early."""
    used = code_of(secret)
    while code_of(secret) == used:
        time.sleep(0.5)
    return code_of(secret)


def age_session(browser):
    """As if the password had been given eleven minutes ago."""
    database = ["mariadb", "--no-defaults", f"--socket={SET}/run/database/db.sock", "--user=root", "cooperage", "-e"]
    token = browser.cookie.partition("=")[2]
    digest = hashlib.blake2b(token.encode(), digest_size=32).hexdigest()
    subprocess.run([*database, f"UPDATE session SET proven_at = proven_at - INTERVAL 11 MINUTE WHERE token_hash = '{digest}'"], check=True)


def guesses_are_slowed_down_everywhere():
    demo = person("user")
    attacker = "203.0.113.66"
    began = time.monotonic()
    with ThreadPoolExecutor(16) as pool:
        statuses = list(pool.map(lambda i: log_in(demo, f"guess {i}", attacker, (FIRST, SECOND)[i % 2], ("/login", "/login/")[i // 2 % 2]).status,
                                 range(200)))
    took = time.monotonic() - began
    tried = statuses.count(422)
    expect(f"all are refused: {sorted(set(statuses))}", set(statuses), {422, 429})
    # Five at once; the waits of 1 s, 2 s, 4 s ... let in a few more while it takes.
    expect(f"{tried} of 200 guesses in {took:.1f} s were looked at", tried <= 5 + 5, True)
    print(f"  {tried} of 200 guesses were looked at, in {took:.1f} s")
    for web in (FIRST, SECOND):
        right, wrong = (log_in(demo, password, attacker, web) for password in (demo["password"], "wrong"))
        expect("the right password during the wait", right.status, 429)
        expect("is told how long", int(right.headers["retry-after"]) > 0, True)
        words = [re.sub(r"\d+", "N", one.body) for one in (right, wrong)]
        expect("the same words for both", words[0] == words[1], True)
        expect("no cookie", right.cookie, "")
    expect("the owner elsewhere", log_in(demo, address="198.51.100.20", web=SECOND).status, 303)
    statuses = [log_in(demo, f"guess {i}", f"2001:db8:7:{i:x}::1", (FIRST, SECOND)[i % 2]).status for i in range(60)]
    expect(f"guesses from 60 networks of one line are slowed down: {statuses}", statuses.count(422) <= 10 + 5 and set(statuses) == {422, 429}, True)
    expect("the owner elsewhere after that", log_in(demo, address="198.51.100.21").status, 303)
    unknown = {"tenant": "demo", "user": "nobody-at-all", "password": "x"}
    statuses = [log_in(unknown, "x", "203.0.113.67").status for _ in range(8)]
    expect("unknown users wait, too", statuses, [422] * 5 + [429] * 3)


def wrong_keys_are_counted_together():
    demo = person("user")
    headers = {"Coopr-UserID": demo["user"], "Coopr-TenantID": "demo", "Coopr-ApiKey": "coop_" + "0" * 64}
    statuses = [ask("GET", "/v2/clusters", headers=headers, address="203.0.113.70", web=(FIRST, SECOND)[i % 2]).status for i in range(70)]
    expect("sixty wrong keys over both", statuses.count(401) <= 62 and statuses[-1] == 429, True)
    headers["Coopr-ApiKey"] = demo["apikey"]
    expect("the right one from elsewhere", ask("GET", "/v2/clusters", headers=headers, address="203.0.113.71").status, 200)


def sessions_really_end():
    demo = person("user")
    here, there = Browser(demo), Browser(demo, "192.0.2.2")
    page = here.get("/profile")
    expect_in("the profile", "192.0.2.2", page.body)
    expect_in("the profile", "Firefox on Linux", page.body)
    ids = [int(one) for one in re.findall(r"/profile/sessions/(\d+)/end", page.body)]
    expect("others can be ended", len(ids) >= 1, True)
    expect("ended", here.post(f"/profile/sessions/{max(ids)}/end").status, 303)
    expect("the other is out", there.get("/profile").location.partition("?")[0], "/login")
    third = Browser(demo, "192.0.2.3")
    expect("all others", here.post("/profile/sessions/end").status, 303)
    expect("the third is out", third.get("/clusters").location.partition("?")[0], "/login")
    expect("this one is in", here.get("/clusters").status, 200)
    foreign = Browser(person("admin"), "192.0.2.4")
    expect("nobody ends sessions of others", foreign.post(f"/profile/sessions/{max(ids)}/end").status, 303)
    expect("this one is in", here.get("/clusters").status, 200)


def keys_make_no_stronger_keys():
    demo = person("user")
    soon = int(time.time() * 1000) + 60_000
    name = f"short-{os.getpid()}"
    status, body = call(demo, "POST", "/v2/profile/apikeys", {"name": name, "expireTime": soon})
    expect(f"a key of a minute: {body}", status, 200)
    short = json.loads(body)["apikey"]
    status, body = call(demo, "POST", "/v2/profile/apikeys", {"name": name + "-child"}, short)
    expect(f"its child for ever: {body}", (status, "expireTime" in body), (422, True))
    status, body = call(demo, "POST", "/v2/profile/apikeys", {"name": name + "-child", "expireTime": soon + 1}, short)
    expect(f"its child a millisecond longer: {body}", status, 422)
    status, body = call(demo, "POST", "/v2/profile/apikeys", {"name": name + "-child", "expireTime": soon}, short)
    expect(f"its child as long: {body}", status, 200)
    status, body = call(demo, "POST", "/v2/profile/apikeys", {"name": name + "-narrow", "scope": "some", "rights": ["clusters:read"]})
    expect(f"a narrow one: {body}", status, 200)
    narrow = json.loads(body)["apikey"]
    for method, path, wanted in (("GET", "/v2/clusters", 200), ("POST", "/v2/clusters", 403), ("GET", "/v2/services", 403),
                                 ("GET", "/v2/profile/apikeys", 403), ("POST", "/v2/profile/apikeys", 403)):
        status, body = call(demo, method, path, {} if method == "POST" else None, narrow)
        expect(f"{method} {path} with it: {body}", status, wanted)
    status, body = call(demo, "POST", "/v2/profile/apikeys", {"name": name + "-one", "clusters": ["999999"]})
    one = json.loads(body)["apikey"]
    expect("a list with a key of one cluster", call(demo, "GET", "/v2/clusters", key=one)[0], 403)
    expect("its cluster", call(demo, "GET", "/v2/clusters/999999", key=one)[0], 404)
    keys = json.loads(call(demo, "GET", "/v2/profile/apikeys")[1])
    expect("the use is seen", any(key["name"] == name and key["useTime"] > 0 for key in keys), True)
    for key in keys:
        if key["name"].startswith(name):
            expect("deleted", call(demo, "DELETE", f"/v2/profile/apikeys/{key['id']}")[0], 200)


def initial_passwords_are_changed_at_once():
    root = person("superadmin", "superadmin")
    name = f"eve-{os.getpid()}"
    path = f"/v2/tenants/demo/users/{name}"
    status, body = call(root, "POST", "/v2/tenants/demo/users", {"name": name, "password": "hildegard2026"})
    expect(f"a new user: {body}", status, 200)
    status, body = call(root, "POST", path + "/password")
    expect(f"an initial password: {body}", status, 200)
    eve = {"tenant": "demo", "user": name, "password": json.loads(body)["password"], "apikey": ""}
    browser = Browser(eve)
    expect("no other page before", browser.get("/clusters").location, "/profile/password")
    expect("nor the API", ask("GET", "/v2/clusters", headers={"Cookie": browser.cookie}).status, 401)
    fields = {"current": eve["password"], "wanted": "password1234", "repeated": "password1234"}
    answer = browser.post("/profile/password", fields, "/profile/password")
    expect("a common one", answer.status, 422)
    expect_in("is told so", "Many people use this password", answer.body)
    wanted = "rivers run past mills"
    answer = browser.post("/profile/password", {**fields, "wanted": wanted, "repeated": wanted}, "/profile/password")
    expect(f"its own: {answer.body[:500]}", answer.status, 303)
    expect("now all pages", browser.get("/clusters").status, 200)
    status, body = call(root, "PUT", path, {"disabled": True})
    expect(f"locked: {body}", status, 200)
    expect("out at once", browser.get("/clusters").location.partition("?")[0], "/login")
    expect("and not in again", log_in(eve, wanted, "192.0.2.30").status, 422)
    call(root, "PUT", path, {"disabled": False})
    return {**eve, "password": wanted}


def dangerous_pages_ask_again(eve):
    browser = Browser(eve, "192.0.2.40")
    expect("fresh", browser.get("/profile/factor").status, 200)
    age_session(browser)
    expect("a page that does no harm", browser.get("/profile").status, 200)
    asked = browser.get("/profile/factor")
    expect("asked again", (asked.status, asked.location), (303, "/profile/proof?next=%2Fprofile%2Ffactor"))
    asked = browser.post("/profile/keys", {"name": "x", "scope": "all", "expireTime": "1"})
    expect("a form, too", asked.location, "/profile/proof?next=%2Fprofile%2Fkeys")
    before = browser.cookie
    answer = browser.post("/profile/proof", {"password": "wrong one", "next": "/profile/factor"}, "/profile/proof")
    expect("a wrong password", answer.status, 422)
    answer = browser.post("/profile/proof", {"password": eve["password"], "next": "/profile/factor"}, "/profile/proof")
    expect("the right one", (answer.status, answer.location), (303, "/profile/factor"))
    expect("a new token", browser.cookie != before, True)
    expect("the old one is worth nothing", ask("GET", "/profile", headers={"Cookie": before}).status, 303)
    expect("now the page", browser.get("/profile/factor").status, 200)
    made = browser.post("/profile/keys", {"name": "of-the-page", "scope": "read", "expireTime": "1"})
    key = re.search(r"coop_[0-9a-f]{64}", made.body)
    expect(f"a key of the page: {made.status}", bool(key), True)
    expect("works", call(eve, "GET", "/v2/clusters", key=key[0])[0], 200)


def a_second_factor_is_asked_for(eve):
    browser = Browser(eve, "192.0.2.50")
    page = browser.get("/profile/factor")
    secret = unescape(re.search(r'<code class="secret"[^>]*>([^<]*)<', page.body)[1])
    answer = browser.post("/profile/factor", {"code": "000000"}, "/profile/factor")
    expect("a wrong first code", answer.status, 422)
    answer = browser.post("/profile/factor", {"code": code_of(secret)}, "/profile/factor")
    recovery = re.findall(r"<code>((?:[a-z2-7]{4}-){6}[a-z2-7]{2})</code>", answer.body)
    expect(f"ten recovery codes ({answer.status})", len(recovery), 10)
    expect("still in", browser.get("/clusters").status, 200)

    second = Browser(eve, "192.0.2.51")
    expect("half a sign-in leads to the code", second.answer.location, "/login/code?next=%2Fclusters")
    expect("and to nothing else", second.get("/clusters").location, "/login?next=%2Fclusters")
    expect("nor to the API", ask("GET", "/v2/clusters", headers={"Cookie": second.cookie}).status, 401)
    code = next_code_of(secret)
    answer = second.post("/login/code", {"code": code}, "/login/code")
    expect(f"the next code: {answer.body[:300]}", (answer.status, answer.location), (303, "/"))
    expect("in", second.get("/clusters").status, 200)
    events = json.loads(call(person("admin"), "GET", f"/v2/audit?user={eve['user']}&limit=50")[1])
    steps = [event["action"] for event in reversed(events) if event["client"] == "192.0.2.51"]
    expect("nobody is in before the second step", steps, ["sign-in.first-step", "sign-in"])
    third = Browser(eve, "192.0.2.52")
    answer = third.post("/login/code", {"code": code}, "/login/code")
    expect("the same code again", answer.status, 422)
    answer = third.post("/login", {**eve, "password": "wrong"}, "/login")
    expect("the form of the first step again", (answer.status, "Incorrect user name, tenant or password." in answer.body), (422, True))
    answer = third.post("/login/code", {"code": recovery[0]}, "/login/code")
    expect("a recovery code", answer.status, 303)
    fourth = Browser(eve, "192.0.2.53")
    statuses = [fourth.post("/login/code", {"code": recovery[0]}, "/login/code").status for _ in range(7)]
    expect("guessing of codes", (statuses[0], statuses[-1]), (422, 429))

    admin = Browser(person("admin"), "192.0.2.54")
    page = admin.get(f"/people/{eve['user']}")
    expect_in("the administrator's page", "Remove the second factor", page.body)
    answer = admin.post(f"/people/{eve['user']}/factor/remove", form=f"/people/{eve['user']}")
    expect("removed", answer.location, f"/people/{eve['user']}")
    expect("its sessions are out", second.get("/clusters").location.partition("?")[0], "/login")
    expect("a password is enough", Browser(eve, "192.0.2.55").answer.location, "/clusters")


def main():
    config = (SET / "etc" / "cooperage.conf").read_text()
    settings = SET / "etc" / "second.conf"
    settings.write_text(re.sub(r"(?m)^web\.socket = .*$", f"web.socket = {SECOND}", config))
    settings.chmod(0o644)
    log = open(SET / "log" / "second.log", "w")
    second = subprocess.Popen([*AS_WEB, REPO / "build/release/bin/cooperage-web", "--config", settings], stderr=log)
    try:
        for _ in range(100):
            if SECOND.exists():
                break
            time.sleep(0.1)
        guesses_are_slowed_down_everywhere()
        wrong_keys_are_counted_together()
        sessions_really_end()
        keys_make_no_stronger_keys()
        eve = initial_passwords_are_changed_at_once()
        dangerous_pages_ask_again(eve)
        a_second_factor_is_asked_for(eve)
        root = person("superadmin", "superadmin")
        expect("gone", call(root, "DELETE", f"/v2/tenants/demo/users/{eve['user']}")[0], 200)
    finally:
        second.send_signal(signal.SIGTERM)
        second.wait(30)
        settings.unlink()
        # What was guessed counts for a day: people of later tests would have to wait.
        subprocess.run(["mariadb", "--no-defaults", f"--socket={SET}/run/database/db.sock", "--user=root", "cooperage",
                        "-e", "DELETE FROM sign_in_failure"], check=True)
    print(f"{checks} passed, 0 failed")


if __name__ == "__main__":
    main()
