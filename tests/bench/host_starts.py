#!/usr/bin/env python3
"""What the start and the stop of a local host cost: host_starts.py ROUNDS ROOT PROGRAM...

Each round makes two hosts with each program (cooperage-local-host of several builds, say), the first and a further one of
a new cluster, in turn, so that whatever else the machine does hits all of them. Hosts have limits of memory and
processors, as hardware types of the catalogue do. Prints medians. Needs root.
"""
import statistics
import subprocess
import sys
import tempfile
import time

KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIEtestkeyforbench bench"
KEPT = 5  # rounds whose hosts run at once


def seconds(command):
    began = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - began


class Candidate:
    def __init__(self, program, root):
        self.program, self.root = program, root
        self.state = tempfile.mkdtemp(prefix="host-starts-") + "/state"
        self.times = {"first of a cluster": [], "further": [], "stop": []}

    def start(self, kind, name, cluster):
        self.times[kind].append(seconds([
            self.program, "start", name, "--state", self.state, "--root", self.root, "--hostname", name + ".bench",
            "--cluster", cluster, "--key", KEY, "--max", "1000", "--memory-mb", "256", "--cpus", "1"]))

    def stop(self, name):
        self.times["stop"].append(seconds([self.program, "stop", name, "--state", self.state]))

    def clean_up(self):
        subprocess.run([self.program, "cleanup", "--state", self.state], check=True, stderr=subprocess.DEVNULL)

    def line(self):
        return "  ".join(f"{kind} {1000 * statistics.median(times):.1f} ms" for kind, times in self.times.items())


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    candidates = [Candidate(program, sys.argv[2]) for program in sys.argv[3:]]
    try:
        for number in range(int(sys.argv[1])):
            for one in candidates:
                one.start("first of a cluster", f"a{number}", f"c{number}")
                one.start("further", f"b{number}", f"c{number}")
                if number >= KEPT:
                    for name in (f"b{number - KEPT}", f"a{number - KEPT}"):
                        one.stop(name)
    finally:
        for one in candidates:
            one.clean_up()
    for one in candidates:
        print(f"{one.program}: {one.line()}")


main()
