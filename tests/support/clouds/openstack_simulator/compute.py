"""Nova: servers, flavors, key pairs, server groups. Which members a request may have is said by Nova's own schemas (judge.py)."""

import base64
import re
import time

from fault_server import Answer

from .cloud import iso, new_id


def fault(status, message, kind=None):
    kinds = {400: "badRequest", 403: "forbidden", 404: "itemNotFound", 409: "conflictingRequest"}
    return Answer(status, {kind or kinds[status]: {"code": status, "message": message}})


def version_of(cloud, request):
    """The microversion of a request, "2.1" without one."""
    asked = re.fullmatch(r"compute (\d+)\.(\d+)", request.headers.get("openstack-api-version", "compute 2.1"))
    if request.headers.get("openstack-api-version") == "compute latest":
        return cloud.settings["max_microversion"]
    if not asked:
        raise fault(400, "API Version String '%s' is of invalid format." % request.headers["openstack-api-version"])
    most = cloud.settings["max_microversion"]
    if int(asked[2]) > int(most.split(".")[1]):
        raise fault(406, f"Version {asked[1]}.{asked[2]} is not supported by the API. Minimum is 2.1 and maximum is {most}.", "computeFault")
    return f"{asked[1]}.{asked[2]}"


def at_least(version, minor):
    return int(version.split(".")[1]) >= minor


def judged(cloud, module, prefix, value, version, is_body=True):
    if against := cloud.judge.of_compute(module, prefix, value, version, is_body):
        answer = fault(400, against)
        answer.judged = against
        raise answer


def versions(cloud, _request):
    return Answer(200, {"versions": [version_document(cloud)]})


def show_version(cloud, _request):
    return Answer(200, {"version": version_document(cloud)})


def version_document(cloud):
    return {"id": "v2.1", "status": "CURRENT", "version": cloud.settings["max_microversion"], "min_version": "2.1", "updated": "2013-07-23T11:33:21Z",
            "links": [{"rel": "self", "href": cloud.base + "/compute/v2.1/"}], "media-types": []}


def check_networks(cloud, networks):
    if networks == "auto":
        usable = [network for network, each in cloud.networks.items() if not each["router:external"]]
        if len(usable) != 1:
            raise fault(409, "Multiple possible networks found, use a Network ID to be more specific.")
        return [{"uuid": usable[0]}]
    if networks in (None, "none"):
        return []
    for network in networks:
        if "uuid" in network and network["uuid"] not in cloud.networks:
            raise fault(400, f"Network {network['uuid']} could not be found.")
        if "port" in network and network["port"] not in cloud.ports:
            raise fault(400, f"Port id {network['port']} could not be found.")
        if "port" in network and cloud.ports[network["port"]]["device_id"]:
            raise fault(409, f"Port {network['port']} is still in use.")
    return networks


def check_image(cloud, wanted):
    """The size of the volume that is booted from, if one is, and whether it goes with the server."""
    mapping = wanted.get("block_device_mapping_v2") or []
    image = wanted.get("imageRef") or next((each.get("uuid") for each in mapping if each.get("source_type") == "image"), None)
    if image not in cloud.images:
        raise fault(400, "Can not find requested image")
    volumes = [each for each in mapping if each.get("destination_type") == "volume"]
    return (int(volumes[0]["volume_size"]), bool(volumes[0].get("delete_on_termination"))) if volumes else (None, False)


def check_names(cloud, wanted, hints):
    if str(wanted["flavorRef"]) not in cloud.flavors:
        raise fault(400, f"Flavor {wanted['flavorRef']} could not be found.")
    if wanted.get("key_name") and wanted["key_name"] not in cloud.keys:
        raise fault(400, "Invalid key_name provided.")
    if wanted.get("availability_zone") not in (None, "nova", "zone-b"):
        raise fault(400, "The requested availability zone is not available")
    if hints.get("group") and hints["group"] not in cloud.server_groups:
        raise fault(400, f"ServerGroup {hints['group']} could not be found.")
    groups = []
    for name in [each["name"] for each in wanted.get("security_groups", [{"name": "default"}])]:
        found = [group for group, each in cloud.groups.items() if name in (group, each["name"])]
        if len(found) != 1:
            raise fault(400, f"Security group {name} not found." if not found else f"Multiple security groups found matching '{name}'. Use an ID to be more specific.")
        groups += found
    return groups


def check_quota(cloud, networks):
    most, used = cloud.settings["quota_instances"], len(cloud.servers)
    if used >= most:
        raise fault(403, f"Quota exceeded for instances: Requested 1, but already used {used} of {most} instances")
    if len(cloud.ports) + sum("uuid" in each for each in networks) > cloud.settings["quota_ports"]:
        raise fault(403, "Maximum number of ports exceeded")


def create(cloud, request):
    version, body = version_of(cloud, request), request.json()
    judged(cloud, "servers", "create", body, version)
    wanted, hints = body["server"], body.get("os:scheduler_hints") or body.get("OS-SCH-HNT:scheduler_hints") or {}
    if wanted.get("user_data"):
        try:
            base64.b64decode(wanted["user_data"], validate=True)
        except ValueError:
            # Nova takes it; a stand-in that did would hide a mistake of ours.
            raise Answer(400, {"badRequest": {"code": 400, "message": "user_data is no base64"}}, judged="user_data is no base64") from None
    groups = check_names(cloud, wanted, hints)
    networks = check_networks(cloud, wanted.get("networks", "auto"))
    size, deletes = check_image(cloud, wanted)
    check_quota(cloud, networks)
    server = {"id": new_id(), "name": wanted["name"], "status": "BUILD", "born": time.monotonic(), "created": iso(time.time()), "deleting": None,
              "metadata": wanted.get("metadata", {}), "tags": wanted.get("tags", []), "flavor_id": str(wanted["flavorRef"]), "image": wanted.get("imageRef") or "",
              "key_name": wanted.get("key_name"), "networks": networks, "group_ids": groups, "hint_group": hints.get("group"), "has_ports": False,
              "user_data": wanted.get("user_data"), "zone": wanted.get("availability_zone", "nova"), "volume_size": size, "deletes_volume": deletes,
              "config_drive": str(wanted.get("config_drive") or "")}
    cloud.servers[server["id"]] = server
    if server["hint_group"]:
        cloud.server_groups[server["hint_group"]]["members"].append(server["id"])
    links = [{"rel": "self", "href": f"{cloud.base}/compute/v2.1/servers/{server['id']}"}]
    return Answer(202, {"server": {"id": server["id"], "links": links, "OS-DCF:diskConfig": "MANUAL", "adminPass": "Zb8sPk3nQx2a",
                                   "security_groups": [{"name": cloud.groups[group]["name"]} for group in groups]}})


def addresses_of(cloud, server):
    shown = {}
    for port in [port for port in cloud.ports.values() if port["device_id"] == server["id"]]:
        of_network = shown.setdefault(cloud.networks[port["network_id"]]["name"], [])
        for fixed in port["fixed_ips"]:
            of_network.append({"version": 4, "addr": fixed["ip_address"], "OS-EXT-IPS:type": "fixed", "OS-EXT-IPS-MAC:mac_addr": port["mac_address"]})
        for address in cloud.addresses.values():
            if address["port_id"] == port["id"] and time.monotonic() >= address["shown_at"]:
                of_network.append({"version": 4, "addr": address["floating_ip_address"], "OS-EXT-IPS:type": "floating",
                                   "OS-EXT-IPS-MAC:mac_addr": port["mac_address"]})
    return shown


def shown(cloud, server, version):
    flavor = cloud.flavors[server["flavor_id"]]
    volumes = [volume for volume in cloud.volumes.values() if volume["attachments"] and volume["attachments"][0]["server_id"] == server["id"]]
    document = {"id": server["id"], "name": server["name"], "status": server["status"], "tenant_id": cloud.project, "user_id": "u1", "created": server["created"],
                "updated": server["created"], "metadata": server["metadata"], "addresses": addresses_of(cloud, server), "key_name": server["key_name"],
                "image": {"id": server["image"]} if server["image"] else "", "accessIPv4": "", "accessIPv6": "", "hostId": "h1", "progress": 0,
                "config_drive": server["config_drive"], "OS-EXT-AZ:availability_zone": server["zone"], "OS-EXT-STS:vm_state": server["status"].lower(),
                "OS-EXT-STS:task_state": "deleting" if server["deleting"] else "spawning" if server["status"] == "BUILD" else None,
                "OS-EXT-STS:power_state": 1, "OS-DCF:diskConfig": "MANUAL", "links": [{"rel": "self", "href": f"{cloud.base}/compute/v2.1/servers/{server['id']}"}],
                "os-extended-volumes:volumes_attached": [{"id": volume["id"], **({"delete_on_termination": volume["delete_on_termination"]}
                                                                               if at_least(version, 3) else {})} for volume in volumes],
                "flavor": {"vcpus": flavor["vcpus"], "ram": flavor["ram"], "disk": flavor["disk"], "ephemeral": 0, "swap": 0, "original_name": flavor["name"],
                           "extra_specs": {}} if at_least(version, 47) else {"id": flavor["id"], "links": []}}
    if server["status"] != "ERROR":
        document["security_groups"] = [{"name": cloud.groups[group]["name"]} for group in server["group_ids"] if group in cloud.groups]
    if at_least(version, 26):
        document["tags"] = server["tags"]
    if "fault" in server:
        document["fault"] = server["fault"]
    return document


def matches(server, query):
    if "name" in query and not re.search(query["name"], server["name"]):
        return False
    if "tags" in query and not set(query["tags"].split(",")) <= set(server["tags"]):
        return False
    return "status" not in query or server["status"].lower() == query["status"].lower()


def without_fault(server):
    return {name: value for name, value in server.items() if name != "fault"}


def listing(cloud, request):
    version, query = version_of(cloud, request), dict(request.query)
    lists = {}
    for name, value in request.query:
        lists.setdefault(name, []).append(value)
    judged(cloud, "servers", "query_params", lists, version, False)
    # Before 2.26 the filter is not known, and not known filters are dropped.
    if not at_least(version, 26):
        query.pop("tags", None)
    found = [server for server in cloud.servers.values() if matches(server, query)]
    if "marker" in query:
        ids = [server["id"] for server in found]
        if query["marker"] not in ids:
            raise fault(400, f"marker [{query['marker']}] not found")
        found = found[ids.index(query["marker"]) + 1:]
    most = min(int(query.get("limit", cloud.settings["page"])), cloud.settings["page"])
    # As Nova's: the fault of a server that no host has taken is shown by the server alone.
    body = {"servers": [without_fault(shown(cloud, server, version)) if request.path.endswith("/detail") else {"id": server["id"], "name": server["name"], "links": []}
                        for server in found[:most]]}
    if len(found) > most:
        rest = "&".join(f"{name}={value}" for name, value in request.query if name != "marker")
        body["servers_links"] = [{"rel": "next", "href": f"{cloud.base}{request.path}?{rest}&marker={found[most - 1]['id']}"}]
    return Answer(200, body)


def existing(cloud, identity):
    if identity not in cloud.servers:
        raise fault(404, f"Instance {identity} could not be found.")
    return cloud.servers[identity]


def show(cloud, request, identity):
    return Answer(200, {"server": shown(cloud, existing(cloud, identity), version_of(cloud, request))})


def delete(cloud, _request, identity):
    server = existing(cloud, identity)
    server["deleting"] = server["deleting"] or time.monotonic() + cloud.settings["delete_seconds"]
    return Answer(204)


def interfaces(cloud, _request, identity):
    existing(cloud, identity)
    return Answer(200, {"interfaceAttachments": [{"port_id": port["id"], "net_id": port["network_id"], "fixed_ips": port["fixed_ips"], "port_state": port["status"],
                                                  "mac_addr": port["mac_address"]} for port in cloud.ports.values() if port["device_id"] == identity]})


ROUTES = (("compute.versions", "GET", r"/compute/?", versions, False), ("compute.version", "GET", r"/compute/v2\.1/?", show_version, False),
          ("compute.create_server", "POST", r"/compute/v2\.1/servers", create, True),
          ("compute.list_servers", "GET", r"/compute/v2\.1/servers(?:/detail)?", listing, True),
          ("compute.show_server", "GET", r"/compute/v2\.1/servers/([^/]+)", show, True),
          ("compute.delete_server", "DELETE", r"/compute/v2\.1/servers/([^/]+)", delete, True),
          ("compute.list_interfaces", "GET", r"/compute/v2\.1/servers/([^/]+)/os-interface", interfaces, True))
