"""plugins.md §4.2 to §4.7: what the provider types of Coopr declare. More fields and more choices are ours."""

from .support import having


def field(label, kind, default=None, override=False, options=()):
    """A field as it is written."""
    members = {"label": label, "type": kind, "override": override}
    if default is not None:
        members["default"] = default
    if options:
        members["options"] = list(options)
    return members


def secret(label):
    return dict(field(label, "password"), sensitive=True)


# By type: (files, required sets, admin fields, user fields).
TYPES = {
    "aws": (
        {"ssh_keys": "0400"},
        [["api_user", "api_password", "ssh_keypair", "ssh_key_resource", "aws_region", "security_groups"],
         ["api_user", "api_password", "ssh_keypair", "ssh_key_resource", "aws_region", "security_group_ids", "subnet_id"]],
        {
            "api_user": field("Access Key ID", "text"),
            "api_password": secret("Secret Access Key"),
            "ssh_keypair": field("Key Pair Name", "text", override=True),
            "ssh_key_resource": field("SSH Key Resource Name", "text", override=True),
            "aws_region": field("AWS Region", "select", "us-east-1", options=[
                "ap-northeast-1", "ap-northeast-2", "ap-south-1", "ap-southeast-1", "ap-southeast-2", "ca-central-1", "eu-central-1",
                "eu-west-1", "eu-west-2", "sa-east-1", "us-east-1", "us-east-2", "us-west-1", "us-west-2"]),
            "aws_root_ebs_size": field("Root EBS size", "text", "10", override=True),
            "aws_root_ebs_delete_on_term": field("Delete EBS root on termination", "checkbox", "true", override=True),
            "aws_root_ebs_volume_type": field("Root disk type", "select", "standard", override=True, options=["standard", "gp2"]),
            "security_groups": field("Security Groups", "text", "default", override=True),
            "security_group_ids": field("Security Group IDs (VPC only)", "text", override=True),
            "subnet_id": field("Subnet ID (VPC only)", "text", override=True),
            "dedicated_instance": field("Use Dedicated instances (VPC only)", "checkbox", override=True),
            "associate_public_ip": field("Associate public IP (VPC only)", "checkbox", "true", override=True),
            "provider_hostname": field("Set hostname to provider-generated public DNS hostname (overrides DNS suffix)", "checkbox", override=True),
            "availability_zone": field("Availability Zone", "text", override=True),
            "iam_instance_profile": field("IAM instance profile", "text", override=True),
            "placement_group": field("Placement group", "text", override=True),
        },
        {}),
    "digitalocean": (
        {"ssh_keys": "0400"},
        [["api_user", "api_password", "ssh_keypair", "ssh_key_resource", "digitalocean_region"]],
        {
            "api_user": field("Client ID", "text"),
            "api_password": secret("API key"),
            "digitalocean_region": field("Region", "select", "nyc2", override=True, options=["sfo1", "nyc2", "ams2", "sgp1", "lon1", "nyc3", "ams3"]),
            "ssh_keypair": field("Key Name", "text"),
            "ssh_key_resource": field("SSH Key Resource Name", "text"),
        },
        {}),
    "google": (
        {"api_keys": "0400", "ssh_keys": "0400"},
        [["google_project", "google_client_email", "api_key_resource", "ssh_key_resource", "zone_name"]],
        {
            "google_project": field("Project ID", "text"),
            "google_client_email": field("Service account email address", "text"),
            "api_key_resource": field("API Key Resource Name", "text"),
            "ssh_key_resource": field("SSH Key Resource Name", "text"),
            "ssh_user": field("SSH Username", "text"),
            "google_data_disk_size_gb": field("Data disk size(s) in GB", "text", "200", override=True),
            "google_data_disk_type": field("Data disk(s) type", "select", "standard", override=True, options=["standard", "ssd"]),
            "google_root_disk_size_gb": field("Root disk size in GB", "text", "10", override=True),
            "google_root_disk_type": field("Root disk type", "select", "standard", override=True, options=["standard", "ssd"]),
            "zone_name": field("Zone", "select", "us-central1-a", override=True, options=[
                "asia-east1-a", "asia-east1-b", "asia-east1-c", "asia-northeast1-a", "asia-northeast1-b", "asia-northeast1-c", "europe-west1-b", "europe-west1-c", "europe-west1-d", "us-central1-a", "us-central1-b", "us-central1-c", "us-central1-f", "us-east1-b", "us-east1-c", "us-east1-d",
                "us-west1-a", "us-west1-b"]),
            "bootstrap_interface": field("Bootstrap interface", "select", "access_v4", override=True, options=["access_v4", "bind_v4"]),
            "external_ip": field("Associate public IP", "checkbox", "true", override=True),
            "auto_restart": field("Automatically restart instances on failure", "checkbox", override=True),
            "provider_hostname": field("Set hostname to provider-specific public DNS hostname (overrides DNS suffix)", "checkbox", override=True),
            "network": field("Network name", "text", "default", override=True),
        },
        {}),
    "joyent": (
        {"ssh_keys": "0400"},
        [["api_user", "api_password"],
         ["api_user", "ssh_keypair", "ssh_key_resource"]],
        {
            "api_user": field("CloudAPI Username", "text"),
            "api_password": secret("CloudAPI Password"),
            "ssh_keypair": field("Key Name", "text"),
            "ssh_key_resource": field("SSH Key Resource Name", "text"),
            "joyent_version": field("API version", "text", "~7.0"),
            "joyent_api_url": field("Region", "select", "https://us-east-1.api.joyentcloud.com", override=True, options=[
                "https://us-east-1.api.joyentcloud.com", "https://us-east-2.api.joyentcloud.com", "https://us-east-3.api.joyentcloud.com",
                "https://us-sw-1.api.joyentcloud.com", "https://us-west-1.api.joyentcloud.com", "https://eu-ams-1.api.joyentcloud.com"]),
        },
        {}),
    "openstack": (
        {"ssh_keys": "0400", "user_data": "0755"},
        [["api_user", "api_password", "openstack_tenant", "openstack_auth_url", "ssh_keypair", "ssh_key_resource"]],
        {
            "api_user": field("Username", "text"),
            "api_password": secret("Password"),
            "availability_zone": field("Availability Zone", "text", override=True),
            "openstack_tenant": field("Tenant", "text"),
            "openstack_auth_url": field("Auth URL", "text", "http://EXAMPLE.DOMAIN.COM:5000/v2.0/tokens"),
            "ssh_keypair": field("Key name", "text"),
            "ssh_key_resource": field("SSH Key Resource Name", "text"),
            "floating_ip": field("Floating IP", "checkbox", override=True),
            "network_ids": field("Network IDs", "text", override=True),
            "openstack_ssl_verify_peer": field("Verify SSL peers", "checkbox"),
            "security_groups": field("Security Group", "text", "default", override=True),
        },
        {
            "user_data_resource": field("User Data Resource Name", "text"),
        }),
    "rackspace": (
        {"ssh_keys": "0400"},
        [["api_user", "api_password", "rackspace_region"]],
        {
            "api_user": field("Username", "text"),
            "api_password": secret("API key"),
            "rackspace_region": field("Region", "select", "dfw", override=True, options=["dfw", "ord", "iad", "lon", "syd", "hkg"]),
        },
        {
            "rackconnect_wait": field("RackConnect Wait", "checkbox"),
            "ssh_keypair": field("Key Name", "text"),
            "ssh_key_resource": field("SSH Key Resource Name", "text"),
        }),
}


def steps():
    rows = ["provider types of Coopr"]
    for name, (files, required, admin, user) in TYPES.items():
        parameters = {"admin": {"fields": admin, "required": required}}
        if user:
            parameters["user"] = {"fields": user}
        resources = {file: {"format": "file", "permissions": mode} for file, mode in files.items()}
        rows.append(("GET", f"/v2/plugins/providertypes/{name}", "user", None, 200,
                     having({"name": name, "parameters": parameters, "resourceTypes": resources})))
    return rows
