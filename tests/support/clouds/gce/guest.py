"""What goes on inside a machine, as far as Compute Engine shows it: host keys, guest attributes, the serial console."""

import base64
import re
import secrets

from gce.catalogue import ROOT
from gce.errors import not_found


def metadata_of(instance, key):
    items = instance.get("metadata", {}).get("items", [])
    return next((item["value"] for item in items if item["key"] == key), "")


def random_host_key():
    return "ssh-ed25519 " + base64.b64encode(b"\0\0\0\x0bssh-ed25519\0\0\0 " + secrets.token_bytes(32)).decode()


def host_key_of(instance, has_cloud_init):
    """The machine's host key: the one in the user data where cloud-init reads it, else one the machine makes itself."""
    carried = re.search(r'ed25519_public"?:\s*"?(ssh-ed25519 [A-Za-z0-9+/=]+)', metadata_of(instance, "user-data"))
    return carried.group(1) if carried and has_cloud_init else random_host_key()


def guest_attributes(project, instance, query_path):
    """What the guest agent published, once it has; the caller has checked that the machine exists."""
    path = f"projects/{project.name}/zones/{instance['_zone']}/instances/{instance['name']}"
    enabled = metadata_of(instance, "enable-guest-attributes").upper() in ("TRUE", "1", "Y", "YES")
    if not enabled or not instance["_agent"]:
        raise not_found(f"{query_path}' of type 'Guest Attribute")
    kind, key = instance["_host_key"].split(" ")[:2]
    entries = [{"namespace": "hostkeys", "key": kind, "value": key}]
    return {"kind": "compute#guestAttributes", "queryPath": query_path, "selfLink": f"{ROOT}{path}/guestAttributes/{query_path}",
            "queryValue": {"items": entries if query_path.startswith("hostkeys/") else []}}


def serial_port(project, instance, start):
    text = "[    0.000000] Linux version 6.1.0-21-cloud-amd64\n"
    if instance["_agent"]:
        text += f"-----BEGIN SSH HOST KEY KEYS-----\n{instance['_host_key']} root@{instance['name']}\n-----END SSH HOST KEY KEYS-----\n"
    path = f"projects/{project.name}/zones/{instance['_zone']}/instances/{instance['name']}"
    return {"kind": "compute#serialPortOutput", "contents": text[start:], "start": str(start), "next": str(len(text)),
            "selfLink": f"{ROOT}{path}/serialPort"}
