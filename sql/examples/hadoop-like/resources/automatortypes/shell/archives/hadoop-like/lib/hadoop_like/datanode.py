"""Keeps blocks on its disk and tells the namenode each second which."""
import json
import re

from .common import DATA, HOST, Refused, ask, every, serve
from .hdfs import namenode

FOLDER = DATA / "datanode"


def run():
    FOLDER.mkdir(parents=True, exist_ok=True)
    state = {"namenode": namenode(), "registered": False}

    def file_of(block):
        if not re.fullmatch(r"blk_\d+", block):
            raise Refused(400, f"{block} is no block")
        return FOLDER / block

    def heartbeat():
        state["registered"] = False
        ask(namenode() + "/heartbeat", {"host": HOST, "blocks": sorted(p.name for p in FOLDER.glob("blk_*[0-9]"))})
        state["registered"] = True

    def write(block, body):
        """Its own copy; the namenode has the others made."""
        target = file_of(block)
        temporary = target.with_suffix(".new")
        temporary.write_bytes(body)
        temporary.replace(target)
        heartbeat()
        return {"ok": True}

    def read(block, _):
        path = file_of(block)
        if not path.exists():
            raise Refused(404, f"{block} is not here")
        return path.read_bytes()

    def copy(block, body):
        return ask(f"http://{json.loads(body)['to']}:9864/block/{block}", read(block, None), "PUT", timeout=15)

    every(1, heartbeat)
    serve(9864, {"PUT /block/": write, "GET /block/": read, "POST /copy/": copy, "GET /status": lambda *_: state})
