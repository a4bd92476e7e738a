"""Keystone v3: password and application credentials, tokens that expire, the catalogue."""

import secrets
import time

from fault_server import Answer

from .cloud import iso, new_id

SERVICES = (("keystone", "identity", "/identity/v3"), ("nova", "compute", "/compute/v2.1"), ("neutron", "network", "/network"),
            ("glance", "image", "/image"), ("cinderv3", "volumev3", "/volume/v3/{project}"))


def wrong(status=401, message="The request you have made requires authentication.", title="Unauthorized"):
    return Answer(status, {"error": {"code": status, "message": message, "title": title}})


def discovery(cloud, _request):
    link = [{"rel": "self", "href": cloud.base + "/identity/v3/"}]
    version = {"id": "v3.14", "status": "stable", "updated": "2020-04-07T00:00:00Z", "links": link, "media-types": []}
    if not cloud.settings["has_v3"]:
        version = {"id": "v2.0", "status": "stable", "links": [{"rel": "self", "href": cloud.base + "/identity/v2.0/"}]}
    return Answer(300, {"versions": {"values": [version]}})


def show_version(cloud, _request):
    if not cloud.settings["has_v3"]:
        raise wrong(404, "Could not find version v3.", "Not Found")
    return Answer(200, {"version": {"id": "v3.14", "status": "stable", "links": [{"rel": "self", "href": cloud.base + "/identity/v3/"}]}})


def user_of(cloud, identity):
    """The name of the user who proves to be one."""
    if identity["methods"] == ["application_credential"]:
        given = identity["application_credential"]
        known = cloud.credentials.get(given.get("id"))
        if "id" not in given:
            known = next((each for each in cloud.credentials.values() if each["name"] == given.get("name") and
                          each["user"] == (given["user"]["name"], given["user"]["domain"].get("name", "Default"))), None)
        if not known or known["secret"] != given.get("secret"):
            raise wrong()
        return known["user"][0]
    user = identity.get("password", {}).get("user", {})
    domain = user.get("domain", {})
    key = (user.get("name"), domain.get("name") or ("Default" if domain.get("id") == "default" else None))
    if cloud.users.get(key) is None or cloud.users[key] != user.get("password"):
        raise wrong()
    return user["name"]


def check_scope(cloud, auth):
    if auth["identity"]["methods"] == ["application_credential"]:
        if "scope" in auth:
            raise wrong(401, "Application credentials cannot request a scope.")
        return
    project = auth.get("scope", {}).get("project", {})
    named = project.get("name") == "demo" and (project.get("domain", {}).get("name") == "Default" or project.get("domain", {}).get("id") == "default")
    if not named and project.get("id") != cloud.project:
        raise wrong()


def catalogue(cloud):
    def endpoints(path):
        path = path.format(project=cloud.project)
        return [{"id": new_id(), "interface": interface, "region": region, "region_id": region,
                 "url": cloud.base + ("" if interface == "public" else "/" + interface) + ("" if region == "RegionOne" else "/" + region) + path}
                for region in ("RegionOne", "RegionTwo") for interface in ("public", "internal", "admin")]
    return [{"id": new_id(), "name": name, "type": kind, "endpoints": endpoints(path)} for name, kind, path in SERVICES]


def log_in(cloud, request):
    if not cloud.settings["has_v3"]:
        raise wrong(404, "Could not find version v3.", "Not Found")
    body = request.json()
    if against := cloud.judge.of_login(body):
        answer = wrong(400, against, "Bad Request")
        answer.judged = against
        raise answer
    auth = body["auth"]
    user = user_of(cloud, auth["identity"])
    check_scope(cloud, auth)
    token, until = secrets.token_hex(16), time.time() + cloud.settings["token_seconds"]
    cloud.tokens[token] = until
    body = {"token": {"methods": auth["identity"]["methods"], "user": {"id": "u1", "name": user, "domain": {"id": "default", "name": "Default"}},
                      "project": {"id": cloud.project, "name": "demo", "domain": {"id": "default", "name": "Default"}}, "roles": [{"id": "r1", "name": "member"}],
                      "issued_at": iso(time.time()).replace("Z", ".000000Z"), "expires_at": iso(until).replace("Z", ".000000Z"), "audit_ids": ["x"],
                      "is_domain": False, "catalog": catalogue(cloud)}}
    return Answer(201, body, {"X-Subject-Token": token})


def check_token(cloud, request):
    if cloud.tokens.get(request.headers.get("x-auth-token"), 0) <= time.time():
        raise wrong()


def add_credential(cloud, name, secret):
    credential = {"id": new_id().replace("-", ""), "name": name, "secret": secret, "user": ("demo", "Default")}
    cloud.credentials[credential["id"]] = credential
    return credential


ROUTES = (("identity.discover", "GET", r"/identity/?", discovery, False), ("identity.version", "GET", r"/identity/v3/?", show_version, False),
          ("identity.log_in", "POST", r"/identity/v3/auth/tokens", log_in, False))
