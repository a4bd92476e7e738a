"""The client of the file system: what YARN, HBase, Hive and Hue use."""
from .common import Refused, ask, first_answer, quoted, site


def namenode():
    return site("core")["fs.defaultFS"].replace("webhdfs://", "http://").rstrip("/")


def parts_of(content, size):
    """At most size bytes each, cut behind a line or a word where there is one: nobody has to read on in the next block."""
    start = 0
    while len(content) - start > size:
        end = max(content.rfind(b"\n", start, start + size), content.rfind(b" ", start, start + size)) + 1 or start + size
        yield content[start:end]
        start = end
    yield content[start:]


def put(path, content):
    """Writes a file: the namenode says where its blocks go, and has the other copies made."""
    size = int(site("hdfs").get("dfs.blocksize", 65536))
    blocks = []
    for part in parts_of(content, size):
        block = ask(namenode() + "/block", b"")
        first_answer([f"http://{host}:9864/block/{block['id']}" for host in block["hosts"]],
                     part, "PUT")
        blocks.append(block["id"])
    ask(namenode() + "/file" + quoted(path), {"blocks": blocks, "size": len(content)}, "PUT")


def blocks(path):
    return ask(namenode() + "/file" + quoted(path))["blocks"]


def read_block(block):
    if not block["hosts"]:
        raise Refused(503, f"block {block['id']} is on no live datanode")
    return first_answer([f"http://{host}:9864/block/{block['id']}" for host in block["hosts"]])


def get(path):
    return b"".join(read_block(block) for block in blocks(path))
