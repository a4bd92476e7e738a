#!/usr/bin/env python3
"""Rackspace Cloud Servers for tests: mimic, which Rackspace wrote for its own tests, behind a front that does what mimic leaves
out: it refuses wrong keys, unknown and expired tokens, and bodies that Nova's schema refuses. Prints its port; ends when its
standard input does. Faults: fault_server.py.

User joe, API key "12345", regions ORD, DFW and IAD. Metadata of a server tell mimic how it behaves: "server_building": seconds,
"server_error": any text.
"""

import http.client
import json
import os
import re
import subprocess
import sys
import time
import urllib.request
import warnings
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
from python_packages import REPO, environment  # noqa: E402

PACKAGES = environment("rackspace-python", HERE / "rackspace_requirements.txt")
if Path(sys.prefix) != PACKAGES:
    os.execv(PACKAGES / "bin" / "python", [str(PACKAGES / "bin" / "python"), *sys.argv])

warnings.simplefilter("ignore")
from fault_server import Answer, StandIn, run  # noqa: E402
from openstack_simulator.judge import Judge  # noqa: E402

USER, KEY = "joe", "12345"
NOVA = r"/mimicking/NovaApi-[^/]+/([A-Z]+)/v2/\d+"
OPERATIONS = (("identity.log_in", "POST", r"/identity/v2\.0/tokens"), ("compute.create_server", "POST", NOVA + "/servers"),
              ("compute.list_servers", "GET", NOVA + "/servers(?:/detail)?"), ("compute.show_server", "GET", NOVA + "/servers/([^/]+)"),
              ("compute.delete_server", "DELETE", NOVA + "/servers/([^/]+)"), ("compute.list_images", "GET", NOVA + "/images(?:/detail)?"),
              ("compute.show_image", "GET", NOVA + "/images/([^/]+)"), ("compute.list_flavors", "GET", NOVA + "/flavors(?:/detail)?"),
              ("compute.show_flavor", "GET", NOVA + "/flavors/([^/]+)"), ("compute.list_keys", "GET", NOVA + "/os-keypairs"),
              ("compute.create_key", "POST", NOVA + "/os-keypairs"), ("compute.delete_key", "DELETE", NOVA + "/os-keypairs/([^/]+)"),
              ("compute.limits", "GET", NOVA + "/limits"), ("compute.change_metadata", "PUT", NOVA + "/servers/([^/]+)/metadata(?:/[^/]+)?"))

TWISTED = """
import sys, threading
from twisted.internet import reactor
from mimic.tap import makeService, Options
options = Options()
options.parseOptions(["--realtime", "--listen", "tcp:0:interface=127.0.0.1"])
makeService(options).startService()
def tell():
    ports = [reader.getHost().port for reader in reactor.getReaders() if hasattr(reader, "factory")]
    print(ports[0], flush=True) if ports else reactor.callLater(0.05, tell)
reactor.callWhenRunning(tell)
threading.Thread(target=lambda: (sys.stdin.read(), reactor.callFromThread(reactor.stop)), daemon=True).start()
reactor.run()
"""


class Rackspace(StandIn):
    def __init__(self, port):
        self.port = port
        self.settings = {"token_seconds": 86400, "quota": 100}
        self.tokens, self.endpoints, self.keys = {}, {}, set()
        self.judge = Judge(REPO / "var" / "openstack-wheels", nova_alone=True)
        # Its input is a pipe of this process, so it ends with it.
        self.mimic = subprocess.Popen([sys.executable, "-W", "ignore", "-c", TWISTED], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.mimic_port = int(self.mimic.stdout.readline())

    def operation(self, request):
        for name, method, path in OPERATIONS:
            if method == request.method and (found := re.fullmatch(path, request.path)):
                return name + ("@" + found[1] if found.groups() and found[1] != "DFW" else "")
        return "unknown"

    def forward(self, request):
        connection = http.client.HTTPConnection("127.0.0.1", self.mimic_port, timeout=20)
        headers = {"Host": f"127.0.0.1:{self.port}"}
        headers.update({name: request.headers[name] for name in ("x-auth-token", "content-type", "accept") if name in request.headers})
        connection.request(request.method, request.target, request.bytes or None, headers)
        reply = connection.getresponse()
        # mimic writes its own port into links, whatever the Host is.
        body = reply.read().replace(b"127.0.0.1:%d/" % self.mimic_port, b"127.0.0.1:%d/" % self.port)
        return Answer(reply.status, body, {"Content-Type": reply.headers.get("Content-Type", "application/json")})

    def log_in(self, request):
        given = request.json()["auth"].get("RAX-KSKEY:apiKeyCredentials", {})
        if (given.get("username"), given.get("apiKey")) != (USER, KEY):
            raise Answer(401, {"unauthorized": {"code": 401, "message": "Username or api key is invalid."}})
        answer = self.forward(request)
        body = json.loads(answer.body)
        until = time.time() + self.settings["token_seconds"]
        # Rackspace writes the time of Texas, with its offset.
        body["access"]["token"]["expires"] = time.strftime("%Y-%m-%dT%H:%M:%S.000-05:00", time.gmtime(until - 5 * 3600))
        self.tokens[body["access"]["token"]["id"]] = until
        for service in body["access"]["serviceCatalog"]:
            if service["name"] == "cloudServersOpenStack":
                self.endpoints = {endpoint["region"]: endpoint["publicURL"] for endpoint in service["endpoints"]}
        # mimic gives one user the same token each time; a revoked one would come again.
        return Answer(answer.status, body, answer.headers)

    def perform(self, request, operation):
        name = operation.split("@")[0]
        if name == "identity.log_in":
            return self.log_in(request)
        if self.tokens.get(request.headers.get("x-auth-token"), 0) <= time.time():
            raise Answer(401, {"unauthorized": {"code": 401, "message": "No valid token provided. Please use the 'X-Auth-Token' header with a valid token."}})
        if name == "unknown":
            raise Answer(404, {"itemNotFound": {"code": 404, "message": "The resource could not be found."}}, judged=f"no such call: {request.method} {request.path}")
        if name == "compute.create_server":
            self.check(request)
        answer = self.forward(request)
        if name == "compute.create_key" and answer.status == 200:
            self.keys.add(request.json()["keypair"]["name"])
        if name == "compute.delete_key":
            self.keys.discard(request.path.rsplit("/", 1)[1])
        return answer

    def check(self, request):
        if against := self.judge.of_compute("servers", "create", request.json(), "2.1"):
            raise Answer(400, {"badRequest": {"code": 400, "message": against}}, judged=against)
        used = len(self.servers())
        if used >= self.settings["quota"]:
            raise Answer(413, {"overLimit": {"code": 413, "message": f"Quota exceeded for instances: Requested 1, but already used {used} of "
                                                                   f"{self.settings['quota']} instances", "retryAfter": "0"}}, {"Retry-After": "0"})

    def own(self, method, url, body=None):
        token = next(iter(self.tokens), "")
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(url.replace(f":{self.port}/", f":{self.mimic_port}/"), data=data, method=method,
                                         headers={"X-Auth-Token": token, "Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=20) as reply:
            text = reply.read()
            return json.loads(text) if text else {}

    def servers(self):
        found = []
        for region, url in sorted(self.endpoints.items()):
            for server in self.own("GET", url + "/servers/detail?limit=1000")["servers"]:
                found.append({"id": server["id"], "name": server["name"], "status": server["status"], "metadata": server["metadata"], "region": region,
                              "url": f"{url}/servers/{server['id']}"})
        return found

    def state(self):
        return {"servers": self.servers(), "keys": sorted(self.keys)}

    # What tests may do beside the API.
    def do_revoke(self):
        self.tokens.clear()

    def do_metadata(self, name, key, value):
        for server in self.servers():
            if server["name"] == name:
                self.own("PUT", f"{server['url']}/metadata/{key}", {"meta": {key: value}})


if __name__ == "__main__":
    run(Rackspace)
