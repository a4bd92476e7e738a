"""A machine of our own inside this one: its own network, and its own /etc, /usr/share, /run and /var/log over those of the machine. So
the web servers run with Debian's configuration and ours as they are installed, on the ports they are installed for."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

REPO = Path(__file__).resolve().parents[3]
SET = Path(os.environ.get("COOPERAGE_TEST_DIR", REPO / "var" / "test"))

# Addresses of the loopback interface that clients come from (TEST-NET-1 to 3 of RFC 5737).
TRUSTED_PROXY = "192.0.2.10"
HOST_ADDRESS = "198.51.100.1"
CLIENTS = [f"203.0.113.{number}" for number in range(1, 30)]

SHARED = Path("/usr/share/cooperage")
SOCKET = Path("/run/cooperage-web/web.sock")


def die(why):
    raise SystemExit(f"FAILED: {why}")


def run(*command, **options):
    done = subprocess.run(command, capture_output=True, text=True, **options)
    if done.returncode != 0:
        die(f"{' '.join(map(str, command))}: {done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def enter():
    """Runs this program anew in namespaces of its own. Returns in there only."""
    if os.environ.get("COOPERAGE_OWN_PLACE") != "yes":
        os.environ["COOPERAGE_OWN_PLACE"] = "yes"
        os.execvp("unshare", ["unshare", "--mount", "--net", "--pid", "--fork", "--kill-child", sys.executable, *sys.argv])
    run("mount", "--make-rprivate", "/")
    run("mount", "-t", "proc", "proc", "/proc")
    run("ip", "link", "set", "lo", "up")
    for address in [TRUSTED_PROXY, HOST_ADDRESS, *CLIENTS]:
        run("ip", "address", "add", f"{address}/32", "dev", "lo")
    lay_over()
    install()


def lay_over():
    """What is written below these folders is gone when the test ends."""
    layers = SET / "web-servers"
    layers.mkdir(exist_ok=True)
    run("mount", "-t", "tmpfs", "tmpfs", layers)
    for folder in ["/etc", "/usr/share", "/var/lib/apache2", "/var/cache/lighttpd"]:
        upper, work = (layers / f"{folder.replace('/', '_')}.{kind}" for kind in ("upper", "work"))
        upper.mkdir()
        work.mkdir()
        run("mount", "-t", "overlay", "overlay", "-o", f"lowerdir={folder},upperdir={upper},workdir={work}", folder)
    for folder in ["/run", "/var/log"]:
        run("mount", "-t", "tmpfs", "tmpfs", folder)
    for folder in ["/var/log/nginx", "/var/log/apache2", "/var/log/lighttpd", "/run/lock", "/run/lighttpd"]:
        Path(folder).mkdir()
        shutil.chown(folder, "www-data", "www-data")


def install():
    """What the package installs."""
    shutil.copytree(REPO / "nginx", SHARED / "nginx")
    shutil.copytree(REPO / "static", SHARED / "static")
    run("chmod", "-R", "a+rX", SHARED)
    SOCKET.parent.mkdir()
    shutil.chown(SOCKET.parent, "root", "www-data")
    SOCKET.parent.chmod(0o2750)
    Path("/etc/cooperage/tls").mkdir(parents=True, exist_ok=True)


def make_certificates(names):
    """A CA and a certificate for these names, where the packaged files look for them. Returns the path of the CA's certificate."""
    tls = Path("/etc/cooperage/tls")
    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]
    run("openssl", "req", "-x509", *key, "-subj", "/CN=Test CA", "-keyout", tls / "ca.key", "-out", tls / "ca.pem")
    run("openssl", "req", *key[:-2], "-subj", f"/CN={names[0]}", "-keyout", tls / "privkey.pem", "-out", tls / "request.pem")
    extensions = tls / "extensions"
    extensions.write_text("subjectAltName=" + ",".join(f"DNS:{name}" for name in names))
    run("openssl", "x509", "-req", "-in", tls / "request.pem", "-CA", tls / "ca.pem", "-CAkey", tls / "ca.key", "-CAcreateserial",
        "-days", "2", "-extfile", extensions, "-out", tls / "fullchain.pem")
    return tls / "ca.pem"
