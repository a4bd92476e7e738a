"""The edge: a page that shows what everybody says, and a job that takes all of them."""
import html

from . import hdfs, zookeeper
from .common import HOST, Refused, ask, first_answer, quoted, serve, site
from .hbase_master import current, region_servers

ROW = "<tr><th>{}</th><td>{}</td></tr>"
PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Hadoop-like cluster</title>
<style>body {{ font: 1rem/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 50rem }}
th {{ text-align: left; vertical-align: top; padding-right: 2rem }}</style>
<h1>Hadoop-like cluster</h1><table>{}</table></html>
"""


def metastore():
    return site("hive")["hive.metastore.uris"].replace("thrift://", "http://")


def yarn():
    return "http://" + site("yarn")["yarn.resourcemanager.hostname"] + ":8088"


def status(*_):
    """What each part says; a part that does not answer says why."""
    parts = {
        "namenode": lambda: ask(hdfs.namenode() + "/status"),
        "resourcemanager": lambda: ask(yarn() + "/status"),
        "historyserver": lambda: ask("http://" + site("mapred")["mapreduce.jobhistory.webapp.address"] + "/status"),
        "zookeeper": lambda: [first_answer([url + "/status"])["mode"] for url in zookeeper.urls()],
        "hbase": lambda: {"master": current(), "region_servers": region_servers()},
        "hive": lambda: ask(metastore() + "/tables"),
    }
    told = {}
    for name, part in parts.items():
        try:
            told[name] = part()
        except Refused as error:
            told[name] = {"error": str(error)}
    return told


def page(*_):
    rows = "".join(ROW.format(html.escape(name), html.escape(str(value))) for name, value in status().items())
    return PAGE.format(rows)


def count_words(name, body):
    """A text through all parts: HDFS keeps it, YARN counts it, Hive knows it, HBase has the count."""
    path = "/user/hue/" + name
    hdfs.put(path, body)
    app = ask(yarn() + "/apps", {"path": path}, timeout=60)
    ask(metastore() + "/tables/" + quoted(name), {"location": path}, "PUT")
    servers = region_servers()
    if not servers:
        raise Refused(503, "HBase has no region server")
    server = servers[sum(name.encode()) % len(servers)]
    ask(f"http://{server}:16030/row/{quoted(name)}", str(sum(app["words"].values())).encode(), "PUT")
    # Read back from another server than the one that wrote it, if there is one.
    reader = servers[(servers.index(server) + 1) % len(servers)]
    count = int(ask(f"http://{reader}:16030/row/{quoted(name)}"))
    return {"words": app["words"], "nodes": app["nodes"], "count": count, "tables": ask(metastore() + "/tables")}


def run():
    serve(8888, {"GET /": page, "GET /status": status, "POST /words/": count_words})


def home():
    """Its folder in HDFS, as Hue's first start makes it."""
    hdfs.put(f"/user/hue/{HOST}", b"hue\n")
    print(f"/user/hue/{HOST} written")
