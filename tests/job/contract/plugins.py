"""api.md §7, entities.md §11, §12: plugin types and their files."""

import hashlib

from . import provider_types
from .support import ANY, EMPTY, having, keeping, lacking, matching

ADMIN = "user unauthorized, must be admin."
SUPER = "user unauthorized, must be superadmin."
SHELF = "/v2/plugins/automatortypes/shell/scripts"
FILE = SHELF + "/ct.sh"


def types(kind, known, other):
    path, word = f"/v2/plugins/{kind}types", kind
    return [
        f"{kind} types",
        ("GET", path, "user", None, 200, having([{"name": known}])),
        ("GET", f"{path}/{known}", "user", None, 200,
         keeping("version", "version", expected=matching(r'\{"name":"%s",.*"version":\d+,"parameters":\{.*\},"resourceTypes":\{.*\}\}' % known))),
        ("GET", f"{path}/{known}/$version", "user", None, 200, having({"name": known})),
        ("GET", f"{path}/{known}/9999", "user", None, 404, f"{word} type {known}  not found."),
        ("GET", f"{path}/nope", "user", None, 404, f"{word} type nope  not found."),
        ("DELETE", f"{path}/nope", "user", None, 403, SUPER),
        ("DELETE", f"{path}/nope", "admin", None, 403, SUPER),
        ("DELETE", f"{path}/nope/1", "admin", None, 403, SUPER),
        ("DELETE", f"{path}/nope", "super", None, 200, EMPTY),
        ("DELETE", f"{path}/{other}/9999", "super", None, 200, EMPTY),
        ("GET", f"{path}/{other}", "user", None, 200, ANY),

        f"{kind} types: files of what is not there",
        ("GET", f"{path}/nope/scripts", "admin", None, 404, f"{word} plugin nope not found."),
        ("GET", f"{path}/{known}/nope", "admin", None, 404, f"nope for {word} plugin {known} not found."),
        ("POST", f"{path}/{known}/nope/x", "admin", "body", 404, f"nope for {word} plugin {known} not found."),
        ("GET", f"{path}/{known}/nope/x", "admin", None, 404, f"nope for {word} plugin {known} not found."),
        ("GET", f"{path}/{known}/9999", "admin", None, 404, f"9999 for {word} plugin {known} not found."),
        ("DELETE", f"{path}/{known}/nope", "super", None, 404, f"nope for {word} plugin {known} not found."),
        ("DELETE", f"{path}/nope/scripts", "super", None, 404, f"{word} plugin nope not found."),
        ("DELETE", f"{path}/{known}/nope/x", "admin", None, 404, f"nope for {word} plugin {known} not found."),
        ("DELETE", f"{path}/{known}/nope/x/versions/1", "admin", None, 404, f"nope for {word} plugin {known} not found."),
        ("POST", f"{path}/{known}/nope/x/versions/1/stage", "admin", None, 404, f"{word} resource not found."),
        ("POST", f"{path}/{known}/nope/x/versions/1/recall", "admin", None, 404, f"{word} resource not found."),
    ]


def written(name, version, status, size=r"\d+", sha256="[0-9a-f]{64}"):
    """A version as it is written: Coopr's three members, then ours."""
    return rf'\{{"name":"{name}","version":{version},"status":"{status}","size":{size},"sha256":"{sha256}","createTime":1[0-9]{{12}}\}}'


def upload(body, version):
    content = body.encode()
    return ("POST", FILE, "other-admin", body, 200,
            matching(written("ct.sh", version, "inactive", len(content), hashlib.sha256(content).hexdigest())))


def versions(**statuses):
    """v3="active" and so on: the list of versions."""
    rows = [written("ct.sh", int(version[1:]), status) for version, status in statuses.items()]
    return ("GET", FILE, "other-admin", None, 200, matching(r"\[" + ",".join(rows) + r"\]"))


def act(version, action):
    return ("POST", f"{FILE}/versions/{version}/{action}", "other-admin", None, 200, EMPTY)


SYNC = ("POST", "/v2/plugins/sync", "other-admin", None, 200, EMPTY)

FILES = [
    "files: there is no deleting a whole type of them",
    ("DELETE", SHELF, "super", None, 400, "Version must be a number"),

    "files: who may",
    ("POST", FILE, "other", "x", 403, ADMIN),
    ("GET", SHELF, "other", None, 403, ADMIN),
    ("GET", FILE, "other", None, 403, ADMIN),
    ("DELETE", FILE, "other", None, 403, ADMIN),
    ("DELETE", FILE + "/versions/1", "other", None, 403, ADMIN),
    ("POST", FILE + "/versions/1/stage", "other", None, 403, ADMIN),
    ("POST", FILE + "/versions/1/recall", "other", None, 403, ADMIN),
    ("POST", "/v2/plugins/sync", "other", None, 403, ADMIN),

    "files: versions and states",
    versions(),
    upload("#!/bin/sh\n", 1),
    upload("", 2),
    ("POST", SHELF + "/a%20b", "other-admin", "x", 400,
     "invalid name. Name must be specified and consist of only [a-zA-Z0-9_.-]."),
    versions(v1="inactive", v2="inactive"),
    act(1, "stage"),
    versions(v1="staged", v2="inactive"),
    SYNC,
    versions(v1="active", v2="inactive"),
    act(2, "stage"),
    versions(v1="recalled", v2="staged"),
    act(1, "stage"),
    versions(v1="active", v2="inactive"),
    act(9, "stage"),
    versions(v1="active", v2="inactive"),
    act(2, "recall"),
    versions(v1="active", v2="inactive"),
    act(2, "stage"),
    ("GET", FILE + "?status=STAGED", "other-admin", None, 200, matching(r"\[" + written("ct.sh", 2, "staged") + r"\]")),
    ("GET", FILE + "/?status=recalled", "other-admin", None, 200, matching(r"\[" + written("ct.sh", 1, "recalled") + r"\]")),
    ("GET", SHELF + "?status=staged", "other-admin", None, 200,
     having({"ct.sh": [{"name": "ct.sh", "version": 2, "status": "staged"}]})),
    ("GET", SHELF + "?status=inactive", "other-admin", None, 200, lacking("ct.sh")),
    ("GET", SHELF + "?status=x", "other-admin", None, 400, "invalid status filter."),
    ("GET", FILE + "?status=x", "other-admin", None, 400, "invalid status filter."),
    act(2, "recall"),
    versions(v1="recalled", v2="inactive"),
    act(1, "recall"),
    ("GET", SHELF + "/ct-unknown", "other-admin", None, 200, []),

    "files: deletion",
    ("DELETE", FILE, "other-admin", None, 409, "Resource not in a deletable state."),
    ("DELETE", FILE + "/versions/1", "other-admin", None, 409, "Resource not in a deletable state."),
    SYNC,
    versions(v1="inactive", v2="inactive"),
    ("DELETE", FILE + "/versions/x", "other-admin", None, 400, "Invalid version x"),
    ("DELETE", FILE + "/versions/9", "other-admin", None, 404, "automator resource not found."),
    ("POST", FILE + "/versions/x/stage", "other-admin", None, 400, "Invalid version x"),
    ("POST", FILE + "/versions/0/recall", "other-admin", None, 400, "Invalid version 0"),
    ("DELETE", FILE + "/versions/2", "other-admin", None, 200, EMPTY),
    versions(v1="inactive"),
    upload("again", 3),
    upload("again", 4),
    ("DELETE", FILE + "/versions/4", "other-admin", None, 200, EMPTY),
    versions(v1="inactive", v3="inactive"),
    ("DELETE", FILE, "other-admin", None, 200, EMPTY),
    ("DELETE", FILE, "other-admin", None, 200, EMPTY),
    versions(),
    upload("and again", 5),
    ("GET", FILE, "admin", None, 200, []),
    ("DELETE", FILE, "other-admin", None, 200, EMPTY),
]


def steps(_world):
    return types("provider", "simulated", "local") + types("automator", "shell", "simulated") + provider_types.steps() + FILES
