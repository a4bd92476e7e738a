"""Nova: flavors, key pairs, server groups, zones and limits."""

from fault_server import Answer

from .cloud import new_id
from .compute import at_least, fault, judged, version_of


def flavors(cloud, request):
    return Answer(200, {"flavors": [{**flavor, "links": []} for flavor in cloud.flavors.values()] if request.path.endswith("/detail") else
                        [{"id": flavor["id"], "name": flavor["name"], "links": []} for flavor in cloud.flavors.values()]})


def flavor(cloud, _request, identity):
    if identity not in cloud.flavors:
        raise fault(404, f"Flavor {identity} could not be found.")
    return Answer(200, {"flavor": {**cloud.flavors[identity], "links": []}})


def keys(cloud, _request):
    return Answer(200, {"keypairs": [{"keypair": key} for key in cloud.keys.values()]})


def add_key(cloud, request):
    body = request.json()
    judged(cloud, "keypairs", "create", body, version_of(cloud, request))
    key = body["keypair"]
    if key["name"] in cloud.keys:
        raise fault(409, f"Key pair '{key['name']}' already exists.")
    cloud.keys[key["name"]] = {"type": "ssh", "fingerprint": "aa:bb", **key}
    return Answer(200, {"keypair": cloud.keys[key["name"]]})


def show_key(cloud, _request, name):
    if name not in cloud.keys:
        raise fault(404, f"Keypair {name} not found for user u1")
    return Answer(200, {"keypair": cloud.keys[name]})


def delete_key(cloud, _request, name):
    if cloud.keys.pop(name, None) is None:
        raise fault(404, f"Keypair {name} not found for user u1")
    return Answer(202)


def group_shown(group, version):
    shown = {name: value for name, value in group.items() if name != "policies"}
    if at_least(version, 64):
        return {**shown, "policy": group["policies"][0], "rules": {}}
    return {**shown, "policies": group["policies"], "metadata": {}}


def groups(cloud, request):
    return Answer(200, {"server_groups": [group_shown(group, version_of(cloud, request)) for group in cloud.server_groups.values()]})


def add_group(cloud, request):
    version, body = version_of(cloud, request), request.json()
    judged(cloud, "server_groups", "create", body, version)
    wanted = body["server_group"]
    group = {"id": new_id(), "name": wanted["name"], "policies": wanted.get("policies") or [wanted["policy"]], "members": [], "project_id": cloud.project,
             "user_id": "u1"}
    cloud.server_groups[group["id"]] = group
    return Answer(200, {"server_group": group_shown(group, version)})


def delete_group(cloud, _request, identity):
    if cloud.server_groups.pop(identity, None) is None:
        raise fault(404, f"Instance group {identity} could not be found.")
    return Answer(204)


def zones(_cloud, _request):
    return Answer(200, {"availabilityZoneInfo": [{"zoneName": name, "zoneState": {"available": True}, "hosts": None} for name in ("nova", "zone-b")]})


def limits(cloud, _request):
    return Answer(200, {"limits": {"rate": [], "absolute": {"maxTotalInstances": cloud.settings["quota_instances"], "totalInstancesUsed": len(cloud.servers)}}})


BASE = r"/compute/v2\.1"
ROUTES = (("compute.list_flavors", "GET", BASE + r"/flavors(?:/detail)?", flavors, True), ("compute.show_flavor", "GET", BASE + r"/flavors/([^/]+)", flavor, True),
          ("compute.list_keys", "GET", BASE + r"/os-keypairs", keys, True), ("compute.create_key", "POST", BASE + r"/os-keypairs", add_key, True),
          ("compute.show_key", "GET", BASE + r"/os-keypairs/([^/]+)", show_key, True),
          ("compute.delete_key", "DELETE", BASE + r"/os-keypairs/([^/]+)", delete_key, True),
          ("compute.list_server_groups", "GET", BASE + r"/os-server-groups", groups, True),
          ("compute.create_server_group", "POST", BASE + r"/os-server-groups", add_group, True),
          ("compute.delete_server_group", "DELETE", BASE + r"/os-server-groups/([^/]+)", delete_group, True),
          ("compute.list_zones", "GET", BASE + r"/os-availability-zone", zones, True), ("compute.limits", "GET", BASE + r"/limits", limits, True))
