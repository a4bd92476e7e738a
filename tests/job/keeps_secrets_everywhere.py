#!/usr/bin/env python3
"""A secret of every kind is planted and used; then it is looked for wherever this machine keeps or shows something. A canary that
is no secret must be found in every place: it shows that the place is really searched."""
import http.server
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import zlib
from html import unescape
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from slows_down_guessing import REPO, SET, Browser, ask, call, code_of, expect, person  # noqa: E402

CONFIG = SET / "etc" / "cooperage.conf"
MIGRATE = REPO / "build/release/bin/cooperage-migrate"
DATABASE = ["mariadb", "--no-defaults", f"--socket={SET}/run/database/db.sock", "--user=root", "--skip-column-names"]
MARK = os.urandom(6).hex()
CANARY = f"c4nary-{MARK}"
secrets = {}  # kind -> texts
found = []
searched = {}


def plant(kind, text):
    secrets.setdefault(kind, []).append(text)
    return text


def sql(text, database="cooperage"):
    return subprocess.run([*DATABASE, database, "-e", text], check=True, capture_output=True, text=True).stdout


def private_lines(text):
    """The lines of a private key that nobody else has: not its first, which has the public half."""
    lines = [line for line in text.splitlines() if line and not line.startswith("-----")]
    return lines[2:] if len(lines) > 3 else lines


def search(place, data, canary=CANARY):
    """Looks for every secret in bytes; notes whether the canary is there."""
    if isinstance(data, str):
        data = data.encode()
    if canary.encode() in data:
        searched[place] = True
    for kind, texts in secrets.items():
        for text in texts:
            at = data.find(text.encode())
            if at >= 0:
                found.append(f"{kind} in {place}: ...{data[max(0, at - 60):at]!r}")


def search_files(place, *folders):
    for folder in folders:
        for path, folders_below, names in os.walk(folder):
            folders_below[:] = [one for one in folders_below if not os.path.ismount(os.path.join(path, one)) and one != "lower"]
            for name in names:
                file = Path(path) / name
                try:
                    if file.is_file() and not file.is_symlink() and file.stat().st_size < 2**30:
                        search(place, file.read_bytes())
                except OSError:
                    pass  # it is gone


# ---- what surrounds the programs --------------------------------------------------------------------------------------


class Sink(http.server.BaseHTTPRequestHandler):
    """Receives callbacks and audit events and keeps them as they come."""
    kept = []

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        Sink.kept.append(self.requestline.encode() + str(self.headers).encode() + body)
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_):
        pass


class Processes(threading.Thread):
    """Reads command line and environment of every process, again and again."""

    def __init__(self):
        super().__init__(daemon=True)
        self.over = False
        self.seen = set()

    def run(self):
        while not self.over:
            for entry in os.listdir("/proc"):
                if not entry.isdigit():
                    continue
                for file in ("cmdline", "environ"):
                    try:
                        self.seen.add(Path(f"/proc/{entry}/{file}").read_bytes())
                    except OSError:
                        pass
            time.sleep(0.03)


def start_time(pid):
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]


def restart_database(*options):
    """The same server with more options; its keeper is the launcher's pid file."""
    pid = int((SET / "run/database/mariadbd.pid").read_text())
    words = [one.decode() for one in Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0") if one]
    words = [one for one in words if "log-bin" not in one and "binlog" not in one]
    os.kill(pid, signal.SIGTERM)
    while Path(f"/proc/{pid}").exists() and Path(f"/proc/{pid}/cmdline").read_bytes():
        time.sleep(0.1)
    log = open(SET / "log/database.log", "a")
    run_as = REPO / "provisioner/programs/package/run-as"
    process = subprocess.Popen([REPO / "cooperage", "--dir", SET, "enter", run_as, "mysql", SET / "run/database", "cooperage", *words, *options],
                               stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
    (SET / "run/database.pid").write_text(f"{process.pid} {start_time(process.pid)}\n")
    for _ in range(300):
        if subprocess.run([*DATABASE, "-e", "DO 1"], capture_output=True).returncode == 0:
            return
        time.sleep(0.1)
    sys.exit("FAILED: the database does not start again")


def keeper_of(name):
    if name == "web":
        return int((SET / "run/web/web.sock.lock").read_text())
    pid = int((SET / "run/provisioner/provisioner.lock").read_text())
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def child_of(name):
    keeper = keeper_of(name)
    children = subprocess.run(["pgrep", "-P", str(keeper)], capture_output=True, text=True).stdout.split()
    return int(children[0])


def reload(name):
    before = child_of(name)
    os.kill(keeper_of(name), signal.SIGHUP)
    for _ in range(400):
        if not Path(f"/proc/{before}").exists():
            return
        time.sleep(0.1)
    sys.exit(f"FAILED: {name} does not take new settings")


# ---- planting ---------------------------------------------------------------------------------------------------------


def settled(cluster):
    who = person("user")
    for _ in range(600):
        state = json.loads(call(who, "GET", f"/v2/clusters/{cluster}/status")[1])
        if state["status"] != "pending":
            return state["status"]
        time.sleep(0.2)
    sys.exit("FAILED: the cluster is pending for ever")


def plant_keys_of_secrets():
    plant("master key", (SET / "etc/secrets.keys").read_text().split()[1])
    plant("daemon key", (SET / "etc/daemon.keys").read_text().split()[1])


def plant_files():
    """What programs read: keys and passwords in files."""
    plant_keys_of_secrets()
    for line in private_lines((SET / "etc/ssh_key").read_text()):
        plant("login key of the installation", line)
    for line in (SET / "etc/audit.key").read_text().split():
        if len(line) > 30:
            plant("audit key", line)
    for program in ("web", "provisioner", "migrate"):
        plant("database password", (SET / f"etc/{program}.password").read_text().strip())


def plant_in_the_catalogue():
    admin = person("admin")
    provider = plant("provider password", f"pl4nted-provider-{MARK}")
    entry = {"name": f"p-{CANARY}", "providertype": "simulated", "provisioner": {"simulated_account_password": provider}}
    expect("a provider", call(admin, "PUT", f"/v2/providers/p-{CANARY}", entry)[0], 200)
    for kind in ("hardwaretypes", "imagetypes"):
        status, body = call(admin, "GET", f"/v2/{kind}/simulated")
        expect(f"{kind}: load sql/examples/simulated first", status, 200)
        one = json.loads(body)
        one.pop("version")
        one["providermap"][f"p-{CANARY}"] = one["providermap"]["simulated"]
        expect(kind, call(admin, "PUT", f"/v2/{kind}/simulated", one)[0], 200)
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", f"{folder}/key"], check=True)
        text = Path(f"{folder}/key").read_text()
    for line in private_lines(text):
        plant("file of a login key", line)
    headers = {"Coopr-UserID": admin["user"], "Coopr-TenantID": "demo", "Coopr-ApiKey": admin["apikey"]}
    answer = ask("POST", f"/v2/plugins/providertypes/digitalocean/ssh_keys/k-{MARK}", text.encode(), headers)
    expect(f"a file: {answer.body}", answer.status, 200)
    status, body = call(admin, "POST", "/v2/loginkeys", {})
    expect(f"a login key: {body}", status, 202)
    return provider


def use_a_cluster(provider):
    user = person("user")
    wrong = plant("wrong password", f"pl4nted-wrong-{MARK}")
    for password, wanted in ((wrong, "terminated"), (provider, "active")):
        status, body = call(user, "POST", "/v2/clusters", {
            "name": f"{CANARY}", "clusterTemplate": "simulated-one", "numMachines": 2, "provider": f"p-{CANARY}",
            "providerFields": {"simulated_password": password}})
        expect(f"a cluster: {body}", status, 200)
        cluster = json.loads(body)["id"]
        expect(f"with the password for {wanted}", settled(cluster), wanted)
    return cluster


def plant_people():
    root = person("superadmin", "superadmin")
    name = f"eve-{CANARY}"
    first = plant("user password", f"rivers run {MARK} past")
    status, body = call(root, "POST", "/v2/tenants/demo/users", {"name": name, "password": first})
    expect(f"a user: {body}", status, 200)
    status, body = call(root, "POST", f"/v2/tenants/demo/users/{name}/password")
    initial = plant("initial password", json.loads(body)["password"])
    eve = {"tenant": "demo", "user": name, "password": initial, "apikey": ""}
    browser = Browser(eve, "192.0.2.70")
    plant("session token", browser.cookie.partition("=")[2])
    chosen = plant("user password", f"mills stand {MARK} still")
    answer = browser.post("/profile/password", {"current": initial, "wanted": chosen, "repeated": chosen}, "/profile/password")
    expect("a password", answer.status, 303)
    plant("session token", browser.cookie.partition("=")[2])
    page = browser.get("/profile/factor")
    factor = plant("second factor", unescape(re.search(r'<code class="secret"[^>]*>([^<]*)<', page.body)[1]))
    plant("second factor", factor.replace(" ", ""))
    answer = browser.post("/profile/factor", {"code": code_of(factor)}, "/profile/factor")
    for code in re.findall(r"<code>((?:[a-z2-7]{4}-){6}[a-z2-7]{2})</code>", answer.body):
        plant("recovery code", code)
    made = browser.post("/profile/keys", {"name": f"k-{CANARY}", "scope": "read", "expireTime": "1"})
    key = plant("API key", re.search(r"coop_[0-9a-f]{64}", made.body)[0])
    expect("the key works", call(eve, "GET", "/v2/clusters", key=key)[0], 200)
    expect("a wrong one does not", call(eve, "GET", "/v2/clusters", key=plant("API key", "coop_" + os.urandom(32).hex()))[0], 401)
    return browser, name


# ---- looking ----------------------------------------------------------------------------------------------------------


def crawl(who, cluster, browser=None):
    """Every GET of the API, and the pages that links lead to, the nearest first: the pages named here are read however many links there are."""
    document = json.loads(ask("GET", "/v2/openapi.json").body)
    values = {"{id}": str(cluster), "{name}": f"p-{CANARY}", "{provider}": f"p-{CANARY}", "{plugin}": "digitalocean", "{resourcetype}": "ssh_keys",
              "{tenant}": "demo", "{user}": f"eve-{CANARY}", "{number}": "1"}
    for path, calls in document["paths"].items():
        if "get" not in calls:
            continue
        for name, value in values.items():
            path = path.replace(name, value)
        search(f"answers to {who['role']}", call(who, "GET", path)[1])
    for task in json.loads(call(who, "GET", f"/v2/clusters/{cluster}/tasks")[1] or "[]") if who["tenant"] == "demo" else []:
        search(f"answers to {who['role']}", call(who, "GET", f"/v2/tasks/{task['id']}/transcript")[1])
    search(f"answers to {who['role']}", call(who, "GET", "/v2/audit?limit=1000")[1])
    browser = browser or Browser(who, "192.0.2.71")
    waiting, seen = ["/", "/profile", "/people", f"/people/eve-{CANARY}", f"/clusters/{cluster}", "/login-keys", "/audit", "/audit?tenant=demo", "/catalogue/providers"], set()
    while waiting and len(seen) < 150:
        path = waiting.pop(0)
        if path in seen or "/logout" in path or "/factor" in path or path.startswith("/static"):
            continue
        seen.add(path)
        page = browser.get(path)
        search(f"pages for {who['role']}", page.body)
        waiting += [unescape(link) for link in re.findall(r'href="(/[^"#]*)', page.body)]
    expect(f"pages for {who['role']}", len(seen) > 5, True)


def kill_for_cores():
    pattern = Path("/proc/sys/kernel/core_pattern").read_text().strip()
    folder = tempfile.mkdtemp()
    script = f"ulimit -c unlimited; cd {folder}; {CANARY.replace('-', '_')}=1; export {CANARY.replace('-', '_')}; kill -SEGV $BASHPID"
    subprocess.run(["bash", "-c", script], capture_output=True)
    places = [folder]
    if pattern.startswith("/"):
        places.append(os.path.dirname(pattern))
    if not pattern.startswith("|"):
        expect(f"a program of others leaves a core ({pattern})", any(
            CANARY.replace("-", "_").encode() in file.read_bytes() for file in Path(places[-1]).glob("*core*")), True)
        searched["cores"] = True
    for name in ("web", "provisioner"):
        child = child_of(name)
        # Even if somebody gives them the right to, where the kernel lets root do that.
        subprocess.run(["prlimit", "--core=unlimited", "--pid", str(child)], capture_output=True)
        where = os.readlink(f"/proc/{child}/cwd")
        before = set(Path(where).glob("*core*")) | set(Path(places[-1]).glob("*core*"))
        limits = Path(f"/proc/{keeper_of(name)}/limits").read_text()
        expect(f"{name} may leave no core", bool(re.search(r"Max core file size +0 +0 ", limits)), True)
        os.kill(child, signal.SIGSEGV)
        for _ in range(100):
            if not Path(f"/proc/{child}").exists():
                break
            time.sleep(0.1)
        after = set(Path(where).glob("*core*")) | set(Path(places[-1]).glob("*core*"))
        expect(f"cores of {name}", after - before, set())
    for _ in range(100):
        try:
            if ask("GET", "/status").status == 200:
                break
        except OSError:
            time.sleep(0.1)


def search_database():
    sql("FLUSH BINARY LOGS; FLUSH GENERAL LOGS; FLUSH SLOW LOGS")
    dump = subprocess.run(["mariadb-dump", *DATABASE[1:4], "--all-databases", "--single-transaction"], capture_output=True)
    expect(f"a dump: {dump.stderr[:300]}", dump.returncode, 0)
    search("dump of all tables", dump.stdout)
    for file in sorted((SET / "db").glob("planted-binlog.0*")):
        search("binlog", file.read_bytes())
        text = subprocess.run(["mariadb-binlog", "--no-defaults", "--verbose", "--verbose", str(file)], capture_output=True).stdout
        search("binlog as rows and statements", text)
    search("general log", (SET / "db/planted-general.log").read_bytes())
    search("slow log", (SET / "db/planted-slow.log").read_bytes())
    search_files("files of the database", SET / "db")


def search_backup():
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([MIGRATE, "backup", "--to", f"{folder}/all", "--config", CONFIG], check=True, capture_output=True)
        data = Path(f"{folder}/all").read_bytes()
        search("backup", data)
        at = data.index(b"\x1f\x8b")
        search("backup, unpacked", zlib.decompressobj(31).decompress(data[at:]))
    searched["backup"] = True  # packed: the canary cannot be seen


def plant_key_file(name):
    """A file with a planted key that the daemon may read."""
    path = SET / f"etc/{name}.key"
    path.write_text(plant(f"{name} key", f"pl4nted-{name}-" + os.urandom(24).hex()) + "\n")
    subprocess.run(["chgrp", "cooperage", path], check=True)
    path.chmod(0o640)
    return path


def main():
    own = CONFIG.read_text()
    sink = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Sink)
    threading.Thread(target=sink.serve_forever, daemon=True).start()
    port = sink.server_address[1]
    hook = plant_key_file("webhook")
    callback_key = plant_key_file("callback")
    restart_database("--log-bin=planted-binlog", "--server-id=1", "--binlog-format=MIXED", "--general-log",
                     "--general-log-file=planted-general.log", "--slow-query-log", "--slow-query-log-file=planted-slow.log", "--long-query-time=0")
    processes = Processes()
    processes.start()
    witness = subprocess.Popen(["sleep", "600"], env={"CANARY": CANARY})
    try:
        CONFIG.write_text(own + "".join(f"{program}.database.password_file = {SET}/etc/{program}.password\n" for program in ("web", "provisioner"))
                          + f"callback.start.url = http://127.0.0.1:{port}/start\ncallback.success.url = http://127.0.0.1:{port}/success\n"
                          + f"callback.failure.url = http://127.0.0.1:{port}/failure\naudit.webhook = http://127.0.0.1:{port}/audit\n"
                          + f"audit.webhook_key_file = {hook}\n"
                          + f"callback.secret_file = {callback_key}\n")
        subprocess.run([MIGRATE, "setup", "--config", CONFIG], check=True, capture_output=True)
        reload("web")
        reload("provisioner")
        plant_files()
        for program in ("web", "migrate"):
            subprocess.run([MIGRATE, "rotate-password", "--program", program, "--overlap", "1", "--config", CONFIG], check=True, capture_output=True)
            plant("database password", (SET / f"etc/{program}.password").read_text().strip())
        provider = plant_in_the_catalogue()
        cluster = use_a_cluster(provider)
        browser, name = plant_people()
        subprocess.run([MIGRATE, "rotate-key", "--config", CONFIG], check=True, capture_output=True)
        subprocess.run([MIGRATE, "retire-key", "--config", CONFIG], check=True, capture_output=True)
        plant_keys_of_secrets()
        # Programs that fail with what they were given.
        subprocess.run([MIGRATE, "rotate-password", "--program", "nobody", "--config", CONFIG], capture_output=True)
        kill_for_cores()

        for who in (person("user"), person("admin"), person("superadmin", "superadmin")):
            crawl(who, cluster)
        for path in ("/profile", "/clusters"):
            search("pages for user", browser.get(path).body)
        time.sleep(3)  # callbacks and audit events are sent
        for one in Sink.kept:
            search("callbacks" if b"/audit" not in one[:40] else "audit webhook", one)
        search_database()
        search_backup()
        processes.over = True
        processes.join()
        for one in processes.seen:
            search("processes", one)
        for place, folders in {"logs": [SET / "log"], "simulated machines": [SET / "simulated"], "caches": [SET / "cache", SET / "nginx", SET / "local"],
                               "temporary files": [tempfile.gettempdir(), "/var/tmp"], "run": [SET / "run"]}.items():
            marker = Path(folders[0]) / f"marker-{MARK}"
            marker.write_text(CANARY)
            search_files(place, *folders)
            marker.unlink()
        root = person("superadmin", "superadmin")
        call(root, "DELETE", f"/v2/tenants/demo/users/{name}")
        call(person("user"), "DELETE", f"/v2/clusters/{cluster}")
        settled(cluster)
    finally:
        processes.over = True
        witness.kill()
        CONFIG.write_text(own)
        subprocess.run([MIGRATE, "setup", "--config", CONFIG], capture_output=True)
        restart_database("--skip-log-bin", "--skip-general-log", "--skip-slow-query-log")
        reload("web")
        reload("provisioner")
        for file in (SET / "db").glob("planted-*"):
            file.unlink()
        hook.unlink()
    expect("kinds of secrets", len(secrets) >= 15, True)
    places = ["dump of all tables", "binlog", "binlog as rows and statements", "general log", "slow log", "files of the database", "backup, unpacked",
              "callbacks", "audit webhook", "processes", "logs", "simulated machines", "caches", "temporary files", "run"]
    for role in ("user", "admin", "superadmin"):
        places += [f"answers to {role}", f"pages for {role}"]
    if found:
        sys.exit("FAILED: " + "\n".join(sorted(set(found))[:40]))
    expect("places that were not really searched", [place for place in places if place not in searched], [])
    print(f"{sum(len(texts) for texts in secrets.values())} secrets of {len(secrets)} kinds in {len(searched)} places: 0 found")


if __name__ == "__main__":
    main()
