"""An ensemble: a leader while a majority of the servers in zoo.cfg answer; entries that go when nobody renews them."""
import threading
import time

from .common import CONF, Refused, ask, every, first_answer, serve, wait_until

entries = {}
alive = {}
lock = threading.Lock()
SESSION = 6.0


def config():
    values = dict(line.strip().split("=", 1) for line in (CONF / "zoo.cfg").read_text().splitlines() if "=" in line)
    servers = {int(key[7:]): value.split(":")[0] for key, value in values.items() if key.startswith("server.")}
    return int(values["clientPort"]), servers


def urls():
    """The servers clients ask, from hbase.zookeeper.quorum's point of view: any will do."""
    port, servers = config()
    return [f"http://{host}:{port}" for _, host in sorted(servers.items())]


def leader():
    """The highest number among those who answer, if they are a majority; else nobody."""
    _, servers = config()
    with lock:
        known = sorted(number for number, when in alive.items() if time.monotonic() - when < 3)
    return known[-1] if len(known) * 2 > len(servers) else None


def run():
    port, servers = config()
    me = int((CONF / "myid").read_text())
    if me not in servers:
        raise RuntimeError(f"zoo.cfg has no server.{me}: an ensemble has as many servers as zoo.cfg names")

    def hear_peers():
        with lock:
            alive[me] = time.monotonic()
        for number, host in servers.items():
            if number == me:
                continue
            try:
                ask(f"http://{host}:{port}/ruok", timeout=1)
                with lock:
                    alive[number] = time.monotonic()
            except Refused:
                pass

    def accept(path, body):
        with lock:
            entries["/" + path] = (body.decode(), time.monotonic())
        return {"ok": True}

    def write(path, body):
        head = leader()
        if head is None:
            raise Refused(503, "there is no quorum")
        if head != me:
            return ask(f"http://{servers[head]}:{port}/znode/{path}", body, "PUT")
        taken = 0
        for number, host in servers.items():
            try:
                accept(path, body) if number == me else ask(f"http://{host}:{port}/replica/{path}", body, "PUT", 1)
                taken += 1
            except Refused:
                pass
        if taken * 2 <= len(servers):
            raise Refused(503, f"only {taken} of {len(servers)} servers took the entry")
        return {"servers": taken}

    def read(path, _):
        if leader() is None:
            raise Refused(503, "there is no quorum")
        now = time.monotonic()
        with lock:
            found = {key: value for key, (value, when) in entries.items() if now - when < SESSION}
        return {key: value for key, value in sorted(found.items()) if key.startswith("/" + path)}

    def status(*_):
        head = leader()
        mode = "looking" if head is None else "leader" if head == me else "follower"
        return {"myid": me, "mode": mode, "servers": [servers[n] for n in sorted(servers)]}

    every(0.5, hear_peers)
    serve(port, {"GET /ruok": lambda *_: "imok", "GET /status": status, "GET /znode/": read,
                 "PUT /znode/": write, "PUT /replica/": accept})


def quorum():
    """For those who need one: waits until a majority has chosen a leader."""
    wait_until("a quorum of " + ", ".join(urls()), lambda: first_answer([u + "/status" for u in urls()])["mode"] != "looking")
    print("the ensemble has a leader")
