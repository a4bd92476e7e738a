#!/usr/bin/env python3
"""What Ansible itself (PyPI, in var/ansible-python) makes of an inventory: prints `ansible-inventory --list` of the file."""

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import python_packages

folder = python_packages.environment("ansible-python", Path(__file__).with_name("ansible_requirements.txt"))
os.environ.update(ANSIBLE_LOCALHOST_WARNING="false", ANSIBLE_INVENTORY_ENABLED="yaml,ini", HOME=str(folder), LC_ALL="C.UTF-8")
os.execv(folder / "bin" / "ansible-inventory", ["ansible-inventory", "-i", sys.argv[1], "--list"])
