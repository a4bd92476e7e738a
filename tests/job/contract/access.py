"""Who may: every route below /v2 by every role, keys that only read, and what one tenant sees of another."""

import re
import time
from pathlib import Path

from .support import ANY, EMPTY, Failure, having, keeping, lacking, matching

USER, ADMIN, SUPER = "user", "admin", "super"
RANK = {"nobody": 0, USER: 1, ADMIN: 2, SUPER: 3}
NO = "/v2/clusters/99999999"

# method, path, who may, whether a key that only reads may. Nothing here is there, and the bodies are no JSON.
ROUTES = [
    ("GET", "/v2/clusters", USER, True),
    ("POST", "/v2/clusters", USER, False),
    ("POST", "/v2/clusters/preview", USER, True),
    ("GET", NO, USER, True),
    ("POST", NO, USER, False),
    ("DELETE", NO, USER, False),
    ("POST", NO + "/abort", USER, False),
    ("POST", NO + "/pause", USER, False),
    ("POST", NO + "/resume", USER, False),
    ("POST", NO + "/retry", USER, False),
    ("GET", NO + "/status", USER, True),
    ("GET", NO + "/config", USER, True),
    ("PUT", NO + "/config", USER, False),
    ("GET", NO + "/services", USER, True),
    ("POST", NO + "/services", USER, False),
    ("POST", NO + "/services/remove", USER, False),
    ("POST", NO + "/clustertemplate/sync", USER, False),
    ("POST", NO + "/grow", USER, False),
    ("POST", NO + "/shrink", USER, False),
    ("POST", NO + "/nodes/1000/replace", USER, False),
    ("GET", NO + "/plans", USER, True),
    ("GET", NO + "/plans/99999999-001", USER, True),
    ("GET", NO + "/callbacks", USER, True),
    ("GET", NO + "/tasks", USER, True),
    ("GET", "/v2/tasks/99999999-001-001/transcript", USER, True),
    ("GET", "/v2/export", USER, True),
    ("POST", "/v2/import", ADMIN, False),
    ("POST", "/v2/resolve", USER, True),
    ("POST", "/v2/getNodeProperties", USER, True),
    ("GET", "/v2/nodes", USER, True),
    ("GET", "/v2/nodes/nope", USER, True),
    ("POST", "/v2/nodes", SUPER, False),
    ("PUT", "/v2/nodes/nope", SUPER, False),
    ("DELETE", "/v2/nodes/nope", SUPER, False),
    ("GET", "/v2/metrics/queues", ADMIN, True),
    ("GET", "/v2/metrics/nodes/usage", USER, True),
    ("GET", "/v2/budget", USER, True),
    ("GET", "/v2/prices", USER, True),
    ("PUT", "/v2/prices", ADMIN, False),
    ("DELETE", "/v2/prices", ADMIN, False),
    ("GET", "/v2/prices/default", USER, True),
    ("PUT", "/v2/prices/default", SUPER, False),
    ("DELETE", "/v2/prices/default", SUPER, False),
    ("POST", "/v2/plugins/sync", ADMIN, False),
    ("GET", "/v2/profile", USER, True),
    ("PUT", "/v2/profile", USER, False),
    ("DELETE", "/v2/profile", USER, False),
    ("GET", "/v2/profile/apikeys", USER, True),
    ("POST", "/v2/profile/apikeys", USER, False),
    ("DELETE", "/v2/profile/apikeys/99999999", USER, False),
    ("GET", "/v2/tenants", SUPER, True),
    ("POST", "/v2/tenants", SUPER, False),
    ("GET", "/v2/tenants/nope", SUPER, True),
    ("PUT", "/v2/tenants/nope", SUPER, False),
    ("DELETE", "/v2/tenants/nope", SUPER, False),
    ("GET", "/v2/tenants/nope/users", SUPER, True),
    ("POST", "/v2/tenants/nope/users", SUPER, False),
    ("PUT", "/v2/tenants/nope/users/nobody", SUPER, False),
    ("DELETE", "/v2/tenants/nope/users/nobody", SUPER, False),
    ("POST", "/v2/tenants/nope/users/nobody/password", SUPER, False),
    ("DELETE", "/v2/tenants/nope/users/nobody/sessions", SUPER, False),
    ("DELETE", "/v2/tenants/nope/users/nobody/factor", SUPER, False),
    ("GET", "/v2/daemons", SUPER, True),
    ("GET", "/v2/provisioners", SUPER, True),
    ("GET", "/v2/provisioners/nope", SUPER, True),
    ("GET", "/v2/daemons", SUPER, True),
    ("POST", "/v2/providertests/nope", ADMIN, False),
    ("GET", "/v2/providertests/nope", ADMIN, True),
    ("GET", "/v2/unknownmachines", ADMIN, True),
    ("GET", "/v2/lostmachines", ADMIN, True),
    ("GET", "/v2/provideraccounts", ADMIN, True),
    ("GET", "/v2/machineleases", ADMIN, True),
    ("POST", "/v2/machineleases/999999999/release", ADMIN, False),
    ("GET", "/v2/identityproviders", SUPER, True),
    ("GET", "/v2/identityproviders/nope", SUPER, True),
    ("PUT", "/v2/identityproviders/nope", SUPER, False),
    ("DELETE", "/v2/identityproviders/nope", SUPER, False),
    ("POST", "/v2/identityproviders/nope/test", SUPER, False),
    ("GET", "/v2/audit", ADMIN, True),
    ("GET", "/v2/audit/999999999", ADMIN, True),
    ("GET", "/v2/openapi.json", "nobody", True),
]
for action in ("start", "stop", "restart"):
    ROUTES += [("POST", f"{NO}/services/{action}", USER, False), ("POST", f"{NO}/services/x/{action}", USER, False)]
for collection in ("providers", "hardwaretypes", "imagetypes", "services", "clustertemplates", "partialtemplates"):
    path = f"/v2/{collection}"
    ROUTES += [("GET", path, USER, True), ("GET", path + "/nope", USER, True), ("GET", path + "/nope/1", USER, True),
               ("POST", path, ADMIN, False), ("PUT", path + "/nope", ADMIN, False),
               ("DELETE", path + "/nope", ADMIN, False), ("DELETE", path + "/nope/1", ADMIN, False)]
for kind in ("providertypes", "automatortypes"):
    path = f"/v2/plugins/{kind}"
    one = path + "/nope/scripts/x"
    ROUTES += [("GET", path, USER, True), ("GET", path + "/nope", USER, True), ("DELETE", path + "/nope", SUPER, False),
               ("DELETE", path + "/nope/1", SUPER, False), ("GET", path + "/nope/scripts", ADMIN, True),
               ("GET", one, ADMIN, True), ("POST", one, ADMIN, False), ("DELETE", one, ADMIN, False),
               ("DELETE", one + "/versions/1", ADMIN, False), ("POST", one + "/versions/1/stage", ADMIN, False),
               ("POST", one + "/versions/1/recall", ADMIN, False)]

READS_ONLY = "This API key may only read."


def walk(world):
    """Each route by each role: 401 for nobody, 403 for too low a role, anything else for the others."""
    for method, path, need, _ in ROUTES:
        for role, rank in RANK.items():
            status, _, text = world.ask(method, path, role, None if method in ("GET", "DELETE") else "{")
            world.rows += 1
            good = status == 200 if need == "nobody" else status == 401 if role == "nobody" else (status == 403) == (rank < RANK[need]) and status not in (401, 500)
            if not good:
                raise Failure(f"{method} {path} as {role} answered {status} {text}")


def walk_with_keys_that_only_read(world):
    for name in (USER, ADMIN, SUPER):
        made = world.json("POST", "/v2/profile/apikeys", name, {"name": "ct-read", "scope": "read"})
        reader = dict(world.people[name]) | {"Coopr-ApiKey": made["apikey"]}
        for method, path, need, reads in ROUTES:
            if RANK[name] < RANK[need]:
                continue
            status, _, text = world.ask(method, path, reader, None if method in ("GET", "DELETE") else "{")
            world.rows += 1
            if (status == 403 and text == READS_ONLY) == reads or status in (401, 500):
                raise Failure(f"{method} {path} as {name} with a key that only reads answered {status} {text}")
        world.json("DELETE", f"/v2/profile/apikeys/{made['id']}", name)
        if world.ask("GET", "/v2/profile/apikeys", reader)[0] != 401:
            raise Failure("a key that was deleted is still good")


def every_route_is_in_the_table(_world):
    source = (Path(__file__).parents[3] / "fcgi" / "routes.cpp").read_text()
    patterns = [(method, re.compile(re.sub(r"\{\w+\}", "[^/]+", path) + "$")) for method, path in
                re.findall(r'\{"(\w+)",\s*"(/v2/[^"]*)"', source)]
    missing = [(method, pattern.pattern) for method, pattern in patterns
               if not any(method == one[0] and pattern.match(one[1]) for one in ROUTES)]
    if missing or len(patterns) < 40:
        raise Failure(f"{len(patterns)} routes, not in the table: {missing}")


def a_key_expires(world):
    soon = int(time.time() * 1000) + 1500
    made = world.json("POST", "/v2/profile/apikeys", "user", {"name": "ct-soon", "expireTime": soon})
    person = dict(world.people["user"]) | {"Coopr-ApiKey": made["apikey"]}
    if world.ask("GET", "/v2/profile/apikeys", person)[0] != 200:
        raise Failure("a key that has not expired is not good")
    time.sleep(2)
    if world.ask("GET", "/v2/profile/apikeys", person)[0] != 401:
        raise Failure("a key that has expired is still good")
    world.json("DELETE", f"/v2/profile/apikeys/{made['id']}", "user")


def forget_keys(world):
    for name in (USER, ADMIN, SUPER):
        for key in world.json("GET", "/v2/profile/apikeys", name):
            if key["name"].startswith("ct-"):
                world.json("DELETE", f"/v2/profile/apikeys/{key['id']}", name)


KEYS = "/v2/profile/apikeys"


def steps(_world):
    return [
        "every route by every role",
        every_route_is_in_the_table,
        walk,

        "API keys (ours)",
        forget_keys,
        ("POST", KEYS, "user", {"name": "ct-a"}, 200, keeping("key", "id", expected=matching(
            r'\{"id":\d+,"name":"ct-a","scope":"all","rights":\[\],"clusters":\[\],"createTime":\d+,"expireTime":0,"useTime":0,"apikey":"coop_[0-9a-f]{64}"\}'))),
        ("POST", KEYS, "user", {"name": "ct-b", "scope": "read", "expireTime": "4102444800000"}, 200,
         having({"scope": "read", "expireTime": 4102444800000})),
        ("POST", KEYS, "user", {"name": "ct-a"}, 409, "API key ct-a already exists."),
        ("POST", KEYS, "user", {"name": "a b", "scope": "write", "expireTime": "x"}, 422, {"problems": [
            {"field": "name", "message": "invalid name. Name must be specified and consist of only [a-zA-Z0-9_.-]."},
            {"field": "scope", "message": "must be all, read or some"},
            {"field": "expireTime", "message": "must be milliseconds since 1970"}]}),
        ("POST", KEYS, "user", {"name": "ct-c", "expireTime": 5}, 422, {"problems": [
            {"field": "expireTime", "message": "must be in the future and before the year 10000"}]}),
        ("POST", KEYS, "user", "{", 422, ANY),
        ("GET", KEYS, "user", None, 200, having([{"name": "ct-a", "scope": "all", "expireTime": 0}, {"name": "ct-b", "scope": "read"}])),
        ("GET", KEYS, "user", None, 200, lacking("coop_")),
        ("GET", KEYS, "admin", None, 200, lacking("ct-a")),
        ("DELETE", KEYS + "/$key", "admin", None, 404, "API key $key not found."),
        ("DELETE", KEYS + "/abc", "user", None, 404, "API key abc not found."),
        ("DELETE", KEYS + "/$key", "user", None, 200, EMPTY),
        ("DELETE", KEYS + "/$key", "user", None, 404, "API key $key not found."),
        forget_keys,
        a_key_expires,
        walk_with_keys_that_only_read,

        "one tenant and another",
        ("GET", "/v2/providers/ct-sim", "other", None, 200, ANY),
        ("GET", "/v2/providers/ct-sim", "admin", None, 404, "provider ct-sim  not found."),
        ("GET", "/v2/providers/ct-sim/1", "admin", None, 404, "provider ct-sim  not found."),
        ("GET", "/v2/providertests/ct-sim", "other-admin", None, 200, having({"provider": "ct-sim", "number": 1})),
        ("POST", "/v2/providertests/ct-sim", "other-admin", None, 202, having({"provider": "ct-sim", "number": 2, "status": "waiting", "doneAt": 0})),
        ("GET", "/v2/providertests/ct-sim", "admin", None, 404, "provider ct-sim was not tested."),
        ("POST", "/v2/providertests/ct-sim", "admin", None, 404, "provider ct-sim not found."),
        ("DELETE", "/v2/providers/ct-sim", "admin", None, 200, EMPTY),
        ("PUT", "/v2/services/ct-one", "admin", {"name": "ct-one", "description": "of demo"}, 200, EMPTY),
        ("GET", "/v2/services/ct-one", "other", None, 200, lacking("of demo")),
        ("DELETE", "/v2/services/ct-one", "admin", None, 200, EMPTY),
        ("GET", "/v2/services/ct-one", "other", None, 200, having({"version": 1})),
        ("GET", "/v2/clusters/$others_cluster", "admin", None, 404, "cluster $others_cluster not found."),
        ("GET", "/v2/clusters/$others_cluster/tasks", "admin", None, 404, ANY),
        ("GET", "/v2/clusters/$others_cluster/tasks", "super", None, 404, ANY),
        ("POST", "/v2/clusters/$others_cluster/grow", "admin", {"numMachines": 1}, 404, ANY),
        ("POST", "/v2/clusters/$others_cluster/shrink", "admin", {"numMachines": 1}, 404, ANY),
        ("POST", "/v2/clusters/$others_cluster/services/remove", "admin", {"services": ["ct-one"]}, 404, ANY),
        ("POST", "/v2/clusters/$others_cluster/nodes/$node/replace", "admin", None, 404, ANY),
        ("GET", "/v2/nodes/$node", "admin", None, 404, ANY),
        ("GET", "/v2/export", "admin", None, 200, lacking("ct-sim")),
    ]
