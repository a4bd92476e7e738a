#!/usr/bin/env python3
"""The units of systemd confine what they start: every one as far as it can bear it, and none by what hosts that it starts could not bear. It reads the files; where systemd is, packages_are_clean.sh asks it."""

import re
import sys
from pathlib import Path

REPO = Path(__file__).resolve().parents[2]
WEB = "fcgi/package/cooperage-web.service"
DAEMON = "provisioner/daemon/package/cooperage-provisioner.service"
HELPER = "provisioner/providers/local/package/cooperage-local-hosts.service"

YES = ["NoNewPrivileges", "ProtectHome", "PrivateTmp", "PrivateDevices", "PrivateUsers", "PrivateIPC", "ProtectClock", "ProtectHostname", "ProtectKernelLogs",
       "ProtectKernelModules", "ProtectKernelTunables", "ProtectControlGroups", "RestrictNamespaces", "RestrictRealtime", "RestrictSUIDSGID", "RemoveIPC",
       "LockPersonality", "MemoryDenyWriteExecute"]
CONFINED = {**{name: ["yes"] for name in YES}, "CapabilityBoundingSet": [""], "AmbientCapabilities": [""], "LimitCORE": ["0"], "UMask": ["0077"],
            "ProtectSystem": ["strict"], "ProtectProc": ["invisible"], "ProcSubset": ["pid"], "SystemCallArchitectures": ["native"],
            "RestrictAddressFamilies": ["AF_UNIX AF_INET AF_INET6"], "KeyringMode": ["private"]}
# What the first process of a host keeps, with a namespace of users and without (local/host/init.cpp).
INIT = REPO / "provisioner/providers/local/host/init.cpp"
NEEDLESS = {"CAP_SYS_TIME", "CAP_WAKE_ALARM", "CAP_SYSLOG", "CAP_SYS_MODULE", "CAP_SYS_RAWIO", "CAP_SYS_BOOT", "CAP_SYS_PACCT", "CAP_SYS_TTY_CONFIG",
            "CAP_MAC_ADMIN", "CAP_MAC_OVERRIDE", "CAP_AUDIT_CONTROL", "CAP_AUDIT_READ", "CAP_BLOCK_SUSPEND", "CAP_LEASE"}
UNBEARABLE = ["NoNewPrivileges", "RestrictSUIDSGID", "LockPersonality", "ProtectKernelLogs", "ProtectKernelTunables", "ProtectProc", "ProcSubset", "ProtectClock",
              "ProtectControlGroups", "ProtectHostname", "PrivateDevices", "PrivateUsers", "PrivateTmp", "ProtectSystem", "ProtectHome", "RestrictNamespaces",
              "MemoryDenyWriteExecute", "SystemCallFilter", "SystemCallArchitectures", "RestrictAddressFamilies", "UMask", "MemoryMax", "User"]

failures = []


def settings_of(text):
    """Name -> values in their order, of the part [Service]."""
    found = {}
    service = text.split("[Service]")[1].split("\n[")[0]
    for line in service.splitlines():
        if line and not line.startswith("#"):
            name, _, value = line.partition("=")
            found.setdefault(name, []).append(value)
    return found


def expect(what, is_so):
    if not is_so:
        failures.append(what)


def check_program(path, settings):
    for name, values in CONFINED.items():
        expect(f"{path}: {name}={settings.get(name)}, not {values}", settings.get(name) == values)
    filters = " ".join(settings.get("SystemCallFilter", []))
    expect(f"{path}: calls of the kernel: {filters}", filters.startswith("@system-service ~@privileged"))
    expect(f"{path}: runs as its own user", settings.get("User") == [Path(path).stem])
    expect(f"{path}: takes all memory of the machine", re.fullmatch(r"[1-9][0-9]*(%|M|G)", settings.get("MemoryMax", [""])[0]))


def check_memory_of_web(settings):
    """Each large call that is admitted is text, JSON and entries; 500,000 values have 150 bytes each besides."""
    large = (REPO / "nginx/site.conf").read_text().split("location @large_call {")[1].split("\n}")[0]
    calls = int(re.search(r"cooperage_all_large_calls (\d+);", large)[1])
    body = int(re.search(r"client_max_body_size (\d+)m;", large)[1])
    needed = calls * (3 * body + 500_000 * 150 // 2**20)
    allowed = int(settings["MemoryMax"][0].removesuffix("G")) * 1024
    expect(f"the web may have {allowed} MiB, and what is admitted takes {needed}", needed < allowed < 2 * needed)


def check_helper(settings):
    dropped = set()
    for value in settings.get("CapabilityBoundingSet", []):
        expect(f"{HELPER}: {value} is no list of what it has not", value.startswith("~"))
        dropped |= set(value[1:].split())
    expect(f"{HELPER}: has {NEEDLESS - dropped}", NEEDLESS <= dropped)
    kept = set(re.findall(r"CAP_[A-Z_]+", INIT.read_text()))
    expect("no capabilities are read from init.cpp", {"CAP_CHOWN", "CAP_SYS_ADMIN"} <= kept)
    expect(f"{HELPER}: hosts need {kept & dropped}", not kept & dropped)
    expect(f"{HELPER}: realtime", settings.get("RestrictRealtime") == ["yes"])
    expect(f"{HELPER}: hosts end with it", settings.get("KillMode") == ["process"] and settings.get("Delegate") == ["yes"])
    expect(f"{HELPER}: cores", settings.get("LimitCORE") == ["0:infinity"])
    for name in UNBEARABLE:
        expect(f"{HELPER}: {name}= is more than hosts can bear", name not in settings)


for path in (WEB, DAEMON):
    check_program(path, settings_of((REPO / path).read_text()))
check_memory_of_web(settings_of((REPO / WEB).read_text()))
check_helper(settings_of((REPO / HELPER).read_text()))
for failure in failures:
    print("FAILED:", failure)
print("3 units,", len(failures), "failed")
sys.exit(1 if failures else 0)
