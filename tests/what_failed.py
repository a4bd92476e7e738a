#!/usr/bin/env python3
"""what_failed.py FOLDER: of each failed test in the JUnit files of a folder, its name and the lines that say why."""

import re
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

TELLING = re.compile(r"^\s*not ok |FAILED|(?<!no )\berror: |fatal error|Error:|Traceback|AddressSanitizer|runtime error")
FOLLOWING = 15
MOST_LINES = 60


def why(output):
    """The lines that tell of a failure, with those that follow each; the last lines where none does."""
    lines = output.splitlines()
    wanted = set()
    for number, line in enumerate(lines):
        if TELLING.search(line):
            wanted.update(range(number, min(number + FOLLOWING, len(lines))))
    if not wanted:
        wanted.update(range(max(0, len(lines) - MOST_LINES // 2), len(lines)))
    return [lines[number] for number in sorted(wanted)][:MOST_LINES]


def failed_tests(folder):
    for path in sorted(Path(folder).glob("tests-*.xml")):
        try:
            root = ET.parse(path).getroot()
        except ET.ParseError as error:
            print(f"{path.name} cannot be read: {error}")
            continue
        for case in root.iter("testcase"):
            if case.get("status") == "fail" or case.find("failure") is not None:
                yield case


def main():
    for case in failed_tests(sys.argv[1]):
        print(f"FAILED {case.get('name')}, after {float(case.get('time', 0)):.0f} s")
        for line in why(case.findtext("system-out") or ""):
            print(f"    {line[:300]}")


main()
