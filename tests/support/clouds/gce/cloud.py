"""The state of the simulated Compute Engine: projects, and operations that take their time.

Time moves only when somebody asks: every request first carries out what is due by now.
"""

import heapq
import itertools
import secrets
import threading
import time
import uuid
from datetime import datetime, timezone

from gce.catalogue import ROOT, Catalogue
from gce.errors import Refusal, invalid, not_found

SETTINGS = {
    # Seconds in which an operation goes from PENDING over RUNNING to DONE.
    "operation": 0.05,
    # Seconds from there until the machine runs, and until its guest agent has written its attributes.
    "boot": 0.05,
    "agent": 0.05,
    # Seconds for which a new machine is not found by get and listings.
    "invisible": 0.0,
    # Seconds in which a machine is deleted.
    "deletion": 0.05,
    # Zones without room: their inserts end in ZONE_RESOURCE_POOL_EXHAUSTED_WITH_DETAILS.
    "exhausted_zones": [],
    "zones_available": "",
    # Limits of each region; {"CPUS": 24}. "operation": they show in the operation; "http": in the answer to the insert.
    "quotas": {},
    "quota_shows": "operation",
    # Most entries of one page, to see many pages of few machines.
    "page": 500,
    # Every public address begins so.
    "public_network": "34.66",
    # Seconds that `wait` lasts at most, 120 for the real one.
    "wait": 1.0,
}


def stamp(moment=None):
    """A time as Compute Engine writes it."""
    return datetime.fromtimestamp(moment or time.time(), timezone.utc).isoformat(timespec="milliseconds")


def shown(resource):
    """A resource without what only the simulator knows."""
    return {name: value for name, value in resource.items() if not name.startswith("_")}


class Project:
    def __init__(self, name):
        self.name = name
        self.instances = {}
        self.disks = {}
        self.firewalls = {}
        self.networks = {"default", "custom"}
        self.operations = []
        self.by_request = {}


class Cloud:
    def __init__(self):
        self.lock = threading.RLock()
        self.settings = dict(SETTINGS)
        self.catalogue = Catalogue()
        # The public projects have images and nothing else.
        self.projects = {name: Project(name) for name in self.catalogue.images}
        self.due = []
        self.order = itertools.count()
        self.ids = itertools.count(secrets.randbelow(10**17) + 10**18)
        self.addresses = itertools.count(2)

    def project(self, name):
        if name not in self.projects:
            raise not_found(f"projects/{name}")
        return self.projects[name]

    def add_project(self, name):
        with self.lock:
            self.projects.setdefault(name, Project(name))

    def new_id(self):
        return str(next(self.ids))

    def after(self, seconds, action):
        heapq.heappush(self.due, (time.time() + seconds, next(self.order), action))

    def advance(self):
        while self.due and self.due[0][0] <= time.time():
            heapq.heappop(self.due)[2]()

    # Operations

    def known_operation(self, project, request_id):
        """The operation of an earlier request with this id, whatever became of it; None for a new request."""
        if request_id is None:
            return None
        try:
            number = uuid.UUID(request_id)
        except ValueError:
            raise invalid("requestId", request_id, "Must be a UUID.") from None
        if number.int == 0 or str(number) != request_id.lower():
            raise invalid("requestId", request_id, "Must be a UUID in the canonical form, and not the zero UUID.")
        return project.by_request.get(request_id.lower())

    def operation(self, project, kind, target, user, zone=None, request_id=None, seconds=None, finish=None, fails=None):
        """A new operation that goes its way by itself. `finish` is called when it is done; `fails` is the Refusal it ends with."""
        name = f"operation-{int(time.time() * 1000)}-{secrets.token_hex(6)}-{secrets.token_hex(4)}-{secrets.token_hex(4)}"
        place = f"zones/{zone}" if zone else "global"
        operation = {
            "kind": "compute#operation", "id": self.new_id(), "name": name, "operationType": kind, "targetLink": target["selfLink"],
            "targetId": target["id"], "status": "PENDING", "user": user, "progress": 0, "insertTime": stamp(),
            "selfLink": f"{ROOT}projects/{project.name}/{place}/operations/{name}", "_zone": zone}
        if zone:
            operation["zone"] = f"{ROOT}projects/{project.name}/zones/{zone}"
        if request_id:
            operation["clientOperationId"] = request_id
            project.by_request[request_id.lower()] = operation
        project.operations.append(operation)
        lasts = self.settings["operation"] if seconds is None else seconds
        self.after(lasts / 2, lambda: operation.update(status="RUNNING", progress=50, startTime=stamp()))
        self.after(lasts, lambda: self._end(operation, finish, fails))
        self.advance()
        return operation

    @staticmethod
    def _end(operation, finish, fails):
        if finish:
            finish()
        operation.update(status="DONE", progress=100, endTime=stamp())
        if isinstance(fails, Refusal):
            operation.update(error=fails.in_operation(), httpErrorStatusCode=fails.status,
                             httpErrorMessage={403: "FORBIDDEN", 503: "SERVICE UNAVAILABLE"}.get(fails.status, "BAD REQUEST"))

    def find_operation(self, project, name, zone):
        for operation in project.operations:
            if operation["name"] == name and operation["_zone"] == zone:
                return operation
        place = f"zones/{zone}" if zone else "global"
        raise not_found(f"projects/{project.name}/{place}/operations/{name}")

    def state(self):
        """Everything that exists, and what is under way."""
        with self.lock:
            self.advance()
            everything = {"instances": [], "disks": [], "firewalls": [], "running_operations": []}
            for project in self.projects.values():
                everything["instances"] += [{**shown(instance), "host_key": instance["_host_key"]} for instance in project.instances.values()]
                everything["disks"] += [shown(disk) for disk in project.disks.values()]
                everything["firewalls"] += [shown(firewall) for firewall in project.firewalls.values()]
                everything["running_operations"] += [shown(operation) for operation in project.operations if operation["status"] != "DONE"]
            return everything
