"""npm packages of tests, in a folder below var/."""

import json
import shutil
import subprocess
from pathlib import Path

REPO = Path(__file__).resolve().parents[2]


def node_environment(name, packages):
    """The folder whose node_modules has the packages of a package.json; made anew when that file has changed."""
    folder = REPO / "var" / name
    mark = folder / "installed"
    wanted = Path(packages).read_text()
    if not mark.exists() or mark.read_text() != wanted:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        (folder / "package.json").write_text(json.dumps(json.loads(wanted)))
        # Install scripts are left out: a package of tests has no reason to run anything here.
        command = ["npm", "install", "--prefix", str(folder), "--ignore-scripts", "--no-audit", "--no-fund", "--silent"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=folder)
        mark.write_text(wanted)
    return folder
