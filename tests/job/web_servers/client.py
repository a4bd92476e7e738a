"""Requests to the web servers, from any address of this place."""

import http.client
import json
import socket
import ssl
import time
from dataclasses import dataclass, field

from .place import SET, die
from .servers import NAMES


@dataclass
class Answer:
    status: int
    headers: dict
    body: bytes

    @property
    def text(self):
        return self.body.decode(errors="replace")

    def json(self):
        return json.loads(self.body)


@dataclass
class Door:
    """One way in: a port, with or without TLS, and the address the client comes from."""

    port: int
    ca: object = None
    name: str = NAMES[0]
    source: str = "127.0.0.1"
    to: str = "127.0.0.1"
    more: dict = field(default_factory=dict)

    def line(self):
        """A connection, for who sends bytes by themselves."""
        made = socket.create_connection((self.to, self.port), timeout=60, source_address=(self.source, 0))
        if self.ca is None:
            return made
        return ssl.create_default_context(cafile=self.ca).wrap_socket(made, server_hostname=self.name)

    def ask(self, method, path, headers=None, body=None, chunked=False):
        connection = http.client.HTTPConnection("127.0.0.1", timeout=120)
        connection.sock = self.line()
        try:
            connection.request(method, path, body, {"Host": self.name, **self.more, **(headers or {})}, encode_chunked=chunked)
            answer = connection.getresponse()
            return read(answer)
        finally:
            connection.close()

    def answers(self, path="/status"):
        """Whether the server is there and knows this path."""
        try:
            return self.ask("GET", path).status == 200
        except OSError:
            return False

    def announce(self, method, path, length, headers=None):
        """The answer to a request that announces a body and sends none of it."""
        with self.line() as line:
            lines = [f"{method} {path} HTTP/1.1", f"Host: {self.name}", f"Content-Length: {length}"]
            lines += [f"{name}: {value}" for name, value in {**self.more, **(headers or {})}.items()]
            line.sendall("\r\n".join([*lines, "", ""]).encode())
            answer = http.client.HTTPResponse(line)
            answer.begin()
            return read(answer)


def read(answer):
    return Answer(answer.status, Headers(answer.getheaders()), answer.read())


class Headers(dict):
    """Names in small letters; the values of headers with one name with commas between them. "" for one that is not there."""

    def __init__(self, pairs):
        super().__init__()
        for name, value in pairs:
            self[name.lower()] = f"{self[name]}, {value}" if name.lower() in self else value

    def __getitem__(self, name):
        return self.get(name.lower(), "")


def expect(what, got, wanted):
    if got != wanted:
        die(f"{what}: {got!r} instead of {wanted!r}")


def expect_in(what, part, whole):
    if part not in whole:
        die(f"{what}: {part!r} is not in {whole!r}")


def person(role):
    """A user of the tenant demo, as access.json has it."""
    users = json.loads((SET / "access.json").read_text())["users"]
    return next(one for one in users if (one["tenant"], one["role"]) == ("demo", role))


def key_of(role):
    """The headers of a script of that user."""
    user = person(role)
    return {"Coopr-UserID": user["user"], "Coopr-TenantID": "demo", "Coopr-ApiKey": user["apikey"]}


def eventually(what, seconds, check):
    end = time.monotonic() + seconds
    while not check():
        if time.monotonic() > end:
            die(f"{what}: not within {seconds} seconds")
        time.sleep(0.2)
