#!/usr/bin/env python3
"""Size and time of the pages of one large cluster that is active. Prints lines of "page.what value": see pages.sh.
    pages.py FOLDER-OF-A-SET CLUSTER

html and wire: kB without and with headers, as nginx sends it to a browser that takes gzip. elements: of the HTML. server: median
of 21 times from the request to the last byte, ms. update: kB on the wire of the parts that are another after one service of one
machine has changed, as static/js/live.js asks for them."""

import gzip
import http.client
import json
import statistics
import subprocess
import sys
import time
import urllib.parse
from html.parser import HTMLParser
from pathlib import Path

SET = Path(sys.argv[1])
CLUSTER = int(sys.argv[2])
ACCESS = json.loads((SET / "access.json").read_text())
HOST = urllib.parse.urlsplit(ACCESS["url"]).netloc

# Every tenth machine failed with one of three messages, every tenth works, every tenth waits.
MIXED = """
UPDATE task JOIN node ON node.id = task.node_id
SET task.state = 'failed', task.message = CONCAT('exit code 100: ', node.hostname, ': ',
    ELT(1 + node.nodenum DIV 10 % 3, 'apt lock held by process ', 'no space left on /dev/sd', 'connection refused by 10.0.0.'), node.nodenum)
WHERE task.job_id = {job} AND node.nodenum % 10 = 0 AND task.action = 'start';
UPDATE task JOIN node ON node.id = task.node_id
SET task.state = 'claimed', task.worker = 'bench', task.claimed_until = UTC_TIMESTAMP() + INTERVAL 1 DAY, task.finished_at = NULL
WHERE task.job_id = {job} AND node.nodenum % 10 = 5 AND task.action = 'start';
UPDATE task JOIN node ON node.id = task.node_id
SET task.state = 'blocked', task.waits_for = 1, task.started_at = NULL, task.finished_at = NULL
WHERE task.job_id = {job} AND node.nodenum % 10 = 7 AND task.action = 'start';
"""
STATES = {
    "active": "",
    "at_work": MIXED + """
UPDATE job SET status = 'running', finished_at = NULL WHERE id = {job};
UPDATE cluster SET status = 'pending' WHERE id = {cluster};""",
    "failed": """
UPDATE job SET status = 'failed', message = 'it broke', finished_at = UTC_TIMESTAMP(6) WHERE id = {job};
UPDATE cluster SET status = 'incomplete', message = 'it broke' WHERE id = {cluster};""",
}
# One service of one machine, to and fro.
CHANGE = """
UPDATE task SET state = IF(state = 'claimed', 'done', 'claimed'), worker = IF(state = 'claimed', 'bench', NULL), claimed_until = IF(state = 'claimed', UTC_TIMESTAMP() + INTERVAL 1 DAY, NULL)
WHERE id = {task};"""


def sql(text):
    command = ["mariadb", "--no-defaults", f"--socket={SET}/run/database/db.sock", "--user=root", "-N", "cooperage"]
    return subprocess.run(command, input=text, text=True, check=True, capture_output=True).stdout.split()


def ask(path, headers=None, method="GET", body=None, status=200):
    """Answer's body, bytes on the wire, its cookies, milliseconds. Asks as a page of the site does."""
    connection = http.client.HTTPConnection(HOST, timeout=60)
    began = time.perf_counter()
    connection.request(method, path, body, {"Accept": "text/html", "Accept-Encoding": "gzip", "Sec-Fetch-Site": "same-origin", **(headers or {})})
    answer = connection.getresponse()
    body = answer.read()
    took = (time.perf_counter() - began) * 1000
    sent = len(body)
    if answer.headers.get("Content-Encoding") == "gzip":
        body = gzip.decompress(body)
    if answer.status != status:
        sys.exit(f"bench: {path} answers {answer.status}")
    connection.close()
    line_and_headers = 17 + sum(len(name) + len(value) + 4 for name, value in answer.getheaders())
    return body, sent + line_and_headers, answer.headers.get_all("Set-Cookie") or [], took


def log_in(role="user", tenant="demo"):
    user = next(user for user in ACCESS["users"] if user["tenant"] == tenant and user["role"] == role)
    form = urllib.parse.urlencode({"tenant": user["tenant"], "user": user["user"], "password": user["password"]})
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    cookies = ask("/login", headers, "POST", form, 303)[2]
    return {"Cookie": "; ".join(cookie.split(";")[0] for cookie in cookies)}


class Parts(HTMLParser):
    """Counts elements; `live` has the fingerprints of the parts that are kept up to date."""

    def __init__(self, text):
        super().__init__()
        self.elements = 0
        self.live = {}
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.elements += 1
        attrs = dict(attrs)
        if attrs.get("data-live"):
            self.live[attrs["id"]] = attrs["data-live"]


def measured(path, session, task):
    """What one page costs now. `task` is what changes for the update; none: the page has none."""
    times = [ask(path, session)[3] for _ in range(21)]
    body, wire, _, _ = ask(path, session)
    parts = Parts(body.decode())
    figures = {"html": len(body) / 1000, "wire": wire / 1000, "elements": parts.elements,
               "server": statistics.median(times)}
    if task:
        have = ", ".join(f"{part}={fingerprint}" for part, fingerprint in parts.live.items())
        sql(CHANGE.format(task=task))
        news, wire, _, took = ask(path, {**session, "X-Live-Parts": have})
        sql(CHANGE.format(task=task))
        changed = json.loads(news)["parts"]
        figures["update"] = wire / 1000
        print(f"{path}: update of {', '.join(changed) or 'nothing'} in {took:.0f} ms", file=sys.stderr)
    return figures


session = log_in()
job = int(sql(f"SELECT latest_job_id FROM cluster WHERE id = {CLUSTER}")[0])
nodenum, task = map(int, sql(f"""
    SELECT node.nodenum, task.id FROM task JOIN node ON node.id = task.node_id
    WHERE task.job_id = {job} AND task.action = 'start' AND task.service = 'ten-application' AND node.nodenum % 10 = 3
    ORDER BY task.id LIMIT 1"""))
here = f"/clusters/{CLUSTER:08}"
pages = {"overview": here, "machines": f"{here}/machines", "machine": f"{here}/machines/{nodenum}", "jobs": f"{here}/jobs",
         "job": f"{here}/jobs/{job}", "job_graph": f"{here}/jobs/{job}/graph", "job_timeline": f"{here}/jobs/{job}/timeline", "services": f"{here}/services", "settings": f"{here}/settings"}
worst = {}
for state, change in STATES.items():
    sql(change.format(job=job, cluster=CLUSTER))
    for page, path in pages.items():
        figures = measured(path, session, task)
        print(f"{state} {page}: {figures}", file=sys.stderr)
        for what, value in figures.items():
            worst[f"{page}.{what}"] = max(value, worst.get(f"{page}.{what}", 0))
# What lists and counts, as each role sees it.
among_10000 = {
    "user": ("user", "demo", {"home": "/", "list": "/clusters", "list_failing": "/clusters?status=failing", "list_terminated": "/clusters?status=terminated",
                              "list_by_name": "/clusters?order=name&page=100", "list_by_status": "/clusters?order=status", "list_found_by_name": "/clusters?q=bench&order=name",
                              "machines": "/machines", "machines_failed": "/machines?state=failed", "machines_ready": "/machines?state=ready",
                              "machines_found": "/machines?q=bench", "machines_not_found": "/machines?q=no-such-thing", "machines_no_address": "/machines?q=10.255.255.255",
                              "search": "/search?q=bench", "search_nothing": "/search?q=no-such-thing", "templates": "/templates"}),
    "admin": ("admin", "demo", {"home": "/", "list": "/clusters", "machines": "/machines", "catalogue": "/catalogue/services", "template": "/catalogue/clustertemplates/simulated-ten",
                                "people": "/people", "permissions": "/permissions", "audit": "/audit", "unknown_machines": "/unknown-machines",
                                "prices": "/prices", "exchange": "/exchange"}),
    "superadmin": ("superadmin", "superadmin", {"home": "/", "list": "/clusters?tenants=all", "machines": "/machines?tenants=all", "machines_not_found": "/machines?tenants=all&q=no-such-thing",
                                                "search": "/search?q=bench", "search_nothing": "/search?q=no-such-thing", "tenants": "/tenants",
                                                "tenant": "/tenants/demo", "queues": "/queues", "provisioners": "/daemons", "audit": "/audit"}),
}
for name, (role, tenant, paths) in among_10000.items():
    visitor = log_in(role, tenant)
    for page, path in paths.items():
        figures = measured(path, visitor, None)
        print(f"{name} {path}: {figures}", file=sys.stderr)
        worst[f"{name}_{page}_of_10000_clusters.server"] = figures["server"]
        worst[f"{name}_{page}_of_10000_clusters.wire"] = figures["wire"]
for name, value in worst.items():
    print(f"{name} {value:.0f}" if name.endswith("elements") else f"{name} {value:.2f}")
