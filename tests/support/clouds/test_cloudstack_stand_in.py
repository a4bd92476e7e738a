#!/usr/bin/env python3
"""libcloud's driver lives a whole life on the CloudStack of the tests, so that it is not only believed by its author."""

import base64
import datetime
import json
import os
import sys
import time
import unittest
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parent))
from python_packages import environment  # noqa: E402
from stand_in_process import StandIn  # noqa: E402

PACKAGES = environment("cloudstack-python", Path(__file__).with_name("cloudstack_requirements.txt"))
if Path(sys.prefix) != PACKAGES:
    os.execv(PACKAGES / "bin" / "python", [str(PACKAGES / "bin" / "python"), *sys.argv])

from libcloud.common.cloudstack import CloudStackConnection  # noqa: E402
from libcloud.compute.providers import get_driver  # noqa: E402
from libcloud.compute.types import NodeState, Provider  # noqa: E402

KEY, SECRET = "a-key", "a secret/with+signs"
ZONE = "1128bd56-b4d9-4ac6-a7b9-c715b187ce11"
SMALL = "5b4f8f1c-1d0a-4f3a-8f5e-0d4d5c1c3c11"
DEBIAN = "4d47c9d0-f5f2-4a0a-96f4-a01f2b683a82"


class LibcloudLivesHere(unittest.TestCase):
    def setUp(self):
        self.peer = StandIn("cloudstack_stand_in.py", KEY, SECRET)
        self.peer.__enter__()
        self.addCleanup(self.peer.__exit__)
        CloudStackConnection.poll_interval = 0.1
        self.driver = get_driver(Provider.CLOUDSTACK)(KEY, SECRET, secure=False, host="127.0.0.1", port=self.peer.port, path="/client/api")

    def call(self, command, method="GET", secret=SECRET, **params):
        params = {"command": command, "response": "json", "apiKey": KEY, **params}
        params["signature"] = CloudStackConnection(KEY, secret, host="x")._make_signature(params).decode()
        text = urllib.parse.urlencode(params)
        url = f"{self.peer.url}/client/api"
        request = urllib.request.Request(f"{url}?{text}") if method == "GET" else urllib.request.Request(url, text.encode())
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, json.load(answer)[command.lower() + "response"]
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)[command.lower() + "response"]

    def deploy(self, name="one", method="GET", **more):
        return self.call("deployVirtualMachine", method, name=name, zoneid=ZONE, serviceofferingid=SMALL, templateid=DEBIAN, **more)

    def machine(self):
        return self.peer.state()["machines"][0]

    def test_its_driver_makes_tags_and_destroys_a_machine(self):
        node = self.driver.create_node("one", self.driver.list_sizes()[0], self.driver.list_images()[0], self.driver.list_locations()[0],
                                       ex_userdata="#cloud-config")
        self.driver.ex_create_tags([node.id], "UserVm", {"color": "blue"})
        listed = self.driver.list_nodes()
        self.driver.destroy_node(node, ex_expunge=True)
        time.sleep(0.5)

        self.assertEqual([(one.name, one.state, one.extra["tags"]) for one in listed], [("one", NodeState.RUNNING, {"color": "blue"})])
        self.assertEqual(self.peer.state()["machines"], [])
        self.assertEqual(self.peer.calls()["refused"], [])
        self.assertEqual(self.peer.calls()["wrong_answers"], [])

    def test_its_driver_gets_and_releases_an_address(self):
        address = self.driver.ex_allocate_public_ip(location=self.driver.list_locations()[0])
        listed = self.driver.ex_list_public_ips()
        self.driver.ex_release_public_ip(address)

        self.assertEqual([one.id for one in listed], [address.id])
        self.assertEqual(self.peer.state()["addresses"], [])

    def test_its_driver_makes_fills_and_deletes_a_security_group(self):
        self.driver.ex_create_security_group("web")
        self.driver.ex_delete_security_group("web")

        self.assertEqual(self.peer.state()["groups"], [])

    def test_its_driver_reads_what_there_is(self):
        self.assertEqual([zone.name for zone in self.driver.list_locations()], ["eu-one", "eu-two"])
        self.assertEqual([size.name for size in self.driver.list_sizes()], ["Small Instance", "Medium Instance"])
        self.assertEqual([network.name for network in self.driver.ex_list_networks()], ["shared", "guests"])
        self.assertEqual(self.peer.calls()["wrong_answers"], [])

    def test_destroying_leaves_a_machine_unless_it_is_expunged(self):
        _, made = self.deploy()
        self.call("destroyVirtualMachine", id=made["id"])
        time.sleep(0.4)
        before = self.machine()["state"]
        self.call("destroyVirtualMachine", id=made["id"], expunge="true")
        time.sleep(0.4)

        self.assertEqual(before, "Destroyed")
        self.assertEqual(self.peer.state()["machines"], [])

    def test_a_reply_has_the_id_at_once_and_the_job_ends_later(self):
        status, made = self.deploy()
        first = self.call("queryAsyncJobResult", jobid=made["jobid"])[1]
        time.sleep(0.7)
        last = self.call("queryAsyncJobResult", jobid=made["jobid"])[1]

        self.assertEqual(status, 200)
        self.assertEqual(self.machine()["id"], made["id"])
        self.assertEqual((first["jobstatus"], last["jobstatus"]), (0, 1))
        self.assertEqual(last["jobresult"]["virtualmachine"]["state"], "Running")

    def test_no_capacity_is_told_by_the_job_and_leaves_a_machine_in_error(self):
        self.peer.set(capacity=0)
        _, made = self.deploy()
        time.sleep(0.4)
        job = self.call("queryAsyncJobResult", jobid=made["jobid"])[1]

        self.assertEqual((job["jobstatus"], job["jobresult"]["errorcode"]), (2, 533))
        self.assertEqual(self.machine()["state"], "Error")

    def test_a_limit_refuses_at_once(self):
        self.peer.set(limit=0)
        self.assertEqual(self.deploy()[0], 535)

    def test_user_data_is_limited_by_the_method(self):
        long = base64.b64encode(b"x" * 4000).decode()

        self.assertEqual(self.deploy(userdata="")[0], 431)
        self.assertEqual(self.deploy(userdata=long)[0], 431)
        self.assertEqual(self.deploy(userdata=long, method="POST")[0], 200)

    def test_names_are_found_by_a_part_and_exist_once(self):
        self.deploy("web1")
        self.deploy("web11")

        self.assertEqual(self.call("listVirtualMachines", name="web1")[1]["count"], 2)
        self.assertEqual(self.deploy("web1")[0], 431)
        self.assertEqual(self.deploy("1web")[0], 431)

    def test_wrong_signatures_and_old_requests_are_refused(self):
        def expires(minutes):
            return (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(minutes=minutes)).strftime("%Y-%m-%dT%H:%M:%S+0000")

        self.assertEqual(self.call("listZones", secret="another")[0], 401)
        self.assertEqual(self.call("listZones", signatureVersion="3", expires=expires(-1))[0], 401)
        self.assertEqual(self.call("listZones", signatureVersion="3", expires=expires(5))[0], 200)
        self.assertEqual(self.call("listZones", signatureVersion="3")[0], 401)

    def test_parameters_that_are_unknown_missing_or_mistyped_are_refused(self):
        self.assertEqual(self.call("listZones", colour="blue")[0], 431)
        self.assertEqual(self.call("destroyVirtualMachine")[0], 431)
        self.assertEqual(self.call("destroyVirtualMachine", id="one")[0], 431)
        self.assertEqual(self.deploy(tags="x")[0], 431)
        self.assertEqual(self.call("makeCoffee")[0], 432)
        self.assertEqual(len(self.peer.calls()["refused"]), 5)

    def test_faults_come_as_they_are_ordered(self):
        self.peer.fault("listZones", "throttle")
        self.peer.fault("deployVirtualMachine", "lost_reply")

        self.assertEqual(self.call("listZones")[0], 429)
        with self.assertRaises(OSError):
            self.deploy()
        self.assertEqual(self.peer.state()["made"], 1)


if __name__ == "__main__":
    unittest.main()
