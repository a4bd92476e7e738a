#!/usr/bin/env python3
"""Gives every running server of a cloud a host that people can log in to, with the server's user data in Debian's cloud-init and with
the addresses that the cloud shows; takes it away when the server is gone. Runs as root in the network of the cloud, until SIGTERM.

usage: guests.py DIR ROOT openstack ACCESS.json     of a cloud that tests/support/clouds/openstack/cloud has started
       guests.py DIR ROOT ec2 URL                   of tests/support/clouds/ec2_stand_in.py

DIR/hosts/<id of the server> has the disk and the log of each guest; ROOT is made by `cooperage-local-host root ROOT --install cloud-init`.
"""

import signal
import sys
import time
from pathlib import Path

from ec2_servers import Ec2Servers
from host import Host, ip
from openstack_servers import OpenStackServers
from server import Unreachable

CLOUDS = {"openstack": OpenStackServers, "ec2": Ec2Servers}
PAUSE = 1


def say(text):
    print(f"{time.strftime('%H:%M:%S')} {text}", flush=True)


class Guests:
    def __init__(self, folder, root):
        self.folder = Path(folder) / "hosts"
        self.root = root
        self.hosts = {}
        self.made = 0

    def follow(self, servers):
        """Makes the hosts what the servers are."""
        listed = {server.id: server for server in servers}
        for gone in [one for one in self.hosts if one not in listed]:
            self.hosts.pop(gone).remove()
            say(f"{gone} is gone")
        for server in listed.values():
            host = self.hosts.get(server.id)
            if server.runs and not (host and host.is_running()):
                self.start(server)
            elif server.is_off and host and host.is_running():
                host.stop()
                say(f"{server.id} is off")
            if (host := self.hosts.get(server.id)) and host.is_running() and host.floating != server.floating:
                host.set_floating(server.floating)
                say(f"{server.id} has {' '.join(server.floating) or 'no floating address'}")

    def start(self, server):
        if server.id not in self.hosts:
            self.made += 1
            self.hosts[server.id] = Host(self.folder / server.id, self.root, self.made)
        self.hosts[server.id].start(server.fixed, server.user_data(), server.meta_data())
        say(f"{server.id} {server.name} runs at {' '.join(server.fixed)}")

    def remove_all(self):
        for host in self.hosts.values():
            host.remove()


def main():
    folder, root, cloud, where = sys.argv[1:]
    servers = CLOUDS[cloud](where)
    guests = Guests(folder, root)
    # What guests send to each other goes through here.
    Path("/proc/sys/net/ipv4/ip_forward").write_text("1")
    ip("link", "set", "lo", "up")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    say("ready")
    try:
        while True:
            try:
                guests.follow(servers.all())
            except Unreachable as error:
                say(f"the cloud does not answer: {error}")
            time.sleep(PAUSE)
    finally:
        guests.remove_all()


if __name__ == "__main__":
    main()
