# What the tests on clouds share. A test's only argument names the cloud, and CLOUD.sh says how it is started, looked at and disturbed.
# The cloud has a network of its own, in which the set of everything, the guests and the tests live: nothing of it is on the machine's.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cloud=${1:-}
support=$(cd "$here/../support" && pwd)
case "$cloud" in openstack | ec2) ;; *) echo "usage: $(basename "$0") openstack|ec2" >&2 && exit 2 ;; esac
kept=${COOPERAGE_CLOUDS:-$(cd "$here/../.." && pwd)/var/clouds}
state=$kept/run-$cloud
export COOPERAGE_TEST_DIR=$kept/set-$cloud
guest_root=$kept/guest
# shellcheck source=../support/clouds/namespaces.sh
. "$support/clouds/namespaces.sh"
# shellcheck source=openstack.sh
. "$here/$cloud.sh"

# Goes on in the network of the cloud, where job/lib.sh finds the set.
enter_the_cloud() {
    local pid
    if [ "${COOPERAGE_IN_CLOUD:-}" != "$cloud" ]; then
        pid=$(pid_in "$state") || {
            echo "FAILED: no cloud runs in $state; set_up.sh $cloud starts one" >&2
            exit 1
        }
        COOPERAGE_IN_CLOUD=$cloud enter_network "$pid" "$0" "$cloud"
    fi
    # shellcheck source=../job/lib.sh
    . "$here/../job/lib.sh"
}

# ---- what the catalogue has to know -----------------------------------------------------------------------------------

login_key=$COOPERAGE_TEST_DIR/etc/cloud_key

# use_cloud [FIELDS [HARDWARE]]: the provider "cloud", with these fields, an object, beside the usual ones, and the entries for it in the
# catalogue; HARDWARE replaces members of that of the hardware type
use_cloud() {
    local fields=${1:-'{}'} hardware=${2:-'{}'}
    put providers/cloud "$(jq -n --argjson own "$fields" --argjson usual "$(provider_fields)" --arg type "$provider_type" \
        '{name: "cloud", providertype: $type, provisioner: ($usual + $own)}')"
    map_type hardwaretypes small "$(jq -n --argjson own "$hardware" --argjson usual "$(hardware_entry)" '$usual + $own')"
    map_type hardwaretypes medium "$(jq -n --argjson own "$hardware" --argjson usual "$(hardware_entry)" '$usual + $own')"
    map_type imagetypes debian12 "$(image_entry)"
}

map_type() {  # map_type COLLECTION NAME ENTRY
    answer admin 200 "$url/v2/$1/$2" | jq --argjson entry "$3" '.providermap.cloud = $entry | del(.version)' >"$dir/entry.json"
    put "$1/$2" "@$dir/entry.json"
}

# The key of the tests' own, as a file of the plugin: so that tests can log in, too.
upload_login_key() {
    local version path=plugins/providertypes/$provider_type/ssh_keys/tests
    if [ ! -e "$login_key" ]; then ssh-keygen -q -t ed25519 -N '' -C tests -f "$login_key"; fi
    version=$(answer admin 200 -X POST "$url/v2/$path" --data-binary "@$login_key" | jq .version)
    answer admin 200 -X POST "$url/v2/$path/versions/$version/stage" >/dev/null
    answer admin 200 -X POST "$url/v2/plugins/sync" >/dev/null
}

# ---- clusters -----------------------------------------------------------------------------------------------------------

# ask_for NAME TEMPLATE SIZE [MEMBERS]: the id of a cluster on the cloud
ask_for() {
    answer user 200 -X POST "$url/v2/clusters" -d "$(jq -n --arg name "$1" --arg template "$2" --argjson size "$3" \
        --argjson more "${4:-"{}"}" '{name: $name, clusterTemplate: $template, numMachines: $size, provider: "cloud"} + $more')" | jq -r .id
}

wait_for_cluster() {  # wait_for_cluster CLUSTER SECONDS [STATUS]
    local status
    status=$(wait_until_settled "$1" "$2")
    [ "$status" = "${3:-active}" ] || die "cluster $1 is $status: $(explain "$1")"
}

# in_cloud ADDRESS CLUSTER COMMAND...: over SSH as the image's user, with the host key the API tells
in_cloud() {
    local address=$1 cluster=$2 hosts
    shift 2
    hosts=$(mktemp)
    as user "$url/v2/clusters/$cluster" | jq -r '.nodes[] |
        .properties.ipaddresses.access_v4 + " ssh-ed25519 " + .provisionerResults.ssh_host_keys.ed25519' >"$hosts"
    ssh -n -q -i "$login_key" -o UserKnownHostsFile="$hosts" -o GlobalKnownHostsFile=/dev/null -o StrictHostKeyChecking=yes \
        -o BatchMode=yes "$ssh_user@$address" "$@"
    rm -f "$hosts"
}

# Everything that a cluster could leave in the cloud, a line each, beside what was there before.
left_behind() { things_in_cloud | sort | comm -13 "$state/things" -; }

nothing_is_left() {
    local left
    for _ in $(seq 60); do
        left=$(left_behind)
        [ -n "$left" ] || break
        sleep 1
    done
    [ -z "$left" ] || die "in the cloud there is still: $left"
    # The guests follow the servers one after the other, when their last process has ended.
    for _ in $(seq 240); do
        left=$(ls "$state/hosts" 2>/dev/null)
        [ -n "$left" ] || break
        sleep 0.5
    done
    [ -z "$left" ] || die "there are still guests: $left"
}

injected() { echo "$*" >>"$state/faults"; }  # injected WHAT: counted in the line of passed()

passed() {
    echo "$cloud: $(cloud_in_numbers), faults injected $(cat "$state/faults" 2>/dev/null | wc -l)," \
        "machines made $(grep -c ' runs at ' "$state/guests.log"), machines left $(left_behind | grep -c '^server ' || true)"
    echo "1 passed, 0 failed"
}
