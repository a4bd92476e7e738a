"""The servers of an OpenStack: listed as its administrator; user data and keys from Nova's metadata service, as a guest gets them."""

import hashlib
import hmac
import json
from pathlib import Path

from server import Server, Unreachable, ask, seed_of

OFF = {"SHUTOFF", "ERROR", "SUSPENDED", "PAUSED", "SHELVED", "SHELVED_OFFLOADED", "DELETED", "SOFT_DELETED"}


class OpenStackServers:
    def __init__(self, access):
        self.access = json.loads(Path(access).read_text())
        self.token = None
        self.compute = None

    def log_in(self):
        admin = self.access["admin"]
        domain = {"name": self.access["domain"]}
        password = {"user": {"name": admin["user"], "password": admin["password"], "domain": domain}}
        login = {"auth": {"identity": {"methods": ["password"], "password": password},
                          "scope": {"project": {"name": admin["project"], "domain": domain}}}}
        headers, body = ask(self.access["auth_url"] + "/auth/tokens", body=login)
        self.token = headers["X-Subject-Token"]
        catalogue = json.loads(body)["token"]["catalog"]
        self.compute = next(endpoint["url"] for service in catalogue if service["type"] == "compute"
                            for endpoint in service["endpoints"] if endpoint["interface"] == "public")

    def all(self):
        if not self.token:
            self.log_in()
        try:
            _, body = ask(self.compute + "/servers/detail?all_tenants=1", {"X-Auth-Token": self.token})
        except Unreachable as error:
            # Tokens end.
            if ": 401 " in str(error):
                self.token = None
            raise
        return [self.server(one) for one in json.loads(body)["servers"]]

    def server(self, one):
        addresses = [address for network in one["addresses"].values() for address in network if address["version"] == 4]
        of_type = {kind: [address["addr"] for address in addresses if address["OS-EXT-IPS:type"] == kind] for kind in ("fixed", "floating")}
        is_at_rest = one["OS-EXT-STS:task_state"] is None
        return Server(id=one["id"], name=one["name"], runs=one["status"] == "ACTIVE" and is_at_rest and bool(of_type["fixed"]),
                      is_off=one["status"] in OFF, fixed=of_type["fixed"], floating=of_type["floating"],
                      user_data=lambda: self.metadata(one, of_type["fixed"], "user_data", b"#cloud-config\n{}\n"),
                      meta_data=lambda: self.meta_data(one, of_type["fixed"]))

    def meta_data(self, one, fixed):
        told = json.loads(self.metadata(one, fixed, "meta_data.json"))
        return seed_of(one["id"], told["hostname"], told.get("public_keys", {}))

    def metadata(self, one, fixed, what, otherwise=None):
        """As Neutron's agent asks for a guest: with a signature of the server's id."""
        service = self.access["metadata"]
        signature = hmac.new(service["secret"].encode(), one["id"].encode(), hashlib.sha256).hexdigest()
        headers = {"X-Instance-ID": one["id"], "X-Instance-ID-Signature": signature, "X-Tenant-ID": one["tenant_id"], "X-Forwarded-For": fixed[0]}
        try:
            return ask(f"{service['url']}/openstack/latest/{what}", headers)[1]
        except Unreachable as error:
            if otherwise is not None and ": 404 " in str(error):
                return otherwise
            raise
