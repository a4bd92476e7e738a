"""The calls of CloudStack that the stand-in carries out. A call gets the cloud and its parameters and returns what stands in the answer."""

import time

from .cloud import CloudError, new_id


def tags_of(entity):
    return [{"key": key, "value": value, "resourcetype": "UserVm"} for key, value in entity.items()]


def public_address_of(cloud, machine):
    for address in cloud.addresses.values():
        if address.get("virtualmachineid") == machine.id:
            return {"publicip": address["ipaddress"], "publicipid": address["id"]}
    return {}


def shown(cloud, machine):
    wanted = machine.wanted
    zone = cloud.known(cloud.zones, wanted["zoneid"], "zone")
    network = cloud.network_of(machine)
    nic = {"id": new_id(), "networkid": network["id"], "networkname": network["name"], "isdefault": True, "type": network["type"],
           "traffictype": "Guest", "macaddress": "02:00:5e:00:00:01"}
    if time.time() >= machine.addressed_at and not machine.fails:
        nic["ipaddress"] = cloud.settings["ssh"] or cloud.ip(machine)
        nic["gateway"] = network["gateway"]
    entity = {"id": machine.id, "name": machine.name, "displayname": machine.displayname, "state": machine.state(), "zoneid": zone["id"],
              "zonename": zone["name"], "templateid": wanted["templateid"], "serviceofferingid": wanted["serviceofferingid"],
              "hypervisor": "KVM", "account": "joe", "domain": "ROOT", "created": "2026-01-01T00:00:00+0000", "haenable": False,
              "passwordenabled": False, "nic": [nic], "securitygroup": [], "affinitygroup": [], "tags": tags_of(machine.tags),
              **public_address_of(cloud, machine)}
    if wanted.get("group"):
        entity["group"] = wanted["group"]
    if wanted.get("keypair"):
        entity["keypairs"] = wanted["keypair"]
    return entity


def page_of(cloud, params, entities):
    """One page. CloudStack wants page and pagesize together and refuses pages that are too large."""
    size = int(params.get("pagesize", cloud.settings["page"]))
    if ("page" in params) != ("pagesize" in params):
        raise CloudError(431, '"page" and "pagesize" should be passed together')
    if size > cloud.settings["page"]:
        raise CloudError(431, f"Page size can not exceed max allowed page size value: {cloud.settings['page']}")
    first = (int(params.get("page", 1)) - 1) * size
    return entities[first:first + size], len(entities)


def has_tags(params, tags):
    """Whether one of the parameters tags[i].key and tags[i].value is among the tags. CloudStack joins several with OR."""
    indexes = {name.split("]")[0] for name in params if name.startswith("tags[")}
    return not indexes or any(tags.get(params[f"{index}].key"]) == params.get(f"{index}].value") for index in indexes)


def list_machines(cloud, params):
    chosen = [machine for machine in cloud.present()
              if params.get("name", "").lower() in machine.name.lower()
              and params.get("keyword", "").lower() in (machine.name + machine.displayname).lower()
              and params.get("id") in (None, machine.id)
              and params.get("zoneid") in (None, machine.wanted["zoneid"])
              and params.get("state") in (None, machine.state())
              and has_tags(params, machine.tags)]
    return "virtualmachine", [shown(cloud, machine) for machine in chosen]


def listing(name, member):
    """A listing of what lies in a list of the cloud, by id, by the name or by keyword."""
    def carry_out(cloud, params):
        entities = getattr(cloud, member)
        entities = list(entities.values()) if isinstance(entities, dict) else entities
        return name, [entity for entity in entities if params.get("id") in (None, entity.get("id"))
                      and params.get("zoneid") in (None, entity.get("zoneid", params.get("zoneid")))
                      and params.get("name", entity.get("name")) == entity.get("name")]
    return carry_out


def deploy(cloud, params):
    machine, job = cloud.deploy({name: value for name, value in params.items()}, params["-is-post"])
    return {"id": machine.id, "jobid": job}


def destroy(cloud, params):
    _, job = cloud.destroy(params["id"], params.get("expunge", "").lower() == "true")
    return {"jobid": job}


def query_job(cloud, params):
    job = cloud.jobs.get(params["jobid"])
    if job is None:
        raise CloudError(431, f"Unable to find a job by id {params['jobid']}")
    answer = {"jobid": job["id"], "cmd": f"org.apache.cloudstack.api.command.{job['command']}Cmd", "jobprocstatus": 0, "jobinstanceid":
              job["instance"], "created": "2026-01-01T00:00:00+0000", "jobstatus": 0, "jobresultcode": 0}
    if time.time() < job["ends_at"]:
        return answer
    answer["jobresulttype"] = "object"
    if job["failure"]:
        code, text = job["failure"]
        return {**answer, "jobstatus": 2, "jobresultcode": 530, "jobresult": {"errorcode": code, "errortext": text}}
    result = job["result"] or {"success": True}
    if job["instance"] in cloud.machines:
        result = {"virtualmachine": shown(cloud, cloud.machines[job["instance"]])}
    return {**answer, "jobstatus": 1, "jobresult": result}


def finished(cloud, command, entity_id, result):
    return {"jobid": cloud.job(command, None, time.time() + cloud.settings["job"], None, result), **({"id": entity_id} if entity_id else {})}


def pairs(params):
    indexes = sorted({name.split("]")[0] for name in params if name.startswith("tags[")})
    return {params[f"{index}].key"]: params.get(f"{index}].value", "") for index in indexes}


def create_tags(cloud, params):
    for ident in params["resourceids"].split(","):
        if params["resourcetype"].lower() in ("uservm", "virtualmachine"):
            cloud.machine(ident).tags.update(pairs(params))
        elif params["resourcetype"].lower() == "publicipaddress":
            tags, taken = cloud.address(ident)["tags"], {tag["key"] for tag in cloud.address(ident)["tags"]} & set(pairs(params))
            if taken:
                failure = (530, f"tag {min(taken)} already on PublicIpAddress with id {ident}")
                return {"jobid": cloud.job("createTags", None, time.time() + cloud.settings["job"], failure)}
            tags += [{"key": key, "value": value} for key, value in pairs(params).items()]
        else:
            raise CloudError(431, f"Invalid resource type {params['resourcetype']}")
    return finished(cloud, "createTags", None, {"success": True})


def delete_tags(cloud, params):
    """Without tags all of the resource go."""
    keys = set(pairs(params))
    for ident in params["resourceids"].split(","):
        address = cloud.address(ident)
        address["tags"] = [tag for tag in address["tags"] if keys and tag["key"] not in keys]
    return finished(cloud, "deleteTags", None, {"success": True})


def list_groups(cloud, params):
    return "securitygroup", [group for group in cloud.groups if params.get("securitygroupname") in (None, group["name"])]


def create_group(cloud, params):
    if any(group["name"] == params["name"] for group in cloud.groups):
        raise CloudError(431, f"Unable to create security group, a group with name {params['name']} already exists.")
    group = {"id": new_id(), "name": params["name"], "description": params.get("description", ""), "account": "joe", "ingressrule": [],
             "tags": []}
    cloud.groups.append(group)
    return {"securitygroup": group}


def authorize(cloud, params):
    group = cloud.group(params["securitygroupid"])
    rule = {"ruleid": new_id(), "protocol": params["protocol"]}
    if params["protocol"] == "icmp":
        rule.update(icmptype=int(params["icmptype"]), icmpcode=int(params["icmpcode"]))
    else:
        rule.update(startport=int(params["startport"]), endport=int(params["endport"]))
    if "cidrlist" in params:
        rule["cidr"] = params["cidrlist"]
    else:
        rule.update(account=params["usersecuritygrouplist[0].account"], securitygroupname=params["usersecuritygrouplist[0].group"])
        if rule["securitygroupname"] not in [known["name"] for known in cloud.groups]:
            raise CloudError(431, f"Unable to find security group {rule['securitygroupname']}")
    group["ingressrule"].append(rule)
    return finished(cloud, "authorizeSecurityGroupIngress", None, {"securitygroup": group})


def revoke(cloud, params):
    for group in cloud.groups:
        group["ingressrule"] = [rule for rule in group["ingressrule"] if rule["ruleid"] != params["id"]]
    return finished(cloud, "revokeSecurityGroupIngress", None, {"success": True})


def delete_group(cloud, params):
    by_name = [group["id"] for group in cloud.groups if group["name"] == params.get("name")]
    if not by_name and "id" not in params:
        raise CloudError(431, f"Unable to find security group {params.get('name')}")
    cloud.delete_group(by_name[0] if by_name else params["id"])
    return {"success": True}


def delete_rule(cloud, params):
    if cloud.rules.pop(params["id"], None) is None:
        raise CloudError(431, f"Unable to find a rule by id {params['id']}")
    return finished(cloud, "deleteFirewallRule", None, {"success": True})


def list_addresses(cloud, params):
    chosen = [address for address in cloud.addresses.values()
              if params.get("id") in (None, address["id"])
              and params.get("associatednetworkid") in (None, address["associatednetworkid"])
              and params.get("zoneid") in (None, address["zoneid"])
              and params.get("isstaticnat", "").lower() in ("", str(address["isstaticnat"]).lower())
              and has_tags(params, {tag["key"]: tag["value"] for tag in address["tags"]})]
    return "publicipaddress", chosen


def associate(cloud, params):
    address = cloud.associate(params.get("networkid"))
    return finished(cloud, "associateIpAddress", address["id"], {"ipaddress": address})


def release(cloud, params):
    cloud.release(params["id"])
    return finished(cloud, "disassociateIpAddress", None, {"success": True})


def enable_static_nat(cloud, params):
    cloud.enable_static_nat(params["ipaddressid"], params["virtualmachineid"])
    return {"success": True}


def disable_static_nat(cloud, params):
    cloud.unbind(cloud.address(params["ipaddressid"]))
    return finished(cloud, "disableStaticNat", None, {"success": True})


def create_rule(cloud, params):
    cloud.address(params["ipaddressid"])
    if params["protocol"].lower() not in ("tcp", "udp", "icmp"):
        raise CloudError(431, f"Invalid protocol {params['protocol']}")
    rule = {"id": new_id(), "ipaddressid": params["ipaddressid"], "protocol": params["protocol"].lower(), "state": "Active",
            "startport": int(params.get("startport", 1)), "endport": int(params.get("endport", params.get("startport", 65535))),
            "cidrlist": params.get("cidrlist", "0.0.0.0/0")}
    same = ("ipaddressid", "protocol", "startport", "endport")
    if any(all(rule[member] == other[member] for member in same) for other in cloud.rules.values()):
        raise CloudError(537, "The range specified, %d-%d, conflicts with rule" % (rule["startport"], rule["endport"]))
    cloud.rules[rule["id"]] = rule
    return finished(cloud, "createFirewallRule", rule["id"], {"firewallrule": rule})


def list_rules(cloud, params):
    return "firewallrule", [rule for rule in cloud.rules.values() if params.get("ipaddressid") in (None, rule["ipaddressid"])]


def register_key(cloud, params):
    if params["name"] in cloud.keys:
        raise CloudError(431, f"A key pair with name '{params['name']}' already exists")
    cloud.keys[params["name"]] = {"id": new_id(), "name": params["name"], "fingerprint": "00:11", "account": "joe"}
    return {"keypair": cloud.keys[params["name"]]}


def delete_key(cloud, params):
    if cloud.keys.pop(params["name"], None) is None:
        raise CloudError(431, f"A key pair with name '{params['name']}' does not exist for account joe")
    return {"success": True}


def capabilities(cloud, _):
    return {"capability": {"cloudstackversion": "4.19.0.0", "allowuserexpungerecovervm": cloud.settings["user_expunge"],
                           "securitygroupsenabled": True}}


LISTINGS = {
    "listVirtualMachines": list_machines, "listPublicIpAddresses": list_addresses, "listFirewallRules": list_rules,
    "listZones": listing("zone", "zones"), "listServiceOfferings": listing("serviceoffering", "offerings"),
    "listTemplates": listing("template", "templates"), "listNetworks": listing("network", "networks"),
    "listSecurityGroups": list_groups, "listSSHKeyPairs": listing("sshkeypair", "keys"),
    "listPortForwardingRules": lambda *_: ("portforwardingrule", []), "listIpForwardingRules": lambda *_: ("ipforwardingrule", []),
}

CALLS = {
    "deployVirtualMachine": deploy, "destroyVirtualMachine": destroy, "queryAsyncJobResult": query_job, "createTags": create_tags,
    "associateIpAddress": associate, "disassociateIpAddress": release, "enableStaticNat": enable_static_nat,
    "disableStaticNat": disable_static_nat, "createFirewallRule": create_rule, "registerSSHKeyPair": register_key,
    "deleteSSHKeyPair": delete_key, "listCapabilities": capabilities, "deleteTags": delete_tags, "createSecurityGroup": create_group,
    "authorizeSecurityGroupIngress": authorize, "revokeSecurityGroupIngress": revoke, "deleteSecurityGroup": delete_group,
    "deleteFirewallRule": delete_rule,
}
