"""Says in ZooKeeper that it is the master and which region servers there are."""
from . import hdfs
from .common import HOST, Refused, ask, every, first_answer, serve, site


def znode(path):
    quorum = site("hbase")["hbase.zookeeper.quorum"].split(",")
    port = site("hbase").get("hbase.zookeeper.property.clientPort", "2181")
    return [f"http://{host}:{port}/znode/{path}" for host in quorum]


def region_servers():
    return sorted(path.rsplit("/", 1)[1] for path in first_answer(znode("hbase/rs/")))


def current():
    """The master the ensemble knows."""
    found = list(first_answer(znode("hbase/master")).values())
    if not found:
        raise Refused(503, "ZooKeeper knows no master")
    return found[0]


def rootdir():
    """As HBase does: hbase.rootdir in HDFS says that it is HBase's."""
    hdfs.put("/hbase/hbase.id", b"hadoop-like\n")
    print("/hbase/hbase.id written")


def run():
    def lead():
        first_answer(znode("hbase/master"), HOST.encode(), "PUT")

    def status(*_):
        return {"master": current(), "region_servers": region_servers()}

    every(1, lead)
    serve(16010, {"GET /status": status})
