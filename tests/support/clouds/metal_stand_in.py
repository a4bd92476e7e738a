#!/usr/bin/env python3
"""Controllers of machines: OpenStack's Redfish emulator (sushy-tools) with its fake machines, behind HTTPS.

    metal_stand_in.py FOLDER

FOLDER gets ca.pem, the authority that signed the certificate of 127.0.0.1. Prints the port and ends when standard input is
closed. User "admin", password "s3cret:word". Machines "rack7-1" and "rack7-2"; a switch takes a second or two.

    GET  /-/state   power state by name
    GET  /-/calls   [{"method", "path", "status", "type"}]
    POST /-/fault   {"kind": "error" | "lost_reply" | "delay", "count": 1, "status": 503, "seconds": 1, "method": "POST"}
"""

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import python_packages

HERE = Path(__file__).resolve().parent
PYTHON = python_packages.environment("metal-python", HERE / "metal_requirements.txt") / "bin" / "python"
if Path(sys.prefix) != PYTHON.parents[1]:
    os.execv(PYTHON, [str(PYTHON), *sys.argv])

import random
import socket
import ssl
import time

import bcrypt
from sushy_tools.emulator import main as emulator
from werkzeug.serving import make_server

FOLDER = Path(sys.argv[1])
NAMES = {"rack7-1": "aaaaaaaa-0000-4000-8000-000000000001", "rack7-2": "aaaaaaaa-0000-4000-8000-000000000002"}


def run(*words):
    subprocess.run(words, cwd=FOLDER, check=True, capture_output=True)


def make_certificates():
    run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-keyout", "ca.key",
        "-out", "ca.pem", "-subj", "/CN=controllers", "-addext", "basicConstraints=critical,CA:TRUE")
    run("openssl", "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", "bmc.key", "-out", "bmc.csr",
        "-subj", "/CN=127.0.0.1")
    (FOLDER / "names").write_text("subjectAltName=IP:127.0.0.1\n")
    run("openssl", "x509", "-req", "-in", "bmc.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2",
        "-extfile", "names", "-out", "bmc.pem")


class Control:
    """The control side before the emulator."""

    def __init__(self, inner, open_inner):
        self.inner = inner
        self.open_inner = open_inner
        self.calls = []
        self.faults = []
        self.lock = threading.Lock()

    def __call__(self, environ, start_response):
        if environ["PATH_INFO"].startswith("/-/"):
            return self.control(environ, start_response)
        size = int(environ.get("CONTENT_LENGTH") or 0)
        body = environ["wsgi.input"].read(size)
        import io
        environ["wsgi.input"] = io.BytesIO(body)
        fault = self.take_fault(environ["REQUEST_METHOD"])
        if fault and fault["kind"] == "delay":
            time.sleep(fault["seconds"])
        call = {"method": environ["REQUEST_METHOD"], "path": environ["PATH_INFO"], "status": 0, "type": ""}
        if body:
            call["type"] = json.loads(body).get("ResetType", "")
        self.calls.append(call)
        if fault and fault["kind"] == "error":
            call["status"] = fault["status"]
            said = {"error": {"message": "short", "@Message.ExtendedInfo": [{"Message": "The service is temporarily unavailable."}]}}
            start_response(f"{fault['status']} Fault", [("Content-Type", "application/json")])
            return [json.dumps(said).encode()]

        def noting(status, headers, *more):
            call["status"] = int(status.split()[0])
            return start_response(status, headers, *more)

        answer = self.inner(environ, noting)
        if fault and fault["kind"] == "lost_reply":
            b"".join(answer)
            environ["werkzeug.socket"].shutdown(socket.SHUT_RDWR)
            return []
        return answer

    def take_fault(self, method):
        with self.lock:
            for fault in self.faults:
                if fault.get("method", method) != method:
                    continue
                fault["count"] -= 1
                if fault["count"] <= 0:
                    self.faults.remove(fault)
                return fault
        return None

    def control(self, environ, start_response):
        what = environ["PATH_INFO"]
        answer = {}
        if what == "/-/calls":
            answer = self.calls
        elif what == "/-/state":
            with emulator.app.app_context():
                answer = {name: emulator.app.systems.get_power_state(uuid) for name, uuid in NAMES.items()}
        elif what == "/-/fault":
            fault = json.loads(environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"])))
            self.faults.append({"count": 1, "status": 503, "seconds": 1, **fault})
        start_response("200 OK", [("Content-Type", "application/json")])
        return [json.dumps(answer).encode()]


def main():
    make_certificates()
    hashed = bcrypt.hashpw(b"s3cret:word", bcrypt.gensalt(4)).decode()
    (FOLDER / "users").write_text(f"admin:{hashed}\n")
    settings = FOLDER / "emulator.conf"
    systems = [{"uuid": uuid, "name": name, "power_state": "Off", "external_notifier": False, "nics": []} for name, uuid in NAMES.items()]
    settings.write_text(f"SUSHY_EMULATOR_FAKE_DRIVER = True\nSUSHY_EMULATOR_AUTH_FILE = {str(FOLDER / 'users')!r}\n"
                        f"SUSHY_EMULATOR_STATE_DIR = {str(FOLDER)!r}\nSUSHY_EMULATOR_FAKE_SYSTEMS = {systems!r}\n")
    # A switch takes 1 to 11 seconds there; tests need not wait for all of them.
    random.randint = lambda least, most: least
    plain = emulator.app.wsgi_app
    emulator.app.configure(config_file=str(settings))
    control = Control(emulator.app, plain)
    trust = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    trust.load_cert_chain(FOLDER / "bmc.pem", FOLDER / "bmc.key")
    server = make_server("127.0.0.1", 0, control, threaded=True, ssl_context=trust)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(server.port, flush=True)
    sys.stdin.read()
    os._exit(0)


main()
