#!/usr/bin/env python3
"""Foreign clients live a life on digitalocean_stand_in.py: libcloud's driver (PyPI) and godo, DigitalOcean's own client (a Go module, left
out where there is no Go). DigitalOcean's document has judged every request and answer when they are done, where it lies beside the project.
"""

import base64
import contextlib
import json
import os
import shutil
import subprocess
import sys
import time
import unittest
import urllib.error
import urllib.request
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from python_packages import REPO, environment  # noqa: E402

PACKAGES = environment("digitalocean-python", HERE / "digitalocean_requirements.txt")
if Path(sys.prefix) != PACKAGES:
    os.execv(PACKAGES / "bin" / "python", [str(PACKAGES / "bin" / "python"), *sys.argv])

from libcloud.common.exceptions import BaseHTTPError  # noqa: E402
from libcloud.common.types import InvalidCredsError  # noqa: E402
from libcloud.compute.providers import get_driver  # noqa: E402
from libcloud.compute.types import Provider  # noqa: E402

KEY = "ssh-ed25519 " + base64.b64encode(b"\0\0\0\x0bssh-ed25519\0\0\0 " + bytes(32)).decode()


class StandInCase(unittest.TestCase):
    def setUp(self):
        self.process = subprocess.Popen([sys.executable, HERE / "digitalocean_stand_in.py"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline())

    def tearDown(self):
        calls = self.ask("GET", "/-/calls")
        self.process.stdin.close()
        self.process.wait(10)
        self.process.stdout.close()
        self.assertEqual(calls["refused"], [])
        self.assertEqual(calls["wrong_answers"], [])

    def ask(self, method, path, body=None, token="dop_v1_good"):
        """The answer, or its status when that is an error."""
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", method=method, data=None if body is None else json.dumps(body).encode(),
                                         headers={"Authorization": f"Bearer {token}", "Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=10) as reply:
                text = reply.read()
                return json.loads(text) if text else None
        except urllib.error.HTTPError as error:
            with error:
                return error.code

    def refusal(self, method, path, body):
        """Status, text and headers of a refusal."""
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", method=method, data=json.dumps(body).encode() if body else None,
                                         headers={"Authorization": "Bearer dop_v1_good", "Content-Type": "application/json"})
        with self.assertRaises(urllib.error.HTTPError) as caught:
            urllib.request.urlopen(request, timeout=10)
        with caught.exception as error:
            return error.code, json.loads(error.read())["message"], error.headers

    def wait_for(self, what, seconds=10):
        end = time.monotonic() + seconds
        while not (found := what()):
            self.assertLess(time.monotonic(), end, "it does not come")
            time.sleep(0.05)
        return found

    def make(self, **members):
        body = {"name": "web", "region": "nyc3", "size": "s-1vcpu-1gb", "image": "debian-12-x64", **members}
        return self.ask("POST", "/v2/droplets", body)


class LibcloudTest(StandInCase):
    def setUp(self):
        super().setUp()
        self.driver = self.driver_with("dop_v1_good")

    def driver_with(self, token):
        # The driver takes no host: it hands every keyword on to object.
        driver = get_driver(Provider.DIGITAL_OCEAN)(token, api_version="v2")
        driver.connection.secure = 0
        driver.connection.connect(base_url=f"http://127.0.0.1:{self.port}")
        return driver

    def test_a_machine_with_a_key_and_a_volume_lives_and_is_gone(self):
        key = self.driver.create_key_pair("ours", KEY)
        location = next(place for place in self.driver.list_locations() if place.id == "nyc3")
        size = next(size for size in self.driver.list_sizes(location) if size.name == "s-1vcpu-1gb")
        image = next(image for image in self.driver.list_images() if image.extra["slug"] == "debian-12-x64")
        made = self.driver.create_node("web", size, image, location, ex_user_data="#cloud-config\n",
                                       ex_create_attr={"ssh_keys": [int(key.extra["id"])], "tags": ["web"], "ipv6": True})
        self.assertEqual(made.state, "pending")
        node = self.wait_for(lambda: next((node for node in self.driver.list_nodes() if node.public_ips), None))
        self.assertEqual((node.state, node.name, node.extra["tags"]), ("running", "web", ["web"]))
        volume = self.driver.create_volume(10, "data", location)
        self.assertTrue(self.driver.destroy_volume(volume))
        self.assertTrue(self.driver.ex_shutdown_node(node))
        self.wait_for(lambda: self.destroyed(node))
        self.wait_for(lambda: not self.driver.list_nodes())
        self.assertTrue(self.driver.delete_key_pair(key))
        left = self.ask("GET", "/-/state")
        self.assertEqual([left[kind] for kind in ("droplets", "volumes", "keys")], [[], [], []])

    def destroyed(self, node):
        with contextlib.suppress(BaseHTTPError):
            return self.driver.destroy_node(node)
        return False

    def test_lists_come_in_pages(self):
        self.ask("POST", "/-/settings", {"largest_page": 10})
        self.assertGreater(len(self.driver.list_images()), 40)
        self.assertGreater(self.ask("GET", "/-/calls")["calls"]["images_list"], 1)

    def test_a_wrong_token_is_refused(self):
        with self.assertRaises(InvalidCredsError):
            self.driver_with("another").list_nodes()


class BehaviourTest(StandInCase):
    def test_the_address_comes_after_the_machine_is_active(self):
        self.ask("POST", "/-/settings", {"boot_seconds": 0.3, "address_seconds": 0.6})
        number = self.make()["droplet"]["id"]
        show = lambda: self.ask("GET", f"/v2/droplets/{number}")["droplet"]  # noqa: E731
        self.assertEqual(self.wait_for(lambda: show() if show()["status"] == "active" else None)["networks"]["v4"], [])
        self.wait_for(lambda: show()["networks"]["v4"])

    def test_a_machine_that_boots_or_ends_has_a_pending_event(self):
        self.ask("POST", "/-/settings", {"boot_seconds": 0.4, "destroy_seconds": 30})
        path = f"/v2/droplets/{self.make()['droplet']['id']}"
        self.assertEqual(self.refusal("DELETE", path, None)[:2], (422, "Droplet already has a pending event."))
        self.wait_for(lambda: self.ask("DELETE", path) is None)
        self.assertEqual(self.ask("DELETE", path), 422)

    def test_tags_come_after_the_machine(self):
        self.ask("POST", "/-/settings", {"tag_seconds": 0.5})
        self.make(tags=["ours"])
        self.assertEqual(self.ask("GET", "/v2/droplets?tag_name=ours")["droplets"], [])
        self.assertEqual(len(self.ask("GET", "/v2/droplets?name=WEB")["droplets"]), 1)
        self.wait_for(lambda: self.ask("GET", "/v2/droplets?tag_name=ours")["droplets"])

    def test_refusals_are_those_of_the_real_one(self):
        for members, text in [({"image": "debian-99-x64"}, "You specified an invalid image for Droplet creation."),
                              ({"size": "s-9"}, "You specified an invalid size for Droplet creation."),
                              ({"region": "nyc2"}, "Region is not available"),
                              ({"region": "sgp1", "size": "s-1vcpu-1gb-intel"}, "Size is not available in this region."),
                              ({"ssh_keys": [7]}, "7 are invalid key identifiers for Droplet creation."),
                              ({"user_data": "x" * 65537}, "User data is too long (maximum is 64 KiB)")]:
            body = {"name": "web", "region": "nyc3", "size": "s-1vcpu-1gb", "image": "debian-12-x64", **members}
            self.assertEqual(self.refusal("POST", "/v2/droplets", body)[:2], (422, text))
        self.ask("POST", "/-/settings", {"droplet_limit": 0})
        body = {"names": ["a"], "region": "nyc3", "size": "s-1vcpu-1gb", "image": "debian-12-x64"}
        self.assertEqual(self.refusal("POST", "/v2/droplets", body)[:2], (422, "creating this/these droplet(s) will exceed your droplet limit"))
        self.assertEqual(self.ask("POST", "/v2/droplets", {**body, "names": [f"n{number}" for number in range(11)]}), 422)

    def test_only_the_burst_says_when_to_come_back(self):
        self.ask("POST", "/-/settings", {"burst_limit": 2, "burst_seconds": 0.5})
        self.assertEqual([self.ask("GET", "/v2/account") is not None for _ in range(2)], [True, True])
        self.assertEqual(self.refusal("GET", "/v2/account", None)[2]["retry-after"], "1")
        time.sleep(0.6)
        self.ask("POST", "/-/settings", {"burst_limit": 250, "hour_limit": 3})
        self.assertIn("account", self.ask("GET", "/v2/account"))
        status, _, headers = self.refusal("GET", "/v2/account", None)
        self.assertEqual((status, headers["retry-after"], headers["ratelimit-remaining"]), (429, None, "0"))

    def test_a_token_may_do_what_its_scopes_say(self):
        self.ask("POST", "/-/settings", {"tokens": {"reader": ["droplet:read"], "maker": ["droplet:create"]}})
        body = {"name": "web", "region": "nyc3", "size": "s-1vcpu-1gb", "image": "debian-12-x64"}
        self.assertEqual(self.ask("GET", "/v2/droplets", token="reader")["droplets"], [])
        self.assertEqual(self.ask("POST", "/v2/droplets", body, token="reader"), 403)
        self.assertEqual(self.ask("POST", "/v2/droplets", {**body, "tags": ["x"]}, token="maker"), 403)
        self.assertIn("droplet", self.ask("POST", "/v2/droplets", body, token="maker"))

    def test_things_go_wrong_on_purpose(self):
        self.ask("POST", "/-/settings", {"boot_seconds": 0})
        self.ask("POST", "/-/fault", {"operation": "droplets_create", "kind": "lost_reply"})
        with self.assertRaises((OSError, urllib.error.URLError)):
            self.make()
        number = self.ask("GET", "/v2/droplets")["droplets"][0]["id"]
        self.ask("POST", "/-/fault", {"operation": "droplets_destroy", "kind": "comes_back", "after": 0.4})
        self.assertIsNone(self.ask("DELETE", f"/v2/droplets/{number}"))
        self.assertEqual(self.ask("GET", f"/v2/droplets/{number}"), 404)
        self.wait_for(lambda: self.ask("GET", f"/v2/droplets/{number}") != 404)
        self.ask("POST", "/-/fault", {"operation": "droplets_create", "kind": "late", "after": 0.4})
        self.assertEqual(self.make(name="late"), 503)
        self.wait_for(lambda: self.ask("GET", "/v2/droplets?name=late")["droplets"])


class JudgeTest(unittest.TestCase):
    def setUp(self):
        sys.path.insert(0, str(HERE))
        from digitalocean.judge import Judge
        self.judge = Judge()
        if not self.judge.path:
            self.skipTest("DigitalOcean's document does not lie beside the project")

    def problems(self, operation, body=None, values=None, query=None):
        text = b"" if body is None else json.dumps(body).encode()
        return self.judge.problems_with_request(operation, values or {}, query or {}, {"Content-Type": "application/json"}, text)

    def test_requests_that_the_document_does_not_know_are_refused(self):
        right = {"name": "web", "size": "s-1vcpu-1gb", "image": 12}
        self.assertEqual(self.problems("droplets_create", right), [])
        for wrong in ({**right, "name": "under_score"}, {**right, "sizes": "x"}, {**right, "ipv6": "yes"}, {"name": "web"}, {**right, "user_data": None}):
            self.assertNotEqual(self.problems("droplets_create", wrong), [], wrong)
        self.assertNotEqual(self.problems("droplets_list", query={"tag": "x"}), [])
        self.assertNotEqual(self.problems("droplets_list", query={"per_page": "1000"}), [])
        self.assertNotEqual(self.problems("droplets_get", values={"droplet_id": "web"}), [])
        self.assertNotEqual(self.problems("tags_assign_resources", {"resources": [{"resource_id": 7, "resource_type": "droplet"}]}, {"tag_id": "x"}), [])

    def test_answers_are_judged_too(self):
        self.assertEqual(self.judge.problems_with_answer("droplets_destroy", 204, None), [])
        self.assertNotEqual(self.judge.problems_with_answer("droplets_get", 200, {"droplet": {"id": "7"}}), [])
        self.assertNotEqual(self.judge.problems_with_answer("droplets_get", 404, {"error": "?"}), [])


def go_version():
    """(1, 26) or so; (0, 0) without Go."""
    if not shutil.which("go"):
        return 0, 0
    text = subprocess.run(["go", "env", "GOVERSION"], capture_output=True, text=True, check=True).stdout
    return tuple(int(part) for part in text.strip().removeprefix("go").split(".")[:2])


@unittest.skipUnless(go_version() >= (1, 23), "godo needs Go 1.23")
class GodoTest(StandInCase):
    def test_a_tagged_machine_behind_a_firewall_lives_and_is_gone(self):
        folder = REPO / "var" / "digitalocean-go"
        program = folder / "lives"
        folder.mkdir(parents=True, exist_ok=True)
        places = {"GOPATH": str(folder / "path"), "GOMODCACHE": str(folder / "path" / "mod"), "GOCACHE": str(folder / "cache"), "GOTOOLCHAIN": "local"}
        subprocess.run(["go", "build", "-modcacherw", "-buildvcs=false", "-o", program, "."], cwd=HERE / "digitalocean" / "godo", check=True,
                       env={**os.environ, **places})
        done = subprocess.run([program, f"http://127.0.0.1:{self.port}/"], capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        left = self.ask("GET", "/-/state")
        self.assertEqual([left[kind] for kind in ("droplets", "volumes", "keys", "firewalls", "tags")], [[], [], [], [], []])


if __name__ == "__main__":
    unittest.main()
