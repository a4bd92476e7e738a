"""Python packages of tests, in a virtual environment below var/."""

import contextlib
import fcntl
import subprocess
import sys
from pathlib import Path

REPO = Path(__file__).resolve().parents[2]


@contextlib.contextmanager
def alone(name):
    """Held by one process at a time: tests that run side by side share what they download."""
    (REPO / "var").mkdir(exist_ok=True)
    with open(REPO / "var" / f"{name}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def environment(name, requirements):
    """The folder of an environment with what the file of requirements lists; made anew when the list has changed."""
    folder = REPO / "var" / name
    mark = folder / "installed"
    wanted = Path(requirements).read_text()
    with alone(name):
        if not mark.exists() or mark.read_text() != wanted:
            subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
            subprocess.run([folder / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check", "-r", requirements], check=True)
            mark.write_text(wanted)
    return folder
