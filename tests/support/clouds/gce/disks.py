"""Disks of a zone."""

import re

from gce.catalogue import DISK_TYPES, ROOT, last
from gce.cloud import stamp
from gce.errors import already_exists, in_use, invalid, not_found

NAME = "[a-z](?:[-a-z0-9]{0,61}[a-z0-9])?"


def check_name(name, field="resource.name"):
    if not isinstance(name, str) or not re.fullmatch(NAME, name):
        raise invalid(field, name, f"Must be a match of regex '(?:{NAME})'")


def check_labels(labels, field="resource.labels"):
    if len(labels) > 64:
        raise invalid(field, len(labels), "At most 64 labels are allowed.")
    for key, value in labels.items():
        # Letters of other alphabets are allowed by the real one, too, as long as they have no upper case.
        if not re.fullmatch(r"[a-z][a-z0-9_-]{0,62}", key):
            raise invalid(field, key, "Label keys must start with a lowercase letter and have only lowercase letters, numbers, _ and -.")
        if not re.fullmatch(r"[a-z0-9_-]{0,63}", value):
            raise invalid(field, value, "Label values have at most 63 lowercase letters, numbers, _ and -.")


def disk_path(project, zone, name):
    return f"projects/{project.name}/zones/{zone}/disks/{name}"


def find_disk(project, zone, name):
    disk = project.disks.get((zone, name))
    if disk is None:
        raise not_found(disk_path(project, zone, name))
    return disk


def new_disk(cloud, project, zone, wanted, field):
    """A disk that is being made. `wanted` has name, size, type, image and labels, as the request said them."""
    check_name(wanted["name"], field)
    check_labels(wanted.get("labels") or {})
    path = disk_path(project, zone, wanted["name"])
    if (zone, wanted["name"]) in project.disks:
        raise already_exists(path)
    kind = last(wanted.get("type") or "pd-standard")
    if kind not in DISK_TYPES:
        raise not_found(f"projects/{project.name}/zones/{zone}/diskTypes/{kind}")
    if "/" in (wanted.get("type") or "/") and f"zones/{zone}/" not in (wanted.get("type") or f"zones/{zone}/"):
        raise invalid(field, wanted["type"], "Disk type must be in the same zone as the disk.")
    image = cloud.catalogue.image_at(project.name, wanted["image"], field) if wanted.get("image") else None
    smallest = int(image["diskSizeGb"]) if image else 1
    size = int(wanted.get("size") or (image["diskSizeGb"] if image else DISK_TYPES[kind]))
    if size < smallest:
        raise invalid(field, size, f"Requested disk size cannot be smaller than the image size ({smallest} GB)")
    disk = {"kind": "compute#disk", "id": cloud.new_id(), "name": wanted["name"], "sizeGb": str(size), "status": "CREATING",
            "zone": f"{ROOT}projects/{project.name}/zones/{zone}", "type": f"{ROOT}projects/{project.name}/zones/{zone}/diskTypes/{kind}",
            "selfLink": ROOT + path, "creationTimestamp": stamp(), "labelFingerprint": "42WmSpB8rSM=", "physicalBlockSizeBytes": "4096"}
    if wanted.get("labels"):
        disk["labels"] = wanted["labels"]
    if image:
        disk["sourceImage"], disk["sourceImageId"] = image["selfLink"], image["id"]
    project.disks[(zone, wanted["name"])] = disk
    return disk


class Disks:
    """The calls of compute.disks."""

    def __init__(self, cloud):
        self.cloud = cloud

    def get(self, call):
        self.cloud.catalogue.zone(call.project.name, call.places["zone"])
        return find_disk(call.project, call.places["zone"], call.places["disk"])

    def all(self, call):
        zone = call.places.get("zone")
        if zone:
            self.cloud.catalogue.zone(call.project.name, zone)
        return [disk for (place, _), disk in call.project.disks.items() if zone in (None, place)]

    def insert(self, call):
        zone = call.places["zone"]
        self.cloud.catalogue.zone(call.project.name, zone)
        wanted = {"name": call.body.get("name"), "size": call.body.get("sizeGb"), "type": call.body.get("type"),
                  "image": call.query.get("sourceImage") or call.body.get("sourceImage"), "labels": call.body.get("labels")}
        disk = new_disk(self.cloud, call.project, zone, wanted, "resource.name")
        return call.operation("insert", disk, zone, finish=lambda: disk.update(status="READY"), undo=lambda: self._forget(call.project, zone, disk))

    def delete(self, call):
        zone = call.places["zone"]
        disk = find_disk(call.project, zone, call.places["disk"])
        if disk.get("users"):
            raise in_use("disk", disk_path(call.project, zone, disk["name"]), disk["users"][0].removeprefix(ROOT))
        disk["status"] = "DELETING"
        return call.operation("delete", disk, zone, finish=lambda: self._forget(call.project, zone, disk), undo=lambda: disk.update(status="READY"))

    @staticmethod
    def _forget(project, zone, disk):
        if project.disks.get((zone, disk["name"])) is disk:
            del project.disks[(zone, disk["name"])]
