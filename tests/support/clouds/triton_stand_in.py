#!/usr/bin/env python3
"""A CloudAPI of the tests' own (Triton, once Joyent), see triton/server.js: npm http-signature verifies every request, npm fwrule parses
firewall rules, npm semver reads versions. Prints its port; ends when its standard input does.

usage: triton_stand_in.py LOGIN PUBLIC_KEY_FILE [KEY_NAME]
"""

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from node_packages import node_environment  # noqa: E402


def main():
    packages = node_environment("triton-node", Path(__file__).with_name("triton_packages.json"))
    os.environ["NODE_PATH"] = str(packages / "node_modules")
    server = Path(__file__).with_name("triton") / "server.js"
    os.execvp("node", ["node", str(server), *sys.argv[1:]])


if __name__ == "__main__":
    main()
