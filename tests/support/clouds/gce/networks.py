"""Networks and firewall rules. Rules have no labels: only name and description tell whose they are."""

import ipaddress
import re

from gce.catalogue import REGIONS, ROOT, last
from gce.cloud import stamp
from gce.disks import check_name
from gce.errors import already_exists, invalid, not_found

PROTOCOLS = {"tcp", "udp", "icmp", "esp", "ah", "sctp", "ipip", "all"}


def check_firewall(rule):
    check_name(rule.get("name"))
    if not rule.get("allowed") and not rule.get("denied"):
        raise invalid("resource", "", "Firewall must have at least one allowed or denied rule.")
    for entry in rule.get("allowed", []) + rule.get("denied", []):
        protocol = entry.get("IPProtocol", "")
        if protocol not in PROTOCOLS and not re.fullmatch(r"\d{1,3}", protocol):
            raise invalid("resource.allowed[0].IPProtocol", protocol, "Not a protocol.")
        for ports in entry.get("ports", []):
            ends = [int(end) for end in ports.split("-")] if re.fullmatch(r"\d{1,5}(-\d{1,5})?", ports) else []
            if not ends or ends != sorted(ends) or ends[-1] > 65535 or protocol not in ("tcp", "udp", "sctp"):
                raise invalid("resource.allowed[0].ports", ports, "Ports are not valid.")
    families = set()
    for block in rule.get("sourceRanges", []):
        try:
            families.add(ipaddress.ip_network(block).version)
        except ValueError:
            raise invalid("resource.sourceRanges", block, "Must be a CIDR address range.") from None
    if len(families) > 1:
        raise invalid("resource.sourceRanges", "", "Ranges of IPv4 and IPv6 cannot be in one rule.")
    for tag in rule.get("targetTags", []) + rule.get("sourceTags", []):
        check_name(tag, "resource.targetTags")
    if rule.get("targetTags") and rule.get("targetServiceAccounts"):
        raise invalid("resource.targetTags", "", "Tags and service accounts cannot be in one rule.")


class Networks:
    def __init__(self, cloud):
        self.cloud = cloud

    def get(self, call):
        if call.places["network"] not in call.project.networks:
            raise not_found(f"projects/{call.project.name}/global/networks/{call.places['network']}")
        return self.cloud.catalogue.network(call.project.name, call.places["network"])

    def all(self, call):
        return [self.cloud.catalogue.network(call.project.name, name) for name in sorted(call.project.networks)]

    def subnetworks(self, call):
        regions = [call.places["region"]] if "region" in call.places else list(REGIONS)
        return [self.cloud.catalogue.subnetwork(call.project.name, region, name) for region in regions for name in sorted(call.project.networks)]


class Firewalls:
    def __init__(self, cloud):
        self.cloud = cloud

    @staticmethod
    def get(call):
        rule = call.project.firewalls.get(call.places["firewall"])
        if rule is None:
            raise not_found(f"projects/{call.project.name}/global/firewalls/{call.places['firewall']}")
        return rule

    @staticmethod
    def all(call):
        return list(call.project.firewalls.values())

    def insert(self, call):
        rule = {"direction": "INGRESS", "priority": 1000, "disabled": False, **call.body}
        check_firewall(rule)
        network = last(rule.get("network") or "default")
        path = f"projects/{call.project.name}/global/firewalls/{rule['name']}"
        if network not in call.project.networks:
            raise not_found(f"projects/{call.project.name}/global/networks/{network}")
        if rule["name"] in call.project.firewalls:
            raise already_exists(path)
        rule.update(kind="compute#firewall", id=self.cloud.new_id(), selfLink=ROOT + path, creationTimestamp=stamp(),
                    network=f"{ROOT}projects/{call.project.name}/global/networks/{network}", logConfig={"enable": False})
        if rule["direction"] == "INGRESS" and not any(rule.get(name) for name in ("sourceRanges", "sourceTags", "sourceServiceAccounts")):
            rule["sourceRanges"] = ["0.0.0.0/0"]
        call.project.firewalls[rule["name"]] = rule
        return call.operation("insert", rule, None, undo=lambda: call.project.firewalls.pop(rule["name"], None))

    def patch(self, call):
        rule = self.get(call)
        changed = {**rule, **{name: value for name, value in call.body.items() if name not in ("name", "network")}}
        check_firewall(changed)
        before = dict(rule)
        rule.update(changed)
        return call.operation("patch", rule, None, undo=lambda: rule.update(before))

    def delete(self, call):
        rule = self.get(call)
        return call.operation("delete", rule, None, finish=lambda: call.project.firewalls.pop(rule["name"], None))
