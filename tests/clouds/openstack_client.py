"""What tests ask of the cloud beside the provider: run in its root, with Debian's openstacksdk.
   things            all that the tenant has, a line each: kind, id, name
   limit N           so many servers at most
   break             the first server there is goes to ERROR, as by a broken hypervisor; prints its id
   make NAME FILE    a server with that user data and a floating address; prints its id and addresses
   remove ID         that server, with its floating addresses
"""

import base64
import json
import sys
import time

import openstack

with open("/root/access.json") as file:
    ACCESS = json.load(file)


def login(user, password, project):
    return openstack.connect(auth_url=ACCESS["auth_url"], username=user, password=password, project_name=project,
                             user_domain_name=ACCESS["domain"], project_domain_name=ACCESS["domain"])


def tenant():
    return login(ACCESS["user"], ACCESS["password"], ACCESS["project"])


def things():
    cloud = tenant()
    listings = {"server": cloud.compute.servers(), "port": cloud.network.ports(project_id=ACCESS["project_id"]),
                "group": cloud.network.security_groups(project_id=ACCESS["project_id"]), "key": cloud.compute.keypairs(),
                "address": cloud.network.ips(project_id=ACCESS["project_id"]), "server-group": cloud.compute.server_groups()}
    for kind, listing in listings.items():
        for one in listing:
            print(kind, one.id, one.name or "")


def limit(number):
    login(**ACCESS["admin"]).set_compute_quotas(ACCESS["project_id"], instances=int(number))


def break_one():
    cloud, admin = tenant(), login(**ACCESS["admin"])
    next(admin.compute.servers(), None)  # so that it is logged in before there is a server to break
    for _ in range(480):
        for server in cloud.compute.servers():
            # One that is being built would become ACTIVE again.
            if server.status == "ACTIVE":
                admin.compute.reset_server_state(server, "error")
                print(server.id)
                return
        time.sleep(0.25)
    sys.exit("there is no server to break")


def make(name, user_data):
    cloud = tenant()
    server = cloud.compute.create_server(
        name=name, image_id=ACCESS["image"]["id"], flavor_id=cloud.compute.find_flavor("m1.small").id,
        networks=[{"uuid": ACCESS["networks"]["private"]}], user_data=base64.b64encode(user_data.encode()).decode())
    server = cloud.compute.wait_for_server(server)
    port = next(iter(cloud.network.ports(device_id=server.id)))
    floating = cloud.network.create_ip(floating_network_id=ACCESS["networks"]["public"], port_id=port.id)
    print(server.id, port.fixed_ips[0]["ip_address"], floating.floating_ip_address)


def remove(server):
    cloud = tenant()
    for port in cloud.network.ports(device_id=server):
        for address in cloud.network.ips(port_id=port.id):
            cloud.network.delete_ip(address)
    cloud.compute.delete_server(server)


{"things": things, "limit": limit, "break": break_one, "make": make, "remove": remove}[sys.argv[1]](*sys.argv[2:])
