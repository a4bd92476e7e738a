"""api.md §5.1, entities.md §7: resolve, export, import."""

from .support import EMPTY, having

NAMES = ["clustertemplates", "imagetypes", "services", "providers", "partialtemplates", "hardwaretypes"]


def child(members):
    return {"name": "ct-child", "extends": {"name": "ct-parent"}, "includes": [{"name": "ct-fixed"}]} | members


def steps(_world):
    return [
        "resolve",
        ("PUT", "/v2/clustertemplates/ct-parent", "admin", {
            "name": "ct-parent", "links": [{"label": "theirs", "url": "u"}],
            "defaults": {"services": ["a"], "provider": "cloud", "config": {"app": {"x": 1}}},
            "constraints": {"size": {"min": "3", "max": "100"}},
            "administration": {"leaseduration": {"initial": "12h"}}}, 200, EMPTY),
        ("PUT", "/v2/partialtemplates/ct-fixed", "admin", {
            "name": "ct-fixed", "immutable": True,
            "defaults": {"services": ["watch"], "config": {"ssh": {"port": 22}}},
            "compatibility": {"services": ["watch"]}}, 200, EMPTY),
        ("POST", "/v2/resolve", "user", child({"defaults": {"services": ["b"], "config": {"app": {"y": 2}}}}), 200, having({
            "name": "ct-child", "version": 1, "links": [],
            "extends": {"name": "ct-parent"}, "includes": [{"name": "ct-fixed"}],
            "defaults": {"services": ["a", "watch", "b"], "provider": "cloud",
                         "config": {"app": {"y": 2}, "ssh": {"port": 22}}},
            "compatibility": {"hardwaretypes": [], "imagetypes": [], "services": ["watch"]},
            "constraints": {"size": {"min": 3, "max": 100}},
            "administration": {"leaseduration": {"initial": 43200000, "max": 0, "step": 0}}})),
        ("GET", "/v2/clustertemplates/ct-child", "user", None, 404, "cluster template ct-child  not found."),
        ("POST", "/v2/resolve", "user", child({"defaults": {"config": {"ssh": {}}}}), 400,
         "ssh can't be overridden due immutability."),
        ("PUT", "/v2/clustertemplates/ct-oldest", "admin", {
            "name": "ct-oldest", "defaults": {"services": ["first"], "config": {"old": 1, "app": {"x": 0}}}}, 200, EMPTY),
        ("PUT", "/v2/clustertemplates/ct-oldest", "admin", {"name": "ct-oldest", "extends": {"name": "ct-oldest"}}, 400,
         "ct-oldest extends ct-oldest: templates that extend each other in a circle come to nothing"),
        ("PUT", "/v2/clustertemplates/ct-middle", "admin", {
            "name": "ct-middle", "extends": {"name": "ct-oldest"}, "defaults": {"services": ["a"], "provider": "cloud",
                                                                              "config": {"app": {"x": 1}}}}, 200, EMPTY),
        ("POST", "/v2/resolve", "user", {"name": "ct-child", "extends": {"name": "ct-middle"}}, 200, having({
            "defaults": {"services": ["first", "a"], "provider": "cloud", "config": {"old": 1, "app": {"x": 1}}}})),
        ("PUT", "/v2/clustertemplates/ct-oldest", "admin", {"name": "ct-oldest", "extends": {"name": "ct-middle"}}, 400,
         "ct-oldest extends ct-middle and ct-middle extends ct-oldest: templates that extend each other in a circle come to nothing"),
        ("DELETE", "/v2/clustertemplates/ct-middle", "admin", None, 200, EMPTY),
        ("DELETE", "/v2/clustertemplates/ct-oldest", "admin", None, 200, EMPTY),
        ("POST", "/v2/resolve", "user", child({"extends": {"name": "nope"}}), 404, "nope parent template not found."),
        ("POST", "/v2/resolve", "user", child({"includes": [{"name": "nope"}]}), 404, "nope partial template not found."),
        ("POST", "/v2/resolve", "user", {"name": "x"}, 400, "default services must be specified"),
        ("POST", "/v2/resolve", "user", {"name": "x", "defaults": {"services": ["a"]}}, 400,
         "default provider must be specified"),
        ("POST", "/v2/resolve", "user", child({"defaults": {"dnsSuffix": "-bad-"}}), 400, "-bad- is an invalid DNS suffix."),
        ("POST", "/v2/resolve", "user", "", 400, "Cluster template can't be read."),
        ("POST", "/v2/resolve", "user", "{", 400, "invalid input"),
        ("POST", "/v2/resolve", "user", "[]", 400, "invalid input"),
        ("DELETE", "/v2/clustertemplates/ct-parent", "admin", None, 200, EMPTY),
        ("DELETE", "/v2/partialtemplates/ct-fixed", "admin", None, 200, EMPTY),

        "export and import",
        ("GET", "/v2/export", "user", None, 200, having({name: [] for name in NAMES})),
        ("POST", "/v2/import", "user", {}, 403, "user unauthorized, must be admin."),
        ("POST", "/v2/import", "super", "{", 400, "invalid input"),
        ("POST", "/v2/import", "super", "", 400, "invalid input"),
        ("POST", "/v2/import", "super", "null", 400, "invalid input"),
        ("POST", "/v2/import", "super", "[1]", 400, "invalid input"),
        ("POST", "/v2/import", "super", {"providers": {}}, 400, "Json syntax error"),
        ("POST", "/v2/import", "super", {"providers": "x"}, 400, "Json syntax error"),
        ("POST", "/v2/import", "super", {"providers": [{"name": "p"}]}, 400, "invalid input: invalid provider type."),
        keep_catalogue,
        ("POST", "/v2/import", "super", {
            "providers": [{"name": "p", "providertype": "a"}, {"name": "p", "providertype": "b"}],
            "hardwaretypes": [{"name": "h"}]}, 200, EMPTY),
        ("GET", "/v2/export", "super", None, 200, {name: [] for name in NAMES} | {
            "providers": [{"name": "p", "version": 2, "providertype": "b", "provisioner": {}}],
            "hardwaretypes": [{"name": "h", "version": 1}]}),
        ("GET", "/v2/providers/p/1", "super", None, 200, having({"providertype": "a"})),
        ("POST", "/v2/import", "super", "[]", 200, EMPTY),
        ("GET", "/v2/export", "super", None, 200, {name: [] for name in NAMES}),
        bring_catalogue_back,
        ("GET", "/v2/clustertemplates/web", "super", None, 200, having({"version": 1})),
    ]


def keep_catalogue(world):
    world.catalogue = world.json("GET", "/v2/export", "super")


def bring_catalogue_back(world):
    world.json("POST", "/v2/import", "super", world.catalogue)
    for collection in world.catalogue.values():
        for entry in collection:
            entry["version"] = 1
    now = world.json("GET", "/v2/export", "super")
    if now != world.catalogue:
        raise ValueError("what was exported and imported is not the same")
