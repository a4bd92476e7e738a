"""Runs containers: each counts the words of one block."""
import collections
import json

from . import hdfs
from .common import HOST, ask, every, serve, site


def run():
    master = "http://" + site("yarn")["yarn.resourcemanager.hostname"] + ":8088"
    state = {"resourcemanager": master, "registered": False, "containers": 0}

    def heartbeat():
        state["registered"] = False
        ask(master + "/heartbeat", {"host": HOST})
        state["registered"] = True

    def container(_, body):
        block = json.loads(body)["block"]
        # The copy on this node is the one that costs nothing to read.
        block["hosts"].sort(key=lambda host: host != HOST)
        state["containers"] += 1
        return dict(collections.Counter(hdfs.read_block(block).decode().split()))

    every(1, heartbeat)
    serve(8042, {"POST /container": container, "GET /status": lambda *_: state})
