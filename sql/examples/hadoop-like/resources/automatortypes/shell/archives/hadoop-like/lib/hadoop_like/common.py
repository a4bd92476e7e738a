"""What all daemons share: configuration, an HTTP server, calls to others, work that repeats."""
import http.server
import json
import os
import pathlib
import socket
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import xml.etree.ElementTree

CONF = pathlib.Path(os.environ.get("HADOOP_CONF_DIR", "/etc/hadoop-like"))
DATA = pathlib.Path(os.environ.get("HADOOP_DATA_DIR", "/var/lib/hadoop-like"))
HOST = socket.gethostname()


class Refused(RuntimeError):
    """What a daemon answers when it cannot do what is asked; people read the text."""

    def __init__(self, status, text):
        super().__init__(text)
        self.status = status


def site(name):
    """The properties of <name>-site.xml."""
    path = CONF / f"{name}-site.xml"
    if not path.exists():
        raise RuntimeError(f"{path} is missing: was this node configured?")
    return {p.findtext("name"): p.findtext("value") for p in xml.etree.ElementTree.parse(path).getroot()}


def ask(url, body=None, method=None, timeout=5):
    """The JSON or bytes another daemon answers; Refused says who did not and why."""
    # Addresses come out of the configuration, and file:// would be one of a file on this node.
    if not url.startswith("http://"):
        raise Refused(400, f"{url} is no address of a daemon: it must begin with http://")
    if body is not None and not isinstance(body, bytes):
        body = json.dumps(body).encode()
    request = urllib.request.Request(url, data=body, method=method or ("GET" if body is None else "POST"))
    try:
        with urllib.request.urlopen(request, timeout=timeout) as answer:
            content = answer.read()
            return json.loads(content) if answer.headers.get_content_type() == "application/json" else content
    except urllib.error.HTTPError as error:
        raise Refused(error.code, f"{url} answered {error.code}: {error.read().decode(errors='replace').strip()}") from error
    except (OSError, ValueError) as error:
        raise Refused(502, f"{url} does not answer: {getattr(error, 'reason', error)}") from error


def quoted(path):
    return urllib.parse.quote(path)


def first_answer(urls, body=None, method=None):
    """What the first of several equal servers answers."""
    reasons = []
    for url in urls:
        try:
            return ask(url, body, method)
        except Refused as error:
            reasons.append(str(error))
    raise Refused(503, "; ".join(reasons) or "there is no server to ask")


def every(seconds, work):
    """Repeats work for good; a failure is told when it begins and when it ends."""

    def loop():
        said = None
        while True:
            try:
                work()
                trouble = None
            except Exception as error:  # whatever it is, the next round may go well
                trouble = f"{type(error).__name__}: {error}"
            if trouble != said:
                print(f"{work.__name__}: {trouble or 'works'}", flush=True)
                said = trouble
            time.sleep(seconds)

    threading.Thread(target=loop, daemon=True).start()


def wait_until(what, condition, seconds=60):
    """For commands: Refused with the last reason when the condition does not come true in time."""
    reason = "nothing was heard"
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            if condition():
                return
            reason = "not yet"
        except (Refused, OSError) as error:
            reason = str(error)
        time.sleep(0.2)
    raise Refused(504, f"{what} did not come about within {seconds} s: {reason}")


def serve(port, routes):
    """Answers until the process is ended. routes: "METHOD /path" or "METHOD /path/" + rest -> f(rest, body)."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do(self):
            path = urllib.parse.unquote(self.path.partition("?")[0])
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            status, result = 404, f"{self.command} {path} is unknown here"
            for route, work in routes.items():
                method, _, prefix = route.partition(" ")
                whole = path == prefix or (prefix.endswith("/") and prefix != "/" and path.startswith(prefix))
                if method != self.command or not whole:
                    continue
                try:
                    status, result = 200, work(path[len(prefix):], body)
                except Refused as error:
                    status, result = error.status, str(error)
                except Exception as error:  # a daemon outlives a request that is wrong
                    status, result = 500, f"{type(error).__name__}: {error}"
                break
            kind = "application/octet-stream"
            if isinstance(result, str):
                kind = "text/html; charset=utf-8" if result.startswith("<!") else "text/plain; charset=utf-8"
                result = result.encode()
            elif not isinstance(result, bytes):
                kind, result = "application/json", json.dumps(result).encode()
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(result)))
            self.end_headers()
            self.wfile.write(result)

        do_GET = do_POST = do_PUT = do_DELETE = do

        def log_message(self, *arguments):
            pass

    server = http.server.ThreadingHTTPServer(("0.0.0.0", int(port)), Handler)
    print(f"listening on {port}", flush=True)
    server.serve_forever()


class Members:
    """Those who report to a master: live as long as they do."""

    def __init__(self, patience=5.0):
        self.patience = patience
        self.seen = {}
        self.lock = threading.Lock()

    def report(self, host):
        with self.lock:
            self.seen[host] = time.monotonic()

    def live(self):
        with self.lock:
            return sorted(host for host, when in self.seen.items() if time.monotonic() - when < self.patience)

    def dead(self):
        live = set(self.live())
        with self.lock:
            return sorted(host for host in self.seen if host not in live)
