#!/usr/bin/env python3
"""Whether the list of what the programs are made of is CycloneDX 1.5 and whole: sbom.py FILE LIST-OF-PROGRAMS

Every library that a program needs, and that those need, is a component with version and licence, as are the packages of all headers
that the sources include from outside, and the files in static/vendor."""

import json
import re
import subprocess
import sys
from pathlib import Path

REPO = Path(__file__).resolve().parents[2]
problems = []


def check(what, is_so):
    if not is_so:
        problems.append(what)


def output_of(*command):
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def check_structure(document):
    check("bomFormat", document.get("bomFormat") == "CycloneDX")
    check("specVersion", document.get("specVersion") == "1.5")
    check("serialNumber", re.fullmatch(r"urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}",
                                       document.get("serialNumber", "")))
    check("version", isinstance(document.get("version"), int) and document["version"] >= 1)
    check("members", set(document) <= {"bomFormat", "specVersion", "serialNumber", "version", "metadata", "components", "dependencies"})
    check("timestamp", re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", document["metadata"]["timestamp"]))
    known = {"type", "bom-ref", "name", "version", "licenses", "purl", "properties", "externalReferences"}
    references = []
    for one in [document["metadata"]["component"], *document["components"]]:
        name = one.get("name", "a component without a name")
        references.append(one["bom-ref"])
        check(f"members of {name}: {set(one) - known}", set(one) <= known)
        check(f"type of {name}", one["type"] in ("application", "library"))
        check(f"version of {name}", one.get("version"))
        check(f"licences of {name}", one.get("licenses"))
        for licence in one.get("licenses", []):
            inner = licence.get("license", {})
            check(f"a licence of {name}", set(licence) == {"license"} and set(inner) in ({"id"}, {"name"}) and all(inner.values()))
        if one["type"] == "library":
            check(f"purl of {name}", re.fullmatch(r"pkg:(deb/debian|npm)/[a-z0-9.%A-F-]+@[^?@]+(\?arch=[a-z0-9]+)?", one.get("purl", "")))
        for one_property in one.get("properties", []):
            check(f"a property of {name}", set(one_property) == {"name", "value"})
    check("references that occur twice", len(references) == len(set(references)))
    for one in document["dependencies"]:
        for reference in [one["ref"], *one["dependsOn"]]:
            check(f"{reference} is no component", reference in references)
    depending = [one["ref"] for one in document["dependencies"]]
    check("dependencies that occur twice", len(depending) == len(set(depending)))


def check_libraries(document, programs):
    values = {}
    for one in document["components"]:
        for one_property in one.get("properties", []):
            if one_property["name"] == "cooperage:library":
                values[one_property["value"]] = one["bom-ref"]
    depends_on = {one["ref"]: one["dependsOn"] for one in document["dependencies"]}
    for program in programs:
        name = Path(program).name
        check(f"{name} is no component", any(one["name"] == name for one in document["components"]))
        needed = re.findall(r"NEEDED.*\[(.*)\]", output_of("readelf", "-dW", program))
        for soname in needed:
            check(f"{soname}, which {name} needs, is not in it", soname in values)
            check(f"{name} does not depend on {soname}", values.get(soname) in depends_on.get(f"cooperage:program/{name}", []))
        for soname in re.findall(r"^\s+(\S+) => /", output_of("ldd", program), re.M):
            check(f"{soname}, which {name} loads, is not in it", soname in values)
        if not needed:
            check(f"{name} is static and depends on nothing", depends_on.get(f"cooperage:program/{name}"))
    return values


def check_headers(document):
    """By the includes of the sources and by the compiler's own search, not by what ninja has written down."""
    names = {one["name"] for one in document["components"]}
    includes = set()
    for folder in ("provisioner", "fcgi"):
        for file in (REPO / folder).rglob("*.[ch]pp"):
            includes |= set(re.findall(r"^#include <([^>]+\.(?:h|hpp))>", file.read_text(encoding="utf-8"), re.M))
    found = 0
    for include in sorted(includes):
        for root in ("/usr/include", "/usr/include/x86_64-linux-gnu"):
            path = Path(root) / include
            if not path.exists():
                continue
            owner = output_of("dpkg", "-S", str(path)).split(":")[0].split(",")[0]
            check(f"{owner}, which has {include}, is not in it", not owner or owner in names)
            found += 1
            break
    check("no header was found", found > 10)


def check_vendored(document):
    said = {one["value"].split(" sha256:")[0] for component in document["components"] for one in component.get("properties", [])
            if one["name"] == "cooperage:file"}
    for file in (REPO / "static" / "vendor").rglob("*"):
        if file.suffix in (".js", ".css"):
            check(f"{file} is not in it", str(file.relative_to(REPO)) in said)


def main(path, listing):
    if not Path(path).exists():
        sys.exit(f"FAILED: there is no {path}; the target packages-content makes it")
    document = json.loads(Path(path).read_text(encoding="utf-8"))
    check_structure(document)
    check_libraries(document, [line for line in Path(listing).read_text(encoding="utf-8").splitlines() if line])
    check_headers(document)
    check_vendored(document)
    for problem in problems:
        print(f"FAILED: {problem}")
    print(f"{len(document['components'])} components; {0 if problems else 1} passed, {1 if problems else 0} failed")
    sys.exit(1 if problems else 0)


main(*sys.argv[1:])
