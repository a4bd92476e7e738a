"""api.md §5, entities.md §1-§7: the six collections, and what each kind refuses and fills in."""

from .support import EMPTY, having, matching

COLLECTIONS = [
    # collection, type in messages, smallest body beside the name, what comes back beside name and version
    ("providers", "provider", {"providertype": "joyent"}, {"providertype": "joyent", "provisioner": {}}),
    ("hardwaretypes", "hardware type", {"providermap": {"p": {"flavor": "1"}}}, {"providermap": {"p": {"flavor": "1"}}}),
    ("imagetypes", "image type", {"providermap": {"p": {"image": "i", "sshuser": "u"}}},
     {"providermap": {"p": {"image": "i", "sshuser": "u"}}}),
    ("services", "service", {}, {}),
    ("clustertemplates", "cluster template", {}, {}),
    ("partialtemplates", "partial template", {"immutable": True}, {"immutable": True}),
]


def of_collection(collection, kind, body, shown):
    path = f"/v2/{collection}"
    one = f"{path}/ct.1"
    named = {"name": "ct.1"} | body
    return [
        f"{collection}: versions",
        ("DELETE", one, "admin", None, 200, EMPTY),
        ("GET", one, "user", None, 404, f"{kind} ct.1  not found."),
        ("POST", path, "user", named, 403, "user unauthorized, must be admin."),
        ("POST", path, "user", "{", 403, "user unauthorized, must be admin."),
        ("POST", path, "admin", named | {"version": 7, "unknown": [1]}, 200, EMPTY),
        ("GET", one, "user", None, 200, having({"name": "ct.1", "version": 1} | shown)),
        ("POST", path, "admin", named, 409, f"{kind} ct.1 already exists"),
        ("PUT", one, "user", named, 403, "user unauthorized, must be admin."),
        ("PUT", one, "admin", named | {"description": "a <b> & c", "label": "L", "icon": "i.png"}, 200, EMPTY),
        ("GET", one, "user", None, 200,
         having({"name": "ct.1", "label": "L", "description": "a <b> & c", "icon": "i.png", "version": 2} | shown)),
        ("GET", one, "user", None, 200, matching(r'\{"name":"ct\.1","label":"L","description":"[^"]*","icon":"i.png","version":2.*')),
        ("GET", one + "/1", "user", None, 200, having({"version": 1})),
        ("GET", one + "/3", "user", None, 404, f"{kind} ct.1  not found."),
        ("GET", one + "/x", "user", None, 400, "Version must be a number"),
        ("GET", one + "/0", "user", None, 400, "Version must be higher then zero"),
        ("GET", path, "user", None, 200, having([{"name": "ct.1", "version": 2}])),

        f"{collection}: what is refused",
        ("POST", path, "admin", "{", 400, "invalid input"),
        ("POST", path, "admin", "", 400, "invalid input"),
        ("POST", path, "admin", "null", 400, "invalid input"),
        ("POST", path, "admin", "[]", 400, "invalid input"),
        ("PUT", one, "admin", "null", 400, "invalid input"),
        ("PUT", f"{path}/other", "admin", named, 400, f"mismatch between {kind} name and name in path."),
        ("POST", path, "admin", body | {"name": "a b"}, 400,
         "invalid input: invalid name. Name must be specified and consist of only [a-zA-Z0-9_.-]."),
        ("POST", path, "admin", body | {"name": "n" * 256}, 400, "invalid input: name must not exceed 255 characters."),
        ("POST", path, "admin", body, 400,
         "invalid input: invalid name. Name must be specified and consist of only [a-zA-Z0-9_.-]."),

        f"{collection}: deletion",
        ("DELETE", one + "/1", "user", None, 403, "user unauthorized, must be admin."),
        ("DELETE", one + "/x", "admin", None, 400, "Version must be a number"),
        ("DELETE", one + "/0", "admin", None, 400, "Version must be higher then zero"),
        ("DELETE", one + "/2", "admin", None, 200, EMPTY),
        ("GET", one, "user", None, 200, having({"version": 1})),
        ("DELETE", one, "user", None, 403, "user unauthorized, must be admin."),
        ("DELETE", one, "admin", None, 200, EMPTY),
        ("DELETE", one, "admin", None, 200, EMPTY),
        ("PUT", one, "admin", named, 200, EMPTY),
        ("GET", one, "user", None, 200, having({"version": 1})),
        ("DELETE", one, "admin", None, 200, EMPTY),
    ]


LENIENT = "{name:ct-lenient; 'providertype' = joyent, // why not\n provisioner: {n: 5, n: 6}, version: '9'}"

FULL_TEMPLATE = {
    "name": "ct-t", "version": 1, "defaults": {"services": [], "config": {}},
    "compatibility": {"hardwaretypes": [], "imagetypes": [], "services": []},
    "constraints": {"layout": {"mustcoexist": [], "cantcoexist": []}, "services": {},
                    "size": {"min": 1, "max": 2147483647}},
    "administration": {"leaseduration": {"initial": 0, "max": 0, "step": 0}}, "links": [], "includes": []}


def lease(initial, longest):
    return {"name": "ct-t", "administration": {"leaseduration": {"initial": initial, "max": longest}}}


def service(members):
    return {"name": "ct-s"} | members


KINDS = [
    "leniency",
    ("PUT", "/v2/providers/ct-lenient", "admin", LENIENT, 200, EMPTY),
    ("GET", "/v2/providers/ct-lenient", "user", None, 200,
     having({"name": "ct-lenient", "version": 1, "provisioner": {"n": 6}})),
    ("PUT", "/v2/providers/5", "admin", '{"name":5,"providertype":"x"}', 200, EMPTY),
    ("GET", "/v2/providers/5", "user", None, 200, having({"name": "5"})),
    ("PUT", "/v2/providers/5", "admin", '{"name":5,"providertype":"x"} more', 400, "invalid input"),
    ("DELETE", "/v2/providers/5", "admin", None, 200, EMPTY),
    ("DELETE", "/v2/providers/ct-lenient", "admin", None, 200, EMPTY),

    "providers",
    ("POST", "/v2/providers", "admin", {"name": "ct-p"}, 400, "invalid input: invalid provider type."),
    ("POST", "/v2/providers", "admin", {"name": "ct-p", "providertype": ""}, 400, "invalid input: invalid provider type."),

    ("PUT", "/v2/providers/ct-p", "admin", {"name": "ct-p", "providertype": "x", "provisioner": {"a": None, "b": {"c": None}}}, 200, EMPTY),
    ("GET", "/v2/providers/ct-p", "user", None, 200, {"name": "ct-p", "version": 1, "providertype": "x", "provisioner": {"b": {}}}),
    ("DELETE", "/v2/providers/ct-p", "admin", None, 200, EMPTY),

    "hardware and image types without a map",
    ("PUT", "/v2/hardwaretypes/ct-h", "admin", {"name": "ct-h"}, 200, EMPTY),
    ("DELETE", "/v2/hardwaretypes/ct-h", "admin", None, 200, EMPTY),
    ("PUT", "/v2/hardwaretypes/ct-h", "admin", {"name": "ct-h", "providermap": []}, 400, "invalid input"),

    "services",
    ("PUT", "/v2/services/ct-s", "admin", service({"dependencies": None, "provisioner": {"actions": {
        "install": {"type": "shell", "fields": {"n": 5, "b": True}, "script": "lost"}}}}), 200, EMPTY),
    ("GET", "/v2/services/ct-s", "user", None, 200,
     having({"provisioner": {"actions": {"install": {"type": "shell", "fields": {"n": "5", "b": "true"}}}}})),
    ("PUT", "/v2/services/ct-s", "admin", service({"dependencies": {}}), 400, "invalid input"),
    ("PUT", "/v2/services/ct-s", "admin", service({"dependencies": {"provides": []}}), 400, "invalid input"),
    ("PUT", "/v2/services/ct-s", "admin", service({"provisioner": {}}), 400, "invalid input"),
    ("PUT", "/v2/services/ct-s", "admin", service({"provisioner": None}), 400, "invalid input"),
    ("PUT", "/v2/services/ct-s", "admin", service({"provisioner": {"actions": {"START": {"type": "shell"}}}}), 400, "invalid input"),
    ("PUT", "/v2/services/ct-s", "admin", service({"provisioner": {"actions": {"start": {}}}}), 400,
     "invalid input: Type must be specified."),
    ("PUT", "/v2/services/ct-s", "admin", service({"provisioner": {"actions": {
        "start": {"type": "shell", "fields": {"x": {}}}}}}), 400, "invalid input"),
    ("DELETE", "/v2/services/ct-s", "admin", None, 200, EMPTY),

    "cluster templates",
    ("PUT", "/v2/clustertemplates/ct-t", "admin", {"name": "ct-t"}, 200, EMPTY),
    ("GET", "/v2/clustertemplates/ct-t", "user", None, 200, FULL_TEMPLATE),
    ("PUT", "/v2/clustertemplates/ct-t", "admin", {"name": "ct-t", "defaults": {
        "services": ["a", {"name": "bob", "config": {"x": 1}}, "a"], "config": {"gone": None}}}, 200, EMPTY),
    ("GET", "/v2/clustertemplates/ct-t", "user", None, 200,
     having({"defaults": {"services": ["a", "bob"], "config": {"bob": {"x": 1}}}})),
    ("PUT", "/v2/clustertemplates/ct-t", "admin", lease("7d", "30d"), 200, EMPTY),
    ("GET", "/v2/clustertemplates/ct-t", "user", None, 200,
     having({"administration": {"leaseduration": {"initial": 604800000, "max": 2592000000, "step": 0}}})),
    ("PUT", "/v2/clustertemplates/ct-t", "admin", lease("5x", 0), 400, "invalid input"),
    ("PUT", "/v2/clustertemplates/ct-t", "admin", lease("12h", "45s"), 400,
     "Initial lease duration cannot be more than max lease duration for template ct-t"),
    ("PUT", "/v2/clustertemplates/ct-t", "admin", lease(0, "30m"), 400,
     "Initial lease duration cannot be more than max lease duration for template ct-t"),
    ("PUT", "/v2/clustertemplates/ct-t", "admin", {"name": "ct-t", "constraints": {"size": {"min": "0"}}}, 400,
     "invalid input: Minimum must be at least 1."),
    ("PUT", "/v2/clustertemplates/ct-t", "admin", {"name": "ct-t", "constraints": {"size": {"min": 3, "max": "2"}}}, 400,
     "invalid input: Maximum must greater than or equal to the minimum."),
    ("PUT", "/v2/clustertemplates/ct-t", "admin", {"name": "ct-t", "constraints": {"services": {"a": {}}}}, 400, "invalid input"),
    ("DELETE", "/v2/clustertemplates/ct-t", "admin", None, 200, EMPTY),

    "partial templates",
    ("POST", "/v2/partialtemplates", "admin", {"name": "ct-pt"}, 400, "invalid input"),
    ("PUT", "/v2/partialtemplates/ct-pt", "admin", {"name": "ct-pt", "immutable": "yes"}, 200, EMPTY),
    ("GET", "/v2/partialtemplates/ct-pt", "user", None, 200, matching(r'.*,"immutable":false\}')),
    ("DELETE", "/v2/partialtemplates/ct-pt", "admin", None, 200, EMPTY),
]


def steps(_world):
    rows = []
    for collection in COLLECTIONS:
        rows += of_collection(*collection)
    return rows + KINDS
