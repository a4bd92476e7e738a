"""The metadata service of an instance, version 2: a token first, then the credentials of its profile."""

import json
from datetime import datetime, timedelta, timezone

ROLE = "cooperage-daemon"
CREDENTIALS = "/latest/meta-data/iam/security-credentials/"


class Metadata:
    def __init__(self, access_key, secret_key, token):
        self.keys = (access_key, secret_key, token)
        self.session = "AQAEA-session-of-the-tests"
        self.lifetime = 6 * 3600
        self.has_profile = True
        self.calls = 0
        self.refused = []

    def answer(self, environ):
        """(status, text) of a request below /latest/."""
        self.calls += 1
        path, method = environ["PATH_INFO"], environ["REQUEST_METHOD"]
        if environ.get("HTTP_X_FORWARDED_FOR"):
            return self.refuse(403, "a request through a proxy")
        if path == "/latest/api/token":
            ttl = environ.get("HTTP_X_AWS_EC2_METADATA_TOKEN_TTL_SECONDS", "")
            if method != "PUT" or not ttl.isdigit() or not 1 <= int(ttl) <= 21600:
                return self.refuse(400, f"{method} for a token that lasts {ttl!r}")
            return 200, self.session
        if method != "GET" or environ.get("HTTP_X_AWS_EC2_METADATA_TOKEN") != self.session:
            return self.refuse(401, f"{method} {path} without the token of a session")
        return self.document(path)

    def refuse(self, status, why):
        self.refused.append(why)
        return status, why

    def document(self, path):
        if path == "/latest/meta-data/placement/region":
            return 200, "us-east-1"
        if not self.has_profile:
            return 404, "Not Found"
        if path == CREDENTIALS:
            return 200, ROLE
        if path == CREDENTIALS + ROLE:
            now = datetime.now(timezone.utc)
            stamp = "%Y-%m-%dT%H:%M:%SZ"
            access_key, secret_key, token = self.keys
            return 200, json.dumps({"Code": "Success", "LastUpdated": now.strftime(stamp), "Type": "AWS-HMAC", "AccessKeyId": access_key, "SecretAccessKey": secret_key,
                                    "Token": token, "Expiration": (now + timedelta(seconds=self.lifetime)).strftime(stamp)})
        return 404, "Not Found"
