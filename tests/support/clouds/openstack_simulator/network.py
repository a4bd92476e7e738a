"""Neutron: networks, subnets, ports, floating addresses, security groups and their rules."""

import time

from fault_server import Answer

from .cloud import new_id


def wrong(status, kind, message):
    return Answer(status, {"NeutronError": {"type": kind, "message": message, "detail": ""}})


def judged(cloud, resource, request, is_new=True):
    body = request.json()
    if against := cloud.judge.of_network(resource, body, is_new):
        answer = wrong(400, "HTTPBadRequest", against)
        answer.judged = against
        raise answer
    return {name: value for name, value in body[resource].items() if "ATTR_NOT_SPECIFIED" not in repr(value) and "Sentinel" not in repr(value)}


def versions(cloud, _request):
    return Answer(200, {"versions": [{"id": "v2.0", "status": "CURRENT", "links": [{"rel": "self", "href": cloud.base + "/network/v2.0/"}]}]})


def show_version(_cloud, _request):
    return Answer(200, {"resources": []})


def text(value):
    return str(value).lower() if isinstance(value, bool) else "" if value is None else str(value)


def chosen(things, request, hidden=()):
    """What the query asks for: members by value; several of one name mean any of them."""
    wanted = {}
    for name, value in request.query:
        if name not in ("limit", "marker", "fields", "sort_key", "sort_dir"):
            wanted.setdefault(name, set()).add(value.lower() if value in ("True", "False") else value)
    return [{name: value for name, value in thing.items() if name not in hidden} for thing in things
            if all(text(thing.get(name)) in values for name, values in wanted.items())]


def lists(kind):
    def listing(cloud, request):
        return Answer(200, {kind: chosen(TABLES[kind](cloud).values(), request, ("shown_at", "nova"))})
    return listing


def shows(kind, one):
    def show(cloud, _request, identity):
        return Answer(200, {one: with_rules(cloud, kind, existing(cloud, kind, identity))})
    return show


def existing(cloud, kind, identity):
    if identity not in TABLES[kind](cloud):
        raise wrong(404, NAMES[kind] + "NotFound", f"{NAMES[kind]} {identity} could not be found.")
    return TABLES[kind](cloud)[identity]


def existing_group(cloud, identity):
    if identity not in cloud.groups:
        raise wrong(404, "SecurityGroupNotFound", f"Security group {identity} does not exist")


def with_rules(cloud, kind, thing):
    shown = {name: value for name, value in thing.items() if name not in ("shown_at", "nova")}
    if kind == "security_groups":
        shown["security_group_rules"] = [rule for rule in cloud.rules.values() if rule["security_group_id"] == thing["id"]]
    return shown


def list_groups(cloud, request):
    found = cloud.groups.values() if cloud.settings["ignores_filters"] else chosen(cloud.groups.values(), request)
    return Answer(200, {"security_groups": [with_rules(cloud, "security_groups", group) for group in found]})


def add_port(cloud, request):
    wanted = judged(cloud, "port", request)
    existing(cloud, "networks", wanted["network_id"])
    for group in wanted.get("security_groups") or []:
        existing_group(cloud, group)
    if len(cloud.ports) >= cloud.settings["quota_ports"]:
        raise wrong(409, "OverQuota", "Quota exceeded for resources: ['port'].")
    taken = {name: wanted[name] for name in ("name", "description", "device_id", "device_owner") if wanted.get(name)}
    port = cloud.add_port(wanted["network_id"], **taken, security_groups=wanted.get("security_groups") or [cloud.default_group])
    return Answer(201, {"port": port})


def delete_port(cloud, _request, identity):
    existing(cloud, "ports", identity)
    del cloud.ports[identity]
    for address in cloud.addresses.values():
        if address["port_id"] == identity:
            address.update(port_id=None, fixed_ip_address=None, status="DOWN")
    return Answer(204)


def bind(cloud, address, port):
    if port is None:
        address.update(port_id=None, fixed_ip_address=None, status="DOWN")
        return
    fixed = existing(cloud, "ports", port)["fixed_ips"][0]["ip_address"]
    if any(other["port_id"] == port and other is not address for other in cloud.addresses.values()):
        raise wrong(409, "FloatingIPPortAlreadyAssociated", f"Cannot associate floating IP {address['floating_ip_address']} with port {port} using fixed IP {fixed}, "
                    "as that fixed IP already has a floating IP on external network.")
    address.update(port_id=port, fixed_ip_address=fixed, status="ACTIVE", shown_at=time.monotonic() + cloud.settings["address_seconds"])


def add_address(cloud, request):
    wanted = judged(cloud, "floatingip", request)
    network = existing(cloud, "networks", wanted["floating_network_id"])
    if not network["router:external"]:
        raise wrong(400, "BadRequest", f"Bad floatingip request: Network {network['id']} is not a valid external network.")
    most = cloud.settings["quota_floatingips"]
    if len(cloud.addresses) >= most:
        raise wrong(409, "OverQuota", "Quota exceeded for resources: ['floatingip'].")
    _, free = cloud.free_address(network["id"])
    address = {"id": new_id(), "floating_ip_address": free, "floating_network_id": network["id"], "port_id": None, "fixed_ip_address": None, "router_id": None,
               "status": "DOWN", "description": wanted.get("description", ""), "tags": [], "project_id": cloud.project, "tenant_id": cloud.project, "shown_at": 0, "revision_number": 0}
    if wanted.get("port_id"):
        bind(cloud, address, wanted["port_id"])
    cloud.addresses[address["id"]] = address
    return Answer(201, {"floatingip": with_rules(cloud, "floatingips", address)})


def change_address(cloud, request, identity):
    address = existing(cloud, "floatingips", identity)
    expected = request.headers.get("if-match")
    if expected not in (None, f"revision_number={address['revision_number']}"):
        raise wrong(412, "RevisionNumberConstraintFailed", f"Constrained to {expected}, but current revision is {address['revision_number']}")
    wanted = judged(cloud, "floatingip", request, False)
    address["revision_number"] += 1
    if "port_id" in wanted:
        bind(cloud, address, wanted["port_id"])
    address["description"] = wanted.get("description", address["description"])
    return Answer(200, {"floatingip": with_rules(cloud, "floatingips", address)})


def delete_address(cloud, _request, identity):
    existing(cloud, "floatingips", identity)
    del cloud.addresses[identity]
    return Answer(204)


def add_group(cloud, request):
    wanted = judged(cloud, "security_group", request)
    group = cloud.add_group(wanted["name"], wanted.get("description", ""))
    return Answer(201, {"security_group": with_rules(cloud, "security_groups", cloud.groups[group])})


def delete_group(cloud, _request, identity):
    existing(cloud, "security_groups", identity)
    if any(identity in port["security_groups"] for port in cloud.ports.values()):
        raise wrong(409, "SecurityGroupInUse", f"Security Group {identity} in use.")
    cloud.rules = {key: rule for key, rule in cloud.rules.items() if rule["security_group_id"] != identity}
    del cloud.groups[identity]
    return Answer(204)


def add_rule(cloud, request):
    wanted = judged(cloud, "security_group_rule", request)
    existing_group(cloud, wanted["security_group_id"])
    rule = {name: wanted.get(name) for name in ("security_group_id", "direction", "ethertype", "protocol", "port_range_min", "port_range_max", "remote_ip_prefix",
                                                "remote_group_id", "description")}
    plain = {name: value for name, value in rule.items() if name != "description"}
    for other in cloud.rules.values():
        if all(other[name] == value for name, value in plain.items()):
            raise wrong(409, "SecurityGroupRuleExists", f"Security group rule already exists. Rule id is {other['id']}.")
    rule.update(id=new_id(), project_id=cloud.project, tenant_id=cloud.project)
    cloud.rules[rule["id"]] = rule
    return Answer(201, {"security_group_rule": rule})


def delete_rule(cloud, _request, identity):
    existing(cloud, "security_group_rules", identity)
    del cloud.rules[identity]
    return Answer(204)


TABLES = {"networks": lambda cloud: cloud.networks, "subnets": lambda cloud: cloud.subnets, "ports": lambda cloud: cloud.ports,
          "floatingips": lambda cloud: cloud.addresses, "security_groups": lambda cloud: cloud.groups, "security_group_rules": lambda cloud: cloud.rules}
NAMES = {"networks": "Network", "subnets": "Subnet", "ports": "Port", "floatingips": "FloatingIP", "security_groups": "SecurityGroup",
         "security_group_rules": "SecurityGroupRule"}
PATHS = {kind: kind.replace("_", "-") for kind in TABLES}
CHANGES = (("ports", "create_port", add_port, delete_port), ("floatingips", "create_address", add_address, delete_address),
           ("security_groups", "create_group", add_group, delete_group), ("security_group_rules", "create_rule", add_rule, delete_rule))
BASE = r"/network/v2\.0/"
ROUTES = (("network.versions", "GET", r"/network/?", versions, False), ("network.version", "GET", r"/network/v2\.0/?", show_version, True),
          ("network.list_security_groups", "GET", BASE + "security-groups", list_groups, True),
          ("network.change_address", "PUT", BASE + "floatingips/([^/]+)", change_address, True),
          *((f"network.list_{kind}", "GET", BASE + PATHS[kind], lists(kind), True) for kind in TABLES if kind != "security_groups"),
          *((f"network.show_{kind[:-1]}", "GET", BASE + PATHS[kind] + "/([^/]+)", shows(kind, kind[:-1]), True) for kind in TABLES),
          *(("network." + name, "POST", BASE + PATHS[kind], add, True) for kind, name, add, _ in CHANGES),
          *(("network." + name.replace("create", "delete"), "DELETE", BASE + PATHS[kind] + "/([^/]+)", take, True) for kind, name, _, take in CHANGES))
