#!/usr/bin/env python3
"""The life cycle of a server as Apache libcloud's driver for Rackspace sees it on rackspace_stand_in.py."""

import json
import os
import subprocess
import sys
import time
import unittest
import urllib.request
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
from python_packages import environment  # noqa: E402

PACKAGES = environment("rackspace-python", HERE / "rackspace_requirements.txt")
if Path(sys.prefix) != PACKAGES:
    os.execv(PACKAGES / "bin" / "python", [str(PACKAGES / "bin" / "python"), *sys.argv])

from libcloud.common.types import InvalidCredsError  # noqa: E402
from libcloud.compute.drivers.rackspace import RackspaceNodeDriver  # noqa: E402
from libcloud.compute.types import NodeState  # noqa: E402


class RackspaceStandIn(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.program = subprocess.Popen([sys.executable, HERE / "rackspace_stand_in.py"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        cls.base = f"http://127.0.0.1:{int(cls.program.stdout.readline())}"

    @classmethod
    def tearDownClass(cls):
        cls.program.stdin.close()
        cls.program.wait(10)
        cls.program.stdout.close()

    def ask(self, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        with urllib.request.urlopen(urllib.request.Request(self.base + "/-/" + path, data=data), timeout=20) as reply:
            return json.load(reply)

    def driver(self, region="dfw", key="12345"):
        return RackspaceNodeDriver("joe", key, region=region, ex_force_auth_url=self.base + "/identity", ex_force_auth_version="2.0_apikey")

    def make(self, driver, name, **metadata):
        size = next(each for each in driver.list_sizes() if each.id == "2")
        return driver.create_node(name=name, size=size, image=driver.list_images()[0], ex_metadata=metadata)

    def tearDown(self):
        self.assertEqual([], self.ask("calls")["refused"])

    def test_a_server_is_made_shown_and_deleted(self):
        driver = self.driver()
        made = self.make(driver, "web1", cooperage="here", server_building="1")
        self.assertTrue(made.extra["password"])
        self.assertEqual(NodeState.PENDING, driver.ex_get_node_details(made.id).state)
        time.sleep(1.2)
        seen = driver.ex_get_node_details(made.id)
        self.assertEqual((NodeState.RUNNING, "here"), (seen.state, seen.extra["metadata"]["cooperage"]))
        self.assertTrue(seen.public_ips and seen.private_ips)
        self.make(driver, "web1")
        self.assertEqual(2, len([each for each in driver.list_nodes() if each.name == "web1"]), "names repeat")
        for each in driver.list_nodes():
            driver.destroy_node(each)
        self.assertEqual([], self.ask("state")["servers"])

    def test_regions_have_servers_of_their_own(self):
        node = self.make(self.driver("ord"), "in-ord")
        self.assertEqual([], self.driver("dfw").list_nodes())
        self.assertEqual(["ORD"], [each["region"] for each in self.ask("state")["servers"]])
        self.driver("ord").destroy_node(node)

    def test_a_wrong_key_is_refused(self):
        with self.assertRaises(InvalidCredsError):
            self.driver(key="wrong").list_nodes()

    def test_a_token_that_is_not_known_is_refused(self):
        driver = self.driver()
        driver.list_nodes()
        address = driver.connection.get_service_catalog().get_endpoint(service_type="compute", name="cloudServersOpenStack", region="DFW").url
        request = urllib.request.Request(address + "/servers", headers={"X-Auth-Token": driver.connection.auth_token})
        self.assertEqual(200, urllib.request.urlopen(request, timeout=20).status)
        self.ask("do/revoke", {})
        with self.assertRaises(urllib.error.HTTPError) as raised:
            urllib.request.urlopen(request, timeout=20)
        self.assertEqual(401, raised.exception.code)
        raised.exception.close()


if __name__ == "__main__":
    unittest.main(warnings="ignore")
