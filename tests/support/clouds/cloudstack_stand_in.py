#!/usr/bin/env python3
"""A CloudStack of the tests' own with one account: every call and every answer is checked (cloudstack/judge.py), machines and jobs change
with the clock. Prints its port; ends when its standard input does. Its address is http://127.0.0.1:PORT/client/api.

usage: cloudstack_stand_in.py API_KEY SECRET_KEY

Below /-/ is the side of the tests:
  POST /-/fault     {"operation", "count", "kind": "error"|"delay"|"lost_reply"|"truncated"|"throttle"|"empty"|"before", "code", "message",
                    "millis", "page", "what"}; lost_reply carries the call out; empty is an answer without entries, as a server that lags
                    has it; before calls that function of Cloud first; page is the page of a listing that it is for
  POST /-/settings  members of Cloud.settings, and "clock": how many seconds the clock of the cloud is ahead
  POST /-/keys      {"name"}: a key pair of somebody
  POST /-/addresses an address that somebody fetched and does not use
  GET  /-/state     what exists: machines, addresses, rules, groups, keys
  GET  /-/calls     calls by name, and what the judge refused
"""

import json
import os
import socket
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from python_packages import environment  # noqa: E402

PACKAGES = environment("cloudstack-python", Path(__file__).with_name("cloudstack_requirements.txt"))
if Path(sys.prefix) != PACKAGES:
    os.execv(PACKAGES / "bin" / "python", [str(PACKAGES / "bin" / "python"), *sys.argv])

from cloudstack.calls import CALLS, LISTINGS, page_of, shown  # noqa: E402
from cloudstack.cloud import Cloud  # noqa: E402
from cloudstack.judge import CloudError, Judge  # noqa: E402


class StandIn:
    def __init__(self, api_key, secret):
        self.judge = Judge(api_key, secret)
        self.cloud = Cloud()
        self.lock = threading.Lock()
        self.faults = []
        self.counts = {"calls": {}, "refused": [], "faults": 0, "wrong_answers": []}

    def take_fault(self, command, params):
        for fault in self.faults:
            is_meant = fault["operation"] in (command, "*") and fault.get("page") in (None, params.get("page"))
            if is_meant and fault["count"] > 0:
                fault["count"] -= 1
                self.counts["faults"] += 1
                return fault
        return {}

    def judged(self, params):
        try:
            self.judge.check_call(params)
        except CloudError as error:
            self.counts["refused"].append({"request": params.get("command"), "why": error.text})
            raise
        command = params["command"]
        if self.cloud.settings["role"] and command not in self.cloud.settings["role"]:
            raise CloudError(432, f"The given command '{command}' either does not exist, is not available for user.")
        self.counts["calls"][command] = self.counts["calls"].get(command, 0) + 1
        return command

    def answer(self, command, params):
        if command in CALLS:
            return CALLS[command](self.cloud, params)
        if command not in LISTINGS:
            raise CloudError(432, f"The given command '{command}' either does not exist here")
        name, entities = LISTINGS[command](self.cloud, params)
        page, count = page_of(self.cloud, params, entities)
        for entity in page:
            self.judge.check_answer(command, entity)
        return {"count": count, name: page} if page else {}

    def state(self):
        cloud = self.cloud
        machines = [{**shown(cloud, machine), "userdata": machine.wanted.get("userdata", "")} for machine in cloud.present()]
        return {"machines": machines, "made": cloud.made, "addresses": list(cloud.addresses.values()), "rules": list(cloud.rules.values()),
                "keys": list(cloud.keys), "groups": [group for group in cloud.groups if group["name"] != "default"]}

    def control(self, what, body):
        given = json.loads(body) if body else {}
        if what == "fault":
            self.faults.append({"count": 1, "operation": "*", **given})
        if what == "settings":
            self.judge.clock_ahead = given.pop("clock", self.judge.clock_ahead)
            self.cloud.settings.update(given)
        if what == "keys":
            self.cloud.keys[given["name"]] = {"id": "", "name": given["name"], "fingerprint": "00:11"}
        if what == "addresses":
            self.cloud.associate(None)
        return {"state": self.state, "calls": lambda: self.counts}.get(what, dict)()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.carry_out(b"")

    def do_POST(self):
        self.carry_out(self.rfile.read(int(self.headers.get("Content-Length", 0))))

    def carry_out(self, body):
        url = urlsplit(self.path)
        if url.path.startswith("/-/"):
            with self.server.stand_in.lock:
                return self.send(200, self.server.stand_in.control(url.path[3:], body))
        if url.path != "/client/api":
            return self.send(404, {})
        params = dict(parse_qsl(url.query, keep_blank_values=True) + parse_qsl(body.decode(), keep_blank_values=True))
        params_of_call = {**params, "-is-post": self.command == "POST"}
        name = params.get("command", "error").lower() + "response"
        try:
            self.perform(name, params, params_of_call)
        except CloudError as error:
            self.send(error.code, {name: {"uuidList": [], "errorcode": error.code, "cserrorcode": 9999, "errortext": error.text}})
        except AssertionError as error:
            self.server.stand_in.counts["wrong_answers"].append(str(error))
            self.send(500, {name: {"errorcode": 530, "errortext": str(error)}})

    def perform(self, name, params, params_of_call):
        stand_in = self.server.stand_in
        with stand_in.lock:
            command = stand_in.judged(params)
            fault = stand_in.take_fault(command, params)
        kind = fault.get("kind")
        if kind == "error":
            raise CloudError(fault.get("code", 530), fault.get("message", "it broke"))
        if kind == "throttle":
            raise CloudError(429, "The given user has reached his/her account api limit, please retry after 200 ms.")
        if kind == "delay":
            time.sleep(fault["millis"] / 1000)
        with stand_in.lock:
            if kind == "before":
                getattr(stand_in.cloud, fault["what"])()
            answer = {name: stand_in.answer(command, params_of_call)}
        if kind == "empty":
            answer = {name: {}}
        if kind == "lost_reply":
            return self.hang_up()
        self.send(200, answer, cut=kind == "truncated")

    def hang_up(self):
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)

    def send(self, status, answer, cut=False):
        text = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json; charset=utf-8")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text[:len(text) // 2] if cut else text)
        if cut:
            self.wfile.flush()
            self.hang_up()

    def date_time_string(self, timestamp=None):
        return super().date_time_string((timestamp or time.time()) + self.server.stand_in.judge.clock_ahead)

    def log_message(self, *_):
        pass


def main():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.stand_in = StandIn(*sys.argv[1:3])
    print(server.server_port, flush=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sys.stdin.read()
    os._exit(0)


if __name__ == "__main__":
    main()
