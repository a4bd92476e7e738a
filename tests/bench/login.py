#!/usr/bin/env python3
"""100 people log in at once, 400 times in all. Prints lines of "name value": see login.sh.
    login.py FOLDER-OF-A-SET"""

import importlib.util
import os
import statistics
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

os.environ["COOPERAGE_TEST_DIR"] = sys.argv[1]
spec = importlib.util.spec_from_file_location("guessing", Path(__file__).parents[1] / "job" / "slows_down_guessing.py")
guessing = importlib.util.module_from_spec(spec)
spec.loader.exec_module(guessing)


def web_processes():
    own_mounts = os.readlink("/proc/self/ns/pid")
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().split(b"\0")
            if words[0].endswith(b"cooperage-web") and any(str(guessing.SET).encode() in word for word in words):
                if os.readlink(folder / "ns/pid") == own_mounts:
                    yield folder
        except OSError:
            continue


def processor_seconds():
    ticks = 0
    for folder in web_processes():
        fields = (folder / "stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def peak_megabytes():
    peaks = []
    for folder in web_processes():
        for line in (folder / "status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                peaks.append(int(line.split()[1]) / 1000)
    return max(peaks)


def one(number):
    return guessing.log_in(guessing.person("user"), address=f"198.18.{number // 250}.{number % 250 + 1}").status


# One hash: the processor time of a login alone, which is Argon2id and a few milliseconds. The median of ten.
alone = []
for number in range(10):
    before = processor_seconds()
    for again in range(4):
        one(900 + number)
    alone.append((processor_seconds() - before) / 4)
one_hash = statistics.median(alone)

before = processor_seconds()
began = time.monotonic()
with ThreadPoolExecutor(100) as pool:
    statuses = list(pool.map(one, range(400)))
took = time.monotonic() - began
done = statuses.count(303)
if done == 0 or set(statuses) - {303, 503}:
    sys.exit(f"bench: answers of the login: {sorted(set(statuses))}")
print(f"per_second {done / took:.1f}")
print(f"per_hash {(processor_seconds() - before) / 400 / one_hash:.2f}")
print(f"refused {statuses.count(503) / 400:.3f}")
print(f"memory {peak_megabytes():.0f}")
