#!/usr/bin/env python3
"""A DigitalOcean of the tests' own (API v2): droplets, tags, keys, firewalls and volumes that change with time as the real ones do.

usage: digitalocean_stand_in.py

Prints its port; ends when its standard input does. Every request and every answer is checked against DigitalOcean's own OpenAPI
document where that lies beside the project (digitalocean/judge.py); elsewhere "schema" of /-/calls is "" and nothing is refused for it.
Foreign clients try it in test_digitalocean_stand_in.py. The token is "dop_v1_good".

Beside the API, all in JSON:
  POST /-/fault     {"operation": "droplets_create", "count": 1, "kind": ...}; "*" is every operation. Kinds: "error" (status, id, message;
                    nothing is done), "lost_request" (nothing is done), "lost_reply" (done, and no answer), "truncated" (done, half an
                    answer), "delay" (seconds), "throttle" (retry_after), "late" (a creation that answers 503 and shows the droplet `after`
                    seconds later), "slow_request" (it arrives `seconds` later, whether anybody still waits or not), "comes_back" (a destroy
                    after which the droplet is gone for `after` seconds and then is there again)
  POST /-/chaos     {"seed": 7, "percent": {"lost_reply": 3, ...}}: faults of these kinds at random; {} ends it
  POST /-/settings  members of SETTINGS in digitalocean/world.py
  POST /-/switch_off, /-/change_firewalls, /-/add_key     what somebody else may do: {"droplet": 7}, members of all firewalls, a key
  POST /-/reset     as at the start
  GET /-/state      everything that exists
  GET /-/calls      calls by operation, faults by kind, how many droplets were made, calls beyond the limits, droplets that were made while
                    their node had another one, requests and answers that the judge refused with the reasons, and where the document is
"""

import json
import os
import socket
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from python_packages import environment  # noqa: E402

PACKAGES = environment("digitalocean-python", Path(__file__).with_name("digitalocean_requirements.txt"))
if Path(sys.prefix) != PACKAGES:
    os.execv(PACKAGES / "bin" / "python", [str(PACKAGES / "bin" / "python"), *sys.argv])

from digitalocean.judge import Judge  # noqa: E402
from digitalocean.service import Answer, Service  # noqa: E402


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    service = None

    def do(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.path.startswith("/-/"):
            answer = self.service.control(self.command, self.path, body)
            self.send(Answer(404 if answer is None else 200, answer or {}))
            return
        answer = self.service.serve(self.command, self.path, self.headers, body, f"http://{self.headers['Host']}")
        time.sleep(answer.delay)
        if answer.lost:
            self.hang_up()
        else:
            self.send(answer)

    do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = do

    def send(self, answer):
        text = b"" if answer.body is None else json.dumps(answer.body).encode()
        self.send_response(answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        if answer.body is not None:
            self.send_header("Content-Type", "application/json; charset=utf-8")
        if answer.status != 204:
            self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text[:len(text) // 2] if answer.cut else text)
        if answer.cut:
            self.hang_up()

    def hang_up(self):
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 1024


def main():
    Handler.service = Service(Judge())
    server = Server(("127.0.0.1", 0), Handler)
    print(server.server_port, flush=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sys.stdin.read()
    os._exit(0)


if __name__ == "__main__":
    main()
