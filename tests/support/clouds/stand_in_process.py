"""How tests of stand-ins start one and reach its side below /-/."""

import json
import subprocess
import sys
import urllib.request
from pathlib import Path

CLOUDS = Path(__file__).resolve().parent


class StandIn:
    """A stand-in in a process of its own, for the time of a `with`."""

    def __init__(self, script, *arguments):
        self.command = [sys.executable, str(CLOUDS / script), *arguments]

    def __enter__(self):
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline() or 0)
        if not self.port:
            raise RuntimeError(f"{self.command} does not start")
        self.url = f"http://127.0.0.1:{self.port}"
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait(timeout=10)
        self.process.stdout.close()

    def ask(self, path, body=None):
        """GET, or POST when there is a body, of a path below /-/."""
        data = None if body is None else json.dumps(body).encode()
        with urllib.request.urlopen(f"{self.url}/-/{path}", data, timeout=30) as answer:
            return json.load(answer)

    def state(self):
        return self.ask("state")

    def calls(self):
        return self.ask("calls")

    def set(self, **settings):
        self.ask("settings", settings)

    def fault(self, operation, kind, **more):
        self.ask("fault", {"operation": operation, "kind": kind, **more})
