"""What all clouds have: servers as guests.py wants them, and requests for JSON."""

import dataclasses
import http.client
import json
import urllib.error
import urllib.request
from collections.abc import Callable


class Unreachable(Exception):
    """The cloud said nothing that says something about its servers."""


@dataclasses.dataclass
class Server:
    id: str
    name: str
    # In between, a server that boots or restarts, a guest is left as it is.
    runs: bool
    is_off: bool
    fixed: list
    floating: list
    user_data: Callable
    meta_data: Callable


def ask(url, headers=None, body=None):
    """(headers, bytes) of the answer."""
    request = urllib.request.Request(url, data=json.dumps(body).encode() if body is not None else None,
                                     headers={"Content-Type": "application/json", **(headers or {})})
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.headers, answer.read()
    except urllib.error.HTTPError as error:
        raise Unreachable(f"{url}: {error.code} {error.read()[:200]}") from error
    except (OSError, http.client.HTTPException) as error:
        raise Unreachable(f"{url}: {error}") from error


def seed_of(identity, hostname, public_keys):
    return json.dumps({"instance-id": identity, "local-hostname": hostname, "public-keys": public_keys})
