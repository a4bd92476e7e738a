#!/usr/bin/env python3
"""A 200 MB file goes up through nginx in bounded memory; who may not is told without it being read; what ends too early or finds no
place leaves nothing; contents move to a folder and back. Against the set of COOPERAGE_TEST_DIR."""

import hashlib
import json
import os
import re
import socket
import struct
import subprocess
import sys
import time
from pathlib import Path

REPO = Path(__file__).resolve().parents[2]
SET = Path(os.environ.get("COOPERAGE_TEST_DIR", REPO / "var" / "test"))
BIN = REPO / "build" / "release" / "bin"
AS_WEB = [REPO / "cooperage", "--dir", SET, "enter", REPO / "provisioner/programs/package/run-as", "cooperage-web", SET / "run" / "web", "www-data"]
SHELF = "/v2/plugins/automatortypes/shell/scripts"
MB = 1_000_000
MOST_MEMORY = 48 * MB


def die(why):
    sys.exit(f"FAILED: {why}")


def expect(what, got, wanted):
    if got != wanted:
        die(f"{what}: {got!r} instead of {wanted!r}")


def headers_of(role):
    user = next(one for one in json.loads((SET / "access.json").read_text())["users"] if (one["tenant"], one["role"]) == ("demo", role))
    return {"Coopr-UserID": user["user"], "Coopr-TenantID": "demo", "Coopr-ApiKey": user["apikey"]}


def curl(path, headers, *options):
    """Status and text of an answer."""
    url = json.loads((SET / "access.json").read_text())["url"].rstrip("/") + path
    named = [word for name, value in headers.items() for word in ("-H", f"{name}: {value}")]
    done = subprocess.run(["curl", "-sS", "--max-time", "300", "-w", "\n%{http_code}", *named, *options, url], capture_output=True, text=True)
    if done.returncode != 0:
        die(f"{path}: {done.stderr}")
    text, _, status = done.stdout.rpartition("\n")
    return int(status), text


def fastcgi(web_socket, path, headers, announced, body):
    """What cooperage-web itself answers, as a web server would ask that loses its client on the way."""
    def record(kind, content):
        return struct.pack(">BBHHBx", 1, kind, 1, len(content), 0) + content

    def pair(name, value):
        return struct.pack(">BI", len(name), len(value) | 0x80000000) + name.encode() + value.encode()

    params = {"REQUEST_METHOD": "POST", "REQUEST_URI": path, "CONTENT_LENGTH": str(announced)}
    params |= {"HTTP_" + name.upper().replace("-", "_"): value for name, value in headers.items()}
    with socket.socket(socket.AF_UNIX) as line:
        line.settimeout(60)
        line.connect(str(web_socket))
        line.sendall(record(1, struct.pack(">HB5x", 1, 0)) + record(4, b"".join(pair(*one) for one in params.items())) + record(4, b"")
                     + record(5, body) + record(5, b""))
        raw = b""
        while piece := line.recv(65536):
            raw += piece
    text = b""
    while raw:
        _, kind, _, length, padding = struct.unpack(">BBHHBx", raw[:8])
        text += raw[8:8 + length] if kind == 6 else b""
        raw = raw[8 + length + padding:]
    head, _, rest = text.decode().partition("\r\n\r\n")
    return int(re.search(r"Status: (\d+)", head)[1]), rest


def peak_memory():
    """Of the child that answers; its parent only keeps it at work."""
    keeper = (SET / "run" / "web" / "web.sock.lock").read_text().strip()
    child = Path(f"/proc/{keeper}/task/{keeper}/children").read_text().split()[0]
    return 1024 * int(re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{child}/status").read_text())[1])


def rows(sql):
    done = subprocess.run(["mariadb", "--no-defaults", f"--socket={SET}/run/database/db.sock", "--user=root", "-N", "cooperage", "-e", sql],
                          capture_output=True, text=True, check=True)
    return done.stdout.split()


def kept():
    return rows("SELECT COUNT(*) FROM content; SELECT COALESCE(SUM(LENGTH(bytes)), 0) FROM content_piece")


def forget_what_was_left():
    """Files that earlier tests deleted: the daemon sweeps them every few minutes, and must not while we count."""
    left = "IN (SELECT id FROM content WHERE id NOT IN (SELECT content_id FROM plugin_resource WHERE content_id IS NOT NULL))"
    rows(f"DELETE FROM content_piece WHERE content_id {left}; "
         f"DELETE FROM content WHERE id NOT IN (SELECT content_id FROM plugin_resource WHERE content_id IS NOT NULL)")


def a_large_file(path, size):
    block = os.urandom(MB)
    digest = hashlib.sha256()
    with open(path, "wb") as file:
        for number in range(size // MB):
            piece = struct.pack(">Q", number) + block[8:]
            file.write(piece)
            digest.update(piece)
    return digest.hexdigest()


def goes_up_in_bounded_memory(file, sha256):
    before, began = peak_memory(), time.monotonic()
    status, text = curl(f"{SHELF}/large.bin", headers_of("admin"), "-T", file, "-X", "POST")
    expect("200 MB", status, 200)
    version = json.loads(text)
    expect("its size and hash", (version["size"], version["sha256"]), (200 * MB, sha256))
    grown = peak_memory() - before
    print(f"200 MB in {time.monotonic() - began:.1f} s; peak memory of cooperage-web grew by {grown / MB:.1f} MB from {before / MB:.1f} MB")
    if grown > MOST_MEMORY:
        die("that is too much memory")
    held = rows("SELECT SUM(LENGTH(bytes)), SHA2('', 256) FROM content_piece JOIN content ON content_id = id WHERE sha256 = '%s'" % sha256)
    expect("bytes in the database", held[0], str(200 * MB))
    before = kept()
    expect("the same again", curl(f"{SHELF}/large.bin", headers_of("admin"), "-T", file, "-X", "POST")[0], 200)
    expect("what is kept after the same again", kept(), before)


def is_refused_without_being_read(file):
    before = kept()
    everybody = {**headers_of("admin"), "Coopr-ApiKey": "wrong"}
    for path, headers, wanted in [(f"{SHELF}/x", headers_of("user"), 403), (f"{SHELF}/x", everybody, 401), (f"{SHELF}/a%20b", headers_of("admin"), 400),
                                  ("/v2/plugins/automatortypes/shell/nope/x", headers_of("admin"), 404)]:
        began = time.monotonic()
        expect(f"{path}", curl(path, headers, "-T", file, "-X", "POST")[0], wanted)
        # Who may not send it is told before nginx takes it in; what is wrong with it is seen later.
        if time.monotonic() - began > (5 if wanted in (401, 403) else 60):
            die("a refusal took as long as an upload")
    expect("too large for anything but a file", curl("/v2/profile", headers_of("admin"), "-T", file), (413, "The request is larger than 150 MiB."))
    expect("what is kept", kept(), before)


def another_web(settings):
    """A second cooperage-web with other settings; its socket and how to end it."""
    web_socket = SET / "run" / "web" / "web2.sock"
    config = SET / "etc" / "web2.conf"
    web_socket.unlink(missing_ok=True)
    config.write_text((SET / "etc" / "cooperage.conf").read_text() + f"web.socket = {web_socket}\n{settings}")
    with open(SET / "log" / "web2.log", "a") as log:
        process = subprocess.Popen([*AS_WEB, BIN / "cooperage-web", "--config", config], stderr=log)
    for _ in range(200):
        if web_socket.exists():
            return process, web_socket
        time.sleep(0.05)
    die("the second cooperage-web does not listen")


def what_breaks_off_leaves_nothing():
    before = kept()
    status, text = fastcgi(SET / "run" / "web" / "web.sock", f"{SHELF}/short", headers_of("admin"), 3 * MB, b"x" * 60000)
    expect("a body that ends early", (status, text), (400, "the request ended too early"))
    process, web_socket = another_web(f"resources.store = files\nresources.folder = {SET}/nowhere\nresources.largest = 1000\n")
    try:
        status, text = fastcgi(web_socket, f"{SHELF}/x", headers_of("admin"), 5, b"12345")
        expect("no place", status, 503)
        if "Nothing of it was stored" not in text or "nowhere" in text:
            die(f"no place is told as {text}")
        expect("a larger file than is allowed", fastcgi(web_socket, f"{SHELF}/x", headers_of("admin"), 1001, b"x"),
               (413, "The file is larger than 1000 bytes (resources.largest)."))
    finally:
        process.terminate()
        process.wait(30)
    if "there is no folder" not in (SET / "log" / "web2.log").read_text():
        die("the log does not say why")
    expect("bytes that are kept", kept()[1], before[1])
    expect("what is left to the sweep", rows("SELECT place, state, size FROM content WHERE state <> 'kept'"), ["files", "going", "0"])
    rows("DELETE FROM content WHERE state = 'going' AND place = 'files'")
    expect("versions of what broke off", [curl(f"{SHELF}/{name}", headers_of("admin"))[1] for name in ("short", "x")], ["[]", "[]"])


def move(config, to):
    done = subprocess.run([BIN / "cooperage-migrate", "move-contents", "--config", config, "--to", to], capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        die(f"moving to {to}: {done.stdout}{done.stderr}")


def moves_and_comes_back(sha256):
    folder = SET / "contents"
    folder.mkdir(exist_ok=True)
    config = SET / "etc" / "moving.conf"
    config.touch(mode=0o600)
    config.write_text((SET / "etc" / "cooperage.conf").read_text() + f"resources.folder = {folder}\n")
    # What nobody refers to any more may be swept meanwhile, and is not moved.
    referred = "WHERE content.id IN (SELECT content_id FROM plugin_resource)"
    wanted = f"SELECT COUNT(*), SUM(size) FROM content {referred}; SELECT SUM(LENGTH(bytes)) FROM content_piece JOIN content ON content_id = content.id {referred}"
    before = rows(wanted)
    move(config, "files")
    expect("bytes left in the database", rows("SELECT COUNT(*) FROM content_piece JOIN content ON content_id = content.id " + referred), ["0"])
    hashes = {hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.rglob("*") if path.is_file()}
    if sha256 not in hashes:
        die("the large file is not in the folder")
    move(config, "database")
    expect("what is in the database again", rows(wanted), before)
    expect("files left in the folder", [path for path in folder.rglob("*") if path.is_file()], [])


def main():
    file = SET / "large.bin"
    sha256 = a_large_file(file, 200 * MB)
    forget_what_was_left()
    try:
        goes_up_in_bounded_memory(file, sha256)
        is_refused_without_being_read(file)
        what_breaks_off_leaves_nothing()
        moves_and_comes_back(sha256)
    finally:
        file.unlink()
    expect("deleting it", curl(f"{SHELF}/large.bin", headers_of("admin"), "-X", "DELETE")[0], 200)
    print("ok")


if __name__ == "__main__":
    main()
