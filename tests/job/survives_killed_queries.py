#!/usr/bin/env python3
"""Queries and connections of cooperage-web are killed at random, by the database, while clients work: there is no answer but
the right one or 503, and nothing that was answered is lost, half done or said to be gone while its machines are there.

First rows of the wire contract, one after the other, with killed queries: each answer is compared with what the contract says.
Then six clients at once make, read, operate and delete clusters of simulated machines while queries, commits and connections
are killed.

usage: survives_killed_queries.py     the set is that of COOPERAGE_TEST_DIR; DURATION=60 is how many seconds the second half lasts
"""

import collections
import importlib
import json
import os
import pathlib
import random
import subprocess
import sys
import threading
import time
import uuid

here = pathlib.Path(__file__).resolve().parent
repo = here.parent.parent
sys.path.insert(0, str(here))

from contract.support import Failure, World  # noqa: E402

folder = pathlib.Path(os.environ.get("COOPERAGE_TEST_DIR", repo / "var" / "test"))
PARTS = ["transport", "tenants", "entities", "exchange", "nodes", "metrics", "access", "clusters", "profile"]
MACHINES = 3
PREFIX = "killed-" + uuid.uuid4().hex[:6]
PATIENCE = 60


def sql(statements):
    done = subprocess.run(["mariadb", "--no-defaults", f"--socket={folder}/run/database/db.sock", "--user=root", "-N", "cooperage"],
                          input=statements, capture_output=True, text=True)
    if done.returncode != 0:
        raise Failure(f"the database refuses {statements}: {done.stderr}")
    return done.stdout


class Killer:
    """Kills what the user cooperage-web runs, about every `pause` seconds, until it is left."""

    TRY = """
        DELIMITER //
        BEGIN NOT ATOMIC
            DECLARE victim BIGINT;
            DECLARE kills INT DEFAULT 0;
            -- The victim may have gone meanwhile.
            DECLARE CONTINUE HANDLER FOR SQLEXCEPTION SET kills = kills - 1;
            FOR i IN 1..%d DO
                SET victim = NULL;
                SELECT id INTO victim FROM information_schema.processlist
                WHERE user = 'cooperage-web' AND command = 'Query' AND NOT (%s AND COALESCE(info, 'COMMIT') = 'COMMIT')
                ORDER BY RAND() LIMIT 1;
                IF victim IS NOT NULL THEN
                    SET kills = kills + 1;
                    IF RAND() < %f THEN KILL victim; ELSE KILL QUERY victim; END IF;
                END IF;
                DO SLEEP(%f * RAND() * 2);
            END FOR;
            SELECT kills;
        END //
    """

    def __init__(self, pause, connections, spares_commits):
        self.statements = self.TRY % (round(0.4 / pause), "TRUE" if spares_commits else "FALSE", connections, pause)
        self.kills = 0
        self.failure = None
        self.over = threading.Event()
        self.thread = threading.Thread(target=self.run)

    def run(self):
        try:
            while not self.over.is_set():
                self.kills += int(sql(self.statements) or 0)
                # What takes longer than the pauses above has its chance, too.
                time.sleep(random.uniform(0, 0.4))
        except Exception as failure:  # noqa: BLE001: told in the main thread
            self.failure = failure

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        self.thread.join()
        if self.failure:
            raise self.failure


class LogOfTheWeb:
    """What cooperage-web logs while this is open. It has an account of its own at the database, so only what it does is killed."""

    path = folder / "log" / "web.log"

    def __enter__(self):
        self.begins = self.path.stat().st_size
        return self

    def broken(self):
        with self.path.open(errors="replace") as log:
            log.seek(self.begins)
            return [line for line in log if "request.broken" in line or "child.died" in line]

    def __exit__(self, *_):
        pass


class PatientWorld(World):
    """Asks again after a 503, as a client should; counts the answers."""

    def __init__(self, access):
        super().__init__(access)
        self.answers = collections.Counter()
        # Whether the latest answer was a 404 after a 503: what was to be deleted may have been.
        self.is_gone = False

    def try_row(self, row):
        try:
            super().try_row(row)
        except Failure:
            if row[0] != "DELETE" or not self.is_gone:
                raise

    def ask_bytes(self, method, path, role, body=None):
        end = time.monotonic() + PATIENCE
        asked_before = False
        while True:
            status, headers, content = super().ask_bytes(method, path, role, body)
            self.answers[status] += 1
            if status != 503:
                self.is_gone = asked_before and status == 404
                return status, headers, content
            asked_before = True
            check_refusal(headers, content)
            if time.monotonic() > end:
                raise Failure(f"{method} {path} is 503 for {PATIENCE} s")
            time.sleep(random.uniform(0, 0.1))


def check_refusal(headers, content):
    text = content.decode()
    kind = headers.get("Content-Type", "")
    if int(headers.get("Retry-After", 0)) < 1 or not kind.startswith(("text/plain", "application/problem+json", "text/html")):
        raise Failure(f"a 503 with {headers}")
    if not text or any(word in text for word in ("cppdb", "SELECT", "interrupted", "Deadlock")):
        raise Failure(f"a 503 that says {text!r}")


def keep_the_contract(world):
    failures = []
    for part in PARTS:
        heading = ""
        for step in importlib.import_module("contract." + part).steps(world):
            if isinstance(step, str):
                heading = step
                continue
            try:
                step(world) if callable(step) else world.try_row(step)
            except (Failure, ValueError, KeyError) as failure:
                failures.append(f"{part}: {heading}: {failure}")
    return failures


class Client:
    """Makes, reads, operates and deletes clusters until `end`."""

    def __init__(self, access, end):
        self.world = PatientWorld(access)
        self.end = end
        self.rounds = 0
        self.failure = None

    def run(self):
        try:
            while time.monotonic() < self.end:
                self.round()
                self.rounds += 1
        except Exception as failure:  # noqa: BLE001: told in the main thread
            self.failure = failure

    def want(self, method, path, *statuses, body=None, **headers):
        status, _, text = self.world.ask(method, path, self.world.people["user"] | headers, body)
        if status not in statuses:
            raise Failure(f"{method} {path} answered {status}: {text}")
        return json.loads(text) if text and status == 200 else None

    def round(self):
        name = f"{PREFIX}-{uuid.uuid4().hex[:12]}"
        # A create whose answer was lost is sent again under the same key.
        made = self.want("POST", "/v2/clusters", 200,
                         body={"name": name, "clusterTemplate": "killed", "numMachines": MACHINES}, **{"Idempotency-Key": name})
        path = "/v2/clusters/" + made["id"]
        self.settle(path, "active")
        self.look(path, name)
        # What may have been done before its answer was lost is under way, or over.
        self.want("POST", path + "/services/restart", 200, 409, body={})
        self.settle(path, "active")
        self.want("DELETE", path, 200, 409)
        self.settle(path, "terminated")

    def settle(self, path, wanted):
        end = time.monotonic() + PATIENCE
        while True:
            status = self.want("GET", path + "/status", 200)["status"]
            if status == wanted:
                return
            if status != "pending" or time.monotonic() > end:
                message = self.want("GET", path, 200)["message"]
                raise Failure(f"{path} is {status} instead of {wanted}: {message}")
            time.sleep(0.05)

    def look(self, path, name):
        details = self.want("GET", path, 200)
        tasks = self.want("GET", path + "/tasks", 200)
        listed = [one for one in self.want("GET", "/v2/clusters", 200) if one["name"] == name]
        plans = self.want("GET", path + "/plans", 200)
        if len(details["nodes"]) != MACHINES or len(tasks) < 4 * MACHINES or len(plans) < 2:
            raise Failure(f"{path} has {len(details['nodes'])} nodes, {len(tasks)} tasks, {len(plans)} plans")
        if [one["numNodes"] for one in listed] != [MACHINES]:
            raise Failure(f"{path} is in the list as {listed}")
        if not self.want("GET", "/v2/clustertemplates", 200):
            raise Failure("there are no templates")


WRONG = f"""
    SELECT CONCAT('job ', job.id, ' of cluster ', cluster.id, ': ', job.operation, ' ', job.status, ' of ', job.tasks_total, ' tasks')
    FROM job
    JOIN cluster ON cluster.id = job.cluster_id
    WHERE cluster.name LIKE '{PREFIX}%' AND job.operation <> 'solve_layout'
      AND (job.status <> 'complete' OR job.tasks_total < 3 OR job.tasks_done <> job.tasks_total
           OR job.tasks_total <> (SELECT COUNT(*) FROM task WHERE task.job_id = job.id));
    SELECT CONCAT('cluster ', id, ' is ', status) FROM cluster WHERE name LIKE '{PREFIX}%' AND status <> 'terminated';
    SELECT CONCAT('cluster ', cluster.id, ' has ', COUNT(node.id), ' nodes')
    FROM cluster LEFT JOIN node ON node.cluster_id = cluster.id
    WHERE name LIKE '{PREFIX}%' GROUP BY cluster.id HAVING COUNT(node.id) <> 3;
"""


def put_template(world):
    actions = {action: {"type": "simulated", "fields": {}} for action in ("install", "configure", "start", "stop")}
    world.json("PUT", "/v2/services/killed", "admin", {"name": "killed", "provisioner": {"actions": actions}})
    defaults = {"services": ["killed"], "provider": "simulated", "hardwaretype": "simulated", "imagetype": "simulated"}
    world.json("PUT", "/v2/clustertemplates/killed", "admin", {"name": "killed", "defaults": defaults})


def load_simulated(world):
    catalogue = repo / "sql/examples/simulated/catalogue"
    for collection in ("providers", "hardwaretypes", "imagetypes"):
        for path in sorted((catalogue / collection).glob("*.json")):
            entry = json.loads(path.read_text())
            world.json("PUT", f"/v2/{collection}/{entry['name']}", "admin", entry)


def machines_left():
    numbers = set(sql(f"SELECT id FROM cluster WHERE name LIKE '{PREFIX}%'").split())
    machines = folder / "simulated" / "machines"
    return [path.name for path in machines.glob("*") if path.name.split("-")[0].lstrip("0") in numbers]


def count(answers):
    return ", ".join(f"{number} of {status}" for status, number in sorted(answers.items()))


def main():
    access = json.loads((folder / "access.json").read_text())
    seconds = float(os.environ.get("DURATION", 60))
    failures = []
    with LogOfTheWeb() as web:
        world = PatientWorld(access)
        load_simulated(world)
        put_template(world)
        with Killer(0.002, connections=0, spares_commits=True) as killer:
            failures += keep_the_contract(world)
        print(f"contract: {world.rows} rows, {killer.kills} kills, answers: {count(world.answers)}")

        clients = [Client(access, time.monotonic() + seconds) for _ in range(6)]
        threads = [threading.Thread(target=client.run) for client in clients]
        with Killer(0.02, connections=0.3, spares_commits=False) as killer:
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        answers = sum((client.world.answers for client in clients), collections.Counter())
        rounds = sum(client.rounds for client in clients)
        print(f"clients: {rounds} clusters made and deleted, {killer.kills} kills, answers: {count(answers)}")
        failures += [f"a client: {client.failure!r}" for client in clients if client.failure]
        failures += web.broken()
    failures += sql(WRONG).splitlines()
    failures += ["machine " + name + " is left" for name in machines_left()]
    for failure in failures:
        print("FAILED", failure)
    if not rounds or 503 not in answers:
        failures.append("nothing was tried")
    print(f"{world.rows + rounds} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
