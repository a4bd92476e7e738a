"""Operations on what lies beside droplets: keys, tags, firewalls, volumes."""

import base64
import hashlib
import re
import uuid

from .machines import TAG
from .world import Refusal, not_found, stamp, unprocessable


def existing(collection, number):
    if number not in collection:
        raise not_found()
    return collection[number]


def list_keys(world, call):
    return 200, call.page("ssh_keys", list(world.keys.values()))


def create_key(world, call):
    words = call.body["public_key"].split()
    try:
        digest = hashlib.md5(base64.b64decode(words[1], validate=True)).hexdigest()
    except (IndexError, ValueError) as error:
        raise unprocessable("Key invalid, key should be of the format `type key [comment]`") from error
    fingerprint = ":".join(digest[at:at + 2] for at in range(0, 32, 2))
    if any(key["fingerprint"] == fingerprint for key in world.keys.values()):
        raise unprocessable("SSH Key is already in use on your account")
    number = next(world.numbers)
    world.keys[number] = {"id": number, "fingerprint": fingerprint, "public_key": call.body["public_key"], "name": call.body["name"]}
    return 201, {"ssh_key": world.keys[number]}


def find_key(world, call):
    wanted = call.values["ssh_key_identifier"]
    return existing({str(word): key for key in world.keys.values() for word in (key["id"], key["fingerprint"])}, wanted)


def show_key(world, call):
    return 200, {"ssh_key": find_key(world, call)}


def delete_key(world, call):
    del world.keys[find_key(world, call)["id"]]
    return 204, None


def tag_document(world, name):
    droplets = [droplet for droplet in world.there() if name in droplet.all_tags()]
    volumes = [volume for volume in world.volumes.values() if name in volume["tags"]]
    return {"name": name, "resources": {"count": len(droplets) + len(volumes), "droplets": {"count": len(droplets)}, "volumes": {"count": len(volumes)}}}


def list_tags(world, call):
    world.there()
    return 200, call.page("tags", [tag_document(world, name) for name in sorted(world.tags)])


def create_tag(world, call):
    if not TAG.fullmatch(call.body["name"]):
        raise unprocessable(f"{call.body['name']} is not a valid tag name")
    world.tags.setdefault(call.body["name"], {})
    return 201, {"tag": tag_document(world, call.body["name"])}


def show_tag(world, call):
    tag_document(world, call.values["tag_id"])
    existing(world.tags, call.values["tag_id"])
    return 200, {"tag": tag_document(world, call.values["tag_id"])}


def delete_tag(world, call):
    name = call.values["tag_id"]
    for droplet in world.there():
        droplet.all_tags()
        droplet.tags.discard(name)
    existing(world.tags, name)
    del world.tags[name]
    for other in [*world.volumes.values(), *world.firewalls.values()]:
        other["tags"] = [tag for tag in other["tags"] if tag != name]
    return 204, None


def tagged(world, call):
    """Calls `change` with the tags of each resource that is named."""
    world.there()
    existing(world.tags, call.values["tag_id"])
    for resource in call.body["resources"]:
        if resource["resource_type"] == "droplet":
            droplet = world.droplet(resource["resource_id"])
            droplet.all_tags()
            yield droplet.tags
        else:
            yield existing(world.volumes, resource["resource_id"])["tags"]


def assign_tag(world, call):
    for tags in list(tagged(world, call)):
        tags.add(call.values["tag_id"]) if isinstance(tags, set) else tags.append(call.values["tag_id"])
    return 204, None


def unassign_tag(world, call):
    for tags in list(tagged(world, call)):
        tags.discard(call.values["tag_id"]) if isinstance(tags, set) else tags.remove(call.values["tag_id"])
    return 204, None


def rules_of(body, kind, target):
    rules = []
    for rule in body.get(kind) or []:
        if not rule[target]:
            raise unprocessable("invalid address")
        if rule["protocol"] != "icmp" and not re.fullmatch(r"0|all|\d{1,5}(-\d{1,5})?", rule["ports"]):
            raise unprocessable(f"ports {rule['ports']} are invalid")
        every = rule["protocol"] == "icmp" or rule["ports"] in ("all", "1-65535")
        rules.append({**rule, "ports": "0" if every else rule["ports"]})
    return rules


def firewall_from(world, number, body):
    if any(firewall["name"] == body["name"] and firewall["id"] != number for firewall in world.firewalls.values()):
        raise Refusal(409, "conflict", "duplicate name")
    world.there()
    for tag in body.get("tags") or []:
        if tag not in world.tags:
            raise unprocessable(f"tag {tag} does not exist")
    if len(body.get("tags") or []) > 5 or len(body.get("droplet_ids") or []) > 10:
        raise unprocessable("a firewall has at most 5 tags and 10 droplets")
    return {"id": number, "status": "succeeded", "created_at": stamp(world.now()), "pending_changes": [], "name": body["name"],
            "droplet_ids": body.get("droplet_ids") or [], "tags": body.get("tags") or [], "inbound_rules": rules_of(body, "inbound_rules", "sources"),
            "outbound_rules": rules_of(body, "outbound_rules", "destinations")}


def list_firewalls(world, call):
    return 200, call.page("firewalls", list(world.firewalls.values()))


def create_firewall(world, call):
    number = str(uuid.uuid4())
    world.firewalls[number] = firewall_from(world, number, call.body)
    return 202, {"firewall": world.firewalls[number]}


def show_firewall(world, call):
    return 200, {"firewall": existing(world.firewalls, call.values["firewall_id"])}


def update_firewall(world, call):
    number = existing(world.firewalls, call.values["firewall_id"])["id"]
    world.firewalls[number] = firewall_from(world, number, call.body)
    return 200, {"firewall": world.firewalls[number]}


def delete_firewall(world, call):
    del world.firewalls[existing(world.firewalls, call.values["firewall_id"])["id"]]
    return 204, None


def list_volumes(world, call):
    world.settle()
    wanted = {name: call.query[name] for name in ("name", "region") if name in call.query}
    volumes = [volume for volume in world.volumes.values() if wanted.get("name", volume["name"]) == volume["name"]
               and wanted.get("region", volume["region"]["slug"]) == volume["region"]["slug"]]
    return 200, call.page("volumes", volumes)


def create_volume(world, call):
    body = call.body
    if not re.fullmatch(r"[a-z][a-z0-9-]{0,63}", body["name"]) or not 1 <= body["size_gigabytes"] <= 16384:
        raise unprocessable("invalid volume name or size")
    if len(world.volumes) >= world.settings["volume_limit"]:
        raise Refusal(403, "forbidden", "failed to create volume: volume/snapshot capacity limit exceeded")
    region = existing(world.regions, body["region"])
    if any(volume["name"] == body["name"] and volume["region"] is region for volume in world.volumes.values()):
        raise Refusal(409, "conflict", "a volume by that name already exists")
    number = str(uuid.uuid4())
    world.volumes[number] = {"id": number, "droplet_ids": [], "name": body["name"], "size_gigabytes": body["size_gigabytes"], "created_at": stamp(world.now()),
                             "tags": list(body.get("tags") or []), "region": region, "filesystem_type": body.get("filesystem_type", ""),
                             "filesystem_label": body.get("filesystem_label", ""), "description": body.get("description", "")}
    for tag in world.volumes[number]["tags"]:
        world.tags.setdefault(tag, {})
    return 201, {"volume": world.volumes[number]}


def show_volume(world, call):
    world.settle()
    return 200, {"volume": existing(world.volumes, call.values["volume_id"])}


def delete_volume(world, call):
    world.settle()
    if existing(world.volumes, call.values["volume_id"])["droplet_ids"]:
        raise Refusal(409, "conflict", "volume is still attached to a droplet")
    del world.volumes[call.values["volume_id"]]
    return 204, None


def act_on_volume(world, call):
    volume = existing(world.volumes, call.values["volume_id"])
    droplet = world.droplet(call.body["droplet_id"]) if "droplet_id" in call.body else None
    if call.body["type"] == "attach":
        if volume["droplet_ids"]:
            raise unprocessable("volume is already attached to a droplet")
        volume["droplet_ids"] = [droplet.number]
        droplet.volumes.append(volume["id"])
    elif call.body["type"] == "detach":
        volume["droplet_ids"] = []
        droplet.volumes.remove(volume["id"])
    else:
        volume["size_gigabytes"] = call.body["size_gigabytes"]
    action = world.begin_action(call.body["type"] + "_volume", droplet.number if droplet else None, "volume", volume["region"])
    return 202, {"action": world.action_document(action)}
