#!/usr/bin/env python3
"""A small OpenStack for tests: Keystone, Nova, Neutron, Glance and Cinder, each as far as Cooperage uses it (openstack_simulator/).
Every body and query is judged by Nova's schemas, Neutron's attributes and Keystone's check of logins (judge.py); openstacksdk runs
its life cycle on it (test_openstack_stand_in.py). Prints its port; ends when its standard input does. Faults: fault_server.py.

User demo, password "secret", project demo, domain Default, regions RegionOne and RegionTwo (with the same things).
"""

import os
import re
import sys
import warnings
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
from python_packages import REPO, environment  # noqa: E402

PACKAGES = environment("openstack-python", HERE / "openstack_requirements.txt")
if Path(sys.prefix) != PACKAGES:
    os.execv(PACKAGES / "bin" / "python", [str(PACKAGES / "bin" / "python"), *sys.argv])

warnings.simplefilter("ignore")
from fault_server import Answer, StandIn, run  # noqa: E402
from openstack_simulator import compute, compute_catalogue, identity, network, storage  # noqa: E402
from openstack_simulator.cloud import Cloud  # noqa: E402
from openstack_simulator.judge import Judge  # noqa: E402

ROUTES = [(name, method, re.compile(path), handler, needs_token) for module in (identity, compute, compute_catalogue, network, storage)
          for name, method, path, handler, needs_token in module.ROUTES]


class OpenStack(StandIn):
    def __init__(self, port):
        self.cloud = Cloud(port)
        self.cloud.judge = Judge(REPO / "var" / "openstack-wheels")
        self.settings = self.cloud.settings

    def route(self, request):
        path = re.sub(r"^/(internal|admin)(?=/)|^(?=/)", "", request.path)
        path = re.sub(r"^/RegionTwo(?=/)", "", path)
        for name, method, pattern, handler, needs_token in ROUTES:
            if method == request.method and (found := pattern.fullmatch(path)):
                return name, handler, needs_token, found.groups()
        return "unknown", None, True, ()

    def operation(self, request):
        name = self.route(request)[0]
        return name + ("@internal" if request.path.startswith("/internal") else "") + ("@RegionTwo" if "/RegionTwo/" in request.path else "")

    def perform(self, request, _operation):
        _, handler, needs_token, arguments = self.route(request)
        with self.cloud.lock:
            self.cloud.tick()
            if needs_token:
                identity.check_token(self.cloud, request)
            if handler is None:
                raise Answer(404, {"itemNotFound": {"code": 404, "message": "The resource could not be found."}}, judged=f"no such call: {request.method} {request.path}")
            return handler(self.cloud, request, *arguments)

    def state(self):
        cloud = self.cloud
        with cloud.lock:
            cloud.tick()
            return {"servers": [{"id": server["id"], "name": server["name"], "status": server["status"], "tags": server["tags"], "metadata": server["metadata"],
                                 "user_data": server["user_data"], "key_name": server["key_name"], "zone": server["zone"], "networks": server["networks"],
                                 "group": server["hint_group"], "config_drive": server["config_drive"]} for server in cloud.servers.values()],
                    "ports": list(cloud.ports.values()), "addresses": list(cloud.addresses.values()), "server_groups": list(cloud.server_groups.values()),
                    "groups": [group for group in cloud.groups.values() if group["name"] != "default"],
                    "rules": [rule for rule in cloud.rules.values() if rule["direction"] == "ingress"],
                    "keys": [key for key in cloud.keys if key != "demo-key"], "volumes": list(cloud.volumes.values())}

    # What tests may do beside the API.
    def do_revoke(self):
        self.cloud.tokens.clear()

    def do_credential(self, name, secret):
        return identity.add_credential(self.cloud, name, secret)

    def do_network(self, name, cidr, external=False):
        return {"id": self.cloud.add_network(name, cidr, external)}

    def do_image(self, name, **properties):
        return {"id": self.cloud.add_image(name, **properties)}

    def do_address(self):
        """An address that the project has and nobody uses."""
        _, free = self.cloud.free_address(self.cloud.public)
        address = {"id": "00000000-0000-0000-0000-000000000077", "floating_ip_address": free, "floating_network_id": self.cloud.public, "port_id": None,
                   "fixed_ip_address": None, "status": "DOWN", "description": "theirs", "tags": [], "project_id": self.cloud.project,
                   "tenant_id": self.cloud.project, "shown_at": 0, "router_id": None, "revision_number": 0}
        self.cloud.addresses[address["id"]] = address
        return address

    def do_group(self, name, description):
        return {"id": self.cloud.add_group(name, description)}

    def do_hide_networks(self):
        """Networks that a machine gets with "auto" only."""
        for network in self.cloud.networks.values():
            network["admin_state_up"] = False

    def do_forget_groups(self):
        """Somebody else deletes the groups that no port has."""
        used = {group for port in self.cloud.ports.values() for group in port["security_groups"]} | {self.cloud.default_group}
        self.cloud.rules = {key: rule for key, rule in self.cloud.rules.items() if rule["security_group_id"] in used}
        self.cloud.groups = {key: group for key, group in self.cloud.groups.items() if key in used}

    def do_vanish(self, name):
        """A server that somebody else deletes."""
        for server in list(self.cloud.servers.values()):
            if server["name"] == name:
                self.cloud.end_deletion(server)


if __name__ == "__main__":
    run(OpenStack)
