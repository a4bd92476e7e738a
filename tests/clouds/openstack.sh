# Real OpenStack. Others read this file; see lib.sh.

provider_type=openstack
ssh_user=debian
control=$support/clouds/openstack/cloud
access_file=$state/access.json

start_cloud() { "$control" start "$state"; }
stop_cloud() { "$control" stop "$state"; }
guests_follow() { echo openstack "$access_file"; }

of_access() { jq -r "$1" "$access_file"; }

provider_fields() {
    jq '{api_user: .user, api_password: .password, openstack_tenant: .project, openstack_auth_url: .auth_url, floating_ip: "true",
        network_ids: .networks.private, ssh_key_resource: "tests", ssh_keypair: "", security_groups: ""}' "$access_file"
}
hardware_entry() { echo '{"flavor": "m1.small"}'; }
image_entry() { jq --arg user "$ssh_user" '{image: .image.name, sshuser: $user}' "$access_file"; }

# ask_openstack WORD...: what openstack_client.py says, with the SDK of the cloud's own Debian
ask_openstack() { "$control" inside "$state" /usr/bin/python3 - "$@" <"$here/openstack_client.py"; }

things_in_cloud() { ask_openstack things; }
limit_servers() { ask_openstack limit "$1"; }
no_limit() { ask_openstack limit 20; }
break_a_server() { ask_openstack break; }
# What people read when the limit is reached.
words_of_limit='[Qq]uota|limit'

begin_outage() { "$control" service "$state" stop nova-api; }
end_outage() { "$control" service "$state" start nova-api; }
outage_is='nova-api is not there'

no_room() { echo '{"flavor": "m1.huge"}'; }
words_of_no_room='[Nn]o valid host|capacity|room'

cloud_in_numbers() {
    local log=$state/upper/var/log/cloud
    echo "peer Debian's OpenStack, calls made $(cat "$log"/nova-api.log* "$log"/neutron.log* | grep -c '"[A-Z]* /v2')"
}

make_server() { ask_openstack make "$@"; }  # make_server NAME USER-DATA: id, fixed and floating address
remove_server() { ask_openstack remove "$1"; }
