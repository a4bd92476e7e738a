#!/usr/bin/env python3
"""Clients that others wrote live their lives against the Compute Engine of the tests: Google's own, and libcloud's driver.

What they understand, send and wait for is what the stand-in has to get right. After each case the judge must have found nothing that
the case did not provoke.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.request
import uuid
import warnings
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from python_packages import environment  # noqa: E402

PACKAGES = environment("gce-python", HERE / "gce_requirements.txt")
if Path(sys.prefix) != PACKAGES:
    os.execv(PACKAGES / "bin" / "python", [str(PACKAGES / "bin" / "python"), *sys.argv])

from google.auth import exceptions  # noqa: E402
from google.oauth2 import service_account  # noqa: E402
from googleapiclient import discovery_cache  # noqa: E402
from googleapiclient.discovery import build_from_document  # noqa: E402
from googleapiclient.errors import HttpError  # noqa: E402
from libcloud.compute.drivers.gce import GCENodeDriver  # noqa: E402

PROJECT = "acme-1"
ZONE = "us-central1-a"
DEBIAN = "projects/debian-cloud/global/images/family/debian-12"
SCOPES = ["https://www.googleapis.com/auth/compute"]


class Peer:
    """The stand-in as a process, and Google's client for it."""

    def __init__(self):
        self.process = subprocess.Popen([sys.executable, HERE / "gce_stand_in.py"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline())
        self.url = f"http://127.0.0.1:{self.port}"

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()

    def control(self, what, body=None):
        request = urllib.request.Request(f"{self.url}/-/{what}", data=None if body is None else json.dumps(body).encode())
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)

    def client(self, key):
        document = json.loads((Path(discovery_cache.__file__).parent / "documents" / "compute.v1.json").read_text())
        document.update(rootUrl=f"{self.url}/", baseUrl=f"{self.url}/compute/v1/")
        document.pop("mtlsRootUrl", None)
        credentials = service_account.Credentials.from_service_account_info(key, scopes=SCOPES)
        return build_from_document(document, credentials=credentials, client_options={"api_endpoint": f"{self.url}/compute/v1/"})


def machine(name, **more):
    return {"name": name, "machineType": f"zones/{ZONE}/machineTypes/e2-small", "labels": {"cooperage": "i1", "cooperage-node": name},
            "disks": [{"boot": True, "autoDelete": True, "initializeParams": {"diskName": name, "sourceImage": DEBIAN, "diskSizeGb": "10",
                                                                             "diskType": f"zones/{ZONE}/diskTypes/pd-standard"}},
                      {"autoDelete": True, "deviceName": "data", "initializeParams": {"diskName": f"{name}-data", "diskSizeGb": "200"}}],
            "networkInterfaces": [{"network": "global/networks/default", "accessConfigs": [{"type": "ONE_TO_ONE_NAT", "name": "External NAT"}]}],
            "metadata": {"items": [{"key": "enable-guest-attributes", "value": "TRUE"}]}, "tags": {"items": ["coopr"]}, **more}


class StandInTest(unittest.TestCase):
    def setUp(self):
        # httplib2 keeps its connections until the end.
        warnings.simplefilter("ignore", ResourceWarning)
        self.peer = Peer()
        self.addCleanup(self.peer.close)
        self.key = self.peer.control("account", {"project": PROJECT})
        self.google = self.peer.client(self.key)
        self.place = {"project": PROJECT, "zone": ZONE}

    def nothing_was_refused(self):
        self.assertEqual(self.peer.control("calls")["refused"], [])

    def insert(self, name, request_id=None, **more):
        return self.google.instances().insert(body=machine(name, **more), requestId=request_id, **self.place).execute()

    def done(self, operation):
        while operation["status"] != "DONE":
            operation = self.google.zoneOperations().wait(operation=operation["name"], **self.place).execute()
        return operation

    def running(self, name):
        while True:
            found = self.google.instances().get(instance=name, **self.place).execute()
            if found["status"] == "RUNNING":
                return found
            time.sleep(0.02)

    def status_of(self, request):
        with self.assertRaises(HttpError) as raised:
            request.execute()
        return raised.exception.resp.status, raised.exception.reason

    def test_googles_client_makes_a_machine_and_takes_it_away(self):
        operation = self.done(self.insert("n1"))
        self.assertNotIn("error", operation)
        found = self.running("n1")
        self.assertTrue(found["networkInterfaces"][0]["accessConfigs"][0]["natIP"])
        disks = self.google.disks().list(filter="name eq n1.*", **self.place).execute()["items"]
        self.assertEqual(sorted((disk["name"], disk["sizeGb"]) for disk in disks), [("n1", "10"), ("n1-data", "200")])
        time.sleep(0.2)
        keys = self.google.instances().getGuestAttributes(instance="n1", queryPath="hostkeys/", **self.place).execute()
        self.assertEqual(keys["queryValue"]["items"][0]["key"], "ssh-ed25519")
        serial = self.google.instances().getSerialPortOutput(instance="n1", **self.place).execute()
        self.assertIn(keys["queryValue"]["items"][0]["value"], serial["contents"])
        self.done(self.google.instances().delete(instance="n1", **self.place).execute())
        self.assertEqual(self.status_of(self.google.instances().get(instance="n1", **self.place))[0], 404)
        state = self.peer.control("state")
        self.assertEqual((state["instances"], state["disks"]), ([], []))
        self.nothing_was_refused()

    def test_an_insert_succeeds_then_its_operation_fails_and_the_machine_is_not_found(self):
        self.peer.control("settings", {"exhausted_zones": [ZONE], "zones_available": "us-central1-b"})
        operation = self.done(self.insert("n1"))
        error = operation["error"]["errors"][0]
        self.assertEqual(error["code"], "ZONE_RESOURCE_POOL_EXHAUSTED_WITH_DETAILS")
        self.assertEqual(error["errorDetails"][0]["errorInfo"]["metadatas"]["zonesAvailable"], "us-central1-b")
        self.assertEqual(self.status_of(self.google.instances().get(instance="n1", **self.place))[0], 404)
        self.assertEqual(self.peer.control("state")["disks"], [])
        found = self.google.zoneOperations().list(filter="targetLink eq '.*/instances/n1'", **self.place).execute()["items"]
        self.assertEqual([one["name"] for one in found], [operation["name"]])

    def test_a_quota_shows_in_the_operation_or_in_the_answer_with_its_numbers(self):
        self.peer.control("settings", {"quotas": {"CPUS": 1}})
        details = self.done(self.insert("n1"))["error"]["errors"][0]
        self.assertEqual((details["code"], details["errorDetails"][0]["quotaInfo"]["limit"]), ("QUOTA_EXCEEDED", 1.0))
        self.peer.control("settings", {"quota_shows": "http"})
        self.assertEqual(self.status_of(self.google.instances().insert(body=machine("n1"), **self.place)),
                         (403, "Quota 'CPUS' exceeded.  Limit: 1.0 in region us-central1."))

    def test_a_request_id_gives_the_same_operation_and_must_be_a_uuid(self):
        number = str(uuid.uuid4())
        first = self.insert("n1", number)
        self.assertEqual(self.insert("n1", number)["name"], first["name"])
        self.assertEqual(self.status_of(self.google.instances().insert(body=machine("n1"), **self.place))[0], 409)
        for wrong in (str(uuid.UUID(int=0)), "token-1"):
            self.assertEqual(self.status_of(self.google.instances().insert(body=machine("n2"), requestId=wrong, **self.place))[0], 400)

    def test_wrong_requests_are_refused_and_remembered(self):
        for body in ({**machine("n1"), "nonsense": 1}, machine("Bad_Name"), machine("n1", scheduling={"automaticRestart": "true"})):
            self.assertEqual(self.status_of(self.google.instances().insert(body=body, **self.place))[0], 400)
        self.assertEqual(len(self.peer.control("calls")["refused"]), 3)

    def test_listings_have_filters_and_pages(self):
        for number in range(5):
            self.insert(f"n{number}", labels={"cooperage": "i1" if number else "i2"})
        self.peer.control("settings", {"page": 2})
        request, names = self.google.instances().list(filter="labels.cooperage = i1", **self.place), []
        while request is not None:
            answer = request.execute()
            names += [one["name"] for one in answer["items"]]
            request = self.google.instances().list_next(request, answer)
        self.assertEqual(names, ["n1", "n2", "n3", "n4"])
        answer = self.google.instances().aggregatedList(project=PROJECT, filter="labels.cooperage=i1").execute()
        self.assertEqual(len(answer["items"][f"zones/{ZONE}"]["instances"]), 2)
        self.assertIn("warning", answer["items"]["zones/us-central1-b"])

    def test_filters_join_alternatives_and_refuse_what_is_no_filter(self):
        self.done(self.insert("n1"))
        self.peer.control("settings", {"exhausted_zones": [ZONE]})
        self.done(self.insert("n2"))
        found = self.google.globalOperations().aggregatedList(
            project=PROJECT, filter='(status != "DONE") OR (httpErrorStatusCode >= 400)').execute()["items"][f"zones/{ZONE}"]["operations"]
        self.assertEqual([one["targetLink"].rsplit("/", 1)[1] for one in found], ["n2"])
        for wrong in ("nonsense", "name eq n1 (status = DONE)", "(name eq n1) (status eq DONE)"):
            self.assertEqual(self.status_of(self.google.zoneOperations().list(filter=wrong, **self.place))[0], 400)

    def test_an_account_needs_the_permissions_of_its_calls(self):
        key = self.peer.control("account", {"project": PROJECT, "permissions": ["compute.instances.list"]})
        limited = self.peer.client(key)
        self.assertNotIn("items", limited.instances().list(**self.place).execute())
        status, reason = self.status_of(limited.instances().insert(body=machine("n1"), **self.place))
        self.assertEqual(status, 403)
        self.assertIn("Required 'compute.", reason)

    def test_assertions_are_verified(self):
        other = self.peer.control("account", {"project": PROJECT})
        for change in ({"private_key": other["private_key"]}, {"client_email": "nobody@acme-1.iam.gserviceaccount.com"}):
            with self.assertRaises(exceptions.RefreshError):
                self.peer.client({**self.key, **change}).zones().list(project=PROJECT).execute()
        self.peer.control("settings", {"ahead": 7200})
        with self.assertRaises(exceptions.RefreshError) as raised:
            self.peer.client(self.key).zones().list(project=PROJECT).execute()
        self.assertIn("reasonable timeframe", str(raised.exception))

    def test_a_lost_reply_leaves_the_machine(self):
        self.google.zones().list(project=PROJECT).execute()
        self.peer.control("fault", {"operation": "instances.insert", "kind": "lost_reply"})
        with self.assertRaises(Exception):
            self.insert("n1")
        self.assertEqual(self.running("n1")["name"], "n1")

    def test_a_spot_machine_is_taken_back(self):
        self.done(self.insert("n1", scheduling={"provisioningModel": "SPOT", "automaticRestart": False, "onHostMaintenance": "TERMINATE"}))
        self.running("n1")
        self.peer.control("preempt", {"project": PROJECT, "instance": "n1"})
        time.sleep(0.2)
        self.assertEqual(self.google.instances().get(instance="n1", **self.place).execute()["status"], "TERMINATED")
        kinds = [one["operationType"] for one in self.google.zoneOperations().list(**self.place).execute()["items"]]
        self.assertEqual(kinds[0], "compute.instances.preempted")

    def test_rules_of_a_firewall_are_made_changed_and_deleted(self):
        rule = {"name": "web", "network": "global/networks/default", "allowed": [{"IPProtocol": "tcp", "ports": ["80", "8000-8010"]}],
                "sourceRanges": ["192.0.2.0/24"], "targetTags": ["coopr"]}
        self.google.firewalls().insert(project=PROJECT, body=rule).execute()
        self.google.firewalls().patch(project=PROJECT, firewall="web", body={"sourceRanges": ["198.51.100.0/24"]}).execute()
        self.assertEqual(self.google.firewalls().get(project=PROJECT, firewall="web").execute()["sourceRanges"], ["198.51.100.0/24"])
        self.google.firewalls().delete(project=PROJECT, firewall="web").execute()
        time.sleep(0.2)
        self.assertEqual(self.peer.control("state")["firewalls"], [])
        self.nothing_was_refused()


class PlainConnection(GCENodeDriver.connectionCls):
    """libcloud's own requests and signing of assertions, sent to the stand-in in place of Google."""

    host = "127.0.0.1"
    port_of_stand_in = 0

    def __init__(self, user, key, _secure, **kwargs):
        super().__init__(user, key, False, host=self.host, port=self.port_of_stand_in, **kwargs)


class PlainDriver(GCENodeDriver):
    connectionCls = PlainConnection
    # The driver's list of public images ends with Debian 10.
    IMAGE_PROJECTS = {"debian-cloud": ["debian-11", "debian-12"]}


class LibcloudTest(StandInTest):
    def driver(self):
        PlainConnection.port_of_stand_in = self.peer.port
        tokens = self.enterContext(tempfile.TemporaryDirectory())
        return PlainDriver(self.key["client_email"], self.key["private_key"], project=PROJECT, datacenter=ZONE,
                           credential_file=str(Path(tokens) / "token"))

    def test_libclouds_driver_makes_a_machine_and_takes_it_away(self):
        driver = self.driver()
        node = driver.create_node("n1", "e2-small", "debian-12", ex_tags=["coopr"], ex_labels={"cooperage": "i1"})
        self.assertEqual(driver.ex_get_node("n1").name, "n1")
        volume = driver.create_volume(20, "n1-more")
        self.assertEqual(volume.size, "20")
        self.assertTrue(driver.destroy_volume(volume))
        self.assertTrue(driver.destroy_node(node))
        self.assertEqual(driver.list_nodes(), [])
        self.nothing_was_refused()


def load_tests(loader, _tests, _pattern):
    """libcloud's class has only its own case; the others are Google's client's."""
    suite = loader.loadTestsFromTestCase(StandInTest)
    suite.addTest(LibcloudTest("test_libclouds_driver_makes_a_machine_and_takes_it_away"))
    return suite


if __name__ == "__main__":
    unittest.main()
