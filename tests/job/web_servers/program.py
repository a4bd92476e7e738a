"""What stands behind the web servers: cooperage-web, or a stand-in that tells what it was asked."""

import json
import os
import shutil
import socket
import struct
import subprocess
import threading
import time

from .place import REPO, SET, SOCKET, die


class Program:
    """cooperage-web on the database of the running set, with a socket of its own."""

    process = None

    def start(self, prefix=""):
        config = SOCKET.parent / "cooperage.conf"
        config.write_text((SET / "etc" / "cooperage.conf").read_text() +
                          f"web.socket = {SOCKET}\nweb.socket_mode = 0660\nweb.threads = 8\nweb.prefix = {prefix}\n")
        self.process = subprocess.Popen([REPO / "cooperage", "--dir", SET, "enter", REPO / "provisioner/programs/package/run-as", "cooperage-web", SOCKET.parent, "www-data",
                                         REPO / "build/release/bin/cooperage-web", "--config", config], stderr=subprocess.DEVNULL)
        wait_for(SOCKET)

    def stop(self):
        self.process.terminate()
        self.process.wait(20)
        SOCKET.unlink(missing_ok=True)


def wait_for(path):
    for _ in range(200):
        if path.exists():
            return
        time.sleep(0.05)
    die(f"there is no {path}")


class StandIn:
    """Answers every FastCGI request with its parameters and the length of its body, as JSON; /busy with a 503. An older one does not know
    the method that asks who sends something."""

    def __init__(self, is_older=False):
        self.is_older = is_older

    def __enter__(self):
        self.asked = 0
        self.seen = []
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(SOCKET))
        SOCKET.chmod(0o660)
        shutil.chown(SOCKET, group="www-data")
        self.listener.listen(64)
        threading.Thread(target=self.serve, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        os.unlink(SOCKET)

    def serve(self):
        while True:
            try:
                line, _ = self.listener.accept()
            except OSError:
                return
            self.asked += 1
            threading.Thread(target=self.answer, args=(line,), daemon=True).start()

    def answer(self, line):
        with line, line.makefile("rb") as stream:
            params, body = b"", 0
            while len(head := stream.read(8)) == 8:
                _, kind, _, length, padding = struct.unpack(">BBHHBx", head)
                content = stream.read(length)
                stream.read(padding)
                params += content if kind == 4 else b""
                body += length if kind == 5 else 0
                if kind == 5 and length == 0:
                    break
            said = dict(pairs_in(params))
            self.seen.append(said)
            status = "503 Busy\r\nRetry-After: 30" if said["REQUEST_URI"] == "/busy" else "200 OK"
            status = "405 Method Not Allowed" if self.is_older and said["REQUEST_METHOD"] == "ASK" else status
            text = json.dumps({"params": said, "body": body})
            reply = f"Status: {status}\r\nContent-Type: application/json\r\n\r\n{text}".encode()
            line.sendall(struct.pack(">BBHHBx", 1, 6, 1, len(reply), 0) + reply + struct.pack(">BBHHBx", 1, 6, 1, 0, 0) +
                         struct.pack(">BBHHBx", 1, 3, 1, 8, 0) + bytes(8))


def pairs_in(params):
    """FastCGI's name-value pairs: each length has one byte, or four with the highest bit set."""
    at = 0

    def length():
        nonlocal at
        if params[at] < 128:
            at += 1
            return params[at - 1]
        at += 4
        return struct.unpack(">I", params[at - 4:at])[0] & 0x7FFFFFFF

    while at < len(params):
        name_length, value_length = length(), length()
        pair = params[at:at + name_length].decode(), params[at + name_length:at + name_length + value_length].decode("latin-1")
        at += name_length + value_length
        yield pair
