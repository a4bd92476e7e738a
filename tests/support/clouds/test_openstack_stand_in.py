#!/usr/bin/env python3
"""The life cycle of a server as openstacksdk, the client of the OpenStack project, sees it on openstack_stand_in.py: so the
stand-in is not only believed by its author."""

import json
import os
import subprocess
import sys
import unittest
import urllib.request
import warnings
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
from python_packages import environment  # noqa: E402

PACKAGES = environment("openstack-python", HERE / "openstack_requirements.txt")
if Path(sys.prefix) != PACKAGES:
    os.execv(PACKAGES / "bin" / "python", [str(PACKAGES / "bin" / "python"), *sys.argv])

warnings.simplefilter("ignore")
import openstack  # noqa: E402
from keystoneauth1 import exceptions as login_exceptions  # noqa: E402


class OpenStackStandIn(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.program = subprocess.Popen([sys.executable, HERE / "openstack_stand_in.py"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
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

    def login(self, **auth):
        given = {"auth_url": self.base + "/identity", "username": "demo", "password": "secret", "project_name": "demo", "user_domain_name": "Default",
                 "project_domain_name": "Default", **auth}
        return openstack.connect(load_yaml_config=False, load_envvars=False, region_name="RegionOne", compute_default_microversion="2.52",
                                 auth=given)

    def network(self, cloud, name="private"):
        return cloud.network.find_network(name).id

    def server(self, cloud, name, flavor="1", **more):
        given = {"name": name, "flavor_id": flavor, "image_id": cloud.image.find_image("debian12").id, "networks": [{"uuid": self.network(cloud)}], **more}
        return cloud.compute.create_server(**given)

    def tearDown(self):
        refused = self.ask("calls")["refused"]
        self.assertEqual([], refused)

    def test_a_server_is_made_reached_by_a_floating_address_and_deleted(self):
        cloud = self.login()
        group = cloud.network.create_security_group(name="web")
        cloud.network.create_security_group_rule(security_group_id=group.id, direction="ingress", protocol="tcp", port_range_min=22, port_range_max=22,
                                                 remote_ip_prefix="0.0.0.0/0", ether_type="IPv4")
        made = self.server(cloud, "web1", tags=["ours", "web"], security_groups=[{"name": "web"}], key_name="demo-key", metadata={"task": "7"})
        active = cloud.compute.wait_for_server(made, interval=0.1, wait=20)
        port = next(iter(cloud.network.ports(device_id=active.id)))
        address = cloud.network.create_ip(floating_network_id=self.network(cloud, "public"), port_id=port.id, description="ours")
        seen = cloud.compute.get_server(active.id)
        self.assertEqual({"fixed", "floating"}, {each["OS-EXT-IPS:type"] for each in seen.addresses["private"]})
        self.assertEqual(["web1"], [each.name for each in cloud.compute.servers(tags="ours,web")])
        self.assertEqual([], list(cloud.compute.servers(tags="theirs")))

        cloud.compute.delete_server(active)
        cloud.compute.wait_for_delete(active, interval=0.1, wait=20)
        self.assertIsNone(cloud.network.get_ip(address.id).port_id)
        cloud.network.delete_ip(address.id)
        cloud.network.delete_security_group(group.id)
        left = self.ask("state")
        self.assertEqual([[], [], [], []], [left[kind] for kind in ("servers", "ports", "addresses", "groups")])

    def test_no_valid_host_is_an_error_of_the_server_not_of_the_call(self):
        cloud = self.login()
        made = self.server(cloud, "huge", flavor="9")
        with self.assertRaisesRegex(openstack.exceptions.ResourceFailure, "ERROR"):
            cloud.compute.wait_for_server(made, interval=0.1, wait=20)
        self.assertIn("No valid host", cloud.compute.get_server(made.id).fault["message"])
        cloud.compute.delete_server(made.id)
        cloud.compute.wait_for_delete(made, interval=0.1, wait=20)

    def test_a_quota_that_is_used_up_is_403_with_numbers(self):
        cloud = self.login()
        self.ask("settings", {"quota_instances": 0})
        self.addCleanup(self.ask, "settings", {"quota_instances": 100})
        with self.assertRaisesRegex(openstack.exceptions.HttpException, "already used 0 of 0 instances") as raised:
            self.server(cloud, "one too many")
        self.assertEqual(403, raised.exception.status_code)

    def test_an_application_credential_needs_no_project(self):
        made = self.ask("do/credential", {"name": "cooperage", "secret": "deep"})
        cloud = openstack.connect(load_yaml_config=False, load_envvars=False, region_name="RegionOne", auth_type="v3applicationcredential",
                                  auth={"auth_url": self.base + "/identity", "application_credential_id": made["id"], "application_credential_secret": "deep"})
        self.assertIn("m1.small", [flavor.name for flavor in cloud.compute.flavors()])

    def test_a_wrong_password_is_401(self):
        with self.assertRaises(login_exceptions.Unauthorized):
            self.login(password="wrong").compute.get("/servers")

    def test_a_revoked_token_is_renewed_by_the_client(self):
        cloud = self.login()
        list(cloud.compute.flavors())
        self.ask("do/revoke", {})
        self.assertTrue(list(cloud.compute.flavors()))

    def test_listings_come_in_pages(self):
        cloud = self.login()
        self.ask("settings", {"page": 2})
        self.addCleanup(self.ask, "settings", {"page": 1000})
        for number in range(5):
            self.server(cloud, f"many{number}")
        for number in range(60):
            self.ask("do/image", {"name": f"image{number}"})
        self.assertEqual(5, len([each for each in cloud.compute.servers() if each.name.startswith("many")]))
        self.assertEqual(62, len(list(cloud.image.images())))
        for each in list(cloud.compute.servers()):
            cloud.compute.delete_server(each.id)
            cloud.compute.wait_for_delete(each, interval=0.1, wait=20)

    def test_a_second_equal_rule_is_409(self):
        cloud = self.login()
        group = cloud.network.create_security_group(name="twice")
        self.addCleanup(cloud.network.delete_security_group, group.id)
        rule = {"security_group_id": group.id, "direction": "ingress", "protocol": "tcp", "port_range_min": 80, "port_range_max": 80, "ether_type": "IPv4"}
        cloud.network.create_security_group_rule(**rule)
        with self.assertRaises(openstack.exceptions.ConflictException):
            cloud.network.create_security_group_rule(**rule)

    def test_members_of_an_anti_affinity_group_need_a_host_each(self):
        cloud = self.login()
        self.ask("settings", {"hosts": 1})
        self.addCleanup(self.ask, "settings", {"hosts": 4})
        group = cloud.compute.create_server_group(name="apart", policies=["anti-affinity"])
        first = cloud.compute.wait_for_server(self.server(cloud, "apart1", scheduler_hints={"group": group.id}), interval=0.1, wait=20)
        second = self.server(cloud, "apart2", scheduler_hints={"group": group.id})
        with self.assertRaises(openstack.exceptions.ResourceFailure):
            cloud.compute.wait_for_server(second, interval=0.1, wait=20)
        for each in (first, second):
            cloud.compute.delete_server(each.id)
            cloud.compute.wait_for_delete(each, interval=0.1, wait=20)
        cloud.compute.delete_server_group(group.id)


class RefusedByTheJudge(OpenStackStandIn):
    """What Nova, Neutron or Keystone would refuse is refused here, and noted."""

    def tearDown(self):
        pass

    def post(self, path, body, token=None, version="2.52"):
        headers = {"Content-Type": "application/json", "X-Auth-Token": token or "", "OpenStack-API-Version": "compute " + version}
        request = urllib.request.Request(self.base + path, data=json.dumps(body).encode(), headers=headers)
        try:
            return urllib.request.urlopen(request, timeout=20).status
        except urllib.error.HTTPError as error:
            return error.code

    def test_bodies_that_do_not_fit(self):
        token = self.login().auth_token
        server = {"name": "a", "flavorRef": "1", "imageRef": "00000000-0000-0000-0000-000000000001", "networks": "none"}
        bad = [{**server, "nonsense": 1}, {**server, "user_data": "x" * 65536}, {**server, "tags": ["a/b"]},
               {name: value for name, value in server.items() if name != "networks"}]
        before = len(self.ask("calls")["refused"])
        for each in bad:
            self.assertEqual(400, self.post("/compute/v2.1/servers", {"server": each}, token))
        self.assertEqual(400, self.post("/compute/v2.1/servers", {"server": {**server, "tags": ["a"]}}, token, "2.42"))
        self.assertEqual(400, self.post("/network/v2.0/floatingips", {"floatingip": {"floating_network_id": "no id"}}, token))
        self.assertEqual(400, self.post("/network/v2.0/security-group-rules", {"security_group_rule": {"direction": "inwards"}}, token))
        self.assertEqual(400, self.post("/identity/v3/auth/tokens", {"auth": {"identity": {}}}))
        self.assertEqual(404, self.post("/compute/v2.1/nonsense", {}, token))
        self.assertEqual(before + 9, len(self.ask("calls")["refused"]))
        self.assertEqual(406, self.post("/compute/v2.1/servers", {"server": server}, token, "2.999"))
        self.assertEqual(401, self.post("/compute/v2.1/servers", {"server": server}, "nobody's"))


def load_tests(loader, _tests, _pattern):
    suite = loader.loadTestsFromTestCase(OpenStackStandIn)
    suite.addTest(RefusedByTheJudge("test_bodies_that_do_not_fit"))
    return suite


if __name__ == "__main__":
    unittest.main(warnings="ignore")
