"""Groups, and who may use which entry of the catalogue: ours. In the tenant that tenants.py makes: other (bob), other-two (eve)."""


from .support import ANY, EMPTY, Failure, having, lacking

G, P = "/v2/groups", "/v2/permissions"
HARDWARE = "ct-perm-hardware"
NOT_FOR_YOU = "You may not use hardware type " + HARDWARE + ": an administrator permits it to others only."
NEW = {"name": "ct-perm", "clusterTemplate": "ct-sim", "numMachines": 1, "hardwaretype": HARDWARE}


def forget(world):
    for row in world.json("GET", P, "other-admin"):
        world.ask("DELETE", f"{P}/{row['kind']}/{row['name']}", "other-admin")
    for group in world.json("GET", G, "other-admin"):
        world.ask("DELETE", f"{G}/{group['name']}", "other-admin")
    world.ask("DELETE", f"/v2/hardwaretypes/{HARDWARE}", "other-admin")


def steps(_world):
    return [
        "groups (ours)",
        forget,
        ("GET", G, "other-admin", None, 200, []),
        ("PUT", G + "/ct-web", "other-admin", {"description": "Web people", "members": ["eve", "bob", "eve"]}, 200, EMPTY),
        ("GET", G + "/ct-web", "other-admin", None, 200, {"name": "ct-web", "description": "Web people", "members": ["bob", "eve"]}),
        ("PUT", G + "/ct-web", "other-admin", {"members": ["eve"]}, 200, EMPTY),
        ("GET", G, "other-admin", None, 200, [{"name": "ct-web", "description": "", "members": ["eve"]}]),
        ("PUT", G + "/-x", "other-admin", {"members": ["ghost", "bob"]}, 422, having({"problems": [
            {"field": "members", "message": "There is no user ghost."}, {"field": "name"}]})),
        ("PUT", G + "/ct-web", "other-admin", "{", 422, ANY),
        ("GET", G + "/ct-web", "admin", None, 404, "group ct-web not found"),
        ("DELETE", G + "/ct-web", "admin", None, 404, "group ct-web not found"),
        ("GET", "/v2/profile/rights", "other-two", None, 200, {"role": "user", "rights": ["own-account", "use-clusters"], "groups": ["ct-web"]}),

        "permissions of use (ours)",
        ("PUT", f"/v2/hardwaretypes/{HARDWARE}", "other-admin", {"name": HARDWARE, "providermap": {"ct-sim": {"flavor": "x"}}}, 200, EMPTY),
        ("GET", f"{P}/hardwaretypes/{HARDWARE}", "other-admin", None, 200,
         {"kind": "hardwaretypes", "name": HARDWARE, "everybody": True, "roles": [], "groups": [], "users": []}),
        ("GET", f"/v2/hardwaretypes/{HARDWARE}", "other", None, 200, ANY),
        ("PUT", f"{P}/hardwaretypes/{HARDWARE}", "other-admin", {"roles": ["operator"], "groups": ["ct-web"]}, 200, EMPTY),
        ("GET", P, "other-admin", None, 200,
         [{"kind": "hardwaretypes", "name": HARDWARE, "everybody": False, "roles": ["operator"], "groups": ["ct-web"], "users": []}]),
        ("GET", P, "admin", None, 200, lacking(HARDWARE)),
        ("PUT", f"{P}/hardwaretypes/{HARDWARE}", "other-admin", {"roles": ["king"]}, 422, {"problems": [
            {"field": "roles", "message": "king is no role"}]}),
        ("PUT", f"{P}/hardwaretypes/{HARDWARE}", "other-admin", {"groups": ["nope"], "users": ["ghost"]}, 422, {"problems": [
            {"field": "groups", "message": "There is no group nope."}, {"field": "users", "message": "There is no user ghost."}]}),
        ("PUT", f"{P}/partialtemplates/x", "other-admin", {}, 404, "There are no permissions of partialtemplates."),
        ("GET", f"{P}/nope/x", "other-admin", None, 404, "There are no permissions of nope."),

        "what is permitted to others is not there",
        ("GET", f"/v2/hardwaretypes/{HARDWARE}", "other", None, 404, f"hardware type {HARDWARE}  not found."),
        ("GET", f"/v2/hardwaretypes/{HARDWARE}/1", "other", None, 404, f"hardware type {HARDWARE}  not found."),
        ("GET", "/v2/hardwaretypes", "other", None, 200, lacking(HARDWARE)),
        ("GET", "/v2/export", "other", None, 200, lacking(HARDWARE)),
        ("GET", f"/v2/hardwaretypes/{HARDWARE}", "other-two", None, 200, lacking("ct-web")),
        ("GET", f"/v2/hardwaretypes/{HARDWARE}", "other-admin", None, 200, ANY),
        ("GET", "/v2/export", "other-admin", None, 200, lacking("ct-web")),

        "and is refused by field",
        ("POST", "/v2/clusters", "other", NEW, 403, NOT_FOR_YOU),
        ("POST", "/v2/clusters/preview", "other", NEW, 422, having({"problems": [{"field": "hardwaretype", "message": NOT_FOR_YOU}]})),
        ("PUT", f"{P}/clustertemplates/ct-sim", "other-admin", {}, 200, EMPTY),
        ("GET", "/v2/clustertemplates/ct-sim", "other", None, 404, "cluster template ct-sim  not found."),
        ("POST", "/v2/resolve", "other", {"name": "mine", "extends": {"name": "ct-sim"}}, 403,
         "You may not use cluster template ct-sim: an administrator permits it to others only."),
        ("POST", "/v2/clusters/preview", "other", NEW, 422, having({"problems": [
            {"field": "clusterTemplate"}, {"field": "hardwaretype"}]})),

        "until it is for everybody again",
        ("DELETE", f"{P}/clustertemplates/ct-sim", "other-admin", None, 200, EMPTY),
        ("DELETE", f"{P}/hardwaretypes/{HARDWARE}", "other-admin", None, 200, EMPTY),
        ("DELETE", f"{P}/hardwaretypes/{HARDWARE}", "other-admin", None, 200, EMPTY),
        ("GET", f"/v2/hardwaretypes/{HARDWARE}", "other", None, 200, ANY),
        ("GET", P, "other-admin", None, 200, []),
        forget,

        "types of providers of a tenant (ours)",
        restrict_provider_types,
    ]


def restrict_provider_types(world):
    tenant = world.json("GET", "/v2/tenants/contract", "super")
    world.json("PUT", "/v2/tenants/contract", "super", {"tenant": tenant | {"providerTypes": ["local"]}})
    try:
        if world.json("GET", "/v2/tenants/contract", "super").get("providerTypes") != ["local"]:
            raise Failure("the types of providers of a tenant are not shown")
        world.json("PUT", "/v2/tenants/contract", "super", {"tenant": tenant})
        if world.json("GET", "/v2/tenants/contract", "super").get("providerTypes") != ["local"]:
            raise Failure("clients that do not know types of providers take them away")
        status, _, text = world.ask("POST", "/v2/clusters/preview", "other-admin",
                                    {"name": "ct-perm", "clusterTemplate": "ct-sim", "numMachines": 1, "provider": "ct-sim"})
        world.rows += 1
        if status != 422 or "may not use providers of type simulated" not in text:
            raise Failure(f"a type that is not allowed answered {status} {text}")
    finally:
        world.json("PUT", "/v2/tenants/contract", "super", {"tenant": tenant | {"providerTypes": None}})
    if "providerTypes" in world.json("GET", "/v2/tenants/contract", "super"):
        raise Failure("null does not take the restriction away")
