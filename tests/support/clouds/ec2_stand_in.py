#!/usr/bin/env python3
"""An EC2 API of the tests' own: moto keeps the machines; botocore recomputes every signature and knows every parameter. What EC2 does
and moto lacks is in ec2_behaviour.py, faults on request in ec2_faults.py. Prints its port; ends when its standard input does.

usage: ec2_stand_in.py ACCESS_KEY SECRET_KEY [POLICY.json]

With a policy, the key is that of a user who may do what the policy says and no more (moto's IAM).

Beside the API, in JSON:
  POST /-/fault    {"operation": "RunInstances", "count": 1, "kind": "error|delay|lost_reply|truncated|throttle|reset", "code", "message", "status", "delay_ms"},
                   or {"kind": "chance", "percent", "seed", "count"}: any of them at random
  POST /-/clear    no faults any more                                  POST /-/reset    nothing was ever made
  POST /-/set      members of Behaviour.settings, and skew_seconds, skew_code, rates ({"RunInstances": [a second, burst]}), lifetime, has_profile
  POST /-/seed     {"key_pair", "image", "profile": names, "volume": {"tags"}}: what people made beside us
  POST /-/reclaim  {"instance"}: a spot machine is taken away          POST /-/move     {"instance", "public", "private"}: its addresses
  POST /-/console  {"instance", "output"}: what its console shows
  GET  /-/state    what exists, by region                              GET  /-/calls    calls by operation, and what the judge refused
  GET  /-/images   images that can be started
Below /latest/ is the metadata service of an instance.
"""

import json
import os
import re
import sys
import threading
from collections import Counter
from email.utils import formatdate
from io import BytesIO
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parent))
from python_packages import environment  # noqa: E402

PACKAGES = environment("ec2-python", Path(__file__).with_name("ec2_requirements.txt"))
if Path(sys.prefix) != PACKAGES:
    os.execv(PACKAGES / "bin" / "python", [str(PACKAGES / "bin" / "python"), *sys.argv])

os.environ.update(MOTO_ENABLE_AMI_VALIDATION="1", MOTO_EC2_ENABLE_INSTANCE_TYPE_VALIDATION="1")

import ec2_control  # noqa: E402
from ec2_behaviour import Behaviour, Refusal  # noqa: E402
from ec2_faults import Faults, Rates, delay, envelope, error_of  # noqa: E402
from ec2_judge import AUTHORIZATION, Verifier, form_problems, parameters_of  # noqa: E402
from ec2_metadata import Metadata  # noqa: E402
from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app  # noqa: E402
from werkzeug.serving import WSGIRequestHandler, make_server  # noqa: E402
from werkzeug.test import run_wsgi_app  # noqa: E402

TEMPORARY = ("ASIACOOPERAGE", "temporary-secret", "FwoGZXIvYXdzEJr-a-token/of+a+profile==")


class StandIn:
    def __init__(self, access_key, secret_key):
        self.api = DomainDispatcherApplication(create_backend_app)
        self.lock = threading.RLock()
        self.keys = {access_key: (secret_key, None), TEMPORARY[0]: TEMPORARY[1:]}
        self.begin()

    def begin(self):
        """As a cloud in which nothing has happened; moto's records are the caller's to empty."""
        self.verifier = Verifier(self.keys)
        self.metadata = Metadata(*TEMPORARY)
        self.behaviour = Behaviour()
        self.faults = Faults()
        self.rates = Rates()
        self.operations = Counter()
        self.refused = []
        self.wrong_signatures = 0

    def __call__(self, environ, start_response):
        body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
        if environ["PATH_INFO"].startswith("/-/"):
            status, text = ec2_control.answer(self, environ, body)
            return self.answer(start_response, status, text, "application/json")
        if environ["PATH_INFO"].startswith("/latest/"):
            return self.answer(start_response, *self.metadata.answer(environ), "text/plain")
        query, problems = parameters_of(body)
        problems += form_problems(environ)
        operation = query.get("Action", "")
        with self.lock:
            self.operations[operation] += 1
            self.refused += [f"{operation}: {problem}" for problem in problems]
        if problems:
            return self.refuse(start_response, 400, "InvalidParameter", "; ".join(problems))
        rule = self.faults.take(operation) or {"kind": "none"}
        delay(rule)
        if rule["kind"] == "reset":
            return self.hang_up(environ, start_response, b"")
        if error := error_of(rule):
            return self.refuse(start_response, *error)
        status, text = self.carry_out(environ, body, query)
        if rule["kind"] == "lost_reply":
            return self.hang_up(environ, start_response, b"")
        if rule["kind"] == "truncated":
            return self.hang_up(environ, start_response, text.encode())
        return self.answer(start_response, status, text)

    def carry_out(self, environ, body, query):
        """(status, text) of the answer to a request that the judge let pass."""
        if wrong := self.verifier.refusal(environ, body):
            with self.lock:
                self.wrong_signatures += 1
            return wrong[0], envelope(*wrong[1:])
        if not self.rates.allows(query["Action"]):
            return 503, envelope("RequestLimitExceeded", "Request limit exceeded.")
        region = AUTHORIZATION.fullmatch(environ["HTTP_AUTHORIZATION"]).group(3)
        with self.lock:
            self.behaviour.advance()
            try:
                return 200, self.behaviour.check(region, query) or self.moto(region, environ, body, query)
            except Refusal as refusal:
                return refusal.status, envelope(refusal.code, refusal.message)

    def moto(self, region, environ, body, query):
        body = self.behaviour.known_filters(region, query, body)
        kept = self.behaviour.hide(region)
        try:
            chunks, status, _ = run_wsgi_app(self.api, {**environ, "wsgi.input": BytesIO(body), "CONTENT_LENGTH": str(len(body))}, buffered=True)
            text = b"".join(chunks).decode()
        finally:
            instances = self.behaviour.show(region, kept, query)
        code = int(status.split()[0])
        if code >= 400:
            raise self.refusal(code, text, query)
        text = self.behaviour.made(region, query, instances, text) if instances else text
        if query["Action"] == "TerminateInstances":
            self.behaviour.terminated(query)
        if query["Action"] == "GetConsoleOutput":
            return ec2_control.with_console(text, self.behaviour.machines.get(query["InstanceId"]))
        return text

    @staticmethod
    def refusal(status, text, query):
        code = re.search("<Code>(.*?)</Code>", text)
        message = re.search("<Message>(.*?)</Message>", text, re.S)
        if not code:
            return Refusal("InternalError", f"moto answers {status}: {text[:300]}", 500)
        if code.group(1) == "AccessDenied":
            return Refusal("UnauthorizedOperation", "You are not authorized to perform this operation. User: arn:aws:iam::123456789012:user/cooperage is not authorized to "
                           f"perform: ec2:{query['Action']} because no identity-based policy allows the ec2:{query['Action']} action.", 403)
        if code.group(1).startswith("InvalidInstanceType") and query["Action"] == "RunInstances":
            return Refusal("InvalidParameterValue", f"Invalid value '{query.get('InstanceType')}' for InstanceType.")
        return Refusal(code.group(1), message.group(1), status)

    def refuse(self, start_response, status, code, message):
        return self.answer(start_response, status, envelope(code, message))

    def answer(self, start_response, status, text, kind="text/xml;charset=UTF-8"):
        start_response(f"{status} X", [("Content-Type", kind), ("Content-Length", str(len(text.encode())))])
        return [text.encode()]

    @staticmethod
    def hang_up(environ, start_response, body):
        """Breaks the connection off; with a body, after half of it."""
        if body:
            start_response("200 X", [("Content-Type", "text/xml;charset=UTF-8"), ("Content-Length", str(len(body)))])(body[: len(body) // 2])
        connection = environ["werkzeug.socket"]
        connection.shutdown(2)
        raise ConnectionError("the connection is broken off on request")


class Quiet(WSGIRequestHandler):
    protocol_version = "HTTP/1.1"

    def log(self, *_):
        pass

    def date_time_string(self, timestamp=None):
        # The date of each answer is that of the stand-in's clock.
        return formatdate(self.server.app.verifier.now(), usegmt=True)


def main():
    stand_in = StandIn(*sys.argv[1:3])
    if len(sys.argv) > 3:
        ec2_control.make_user(sys.argv[1], sys.argv[2], Path(sys.argv[3]).read_text())
    server = make_server("127.0.0.1", 0, stand_in, threaded=True, request_handler=Quiet)
    print(server.server_port, flush=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sys.stdin.read()
    os._exit(0)


if __name__ == "__main__":
    main()
