#!/usr/bin/env python3
"""A Compute Engine of the tests' own. Prints its port; ends when its standard input does.

It keeps state (gce/cloud.py), and is judged: Google's discovery document checks every request and every answer (gce/judge.py),
google.auth.jwt every assertion, and a table of Google's permissions every call (gce/access.py). test_gce_stand_in.py runs Google's own
client and libcloud's driver against it.

    POST /token, /o/oauth2/token     the token endpoint
    /compute/v1/...                  the API
    POST /-/account                  {"project": "p", "permissions": [...] or null}: a new service account, as its key file
    POST /-/settings                 changes gce/cloud.py's SETTINGS
    POST /-/fault                    {"operation": "instances.insert", "count": 1, "kind": "error" | "delay" | "lost_reply" | "truncated" |
                                     "throttle" | "operation_error", ...}: what happens to the next calls
    POST /-/preempt                  {"project": "p", "instance": "n"}: takes a spot machine back
    POST /-/abandon                  {"project": "p", "instance": "n"}: the machine goes, its disks stay
    POST /-/disk                     {"project": "p", "zone": "z", "disk": {"name": "n", "sizeGb": "10"}}: a disk that somebody made
    POST /-/image                    {"project": "p", "name": "n", "family": "f", "size": 10}: an image of a project's own
    POST /-/revoke                   makes every token invalid
    GET  /-/state                    everything that exists
    GET  /-/calls                    {"calls": by operation, "refused": what the judge found, "permissions": those that were needed}
"""

import json
import os
import socket
import sys
import threading
import time
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
from python_packages import environment  # noqa: E402

PACKAGES = environment("gce-python", HERE / "gce_requirements.txt")
if Path(sys.prefix) != PACKAGES:
    os.execv(PACKAGES / "bin" / "python", [str(PACKAGES / "bin" / "python"), *sys.argv])

from gce.access import Accounts  # noqa: E402
from gce.calls import Call, Calls  # noqa: E402
from gce.cloud import Cloud  # noqa: E402
from gce.disks import new_disk  # noqa: E402
from gce.errors import Refusal, not_found, rate_limited, unknown_names  # noqa: E402
from gce.judge import Judge  # noqa: E402

API = "/compute/v1/"
# Audiences that Google takes, too: its own client names the first whatever endpoint the key says, libcloud the second.
AUDIENCES = ["https://oauth2.googleapis.com/token", "https://accounts.google.com/o/oauth2/token"]


class StandIn:
    def __init__(self):
        self.judge = Judge()
        self.cloud = Cloud()
        self.calls = Calls(self.cloud)
        self.accounts = Accounts(self.cloud.lock)
        self.counts = Counter()
        self.refused = []
        self.faults = []
        self.port = 0

    def token_uri(self):
        return f"http://127.0.0.1:{self.port}/token"

    # Faults

    def fault(self, operation):
        """The fault that is meant for this call; used up by it. Names are those of the document without "compute."; "*" is any call."""
        with self.cloud.lock:
            self.counts[operation] += 1
            for fault in self.faults:
                if fault["operation"] in (operation, "*") and fault.get("after", 0) > 0:
                    fault["after"] -= 1
                elif fault["operation"] in (operation, "*"):
                    fault["count"] -= 1
                    self.faults = [one for one in self.faults if one["count"] > 0]
                    return fault
        return {}

    @staticmethod
    def refusal_of(fault):
        """The Refusal that a fault asks for, in the answer or in the operation; None for other faults."""
        if fault.get("kind") == "throttle":
            after = fault.get("retry_after")
            return rate_limited(fault.get("status", 403), {"Retry-After": str(after)} if after else {})
        if fault.get("kind") in ("error", "operation_error"):
            return Refusal(fault.get("status", 503), fault.get("reason", "backendError"), fault.get("message", "Internal error. Please try again."),
                           code=fault.get("code"), details=fault.get("details"), domain=fault.get("domain", "global"))
        return None

    # Requests

    def token(self, form):
        fault = self.fault("token")
        if fault.get("kind") == "delay":
            time.sleep(fault.get("seconds", 1))
        if refusal := self.refusal_of(fault):
            return refusal.status, refusal.body(), refusal.headers, fault
        status, answer = self.accounts.token(form, [self.token_uri(), *AUDIENCES])
        return status, answer, {}, fault

    def request(self, verb, path, query, body, authorization):
        """(status, body, headers, fault) of a call of the API."""
        method, places = self.judge.method(verb, path)
        if method is None:
            self.refused.append({"operation": f"{verb} {path}", "reasons": ["no such method"]})
            return 404, not_found(path).body(), {}, {}
        fault = self.fault(method.id.removeprefix("compute."))
        if fault.get("kind") == "delay":
            time.sleep(fault.get("seconds", 1))
        refusal = self.refusal_of(fault)
        try:
            if refusal and fault["kind"] != "operation_error":
                raise refusal
            user = self.accounts.check(authorization, method.id, verb, path, places["project"], body)
            if findings := self.judge.request(method, places, query, body):
                self.refused.append({"operation": method.id, "reasons": findings})
                raise unknown_names(findings)
            body = {name: value for name, value in body.items() if value is not None} if body else body
            call = Call(self.cloud, self.cloud.project(places["project"]), places, query, body, user, refusal)
            answer = self.calls.answer(method, call)
        except Refusal as refused:
            return refused.status, refused.body(), refused.headers, fault
        if findings := self.judge.answer(method, answer):
            self.refused.append({"operation": f"answer of {method.id}", "reasons": findings})
            return 500, {"error": {"code": 500, "message": "; ".join(findings)}}, {}, fault
        return 200, answer, {}, fault

    # Control

    def control(self, path, body):
        if path == "state":
            return self.cloud.state()
        with self.cloud.lock:
            if path == "account":
                self.cloud.add_project(body["project"])
                return self.accounts.new(body["project"], body.get("permissions"), self.token_uri())
            if path == "calls":
                return {"calls": dict(self.counts), "refused": self.refused, "permissions": sorted(self.accounts.used_permissions)}
            if path == "settings":
                for name in ("token_seconds", "ahead"):
                    setattr(self.accounts, name, body.pop(name, getattr(self.accounts, name)))
                if unknown := set(body) - set(self.cloud.settings):
                    raise KeyError(f"unknown settings {unknown}")
                self.cloud.settings.update(body)
            if path == "fault":
                self.faults.append({"count": 1, **body})
            if path == "preempt":
                self.calls.instances.preempt(self.cloud.project(body["project"]), body["instance"])
            if path == "abandon":
                self.calls.instances.abandon(self.cloud.project(body["project"]), body["instance"])
            if path == "disk":
                new_disk(self.cloud, self.cloud.project(body["project"]), body["zone"], {
                    "name": body["disk"]["name"], "size": body["disk"]["sizeGb"], "labels": body["disk"].get("labels")}, "disk")["status"] = "READY"
            if path == "image":
                self.cloud.catalogue.add_image(body["project"], body["name"], body["family"], body.get("size", 10))
            if path == "revoke":
                self.accounts.revoke()
        return {}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1

    def log_message(self, *_):
        pass

    def date_time_string(self, timestamp=None):
        """Google's clock, by which clients notice that theirs is wrong."""
        return super().date_time_string((timestamp or time.time()) + self.server.stand_in.accounts.ahead)

    def serve(self):
        place = urlsplit(self.path)
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        stand_in = self.server.stand_in
        if place.path.startswith("/-/"):
            try:
                return self.answer(200, stand_in.control(place.path[3:], json.loads(raw) if raw else {}), {}, {})
            except (KeyError, StopIteration) as error:
                return self.answer(500, {"error": repr(error)}, {}, {})
        if place.path in ("/token", "/o/oauth2/token") and self.command == "POST":
            return self.answer(*stand_in.token(dict(parse_qsl(raw.decode()))))
        path = unquote(place.path)
        if not path.startswith(API):
            return self.answer(404, not_found(path).body(), {}, {})
        try:
            body = json.loads(raw) if raw else None
        except ValueError:
            stand_in.refused.append({"operation": path, "reasons": ["the body is no JSON"]})
            return self.answer(400, unknown_names(["Unexpected token."]).body(), {}, {})
        query = dict(parse_qsl(place.query, keep_blank_values=True))
        return self.answer(*stand_in.request(self.command, path.removeprefix(API), query, body, self.headers.get("Authorization", "")))

    def answer(self, status, body, headers, fault):
        if fault.get("kind") == "lost_reply":
            # The request was carried out; its answer goes nowhere.
            self.close_connection = True
            return self.connection.shutdown(socket.SHUT_RDWR)
        text = json.dumps(body).encode()
        self.send_response(status)
        for name, value in {"Content-Type": "application/json; charset=UTF-8", "Content-Length": str(len(text)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        if fault.get("kind") == "truncated":
            self.close_connection = True
            text = text[:len(text) // 2]
        return self.wfile.write(text)

    do_GET = do_POST = do_DELETE = do_PATCH = do_PUT = serve


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 512


def main():
    server = Server(("127.0.0.1", 0), Handler)
    server.stand_in = StandIn()
    server.stand_in.port = server.server_port
    print(server.server_port, flush=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sys.stdin.read()
    os._exit(0)


if __name__ == "__main__":
    main()
