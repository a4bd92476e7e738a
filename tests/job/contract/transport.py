"""api.md, Identity and roles; Transport rules; Server status."""

import gzip

from .support import ANY, Failure, matching


def compresses_what_is_long(world):
    """Only where it is asked for, and a tag of a compressed answer is good for a 304."""
    path, admin = "/v2/services", world.people["admin"]
    _, _, plain = world.ask_bytes("GET", path, "admin")
    _, headers, packed = world.ask_bytes("GET", path, admin | {"Accept-Encoding": "gzip"})
    if headers.get("Content-Encoding") != "gzip" or gzip.decompress(packed) != plain or len(packed) > len(plain) / 2:
        raise Failure(f"{path} is not compressed: {headers}")
    if "Accept-Encoding" not in headers.get("Vary", ""):
        raise Failure(f"{path} does not vary: {headers}")
    status, _, _ = world.ask_bytes("GET", path, admin | {"If-None-Match": headers["ETag"]})
    if status != 304:
        raise Failure(f"{path} with the tag of its compressed answer is a {status}")


def steps(world):
    admin = world.people["admin"]

    def without(*names, **more):
        return {key: value for key, value in admin.items() if key not in names} | more

    return [
        "server status",
        ("GET", "/status", "nobody", None, 200, "OK\n"),

        "identity",
        ("GET", "/v2/providers", without("Coopr-UserID"), None, 401, "Coopr-UserID not found in request headers."),
        ("GET", "/v2/providers", without("Coopr-TenantID"), None, 401, "Coopr-TenantID not found in request headers."),
        ("GET", "/v2/providers", without("Coopr-TenantID", **{"Coopr-TenantID": "nope"}), None, 404, "Tenant does not exist."),
        ("GET", "/v2/providers", without("Coopr-ApiKey"), None, 401, "Coopr-ApiKey not found in request headers."),
        ("GET", "/v2/providers", without("Coopr-ApiKey", **{"Coopr-ApiKey": "x"}), None, 401,
         "Coopr-ApiKey is not valid for this user."),
        ("GET", "/v2/providers", without("Coopr-UserID", **{"Coopr-UserID": "nobody"}), None, 401,
         "Coopr-ApiKey is not valid for this user."),
        ("GET", "/v2/providers", {key.upper(): value for key, value in admin.items()}, None, 200, ANY),

        "unknown routes and wrong methods come before identity",
        ("GET", "/v2/nope?a=b", "nobody", None, 404, "Problem accessing: /v2/nope?a=b. Reason: Not Found"),
        ("PUT", "/v2/providers", "nobody", None, 405, "/v2/providers"),
        ("OPTIONS", "/v2/providers", "nobody", None, 405, ANY),
        ("GET", "//v2/providers", "admin", None, 404, ANY),

        "compression",
        compresses_what_is_long,

        "Coopr's client asks whether there is a token server without saying who it is",
        ("GET", "/v2/ping", "nobody", None, 404, ANY),

        "paths",
        ("GET", "/v2//providers/", "admin", None, 200, matching(r"\[.*\]")),
        ("GET", "/v2/Providers", "admin", None, 404, ANY),
        ("GET", "/v2/providers/a%2Fb+c", "admin", None, 404, "provider a/b+c  not found."),
    ]
