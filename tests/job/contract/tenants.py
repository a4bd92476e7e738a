"""api.md §6: tenants, provisioners. Also leaves a tenant "contract" with people for the parts that follow."""


from .support import ANY, EMPTY, Failure, having, keeping, matching

MOST = 2147483647

# Machines that are only records: what the parts about clusters and nodes work on.
SIMULATED = [
    ("providers", {"name": "ct-sim", "providertype": "simulated"}),
    ("hardwaretypes", {"name": "ct-sim", "providermap": {"ct-sim": {"flavor": "any"}}}),
    ("imagetypes", {"name": "ct-sim", "providermap": {"ct-sim": {"image": "none"}}}),
    ("services", {"name": "ct-one", "provisioner": {"actions": {"start": {"type": "simulated"}}}}),
    ("services", {"name": "ct-two", "provisioner": {"actions": {"start": {"type": "simulated"}}}}),
    ("services", {"name": "ct-slow", "provisioner": {"actions": {
        "start": {"type": "simulated", "fields": {"duration_ms": "60000"}}}}}),
    ("clustertemplates", {"name": "ct-sim", "defaults": {"services": ["ct-one"], "provider": "ct-sim", "config": {"a": 1}},
                          "constraints": {"size": {"min": 1, "max": 5}},
                          "links": [{"label": "docs", "url": "http://docs/%cluster.owner%"}]}),
]


def spec(members, **more):
    return {"tenant": {"name": "contract"} | members} | more


def make_people(world):
    for name, user, role in [("other-admin", "admin", "admin"), ("other", "bob", "user"), ("other-two", "eve", "user")]:
        made = world.json("POST", "/v2/tenants/contract/users", "super", {"name": user, "role": role})
        world.add_person(name, "contract", user, made["apikey"])


def put_simulated(role):
    def put(world):
        for collection, entry in SIMULATED:
            world.json("PUT", f"/v2/{collection}/{entry['name']}", role, entry)
    return put


def make_cluster_of_two(world):
    made = world.json("POST", "/v2/clusters", "other", {"name": "c", "clusterTemplate": "ct-sim", "numMachines": 2})
    world.kept["others_cluster"] = made["id"]
    world.wait_for_cluster(made["id"], "active", "other")


def same_catalogue_as_superadmin(world):
    ours, theirs = (world.json("GET", "/v2/export", role) for role in ("other-admin", "super"))
    for kind in ("providers", "hardwaretypes", "imagetypes", "services", "clustertemplates"):
        for entry in theirs[kind]:
            entry["version"] = 1
        if ours[kind] != theirs[kind]:
            raise Failure(f"the {kind} of a bootstrapped tenant are others than the superadmin's")
    if ours["partialtemplates"]:
        raise Failure("partial templates were copied")


def steps(world):
    rows = ["who may"]
    for method, path in [("GET", "/v2/tenants"), ("POST", "/v2/tenants"), ("GET", "/v2/tenants/demo"),
                         ("PUT", "/v2/tenants/demo"), ("DELETE", "/v2/tenants/demo"), ("GET", "/v2/provisioners"),
                         ("GET", "/v2/provisioners/x"), ("GET", "/v2/tenants/demo/users"),
                         ("POST", "/v2/tenants/demo/users"), ("DELETE", "/v2/tenants/demo/users/demo")]:
        rows += [(method, path, role, "{", 403, EMPTY) for role in ("user", "admin")]
    return rows + [
        "from scratch",
        ("PUT", "/v2/tenants/contract", "super", spec({}), 200, EMPTY),
        ("DELETE", "/v2/tenants/contract", "super", None, 200, EMPTY),
        ("DELETE", "/v2/tenants/contract", "super", None, 200, EMPTY),
        ("GET", "/v2/tenants/contract", "super", None, 404, "tenant contract not found"),
        ("PUT", "/v2/partialtemplates/ct-not-copied", "super", {"name": "ct-not-copied", "immutable": False}, 200, EMPTY),

        "create",
        ("POST", "/v2/tenants", "super", "", 400, "invalid input"),
        ("POST", "/v2/tenants", "super", "null", 400, "invalid input"),
        ("POST", "/v2/tenants", "super", "{", 400, "invalid input"),
        ("POST", "/v2/tenants", "super", {"name": "contract"}, 400, "invalid input: Tenant specification must be given."),
        ("POST", "/v2/tenants", "super", {"tenant": {}}, 400,
         "invalid input: invalid name. Name must be specified and consist of only [a-zA-Z0-9_.-]."),
        ("POST", "/v2/tenants", "super", {"tenant": {"name": "a b"}}, 400,
         "invalid input: invalid name. Name must be specified and consist of only [a-zA-Z0-9_.-]."),
        ("POST", "/v2/tenants", "super", spec({"workers": -1}), 400, "invalid input: workers cannot be negative."),
        ("POST", "/v2/tenants", "super", spec({"workers": "x"}), 400, "invalid input"),
        ("POST", "/v2/tenants", "super", spec({"workers": 1000000000}), 409, "Not enough capacity to add tenant."),
        ("POST", "/v2/tenants", "super", spec({"workers": "5", "maxClusters": 20}, bootstrap="true"), 200, EMPTY),
        ("POST", "/v2/tenants", "super", spec({}), 409, "Tenant contract already exists."),
        ("GET", "/v2/tenants/contract", "super", None, 200,
         {"workers": 5, "maxClusters": 20, "maxNodes": MOST, "name": "contract"}),
        ("GET", "/v2/tenants", "super", None, 200, having([
            {"description": "super admin tenant", "workers": 0, "maxClusters": MOST, "maxNodes": MOST, "name": "superadmin"},
            {"workers": 5, "name": "contract"}])),
        ("DELETE", "/v2/partialtemplates/ct-not-copied", "super", None, 200, EMPTY),

        "people of a tenant (ours)",
        ("POST", "/v2/tenants/nope/users", "super", {"name": "x"}, 404, "tenant nope not found"),
        ("POST", "/v2/tenants/contract/users", "super", {"name": "a b", "role": "king", "password": "short"}, 422, {"problems": [
            {"field": "name", "message": "invalid name. Name must be specified and consist of only [a-zA-Z0-9_.-]."},
            {"field": "role", "message": "must be superadmin, admin, operator, user or auditor"},
            {"field": "password", "message": "must have at least eight characters"}]}),
        ("POST", "/v2/tenants/contract/users", "super", {"name": "x", "role": "superadmin"}, 422, {"problems": [
            {"field": "role", "message": "superadmins belong to the tenant superadmin"}]}),
        make_people,
        ("POST", "/v2/tenants/contract/users", "super", {"name": "bob"}, 409, "User bob already exists."),
        ("GET", "/v2/tenants/contract/users", "super", None, 200, [
            {"name": "admin", "role": "admin"}, {"name": "bob", "role": "user"}, {"name": "eve", "role": "user"}]),
        ("GET", "/v2/tenants/nope/users", "super", None, 404, "tenant nope not found"),
        ("DELETE", "/v2/tenants/superadmin/users/admin", "super", None, 409, "Nobody can delete themselves."),
        ("DELETE", "/v2/tenants/contract/users/nobody", "super", None, 200, EMPTY),
        same_catalogue_as_superadmin,

        "change",
        put_simulated("other-admin"),
        make_cluster_of_two,
        ("PUT", "/v2/tenants/other", "super", spec({}), 400, "tenant name in body does not match name in path."),
        ("PUT", "/v2/tenants/contract", "super", "{", 400, "invalid input"),
        ("PUT", "/v2/tenants/contract", "super", {}, 400, "invalid input: Tenant specification must be given."),
        ("PUT", "/v2/tenants/contract", "super", spec({"workers": 1000000000}), 409, "Not enough capacity to update tenant."),
        ("PUT", "/v2/tenants/contract", "super", spec({"maxClusters": 0}), 409,
         "Writing tenant would cause cluster or node quotas to be violated."),
        ("PUT", "/v2/tenants/contract", "super", spec({"maxNodes": 1}), 409,
         "Writing tenant would cause cluster or node quotas to be violated."),
        ("PUT", "/v2/tenants/contract", "super", spec({"maxClusters": 1, "maxNodes": 2, "description": "for tests", "workers": 7}),
         200, EMPTY),
        ("GET", "/v2/tenants/contract", "super", None, 200,
         {"description": "for tests", "workers": 7, "maxClusters": 1, "maxNodes": 2, "name": "contract"}),
        ("POST", "/v2/clusters", "other", {"name": "c2", "clusterTemplate": "ct-sim", "numMachines": 1}, 409,
         "Creating the cluster would cause cluster or node quotas to be violated."),
        ("PUT", "/v2/tenants/contract", "super", spec({"workers": 7}), 200, EMPTY),

        "provisioners",
        ("GET", "/v2/provisioners", "super", None, 200, keeping("provisioner", 0, "id", expected=having([
            {"port": 0, "assignments": {"contract": 7}, "usage": {}}]))),
        # Clients put the id into the path as it is.
        ("GET", "/v2/provisioners/$provisioner", "super", None, 200,
         matching(r'\{"id":"[A-Za-z0-9_.-]+","host":"[^":]+","port":0,"capacityTotal":\d+,"assignments":\{.*\},"usage":\{.*\},"capacityFree":\d+\}')),
        ("GET", "/v2/provisioners/nope", "super", None, 404, "Provisioner nope not found."),

        "delete",
        ("DELETE", "/v2/tenants/superadmin", "super", None, 403, "Superadmin cannot be deleted."),
        ("DELETE", "/v2/tenants/contract", "super", None, 409,
         "Tenant contract still has 7 workers. Cannot delete it until workers are set to 0."),
        ("PUT", "/v2/tenants/gone", "super", {"tenant": {"name": "gone"}, "bootstrap": True}, 200, EMPTY),
        make_somebody_of_gone,
        ("GET", "/v2/export", "gone", None, 200, having({"services": []})),
        ("GET", "/v2/services/ct-one", "gone", None, 404, ANY),
        put_simulated("gone"),
        ("POST", "/v2/clusters", "gone", {"name": "c", "clusterTemplate": "ct-sim", "numMachines": 1, "services": ["ct-slow"]}, 200, ANY),
        ("DELETE", "/v2/tenants/gone", "super", None, 200, EMPTY),
        ("GET", "/v2/tenants/gone", "super", None, 404, "tenant gone not found"),
        ("GET", "/v2/clusters", "gone", None, 404, "Tenant does not exist."),
        ("POST", "/v2/tenants", "super", {"tenant": {"name": "gone"}}, 200, EMPTY),
        ("GET", "/v2/clusters", "gone", None, 401, "Coopr-ApiKey is not valid for this user."),
        ("GET", "/v2/tenants/gone/users", "super", None, 200, []),
        ("DELETE", "/v2/tenants/gone", "super", None, 200, EMPTY),
    ]


def make_somebody_of_gone(world):
    made = world.json("POST", "/v2/tenants/gone/users", "super", {"name": "admin", "role": "admin"})
    world.add_person("gone", "gone", "admin", made["apikey"])
