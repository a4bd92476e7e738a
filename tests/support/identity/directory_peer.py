#!/usr/bin/env python3
"""A directory: Debian's slapd with ldaps and StartTLS, under certificates of an authority of its own. Prints the port of its controls, which are HTTP:
/info has addresses and authorities as JSON, /counted what came by the address of that name since it was last asked, /modify takes LDIF, /stop ends slapd, /reset starts it with its first people. Ends when its standard input ends."""

import http.server
import json
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

FOLDER = Path(tempfile.mkdtemp(prefix="cooperage-directory-"))
BASE = "dc=example,dc=org"
ROOT = f"cn=admin,{BASE}"

LDIF = f"""
dn: {BASE}
objectClass: dcObject
objectClass: organization
o: Example
dc: example

dn: ou=people,{BASE}
objectClass: organizationalUnit
ou: people

dn: ou=groups,{BASE}
objectClass: organizationalUnit
ou: groups

dn: cn=service,{BASE}
objectClass: organizationalRole
objectClass: simpleSecurityObject
cn: service
userPassword: the service's own

dn: uid=ann,ou=people,{BASE}
objectClass: inetOrgPerson
uid: ann
cn: Ann
sn: A
userPassword: hoops and staves

dn: uid=bob,ou=people,{BASE}
objectClass: inetOrgPerson
objectClass: accountOfActiveDirectory
uid: bob
cn: Bob
sn: B
userPassword: an adze, a croze

dn: uid=carl,ou=people,{BASE}
objectClass: inetOrgPerson
uid: carl
cn: Carl
sn: C
userPassword: a good barrel

dn: uid=eve,ou=people,{BASE}
objectClass: inetOrgPerson
uid: eve
cn: Eve
sn: E
userPassword: not of this place

dn: cn=Staff,ou=groups,{BASE}
objectClass: groupOfNames
cn: Staff
member: uid=ann,ou=people,{BASE}
member: uid=bob,ou=people,{BASE}
member: uid=carl,ou=people,{BASE}

dn: cn=Admins,ou=groups,{BASE}
objectClass: groupOfNames
cn: Admins
member: uid=ann,ou=people,{BASE}
"""


EC = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]


def run(*command, **options):
    return subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, **options)


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def make_authority(name):
    run("openssl", "req", "-x509", *EC, "-nodes", "-days", "2", "-subj", f"/CN={name}", "-keyout", FOLDER / f"{name}.key", "-out", FOLDER / f"{name}.pem")
    return (FOLDER / f"{name}.pem").read_text()


def make_certificate(authority):
    (FOLDER / "names").write_text("subjectAltName=IP:127.0.0.1\n")
    run("openssl", "req", "-new", *EC, "-nodes", "-subj", "/CN=directory", "-keyout", FOLDER / "server.key", "-out", FOLDER / "server.csr")
    run("openssl", "x509", "-req", "-days", "2", "-in", FOLDER / "server.csr", "-CA", FOLDER / f"{authority}.pem", "-CAkey", FOLDER / f"{authority}.key", "-CAcreateserial",
        "-extfile", FOLDER / "names", "-out", FOLDER / "server.pem")


def make_database():
    (FOLDER / "data").mkdir()
    (FOLDER / "slapd.conf").write_text(f"""
include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include /etc/ldap/schema/inetorgperson.schema
# Of Active Directory: the end of an account.
attributetype ( 1.2.840.113556.1.4.159 NAME 'accountExpires' EQUALITY integerMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 SINGLE-VALUE )
objectclass ( 1.2.840.113556.1.5.9999 NAME 'accountOfActiveDirectory' AUXILIARY MAY accountExpires )
modulepath /usr/lib/ldap
moduleload back_mdb
pidfile {FOLDER}/slapd.pid
TLSCertificateFile {FOLDER}/server.pem
TLSCertificateKeyFile {FOLDER}/server.key
# Nothing but StartTLS is answered without TLS.
security ssf=0 simple_bind=128
localSSF 256
database mdb
suffix "{BASE}"
rootdn "{ROOT}"
rootpw root
directory {FOLDER}/data
dbnosync
index objectClass,uid,entryUUID,member eq
access to attrs=userPassword by anonymous auth by * none
access to * by dn.exact="cn=service,{BASE}" read by * none
""")
    (FOLDER / "first.ldif").write_text(LDIF)
    fill_database()


def fill_database():
    for file in (FOLDER / "data").iterdir():
        file.unlink()
    run("slapadd", "-q", "-f", FOLDER / "slapd.conf", "-l", FOLDER / "first.ldif")


class Directory:
    def __init__(self):
        self.tls, self.plain = free_port(), free_port()
        self.process = None

    def start(self):
        urls = f"ldaps://127.0.0.1:{self.tls} ldap://127.0.0.1:{self.plain} ldapi://{str(FOLDER / 'socket').replace('/', '%2F')}"
        self.process = subprocess.Popen(["slapd", "-f", FOLDER / "slapd.conf", "-h", urls, "-d", "0"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(100):
            try:
                socket.create_connection(("127.0.0.1", self.tls), 1).close()
                return
            except OSError:
                time.sleep(0.05)
        raise SystemExit("slapd does not start")

    def stop(self):
        self.process.kill()
        self.process.wait()

    def modify(self, ldif):
        return run("ldapmodify", "-H", f"ldapi://{str(FOLDER / 'socket').replace('/', '%2F')}", "-D", ROOT, "-w", "root", "-x", input=ldif)


class Counter:
    """A way to the directory that counts: connections, and records of TLS from clients."""

    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.connections = self.records = 0
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            client, _ = self.listener.accept()
            self.connections += 1
            server = socket.create_connection(("127.0.0.1", directory.tls))
            threading.Thread(target=self.relay, args=(client, server, True), daemon=True).start()
            threading.Thread(target=self.relay, args=(server, client, False), daemon=True).start()

    def relay(self, source, target, is_client):
        rest = b""
        with source:
            try:
                while data := source.recv(65536):
                    rest += data
                    while len(rest) >= 5 and len(rest) >= (whole := 5 + int.from_bytes(rest[3:5], "big")):
                        self.records += is_client
                        rest = rest[whole:]
                    target.sendall(data)
                target.shutdown(socket.SHUT_WR)
            except OSError:
                pass

    def take(self):
        # What was said last may be under way.
        time.sleep(0.1)
        counted = {"connections": self.connections, "records": self.records}
        self.connections = self.records = 0
        return json.dumps(counted)


authority, stranger = make_authority("authority"), make_authority("stranger")
make_certificate("authority")
make_database()
directory = Directory()
directory.start()
counter = Counter()
# Takes connections and never says a word.
silent = socket.create_server(("127.0.0.1", 0))


class Control(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        text = "OK"
        try:
            if self.path == "/modify":
                directory.modify(body)
            elif self.path == "/counted":
                text = counter.take()
            elif self.path == "/stop":
                directory.stop()
            elif self.path == "/reset":
                directory.stop()
                fill_database()
                directory.start()
            else:
                text = json.dumps({"tls": f"ldaps://127.0.0.1:{directory.tls}", "plain": f"ldap://127.0.0.1:{directory.plain}",
                                   "silent": f"ldaps://127.0.0.1:{silent.getsockname()[1]}", "silent_plain": f"ldap://127.0.0.1:{silent.getsockname()[1]}",
                                   "counted": f"ldaps://127.0.0.1:{counter.port}", "wrong_name": f"ldaps://localhost:{directory.tls}",
                                   "authority": authority, "stranger": stranger})
            self.send_response(200)
        except subprocess.CalledProcessError as error:
            text = error.stderr.decode()
            self.send_response(500)
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *args):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Control)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_address[1], flush=True)
sys.stdin.read()
directory.stop()
subprocess.run(["rm", "-r", str(FOLDER)], check=False)
