"""Who may: every route below /v2 by every role of every tenant, keys with fewer rights, and what one tenant sees of another."""

import re
import time

from .support import ANY, EMPTY, Failure, having, keeping, lacking, matching

NOBODY, ACCOUNT, USER, ADMIN, SUPER = "nobody", "account", "user", "admin", "super"
NO = "/v2/clusters/99999999"

# Who is asked as, and their role. "operator" and "auditor" are made here; "other" and "other-admin" are of another tenant.
ROLES = {"nobody": None, "user": "user", "operator": "operator", "auditor": "auditor", "admin": "admin", "super": "superadmin",
         "other": "user", "other-admin": "admin"}
# The roles that may make calls of a need: those that only read, and the others.
EVERYBODY = {"user", "operator", "auditor", "admin", "superadmin"}
MAY = {(ACCOUNT, True): EVERYBODY, (ACCOUNT, False): EVERYBODY,
       (USER, True): EVERYBODY, (USER, False): EVERYBODY - {"auditor"},
       (ADMIN, True): {"auditor", "admin", "superadmin"}, (ADMIN, False): {"admin", "superadmin"},
       (SUPER, True): {"superadmin"}, (SUPER, False): {"superadmin"}}

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
    ("GET", "/v2/profile", ACCOUNT, True),
    ("PUT", "/v2/profile", USER, False),
    ("DELETE", "/v2/profile", USER, False),
    ("GET", "/v2/profile/apikeys", ACCOUNT, True),
    ("POST", "/v2/profile/apikeys", ACCOUNT, False),
    ("DELETE", "/v2/profile/apikeys/99999999", ACCOUNT, False),
    ("GET", "/v2/profile/rights", ACCOUNT, True),
    ("GET", "/v2/groups", ADMIN, True),
    ("GET", "/v2/groups/nope", ADMIN, True),
    ("PUT", "/v2/groups/nope", ADMIN, False),
    ("DELETE", "/v2/groups/nope", ADMIN, False),
    ("GET", "/v2/permissions", ADMIN, True),
    ("GET", "/v2/permissions/providers/nope", ADMIN, True),
    ("PUT", "/v2/permissions/providers/nope", ADMIN, False),
    ("DELETE", "/v2/permissions/providers/nope", ADMIN, False),
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
    ("GET", "/v2/loginkeys", ADMIN, True),
    ("POST", "/v2/loginkeys", ADMIN, False),
    ("GET", "/v2/loginkeys/999999999", ADMIN, True),
    ("POST", "/v2/loginkeys/999999999/giveup", ADMIN, False),
    ("GET", "/v2/audit", ADMIN, True),
    ("GET", "/v2/audit/999999999", ADMIN, True),
    ("GET", "/v2/openapi.json", NOBODY, True),
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


def may(role, need, reads):
    """What the table of rights promises, said once more."""
    return need == NOBODY or role is not None and role in MAY[need, reads]


def body_of(method):
    return None if method in ("GET", "DELETE") else "{"


def make_people(world):
    """An operator and an auditor of the tenant demo; an earlier run may have left them."""
    for name in ("operator", "auditor"):
        world.ask("DELETE", f"/v2/tenants/demo/users/ct-{name}", SUPER)
        made = world.json("POST", "/v2/tenants/demo/users", SUPER, {"name": "ct-" + name, "role": name})
        world.add_person(name, "demo", "ct-" + name, made["apikey"])


def walk(world):
    """Each route by each role of each tenant: 401 for nobody, 403 for those who may not, anything else for the others."""
    for method, path, need, reads in ROUTES:
        for person, role in ROLES.items():
            status, _, text = world.ask(method, path, person, body_of(method))
            world.rows += 1
            if need == NOBODY:
                good = status == 200
            elif role is None:
                good = status == 401
            else:
                good = (status == 403) != may(role, need, reads) and status not in (401, 500)
            # The auditor's first key only reads.
            if role == "auditor" and not reads and need == ACCOUNT:
                good = status == 403 and text == READS_ONLY
            if not good:
                raise Failure(f"{method} {path} as {person} answered {status} {text}")


def walk_with_the_name_of_another_tenant(world):
    """A key opens its own tenant only, whatever tenant the request names. Each route once: a name may fail 60 times in a
    minute (the unit tests of Site ask each route as everybody)."""
    callers = ("user", "operator", "auditor", "other")
    for number, (method, path, need, _) in enumerate(ROUTES):
        if need == NOBODY:
            continue
        person = callers[number % len(callers)]
        tenants = sorted({"demo", "contract", "superadmin"} - {world.people[person]["Coopr-TenantID"]})
        tenant = tenants[number // len(callers) % len(tenants)]
        status, _, text = world.ask(method, path, dict(world.people[person]) | {"Coopr-TenantID": tenant}, body_of(method))
        world.rows += 1
        if status != 401:
            raise Failure(f"{method} {path} as {person} in {tenant} answered {status} {text}")


def walk_with_keys_that_only_read(world):
    for person, role in ROLES.items():
        if role is None or role == "auditor":
            continue
        made = world.json("POST", "/v2/profile/apikeys", person, {"name": "ct-read", "scope": "read"})
        reader = dict(world.people[person]) | {"Coopr-ApiKey": made["apikey"]}
        for method, path, need, reads in ROUTES:
            if not may(role, need, reads):
                continue
            status, _, text = world.ask(method, path, reader, body_of(method))
            world.rows += 1
            if (status == 403 and text == READS_ONLY) == reads or status in (401, 500):
                raise Failure(f"{method} {path} as {person} with a key that only reads answered {status} {text}")
        world.json("DELETE", f"/v2/profile/apikeys/{made['id']}", person)
        if world.ask("GET", "/v2/profile/apikeys", reader)[0] != 401:
            raise Failure("a key that was deleted is still good")


# What changes of a cluster send, by the end of the path; others send {}.
BODIES = {"/grow": {"numMachines": 1}, "/shrink": {"numMachines": 1}, "/services": {"services": ["ct-one"]},
          "/services/remove": {"services": ["ct-one"]}, "/config": {"config": {}}}


def nobody_reaches_a_cluster_of_another_tenant(world):
    """Every call about a cluster, about one that is there, by everybody outside of its tenant: as if it were not there."""
    asked = 0
    for method, path, need, reads in ROUTES:
        if not path.startswith(NO):
            continue
        path = world.fill(path.replace("99999999", "$others_cluster"))
        body = next((body for end, body in BODIES.items() if path.endswith(end)), {})
        if path == world.fill("/v2/clusters/$others_cluster"):
            body = {"expireTime": int(time.time() * 1000) + 10**9}
        for person in ("user", "operator", "auditor", "admin", "super"):
            status, _, text = world.ask(method, path, person, None if method in ("GET", "DELETE") else body)
            world.rows += 1
            asked += 1
            if status != (404 if may(ROLES[person], need, reads) else 403):
                raise Failure(f"{method} {path} as {person} answered {status} {text}")
    if asked < 100:
        raise Failure(f"only {asked} calls about a cluster")


def every_route_is_in_the_table(world):
    """The running program describes its own table of routes (a unit test compares the two): each has a row here."""
    described = world.json("GET", "/v2/openapi.json", "nobody")["paths"]
    calls = [(method.upper(), path, re.compile(re.sub(r"\{\w+\}", "[^/]+", path) + "$"))
             for path, item in described.items() if path.startswith("/v2/") for method in item if method != "parameters"]
    missing = [(method, path) for method, path, pattern in calls
               if not any(method == one[0] and pattern.match(one[1]) for one in ROUTES)]
    if missing or len(calls) < 150:
        raise Failure(f"{len(calls)} routes, not in the table: {missing}")


def auditors_read_no_secrets(world):
    """What sounds secret is masked for them on every way; who sends the masked document back keeps what is stored."""
    secret = "s3cret-of-ct"
    entry = {"name": "ct-secretive", "defaults": {"services": ["ct-a"], "provider": "ct-cloud", "config": {"database_password": secret, "workers": 4}}}
    world.ask("DELETE", "/v2/clustertemplates/ct-secretive", "admin")
    world.json("PUT", "/v2/clustertemplates/ct-secretive", "admin", entry)
    ways = [("GET", "/v2/clustertemplates/ct-secretive", None), ("GET", "/v2/clustertemplates/ct-secretive/1", None),
            ("GET", "/v2/clustertemplates", None), ("GET", "/v2/export", None),
            ("POST", "/v2/resolve", {"name": "ct-heir", "extends": {"name": "ct-secretive"}})]
    # A cluster that cannot be laid out makes no machines, and has a configuration.
    made = world.json("POST", "/v2/clusters", "admin", {"name": "ct-secretive", "clusterTemplate": "ct-secretive", "numMachines": 1,
                                                         "provider": "local", "services": ["ct-nope"]})
    ways += [("GET", f"/v2/clusters/{made['id']}", None), ("GET", f"/v2/clusters/{made['id']}/config", None)]
    for method, path, body in ways:
        for person, sees in (("admin", True), ("auditor", False)):
            status, _, text = world.ask(method, path, person, body)
            world.rows += 1
            if status != 200 or (secret in text) != sees or "database_password" not in text:
                raise Failure(f"{method} {path} as {person} answered {status} {text[:2000]}")
    masked = world.json("GET", "/v2/clustertemplates/ct-secretive", "auditor")
    masked.pop("version", None)
    masked["defaults"]["config"]["workers"] = 5
    world.json("PUT", "/v2/clustertemplates/ct-secretive", "admin", masked)
    config = world.json("GET", "/v2/clustertemplates/ct-secretive", "admin")["defaults"]["config"]
    if config != {"database_password": secret, "workers": 5}:
        raise Failure(f"a masked entry that came back is {config}")
    masked["name"] = "ct-secretive-too"
    status, _, text = world.ask("PUT", "/v2/clustertemplates/ct-secretive-too", "admin", masked)
    if status != 400 or "defaults.config.database_password" not in text:
        raise Failure(f"a mask of nothing was answered {status} {text}")
    world.ask("DELETE", "/v2/clustertemplates/ct-secretive", "admin")


def auditors_make_no_keys_that_write(world):
    """The role is asked at each call: a key of a former administrator changes nothing either."""
    world.json("PUT", "/v2/tenants/demo/users/ct-auditor", SUPER, {"role": "admin"})
    reader = dict(world.people["auditor"])
    if world.ask("POST", "/v2/profile/apikeys", reader, {"name": "ct-more"})[0] != 403:
        raise Failure("a key that only reads made another one")
    world.ask("DELETE", "/v2/tenants/demo/users/ct-former", SUPER)
    made = world.json("POST", "/v2/tenants/demo/users", SUPER, {"name": "ct-former", "role": "admin"})
    former = {"Coopr-UserID": "ct-former", "Coopr-TenantID": "demo", "Coopr-ApiKey": made["apikey"]}
    if world.ask("PUT", "/v2/groups/ct-x", former, {})[0] != 200:
        raise Failure("an administrator could not make a group")
    world.json("PUT", "/v2/tenants/demo/users/ct-former", SUPER, {"role": "auditor"})
    world.json("PUT", "/v2/tenants/demo/users/ct-auditor", SUPER, {"role": "auditor"})
    time.sleep(1.5)
    for method, path, body, status in [("DELETE", "/v2/groups/ct-x", None, 403), ("GET", "/v2/groups", None, 200),
                                       ("POST", "/v2/profile/apikeys", {"name": "ct-all"}, 422),
                                       ("POST", "/v2/profile/apikeys", {"name": "ct-reads", "scope": "read"}, 200)]:
        got, _, text = world.ask(method, path, former, body)
        if got != status:
            raise Failure(f"{method} {path} as a former administrator answered {got} {text}")
    world.json("DELETE", "/v2/groups/ct-x", ADMIN)
    world.json("DELETE", "/v2/tenants/demo/users/ct-former", SUPER)


def a_limited_key_makes_nothing_that_is_not_limited(world):
    """A key that may change people, or one that ends, makes no administrator, changes none, and gives new users a key like itself."""
    soon = int(time.time() * 1000) + 600_000
    narrow = {"name": "ct-people", "scope": "some", "rights": ["people:write"], "expireTime": soon}
    lifted = try_to_lift(world, narrow)
    if world.ask("GET", "/v2/clusters", lifted)[0] != 403:
        raise Failure("a limited key made one without limits")
    lifted = try_to_lift(world, {"name": "ct-ends", "scope": "all", "expireTime": soon})
    keys = world.json("GET", "/v2/profile/apikeys", lifted)
    if [one["expireTime"] for one in keys] != [soon]:
        raise Failure(f"keys of a user whom a key made that ends: {keys}")
    world.json("DELETE", "/v2/tenants/demo/users/ct-lifted", SUPER)


def try_to_lift(world, key):
    """What a limited key must not do is refused; the user that it may make."""
    made = world.json("POST", "/v2/profile/apikeys", SUPER, key)
    limited = dict(world.people[SUPER]) | {"Coopr-ApiKey": made["apikey"]}
    calls = [("POST", "/v2/tenants/demo/users", {"name": "ct-lifted", "role": "admin"}), ("PUT", "/v2/tenants/demo/users/ct-auditor", {"role": "admin"}),
             ("POST", "/v2/tenants/superadmin/users", {"name": "ct-lifted", "role": "superadmin"}),
             ("POST", f"/v2/tenants/demo/users/{world.people['admin']['Coopr-UserID']}/password", {}),
             ("DELETE", f"/v2/tenants/demo/users/{world.people['admin']['Coopr-UserID']}", None),
             ("POST", "/v2/tenants/demo/users", {"name": "ct-lifted", "role": "operator", "password": "a long password of ours 1"}),
             ("POST", "/v2/tenants/demo/users/ct-auditor/password", {}), ("PUT", "/v2/tenants/demo/users/ct-auditor", {"role": "operator"}),
             ("DELETE", "/v2/tenants/demo/users/ct-auditor/factor", None), ("DELETE", "/v2/identityproviders/ct-none", None),
             ("PUT", "/v2/identityproviders/ct-lifted", {"kind": "ldap", "label": "x", "url": "ldaps://ldap.example.net", "base": "dc=example,dc=net",
                                                        "rules": [{"group": "*", "tenant": "superadmin", "role": "superadmin"}]})]
    for method, path, body in calls:
        status, _, text = world.ask(method, path, limited, body)
        if status != 403 or "limited to some rights" not in text:
            raise Failure(f"{method} {path} with a limited key answered {status} {text}")
    world.ask("DELETE", "/v2/tenants/demo/users/ct-lifted", SUPER)
    user = world.json("POST", "/v2/tenants/demo/users", limited, {"name": "ct-lifted", "role": "user"})
    person = {"Coopr-UserID": "ct-lifted", "Coopr-TenantID": "demo", "Coopr-ApiKey": user["apikey"]}
    world.json("DELETE", f"/v2/profile/apikeys/{made['id']}", SUPER)
    return person


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
        "every route by every role of every tenant",
        make_people,
        every_route_is_in_the_table,
        walk,
        walk_with_the_name_of_another_tenant,
        nobody_reaches_a_cluster_of_another_tenant,
        auditors_make_no_keys_that_write,
        auditors_read_no_secrets,
        a_limited_key_makes_nothing_that_is_not_limited,

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
