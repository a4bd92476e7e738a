"""Machines of a zone: made by operations that may fail, booted, taken back, deleted."""

import re

from gce import guest
from gce.catalogue import REGIONS, ROOT, SIZES, ZONES, last
from gce.cloud import stamp
from gce.disks import check_labels, check_name, find_disk, new_disk
from gce.errors import already_exists, exhausted, in_use, invalid, not_found, not_ready, quota

LONGEST_VALUE = 256 * 1024
LONGEST_METADATA = 512 * 1024


def path_of(project, zone, name):
    return f"projects/{project.name}/zones/{zone}/instances/{name}"


def find_instance(project, zone, name):
    instance = project.instances.get((zone, name))
    if instance is None or not instance["_visible"]:
        raise not_found(path_of(project, zone, name))
    return instance


def check_metadata(metadata):
    items = metadata.get("items", [])
    keys = [item["key"] for item in items]
    if len(set(keys)) != len(keys):
        raise invalid("resource.metadata", keys, "Keys must be unique.")
    if any(len(item["value"].encode()) > LONGEST_VALUE for item in items):
        raise invalid("resource.metadata.items", "", f"Metadata value exceeds {LONGEST_VALUE} bytes.")
    if sum(len(item["key"]) + len(item["value"].encode()) for item in items) > LONGEST_METADATA:
        raise invalid("resource.metadata", "", f"Metadata exceeds {LONGEST_METADATA} bytes.")


def check_scheduling(scheduling):
    spot = scheduling.get("preemptible") or scheduling.get("provisioningModel") == "SPOT"
    if spot and scheduling.get("automaticRestart", True):
        raise invalid("resource.scheduling.automaticRestart", "true", "Scheduling must have automaticRestart be false when the instance is preemptible.")
    if spot and scheduling.get("onHostMaintenance", "TERMINATE") != "TERMINATE":
        raise invalid("resource.scheduling.onHostMaintenance", "MIGRATE", "Scheduling must have onHostMaintenance be TERMINATE for preemptible instances.")
    if scheduling.get("instanceTerminationAction") and not spot:
        raise invalid("resource.scheduling.instanceTerminationAction", scheduling["instanceTerminationAction"],
                      "You cannot specify a termination action for a VM instance that has the standard provisioning model (default).")


def check_body(body):
    check_name(body.get("name"))
    check_labels(body.get("labels") or {})
    check_metadata(body.get("metadata") or {})
    check_scheduling(body.get("scheduling") or {})
    for tag in (body.get("tags") or {}).get("items", []):
        check_name(tag, "resource.tags.items")
    if not body.get("machineType"):
        raise invalid("resource.machineType", "", "The URL is malformed.")
    if sum(1 for disk in body.get("disks", []) if disk.get("boot")) != 1:
        raise invalid("resource.disks", "", "Boot disk must be specified, exactly one.")
    if not body.get("networkInterfaces"):
        raise invalid("resource.networkInterfaces", "[]", "At least one network interface is required.")


class Instances:
    """The calls of compute.instances."""

    def __init__(self, cloud):
        self.cloud = cloud

    def get(self, call):
        self.cloud.catalogue.zone(call.project.name, call.places["zone"])
        return find_instance(call.project, call.places["zone"], call.places["instance"])

    def all(self, call):
        zone = call.places.get("zone")
        if zone:
            self.cloud.catalogue.zone(call.project.name, zone)
        return [one for (place, _), one in call.project.instances.items() if zone in (None, place) and one["_visible"]]

    def guest_attributes(self, call):
        query = call.query.get("queryPath", "")
        return guest.guest_attributes(call.project, self.get(call), query)

    def serial_port(self, call):
        return guest.serial_port(call.project, self.get(call), int(call.query.get("start", "0")))

    def insert(self, call):
        project, zone, body = call.project, call.places["zone"], call.body
        self.cloud.catalogue.zone(project.name, zone)
        check_body(body)
        path = path_of(project, zone, body["name"])
        if (zone, body["name"]) in project.instances:
            raise already_exists(path)
        size = last(body["machineType"])
        if f"zones/{zone}/machineTypes/" not in body["machineType"]:
            raise invalid("resource.machineType", body["machineType"], "Machine type must be in the same zone as the instance.")
        try:
            self.cloud.catalogue.machine_type(project.name, zone, size)
        except Exception:
            raise invalid("resource.machineType", body["machineType"], f"Machine type with name '{size}' does not exist in zone '{zone}'.") from None
        networks = self._interfaces(project, zone, body)
        over = self._over_quota(project, ZONES[zone], size)
        if over and self.cloud.settings["quota_shows"] == "http":
            raise over
        disks = self._disks(project, zone, body)
        instance = self._instance(project, zone, body, disks, networks)
        project.instances[(zone, body["name"])] = instance
        if zone in self.cloud.settings["exhausted_zones"]:
            over = exhausted(zone, size, self.cloud.settings["zones_available"])
        return call.operation("insert", instance, zone, finish=lambda: self._boot(instance), undo=lambda: self._forget(project, instance), fails=over)

    def _over_quota(self, project, region, size):
        used = sum(SIZES[last(one["machineType"])][0] for one in project.instances.values() if ZONES[one["_zone"]] == region)
        limit = self.cloud.settings["quotas"].get("CPUS")
        return quota("CPUS", limit, region) if limit is not None and used + SIZES[size][0] > limit else None

    def _interfaces(self, project, zone, body):
        region, made = ZONES[zone], []
        for index, wanted in enumerate(body["networkInterfaces"]):
            name = last(wanted.get("network") or "default")
            subnetwork = wanted.get("subnetwork")
            if subnetwork and f"regions/{region}/" not in subnetwork:
                raise invalid(f"resource.networkInterfaces[{index}].subnetwork", subnetwork, "The subnetwork must be in the region of the instance.")
            if name not in project.networks or (subnetwork and last(subnetwork) not in project.networks):
                raise not_found(f"projects/{project.name}/global/networks/{name}")
            number = next(self.cloud.addresses)
            base = 128 + 4 * sorted(REGIONS).index(region)
            interface = {"kind": "compute#networkInterface", "name": f"nic{index}", "network": f"{ROOT}projects/{project.name}/global/networks/{name}",
                         "subnetwork": self.cloud.catalogue.subnetwork(project.name, region, name)["selfLink"], "stackType": "IPV4_ONLY",
                         "networkIP": f"10.{base}.{number // 250 % 250}.{number % 250 + 2}", "fingerprint": "yi7gXlW5uZM="}
            if wanted.get("accessConfigs"):
                interface["accessConfigs"] = [{"kind": "compute#accessConfig", "type": "ONE_TO_ONE_NAT", "networkTier": "PREMIUM",
                                               "name": wanted["accessConfigs"][0].get("name", "external-nat")}]
                # A machine gets its public address a while after its private one.
                interface["_public"] = f"{self.cloud.settings['public_network']}.{number // 250 % 250}.{number % 250 + 2}"
            made.append(interface)
        return made

    def _disks(self, project, zone, body):
        """The disks, made or found. What was made before a later one was refused goes again."""
        made, attached = [], []
        try:
            for index, wanted in enumerate(body["disks"]):
                field = f"resource.disks[{index}]"
                if "source" in wanted:
                    disk = find_disk(project, zone, last(wanted["source"]))
                    if disk.get("users"):
                        raise in_use("disk", disk["selfLink"].removeprefix(ROOT), disk["users"][0].removeprefix(ROOT))
                    if disk["status"] != "READY":
                        raise not_ready(disk["selfLink"].removeprefix(ROOT))
                else:
                    params = wanted.get("initializeParams") or {}
                    default = body["name"] if wanted.get("boot") else f"{body['name']}-{index}"
                    disk = new_disk(self.cloud, project, zone, {
                        "name": params.get("diskName", default), "size": params.get("diskSizeGb") or wanted.get("diskSizeGb"),
                        "type": params.get("diskType"), "image": params.get("sourceImage"), "labels": params.get("labels")}, field)
                    made.append(disk)
                if wanted.get("boot") and "sourceImage" not in disk:
                    raise invalid(field, "", "The boot disk has no image.")
                attached.append((wanted, disk))
        except Exception:
            for disk in made:
                del project.disks[(zone, disk["name"])]
            raise
        return [(wanted, disk, disk in made) for wanted, disk in attached]

    def _instance(self, project, zone, body, disks, networks):
        path = path_of(project, zone, body["name"])
        image = self.cloud.catalogue.image_at(project.name, disks[0][1]["sourceImage"], "resource.disks[0]")
        instance = {
            "kind": "compute#instance", "id": self.cloud.new_id(), "name": body["name"], "status": "PROVISIONING", "selfLink": ROOT + path,
            "zone": f"{ROOT}projects/{project.name}/zones/{zone}", "creationTimestamp": stamp(), "cpuPlatform": "Unknown CPU Platform",
            "machineType": f"{ROOT}projects/{project.name}/zones/{zone}/machineTypes/{last(body['machineType'])}",
            "metadata": {"kind": "compute#metadata", "fingerprint": "q2xL4VQcnbM=", **(body.get("metadata") or {})},
            "tags": {"fingerprint": "6smc4R4d39I=", **(body.get("tags") or {})}, "labels": body.get("labels") or {}, "labelFingerprint": "p1RAmv9P3Fk=",
            "scheduling": {"onHostMaintenance": "MIGRATE", "automaticRestart": True, "preemptible": False, "provisioningModel": "STANDARD",
                           **(body.get("scheduling") or {})},
            "networkInterfaces": networks, "deletionProtection": False, "canIpForward": False, "startRestricted": False,
            "disks": [self._attached(wanted, disk, index) for index, (wanted, disk, _) in enumerate(disks)],
            "_zone": zone, "_disks": [(disk, made) for _, disk, made in disks], "_agent": False, "_busy": True, "_host_key": "",
            "_visible": self.cloud.settings["invisible"] == 0}
        if body.get("hostname"):
            instance["hostname"] = body["hostname"]
        instance["_host_key"] = guest.host_key_of(instance, image["_cloud_init"])
        for _, disk, _ in disks:
            disk["users"] = [ROOT + path]
        if not instance["_visible"]:
            self.cloud.after(self.cloud.settings["invisible"], lambda: instance.update(_visible=True))
        return instance

    @staticmethod
    def _attached(wanted, disk, index):
        attached = {"kind": "compute#attachedDisk", "type": "PERSISTENT", "mode": wanted.get("mode", "READ_WRITE"), "source": disk["selfLink"],
                    "deviceName": wanted.get("deviceName", f"persistent-disk-{index}"), "index": index, "boot": bool(wanted.get("boot")),
                    "autoDelete": bool(wanted.get("autoDelete", False)), "interface": "SCSI", "diskSizeGb": disk["sizeGb"]}
        if not re.fullmatch(r"[a-zA-Z0-9_.-]{1,63}", attached["deviceName"]):
            raise invalid("resource.disks.deviceName", attached["deviceName"], "Not a device name.")
        return attached

    def _boot(self, instance):
        instance["_busy"] = False
        instance.update(status="STAGING")
        for disk, _ in instance["_disks"]:
            disk["status"] = "READY"
        self.cloud.after(self.cloud.settings["boot"], lambda: self._run(instance))

    def _run(self, instance):
        if instance["status"] != "STAGING":
            return
        instance.update(status="RUNNING", cpuPlatform="Intel Broadwell", lastStartTimestamp=stamp())
        for interface in instance["networkInterfaces"]:
            if "_public" in interface:
                interface["accessConfigs"][0]["natIP"] = interface.pop("_public")
        self.cloud.after(self.cloud.settings["agent"], lambda: instance.update(_agent=instance["status"] == "RUNNING"))

    @staticmethod
    def _forget(project, instance):
        """An insert that failed leaves nothing but its operation."""
        project.instances.pop((instance["_zone"], instance["name"]), None)
        for disk, made in instance["_disks"]:
            disk.pop("users", None)
            if made:
                project.disks.pop((instance["_zone"], disk["name"]), None)

    def delete(self, call):
        instance = self.get(call)
        if instance["_busy"]:
            raise not_ready(path_of(call.project, instance["_zone"], instance["name"]))
        before = instance["status"]
        instance.update(status="STOPPING", _busy=True, _agent=False)
        return call.operation("delete", instance, instance["_zone"], seconds=self.cloud.settings["deletion"],
                              finish=lambda: self._delete(call.project, instance), undo=lambda: instance.update(status=before, _busy=False))

    @staticmethod
    def _delete(project, instance):
        project.instances.pop((instance["_zone"], instance["name"]), None)
        for attached in instance["disks"]:
            disk = project.disks.get((instance["_zone"], last(attached["source"])))
            if disk is not None and attached["autoDelete"]:
                del project.disks[(instance["_zone"], disk["name"])]
            elif disk is not None:
                disk.pop("users", None)

    def preempt(self, project, name):
        """Takes a machine back as Compute Engine takes spot machines back: an operation of the system stops it."""
        instance = next(one for one in project.instances.values() if one["name"] == name)
        instance.update(status="STOPPING", _agent=False)
        action = instance["scheduling"].get("instanceTerminationAction", "STOP")
        gone = (lambda: self._delete(project, instance)) if action == "DELETE" else lambda: instance.update(status="TERMINATED", lastStopTimestamp=stamp())
        self.cloud.operation(project, "compute.instances.preempted", instance, "system", zone=instance["_zone"], finish=gone)

    def abandon(self, project, name):
        """A machine goes and leaves its disks, as when a person deletes it by hand and keeps them."""
        instance = next(one for one in project.instances.values() if one["name"] == name)
        for attached in instance["disks"]:
            attached["autoDelete"] = False
        self._delete(project, instance)
