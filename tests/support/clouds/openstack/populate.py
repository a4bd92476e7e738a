"""What the cloud has from the beginning. Run inside its root.
   populate.py accounts      in Keystone, before the other services log in there
   populate.py things FILE   an image, flavors, networks; writes the logins and names that tests need into the file
"""

import json
import sys
import time

import openstack
from keystoneauth1.exceptions import ClientException

KEYSTONE = "http://127.0.0.1:5000/v3"
ENDPOINTS = {"compute": ("nova", "http://127.0.0.1:8774/v2.1"), "placement": ("placement", "http://127.0.0.1:8778"),
             "image": ("glance", "http://127.0.0.1:9292"), "network": ("neutron", "http://127.0.0.1:9696")}
FLAVORS = {"m1.small": (2048, 1, 20), "m1.medium": (4096, 2, 40), "m1.large": (8192, 4, 80),
           # More than the hypervisor has: NoValidHost.
           "m1.huge": (9000000, 1, 20)}


def login(user, password, project):
    return openstack.connect(auth_url=KEYSTONE, username=user, password=password, project_name=project, user_domain_name="Default",
                             project_domain_name="Default", region_name="RegionOne")


def until(what, found, seconds=120):
    end = time.monotonic() + seconds
    while True:
        try:
            if result := found():
                return result
            why = "nothing"
        except (ClientException, openstack.exceptions.SDKException) as error:
            why = error
        if time.monotonic() > end:
            raise SystemExit(f"{what}: {why}")
        time.sleep(0.3)


def make_accounts(admin):
    """The user the services log in as, and a tenant's project with its user, who is no more than a member."""
    service = admin.identity.create_project(name="service", domain_id="default")
    services = admin.identity.create_user(name="services", password="services-password", domain_id="default", default_project_id=service.id)
    role = {one.name: one.id for one in admin.identity.roles()}
    role["service"] = role.get("service") or admin.identity.create_role(name="service").id
    for name in ("admin", "service"):
        admin.identity.assign_project_role_to_user(service.id, services.id, role[name])
    project = admin.identity.create_project(name="demo", domain_id="default")
    user = admin.identity.create_user(name="demo", password="demo-password", domain_id="default", default_project_id=project.id)
    admin.identity.assign_project_role_to_user(project.id, user.id, role["member"])


def make_catalogue(admin):
    for kind, (name, url) in ENDPOINTS.items():
        service = admin.identity.create_service(name=name, type=kind)
        for interface in ("public", "internal", "admin"):
            admin.identity.create_endpoint(service_id=service.id, interface=interface, url=url, region_id="RegionOne")


def make_images_and_flavors(admin):
    # An image has to have bytes to be active; the hypervisor is not a real one and never reads them.
    image = admin.image.create_image(name="debian12", container_format="bare", disk_format="qcow2", visibility="public", min_disk=1,
                                     data=b"x" * 1024, allow_duplicates=True)
    for name, (ram, cpus, disk) in FLAVORS.items():
        admin.compute.create_flavor(name=name, ram=ram, vcpus=cpus, disk=disk)
    return image


def make_networks(admin, project):
    public = admin.network.create_network(name="public", **{"router:external": True, "provider:network_type": "flat",
                                                            "provider:physical_network": "outside"})
    admin.network.create_subnet(network_id=public.id, name="public", cidr="203.0.113.0/24", ip_version=4, enable_dhcp=False)
    networks = {"public": public.id}
    router = admin.network.create_router(name="out", project_id=project.id, external_gateway_info={"network_id": public.id})
    for name, cidr in (("private", "10.99.0.0/22"), ("storage", "10.99.4.0/24")):
        network = admin.network.create_network(name=name, project_id=project.id)
        subnet = admin.network.create_subnet(network_id=network.id, name=name, project_id=project.id, cidr=cidr, ip_version=4,
                                             enable_dhcp=False)
        if name == "private":
            admin.network.add_interface_to_router(router, subnet_id=subnet.id)
        networks[name] = network.id
    return networks


def accounts():
    admin = until("keystone", lambda: (cloud := login("admin", "admin-password", "admin")) and cloud.identity.get_token() and cloud)
    make_accounts(admin)
    make_catalogue(admin)


def things(file):
    admin = login("admin", "admin-password", "admin")
    project = admin.identity.find_project("demo")
    until("nova-compute", lambda: [one for one in admin.compute.services(binary="nova-compute") if one.state == "up"])
    until("the hypervisor", lambda: list(admin.compute.hypervisors()))
    image = make_images_and_flavors(admin)
    networks = make_networks(admin, project)
    secret = "an-application-credential-of-demo"
    demo = login("demo", "demo-password", "demo")
    credential = demo.identity.create_application_credential(demo.current_user_id, name="cooperage", secret=secret)
    with open(file, "w") as access:
        json.dump({"auth_url": KEYSTONE, "region": "RegionOne", "user": "demo", "password": "demo-password", "project": "demo",
                   "project_id": project.id, "domain": "Default",
                   "application_credential": {"id": credential.id, "secret": secret},
                   "admin": {"user": "admin", "password": "admin-password", "project": "admin"},
                   "metadata": {"url": "http://127.0.0.1:8775", "secret": "metadata-secret"},
                   "image": {"name": image.name, "id": image.id}, "flavors": sorted(FLAVORS), "networks": networks},
                  access, indent=2)


{"accounts": accounts, "things": things}[sys.argv[1]](*sys.argv[2:])
