#!/usr/bin/env python3
"""Reads from ELF files how they were hardened, and fails when one lacks a property.

    hardening.py [--list FILE] [--build FOLDER] [--stripped] [PROGRAM...]
    hardening.py --weak       builds small programs that lack one property each, and fails when one of them passes

--list: a file with one program per line. --build: compile_commands.json of the folder must ask for FORTIFY in every unit of
the programs. --stripped: without debug information, as in packages, the flags of units cannot be read; then imports and
instructions are looked at instead.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

FLAGS = ["-fstack-protector-strong", "-fstack-clash-protection"]
BRANCHES = {"X86-64": "-fcf-protection=full", "AArch64": "-mbranch-protection=standard"}
LANDING = {"X86-64": b"\xf3\x0f\x1e\xfa", "AArch64": b"\x3f\x23\x03\xd5"}


def output_of(*command):
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"}, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)}: {done.stderr}")
    return done.stdout


def units_of(program):
    """The producer of each unit of ours, which names its flags. Units that the compiler's own libraries brought are left out."""
    text = output_of("objdump", "--dwarf=info", "--dwarf-depth=1", program)
    return [line.split(": ", 1)[1] for line in text.splitlines() if "DW_AT_producer" in line and "GNU C++" in line]


def has_flag(unit, flag):
    """Whether the last flag of the same family is this one."""
    family = flag.removeprefix("-").removeprefix("f").split("=")[0].removesuffix("-strong")
    given = re.findall(rf"\s(-f?(?:no-)?{family}\S*)", unit)
    return bool(given) and given[-1] == flag


def share_of_landing_pads(program, machine):
    """How many functions of the program's frame table begin with a landing pad, from 0 to 1."""
    frames = re.findall(r"FDE .*pc=([0-9a-f]+)\.\.", output_of("readelf", "-W", "--debug-dump=frames", program))
    sections = re.findall(r"\] (\.text)\s+PROGBITS\s+([0-9a-f]+) ([0-9a-f]+) ([0-9a-f]+)", output_of("readelf", "-SW", program))
    if not sections or not frames:
        return 0.0
    _, address, offset, size = sections[0]
    address, offset, size = int(address, 16), int(offset, 16), int(size, 16)
    with open(program, "rb") as file:
        file.seek(offset)
        text = file.read(size)
    begins = [int(frame, 16) - address for frame in frames]
    begins = [begin for begin in begins if 0 <= begin < size]
    pads = sum(text.startswith(LANDING[machine], begin) for begin in begins)
    return pads / max(1, len(begins))


def lacks(program, stripped):
    """What the program lacks, one sentence each."""
    found = []
    header = output_of("readelf", "-hW", program)
    machine = next((name for name in BRANCHES if name in header), None)
    segments = output_of("readelf", "-lW", program)
    dynamic = output_of("readelf", "-dW", program)
    if "DYN" not in re.search(r"Type:\s+(\S+)", header).group(1) or not re.search(r"FLAGS_1.*\bPIE\b", dynamic):
        found.append("is no position-independent program")
    if "GNU_RELRO" not in segments:
        found.append("has no RELRO")
    if not re.search(r"\(FLAGS\).*BIND_NOW|FLAGS_1.*\bNOW\b", dynamic):
        found.append("binds late (no BIND_NOW)")
    stack = re.search(r"GNU_STACK\s.*\s([RWE]+)\s+0x", segments)
    if stack is None or "E" in stack.group(1):
        found.append("has an executable stack")
    if re.search(r"LOAD\s.*\sRWE\s", segments):
        found.append("has memory that is written and executed")
    if "TEXTREL" in dynamic:
        found.append("relocates its text")
    if re.search(r"\((RPATH|RUNPATH)\)", dynamic):
        found.append("looks for libraries in a folder of its own")

    is_static = "NEEDED" not in dynamic
    imports = set(re.findall(r"UND\s+(\w+)", output_of("readelf", "-W", "--dyn-syms", program)))
    if not is_static and "__stack_chk_fail" not in imports:
        found.append("has no stack protector (imports no __stack_chk_fail)")
    if stripped:
        if machine and not is_static and share_of_landing_pads(program, machine) < 0.3:
            found.append("has hardly any landing pads for indirect branches")
        return found
    units = units_of(program)
    if not units:
        found.append("has no debug information that tells the flags of its units")
    for flag in FLAGS + ([BRANCHES[machine]] if machine else []):
        without = sum(not has_flag(unit, flag) for unit in units)
        if without:
            found.append(f"has {without} of {len(units)} units without {flag}")
    return found


def lacks_fortify(program):
    """Imports of checked functions; nothing for static programs, whose C library has them anyway."""
    if "NEEDED" not in output_of("readelf", "-dW", program):
        return []
    checked = re.findall(r"UND\s+(__\w+_chk)\b", output_of("readelf", "-W", "--dyn-syms", program))
    return [] if checked else ["has no FORTIFY (imports no checked function)"]


def units_without_fortify(build):
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        commands = json.load(file)
    units = [unit for unit in commands if re.search(r"/(provisioner|fcgi)/", unit["output"] if "output" in unit else unit["file"])
             and "/tests/" not in unit.get("output", unit["file"])]
    if not units:
        raise SystemExit(f"{build}: no unit of the programs in compile_commands.json")
    return [unit["file"] for unit in units if not re.search(r"-D_FORTIFY_SOURCE=[23]\b", unit["command"])]


def check(programs, stripped, fortify):
    if not programs:
        raise SystemExit("no programs to look at")
    bad = 0
    for program in programs:
        found = lacks(program, stripped) + (lacks_fortify(program) if fortify else [])
        for sentence in found:
            print(f"FAILED: {program} {sentence}")
        bad += bool(found)
    return bad


WEAK = {
    "is no position-independent program": ["-fno-pie", "-no-pie"],
    "has no RELRO": ["-Wl,-z,norelro"],
    "binds late": ["-Wl,-z,lazy"],
    "has an executable stack": ["-Wl,-z,execstack"],
    "looks for libraries in a folder": ["-Wl,-rpath,/opt/lib"],
    "has no stack protector": ["-fno-stack-protector"],
    "without -fstack-protector-strong": ["-fno-stack-protector"],
    "without -fstack-clash-protection": ["-fno-stack-clash-protection"],
    "without -fcf-protection=full": ["-fcf-protection=none"],
    "hardly any landing pads": ["-fcf-protection=none"],
    "has no FORTIFY": ["-U_FORTIFY_SOURCE"],
    "has no debug information": ["-g0"],
}
HARD = ["-O2", "-g1", "-fPIE", "-pie", *FLAGS, "-fcf-protection=full", "-U_FORTIFY_SOURCE", "-D_FORTIFY_SOURCE=3",
        "-Wl,-z,relro,-z,now,-z,noexecstack"]
SOURCE = """#include <cstdio>
#include <cstring>
int main(int count, char** words) { char buffer[64]; std::strcpy(buffer, words[count - 1]); std::printf("%s", buffer); }
"""


def check_weak():
    if os.uname().machine != "x86_64":
        print("skipped: the weak programs are made for x86-64")
        raise SystemExit(77)
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        source, program = os.path.join(folder, "weak.cpp"), os.path.join(folder, "weak")
        with open(source, "w", encoding="utf-8") as file:
            file.write(SOURCE)

        def found_with(options, stripped):
            output_of("g++", *HARD, *options, source, "-o", program)
            return lacks(program, stripped) + lacks_fortify(program)

        for stripped in (False, True):
            if found := found_with([], stripped):
                print(f"FAILED: the hard program {found}")
                bad += 1
        for wanted, options in WEAK.items():
            if not any(wanted in sentence for sentence in found_with(options, wanted == "hardly any landing pads")):
                print(f"FAILED: nobody noticed {options}")
                bad += 1
    return bad


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--list")
    parser.add_argument("--build")
    parser.add_argument("--stripped", action="store_true")
    parser.add_argument("--weak", action="store_true")
    parser.add_argument("programs", nargs="*")
    given = parser.parse_args()
    if given.weak:
        bad, count = check_weak(), len(WEAK)
    else:
        programs = list(given.programs)
        if given.list:
            with open(given.list, encoding="utf-8") as file:
                programs += [line for line in file.read().splitlines() if line]
        bad, count = check(programs, given.stripped, fortify=bool(given.build) or given.stripped), len(programs)
        if given.build:
            for file in units_without_fortify(given.build):
                print(f"FAILED: {file} is compiled without FORTIFY")
                bad += 1
    print(f"{max(0, count - bad)} passed, {bad} failed")
    sys.exit(1 if bad else 0)


main()
