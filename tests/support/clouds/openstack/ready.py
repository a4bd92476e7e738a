"""Whether every service answers a request that asks the others too, and nova-compute has reported since this cloud was started. Run
inside its root; needs no client library, which would take longer than the answer."""

import datetime
import json
import os
import sys
import urllib.error
import urllib.request

LOGIN = {"auth": {"identity": {"methods": ["password"], "password": {"user": {
    "name": "admin", "password": "admin-password", "domain": {"name": "Default"}}}},
    "scope": {"project": {"name": "admin", "domain": {"name": "Default"}}}}}


def ask(url, token=None, body=None):
    headers = {"Content-Type": "application/json", **({"X-Auth-Token": token} if token else {})}
    request = urllib.request.Request(url, data=json.dumps(body).encode() if body else None, headers=headers)
    with urllib.request.urlopen(request, timeout=20) as answer:
        return answer.headers, json.load(answer)


def started():
    """When the first process of the cloud began."""
    return datetime.datetime.utcfromtimestamp(os.stat("/proc/1").st_ctime)


def main():
    token = ask("http://127.0.0.1:5000/v3/auth/tokens", body=LOGIN)[0]["X-Subject-Token"]
    ask("http://127.0.0.1:9292/v2/images", token)
    ask("http://127.0.0.1:9696/v2.0/networks", token)
    ask("http://127.0.0.1:8774/v2.1/servers/detail?all_tenants=1", token)
    services = ask("http://127.0.0.1:8774/v2.1/os-services", token)[1]["services"]
    for binary in ("nova-compute", "nova-conductor", "nova-scheduler"):
        reports = [datetime.datetime.fromisoformat(one["updated_at"]) for one in services if one["binary"] == binary and one["updated_at"]]
        if not any(report > started() for report in reports):
            sys.exit(f"{binary} has not reported yet")


try:
    main()
except (OSError, urllib.error.URLError) as error:
    sys.exit(f"{error}")
