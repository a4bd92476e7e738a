#!/usr/bin/env python3
"""What the user of a cluster writes into its configuration runs no program and adds no line to a file, in the seed and in each of
sql/examples. Scripts, playbooks and classes run for real, as root, on the root of local hosts with Debian's own packages; nothing of it
is kept. They get hostile values, setting by setting: each is refused with words that name the setting, or comes out as data."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

REPO = Path(__file__).resolve().parents[2]
DIR = Path(os.environ.get("COOPERAGE_TEST_DIR", REPO / "var" / "test"))
PACKAGES = ["ansible-core", "haproxy", "mariadb-server", "nginx-light", "puppet-agent", "python3-apt", "python3-pymysql"]

# What would run or slip in, were a value taken as anything but a text.
HOSTILE = ["x\ninjected = 1", "32M\n", "80\n", "$(touch /canary)", "`touch /canary`", "'; touch /canary; '", '"; touch /canary; "',
           "x\n\\! touch /canary\n", "\\! touch /canary", "../../../../etc/cron.d/x", "x\r\ny", "{{ lookup('pipe', 'touch /canary') }}",
           "%{lookup('x')}", "<%= system('touch /canary') %>", "127.0.0.1:80; }\nuser root;", "65536\0", "*", "x y;"]
# One text that has it all, but for control characters.
DATA = "a'b\"c`d\\e $(touch /canary) \\! touch /canary; -- {{ 7 * 7 }} {% if %} %{lookup('x')} ../<b>&"

checks = 0
root = None


def check(condition, text):
    global checks
    checks += 1
    if not condition:
        sys.exit(f"FAILED: {text}")


def roots():
    if "COOPERAGE_ROOTS" in os.environ:
        return Path(os.environ["COOPERAGE_ROOTS"]) / "debian12"
    found = re.search(r"^local\.roots = (.*)$", (DIR / "etc/cooperage.conf").read_text(), re.MULTILINE)
    return Path(found[1]) / "debian12"


def run(*command, folder="/", timeout=120, **variables):
    return subprocess.run(["chroot", root, "/usr/bin/env", "-i", "-C", folder, "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C.UTF-8", "HOME=/root",
                           *(f"{key}={value}" for key, value in variables.items()), *map(str, command)],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=timeout)


def must(result):
    if result.returncode != 0:
        sys.exit(f"FAILED: {result.args} ended with {result.returncode}: {result.stdout[-3000:]}\n{result.stderr[-3000:]}")
    return result.stdout


def write(path, text, mode=0o644):
    file = root / path.lstrip("/")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    file.chmod(mode)


def files_below(*folders):
    """What there is and what stands in it."""
    found = {}
    for folder in folders:
        for file in (root / folder.lstrip("/")).rglob("*"):
            if file.is_file() and not file.is_symlink():
                found[str(file)] = file.read_bytes()
    return found


def nothing_ran(what):
    check(not (root / "canary").exists(), f"{what} ran a program")


def changed(config, path, value):
    """A copy with the member at a path replaced."""
    copy = json.loads(json.dumps(config))
    place = copy
    for name in path[:-1]:
        place = place.setdefault(name, {})
    place[path[-1]] = value
    return copy


# --- scripts, by the wrapper of the automator itself

def raw_string(after):
    """A script that stands in the source of the automator."""
    source = (REPO / "provisioner/automators/shell/shell_scripts.cpp").read_text()
    return source[source.index(after):].split('R"sh(', 1)[1].split(')sh"', 1)[0]


def table_of(document):
    """As values_table() in provisioner/automators/document_values.cpp."""
    def escaped(text):
        return text.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r").replace("\0", "")

    def plain(value):
        return value if isinstance(value, str) else json.dumps(value)

    def lines(key, value):
        if isinstance(value, dict):
            for name, member in value.items():
                yield from lines(f"{key}/{name}" if key else name, member)
        elif isinstance(value, list):
            yield escaped(key) + "\t" + "\\n".join(escaped(plain(element)) for element in value) + "\n"
        else:
            yield escaped(key) + "\t" + escaped(plain(value)) + "\n"

    return "".join(lines("", document))


def script(name, arguments, cluster, services=()):
    home = "/var/cache/cooperage/shell"
    document = {"config": {"cluster": cluster, "services": list(services), "hostname": "node1.local"}}
    write(f"{home}/task.json", json.dumps(document))
    write(f"{home}/task.values", table_of(document))
    return run("sh", "-c", f"{home}/lib/wrapper.sh {home}/task.json {name} {arguments}", folder=f"{home}/scripts",
               COOPERAGE_HOSTNAME="node1.local", COOPERAGE_CLUSTER_ID="1", COOPERAGE_SERVICE="x")


def bring_scripts():
    home = root / "var/cache/cooperage/shell"
    write("/var/cache/cooperage/shell/lib/wrapper.sh", raw_string("wrapper_script()"), 0o755)
    write("/var/cache/cooperage/shell/lib/coopr_lookup_key", raw_string("lookup_script()"), 0o755)
    for resources in [REPO / "sql/seed/resources", *REPO.glob("sql/examples/*/resources")]:
        if (resources / "automatortypes/shell").exists():
            shutil.copytree(resources / "automatortypes/shell", home, dirs_exist_ok=True)


def refuses(name, arguments, good, path, values, folder, services=(), called=None):
    """Each value is refused in words, and files stay as they were."""
    for value in values:
        before = files_below(folder)
        result = script(name, arguments, changed(good, path, value), services)
        what = f"{name} {arguments} with {'/'.join(path)} = {value!r}"
        said = result.stderr.strip().splitlines()
        check(result.returncode != 0, f"{what} was taken: {result.stdout}")
        check(said and (called or "/".join(path)) in said[-1] and " must be " in said[-1], f"{what} was refused without words: {result.stderr}")
        check(files_below(folder) == before, f"{what} wrote files before it was refused")
        nothing_ran(what)


def ask(statement):
    return must(run("mariadb", "--batch", "--skip-column-names", "-e", statement))


def use_seed():
    good = {"web": {"port": 80, "title": "Hello", "servers": "10.0.0.1:8080 localhost:8080", "database_host": "10.0.0.3",
                    "database_password": "it works"}}
    must(script("web-balancer.sh", "configure", good))
    check("bind 0.0.0.0:80\n" in (root / "etc/haproxy/web.cfg").read_text(), "the balancer's port is not in its configuration")
    refuses("web-balancer.sh", "configure", good, ["web", "port"], [*(v for v in HOSTILE if v != "80\n"), 0, 65536, -1, "080", ""], "/etc/haproxy")
    refuses("web-balancer.sh", "configure", good, ["web", "servers"], [v for v in HOSTILE if v not in ("32M\n", "80\n", "x\r\ny", "65536\0")], "/etc/haproxy")
    must(script("web-application.sh", "configure", good))
    check("host=10.0.0.3\npassword=it works\nserver=" in (root / "opt/web-application/settings").read_text(), "settings are wrong")
    refuses("web-application.sh", "configure", good, ["web", "database_host"],
            [v for v in HOSTILE if v not in ("32M\n", "80\n", "65536\0")], "/opt/web-application")
    refuses("web-application.sh", "configure", good, ["web", "database_password"], ["x\nhost=evil", "x\ry", "x\ty"], "/opt/web-application")
    must(script("web-application.sh", "configure", changed(good, ["web", "database_password"], DATA)))
    check(f"\npassword={DATA}\nserver=" in (root / "opt/web-application/settings").read_text(), "a password was changed")
    must(script("web-database.sh", "configure", good))
    for value in [DATA, *(v for v in HOSTILE if not v.endswith("\n") and "\0" not in v)]:
        hostile = changed(changed(good, ["web", "title"], value), ["web", "database_password"], value)
        must(script("web-database.sh", "start", hostile))
        nothing_ran(f"web-database.sh with {value!r}")
        check(bytes.fromhex(ask("SELECT HEX(title) FROM web.page").strip()).decode() == value, f"the title {value!r} was changed")
        must(run("mariadb", "--protocol=tcp", "-h127.0.0.1", "-uweb", f"-p{value}", "-e", "SELECT 1 FROM web.page"))
    must(script("web-database.sh", "stop", good))


def use_hadoop():
    good = {"mariadb": {"database": "hive_1", "user": "hive", "password": "it works", "innodb_buffer_pool_size": "32M"},
            "zookeeper": {"myid": "1", "zoocfg": {"clientPort": 2181, "server.1": "node1:2888:3888"}},
            "hadoop": {"core_site": {"fs.defaultFS": "webhdfs://node1:9870"}, "hdfs_site": {"dfs.replication": 2}},
            "hive": {"hive_site": {"javax.jdo.option.ConnectionPassword": "x"}}}
    cnf = root / "etc/mysql/mariadb.conf.d/90-cluster.cnf"
    must(script("mariadb-server.sh", "configure", good))
    check("innodb_buffer_pool_size = 32M\n" in cnf.read_text(), "the size is not in the configuration")
    refuses("mariadb-server.sh", "configure", good, ["mariadb", "innodb_buffer_pool_size"],
            [*(v for v in HOSTILE if v not in ("32M\n", "80\n", "65536\0")), "0", "32T", "-1", ""], "/etc/mysql")
    for name in ["database", "user"]:
        refuses("mariadb-server.sh", "start", good, ["mariadb", name],
                [*(v for v in HOSTILE if v not in ("32M\n", "80\n", "65536\0")), "%", "mysql", "MySQL", ""], "/etc/mysql")
    must(script("mariadb-server.sh", "start", changed(good, ["mariadb", "password"], DATA + "\n\\! touch /canary\nx")))
    nothing_ran("mariadb-server.sh with a hostile password")
    ask("CREATE DATABASE hiveX1")
    of_user = ["mariadb", "--protocol=tcp", "-h127.0.0.1", "-uhive", "-p" + DATA + "\n\\! touch /canary\nx", "-N", "-e"]
    check(must(run(*of_user, "SHOW DATABASES")).split() == ["hive_1", "information_schema"], "the user sees more than its own database")
    must(script("mariadb-server.sh", "stop", good))

    conf = "/etc/hadoop-like"
    must(run("sh", "-c", "id hadoop 2>/dev/null || useradd --system hadoop; mkdir -p /usr/lib/hadoop-like /etc/hadoop-like"
                         " && cp -a /var/cache/cooperage/shell/archives/hadoop-like/. /usr/lib/hadoop-like"))
    services = ["zookeeper-server", "hive-metastore"]
    must(script("hadoop-like.sh", "zookeeper-server configure", good, services))
    check((root / "etc/hadoop-like/zoo.cfg").read_text() == "clientPort=2181\nserver.1=node1:2888:3888\n", "zoo.cfg is wrong")
    check((root / "etc/hadoop-like/myid").read_text() == "1\n", "myid is wrong")
    shutil.rmtree(root / "etc/hadoop-like")
    (root / "etc/hadoop-like").mkdir()
    lines = [v for v in HOSTILE if re.search(r"[\0-\x1f]", v)]
    for path, values, called in [
            (["hadoop", "../../../etc/cron.d/x_site"], [{"a": "b"}], "cluster/hadoop"),
            (["hadoop", "/etc/cron.d/x_site"], [{"a": "b"}], "cluster/hadoop"),
            (["hadoop", "x\ny_site"], [{"a": "b"}], "cluster/hadoop"),
            (["hadoop"], ["text", ["a"]], "cluster/hadoop"),
            (["hadoop", "core_site"], [{"x\ny": "1"}, {"a=b": "1"}, "text"], "hadoop/core_site"),
            (["hadoop", "core_site", "fs.defaultFS"], [*lines, {"a": "b"}], None),
            (["zookeeper", "zoocfg", "clientPort"], [*lines, ["2181"]], None),
            (["zookeeper", "zoocfg"], [{"a\nb": "1"}, {"a=b": "1"}, "text"], "zookeeper/zoocfg"),
            (["zookeeper", "myid"], [v for v in HOSTILE], None)]:
        for value in values:
            before = {key: text for key, text in files_below("/etc").items() if "/etc/hadoop-like/" not in key}
            result = script("hadoop-like.sh", "zookeeper-server configure", changed(good, path, value), services)
            what = f"hadoop-like.sh configure with {'/'.join(path)} = {value!r}"
            said = result.stderr.strip().splitlines()
            check(result.returncode != 0 and said and (called or "/".join(path)) in said[-1] and " must be " in said[-1],
                  f"{what} was not refused in words: {result.stdout}{result.stderr}")
            check({key: text for key, text in files_below("/etc").items() if "/etc/hadoop-like/" not in key} == before, f"{what} wrote elsewhere")
            nothing_ran(what)
    must(script("hadoop-like.sh", "zookeeper-server configure", changed(good, ["hadoop", "core_site", "fs.defaultFS"], DATA), services))
    read = "import sys; sys.path.insert(0, '/usr/lib/hadoop-like/lib'); from hadoop_like import common; "
    check(must(run("python3", "-c", read + "print(common.site('core')['fs.defaultFS'])")) == DATA + "\n", "a property was changed")
    must(script("hadoop-like.sh", "zookeeper-server configure", changed(good, ["hadoop", "core_site", "fs.defaultFS"], "file:///etc"), services))
    refused = run("python3", "-c", read + "from hadoop_like import hdfs; common.ask(hdfs.namenode() + '/passwd')")
    check("must begin with http://" in refused.stderr, f"a file of the node was read: {refused.stdout}{refused.stderr}")


def use_docker():
    good = {"site": {"title": "Hello", "servers": "10.0.0.1:8080 10.0.0.2:8080"}}
    must(script("container-files.sh", "container-balancer", good))
    check((root / "srv/container-balancer/default.conf").read_text().count("    server 10.0.0.") == 2, "servers are missing")
    refuses("container-files.sh", "container-balancer", good, ["site", "servers"],
            [v for v in HOSTILE if v not in ("32M\n", "80\n", "x\r\ny", "65536\0")], "/srv/container-balancer")
    must(script("container-files.sh", "container-site", changed(good, ["site", "title"], DATA + "\n<script>")))
    page = (root / "srv/container-site/index.html").read_text()
    check("<script>" not in page and "<b>&" not in page and "$(touch /canary)" in page, f"the page is {page}")
    nothing_ran("container-files.sh with a hostile title")


# --- Ansible

def not_templates(value):
    """As inventory_of() in provisioner/automators/ansible/ansible.cpp."""
    if isinstance(value, dict):
        return {key: not_templates(member) for key, member in value.items()}
    if isinstance(value, list):
        return [not_templates(member) for member in value]
    return {"__ansible_unsafe": value} if isinstance(value, str) else value


def playbook(name, tags, clusters, address="127.0.0.1"):
    """Runs it on a host for each configuration; they are variables of all hosts where there is one. What failed, by host."""
    service = name.removesuffix(".yml")
    hosts = {f"node{number}": {"ansible_host": address, **(not_templates(cluster) if len(clusters) > 1 else {})}
             for number, cluster in enumerate(clusters)}
    inventory = {"all": {"vars": not_templates(clusters[0]) if len(clusters) == 1 else {}, "hosts": hosts,
                         "children": {group: {"hosts": {host: None for host in hosts}}
                                      for group in {service, "guestbook-application", "guestbook-database"}}}}
    write("/var/cache/cooperage/ansible/inventory.json", json.dumps(inventory))
    result = run("ansible-playbook", "-i", "/var/cache/cooperage/ansible/inventory.json", "-c", "local", "--tags", tags, "./" + name,
                 folder="/var/cache/cooperage/ansible/playbooks", timeout=400, ANSIBLE_NOCOLOR=1, ANSIBLE_FORKS=4,
                 ANSIBLE_ROLES_PATH="/var/cache/cooperage/ansible/roles", ANSIBLE_PYTHON_INTERPRETER="auto_silent",
                 ANSIBLE_GATHERING="explicit" if len(clusters) > 1 else "implicit")
    failed = {host: json.loads(told).get("msg", told) for host, told in re.findall(r"^fatal: \[(\w+)\]: FAILED! => (\{.*\})$", result.stdout, re.MULTILINE)}
    return result, failed


def use_ansible():
    shutil.copytree(REPO / "sql/examples/ansible/resources/automatortypes/ansible", root / "var/cache/cooperage/ansible", dirs_exist_ok=True)
    good = {"guestbook": {"title": "Guestbook", "port": 80, "database_password": "it works"}}
    places = ["/etc/haproxy", "/etc/mysql", "/opt", "/etc/init.d"]
    control = [v for v in HOSTILE if re.search(r"[\0-\x1f]", v)]
    wrong = [0, 65536, -1, "080", "", True, None, [80], {"a": 1}, "99999999999"]
    for service, name, values in [
            ("proxy", "guestbook.port", [*HOSTILE, *wrong]), ("proxy", "proxy_application_port", [*HOSTILE, *wrong]),
            ("database", "mariadb_buffer_pool", [*HOSTILE, "0", "32T", "", ["32M"]]),
            ("database", "guestbook.database_password", [*control, "", 5, ["x"], "x" * 201]),
            ("application", "guestbook_port", [*HOSTILE, *wrong, 1023]), ("application", "guestbook.title", [*control, "", 5, ["x"]]),
            ("application", "guestbook.database_password", [*control, "", 5])]:
        before = files_below(*places)
        result, failed = playbook(f"guestbook-{service}.yml", "configure,untagged", [changed(good, name.split("."), value) for value in values])
        for number, value in enumerate(values):
            said = failed.get(f"node{number}", "nothing")
            check(isinstance(said, str) and said.startswith(name + " must be "), f"ansible: {name} = {value!r}: {said}\n{result.stdout[-3000:]}{result.stderr[-2000:]}")
        check(files_below(*places) == before, f"ansible: {name} was refused, but files were written")
        nothing_ran(f"ansible with {name}")
    result, failed = playbook("guestbook-database.yml", "configure,untagged", [changed(good, ["guestbook"], "text")])
    check(failed, "ansible: a text was taken for the settings of the guestbook")
    result, failed = playbook("guestbook-proxy.yml", "configure,untagged", [good], "127.0.0.1:80\n    http-request deny")
    check("names and addresses" in failed.get("node0", ""), f"ansible: an address with a line end was taken: {failed}")

    # The roles' own words win over the configuration, and texts come out as they are: the whole guestbook runs with them.
    hostile = {**good, "guestbook": {"title": DATA, "port": 80, "database_password": DATA}, "guestbook_home": "/tmp; touch /canary",
               "guestbook_user": "root", "mariadb_database": "x`; \\! touch /canary", "mariadb_user": "root", "groups": {"guestbook-database": ["evil"]},
               "inventory_hostname": "evil", "hostvars": {}}
    for service in ["database", "application", "proxy"]:
        for action in ["install", "configure", "start"]:
            result, failed = playbook(f"guestbook-{service}.yml", f"{action},untagged", [hostile])
            check(result.returncode == 0, f"ansible: {service} did not {action}: {failed} {result.stdout[-3000:]}{result.stderr[-2000:]}")
            nothing_ran(f"ansible: {service}, {action}")
    # Those of the seed and of hadoop-like have been made before.
    users = set(ask("SELECT DISTINCT User FROM mysql.user WHERE Host = '%'").split())
    check("guestbook" in users and users <= {"guestbook", "web", "hive"}, f"ansible: there are the users {users}")
    check(json.loads((root / "opt/guestbook/settings.json").read_text())
          == {"host": "127.0.0.1", "node": "node0", "password": DATA, "port": 8080, "title": DATA}, "ansible: settings.json is wrong")
    page = must(run("python3", "-c", "import urllib.request as r; print(r.urlopen('http://127.0.0.1/', timeout=10).read().decode())"))
    check("$(touch /canary)" in page and "&lt;b&gt;&amp;" in page and "{{ 7 * 7 }}" in page and "<b>node0</b>" in page, f"ansible: the page is {page}")
    for service in ["proxy", "application", "database"]:
        result, _ = playbook(f"guestbook-{service}.yml", "stop,untagged", [hostile])
        check(result.returncode == 0, f"ansible: {service} did not stop: {result.stdout[-3000:]}")


# --- Puppet

def classes(name, cluster, address="10.0.0.2"):
    """As puppet.cpp: the cluster's data above that of the catalogue, the nodes of the cluster as a fact."""
    home = "/var/cache/cooperage/puppet"
    write(f"{home}/task/cluster.json", json.dumps(cluster).replace("%{", "%{literal('%')}{"))
    write(f"{home}/task/hiera.yaml", json.dumps({"version": 5, "hierarchy": [
        {"name": "cluster", "data_hash": "json_data", "datadir": f"{home}/task", "path": "cluster.json"},
        {"name": "service", "data_hash": "yaml_data", "datadir": f"{home}/hiera", "globs": ["**/services/%{facts.cooperage.service}.yaml"]},
        {"name": "everybody", "data_hash": "yaml_data", "datadir": f"{home}/hiera", "globs": ["*.yaml", "*/*.yaml"]}]}))
    nodes = {"node1.local": {"services": ["puppet-app"], "ipaddresses": {"bind_v4": address}}}
    write("/etc/facter/facts.d/cooperage.json", json.dumps({"cooperage": {"hostname": "node1.local", "service": "puppet-app", "nodes": nodes}}))
    return run("puppet", "apply", "--color=false", "--detailed-exitcodes", f"--hiera_config={home}/task/hiera.yaml", f"--modulepath={home}/modules",
               "-e", f"include {name}", timeout=120)


def use_puppet():
    shutil.copytree(REPO / "sql/examples/puppet/resources/automatortypes/puppet", root / "var/cache/cooperage/puppet", dirs_exist_ok=True)
    good = {"profile::app::heading": "Hello"}
    for name in ["nginx::install", "profile::app", "profile::balancer"]:
        result = classes(name, good)
        check(result.returncode in (0, 2), f"puppet: {name}: {result.stdout}{result.stderr}")
    must(run("nginx", "-t"))
    conf = (root / "etc/nginx/conf.d/balancer.conf").read_text()
    check("    server 10.0.0.2:8080 max_fails" in conf and "listen 80;" in conf, f"puppet: the balancer's configuration is {conf}")
    hostile = ["80; }\nuser root;", "$(touch /canary)", "%{lookup('x')}", 0, 65536, [80]]
    cases = [("profile::app", "profile::app::port", hostile), ("profile::balancer", "profile::balancer::port", hostile),
             ("profile::balancer", "profile::balancer::app_port", hostile[:2]),
             ("profile::app", "profile::app::theme", ["red", "#f0a000\n", "#f0a000 }</style><script>", ["#f0a000"]]),
             ("profile::app", "profile::app::heading", [["x"], "x" * 201]),
             ("nginx::install", "nginx::install::package", ["-oDPkg::Pre-Invoke::=touch /canary", "openssh-server", "/tmp/x.deb"])]
    for name, key, values in cases:
        for value in values:
            before = files_below("/etc/nginx", "/srv/app")
            result = classes(name, {**good, key: value})
            what = f"puppet: {key} = {value!r}"
            check(result.returncode == 1 and f"parameter '{key.rsplit('::', 1)[1]}'" in result.stderr + result.stdout,
                  f"{what} was taken, or refused without words: {result.stdout}{result.stderr}")
            check(files_below("/etc/nginx", "/srv/app") == before, f"{what} was refused, but files were written")
            nothing_ran(what)
    result = classes("profile::balancer", good, "10.0.0.2; }\nuser root;")
    check(result.returncode == 1 and "parameter 'servers'" in result.stderr + result.stdout, f"puppet: an address with a line end was taken: {result.stdout}{result.stderr}")
    result = classes("profile::app", {"profile::app::heading": DATA + "<%= 7 %></title>"})
    page = (root / "srv/app/index.html").read_text()
    check("&lt;b>&amp;&lt;%= 7 %>&lt;/title>" in page and "%{lookup('x')}" in page, f"puppet: {result.stderr} the page is {page}")
    nothing_ran("puppet with a hostile heading")


def main():
    global root
    lower = roots()
    missing = [package for package in PACKAGES if not list(lower.glob(f"var/cache/apt/archives/{package}_*.deb"))]
    if os.geteuid() != 0 or missing:
        print(f"skipped: needs root, and a root of local hosts with {' '.join(missing or PACKAGES)}")
        return 77
    if sys.argv[1:2] != ["--inside"]:
        # Mounts, processes and network of its own; what is written goes to a folder that is deleted.
        DIR.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=DIR, prefix="configurations.") as folder:
            # The shell is the init of these processes, which waits for those that daemons leave.
            return subprocess.run(["unshare", "--mount", "--pid", "--fork", "--kill-child", "--net", "--uts", "sh", "-c", '"$@" & wait $!', "sh",
                                   __file__, "--inside", folder, *sys.argv[1:]]).returncode
    folder = Path(sys.argv[2])
    for name in ["upper", "work", "root"]:
        (folder / name).mkdir()
    root = folder / "root"
    for command in [["mount", "-t", "overlay", "overlay", "-o", f"lowerdir={lower},upperdir={folder}/upper,workdir={folder}/work", root],
                    ["mount", "-t", "proc", "proc", root / "proc"], ["mount", "--rbind", "/dev", root / "dev"],
                    ["mount", "-t", "tmpfs", "tmpfs", root / "run"], ["mount", "-t", "tmpfs", "tmpfs", root / "tmp"],
                    ["ip", "link", "set", "lo", "up"], ["hostname", "node1"]]:
        subprocess.run(command, check=True)
    write("/usr/sbin/policy-rc.d", "#!/bin/sh\nexit 101\n", 0o755)
    must(run("apt-get", "-q", "install", "-y", "--no-install-recommends", *PACKAGES, timeout=400, DEBIAN_FRONTEND="noninteractive"))
    bring_scripts()
    for use in [use_seed, use_hadoop, use_docker, use_ansible, use_puppet]:
        if len(sys.argv) > 3 and use.__name__ not in sys.argv[3:]:
            continue
        use()
        print(f"{use.__name__}: {checks} checks so far", flush=True)
    print(f"{checks} checks passed, 0 failed")
    return 0


sys.exit(main())
