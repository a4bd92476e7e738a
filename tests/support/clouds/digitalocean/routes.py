"""The operations that are simulated: method, path, name in DigitalOcean's document, what does it, and the scopes a token needs."""

import re

from . import belongings, machines

TABLE = [
    ("GET", "/v2/account", "account_get", machines.account, "account:read"),
    ("GET", "/v2/account/keys", "sshKeys_list", belongings.list_keys, "ssh_key:read"),
    ("POST", "/v2/account/keys", "sshKeys_create", belongings.create_key, "ssh_key:create"),
    ("GET", "/v2/account/keys/{ssh_key_identifier}", "sshKeys_get", belongings.show_key, "ssh_key:read"),
    ("DELETE", "/v2/account/keys/{ssh_key_identifier}", "sshKeys_delete", belongings.delete_key, "ssh_key:delete"),
    ("GET", "/v2/actions", "actions_list", machines.list_actions, "actions:read"),
    ("GET", "/v2/actions/{action_id}", "actions_get", machines.show_action, "actions:read"),
    ("GET", "/v2/droplets", "droplets_list", machines.list_droplets, "droplet:read"),
    ("POST", "/v2/droplets", "droplets_create", machines.create_droplets, "droplet:create"),
    ("DELETE", "/v2/droplets", "droplets_destroy_byTag", machines.destroy_by_tag, "droplet:delete"),
    ("GET", "/v2/droplets/{droplet_id}", "droplets_get", machines.show_droplet, "droplet:read"),
    ("DELETE", "/v2/droplets/{droplet_id}", "droplets_destroy", machines.destroy_droplet, "droplet:delete"),
    ("GET", "/v2/droplets/{droplet_id}/actions", "dropletActions_list", machines.droplet_actions, "droplet:read"),
    ("POST", "/v2/droplets/{droplet_id}/actions", "dropletActions_post", machines.act, "droplet:update"),
    ("GET", "/v2/droplets/{droplet_id}/firewalls", "droplets_list_firewalls", machines.droplet_firewalls, "firewall:read"),
    ("GET", "/v2/firewalls", "firewalls_list", belongings.list_firewalls, "firewall:read"),
    ("POST", "/v2/firewalls", "firewalls_create", belongings.create_firewall, "firewall:create"),
    ("GET", "/v2/firewalls/{firewall_id}", "firewalls_get", belongings.show_firewall, "firewall:read"),
    ("PUT", "/v2/firewalls/{firewall_id}", "firewalls_update", belongings.update_firewall, "firewall:update"),
    ("DELETE", "/v2/firewalls/{firewall_id}", "firewalls_delete", belongings.delete_firewall, "firewall:delete"),
    ("GET", "/v2/images", "images_list", machines.list_images, "image:read"),
    ("GET", "/v2/images/{image_id}", "images_get", machines.show_image, "image:read"),
    ("GET", "/v2/regions", "regions_list", machines.list_regions, "regions:read"),
    ("GET", "/v2/sizes", "sizes_list", machines.list_sizes, "sizes:read regions:read"),
    ("GET", "/v2/tags", "tags_list", belongings.list_tags, "tag:read"),
    ("POST", "/v2/tags", "tags_create", belongings.create_tag, "tag:create"),
    ("GET", "/v2/tags/{tag_id}", "tags_get", belongings.show_tag, "tag:read"),
    ("DELETE", "/v2/tags/{tag_id}", "tags_delete", belongings.delete_tag, "tag:delete"),
    ("POST", "/v2/tags/{tag_id}/resources", "tags_assign_resources", belongings.assign_tag, "tag:create"),
    ("DELETE", "/v2/tags/{tag_id}/resources", "tags_unassign_resources", belongings.unassign_tag, "tag:delete"),
    ("GET", "/v2/volumes", "volumes_list", belongings.list_volumes, "block_storage:read"),
    ("POST", "/v2/volumes", "volumes_create", belongings.create_volume, "block_storage:create"),
    ("GET", "/v2/volumes/{volume_id}", "volumes_get", belongings.show_volume, "block_storage:read"),
    ("DELETE", "/v2/volumes/{volume_id}", "volumes_delete", belongings.delete_volume, "block_storage:delete"),
    ("POST", "/v2/volumes/{volume_id}/actions", "volumeActions_post_byId", belongings.act_on_volume, "block_storage_action:create"),
    ("GET", "/v2/vpcs", "vpcs_list", machines.list_vpcs, "vpc:read"),
    ("GET", "/v2/vpcs/{vpc_id}", "vpcs_get", machines.show_vpc, "vpc:read"),
]

# A creation asks for more when its body has these members.
SCOPES_OF_MEMBERS = {"tags": "tag:create", "ssh_keys": "ssh_key:read", "volumes": "block_storage:read", "vpc_uuid": "vpc:read"}


class Route:
    def __init__(self, method, path, operation, act, scopes):
        self.method, self.path, self.operation, self.act, self.scopes = method, path, operation, act, set(scopes.split())
        self.pattern = re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", path))


ROUTES = [Route(*row) for row in TABLE]


def find(method, path):
    """The route and the values in the path; nothing where it is not simulated."""
    for route in ROUTES:
        if route.method == method and (found := route.pattern.fullmatch(path)):
            return route, found.groupdict()
    return None, {}


def check(judge):
    """Raises when this table says something else than the document."""
    for route in ROUTES if judge.path else []:
        described = judge.operations[route.operation]
        if (route.method, route.path, route.scopes) != (described["method"], described["path"], judge.scopes(route.operation)):
            raise SystemExit(f"{route.operation} is not what the document says: {described['method']} {described['path']} {judge.scopes(route.operation)}")
