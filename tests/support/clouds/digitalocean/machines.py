"""Operations on droplets, their actions, and what they are made from."""

import re

from .world import Droplet, Refusal, covers, not_found, unprocessable

TAG = re.compile(r"[a-zA-Z0-9_\-:]{1,255}")
MOST_AT_ONCE = 10
MOST_USER_DATA = 64 * 1024


def account(world, _):
    return 200, {"account": {"droplet_limit": world.settings["droplet_limit"], "floating_ip_limit": 3, "email": "ops@example.org", "name": "Ops",
                             "uuid": "b6fr89dbf6d9156cace5f3c78dc9851d957381ef", "email_verified": True, "status": "active", "status_message": "",
                             "team": {"uuid": "5df3e3004a17e242b7c20ca6c9fc25b701a47ece", "name": "My Team"}}}


def list_droplets(world, call):
    droplets = world.there()
    if "tag_name" in call.query and "name" in call.query:
        raise Refusal(400, "bad_request", "name and tag_name cannot be combined")
    if "tag_name" in call.query:
        droplets = [droplet for droplet in droplets if call.query["tag_name"] in droplet.all_tags()]
    if "name" in call.query:
        droplets = [droplet for droplet in droplets if droplet.name.lower() == call.query["name"].lower()]
    return 200, call.page("droplets", [droplet.document() for droplet in droplets])


def create_droplets(world, call):
    body = call.body
    names = body["names"] if "names" in body else [body["name"]]
    check_creation(world, body, names)
    made = []
    for name in names:
        droplet = Droplet(next(world.numbers), name, body, world)
        droplet.hidden_until = world.now() + call.fault.get("after", 0.0) if call.fault.get("kind") == "late" else 0.0
        world.droplets[droplet.number] = droplet
        world.made += 1
        world.note_double(droplet)
        for volume in droplet.volumes:
            world.volumes[volume]["droplet_ids"] = [droplet.number]
        made.append(droplet)
    links = []
    for droplet in made:
        action = world.begin_action("create", droplet.number, "droplet", droplet.region)
        action["ends"] = droplet.active_at
        links.append({"id": action["id"], "rel": "create" if "name" in body else "multiple_create", "href": f"{call.base}/v2/actions/{action['id']}"})
    documents = [droplet.document() for droplet in made]
    return 202, {**({"droplet": documents[0]} if "name" in body else {"droplets": documents}), "links": {"actions": links}}


def check_creation(world, body, names):
    if len(names) > MOST_AT_ONCE:
        raise unprocessable("You may only create 10 droplets at a time.")
    check_place(world, body)
    if len(body.get("user_data", "").encode()) > MOST_USER_DATA:
        raise unprocessable("User data is too long (maximum is 64 KiB)")
    for tag in body.get("tags") or []:
        if not TAG.fullmatch(tag):
            raise unprocessable(f"{tag} is not a valid tag name")
    check_attached(world, body)
    if len(world.droplets) + len(names) > world.settings["droplet_limit"]:
        raise unprocessable("creating this/these droplet(s) will exceed your droplet limit")


def check_place(world, body):
    size, image, region = world.sizes.get(body["size"]), world.image(body["image"]), world.regions.get(body.get("region", "nyc1"))
    if size is None:
        raise unprocessable("You specified an invalid size for Droplet creation.")
    if image is None:
        raise unprocessable("You specified an invalid image for Droplet creation.")
    if region is None:
        raise unprocessable("You specified an invalid region for Droplet creation.")
    if not region["available"]:
        raise unprocessable("Region is not available")
    if not size["available"]:
        raise unprocessable("Size is currently unavailable")
    if region["slug"] not in size["regions"]:
        raise unprocessable("Size is not available in this region.")
    if region["slug"] not in image["regions"]:
        raise unprocessable("The image you specified is not available in the selected region, you can transfer the image to this region from the images section.")
    if image["min_disk_size"] > size["disk"]:
        raise unprocessable("This size cannot be used: its disk is smaller than the image needs.")


def check_attached(world, body):
    region = body.get("region", "nyc1")
    known = {str(word) for key in world.keys.values() for word in (key["id"], key["fingerprint"])}
    wrong = [str(key) for key in body.get("ssh_keys", []) if str(key) not in known]
    if wrong:
        raise unprocessable(f"{', '.join(wrong)} are invalid key identifiers for Droplet creation.")
    for number in body.get("volumes", []):
        volume = world.volumes.get(number)
        if volume is None or volume["region"]["slug"] != region:
            raise unprocessable("volume could not be found in this region")
        if volume["droplet_ids"]:
            raise unprocessable("volume is already attached to a droplet")
    if body.get("vpc_uuid") and (body["vpc_uuid"] not in world.vpcs or world.vpcs[body["vpc_uuid"]]["region"] != region):
        raise unprocessable("Failed to resolve VPC")


def show_droplet(world, call):
    return 200, {"droplet": world.droplet(call.values["droplet_id"]).document()}


def destroy_droplet(world, call):
    end(world, world.droplet(call.values["droplet_id"]), call.fault)
    return 204, None


def end(world, droplet, fault):
    if droplet.is_busy():
        raise unprocessable("Droplet already has a pending event.")
    if fault.get("kind") == "comes_back":
        droplet.hidden_until, droplet.has_come_back = world.now() + fault["after"], True
        return
    droplet.busy_until = droplet.gone_at = world.now() + world.settings["destroy_seconds"]


def destroy_by_tag(world, call):
    for droplet in world.there():
        if call.query["tag_name"] in droplet.all_tags():
            end(world, droplet, call.fault)
    return 204, None


def act(world, call):
    droplet = world.droplet(call.values["droplet_id"])
    if droplet.is_busy():
        raise unprocessable("Droplet already has a pending event.")
    kind = call.body["type"]
    effects = {"power_off": ("is_off", True), "shutdown": ("is_off", True), "power_on": ("is_off", False), "enable_ipv6": ("has_ipv6", True),
               "rename": ("name", call.body.get("name"))}
    if kind in effects:
        setattr(droplet, *effects[kind])
    droplet.busy_until = world.now() + world.settings["action_seconds"]
    action = world.begin_action(kind, droplet.number, "droplet", droplet.region)
    return 201, {"action": world.action_document(action)}


def droplet_actions(world, call):
    droplet = world.droplet(call.values["droplet_id"])
    actions = [world.action_document(action) for action in world.actions.values() if action["resource_id"] == droplet.number]
    return 200, call.page("actions", actions)


def list_actions(world, call):
    return 200, call.page("actions", [world.action_document(action) for action in world.actions.values()])


def show_action(world, call):
    action = world.actions.get(int(call.values["action_id"]))
    if action is None:
        raise not_found()
    return 200, {"action": world.action_document(action)}


def droplet_firewalls(world, call):
    droplet = world.droplet(call.values["droplet_id"])
    return 200, call.page("firewalls", [firewall for firewall in world.firewalls.values() if covers(firewall, droplet)])


def list_regions(world, call):
    return 200, call.page("regions", list(world.regions.values()))


def list_sizes(world, call):
    return 200, call.page("sizes", list(world.sizes.values()))


def list_images(world, call):
    images = list(world.images.values())
    if call.query.get("type") == "distribution":
        images = [image for image in images if image["slug"] and not image["slug"].startswith("application")]
    if call.query.get("type") == "application":
        images = [image for image in images if image["slug"] and image["slug"].startswith("application")]
    if call.query.get("private") == "true":
        images = [image for image in images if not image["public"]]
    return 200, call.page("images", images)


def show_image(world, call):
    image = world.image(call.values["image_id"])
    if image is None:
        raise not_found()
    return 200, {"image": image}


def list_vpcs(world, call):
    return 200, call.page("vpcs", list(world.vpcs.values()))


def show_vpc(world, call):
    if call.values["vpc_id"] not in world.vpcs:
        raise not_found()
    return 200, {"vpc": world.vpcs[call.values["vpc_id"]]}
