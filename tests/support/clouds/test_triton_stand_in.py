#!/usr/bin/env python3
"""Triton's own client (npm `triton`) lives a whole life on the stand-in, so that the stand-in is not only believed by its author."""

import json
import os
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.error
import urllib.request
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parent))
from node_packages import node_environment  # noqa: E402
from stand_in_process import StandIn  # noqa: E402

PACKAGES = node_environment("triton-node", Path(__file__).with_name("triton_packages.json"))
IMAGE = "1d05f2f4-4b1c-4c47-9d0f-5f2a0a6f4a01"
SIGN = """
const fs = require('fs'), signature = require('http-signature');
const [path, date, key, ...headers] = process.argv.slice(1);
const made = {};
const request = {method: 'GET', path, getHeader: (name) => made[name.toLowerCase()], setHeader: (name, value) => { made[name.toLowerCase()] = value; }};
made.date = date;
signature.sign(request, {key: fs.readFileSync(key, 'utf8'), keyId: '/joe/keys/laptop', headers});
process.stdout.write(made.authorization);
"""


class TritonLivesHere(unittest.TestCase):
    def setUp(self):
        self.home = tempfile.TemporaryDirectory()
        self.key = Path(self.home.name) / ".ssh" / "id_rsa"
        self.key.parent.mkdir(mode=0o700)
        subprocess.run(["ssh-keygen", "-q", "-t", "rsa", "-m", "PEM", "-b", "2048", "-N", "", "-f", self.key], check=True)
        shown = subprocess.run(["ssh-keygen", "-l", "-E", "md5", "-f", self.key], check=True, capture_output=True, text=True).stdout
        self.fingerprint = shown.split()[1].removeprefix("MD5:")
        self.peer = StandIn("triton_stand_in.py", "joe", f"{self.key}.pub", "laptop")
        self.peer.__enter__()
        self.addCleanup(self.home.cleanup)
        self.addCleanup(self.peer.__exit__)

    def run_triton(self, *words):
        # A profile of the environment; no agent, so that the key in ~/.ssh signs.
        environment = {"PATH": os.environ["PATH"], "HOME": self.home.name, "TRITON_PROFILE": "env", "TRITON_URL": self.peer.url,
                       "TRITON_ACCOUNT": "joe", "TRITON_KEY_ID": self.fingerprint}
        command = [PACKAGES / "node_modules" / ".bin" / "triton", *words]
        return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)

    def triton(self, *words):
        done = self.run_triton(*words)
        self.assertEqual(done.returncode, 0, done.stderr + done.stdout)
        return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]

    def get(self, path, key_path=None, date=None, headers=("(request-target)", "date"), version="~9||~8"):
        date = date or time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime())
        signed = subprocess.run(["node", "-e", SIGN, path, date, key_path or self.key, *headers], check=True, capture_output=True, text=True,
                                env={**os.environ, "NODE_PATH": str(PACKAGES / "node_modules")}).stdout
        request = urllib.request.Request(self.peer.url + path, headers={"Date": date, "Authorization": signed, "Accept-Version": version})
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)

    def test_its_client_makes_lists_and_deletes_a_machine(self):
        self.triton("instance", "create", "--wait", "--json", "--name", "one", "--tag", "color=blue", "--metadata", "cloud-init:user-data=#x",
                    IMAGE, "k4-general-kvm-3.75G")
        listed = self.triton("instance", "list", "--json")
        shown = self.triton("instance", "get", "--json", "one")
        self.triton("instance", "delete", "--wait", "--force", "one")

        self.assertEqual([machine["name"] for machine in listed], ["one"])
        self.assertEqual(shown[0]["tags"], {"color": "blue"})
        self.assertEqual(self.peer.state()["machines"], [])
        self.assertEqual(self.peer.calls()["refused"], [])
        self.assertGreater(self.peer.calls()["signed_targets"], 3)

    def test_its_client_reads_packages_images_networks_keys(self):
        self.assertEqual(len(self.triton("package", "list", "--json")), 2)
        self.assertEqual(len(self.triton("image", "list", "--json")), 2)
        self.assertEqual(len(self.triton("network", "list", "--json")), 2)
        self.assertEqual([key["name"] for key in self.triton("key", "list", "--json")], ["laptop"])

    def test_its_client_makes_and_deletes_a_rule_of_the_firewall(self):
        self.triton("fwrule", "create", 'FROM any TO tag "role" = "web" ALLOW tcp PORT 80')
        rules = self.triton("fwrule", "list", "--json")
        self.triton("fwrule", "delete", "--force", rules[0]["id"])
        wrong = self.run_triton("fwrule", "create", "FROM any TO nowhere ALLOW tcp PORT 80")

        self.assertEqual(self.peer.state()["rules"], [])
        self.assertIn("InvalidParameters", wrong.stderr)

    def test_a_second_machine_of_a_name_is_a_conflict(self):
        self.triton("instance", "create", "--name", "one", IMAGE, "k4-general-kvm-3.75G")
        again = self.run_triton("instance", "create", "--name", "one", IMAGE, "k4-general-kvm-3.75G")

        self.assertIn("Invalid machine name", again.stderr)
        self.assertEqual(self.peer.state()["made"], 1)

    def test_addresses_come_after_the_creation(self):
        self.peer.set(boot=300, addresses=400)
        self.triton("instance", "create", "--name", "one", IMAGE, "k4-general-kvm-3.75G")
        machine = self.peer.state()["machines"][0]
        time.sleep(1)

        self.assertEqual(machine["ips"], [])
        self.assertEqual(len(self.peer.state()["machines"][0]["ips"]), 2)

    def test_a_clock_that_is_wrong_is_refused(self):
        late = time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime(time.time() - 400))

        status, body = self.get("/my/machines", date=late)

        self.assertEqual((status, body["code"]), (400, "InvalidHeader"))
        self.assertIn("clock skew of 40", body["message"])

    def test_a_signature_by_another_key_or_for_another_target_is_refused(self):
        other = Path(self.home.name) / "other"
        subprocess.run(["ssh-keygen", "-q", "-t", "rsa", "-m", "PEM", "-b", "2048", "-N", "", "-f", other], check=True)

        self.assertEqual(self.get("/my/machines", key_path=other)[0], 401)
        self.assertEqual(self.get("/my/machines")[0], 200)
        self.assertEqual(self.get("/my/machines", headers=("date",))[0], 200)
        self.assertEqual(len(self.peer.calls()["refused"]), 1)

    def test_versions_and_inputs_that_do_not_exist_are_refused(self):
        self.assertEqual(self.get("/my/machines", version="~6.5")[0], 449)
        self.assertEqual(self.get("/my/machines", version="~7.0")[0], 200)
        self.assertEqual(self.get("/my/machines?colour=blue")[0], 409)
        self.assertEqual(len(self.peer.calls()["refused"]), 2)

    def test_pages_end_with_one_that_is_shorter_than_the_limit(self):
        for number in range(3):
            self.triton("instance", "create", "--name", f"m{number}", IMAGE, "k4-general-kvm-3.75G")

        self.assertEqual([m["name"] for m in self.get("/my/machines?limit=2")[1]], ["m0", "m1"])
        self.assertEqual([m["name"] for m in self.get("/my/machines?offset=2&limit=2")[1]], ["m2"])
        self.assertEqual(self.get("/my/machines?limit=1001")[0], 409)

    def test_faults_come_as_they_are_ordered(self):
        self.peer.fault("ListMachines", "throttle")
        self.peer.fault("ListMachines", "error", status=503, code="InsufficientCapacity", message="none left")
        self.peer.fault("CreateMachine", "lost_reply")

        self.assertEqual(self.get("/my/machines")[0], 420)
        self.assertEqual(self.get("/my/machines")[1]["message"], "none left")
        self.assertEqual(self.get("/my/machines")[0], 200)
        self.assertNotEqual(self.run_triton("instance", "create", "--name", "one", IMAGE, "k4-general-kvm-3.75G").returncode, 0)
        self.assertEqual(self.peer.state()["made"], 1)


if __name__ == "__main__":
    unittest.main()
