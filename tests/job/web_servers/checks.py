"""What every web server has to do for Cooperage. Each check gets the server and a door to it."""

import gzip
import json
import re
import socket
import ssl
import time
import warnings
from urllib.parse import urlencode

from .client import Door, eventually, expect, expect_in, key_of, person
from .large_calls import serves_large_calls_below
from .place import CLIENTS, HOST_ADDRESS, REPO, TRUSTED_PROXY
from .program import StandIn
from .uploads import serves_files_below

MIB = 1024 * 1024


def answers_on_this_host_only(server):
    expect(f"{server.name} at first", Door(8080).ask("GET", "/status").text, "OK\n")
    for port in (8080, 443):
        try:
            Door(port, to=HOST_ADDRESS).line().close()
        except ConnectionRefusedError:
            continue
        raise SystemExit(f"FAILED: {server.name} listens on port {port} of other addresses before it has a certificate")


def logs_in(door, prefix=""):
    """By the form; the cookie and the csrf token of a page."""
    form = door.ask("GET", f"{prefix}/login")
    expect("the form", form.status, 200)
    user = person("user")
    fields = {"user": user["user"], "tenant": "demo", "password": user["password"], "next": "/clusters", "csrf": ""}
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    answer = door.ask("POST", f"{prefix}/login", kind, urlencode(fields))
    expect(f"the login: {answer.text}", (answer.status, answer.headers["location"]), (303, f"{prefix}/clusters"))
    cookie = answer.headers["set-cookie"]
    expect_in("the cookie", f"Path={prefix or '/'}; HttpOnly", cookie)
    secure = "" if door.ca is None else "__Secure-" if prefix else "__Host-"
    expect("the name of the cookie", cookie.split("=")[0], f"{secure}cooperage")
    session = {"Cookie": cookie.split(";")[0], **kind}
    page = door.ask("GET", f"{prefix}/clusters", session)
    expect("a page of who is logged in", page.status, 200)
    token = re.search(r'name="csrf" value="([^"]+)"', page.text)[1]
    expect("a form without its token", door.ask("POST", f"{prefix}/logout", session, "csrf=x").status, 403)
    return session, token, page


def takes_forms(_, door):
    session, token, page = logs_in(door)
    expect_in("HSTS", "max-age=", page.headers["strict-transport-security"])
    expect("the logout", door.ask("POST", "/logout", session, urlencode({"csrf": token})).status, 303)
    expect("a page after it", door.ask("GET", "/clusters", session).status, 303)


def load_catalogue(door):
    for file in sorted((REPO / "sql/examples/simulated/catalogue").glob("*/*.json")):
        entry = json.loads(file.read_text())
        path = f"/v2/{file.parent.name}/{entry['name']}"
        expect(path, door.ask("PUT", path, key_of("admin"), json.dumps(entry)).status, 200)


def makes_and_deletes_a_cluster(server, door, prefix=""):
    user = key_of("user")
    wish = json.dumps({"name": f"by-{server.name}", "clusterTemplate": "simulated-one", "numMachines": 3})
    made = door.ask("POST", f"{prefix}/v2/clusters", user, wish)
    expect(made.text, made.status, 200)
    path = f"{prefix}/v2/clusters/{made.json()['id']}"

    def is_now(status):
        return lambda: door.ask("GET", f"{path}/status", user).json()["status"] == status

    eventually("an active cluster", 60, is_now("active"))
    expect("its nodes", len(door.ask("GET", path, user).json()["nodes"]), 3)
    expect("its deletion", door.ask("DELETE", path, user).status, 200)
    eventually("a terminated cluster", 60, is_now("terminated"))


def serves_static_files(_, door, prefix=""):
    css = door.ask("GET", f"{prefix}/static/css/site.css", {"Accept-Encoding": "gzip"})
    expect("the style sheet", css.status, 200)
    expect("its caching", css.headers["cache-control"], "public, max-age=300")
    expect("its sniffing", css.headers["x-content-type-options"], "nosniff")
    expect("its encoding", css.headers["content-encoding"], "gzip")
    expect("its charset", css.headers["content-type"].replace(" ", "").lower(), "text/css;charset=utf-8")
    script = door.ask("GET", f"{prefix}/static/js/live.js").headers["content-type"]
    expect(f"the type of a script, {script}", bool(re.fullmatch(r"(text|application)/javascript; ?charset=utf-8", script)), True)
    picture = door.ask("GET", f"{prefix}/static/img/favicon.svg").headers["content-type"]
    expect(f"the type of a picture, {picture}", picture.startswith("image/svg+xml"), True)
    expect("its bytes", gzip.decompress(css.body), (REPO / "static/css/site.css").read_bytes())
    again = door.ask("GET", f"{prefix}/static/css/site.css", {"If-Modified-Since": css.headers["last-modified"]})
    expect("the style sheet again", again.status, 304)
    expect("a file that is not there", door.ask("GET", f"{prefix}/static/none.css").status, 404)
    for path in ("/static/css/", "/static/", "/static/../views/layout.mustache", "/static/%2e%2e/nginx/site.conf"):
        expect(path, door.ask("GET", prefix + path).status in (400, 403, 404), True)
    if prefix == "":
        expect_in("robots.txt", "Disallow: /", door.ask("GET", "/robots.txt").text)
        expect("favicon.ico", door.ask("GET", "/favicon.ico").status in (200, 301), True)


def compresses_where_nothing_can_be_learnt(_, door):
    asked = {"Accept-Encoding": "gzip"}
    page = door.ask("GET", "/docs/api", asked)
    expect("the encoding of a page", (page.status, page.headers["content-encoding"]), (200, ""))
    own = door.ask("GET", "/docs/api", {**asked, "Sec-Fetch-Site": "same-origin"})
    expect("the encoding of a page that a page of this site asks for", own.headers["content-encoding"], "gzip")
    expect("the page", gzip.decompress(own.body), page.body)
    document = door.ask("GET", "/v2/openapi.json", asked)
    expect("the encoding of JSON", document.headers["content-encoding"], "gzip")
    expect("what it says", json.loads(gzip.decompress(document.body))["openapi"], "3.1.0")
    known = door.ask("GET", "/v2/openapi.json", {**asked, "If-None-Match": document.headers["etag"]})
    expect("the same document again", known.status, 304)


def bounds_bodies(_, door):
    form = door.announce("POST", "/login", 9 * MIB)
    expect_in(f"a form of 9 MiB, {form.status}", "larger than 8 MiB", form.text)
    expect("its status", form.status, 413)
    call = door.announce("POST", "/v2/clusters", 151 * MIB, key_of("user"))
    expect_in(f"a call of 151 MiB, {call.status}", "larger than 150 MiB", call.text)
    expect("its status", call.status, 413)
    path = "/v2/plugins/automatortypes/shell/scripts/large"
    file = door.announce("POST", path, 5 * 1024 * MIB, key_of("admin"))
    expect_in(f"a file of 5 GiB, {file.status}", "larger than 4 GiB", file.text)
    expect("its status", file.status, 413)
    expect("a call of 9 MiB", door.ask("POST", "/v2/import", key_of("admin"), b" " * 9 * MIB).status, 400)
    user = door.ask("POST", "/v2/clusters", key_of("user"), b" " * 9 * MIB)
    expect_in(f"the same of a user, {user.status}", "larger than 8 MiB", user.text)
    form = door.ask("POST", "/login", {"Content-Type": "application/x-www-form-urlencoded"}, b"a&" * 40 * 1024)
    expect_in(f"a login of 80 KiB, {form.status}", "larger than 64 KiB", form.text)
    large = door.ask("POST", path, key_of("admin"), b"x" * 151 * MIB)
    expect(f"a file of 151 MiB: {large.text}", large.status, 200)
    expect("its deletion", door.ask("DELETE", path, key_of("admin")).status, 200)


def refuses_trace(server, door):
    answer = door.ask("TRACE", "/login", {"Cookie": "cooperage=x"})
    expect("TRACE", answer.status, 405)
    expect("a cookie sent back", "cooperage=x" in answer.text, False)
    if not server.answers_trace_by_itself:
        expect("what TRACE may be instead", answer.headers["allow"], "GET, HEAD, POST")
    expect("OPTIONS", door.ask("OPTIONS", "/v2/clusters", key_of("user")).status, 405)


def drops_bodies_of_head(_, door):
    """The program sends them."""
    with door.line() as line:
        line.sendall(f"HEAD /login HTTP/1.1\r\nHost: {door.name}\r\nConnection: close\r\n\r\n".encode())
        head, _, body = b"".join(iter(lambda: line.recv(65536), b"")).partition(b"\r\n\r\n")
    expect_in("HEAD", b" 200 ", head)
    expect("the body of HEAD", body, b"")


def refuses_old_tls(server, door):
    """The server itself says that the version is too old: this client would speak it."""
    for newest, reason in ((ssl.TLSVersion.TLSv1_1, "TLSV1_ALERT_PROTOCOL_VERSION"), (ssl.TLSVersion.TLSv1_2, None)):
        context = ssl.create_default_context(cafile=door.ca)
        context.set_ciphers("DEFAULT:@SECLEVEL=0")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            context.minimum_version, context.maximum_version = ssl.TLSVersion.TLSv1, newest
        with socket.create_connection((door.to, door.port), timeout=60) as made:
            try:
                with context.wrap_socket(made, server_hostname=door.name) as line:
                    found = None if line.version() == "TLSv1.2" else line.version()
            except ssl.SSLError as error:
                found = error.reason
        expect(f"a client that knows {newest.name} at most", found, reason)


def protects_all_answers(server, door):
    """Each header once, on what the program says and on what the web server says itself."""
    for path, status in (("/login", 200), ("/v2/clusters", 401), ("/static/css/site.css", 200), ("/static/none.css", 404), ("/nowhere", 404)):
        answer = door.ask("GET", path)
        expect(f"the status of {path}", answer.status, status)
        wanted = {"x-content-type-options": "nosniff", "cross-origin-resource-policy": "same-origin"}
        if server.adds_hsts or not path.startswith("/static"):
            wanted["strict-transport-security"] = "max-age=31536000; includeSubDomains"
        for name, value in wanted.items():
            expect(f"{name} of {path}", answer.headers[name], value)
        policy = answer.headers["content-security-policy"]
        if path != "/static/none.css" or server.adds_hsts:
            expect(f"policies of {path}: {policy}", policy.count("default-src"), 1)
            for part in ("default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'"):
                expect_in(f"the policy of {path}", part, policy)
            expect(f"scripts on {path}", "script-src" in policy, not path.startswith("/static"))


def says_little_of_itself(_, door):
    for path in ("/status", "/static/none", "/nowhere"):
        expect(f"a version in the header Server of {path}", re.search(r"[0-9]", door.ask("GET", path).headers["server"]), None)
        expect(f"a version in {path}", re.search(r"(nginx|Apache|lighttpd)/[0-9]", door.ask("GET", path).text), None)


def says_when_the_program_is_away(server, door, program):
    program.stop()
    for path in ("/v2/clusters", "/login"):
        answer = door.ask("GET", path)
        expect(f"{path} while the program is away", answer.status, 503)
        expect_in("what it says", "Cooperage is not running at the moment", answer.text)
        if server.has_retry_after:
            expect("when to come again", answer.headers["retry-after"], "5")
    program.start()
    eventually("an answer after the program has come back", 5, door.answers)


def bounds_logins(server, door):
    door.source = CLIENTS[20]
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    statuses = [door.ask("POST", "/login", kind, "user=x").status for _ in range(40)]
    expect("the first login", statuses[0], 422)
    expect("the fortieth in a row", statuses[-1], 429 if server.counts_logins else 422)
    door.source = CLIENTS[21]
    expect("the first of somebody else", door.ask("POST", "/login", kind, "user=x").status, 422)
    door.source = CLIENTS[20]
    expect("the form itself", door.ask("GET", "/login").status, 200)


def bounds_requests_of_one_address(server, door):
    """Each request under way here is one whose body does not come to its end."""
    with StandIn():
        door.source = CLIENTS[22]
        head = f"POST /v2/clusters HTTP/1.1\r\nHost: {door.name}\r\nContent-Length: 4\r\n\r\n"
        lines = [door.line() for _ in range(32)]
        for line in lines:
            line.sendall(head.encode() + b"ab")
        time.sleep(0.3)
        for path in ("/clusters", "/v2/clusters", "/login"):
            one_more = door.ask("GET", path)
            expect(f"{path} beside 32 others", one_more.status, 429 if server.counts_requests else 200)
            if server.counts_requests:
                expect("when to come again", one_more.headers["retry-after"], "5")
                expect_in("what it says", "Too many requests from this address", one_more.text)
        door.source = CLIENTS[23]
        expect("somebody else's", door.ask("GET", "/clusters").status, 200)
        door.source = CLIENTS[22]
        for line in lines:
            line.sendall(b"cd")
            expect_in("the answer", b'"body": 4', line.recv(65536))
            line.close()
        expect("one after them", door.ask("GET", "/clusters").status, 200)
        door.source = "127.0.0.1"


FORGED = {"X-Forwarded-For": "10.9.8.7", "X-Real-IP": "10.9.8.7", "Forwarded": "for=10.9.8.7;proto=https",
          "X-Forwarded-Proto": "https", "X-Forwarded-Host": "evil.test", "HTTPS": "on", "Https": "on", "Remote-Addr": "10.9.8.7",
          "REMOTE_ADDR": "10.9.8.7", "Remote_Addr": "10.9.8.7", "Proxy": "http://evil.test/", "Request-Method": "DELETE",
          "Body-Withheld": "on", "BODY_WITHHELD": "on"}


def believes_nobody(server, plain, tls):
    """By the parameters that reach the program."""
    with StandIn():
        plain.source = tls.source = CLIENTS[0]
        params = plain.ask("GET", "/a", FORGED).json()["params"]
        expect("the address of who forges", params["REMOTE_ADDR"], CLIENTS[0])
        expect("HTTPS without TLS", params.get("HTTPS", "") == "on", False)
        expect("Proxy", "HTTP_PROXY" in params, False)
        expect("the method", params["REQUEST_METHOD"], "GET")
        expect("a body that is kept back", "BODY_WITHHELD" in params, False)
        params = tls.ask("GET", "/a", {**FORGED, "X-Forwarded-Proto": "http"}).json()["params"]
        expect("the address of who forges over TLS", params["REMOTE_ADDR"], CLIENTS[0])
        expect("HTTPS with TLS", params["HTTPS"], "on")
        plain.source = TRUSTED_PROXY
        said = {"X-Forwarded-For": f"10.9.8.7, {CLIENTS[3]}", "X-Forwarded-Proto": "https"}
        params = plain.ask("GET", "/a", said).json()["params"]
        expect("the address a trusted proxy says", params["REMOTE_ADDR"], CLIENTS[3])
        expect("HTTPS by a trusted proxy", params.get("HTTPS"), "on")
        params = plain.ask("GET", "/a", {**said, "X-Forwarded-Proto": "http"}).json()["params"]
        expect("no HTTPS by a trusted proxy", params.get("HTTPS", "") == "on", False)
        plain.source = tls.source = "127.0.0.1"


def passes_on_what_was_sent(server, door):
    with StandIn():
        target = "/v2/services/a%2Fb%20c/%7Ex/?q=a+b%2F&r=%41"
        sent = {**key_of("user"), "Authorization": "Bearer x", "X-CSRF-Token": "y", "Origin": "https://z.test"}
        params = door.ask("GET", target, sent).json()["params"]
        expect("the address", params["REQUEST_URI"], target)
        for name, value in sent.items():
            expect(name, params.get("HTTP_" + name.upper().replace("-", "_")), value)
        expect("Host", params["HTTP_HOST"], door.name)
        whole = door.ask("POST", "/v2/x", {"Content-Type": "text/x"}, b"12345").json()
        expect("a body", (whole["body"], whole["params"]["CONTENT_LENGTH"], whole["params"]["CONTENT_TYPE"]), (5, "5", "text/x"))
        pieces = door.ask("POST", "/v2/x", {"Transfer-Encoding": "chunked"}, iter([b"123", b"4567"]), chunked=True)
        if server.takes_chunks:
            said = pieces.json()
            expect("a body in chunks", (said["body"], said["params"].get("CONTENT_LENGTH")), (7, "7"))
        else:
            expect("a body in chunks", pieces.status, 411)


def passes_on_what_the_program_says(_, door):
    with StandIn():
        busy = door.ask("GET", "/busy")
        expect("the program's own 503", (busy.status, busy.headers["retry-after"]), (503, "30"))
        expect("its body", busy.json()["params"]["REQUEST_URI"], "/busy")


def holds_slow_bodies_back(server, door):
    """The program is asked when the body is there, so that a slow client holds none of its threads. Of files it may be asked before who
    sends them, without the body."""
    for path in ("/clusters", "/v2/clusters", "/v2/plugins/automatortypes/shell/scripts/large"):
        with StandIn() as program, door.line() as line:
            head = f"POST {path} HTTP/1.1\r\nHost: {door.name}\r\nContent-Length: 4\r\nConnection: close\r\n\r\n"
            line.sendall(head.encode() + b"ab")
            time.sleep(0.7)
            first = 1 if server.asks_who_sends_files and "plugins" in path else 0
            expect(f"connections before the body for {path} is there", program.asked, first)
            line.sendall(b"cd")
            expect_in("the answer", b'"body": 4', b"".join(iter(lambda: line.recv(65536), b"")))


def stands_below_a_prefix(server, program, prefix, door):
    program.stop()
    program.start(prefix)
    server.move_below(prefix)
    server.restart()
    beside = Door(8081, name="127.0.0.1:8081")
    eventually("the other site", 10, lambda: beside.answers("/"))
    for one in (door, beside):
        bare = one.ask("GET", prefix)
        expect("the prefix alone", bare.status in (301, 303), True)
        expect_in("where it leads", prefix + "/", bare.headers["location"])
        session, _, page = logs_in(one, prefix)
        for address in re.findall(r'(?:href|src|action)="(/[^"]*)"', page.text):
            expect_in(f"an address of the page {address}", prefix + "/", address)
            expect(address, one.ask("GET", address, session).status in (200, 303, 405), True)
        serves_static_files(server, one, prefix)
        expect("the server of the description", one.ask("GET", f"{prefix}/v2/openapi.json").json()["servers"][0]["url"], prefix)
        expect("a call larger than forms", one.ask("POST", f"{prefix}/v2/import", key_of("admin"), b" " * 9 * MIB).status, 400)
        expect_in("a form of 9 MiB", "larger than 8 MiB", one.announce("POST", f"{prefix}/login", 9 * MIB).text)
        makes_and_deletes_a_cluster(server, one, prefix)
        serves_files_below(server, one, prefix)
        serves_large_calls_below(server, one, prefix)
    expect("without the prefix", door.ask("GET", "/login").status, 404)
    expect("the other site's own page", beside.ask("GET", "/").text, "another site")
