"""A guest: a host in namespaces of its own, on a cable to the network this program runs in, with the addresses that its cloud shows."""

import shutil
import signal
import subprocess
import time
from pathlib import Path

FIRST_PROCESS = Path(__file__).with_name("first_process.sh")
NAMESPACES = ["--mount", "--net", "--pid", "--uts", "--ipc", "--fork", "--kill-child", "--propagation", "private"]
# On our end of every cable: a guest sends all it sends to it, whatever its addresses are.
GATEWAY = "169.254.1.1"


def ip(*words, inside=None):
    enter = ["nsenter", f"--net=/proc/{inside}/ns/net"] if inside else []
    return subprocess.run([*enter, "ip", *words], check=True, capture_output=True, text=True).stdout


class Host:
    """Its disk lives until remove(), its processes until stop(), or until this program ends however that happens."""

    def __init__(self, folder, root, number):
        self.folder = Path(folder)
        self.root = Path(root)
        self.cable = f"guest{number}"
        self.process = None
        self.first = None
        self.fixed = []
        self.floating = []

    def is_running(self):
        return self.process is not None and self.process.poll() is None

    def start(self, fixed, user_data, meta_data):
        for part in ("upper", "work", "root"):
            (self.folder / part).mkdir(parents=True, exist_ok=True)
        (self.folder / "user-data").write_bytes(user_data)
        (self.folder / "meta-data").write_text(meta_data)
        with open(self.folder / "log", "ab") as log:
            self.process = subprocess.Popen(
                ["setpriv", "--pdeathsig", "KILL", "nice", "unshare", *NAMESPACES, FIRST_PROCESS, self.root, self.folder, *fixed],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self.first = self.wait_for_first_process()
        self.plug_in(fixed)

    def wait_for_first_process(self):
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        for _ in range(200):
            if found := children.read_text().split():
                return int(found[0])
            time.sleep(0.01)
        raise RuntimeError(f"{self.folder}: no first process")

    def plug_in(self, fixed):
        """The first process waits for its end of the cable."""
        ip("link", "add", self.cable, "type", "veth", "peer", "name", "eth0", "netns", str(self.first))
        ip("addr", "add", GATEWAY + "/32", "dev", self.cable)
        ip("link", "set", self.cable, "up")
        for address in fixed:
            ip("route", "replace", address + "/32", "dev", self.cable)
        self.fixed, self.floating = list(fixed), []

    def set_floating(self, addresses):
        """Addresses that the cloud forwards; without a packet filter the guest has them itself, beside its own."""
        for address in sorted(set(self.floating) - set(addresses)):
            ip("addr", "del", address + "/32", "dev", "lo", inside=self.first)
            # Another guest may have it by now.
            subprocess.run(["ip", "route", "del", address + "/32", "dev", self.cable], capture_output=True, check=False)
        for address in sorted(set(addresses) - set(self.floating)):
            ip("addr", "replace", address + "/32", "dev", "lo", inside=self.first)
            ip("route", "replace", address + "/32", "dev", self.cable)
        self.floating = list(addresses)

    def stop(self):
        """As by the switch. The cable and its routes go with the network of the guest."""
        if self.is_running():
            self.process.send_signal(signal.SIGKILL)
        if self.process:
            self.process.wait()
            while Path(f"/proc/{self.first}").exists():
                time.sleep(0.01)
        subprocess.run(["ip", "link", "del", self.cable], capture_output=True, check=False)
        self.process = self.first = None

    def remove(self):
        self.stop()
        shutil.rmtree(self.folder)
