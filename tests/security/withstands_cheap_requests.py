#!/usr/bin/env python3
"""Requests that are cheap to send and were dear to answer: large forms of nobody, JSON of nothing but brackets, previews by the dozen,
requests that cannot be satisfied, names that are options or folders. Against the set of COOPERAGE_TEST_DIR."""

import json
import os
import random
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

REPO = Path(__file__).resolve().parents[2]
SET = Path(os.environ.get("COOPERAGE_TEST_DIR", REPO / "var" / "test"))
ACCESS = json.loads((SET / "access.json").read_text())
MIB = 1024 * 1024
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
MOST_MEMORY = 64 * MIB
LONGEST_STATUS = 1.5  # seconds, beside whatever else; 6 were seen


def die(why):
    sys.exit(f"FAILED: {why}")


def check(what, is_so):
    if not is_so:
        die(what)
    print(f"  {what}", flush=True)


def key_of(role):
    user = next(one for one in ACCESS["users"] if (one["tenant"], one["role"]) == ("demo", role))
    return {"Coopr-UserID": user["user"], "Coopr-TenantID": "demo", "Coopr-ApiKey": user["apikey"]}


def ask(method, path, headers=None, body=None):
    """Status, text, headers, and seconds until then."""
    began = time.monotonic()
    connection = HTTPConnection(urlsplit(ACCESS["url"]).netloc, timeout=60)
    connection.request(method, path, body if body is None or isinstance(body, bytes) else json.dumps(body).encode(), headers or {})
    answer = connection.getresponse()
    text = answer.read().decode(errors="replace")
    return answer.status, text, answer.headers, time.monotonic() - began


def web_process():
    """The child that answers; its parent only keeps it at work."""
    keeper = (SET / "run" / "web" / "web.sock.lock").read_text().strip()
    return Path("/proc") / Path(f"/proc/{keeper}/task/{keeper}/children").read_text().split()[0]


def growth_of_memory(work):
    """How many bytes the peak of the web program rose above what it had, in the meantime."""
    process = web_process()
    (process / "clear_refs").write_text("5")
    resident = 1024 * int(re.search(r"VmRSS:\s+(\d+)", (process / "status").read_text())[1])
    work()
    return 1024 * int(re.search(r"VmHWM:\s+(\d+)", (process / "status").read_text())[1]) - resident


def all_at_once(requests):
    with ThreadPoolExecutor(len(requests)) as pool:
        return list(pool.map(lambda request: ask(*request), requests))


def longest_status_during(requests):
    """The answers, and how long /status took at worst beside them."""
    with ThreadPoolExecutor(1) as pool:
        under_way = pool.submit(all_at_once, requests)
        worst = 0.0
        while not under_way.done():
            status, _, _, seconds = ask("GET", "/status")
            if status != 200:
                die(f"/status answered {status}")
            worst = max(worst, seconds)
            time.sleep(0.02)
        return under_way.result(), worst


def forms_of_nobody_cost_nothing():
    answers = []
    grown = growth_of_memory(lambda: answers.append(ask("POST", "/login", FORM, b"a&" * (7 * MIB // 2))))
    status, text, _, seconds = answers[0]
    check(f"7 MiB of a& in the login form: {status}, {grown >> 20} MiB, {seconds:.2f} s",
          status == 413 and "larger than 64 KiB" in text and grown < MOST_MEMORY and seconds < 2)
    answers, worst = longest_status_during([("POST", "/login", FORM, b"a&" * MIB)] * 8)
    check(f"/status beside eight of 2 MiB: {worst:.2f} s", worst < LONGEST_STATUS and all(one[0] in (413, 429) for one in answers))
    grown = growth_of_memory(lambda: answers.append(ask("POST", "/login", FORM, b"a&" * (30 * 1024))))
    check(f"a login form of 30,000 fields: {answers[-1][0]}, {grown >> 20} MiB",
          answers[-1][0] == 413 and "more than 20000 fields" in answers[-1][1] and grown < MOST_MEMORY)


def brackets_cost_nothing():
    user = key_of("user")
    for what, body in (("[],", b"[" + b"[]," * (2 * MIB) + b"[]]"), ("{},", b"{'a':[" + b"{}," * (2 * MIB) + b"{}]}"),
                       ("[", b"[" * (6 * MIB)), ("1,", b"[" + b"1," * (3 * MIB) + b"1]"),
                       ('"a":1,', b"{" + b'"a":1,' * MIB + b'"a":1}')):
        answers = []
        grown = growth_of_memory(lambda body=body: answers.append(ask("POST", "/v2/clusters/preview", user, body)))
        status, text, _, seconds = answers[0]
        check(f"6 MiB of {what} as a preview: {status}, {grown >> 20} MiB, {seconds:.2f} s",
              status == 422 and re.search("more than 100000 values|nested too deeply|too many members", text) and grown < MOST_MEMORY
              and seconds < 3)
    status, text, *_ = ask("POST", "/v2/clusters/preview", user, b" " * (9 * MIB))
    check(f"9 MiB of a user: {status}", status == 413 and "larger than 8 MiB" in text)


def previews_leave_threads_for_others():
    admin, user = key_of("admin"), key_of("user")
    any_of = random.Random(7)
    names = [f"laborious-{number}" for number in range(40)]
    for name in names:
        ask("PUT", f"/v2/services/{name}", admin, {"name": name, "provisioner": {"actions": {}}})
    template = {"name": "laborious", "defaults": {"services": names, "provider": "local", "hardwaretype": "small", "imagetype": "debian12"},
                "constraints": {"layout": {"cantcoexist": [any_of.sample(names, 2) for _ in range(200)]}}}
    status, text, *_ = ask("PUT", "/v2/clustertemplates/laborious", admin, template)
    if status != 200:
        die(f"the template: {text}")
    wanted = {"name": "x", "clusterTemplate": "laborious", "numMachines": 12, "sizes": {"from": 3, "to": 50}}
    answers, worst = longest_status_during([("POST", "/v2/clusters/preview", user, wanted)] * 16)
    statuses = sorted(one[0] for one in answers)
    refused = [one for one in answers if one[0] == 429]
    check(f"16 previews of one user: {statuses}", refused and len(refused) < 16 and set(statuses) <= {200, 422, 429, 503})
    check(f"in words: {refused[0][1]}", "Another of your requests that take long is under way" in refused[0][1]
          and all(one[2]["Retry-After"] for one in refused))
    check(f"/status beside them: {worst:.2f} s", worst < LONGEST_STATUS)
    ask("DELETE", "/v2/clustertemplates/laborious", admin)
    for name in names:
        ask("DELETE", f"/v2/services/{name}", admin)


def events_of(request):
    """How many events of the audit log are about it."""
    said = subprocess.run(["mariadb", "--no-defaults", f"--socket={SET}/run/database/db.sock", "--user=root", "-N", "cooperage", "-e",
                           f"SELECT COUNT(*) FROM audit_event WHERE client = '127.0.0.1' AND object_name = '{request}'"], check=True, capture_output=True)
    return int(said.stdout)


def is_recorded(what, request, send):
    """Sends it until it is recorded: what other tests were refused may have used up the events of this minute. How many there are then."""
    before, end = events_of(request), time.monotonic() + 90
    while events_of(request) == before and time.monotonic() < end:
        send()
        time.sleep(0.5)
    check(f"{what} is recorded", events_of(request) > before)
    return events_of(request)


def strangers_do_not_fill_the_audit_log():
    """By answers of identity providers that nobody asked for, and by names that they make up."""
    def come_back(number):
        return ask("GET", f"/login/callback?state={number:064x}", {"Cookie": f"cooperage-departure={number:064x}"})[0]

    def be_somebody(number):
        return ask("DELETE", "/v2/providers/none", {"Coopr-UserID": f"name{number}", "Coopr-TenantID": "demo"})[0]

    for what, request, send, status in (("an answer nobody asked for", "GET /login/callback", come_back, 403), ("a made-up name", "DELETE /v2/providers/none", be_somebody, 401)):
        before = is_recorded(what, request, lambda send=send: send(0))
        statuses = {send(number) for number in range(300)}
        more = events_of(request) - before
        check(f"300 of {what}: {statuses}, {more} events", statuses == {status} and more <= 3)
    is_recorded("what somebody known is refused", "DELETE /v2/tenants/demo", lambda: ask("DELETE", "/v2/tenants/demo", key_of("user")))


def let_time_pass():
    """Other tests ask for what cannot be satisfied, too."""
    subprocess.run(["mariadb", "--no-defaults", f"--socket={SET}/run/database/db.sock", "--user=root", "cooperage", "-e",
                    "UPDATE cluster SET ended_at = ended_at - INTERVAL 1 DAY WHERE unsatisfiable"], check=True)


def what_cannot_be_satisfied_does_not_fill_the_database():
    admin, user = key_of("admin"), key_of("user")
    template = {"name": "never", "defaults": {"services": ["web-balancer"], "provider": "local", "hardwaretype": "small",
                                              "imagetype": "debian12"},
                "constraints": {"services": {"web-balancer": {"quantities": {"min": 9, "max": 9}}}}}
    ask("PUT", "/v2/clustertemplates/never", admin, template)
    let_time_pass()
    wanted = {"name": "x", "clusterTemplate": "never", "numMachines": 2, "config": {"a": "x" * MIB}}
    statuses, refused = [], None
    for _ in range(110):
        status, text, *_ = ask("POST", "/v2/clusters", user, wanted if not statuses else wanted | {"config": {}})
        statuses.append(status)
        if status == 429:
            refused = text
            break
        if len(statuses) == 1:
            first = ask("GET", f"/v2/clusters/{json.loads(text)['id']}/config", user)
            check(f"1 MiB of configuration is not kept: {len(first[1])} bytes", len(first[1]) < 1024)
    check(f"{len(statuses) - 1} are kept: {refused}", refused and "100 in 10 minutes" in refused and statuses.count(200) <= 100)
    let_time_pass()
    ask("DELETE", "/v2/clustertemplates/never", admin)
    for field, sent in (("services", {"services": [f"s{number}" for number in range(1001)]}),
                        ("services", {"services": ["s" * 256]}), ("providerFields", {"providerFields": {"a": "x" * 70000}})):
        status, text, *_ = ask("POST", "/v2/clusters/preview", user, {"name": "x", "clusterTemplate": "web", "numMachines": 3} | sent)
        check(f"too much in {field}: {text[:90]}", status == 422 and f'"{field}"' in text)


def names_mean_nothing_to_a_shell_or_a_folder():
    admin, root = key_of("admin"), next(one for one in ACCESS["users"] if one["role"] == "superadmin")
    superadmin = {"Coopr-UserID": root["user"], "Coopr-TenantID": root["tenant"], "Coopr-ApiKey": root["apikey"]}
    for name in ("..", "-rf", ".ssh"):
        for what, answer in (
                ("file", ask("POST", f"/v2/plugins/automatortypes/shell/scripts/{name.replace('.', '%2E')}", admin, b"x")),
                ("service", ask("POST", "/v2/services", admin, {"name": name, "provisioner": {"actions": {}}})),
                ("import", ask("POST", "/v2/import", admin, {"hardwaretypes": [{"name": name, "providermap": {}}]})),
                ("tenant", ask("POST", "/v2/tenants", superadmin, {"tenant": {"name": name, "workers": 1}})),
                ("user", ask("POST", "/v2/tenants/demo/users", superadmin, {"name": name}))):
            check(f"a {what} {name}: {answer[1][:120]}", answer[0] in (400, 422) and "must not begin with a hyphen or a dot" in answer[1])


for story in (forms_of_nobody_cost_nothing, strangers_do_not_fill_the_audit_log, brackets_cost_nothing, previews_leave_threads_for_others,
              what_cannot_be_satisfied_does_not_fill_the_database, names_mean_nothing_to_a_shell_or_a_folder):
    print(story.__name__.replace("_", " "), flush=True)
    story()
print("1 passed, 0 failed")
