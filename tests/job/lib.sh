# What the whole-job tests share: a running set of everything in COOPERAGE_TEST_DIR, and talking to it as a script does.
set -euo pipefail

repo=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
dir=${COOPERAGE_TEST_DIR:-$repo/var/test}
access=$dir/access.json
url=$(jq -r .url "$access")

# A program as the users that `up` runs it as.
as_daemon=("$repo/cooperage" --dir "$dir" enter "$repo/provisioner/programs/package/run-as" cooperage-provisioner "$dir/run/provisioner" cooperage-web)
as_web=("$repo/cooperage" --dir "$dir" enter "$repo/provisioner/programs/package/run-as" cooperage-web "$dir/run/web" www-data)

die() {
    echo "FAILED: $*" >&2
    exit 1
}

# as ROLE curl-arguments...: a call with that demo user's key
as() {
    local user key
    user=$(jq -r --arg role "$1" '.users[] | select(.tenant == "demo" and .role == $role) | .user' "$access")
    key=$(jq -r --arg role "$1" '.users[] | select(.tenant == "demo" and .role == $role) | .apikey' "$access")
    shift
    curl -sS --max-time 30 -H "Coopr-UserID: $user" -H "Coopr-TenantID: demo" -H "Coopr-ApiKey: $key" "$@"
}

# answer ROLE STATUS curl-arguments...: the body, after checking the status
answer() {
    local role=$1 wanted=$2 body got
    shift 2
    body=$(as "$role" -w '\n%{http_code}' "$@")
    got=${body##*$'\n'}
    body=${body%$'\n'*}
    [ "$got" = "$wanted" ] || die "$* answered $got instead of $wanted: $body"
    printf '%s' "$body"
}

put() { answer admin 200 -X PUT "$url/v2/$1" --data-binary "$2" >/dev/null; }  # put COLLECTION/NAME ENTRY

# load_catalogue FOLDER: every entry of a folder laid out as sql/seed/catalogue
load_catalogue() {
    local collection file loaded=0
    for collection in providers hardwaretypes imagetypes services clustertemplates; do
        for file in "$1/$collection"/*.json; do
            put "$collection/$(jq -r .name "$file")" "@$file"
            loaded=$((loaded + 1))
        done
    done
    echo "$loaded entries loaded"
}

# simulated_provider NAME FIELDS: machines that take their time
simulated_provider() {
    put "providers/$1" "{\"name\":\"$1\",\"providertype\":\"simulated\",\"provisioner\":$2}"
    local type
    for type in hardwaretypes imagetypes; do
        answer admin 200 "$url/v2/$type/simulated" |
            jq --arg name "$1" '.providermap[$name] = .providermap.simulated | del(.version)' >"$dir/entry.json"
        put "$type/simulated" "@$dir/entry.json"
    done
}

# need_in_root PACKAGE...: ends the test as skipped without them. Hosts have no network: what they install comes from the root
# they share, where launchers of today put it.
need_in_root() {
    local package cache
    cache=$(sed -n 's/^local.roots = //p' "$dir/etc/cooperage.conf")/debian12/var/cache/apt/archives
    for package in "$@"; do
        if ! compgen -G "$cache/${package}_*.deb" >/dev/null; then
            echo "skipped: the root of local hosts was made without $package; remove it to have it made anew"
            exit 77
        fi
    done
}

# upload AUTOMATOR/RESOURCE-TYPE/NAME FILE: staged, live after the next sync
upload() {
    local version
    version=$(answer admin 200 -X POST "$url/v2/plugins/automatortypes/$1" --data-binary "@$2" | jq .version)
    answer admin 200 -X POST "$url/v2/plugins/automatortypes/$1/versions/$version/stage" >/dev/null
}

status_of() { as user "$url/v2/clusters/$1/status" | jq -r .status; }

# wait_until_settled CLUSTER SECONDS: its status once no job is under way
wait_until_settled() {
    local status
    for _ in $(seq $(($2 * 4))); do
        status=$(status_of "$1" || echo unreachable)
        case "$status" in pending | unreachable | '') sleep 0.25 ;; *) echo "$status" && return ;; esac
    done
    echo "still pending"
}

explain() { as user "$url/v2/clusters/$1" | jq -r .message; }

# make_cluster NAME TEMPLATE SIZE [SECONDS]: its id, once it is active
make_cluster() {
    local id status
    id=$(answer user 200 -X POST "$url/v2/clusters" \
        -d "{\"name\":\"$1\",\"clusterTemplate\":\"$2\",\"numMachines\":$3}" | jq -r .id)
    status=$(wait_until_settled "$id" "${4:-300}")
    [ "$status" = active ] || die "cluster $id is $status: $(explain "$id")"
    echo "$id"
}

# reason_of CLUSTER ACTION: what a task of that action of its newest job says, as soon as one has something to say. Others may
# have words too: a confirm that waits has.
reason_of() {
    local message
    for _ in $(seq 240); do
        message=$(as user "$url/v2/clusters/$1/tasks" |
            jq -r --arg action "$2" '[.[] | select(.action == $action and .message != "").message][0] // ""')
        [ -z "$message" ] || break
        sleep 0.5
    done
    echo "$message"
}

delete_cluster() {
    local status
    answer user 200 -X DELETE "$url/v2/clusters/$1" >/dev/null
    status=$(wait_until_settled "$1" 120)
    [ "$status" = terminated ] || die "cluster $1 is $status after its deletion: $(explain "$1")"
}

addresses_of() { as user "$url/v2/clusters/$1" | jq -r '.nodes[].properties.ipaddresses.access_v4'; }

# on NODE-ADDRESS CLUSTER COMMAND...: over SSH, with the host key the API tells
on() {
    local address=$1 cluster=$2 hosts
    shift 2
    hosts=$(mktemp)
    as user "$url/v2/clusters/$cluster" | jq -r '.nodes[] |
        .properties.ipaddresses.access_v4 + " ssh-ed25519 " + .provisionerResults.ssh_host_keys.ed25519' >"$hosts"
    ssh -n -q -i "$dir/etc/ssh_key" -o UserKnownHostsFile="$hosts" -o StrictHostKeyChecking=yes -o BatchMode=yes \
        "root@$address" "$@"
    rm -f "$hosts"
}

# put_witnesses SECONDS: services whose every action appends a line to a file of its node before and after it takes its time,
# and a template of them: the witness of how often each ran.
put_witnesses() {
    local service needs action actions
    for service in witness-a witness-b; do
        needs=''
        [ "$service" = witness-a ] || needs='"witness-a"'
        actions=''
        for action in install configure initialize start; do
            actions="$actions,\"$action\":{\"type\":\"shell\",\"fields\":{\"script\":\"echo\",
                \"args\":\"$service $action begins >>/var/log/witness; sleep $1; echo $service $action ends >>/var/log/witness\"}}"
        done
        put "services/$service" "{\"name\":\"$service\",\"dependencies\":{\"provides\":[],\"conflicts\":[],
            \"runtime\":{\"requires\":[$needs]}},\"provisioner\":{\"actions\":{${actions#,}}}}"
    done
    put clustertemplates/witnesses '{"name":"witnesses","defaults":{"services":["witness-a","witness-b"],
        "provider":"local","hardwaretype":"small","imagetype":"debian12"}}'
}

# The lines a complete job leaves with each witness.
witness_lines=16

# steps_run_wrongly LEDGER...: a line for each step of simulated machines that ran otherwise than it should have: begun twice,
# an attempt after one that had done the work, or one that began while the one before it was still running.
steps_run_wrongly() {
    cat "$@" | jq -rs '
        def failed: .hangs or .takes_ms >= .limit_ms or .exit != 0;
        def ends: .at + 1000 * (if .hangs or .takes_ms >= .limit_ms then .limit_ms else .takes_ms end);
        map(select(.is == "begun") | . + {key: (.step | split("-") | map(tonumber))})
        | (group_by(.step)[] | select(length > 1) | "\(.[0].step) was begun \(length) times"),
          (group_by([.key[0], .key[2]])[] | sort_by(.key[1])
           | range(length - 1) as $i | select((.[$i] | failed | not) or .[$i + 1].at < (.[$i] | ends))
           | "\(.[$i + 1].step) (\(.[$i].label)) began although \(.[$i].step) was there")'
}

# steps_done LEDGER...: what each machine has done, "file: label,label", the labels in order of their names
steps_done() {
    jq -rn '[inputs | select(.is == "begun" and .exit == 0 and (.hangs | not) and .takes_ms < .limit_ms)
             | {file: (input_filename | split("/") | last), label: .label}]
        | group_by(.file)[] | "\(.[0].file): \(map(.label) | sort | join(","))"' "$@"
}

# What of this set's hosts is there on the machine: interfaces and networks, mounts, processes, folders.
traces_of_hosts() {
    local claim entry bridge
    for claim in /run/cooperage/networks/*; do
        [ "$(readlink "$claim" 2>/dev/null)" = "$dir/local" ] || continue
        bridge=cooper$(basename "$claim")
        ip -o link show master "$bridge" 2>/dev/null | awk '{ print "interface", $2 }'
    done
    awk -v dir="$dir/local" 'index($2, dir) == 1 { print "mount", $2 }' /proc/mounts
    for entry in /proc/[0-9]*/mountinfo; do
        # A host's processes have our overlay as their root.
        if grep -q "$dir/local" "$entry" 2>/dev/null &&
            [ "$(readlink "${entry%mountinfo}ns/mnt")" != "$(readlink /proc/self/ns/mnt)" ]; then
            echo "process ${entry//[!0-9]/}"
        fi
    done
    find "$dir/local/machines" "$dir/local/addresses" "$dir/local/hosts" -mindepth 1 2>/dev/null | sed "s|^|file |" || true
}
