"""What the simulated OpenStack has, and how it changes with time. Everything happens under one lock."""

import ipaddress
import secrets
import threading
import time
import uuid
from datetime import datetime, timezone

DEFAULTS = {
    "build_seconds": 0.2,       # from POST /servers until the server is ACTIVE
    "port_seconds": 0.05,       # until its ports exist
    "delete_seconds": 0.1,      # until a deleted server is gone
    "token_seconds": 3600,
    "address_seconds": 0.0,     # until Nova shows a floating address
    "hosts": 4,                 # an anti-affinity group cannot have more servers
    "page": 1000,               # servers in one listing (osapi_max_limit)
    "quota_instances": 100,
    "quota_floatingips": 50,
    "quota_ports": 500,
    "max_microversion": "2.93",
    "has_v3": True,
    "build_fails": "",          # a text: servers get ERROR with this fault
    "delete_fails": 0,          # so many deletions of servers end in ERROR
    "ports_survive": False,     # ports stay when their server is gone
    "ignores_filters": False,   # listings of groups show all of them
}


def new_id():
    return str(uuid.uuid4())


def iso(moment):
    return datetime.fromtimestamp(moment, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


class Cloud:
    project = "0123456789abcdef0123456789abcdef"

    def __init__(self, port):
        self.base = f"http://127.0.0.1:{port}"
        self.lock = threading.RLock()
        self.settings = dict(DEFAULTS)
        self.tokens = {}
        self.users = {("demo", "Default"): "secret"}
        self.credentials = {}
        self.servers, self.ports, self.addresses, self.groups, self.rules = {}, {}, {}, {}, {}
        self.server_groups, self.keys, self.volumes, self.networks, self.subnets, self.images = {}, {}, {}, {}, {}, {}
        self.gone = {}
        self.flavors = {f["id"]: f for f in (self.flavor("1", "m1.tiny", 512, 1, 1), self.flavor("2", "m1.small", 2048, 1, 20),
                                             self.flavor("9", "m1.huge", 1048576, 64, 10))}
        self.keys["demo-key"] = {"name": "demo-key", "public_key": "ssh-ed25519 AAAA", "fingerprint": "aa:bb", "type": "ssh"}
        self.private = self.add_network("private", "10.0.0.0/16", False)
        self.public = self.add_network("public", "203.0.113.0/24", True)
        self.add_image("debian12")
        self.add_image("windows", os_type="windows")
        self.default_group = self.add_group("default", "Default security group")

    @staticmethod
    def flavor(identity, name, ram, cpus, disk):
        return {"id": identity, "name": name, "ram": ram, "vcpus": cpus, "disk": disk, "OS-FLV-EXT-DATA:ephemeral": 0, "swap": "", "rxtx_factor": 1.0,
                "OS-FLV-DISABLED:disabled": False, "os-flavor-access:is_public": True}

    def add_network(self, name, cidr, external):
        network, subnet = new_id(), new_id()
        self.networks[network] = {"id": network, "name": name, "status": "ACTIVE", "admin_state_up": True, "shared": external, "router:external": external,
                                  "project_id": self.project, "tenant_id": self.project, "subnets": [subnet], "mtu": 1450, "port_security_enabled": True}
        self.subnets[subnet] = {"id": subnet, "name": name, "network_id": network, "cidr": cidr, "ip_version": 4, "enable_dhcp": True,
                                "gateway_ip": str(next(ipaddress.ip_network(cidr).hosts())), "project_id": self.project, "tenant_id": self.project}
        return network

    def add_image(self, name, **properties):
        image = new_id()
        self.images[image] = {"id": image, "name": name, "status": "active", "visibility": "public", "min_disk": 0, "min_ram": 0, "size": 1000, "tags": [],
                              "created_at": iso(time.time()), "updated_at": iso(time.time()), "container_format": "bare", "disk_format": "qcow2", **properties}
        return image

    def add_group(self, name, description):
        group = new_id()
        self.groups[group] = {"id": group, "name": name, "description": description, "created_at": iso(time.time()), "project_id": self.project, "tenant_id": self.project}
        for ethertype in ("IPv4", "IPv6"):
            rule = {"id": new_id(), "security_group_id": group, "direction": "egress", "ethertype": ethertype, "protocol": None, "port_range_min": None,
                    "port_range_max": None, "remote_ip_prefix": None, "remote_group_id": None, "description": "", "project_id": self.project,
                    "tenant_id": self.project}
            self.rules[rule["id"]] = rule
        return group

    def free_address(self, network):
        subnet = self.subnets[self.networks[network]["subnets"][0]]
        taken = {fixed["ip_address"] for port in self.ports.values() for fixed in port["fixed_ips"]}
        taken |= {address["floating_ip_address"] for address in self.addresses.values()} | {subnet["gateway_ip"]}
        return subnet["id"], next(str(host) for host in ipaddress.ip_network(subnet["cidr"]).hosts() if str(host) not in taken)

    def add_port(self, network, **members):
        subnet, address = self.free_address(network)
        port = {"id": new_id(), "name": "", "network_id": network, "mac_address": "fa:16:3e:" + ":".join(secrets.token_hex(1) for _ in range(3)),
                "fixed_ips": [{"subnet_id": subnet, "ip_address": address}], "device_id": "", "device_owner": "", "status": "DOWN", "admin_state_up": True,
                "security_groups": [self.default_group], "description": "", "project_id": self.project, "tenant_id": self.project, **members}
        self.ports[port["id"]] = port
        return port

    # Time: called before each request.
    def tick(self):
        now = time.monotonic()
        for server in list(self.servers.values()):
            if server["deleting"] and now >= server["deleting"]:
                self.end_deletion(server)
            elif server["status"] == "BUILD" and now >= server["born"] + self.settings["build_seconds"]:
                self.end_build(server)
            elif server["status"] == "BUILD" and now >= server["born"] + self.settings["port_seconds"]:
                self.give_ports(server)

    def give_ports(self, server):
        if server["has_ports"]:
            return
        server["has_ports"] = True
        for wanted in server["networks"]:
            if "port" in wanted:
                self.ports[wanted["port"]].update(device_id=server["id"], device_owner="compute:nova", status="ACTIVE")
            else:
                self.add_port(wanted["uuid"], device_id=server["id"], device_owner="compute:nova", status="ACTIVE",
                              security_groups=server["group_ids"], nova=True)

    def end_build(self, server):
        fault = self.settings["build_fails"]
        group = self.server_groups.get(server["hint_group"])
        members = [other for other in self.servers.values() if group and other["hint_group"] == group["id"] and other is not server and
                   other["status"] == "ACTIVE"]
        if server["flavor_id"] == "9" or (group and "anti-affinity" in group["policies"] and len(members) >= self.settings["hosts"]):
            fault = "No valid host was found. There are not enough hosts available."
        if fault:
            server.update(status="ERROR", fault={"code": 500, "created": iso(time.time()), "message": fault})
            return
        self.give_ports(server)
        server["status"] = "ACTIVE"
        if server["volume_size"]:
            self.add_volume(server)

    def add_volume(self, server):
        volume = {"id": new_id(), "name": "", "status": "in-use", "size": server["volume_size"], "metadata": {}, "bootable": "true",
                  "volume_type": "lvmdriver-1", "attachments": [{"server_id": server["id"]}], "created_at": iso(time.time()),
                  "delete_on_termination": server["deletes_volume"]}
        self.volumes[volume["id"]] = volume

    def end_deletion(self, server):
        if self.settings["delete_fails"] > 0:
            self.settings["delete_fails"] -= 1
            server.update(status="ERROR", deleting=None, fault={"code": 500, "created": iso(time.time()), "message": "Failed to delete the instance"})
            return
        for port in [port for port in self.ports.values() if port["device_id"] == server["id"]]:
            for address in self.addresses.values():
                if address["port_id"] == port["id"]:
                    address.update(port_id=None, fixed_ip_address=None, status="DOWN")
            if port.get("nova") and not self.settings["ports_survive"]:
                del self.ports[port["id"]]
            elif not port.get("nova"):
                port.update(device_id="", device_owner="", status="DOWN")
        for volume in [volume for volume in self.volumes.values() if volume["attachments"] and volume["attachments"][0]["server_id"] == server["id"]]:
            volume.update(status="available", attachments=[])
            if volume["delete_on_termination"]:
                del self.volumes[volume["id"]]
        for group in self.server_groups.values():
            group["members"] = [member for member in group["members"] if member != server["id"]]
        del self.servers[server["id"]]
