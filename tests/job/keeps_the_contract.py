#!/usr/bin/env python3
"""Tries every row of the wire contract's tables (tests/job/contract) on a running set: real nginx, FastCGI and database.

usage: keeps_the_contract.py [PART...]     the set is that of COOPERAGE_TEST_DIR
"""

import importlib
import json
import os
import sys
from pathlib import Path

here = Path(__file__).resolve().parent
sys.path.insert(0, str(here))

from contract.support import Failure, World  # noqa: E402

# In this order: later parts use the tenant and the people the first one makes.
PARTS = ["transport", "tenants", "entities", "exchange", "plugins", "nodes", "metrics", "prices", "access", "permissions", "clusters",
         "profile", "robustness"]


def main(wanted):
    folder = Path(os.environ.get("COOPERAGE_TEST_DIR", here.parent.parent / "var" / "test"))
    world = World(json.loads((folder / "access.json").read_text()))
    failures = 0
    for part in PARTS:
        if wanted and part not in wanted:
            continue
        module = importlib.import_module("contract." + part)
        heading = ""
        for step in module.steps(world):
            if isinstance(step, str):
                heading = step
                continue
            try:
                step(world) if callable(step) else world.try_row(step)
            except (Failure, ValueError, KeyError) as failure:
                failures += 1
                print(f"FAILED {part}: {heading}: {failure!r}" if not isinstance(failure, Failure)
                      else f"FAILED {part}: {heading}: {failure}")
        print(f"{part}: {world.rows} rows so far")
    print(f"{world.rows - failures} passed, {failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
