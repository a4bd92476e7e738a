"""The HTTP side of stand-ins for clouds: requests are counted by operation, faults happen as tests ask for them.

Below /-/ is the side of the tests:
  POST /-/fault     {"operation": "compute.create_server", "kind": ..., "count": 1, "after": 0, ...}; "*" means every operation
                    error       answers `status` with `body` and `headers` and does nothing
                    throttle    answers `status` (429) with Retry-After: `seconds`
                    delay       waits `seconds` first
                    lost_reply  does it, then closes the connection without an answer
                    truncated   does it, then sends half of the answer
                    closed      closes the connection and does nothing
                    before      calls what the stand-in offers under the name `what` with the members of `arguments`, then answers
  POST /-/settings  members replace those of the stand-in
  POST /-/do/NAME   calls what the stand-in offers under that name with the members of the body
  GET  /-/state     everything that exists
  GET  /-/calls     {"calls": {operation: number}, "refused": [{"operation", "reason"}], "unknown": [...]}
"""

import json
import os
import socket
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit


class Request:
    def __init__(self, method, target, headers, body):
        parts = urlsplit(target)
        self.method, self.path, self.target = method, parts.path, target
        self.query = parse_qsl(parts.query, keep_blank_values=True)
        self.headers = {name.lower(): value for name, value in headers.items()}
        self.bytes = body

    def json(self):
        return json.loads(self.bytes) if self.bytes else None

    def first(self, name, default=None):
        return next((value for key, value in self.query if key == name), default)


class Answer(Exception):
    """What a request is answered; raised where a request ends early. `judged`: why a foreign judge refuses the request."""

    def __init__(self, status, body=None, headers=None, judged=None):
        super().__init__(status)
        self.status, self.headers, self.judged = status, dict(headers or {}), judged
        self.body = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        if self.body:
            self.headers.setdefault("Content-Type", "application/json")


class Faults:
    def __init__(self):
        self.lock = threading.Lock()
        self.planned = []

    def plan(self, fault):
        with self.lock:
            self.planned.append({"count": 1, "after": 0, **fault})

    def take(self, operation):
        with self.lock:
            for fault in self.planned:
                if fault["operation"] not in (operation, "*") or fault["count"] <= 0:
                    continue
                if fault["after"] > 0:
                    fault["after"] -= 1
                    continue
                fault["count"] -= 1
                return fault
        return {"kind": "none"}


class StandIn:
    """What a stand-in gives: operation(request) names it, perform(request, operation) returns or raises an Answer."""

    settings = {}

    def operation(self, request):
        raise NotImplementedError

    def perform(self, request, operation):
        raise NotImplementedError

    def state(self):
        return {}


class Front:
    def __init__(self, stand_in):
        self.stand_in, self.faults = stand_in, Faults()
        self.lock = threading.Lock()
        self.calls, self.refused, self.unknown, self.faulted = {}, [], [], {}

    def offered(self, name):
        return getattr(self.stand_in, "do_" + name)

    def control(self, request):
        what = request.path.removeprefix("/-/")
        if what == "fault":
            self.faults.plan(request.json())
        elif what == "settings":
            self.stand_in.settings.update(request.json())
        elif what.startswith("do/"):
            return Answer(200, self.offered(what[3:])(**(request.json() or {})) or {})
        elif what == "state":
            return Answer(200, self.stand_in.state())
        elif what == "calls":
            with self.lock:
                return Answer(200, {"calls": self.calls, "refused": self.refused, "unknown": self.unknown, "faults": self.faulted})
        else:
            return Answer(404)
        return Answer(200, {})

    def serve(self, request):
        """(Answer, kind of fault)"""
        if request.path.startswith("/-/"):
            return self.control(request), "none"
        operation = self.stand_in.operation(request)
        with self.lock:
            self.calls[operation] = self.calls.get(operation, 0) + 1
        fault = self.faults.take(operation)
        kind = fault["kind"]
        if kind != "none":
            with self.lock:
                self.faulted[kind] = self.faulted.get(kind, 0) + 1
        if kind == "delay":
            time.sleep(fault["seconds"])
        if kind == "before":
            self.offered(fault["what"])(**fault.get("arguments", {}))
        if kind == "closed":
            return Answer(200), kind
        if kind in ("error", "throttle"):
            headers = {"Retry-After": str(fault["seconds"])} if kind == "throttle" and "seconds" in fault else fault.get("headers")
            return Answer(fault.get("status", 429), fault.get("body", {}), headers), kind
        try:
            answer = self.stand_in.perform(request, operation)
        except Answer as early:
            answer = early
        with self.lock:
            if answer.judged:
                self.refused.append({"operation": operation, "reason": answer.judged})
            if operation == "unknown":
                self.unknown.append(f"{request.method} {request.target}")
        return answer, kind


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    front = None

    def handle_any(self):
        length = int(self.headers.get("Content-Length") or 0)
        answer, kind = self.front.serve(Request(self.command, self.path, self.headers, self.rfile.read(length)))
        if kind in ("lost_reply", "closed"):
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)
            return
        self.send_response(answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(answer.body)))
        self.end_headers()
        if kind == "truncated":
            self.wfile.write(answer.body[: len(answer.body) // 2])
            self.wfile.flush()
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)
        elif self.command != "HEAD":
            self.wfile.write(answer.body)

    do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = do_HEAD = handle_any

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256

    def handle_error(self, request, client_address):
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


def run(make):
    """Serves make(port) until standard input ends; the first line of output is the port."""
    server = Server(("127.0.0.1", 0), type("Bound", (Handler,), {}))
    server.RequestHandlerClass.front = Front(make(server.server_port))
    print(server.server_port, flush=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sys.stdin.read()
    os._exit(0)
