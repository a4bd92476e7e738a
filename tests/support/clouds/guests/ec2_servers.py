"""The instances of the EC2 stand-in, from the side where tests see everything that exists."""

import json

from server import Server, ask, seed_of

OFF = {"stopped", "stopping", "shutting-down"}


class Ec2Servers:
    def __init__(self, url):
        self.url = url.rstrip("/")

    def all(self):
        regions = json.loads(ask(self.url + "/-/state")[1])
        instances = [one for region in regions.values() for one in region["instances"]]
        return [server_of(one) for one in instances if one["state"] != "terminated"]


def server_of(one):
    public = [one["public"]] if one["public"] and one["public"] != one["private"] else []
    return Server(id=one["id"], name=one["tags"].get("Name", ""), runs=one["state"] == "running" and bool(one["private"]),
                  is_off=one["state"] in OFF, fixed=[one["private"]], floating=public,
                  user_data=lambda: (one["user_data"] or "#cloud-config\n{}\n").encode(),
                  meta_data=lambda: seed_of(one["id"], "ip-" + one["private"].replace(".", "-"), {}))
