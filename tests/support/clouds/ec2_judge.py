"""Judges requests by what no one here wrote: botocore's model of the API for parameters, and botocore's signer for signatures."""

import re
from datetime import datetime, timezone
from urllib.parse import parse_qsl

import botocore.loaders
import botocore.model
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

MODEL = botocore.model.ServiceModel(botocore.loaders.Loader().load_service_model("ec2", "service-2"), "ec2")
AUTHORIZATION = re.compile(r"AWS4-HMAC-SHA256 Credential=([^/]+)/(\d{8})/([^/]+)/ec2/aws4_request, *SignedHeaders=([a-z0-9;-]+), *Signature=([0-9a-f]{64})")
LONGEST_SKEW = 300
# AWS adds types every month; moto knows which there are.
OPEN_ENUMS = {"InstanceType"}


def members(shape):
    """The members of a structure by the names they have in queries."""
    def name(key, member):
        known = member.serialization
        plain = known.get("name", key)
        return known.get("queryName") or plain[0].upper() + plain[1:]
    return {name(key, member): (key, member) for key, member in shape.members.items()}


def value_problem(key, value, shape):
    kind = shape.type_name
    if kind in ("structure", "list"):
        return f"{key} is a {kind}"
    if kind in ("integer", "long") and not re.fullmatch("-?[0-9]+", value):
        return f"{key} is not an integer"
    if kind == "boolean" and value not in ("true", "false"):
        return f"{key} is not a boolean"
    if getattr(shape, "enum", None) and value not in shape.enum and shape.name not in OPEN_ENUMS:
        return f"{key}: {value!r} is none of the {len(shape.enum)} known values"
    return None


def key_problem(key, value, top, seen):
    shape = top
    for part in key.split("."):
        if shape.type_name == "structure":
            known = members(shape)
            if part not in known:
                return f"{key}: {shape.name} has no member {part}"
            if shape is top:
                seen.add(known[part][0])
            shape = known[part][1]
        elif shape.type_name == "list":
            if not re.fullmatch("[1-9][0-9]*", part):
                return f"{key}: {part} is no index"
            shape = shape.member
        else:
            return f"{key} is too deep"
    return value_problem(key, value, shape)


def parameters_of(body):
    """The parameters of a query, and what is wrong with them."""
    pairs = parse_qsl(body.decode(), keep_blank_values=True)
    query = dict(pairs)
    problems = [] if len(query) == len(pairs) else ["a parameter occurs twice"]
    operation = query.get("Action")
    if operation not in MODEL.operation_names:
        return query, [f"there is no action {operation}"]
    if query.get("Version") != MODEL.api_version:
        problems.append(f"the version is not {MODEL.api_version}")
    top = MODEL.operation_model(operation).input_shape
    seen = set()
    rest = {key: value for key, value in query.items() if key not in ("Action", "Version")}
    found = [key_problem(key, value, top, seen) for key, value in rest.items()] if top else list(rest)
    problems += [problem for problem in found if problem]
    problems += [f"{name} is missing" for name in (top.required_members if top else []) if name not in seen]
    return query, problems


def form_problems(environ):
    """What is wrong with a request beside its parameters."""
    problems = []
    if environ["REQUEST_METHOD"] != "POST":
        problems.append("the method is not POST")
    if environ.get("PATH_INFO") != "/" or environ.get("QUERY_STRING"):
        problems.append("the path is not / or there is a query")
    if not environ.get("CONTENT_TYPE", "").startswith("application/x-www-form-urlencoded"):
        problems.append("the body is no form")
    return problems


class Verifier:
    """Recomputes signatures. `keys` maps an access key to (secret, session token or None)."""

    def __init__(self, keys):
        self.keys = keys
        self.skew_seconds = 0
        self.skew_code = "RequestExpired"

    def now(self):
        return datetime.now(timezone.utc).timestamp() + self.skew_seconds

    def refusal(self, environ, body):
        """(status, code, message) of a request that is not signed as it must be; None when it is."""
        unusable = (401, "AuthFailure", "AWS was not able to validate the provided access credentials")
        found = AUTHORIZATION.fullmatch(environ.get("HTTP_AUTHORIZATION", ""))
        if not found:
            return 400, "MissingAuthenticationToken", "Request is missing Authentication Token"
        key, day, region, signed, signature = found.groups()
        if key not in self.keys:
            return unusable
        secret, token = self.keys[key]
        if token and environ.get("HTTP_X_AMZ_SECURITY_TOKEN") != token:
            return unusable
        if not {"host", "x-amz-date"} <= set(signed.split(";")):
            return unusable
        date = environ.get("HTTP_X_AMZ_DATE", "")
        if self.signature(environ, body, Credentials(key, secret), region, signed.split(";"), date) != signature:
            return unusable
        return self.clock_refusal(date) if date.startswith(day) else unusable

    def signature(self, environ, body, credentials, region, signed, date):
        headers = {name: environ.get("HTTP_" + name.upper().replace("-", "_")) or environ.get(name.upper().replace("-", "_"), "") for name in signed}
        request = AWSRequest(environ["REQUEST_METHOD"], f"http://{environ['HTTP_HOST']}{environ['REQUEST_URI']}", headers, body)
        request.context["timestamp"] = date
        signer = SigV4Auth(credentials, "ec2", region)
        return signer.signature(signer.string_to_sign(request, signer.canonical_request(request)), request)

    def clock_refusal(self, date):
        sent = datetime.strptime(date, "%Y%m%dT%H%M%SZ").replace(tzinfo=timezone.utc).timestamp()
        if abs(sent - self.now()) <= LONGEST_SKEW:
            return None
        if self.skew_code == "AuthFailure":
            return 401, "AuthFailure", "AWS was not able to validate the provided access credentials"
        return 400, "RequestExpired", "Request has expired."
