"""What exists in the simulated DigitalOcean, and how time changes it. Nothing runs in the background: states follow from the clock."""

import ipaddress
import itertools
import time
import uuid

from . import catalogue

SETTINGS = {
    # From the request until the droplet is active; its address can be read `address_seconds` later, its tags `tag_seconds` after the request.
    "boot_seconds": 1.0, "address_seconds": 0.3, "tag_seconds": 0.2,
    "destroy_seconds": 0.5, "action_seconds": 0.5,
    "droplet_limit": 25, "volume_limit": 100,
    # 250 requests in one minute, 5,000 in one hour; tests make minutes and hours shorter.
    "burst_limit": 250, "burst_seconds": 60.0, "hour_limit": 5000, "hour_seconds": 3600.0,
    # Whatever `per_page` asks for.
    "largest_page": 200,
    # Token -> its scopes; "*" is full access.
    "tokens": {"dop_v1_good": ["*"]},
    "public_network": "198.18.0.0/16", "private_network": "10.132.0.0/16",
}


class Refusal(Exception):
    """An answer with an error, in DigitalOcean's form."""

    def __init__(self, status, word, message):
        super().__init__(message)
        self.status = status
        self.body = {"id": word, "message": message}


def unprocessable(message):
    return Refusal(422, "unprocessable_entity", message)


def not_found():
    return Refusal(404, "not_found", "The resource you requested could not be found.")


def stamp(moment):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(moment))


class Droplet:
    """A droplet of the request `body`. Times are seconds of the epoch."""

    def __init__(self, number, name, body, world):
        now = world.now()
        self.number, self.name, self.body, self.world = number, name, body, world
        self.made = now
        self.active_at = now + world.settings["boot_seconds"]
        self.address_at = self.active_at + world.settings["address_seconds"]
        self.tagged_at = now + world.settings["tag_seconds"]
        self.busy_until = self.active_at
        self.gone_at = None
        self.hidden_until = 0.0
        self.has_come_back = False
        self.is_off = False
        self.later_tags = set(body.get("tags") or [])
        self.tags = set()
        self.volumes = list(body.get("volumes", []))
        self.region = world.regions[body.get("region", "nyc1")]
        self.size = world.sizes[body["size"]]
        self.image = world.image(body["image"])
        self.vpc = body.get("vpc_uuid") or world.default_vpc(self.region["slug"])
        self.has_ipv6 = body.get("ipv6", False)

    def exists(self):
        now = self.world.now()
        return now >= self.hidden_until and (self.gone_at is None or now < self.gone_at)

    def is_gone(self):
        return self.gone_at is not None and self.world.now() >= self.gone_at

    def is_busy(self):
        return self.world.now() < self.busy_until

    def status(self):
        if self.world.now() < self.active_at:
            return "new"
        return "off" if self.is_off else "active"

    def all_tags(self):
        if self.later_tags and self.world.now() >= self.tagged_at:
            self.tags |= self.later_tags
            self.later_tags = set()
            for tag in self.tags:
                self.world.tags.setdefault(tag, {})
        return sorted(self.tags)

    def networks(self):
        if self.world.now() < self.address_at:
            return {"v4": [], "v6": []}
        public = [{"ip_address": self.world.address("public_network", self.number), "netmask": "255.255.240.0", "gateway": "198.18.0.1", "type": "public"}]
        private = [{"ip_address": self.world.address("private_network", self.number), "netmask": "255.255.0.0", "gateway": "10.132.0.1", "type": "private"}]
        v6 = [{"ip_address": f"2001:db8::{self.number % 65536:x}", "netmask": 64, "gateway": "2001:db8::1", "type": "public"}]
        return {"v4": private + (public if self.body.get("public_networking", True) else []), "v6": v6 if self.has_ipv6 else []}

    def document(self):
        features = ["droplet_agent", "private_networking"] + [word for word in ("backups", "ipv6", "monitoring") if self.body.get(word)]
        return {"id": self.number, "name": self.name, "memory": self.size["memory"], "vcpus": self.size["vcpus"], "disk": self.size["disk"],
                "disk_info": self.size["disk_info"], "locked": self.is_busy(), "status": self.status(), "kernel": None, "created_at": stamp(self.made),
                "features": features, "backup_ids": [], "next_backup_window": None, "snapshot_ids": [], "image": self.image, "volume_ids": self.volumes,
                "size": self.size, "size_slug": self.size["slug"], "networks": self.networks(), "region": self.region, "tags": self.all_tags(),
                "vpc_uuid": self.vpc}


class World:
    def __init__(self):
        self.settings = dict(SETTINGS)
        self.numbers = itertools.count(412000001)
        self.made = 0
        # Droplets that were made although another one of the same node was alive, and had not been deleted and come back.
        self.doubles = []
        self.sizes = catalogue.make_sizes()
        self.regions = catalogue.make_regions(self.sizes)
        self.images = catalogue.make_images()
        self.vpcs = {}
        self.droplets, self.keys, self.firewalls, self.volumes, self.tags, self.actions = {}, {}, {}, {}, {}, {}
        for slug in self.regions:
            self.add_vpc(f"default-{slug}", slug, True)
        self.add_vpc("own", "nyc3", False)

    def now(self):
        return time.time()

    def note_double(self, droplet):
        """A node's droplets are named so: cooperage-INSTALLATION-CLUSTER-NODE-tTASK-ATTEMPT."""
        node = droplet.name.rpartition("-t")[0]
        others = [other for other in self.droplets.values() if other is not droplet and other.gone_at is None and not other.has_come_back and other.name.rpartition("-t")[0] == node]
        if node and others:
            self.doubles.append({"droplet": droplet.name, "others": [other.name for other in others], "at": stamp(self.now())})

    def address(self, network, number):
        block = ipaddress.ip_network(self.settings[network])
        return str(block[2 + number % (block.num_addresses - 4)])

    def add_vpc(self, name, region, is_default):
        number = str(uuid.uuid5(uuid.NAMESPACE_DNS, name))
        self.vpcs[number] = {"id": number, "urn": f"do:vpc:{number}", "name": name, "region": region, "ip_range": "10.132.0.0/16", "default": is_default,
                             "created_at": catalogue.CREATED, "description": ""}

    def default_vpc(self, region):
        return next(number for number, vpc in self.vpcs.items() if vpc["default"] and vpc["region"] == region)

    def image(self, wanted):
        """By number or slug; None when there is none."""
        return next((image for image in self.images.values() if str(wanted) in (str(image["id"]), image["slug"])), None)

    def settle(self):
        """Lets go of what has ended: volumes of droplets that are gone, numbers in firewalls."""
        for number, droplet in list(self.droplets.items()):
            if not droplet.is_gone():
                continue
            del self.droplets[number]
            for volume in self.volumes.values():
                volume["droplet_ids"] = [other for other in volume["droplet_ids"] if other != number]
            for firewall in self.firewalls.values():
                firewall["droplet_ids"] = [other for other in firewall["droplet_ids"] if other != number]

    def there(self):
        """The droplets that can be seen, oldest first."""
        self.settle()
        return [droplet for droplet in self.droplets.values() if droplet.exists()]

    def droplet(self, number):
        self.settle()
        droplet = self.droplets.get(int(number))
        if droplet is None or not droplet.exists():
            raise not_found()
        return droplet

    def begin_action(self, kind, resource, resource_type, region):
        number = next(self.numbers)
        self.actions[number] = {"id": number, "type": kind, "started_at": stamp(self.now()), "resource_id": resource, "resource_type": resource_type,
                                "region": region, "region_slug": region["slug"], "ends": self.now() + self.settings["action_seconds"]}
        return self.actions[number]

    def action_document(self, action):
        is_over = self.now() >= action["ends"]
        document = {name: value for name, value in action.items() if name != "ends"}
        return {**document, "status": "completed" if is_over else "in-progress", "completed_at": stamp(action["ends"]) if is_over else None}

    def everything(self):
        """For tests: what exists, droplets that come back later included."""
        self.settle()
        droplets = [{**droplet.document(), "user_data": droplet.body.get("user_data"), "ssh_keys": droplet.body.get("ssh_keys", []),
                     "is_visible": droplet.exists(), "is_ending": droplet.gone_at is not None,
                     "firewalls": [firewall["name"] for firewall in self.firewalls.values() if covers(firewall, droplet)]}
                    for droplet in self.droplets.values()]
        return {"droplets": droplets, "keys": list(self.keys.values()), "firewalls": list(self.firewalls.values()), "volumes": list(self.volumes.values()),
                "tags": sorted(self.tags)}


def covers(firewall, droplet):
    return droplet.number in firewall["droplet_ids"] or bool(set(firewall["tags"]) & set(droplet.all_tags()))
