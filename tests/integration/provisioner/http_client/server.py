#!/usr/bin/env python3
"""A server of the tests' own that behaves as badly as its paths say. Prints its port; ends when its standard input does.

usage: server.py [CERTIFICATE KEY [old]]      with both it speaks TLS, old: 1.1 only

/echo            what it was asked, as JSON
/status/503      that status, with "Retry-After: 7"
/redirect        a redirection to /echo of another host
/pause?ms=N      answers after so long
/silent          never answers
/dripping        a byte every 50 ms, for ever
/endless         an endless body
/endless-head    an endless head
/reset           resets the connection
/half            half of the body it promised
/once            answers, then resets the connection although it could be kept
/given-up        how many clients of /silent went away
/lost            counts the request, then closes the connection without an answer
/lost-count      how many requests /lost had
"""

import json
import socket
import ssl
import struct
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

counts = {"connections": 0, "given_up": 0, "lost": 0}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def setup(self):
        super().setup()
        counts["connections"] += 1
        self.connection_number = counts["connections"]

    def log_message(self, *_):
        pass

    def answer(self, status, body=b"", headers=()):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def reset(self):
        self.wfile.flush()
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close_connection = True

    def echo(self, body, _):
        seen = {"method": self.command, "path": self.path, "headers": self.headers.items(), "body": body,
                "connection": self.connection_number}
        self.answer(200, json.dumps(seen).encode())

    def silent(self, *_):
        # Nothing more is sent on this connection: what can be read is its end.
        self.connection.recv(1)
        counts["given_up"] += 1
        self.close_connection = True

    def pour(self, piece, pause):
        self.close_connection = True
        try:
            while True:
                self.wfile.write(piece)
                time.sleep(pause)
        except OSError:
            pass

    def dripping(self, *_):
        self.wfile.write(b"HTTP/1.1 200 OK\r\n\r\n")
        self.pour(b"x", 0.05)

    def endless(self, *_):
        self.wfile.write(b"HTTP/1.1 200 OK\r\n\r\n")
        self.pour(b"x" * 65536, 0)

    def endless_head(self, *_):
        self.wfile.write(b"HTTP/1.1 200 OK\r\n")
        self.pour(b"X-More: " + b"x" * 1000 + b"\r\n", 0)

    def half(self, *_):
        self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this")
        self.close_connection = True

    def once(self, body, query):
        self.echo(body, query)
        self.reset()

    def lost(self, *_):
        counts["lost"] += 1
        self.reset()

    def handle_any(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        url = urlsplit(self.path)
        query = parse_qs(url.query)
        name = url.path.strip("/").replace("-", "_")
        if name.startswith("status/"):
            self.answer(int(name[7:]), b"no", [("Retry-After", "7"), ("X-Odd", "  two words ")])
        elif name == "redirect":
            self.answer(302, b"", [("Location", "http://127.0.0.1:1/echo")])
        elif name == "given_up":
            self.answer(200, str(counts["given_up"]).encode())
        elif name == "lost_count":
            self.answer(200, str(counts["lost"]).encode())
        elif name == "reset":
            self.reset()
        elif name == "pause":
            time.sleep(int(query["ms"][0]) / 1000)
            self.echo(body, query)
        else:
            getattr(self, name)(body, query)

    do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = do_HEAD = handle_any


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 512

    def handle_error(self, *_):
        pass


def main():
    server = Server(("127.0.0.1", 0), Handler)
    if len(sys.argv) >= 3:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        if sys.argv[3:] == ["old"]:
            context.set_ciphers("DEFAULT:@SECLEVEL=0")
            context.minimum_version = context.maximum_version = ssl.TLSVersion.TLSv1_1
        context.load_cert_chain(sys.argv[1], sys.argv[2])
        server.socket = context.wrap_socket(server.socket, server_side=True)
    print(server.server_port, flush=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sys.stdin.read()


main()
