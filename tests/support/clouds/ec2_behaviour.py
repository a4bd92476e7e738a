"""What EC2 does and moto lacks: tokens of clients, machines that boot, answers that are late, limits, capacity. moto keeps the machines."""

import base64
import binascii
import re
import time
from fnmatch import fnmatchcase
from urllib.parse import urlencode

from moto.core import DEFAULT_ACCOUNT_ID
from moto.ec2.models import ec2_backends

USER_DATA_LIMIT = 16384
STATES = {"pending": 0, "running": 16, "shutting-down": 32, "terminated": 48, "stopping": 64, "stopped": 80}


class Refusal(Exception):
    def __init__(self, code, message, status=400):
        super().__init__(message)
        self.status, self.code, self.message = status, code, message


class Machine:
    """What is known of an instance beside moto's record."""

    def __init__(self, instance, query, settings):
        now = time.monotonic()
        self.instance = instance
        self.query = query
        self.runs_at = now + settings["boot_seconds"]
        self.visible_at = now + settings["hidden_seconds"]
        self.tagged_at = now + settings["tags_seconds"]
        self.gone_at = None
        self.late_tags = None
        self.console = None

    def put(self, state):
        self.instance._state.name, self.instance._state.code = state, STATES[state]


class Behaviour:
    """Called under one lock: moto's records are changed around its calls."""

    def __init__(self):
        self.settings = {"boot_seconds": 0.0, "hidden_seconds": 0.0, "tags_seconds": 0.0, "shutdown_seconds": 0.0, "instance_limit": 0, "vcpu_limit": 0,
                         "no_capacity": [], "capacity_status": 500, "page_size": 0}
        self.machines = {}
        self.tokens = {}

    def backend(self, region):
        return ec2_backends[DEFAULT_ACCOUNT_ID][region]

    def instance_ids(self, query):
        return [value for key, value in query.items() if re.fullmatch(r"InstanceId(\.\d+)?", key)]

    def advance(self):
        """Lets happen what should have happened by now."""
        now = time.monotonic()
        for machine in self.machines.values():
            state = machine.instance._state.name
            if state == "pending" and now >= machine.runs_at:
                machine.instance.start()
            if machine.late_tags and now >= machine.tagged_at:
                machine.instance.add_tags(machine.late_tags)
                machine.late_tags = None
            if state == "shutting-down" and now >= machine.gone_at:
                machine.put("terminated")

    # Before moto is asked.

    def check(self, region, query):
        """Raises a Refusal, or returns the text of an answer that was given before, or None."""
        operation = query["Action"]
        for name in self.instance_ids(query):
            if name in self.machines and self.machines[name].visible_at > time.monotonic():
                raise Refusal("InvalidInstanceID.NotFound", f"The instance ID '{name}' does not exist")
        if operation != "RunInstances":
            return None
        self.check_combinations(query)
        self.check_user_data(query)
        self.check_key(region, query)
        if query.get("DryRun") == "true":
            return None
        if earlier := self.earlier(region, query):
            return earlier
        self.check_capacity(region, query)
        self.check_limits(query)
        return None

    def check_combinations(self, query):
        has_interface = any(key.startswith("NetworkInterface.") for key in query)
        if has_interface and any(key.startswith(("SecurityGroupId.", "SecurityGroup.")) for key in query):
            raise Refusal("InvalidParameterCombination", "Network interfaces and an instance-level security groups may not be specified on the same request")
        if has_interface and "SubnetId" in query:
            raise Refusal("InvalidParameterCombination", "Network interfaces and an instance-level subnet ID may not be specified on the same request")
        if "SubnetId" in query and any(key.startswith("SecurityGroup.") for key in query):
            raise Refusal("InvalidParameterCombination", "The parameter groupName cannot be used with the parameter subnet")
        if "ImageId" not in query:
            raise Refusal("MissingParameter", "The request must contain the parameter ImageId")
        if len(query.get("ClientToken", "")) > 64 or not query.get("ClientToken", "").isascii():
            raise Refusal("InvalidParameterValue", "Value for parameter clientToken is invalid. Length exceeds maximum of 64 ASCII characters")

    def check_user_data(self, query):
        try:
            data = base64.b64decode(query.get("UserData", ""), validate=True)
        except (binascii.Error, ValueError):
            raise Refusal("InvalidParameterValue", "Invalid BASE64 encoding of user data.") from None
        if len(data) > USER_DATA_LIMIT:
            raise Refusal("InvalidParameterValue", f"User data is limited to {USER_DATA_LIMIT} bytes")

    def check_key(self, region, query):
        if "KeyName" in query and query["KeyName"] not in self.backend(region).key_pairs:
            raise Refusal("InvalidKeyPair.NotFound", f"The key pair '{query['KeyName']}' does not exist")

    def earlier(self, region, query):
        token = query.get("ClientToken")
        if not token or (region, token) not in self.tokens:
            return None
        parameters, text, machine = self.tokens[region, token]
        if parameters != query:
            raise Refusal("IdempotentParameterMismatch", "Arguments on this idempotent request are inconsistent with arguments used in previous request(s).")
        state = machine.instance._state
        return re.sub(r"<instanceState>.*?</instanceState>", f"<instanceState><code>{state.code}</code><name>{state.name}</name></instanceState>", text, flags=re.S)

    def check_capacity(self, region, query):
        zone = query.get("Placement.AvailabilityZone") or self.zone_of_subnet(region, query) or "any"
        pair = f"{query.get('InstanceType', 'm1.small')}/{zone}"
        if any(fnmatchcase(pair, pattern) for pattern in self.settings["no_capacity"]):
            raise Refusal("InsufficientInstanceCapacity", f"We currently do not have sufficient {pair.split('/')[0]} capacity in the Availability Zone you requested ({zone}). "
                          "Our system will be working on provisioning additional capacity.", self.settings["capacity_status"])

    def zone_of_subnet(self, region, query):
        name = query.get("SubnetId") or query.get("NetworkInterface.1.SubnetId")
        for zone in self.backend(region).subnets.values():
            if name in zone:
                return zone[name].availability_zone
        return None

    def check_limits(self, query):
        living = sum(machine.instance._state.name not in ("terminated", "shutting-down") for machine in self.machines.values())
        limit = self.settings["instance_limit"]
        if limit and living >= limit:
            raise Refusal("InstanceLimitExceeded", f"You have requested more instances ({living + 1}) than your current instance limit of {limit} allows for the specified "
                          "instance type. Please visit http://aws.amazon.com/contact-us/ec2-request to request an adjustment to this limit.")
        limit = self.settings["vcpu_limit"]
        if limit and 2 * (living + 1) > limit:
            raise Refusal("VcpuLimitExceeded", f"You have requested more vCPU capacity than your current vCPU limit of {limit} allows for the instance bucket that the specified "
                          "instance type belongs to. Please visit http://aws.amazon.com/contact-us/ec2-request to request an adjustment to this limit.")

    # While moto is asked.

    def known_filters(self, region, query, body):
        """The request with the ids of instances in place of a client token, for which moto has no filter, and with pages that tests can fill."""
        changed = dict(query)
        if self.settings["page_size"] and "MaxResults" in query:
            changed["MaxResults"] = str(min(int(query["MaxResults"]), self.settings["page_size"]))
        for key, value in query.items():
            if re.fullmatch(r"Filter\.\d+\.Name", key) and value == "client-token":
                token = query[key.replace("Name", "Value.1")]
                changed[key] = "instance-id"
                changed[key.replace("Name", "Value.1")] = self.tokens[region, token][2].instance.id if (region, token) in self.tokens else "i-00000000"
        return body if changed == query else urlencode(changed).encode()

    def hide(self, region):
        """Takes reservations that are not visible yet out of moto's; returns what show() puts back."""
        backend = self.backend(region)
        kept = dict(backend.reservations)
        now = time.monotonic()
        for name, reservation in kept.items():
            if any(i.id in self.machines and self.machines[i.id].visible_at > now for i in reservation.instances):
                del backend.reservations[name]
        return kept

    def show(self, region, kept, query):
        backend = self.backend(region)
        made = {name: reservation for name, reservation in backend.reservations.items() if name not in kept}
        backend.reservations.clear()
        backend.reservations.update(kept)
        backend.reservations.update(made)
        return [instance for reservation in made.values() for instance in reservation.instances]

    # After moto has answered.

    def made(self, region, query, instances, text):
        """Lets new instances begin as real ones do; returns the answer, changed accordingly."""
        for instance in instances:
            machine = self.machines[instance.id] = Machine(instance, query, self.settings)
            instance.placement.tenancy = query.get("Placement.Tenancy", "default")
            instance.placement.group_name = query.get("Placement.GroupName", "")
            for nic in instance.nics.values():
                nic.delete_on_termination = True
            if self.settings["boot_seconds"]:
                for nic in instance.nics.values():
                    nic.stop()
                machine.put("pending")
            if self.settings["tags_seconds"]:
                machine.late_tags = {tag["key"]: tag["value"] for tag in instance.get_tags()}
                self.backend(region).tags.pop(instance.id, None)
            text = re.sub(r"<instanceState>.*?</instanceState>", "<instanceState><code>0</code><name>pending</name></instanceState>", text, flags=re.S)
            # A real answer to RunInstances has no public address.
            text = re.sub(r"<(ipAddress|dnsName|publicIp|publicDnsName)>[^<]*</\1>", "", text)
            if token := query.get("ClientToken"):
                self.tokens[region, token] = (query, text, machine)
        return text

    def terminated(self, query):
        for name in self.instance_ids(query):
            machine = self.machines.get(name)
            if machine and machine.gone_at is None:
                machine.gone_at = time.monotonic() + self.settings["shutdown_seconds"]
                machine.put("shutting-down")

    def reclaim(self, name):
        """Takes a spot instance away, as EC2 does when somebody pays more."""
        machine = self.machines[name]
        machine.instance.terminate()
        machine.instance.state_reason.code = "Server.SpotInstanceTermination"
        machine.instance.state_reason.message = "Server.SpotInstanceTermination: Spot instance termination"

    def move(self, name, public, private):
        """Gives an instance the addresses of a machine that one can log in to."""
        instance = self.machines[name].instance
        nic = instance.nics[0]
        nic.public_ip = public
        nic.public_ip_auto_assign = False
        for address in nic.private_ip_addresses:
            address["PrivateIpAddress"] = private
        nic.private_ip_address = private
