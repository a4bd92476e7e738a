"""Keeps the names: files, their blocks, which datanodes have them; orders new copies of what has too few."""
import json
import threading

from .common import DATA, Members, Refused, ask, every, serve, site

IMAGE = DATA / "namenode" / "fsimage.json"


def format():
    """As `hdfs namenode -format`, but never over an image that is there."""
    if IMAGE.exists():
        print("formatted already")
        return
    IMAGE.parent.mkdir(parents=True, exist_ok=True)
    IMAGE.write_text(json.dumps({"next": 1, "files": {}}))
    print(f"{IMAGE} made")


def run():
    if not IMAGE.exists():
        raise RuntimeError(f"{IMAGE} is missing: the namenode was never formatted (its action `initialize`)")
    image = json.loads(IMAGE.read_text())
    replication = int(site("hdfs").get("dfs.replication", 3))
    datanodes, places, lock = Members(), {}, threading.RLock()

    def save():
        temporary = IMAGE.with_suffix(".new")
        temporary.write_text(json.dumps(image))
        temporary.replace(IMAGE)

    def report(_, body):
        """A datanode's heartbeat with the blocks it has."""
        told = json.loads(body)
        datanodes.report(told["host"])
        with lock:
            places[told["host"]] = set(told["blocks"])
        return {"ok": True}

    def holders(block):
        live = datanodes.live()
        with lock:
            return [host for host in live if block in places.get(host, ())]

    def new_block(*_):
        live = datanodes.live()
        if not live:
            raise Refused(503, "no datanode is live")
        with lock:
            number, image["next"] = image["next"], image["next"] + 1
            save()
        start = number % len(live)
        return {"id": f"blk_{number}", "hosts": (live[start:] + live[:start])[:replication]}

    def write(path, body):
        told = json.loads(body)
        with lock:
            image["files"]["/" + path] = told
            save()
        return {"ok": True}

    def read(path, _):
        with lock:
            file = image["files"].get("/" + path)
        if file is None:
            raise Refused(404, f"/{path}: No such file")
        return {"size": file["size"], "blocks": [{"id": b, "hosts": holders(b)} for b in file["blocks"]]}

    def wanted():
        """Blocks of files with fewer copies than there could be, and who may have one more."""
        live = datanodes.live()
        with lock:
            blocks = [b for file in image["files"].values() for b in file["blocks"]]
        for block in blocks:
            have = holders(block)
            free = [host for host in live if host not in have]
            if have and free and len(have) < replication:
                yield block, have[0], free[0]

    def replicate():
        for block, source, target in wanted():
            ask(f"http://{source}:9864/copy/{block}", {"to": target}, timeout=15)

    def status(*_):
        with lock:
            files = len(image["files"])
        return {"live": datanodes.live(), "dead": datanodes.dead(), "files": files,
                "under_replicated": sum(1 for _ in wanted()), "replication": replication}

    every(2, replicate)
    serve(9870, {"POST /heartbeat": report, "POST /block": new_block, "PUT /file/": write, "GET /file/": read,
                 "GET /image": lambda *_: image, "GET /status": status})
