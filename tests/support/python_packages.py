"""Python packages of tests, in a virtual environment below var/."""

import subprocess
import sys
from pathlib import Path

REPO = Path(__file__).resolve().parents[2]


def environment(name, requirements):
    """The folder of an environment with what the file of requirements lists; made anew when the list has changed."""
    folder = REPO / "var" / name
    mark = folder / "installed"
    wanted = Path(requirements).read_text()
    if not mark.exists() or mark.read_text() != wanted:
        subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
        subprocess.run([folder / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check", "-r", requirements], check=True)
        mark.write_text(wanted)
    return folder
