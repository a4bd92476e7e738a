#!/usr/bin/env python3
"""An S3 API of the tests' own: moto keeps the objects, botocore recomputes the signature of every request, and the tests may ask
for refusals. Prints its port; ends when its standard input does.

usage: s3_stand_in.py ACCESS_KEY SECRET_KEY

Beside the API: POST /-/refuse?count=N&status=503 refuses the next N requests, GET /-/objects lists the keys of the bucket "files",
GET /-/refused counts what was refused for its signature.
"""

import json
import os
import re
import sys
import threading
from pathlib import Path
from urllib.parse import parse_qs

sys.path.insert(0, str(Path(__file__).resolve().parent))
from python_packages import environment  # noqa: E402

PACKAGES = environment("s3-python", Path(__file__).with_name("s3_requirements.txt"))
if Path(sys.prefix) != PACKAGES:
    os.execv(PACKAGES / "bin" / "python", [str(PACKAGES / "bin" / "python"), *sys.argv])

from botocore.auth import S3SigV4Auth  # noqa: E402
from botocore.awsrequest import AWSRequest  # noqa: E402
from botocore.credentials import Credentials  # noqa: E402
from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app  # noqa: E402
from moto.s3.models import s3_backends  # noqa: E402
from werkzeug.serving import WSGIRequestHandler, make_server  # noqa: E402

BUCKET = "files"
EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


def error(code, message):
    return f'<?xml version="1.0"?><Error><Code>{code}</Code><Message>{message}</Message></Error>'


class StandIn:
    def __init__(self, access_key, secret_key):
        self.credentials = Credentials(access_key, secret_key)
        self.api = DomainDispatcherApplication(create_backend_app)
        self.bucket = s3_backends["123456789012"]["aws"].create_bucket(BUCKET, "us-east-1")
        self.lock = threading.Lock()
        self.refusals = 0
        self.status = 503
        self.wrong_signatures = 0
        self.ignores_ranges = False

    def __call__(self, environ, start_response):
        if environ["PATH_INFO"].startswith("/-/"):
            return self.control(environ, start_response)
        with self.lock:
            refuse = self.refusals > 0
            self.refusals -= refuse
        if refuse:
            return self.answer(start_response, self.status, error("SlowDown", "Please reduce your request rate."))
        if wrong := self.wrong(environ):
            self.wrong_signatures += 1
            return self.answer(start_response, 403, error(*wrong))
        if self.ignores_ranges:
            environ.pop("HTTP_RANGE", None)
        return self.api(environ, start_response)

    def answer(self, start_response, status, text):
        # What of a body was not read would be taken for the next request.
        start_response(f"{status} X", [("Content-Type", "application/xml"), ("Content-Length", str(len(text))), ("Connection", "close")])
        return [text.encode()]

    def control(self, environ, start_response):
        query = {key: int(values[0]) for key, values in parse_qs(environ["QUERY_STRING"]).items()}
        what = environ["PATH_INFO"][3:]
        if what == "refuse":
            self.refusals, self.status = query["count"], query["status"]
        if what == "ranges":
            self.ignores_ranges = bool(query["ignored"])
        answers = {"refuse": {}, "ranges": {}, "refused": self.wrong_signatures, "objects": sorted(self.bucket.keys.keys())}
        return self.answer(start_response, 200, json.dumps(answers[what]))

    def wrong(self, environ):
        """Why the signature is not the one botocore comes to; None when it is."""
        found = re.fullmatch(r"AWS4-HMAC-SHA256 Credential=([^/]+)/(\d{8})/([^/]+)/s3/aws4_request, *SignedHeaders=([a-z0-9;-]+), *Signature=([0-9a-f]{64})",
                             environ.get("HTTP_AUTHORIZATION", ""))
        if not found:
            return "AccessDenied", "There is no signature"
        access_key, _, region, signed, signature = found.groups()
        if access_key != self.credentials.access_key:
            return "InvalidAccessKeyId", "The access key is not known"
        signed = signed.split(";")
        if not {"host", "x-amz-date", "x-amz-content-sha256"} <= set(signed):
            return "AccessDenied", f"only {signed} are signed"
        headers = {name: environ.get("HTTP_" + name.upper().replace("-", "_"), "") for name in signed}
        if environ["REQUEST_METHOD"] != "PUT" and headers["x-amz-content-sha256"] != EMPTY:
            return "XAmzContentSHA256Mismatch", "The body is not what was signed"
        request = AWSRequest(environ["REQUEST_METHOD"], f"http://{environ['HTTP_HOST']}{environ['REQUEST_URI']}", headers)
        request.context["timestamp"] = headers["x-amz-date"]
        signer = S3SigV4Auth(self.credentials, "s3", region)
        expected = signer.signature(signer.string_to_sign(request, signer.canonical_request(request)), request)
        return None if expected == signature else ("SignatureDoesNotMatch", "The signature is not the one that was computed here")


class Quiet(WSGIRequestHandler):
    protocol_version = "HTTP/1.1"

    def log(self, *_):
        pass


def main():
    server = make_server("127.0.0.1", 0, StandIn(*sys.argv[1:3]), threaded=True, request_handler=Quiet)
    print(server.server_port, flush=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sys.stdin.read()
    os._exit(0)


if __name__ == "__main__":
    main()
