"""Keeps a checkpoint of the namenode's image."""
import json
import time

from .common import DATA, ask, every, serve, site
from .hdfs import namenode


def run():
    folder = DATA / "secondarynamenode"
    folder.mkdir(parents=True, exist_ok=True)
    state = {"checkpoint": None, "files": None}

    def checkpoint():
        image = ask(namenode() + "/image")
        (folder / "fsimage.json").write_text(json.dumps(image))
        state.update(checkpoint=time.time(), files=len(image["files"]))

    every(float(site("hdfs").get("dfs.namenode.checkpoint.period", 3600)), checkpoint)
    serve(9868, {"GET /status": lambda *_: state})
