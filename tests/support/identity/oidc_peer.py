#!/usr/bin/env python3
"""An OpenID Connect provider that somebody else wrote: npm's oidc-provider, see oidc_peer.mjs. oidc_peer.py REDIRECT [BACKCHANNEL] prints its port and ends
when its standard input ends."""

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from node_packages import node_environment  # noqa: E402

here = Path(__file__).resolve().parent
packages = node_environment("oidc-node", here / "oidc_packages.json")
os.execvp("node", ["node", str(here / "oidc_peer.mjs"), str(packages), *sys.argv[1:]])
