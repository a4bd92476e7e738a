"""The control side of the EC2 stand-in: what tests ask beside the API."""

import base64
import json
import re

from moto import settings as moto_settings
from moto.core import DEFAULT_ACCOUNT_ID
from moto.ec2.models import ec2_backends
from moto.iam.access_control import IAMRequest
from moto.iam.models import iam_backends


def make_user(access_key, secret_key, policy):
    """A user of moto's IAM with that key, who may do what the policy says. From then on moto asks everybody."""
    backend = iam_backends[DEFAULT_ACCOUNT_ID]["aws"]
    backend.create_user("us-east-1", "cooperage")
    key = backend.create_access_key("cooperage")
    key.access_key_id, key.secret_access_key = access_key, secret_key
    backend.put_user_policy("cooperage", "least", policy)
    # Signatures are verified before moto is asked; its own check does not know all of curl's headers.
    IAMRequest.check_signature = lambda _: None
    moto_settings.INITIAL_NO_AUTH_ACTION_COUNT = 0


def answer(stand_in, environ, body):
    """(status, JSON text) of a request below /-/."""
    what = environ["PATH_INFO"][3:]
    try:
        given = json.loads(body or b"{}")
        with stand_in.lock:
            stand_in.behaviour.advance()
            return 200, json.dumps(ANSWERS[what](stand_in, given) or {})
    except (KeyError, ValueError, TypeError) as wrong:
        return 400, json.dumps({"error": f"{what}: {wrong!r}"})


def reset(stand_in, _):
    for account in ec2_backends.values():
        account.reset()
    for account in iam_backends.values():
        account.reset()
    stand_in.begin()


def change(stand_in, given):
    known = stand_in.behaviour.settings
    for name, value in given.items():
        if name in known:
            known[name] = value
        elif name in ("skew_seconds", "skew_code"):
            setattr(stand_in.verifier, name, value)
        elif name in ("lifetime", "has_profile"):
            setattr(stand_in.metadata, name, value)
        elif name == "rates":
            stand_in.rates.set(value)
        else:
            raise KeyError(name)


def seed(_, given):
    """Makes what people made beside us; returns the ids."""
    backend = ec2_backends[DEFAULT_ACCOUNT_ID][given.get("region", "us-east-1")]
    made = {}
    if "key_pair" in given:
        made["key_pair"] = backend.create_key_pair(given["key_pair"], "ed25519", {}).key_name
    if "image" in given:
        made["image"] = backend.register_image(name=given["image"], description="an image of our own").id
    if "volume" in given:
        volume = backend.create_volume(size=8, zone_name="us-east-1a")
        volume.add_tags(given["volume"]["tags"])
        made["volume"] = volume.id
    if "interface" in given:
        subnet = next(subnet for by_zone in backend.subnets.values() for subnet in by_zone.values())
        made["interface"] = backend.create_network_interface(subnet, None, tags=given["interface"]["tags"]).id
    if "profile" in given:
        made["profile"] = iam_backends[DEFAULT_ACCOUNT_ID]["aws"].create_instance_profile(given["profile"], "/", []).name
    return made


def state(stand_in, _):
    return {region: region_state(stand_in, backend) for region, backend in ec2_backends[DEFAULT_ACCOUNT_ID].items()}


def tags_of(thing):
    return {tag["key"]: tag["value"] for tag in thing.get_tags()}


def region_state(stand_in, backend):
    groups = [group for by_vpc in backend.groups.values() for group in by_vpc.values()]
    return {
        "instances": [instance_state(stand_in, instance) for reservation in backend.reservations.values() for instance in reservation.instances],
        "volumes": [{"id": volume.id, "size": volume.size, "type": volume.volume_type, "status": volume.status, "tags": tags_of(volume)} for volume in backend.volumes.values()],
        "interfaces": [{"id": interface.id, "status": interface.status, "tags": tags_of(interface)} for interface in backend.enis.values()],
        "groups": [{"id": group.id, "name": group.name, "tags": tags_of(group), "ingress": [rule_text(rule) for rule in group.ingress_rules]} for group in groups],
        "keys": [{"name": key.key_name, "tags": tags_of(key)} for key in backend.key_pairs.values()],
        "subnets": [{"id": subnet.id, "zone": subnet.availability_zone} for by_zone in backend.subnets.values() for subnet in by_zone.values()],
        "addresses": [address.public_ip for address in backend.addresses.values()] if isinstance(backend.addresses, dict) else len(backend.addresses),
    }


def rule_text(rule):
    source = rule.cidr_ipv4 or rule.cidr_ipv6 or rule.source_group.get("GroupId", "")
    return f"{rule.ip_protocol} {rule.from_port}-{rule.to_port} {source}"


def instance_state(stand_in, instance):
    machine = stand_in.behaviour.machines.get(instance.id)
    query = machine.query if machine else {}
    data = base64.b64decode(query.get("UserData", "")).decode(errors="replace")
    return {"id": instance.id, "state": instance._state.name, "type": instance.instance_type, "image": instance.image_id, "zone": instance.placement.zone,
            "public": instance.public_ip, "private": instance.private_ip, "lifecycle": instance.lifecycle, "tags": tags_of(instance), "user_data": data,
            "groups": sorted({group.id for nic in instance.nics.values() for group in nic.group_set}), "request": query}


def calls(stand_in, _):
    return {"operations": dict(stand_in.operations), "refused": stand_in.refused + stand_in.metadata.refused, "wrong_signatures": stand_in.wrong_signatures,
            "throttled": stand_in.rates.throttled, "faults": stand_in.faults.served, "metadata": stand_in.metadata.calls}


def images(_, given):
    backend = ec2_backends[DEFAULT_ACCOUNT_ID][given.get("region", "us-east-1")]
    return [{"id": image.id, "name": image.name, "owner": image.owner_id, "root": image.root_device_name, "type": image.root_device_type, "architecture": image.architecture}
            for image in backend.amis.values()]


def console(stand_in, given):
    stand_in.behaviour.machines[given["instance"]].console = given["output"]


def with_console(text, machine):
    """The answer to GetConsoleOutput with what the machine shows: nothing until a test gives something."""
    shown = base64.b64encode((machine.console or "").encode()).decode() if machine else ""
    return re.sub("<output>.*?</output>", f"<output>{shown}</output>", text, flags=re.S)


ANSWERS = {
    "fault": lambda stand_in, given: stand_in.faults.add(given),
    "clear": lambda stand_in, _: stand_in.faults.clear(),
    "reset": reset,
    "set": change,
    "seed": seed,
    "state": state,
    "calls": calls,
    "images": images,
    "console": console,
    "reclaim": lambda stand_in, given: stand_in.behaviour.reclaim(given["instance"]),
    "move": lambda stand_in, given: stand_in.behaviour.move(given["instance"], given["public"], given["private"]),
}
