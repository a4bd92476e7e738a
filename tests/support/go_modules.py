"""Files out of Go modules for tests, in a folder below var/."""

import hashlib
import io
import os
import shutil
import subprocess
import urllib.request
import zipfile
from pathlib import Path

REPO = Path(__file__).resolve().parents[2]


def proxy():
    """The module proxy of the environment, else that of an installed go, else the public one."""
    wanted = os.environ.get("GOPROXY", "")
    if not wanted and shutil.which("go"):
        wanted = subprocess.run(["go", "env", "GOPROXY"], capture_output=True, text=True, check=False).stdout.strip()
    first = wanted.replace("|", ",").split(",")[0]
    return first if first.startswith("http") else "https://proxy.golang.org"


def file_of_module(module, version, path, sha256):
    """The path of one file of a module, fetched once. Raises RuntimeError when the file is not the one that `sha256` names."""
    kept = REPO / "var" / "go-modules" / f"{module}@{version}" / path
    if not kept.exists():
        # Capitals in a module's path would need the escape "!lower"; none of ours has any.
        with urllib.request.urlopen(f"{proxy()}/{module}/@v/{version}.zip", timeout=180) as answer:
            archive = zipfile.ZipFile(io.BytesIO(answer.read()))
        content = archive.read(f"{module}@{version}/{path}")
        found = hashlib.sha256(content).hexdigest()
        if found != sha256:
            raise RuntimeError(f"{path} of {module} {version} has the sum {found}, not {sha256}")
        kept.parent.mkdir(parents=True, exist_ok=True)
        # Written beside and renamed: a test that is killed leaves no half file.
        part = kept.with_name(f"{kept.name}.{os.getpid()}")
        part.write_bytes(content)
        part.rename(kept)
    return kept
