"""What exists in the CloudStack of the tests: machines, jobs, addresses, security groups, keys and tags. Machines change with the clock."""

import base64
import binascii
import re
import time
import uuid

from .judge import CloudError

GET_USERDATA = 4096
POST_USERDATA = 32768
NAME = re.compile(r"[a-zA-Z]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?")
ZONE = "1128bd56-b4d9-4ac6-a7b9-c715b187ce11"
ISOLATED_ZONE = "2228bd56-b4d9-4ac6-a7b9-c715b187ce22"
NETWORK = "00304a04-c7ea-4e77-a786-18bc64347bf7"


def new_id():
    return str(uuid.uuid4())


def named(name, ident=None, **more):
    return {"id": ident or new_id(), "name": name, "displaytext": name, **more}


class Machine:
    def __init__(self, wanted, number, settings, fails):
        now = time.time()
        self.id = new_id()
        self.number = number
        self.wanted = wanted
        self.name = wanted.get("name") or f"VM-{self.id}"
        self.displayname = wanted.get("displayname") or self.name
        self.runs_at = now + settings["boot"]
        self.fails = fails
        self.addressed_at = self.runs_at + settings["addresses"]
        self.destroyed_at = None
        self.expunged_at = None
        self.tags = {}

    def state(self):
        now = time.time()
        if self.destroyed_at and now >= self.destroyed_at:
            return "Expunging" if self.expunged_at else "Destroyed"
        if self.destroyed_at:
            return "Stopping"
        if now < self.runs_at:
            return "Starting"
        return "Error" if self.fails else "Running"

    def exists(self):
        return not (self.expunged_at and time.time() >= self.expunged_at)


class Cloud:
    def __init__(self):
        # Seconds, and how many there may be. `user_expunge`: whether allow.user.expunge.recover.vm is set. `role`: the calls that the
        # role of the account allows; all if it is empty. `keeps_tags`: a released address keeps its tags, as up to 4.17.0.
        self.settings = {"boot": 0.3, "addresses": 0.2, "destroy": 0.3, "job": 0.2, "capacity": 1000, "limit": 1000, "fails": 0,
                         "user_expunge": True, "page": 500, "ssh": "", "role": [], "keeps_tags": False}
        self.zones = [named("eu-one", ZONE, networktype="Advanced", securitygroupsenabled=True, allocationstate="Enabled"),
                      named("eu-two", ISOLATED_ZONE, networktype="Advanced", securitygroupsenabled=False, allocationstate="Enabled")]
        self.offerings = [named("Small Instance", "5b4f8f1c-1d0a-4f3a-8f5e-0d4d5c1c3c11", cpunumber=1, cpuspeed=500, memory=512,
                                iscustomized=False),
                          named("Medium Instance", cpunumber=2, cpuspeed=1000, memory=1024, iscustomized=False)]
        self.templates = [named("debian-12", "4d47c9d0-f5f2-4a0a-96f4-a01f2b683a82", crossZones=True, hypervisor="KVM", isready=True,
                                format="QCOW2", size=2147483648, ispublic=True, ostypename="Debian GNU/Linux 12 (64-bit)", ostypeid=new_id(),
                                status="Download Complete")]
        more = {"state": "Implemented", "traffictype": "Guest"}
        self.networks = [named("shared", zoneid=ZONE, cidr="10.2.2.0/24", gateway="10.2.2.1", type="Shared", networkofferingid=new_id(), **more),
                         named("guests", NETWORK, zoneid=ISOLATED_ZONE, cidr="10.1.1.0/24", gateway="10.1.1.1", type="Isolated",
                               networkofferingid=new_id(), **more)]
        self.groups = [{"id": new_id(), "name": "default", "description": "Default Security Group", "account": "joe", "ingressrule": [],
                        "tags": []}]
        self.keys = {}
        self.machines = {}
        self.jobs = {}
        self.addresses = {}
        self.rules = {}
        self.made = 0
        self.free = 100
        self.kept_tags = []

    def known(self, entities, ident, what):
        for entity in entities:
            if entity["id"] == ident:
                return entity
        raise CloudError(431, f"Unable to find {what} by id {ident}")

    def machine(self, ident):
        machine = self.machines.get(ident)
        if machine is None or not machine.exists():
            raise CloudError(431, f"Unable to execute API command due to invalid value. Invalid parameter id value={ident} due to incorrect "
                                  "long value format, or entity does not exist or due to incorrect parameter annotation for the field in api cmd class.")
        return machine

    def present(self):
        return [machine for machine in self.machines.values() if machine.exists()]

    def deploy(self, wanted, is_post):
        self.known(self.zones, wanted["zoneid"], "zone")
        self.known(self.offerings, wanted["serviceofferingid"], "service offering")
        self.known(self.templates, wanted["templateid"], "template")
        for network in filter(None, wanted.get("networkids", "").split(",")):
            self.known(self.networks, network, "network")
        self.check_groups(wanted)
        name = wanted.get("name")
        if name and not NAME.fullmatch(name):
            raise CloudError(431, "Invalid name. Vm name can contain ASCII letters 'a' through 'z', the digits '0' through '9', and the hyphen "
                                  "('-'), must be between 1 and 63 characters long, and can't start or end with \"-\" and can't start with digit")
        if name and any(machine.name == name for machine in self.present()):
            raise CloudError(431, f"The vm with hostName {name} already exists in the network domain: cs1cloud.internal; network=guests")
        self.check_userdata(wanted, is_post)
        if wanted.get("keypair") and wanted["keypair"] not in self.keys:
            raise CloudError(431, f"A key pair with name '{wanted['keypair']}' was not found.")
        if "customid" in wanted:
            raise CloudError(531, "Only root admins can use customid")
        if len(self.present()) >= self.settings["limit"]:
            raise CloudError(535, "Maximum amount of resources of Type = 'user_vm' for Account Name = 'joe' in Domain Id = 1 is exceeded: "
                                  f"Account Resource Limit = {self.settings['limit']}, Current Account Resource Amount = {len(self.present())}, "
                                  "Requested Resource Amount = 1.")
        return self.add(wanted)

    def add(self, wanted):
        full = len([machine for machine in self.present() if machine.state() != "Error"]) >= self.settings["capacity"]
        fails = full or self.settings["fails"] > 0
        self.settings["fails"] -= 1 if self.settings["fails"] > 0 else 0
        self.made += 1
        machine = Machine(wanted, self.made, self.settings, fails)
        self.machines[machine.id] = machine
        failure = (533, "Unable to create a deployment for VM instance due to insufficient capacity") if fails else None
        return machine, self.job("deployVirtualMachine", machine.id, machine.runs_at, failure)

    def check_groups(self, wanted):
        zone = self.known(self.zones, wanted["zoneid"], "zone")
        names = {group["name"] for group in self.groups} | {group["id"] for group in self.groups}
        for parameter in ("securitygroupnames", "securitygroupids"):
            for group in filter(None, wanted.get(parameter, "").split(",")):
                if not zone["securitygroupsenabled"]:
                    raise CloudError(431, "Can't create vm with security groups; security groups are not enabled in the zone")
                if group not in names:
                    raise CloudError(431, f"Unable to execute API command deployvirtualmachine due to invalid value. Invalid parameter {parameter} "
                                          f"value={group} due to incorrect long value format, or entity does not exist or due to incorrect "
                                          "parameter annotation for the field in api cmd class.")

    def group(self, ident):
        return self.known(self.groups, ident, "security group")

    def delete_group(self, ident):
        group = self.group(ident)
        if any(ident in machine.wanted.get("securitygroupids", "").split(",") for machine in self.present()):
            raise CloudError(536, "Cannot delete group when it's in use by virtual machines")
        self.groups.remove(group)

    def forget_groups(self):
        """Somebody else deletes the groups that no machine uses."""
        used = {ident for machine in self.present() for ident in machine.wanted.get("securitygroupids", "").split(",")}
        self.groups = [group for group in self.groups if group["id"] in used or group["name"] == "default"]

    def lose_machine(self):
        """The first machine is gone at once."""
        del self.machines[next(iter(self.machines))]

    def network_of(self, machine):
        ids = [ident for ident in machine.wanted.get("networkids", "").split(",") if ident]
        if ids:
            return self.known(self.networks, ids[0], "network")
        return next(network for network in self.networks if network["zoneid"] == machine.wanted["zoneid"])

    @staticmethod
    def check_userdata(wanted, is_post):
        if "userdata" not in wanted:
            return
        text = wanted["userdata"]
        if not is_post and len(text) > GET_USERDATA:
            raise CloudError(431, "User data is too long for an http GET request")
        if len(text) > POST_USERDATA:
            raise CloudError(431, f"User data has exceeded configurable max length : {POST_USERDATA}")
        try:
            content = base64.b64decode(text, validate=True)
        except binascii.Error as error:
            raise CloudError(431, "User data is not base64 encoded.") from error
        if not content:
            raise CloudError(431, "User data is empty.")

    def destroy(self, ident, expunge):
        machine = self.machine(ident)
        if expunge and not self.settings["user_expunge"]:
            raise CloudError(531, "Parameter expunge can be passed by Admin only. Or when the allow.user.expunge.recover.vm key is set.")
        gone_at = time.time() + self.settings["destroy"]
        machine.destroyed_at = machine.destroyed_at or gone_at
        if expunge:
            machine.expunged_at = machine.expunged_at or gone_at
            for address in self.addresses.values():
                if address.get("virtualmachineid") == ident:
                    self.unbind(address)
        return machine, self.job("destroyVirtualMachine", ident, gone_at, None)

    def job(self, command, instance, ends_at, failure, result=None):
        job = {"id": new_id(), "command": command, "instance": instance, "ends_at": ends_at, "failure": failure, "result": result}
        self.jobs[job["id"]] = job
        return job["id"]

    def associate(self, network):
        if self.free <= 0:
            raise CloudError(533, "Insufficient address capacity")
        self.free -= 1
        self.known(self.networks, network or NETWORK, "network")
        last = len(self.addresses) + 10
        text = self.settings["ssh"] or f"203.0.113.{last}"
        address = {"id": new_id(), "ipaddress": text, "associatednetworkid": network or NETWORK, "zoneid": ISOLATED_ZONE, "state": "Allocated",
                   "issourcenat": False, "isstaticnat": False, "tags": self.kept_tags}
        self.kept_tags = []
        self.addresses[address["id"]] = address
        return address

    @staticmethod
    def unbind(address):
        address["isstaticnat"] = False
        for member in ("virtualmachineid", "virtualmachinename", "vmipaddress"):
            address.pop(member, None)

    def address(self, ident):
        if ident not in self.addresses:
            raise CloudError(431, f"Unable to find ip address by id {ident}")
        return self.addresses[ident]

    def enable_static_nat(self, ident, machine_id):
        address = self.address(ident)
        machine = self.machine(machine_id)
        if address["isstaticnat"] and address["virtualmachineid"] != machine_id:
            raise CloudError(431, f"Failed to enable static nat for the ip address id={ident} as it's already assigned to another vm")
        address.update(isstaticnat=True, virtualmachineid=machine.id, virtualmachinename=machine.name, vmipaddress=self.ip(machine))

    def ip(self, machine):
        return self.network_of(machine)["gateway"][:-1] + str(2 + machine.number % 250)

    def release(self, ident):
        address = self.address(ident)
        if self.settings["keeps_tags"]:
            self.kept_tags = address["tags"]
        del self.addresses[address["id"]]
        self.rules = {key: rule for key, rule in self.rules.items() if rule["ipaddressid"] != ident}
        self.free += 1
