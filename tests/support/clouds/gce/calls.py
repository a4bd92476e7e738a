"""The table of calls: which method of the discovery document does what here."""

import time

from gce.catalogue import REGIONS, ROOT, SIZES, ZONES, last
from gce.cloud import shown
from gce.disks import Disks
from gce.errors import Refusal
from gce.filters import filtered, page
from gce.instances import Instances
from gce.networks import Firewalls, Networks


class Call:
    """One request that the judge and the account have let through. `fails`: the Refusal its operation shall end with."""

    def __init__(self, cloud, project, places, query, body, user, fails=None):
        self.cloud = cloud
        self.project = project
        self.places = places
        self.query = query
        self.body = body if body is not None else {}
        self.user = user
        self.fails = fails

    def operation(self, kind, target, zone, finish=None, undo=None, fails=None, seconds=None):
        ends_with = self.fails or fails
        return self.cloud.operation(self.project, kind, target, self.user, zone=zone, request_id=self.query.get("requestId"), seconds=seconds,
                                    finish=undo if ends_with else finish, fails=ends_with)


class Calls:
    def __init__(self, cloud):
        self.cloud = cloud
        instances, disks, networks, firewalls = Instances(cloud), Disks(cloud), Networks(cloud), Firewalls(cloud)
        catalogue = cloud.catalogue
        self.instances = instances
        self.single = {
            "diskTypes.get": lambda call: catalogue.disk_type(call.project.name, call.places["zone"], call.places["diskType"]),
            "disks.delete": disks.delete, "disks.get": disks.get, "disks.insert": disks.insert,
            "firewalls.delete": firewalls.delete, "firewalls.get": firewalls.get, "firewalls.insert": firewalls.insert,
            "firewalls.patch": firewalls.patch,
            "globalOperations.get": self._operation, "globalOperations.wait": self._wait,
            "images.get": lambda call: catalogue.image(call.project.name, call.places["image"]),
            "images.getFromFamily": lambda call: catalogue.newest(call.project.name, call.places["family"]),
            "instances.delete": instances.delete, "instances.get": instances.get, "instances.insert": instances.insert,
            "instances.getGuestAttributes": instances.guest_attributes, "instances.getSerialPortOutput": instances.serial_port,
            "machineTypes.get": lambda call: catalogue.machine_type(call.project.name, call.places["zone"], call.places["machineType"]),
            "networks.get": networks.get,
            "projects.get": self._project,
            "regions.get": lambda call: catalogue.region(call.project.name, call.places["region"], self._quotas(call, call.places["region"])),
            "zoneOperations.get": self._operation, "zoneOperations.wait": self._wait,
            "zones.get": lambda call: catalogue.zone(call.project.name, call.places["zone"]),
        }
        self.lists = {
            "diskTypes.list": lambda call: catalogue.disk_types(call.project.name, call.places["zone"]),
            "disks.list": disks.all, "disks.aggregatedList": disks.all,
            "firewalls.list": firewalls.all,
            "globalOperations.list": self._operations, "globalOperations.aggregatedList": self._operations,
            "images.list": lambda call: list(catalogue.images.get(call.project.name, {}).values()),
            "instances.list": instances.all, "instances.aggregatedList": instances.all,
            "machineTypes.list": lambda call: catalogue.machine_types(call.project.name, call.places["zone"]),
            "networks.list": networks.all,
            "regions.list": lambda call: [catalogue.region(call.project.name, name, self._quotas(call, name)) for name in REGIONS],
            "subnetworks.list": networks.subnetworks, "subnetworks.aggregatedList": networks.subnetworks,
            "zoneOperations.list": self._operations,
            "zones.list": lambda call: [catalogue.zone(call.project.name, name) for name in ZONES],
        }

    def answer(self, method, call):
        """The body of the answer to a request; throws a Refusal."""
        name = method.id.removeprefix("compute.")
        with self.cloud.lock:
            self.cloud.advance()
            known = self.cloud.known_operation(call.project, call.query.get("requestId"))
            if known is not None:
                return clean(known)
            if name in self.lists:
                return clean(self._listed(name, call))
            if name not in self.single:
                raise Refusal(501, "notImplemented", f"the simulator has no {method.id}")
            if not name.endswith(".wait"):
                return clean(self.single[name](call))
        return clean(self._wait(call))

    def _listed(self, name, call):
        noun, kind = name.split(".")
        found = filtered([shown(entry) for entry in self.lists[name](call)], call.query.get("filter"))
        entries, token = page(found, call.query, self.cloud.settings["page"])
        singular = {"globalOperations": "operation", "zoneOperations": "operation"}.get(noun, noun.rstrip("s"))
        answer = {"kind": f"compute#{singular}List", "id": f"projects/{call.project.name}/{noun}", "items": entries}
        if kind == "aggregatedList":
            answer.update(kind=f"compute#{singular}AggregatedList", items=self._scoped(singular + "s", entries))
        elif not entries:
            del answer["items"]
        if token:
            answer["nextPageToken"] = token
        return answer

    @staticmethod
    def _scoped(noun, entries):
        """Entries by zone, as listings of all zones have them: a zone without any has a warning instead."""
        scopes = {f"zones/{zone}": [] for zone in ZONES}
        scopes.update({f"regions/{region}": [] for region in REGIONS} if noun == "subnetworks" else {})
        scopes.update({"global": []} if noun == "operations" else {})
        for entry in entries:
            place = entry.get("zone") or entry.get("region")
            scopes["/".join(place.rsplit("/", 2)[-2:]) if place else "global"].append(entry)
        return {scope: {noun: found} if found else {"warning": {
            "code": "NO_RESULTS_ON_PAGE", "message": f"There are no results for scope '{scope}' on this page.",
            "data": [{"key": "scope", "value": scope}]}} for scope, found in scopes.items()}

    def _operation(self, call):
        return self.cloud.find_operation(call.project, call.places["operation"], call.places.get("zone"))

    def _operations(self, call):
        zone = call.places.get("zone")
        return [one for one in reversed(call.project.operations) if zone in (None, one["_zone"])]

    def _wait(self, call):
        """The operation once it is done, or after the longest wait, whatever it is then."""
        until = time.time() + self.cloud.settings["wait"]
        while True:
            with self.cloud.lock:
                self.cloud.advance()
                operation = self._operation(call)
                if operation["status"] == "DONE" or time.time() >= until:
                    return dict(operation)
            time.sleep(0.01)

    def _quotas(self, call, region):
        used = sum(SIZES[last(one["machineType"])][0] for one in call.project.instances.values() if ZONES[one["_zone"]] == region)
        return [{"metric": "CPUS", "limit": float(self.cloud.settings["quotas"].get("CPUS", 72)), "usage": float(used)}]

    @staticmethod
    def _project(call):
        return {"kind": "compute#project", "id": "123456789012", "name": call.project.name, "selfLink": f"{ROOT}projects/{call.project.name}",
                "defaultServiceAccount": "123456789012-compute@developer.gserviceaccount.com", "creationTimestamp": "2020-01-01T00:00:00.000-08:00"}


def clean(value):
    """An answer without what only the simulator knows, at any depth."""
    if isinstance(value, dict):
        return {name: clean(inner) for name, inner in value.items() if not name.startswith("_")}
    return [clean(entry) for entry in value] if isinstance(value, list) else value
