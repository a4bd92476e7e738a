"""What Compute Engine offers everybody: zones, sizes, kinds of disks, public images, and the network of a new project."""

import re

from gce.errors import invalid, not_found

ROOT = "https://www.googleapis.com/compute/v1/"
CREATED = "2024-05-01T10:00:00.000-07:00"
REGIONS = {"us-central1": "abcf", "us-east1": "bcd", "europe-west1": "bcd", "asia-east1": "abc"}
ZONES = {f"{region}-{letter}": region for region, letters in REGIONS.items() for letter in letters}
SIZES = {"e2-micro": (2, 1024), "e2-small": (2, 2048), "e2-medium": (2, 4096), "e2-standard-2": (2, 8192), "e2-standard-4": (4, 16384),
         "n1-standard-1": (1, 3840), "n1-standard-2": (2, 7680), "n1-standard-4": (4, 15360), "n2-standard-2": (2, 8192),
         "n2-standard-8": (8, 32768), "c3-standard-4": (4, 16384)}
# Not every size is offered everywhere.
MISSING = {("c3-standard-4", "us-central1-f"), ("c3-standard-4", "asia-east1-a")}
DISK_TYPES = {"pd-standard": "500", "pd-ssd": "100", "pd-balanced": "100"}
# project -> (name, family, smallest disk in GB, has cloud-init, is deprecated)
IMAGES = {
    "debian-cloud": [("debian-11-bullseye-v20240312", "debian-11", 10, False, True), ("debian-12-bookworm-v20240312", "debian-12", 10, False, True),
                     ("debian-12-bookworm-v20240515", "debian-12", 10, False, False)],
    "ubuntu-os-cloud": [("ubuntu-2204-jammy-v20240515", "ubuntu-2204-lts", 10, True, False),
                        ("ubuntu-2404-noble-v20240515", "ubuntu-2404-lts-amd64", 10, True, False)],
}


def number_of(text):
    """An id that stays the same: 19 digits, as Google's have."""
    value = 7
    for character in text:
        value = (value * 131 + ord(character)) % 10**18
    return str(10**18 + value)


def last(link):
    return link.rsplit("/", 1)[-1]


class Catalogue:
    def __init__(self):
        self.images = {project: {entry[0]: self._image(project, *entry) for entry in entries} for project, entries in IMAGES.items()}

    def add_image(self, project, name, family, size):
        self.images.setdefault(project, {})[name] = self._image(project, name, family, size, False, False)

    @staticmethod
    def _image(project, name, family, size, cloud_init, deprecated):
        path = f"projects/{project}/global/images/{name}"
        image = {"kind": "compute#image", "id": number_of(path), "name": name, "family": family, "status": "READY", "diskSizeGb": str(size),
                 "archiveSizeBytes": str(size * 10**8), "creationTimestamp": CREATED, "sourceType": "RAW", "architecture": "X86_64",
                 "selfLink": ROOT + path, "_cloud_init": cloud_init}
        if deprecated:
            image["deprecated"] = {"state": "DEPRECATED"}
        return image

    def zone(self, project, name):
        if name not in ZONES:
            # The real one answers with 400 or 403 for zones that do not exist, depending on the call.
            raise invalid("zone", name, "Unknown zone.")
        region = f"{ROOT}projects/{project}/regions/{ZONES[name]}"
        return {"kind": "compute#zone", "id": number_of(name), "name": name, "description": name, "status": "UP", "region": region,
                "creationTimestamp": CREATED, "selfLink": f"{ROOT}projects/{project}/zones/{name}"}

    def region(self, project, name, quotas):
        if name not in REGIONS:
            raise not_found(f"projects/{project}/regions/{name}")
        return {"kind": "compute#region", "id": number_of(name), "name": name, "description": name, "status": "UP", "quotas": quotas,
                "zones": [f"{ROOT}projects/{project}/zones/{name}-{letter}" for letter in REGIONS[name]],
                "selfLink": f"{ROOT}projects/{project}/regions/{name}", "creationTimestamp": CREATED}

    def machine_type(self, project, zone, name):
        self.zone(project, zone)
        if name not in SIZES or (name, zone) in MISSING:
            raise not_found(f"projects/{project}/zones/{zone}/machineTypes/{name}")
        cpus, memory = SIZES[name]
        return {"kind": "compute#machineType", "id": number_of(name), "name": name, "description": f"{cpus} vCPU, {memory // 1024} GB RAM",
                "guestCpus": cpus, "memoryMb": memory, "isSharedCpu": name.startswith("e2-m"), "maximumPersistentDisks": 128,
                "maximumPersistentDisksSizeGb": "263168", "zone": zone, "creationTimestamp": CREATED,
                "selfLink": f"{ROOT}projects/{project}/zones/{zone}/machineTypes/{name}"}

    def machine_types(self, project, zone):
        return [self.machine_type(project, zone, name) for name in SIZES if (name, zone) not in MISSING]

    def disk_type(self, project, zone, name):
        if name not in DISK_TYPES:
            raise not_found(f"projects/{project}/zones/{zone}/diskTypes/{name}")
        return {"kind": "compute#diskType", "id": number_of(name), "name": name, "defaultDiskSizeGb": DISK_TYPES[name], "validDiskSize": "10GB-65536GB",
                "zone": f"{ROOT}projects/{project}/zones/{zone}", "creationTimestamp": CREATED,
                "selfLink": f"{ROOT}projects/{project}/zones/{zone}/diskTypes/{name}"}

    def disk_types(self, project, zone):
        return [self.disk_type(project, zone, name) for name in DISK_TYPES]

    def image(self, project, name):
        image = self.images.get(project, {}).get(name)
        if image is None:
            raise not_found(f"projects/{project}/global/images/{name}")
        return image

    def newest(self, project, family):
        found = [image for image in self.images.get(project, {}).values() if image["family"] == family and "deprecated" not in image]
        if not found:
            raise not_found(f"projects/{project}/global/images/family/{family}")
        return max(found, key=lambda image: image["name"])

    def image_at(self, project, link, field):
        """The image that a link of a request names: its URL or a part of it, with a name or a family."""
        path = re.sub(r"^https://(www|compute)\.googleapis\.com/compute/v1/", "", link)
        path = path if path.startswith("projects/") else f"projects/{project}/{path}"
        found = re.fullmatch(r"projects/([^/]+)/global/images/(family/)?([^/]+)", path)
        if not found:
            raise invalid(field, link, "The URL is malformed.")
        return self.newest(found[1], found[3]) if found[2] else self.image(found[1], found[3])

    @staticmethod
    def network(project, name):
        path = f"projects/{project}/global/networks/{name}"
        return {"kind": "compute#network", "id": number_of(path), "name": name, "autoCreateSubnetworks": True, "creationTimestamp": CREATED,
                "selfLink": ROOT + path, "routingConfig": {"routingMode": "REGIONAL"},
                "subnetworks": [f"{ROOT}projects/{project}/regions/{region}/subnetworks/{name}" for region in REGIONS]}

    @staticmethod
    def subnetwork(project, region, network):
        path = f"projects/{project}/regions/{region}/subnetworks/{network}"
        return {"kind": "compute#subnetwork", "id": number_of(path), "name": network, "network": f"{ROOT}projects/{project}/global/networks/{network}",
                "ipCidrRange": f"10.{128 + 4 * sorted(REGIONS).index(region)}.0.0/20", "region": f"{ROOT}projects/{project}/regions/{region}",
                "selfLink": ROOT + path, "creationTimestamp": CREATED}
