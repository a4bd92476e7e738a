#!/usr/bin/env python3
"""vulnerabilities.py SBOM: for each Debian source of what we load or compile in, the CVEs that its Debian changelog says are
mended in the installed version, newest first. Reads cooperage.cdx.json and /usr/share/doc; needs no network.

Not every CVE that is open is in a changelog: the Debian security tracker has those (`debsecan --suite bookworm`)."""
import gzip
import json
import pathlib
import re
import sys

DOC = pathlib.Path("/usr/share/doc")


def changelog_of(package):
    folder = DOC / package.split(":")[0]
    for name in ("changelog.Debian.gz", "changelog.gz"):
        if (folder / name).is_file():
            return gzip.decompress((folder / name).read_bytes()).decode("utf-8", "replace")
    # Packages rebuilt without a change of source keep the real one beside that of the rebuild.
    return ""


def mended_in(changelog):
    found = {}
    for entry in re.split(r"(?m)^ -- .*$", changelog):
        head = re.search(r"(?m)^\S+ \(([^)]+)\)", entry)
        for cve in re.findall(r"CVE-\d{4}-\d{4,7}", entry):
            found.setdefault(cve, head.group(1) if head else "?")
    return dict(sorted(found.items(), key=lambda one: [int(part) for part in one[0].split("-")[1:]], reverse=True))


def sources_of(sbom):
    """{(source, version): package} of Debian's packages."""
    sources = {}
    for component in json.loads(pathlib.Path(sbom).read_text())["components"]:
        for given in component.get("properties", []):
            parts = given["value"].split(" ")
            if given["name"].endswith("source") and len(parts) == 2:
                sources.setdefault((parts[0], parts[1]), component["name"])
    return sources


def main():
    print("| source | version | mended, newest first |\n|---|---|---|")
    for (source, version), package in sorted(sources_of(sys.argv[1]).items()):
        mended = mended_in(changelog_of(package))
        newest = ", ".join(list(mended)[:4])
        more = f" and {len(mended) - 4} more" if len(mended) > 4 else ""
        print(f"| {source} | {version} | {newest + more or 'none named'} |")


if __name__ == "__main__":
    main()
