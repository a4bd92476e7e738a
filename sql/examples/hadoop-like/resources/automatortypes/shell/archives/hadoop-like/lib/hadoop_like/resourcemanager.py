"""Gives work to the nodemanagers that report: counts the words of a file, block by block, where the blocks are."""
import collections
import concurrent.futures
import itertools
import json
import time

from . import hdfs
from .common import Members, Refused, ask, serve, site


def run():
    nodes, numbers, apps = Members(), itertools.count(1), {}

    def report(_, body):
        nodes.report(json.loads(body)["host"])
        return {"ok": True}

    def map_block(number, block):
        live = nodes.live()
        if not live:
            raise Refused(503, "no nodemanager is live")
        near = [host for host in block["hosts"] if host in live] or [live[number % len(live)]]
        return near[0], ask(f"http://{near[0]}:8042/container", {"block": block}, timeout=30)

    def submit(_, body):
        path = json.loads(body)["path"]
        app = {"id": f"application_{int(time.time())}_{next(numbers):04d}", "path": path}
        apps[app["id"]] = app
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            parts = list(pool.map(map_block, itertools.count(), hdfs.blocks(path)))
        words = collections.Counter()
        for _, counted in parts:
            words.update(counted)
        app.update(state="FINISHED", nodes=sorted({host for host, _ in parts}), words=dict(words.most_common(20)))
        hdfs.put(f"/user/history/{app['id']}", json.dumps(app).encode())
        address = site("mapred").get("mapreduce.jobhistory.webapp.address")
        ask(f"http://{address}/jobs", app)
        return app

    serve(8088, {"POST /heartbeat": report, "POST /apps": submit, "GET /apps": lambda *_: list(apps.values()),
                 "GET /status": lambda *_: {"live": nodes.live(), "dead": nodes.dead()}})
