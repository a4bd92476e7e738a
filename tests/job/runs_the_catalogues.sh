#!/usr/bin/env bash
# Each catalogue of sql/examples as its user would take it: seeded, exported and imported, a small cluster of each made at the
# same time on real hosts, used through the link on its page, deleted.
. "$(dirname "$0")/lib.sh"

need_in_root ansible-core python3-apt puppet-agent nginx-light podman

files=$(mktemp -d)
trap 'rm -rf "$files"' EXIT

# Another job may have taken the same catalogue out again.
seed() {
    "$repo/build/release/bin/cooperage-migrate" seed --config "$dir/etc/cooperage.conf" --seed "$1" \
        --access "$access" --url "$url" --restore-deleted || die "$1 was refused"
}

# No registry can be reached: the image comes with the catalogue, as for everybody who has none.
cp -r "$repo/sql/examples/docker" "$files/docker"
mkdir -p "$files/docker/resources/automatortypes/docker/images"
image=$("$repo/tests/job/make-nginx-image" "$files/docker/resources/automatortypes/docker/images/nginx")
for service in "$files"/docker/catalogue/services/*.json; do
    jq --arg image "$image" '(.provisioner.actions[] | select(.type == "docker").fields) |= (.image_name = $image)
        | .provisioner.actions.install.fields.image_archive = "nginx"' "$service" >"$files/service.json"
    mv "$files/service.json" "$service"
done

answer admin 200 "$url/v2/export" >"$files/first"
for catalogue in hadoop-like puppet ansible; do seed "$repo/sql/examples/$catalogue"; done
seed "$files/docker"

# What is exported can be imported, and is then the same but for versions.
catalogue() { answer admin 200 "$url/v2/export" | jq -S 'map_values(map(del(.version)) | sort_by(.name))'; }
catalogue >"$files/before"
answer admin 200 "$url/v2/export" >"$files/export"
answer admin 200 -X POST "$url/v2/import" --data-binary "@$files/export" >/dev/null
catalogue | cmp - "$files/before" || die "the catalogue differs after it was exported and imported"

# make TEMPLATE SIZE: a cluster that is not waited for
make() {
    answer user 200 -X POST "$url/v2/clusters" \
        -d "{\"name\":\"$1\",\"clusterTemplate\":\"$1\",\"numMachines\":$2}" | jq -r .id
}
hadoop=$(make hadoop-distributed 5)
puppet=$(make puppet-site 2)
ansible=$(make ansible-guestbook 2)
docker=$(make docker-site 2)

# must_be_active CLUSTER SECONDS
must_be_active() {
    local status
    status=$(wait_until_settled "$1" "$2")
    [ "$status" = active ] || die "cluster $1 is $status: $(explain "$1")"
}
link_of() { as user "$url/v2/clusters/$1" | jq -r '.links[0].url'; }
fetch() { curl -sS --fail-with-body --max-time 30 "$@"; }

# hosts_with CLUSTER SERVICE: their names without the suffix, sorted, as a JSON array
hosts_with() {
    as user "$url/v2/clusters/$1" | jq -c --arg name "$2" \
        '[.nodes[] | select(.services[].name == $name).properties.hostname | sub("[.].*"; "")] | sort'
}

# expect CATALOGUE JSON FILTER VALUE...: each filter's answer
expect() {
    local catalogue=$1 json=$2 got
    shift 2
    while [ $# -gt 0 ]; do
        got=$(jq -c "$1" <<<"$json")
        [ "$got" = "$2" ] || die "$catalogue: $1 is $got instead of $2 in $json"
        shift 2
    done
}

# Every part has found those it belongs to by the macros of the configuration, and a job goes through all of them.
use_hadoop() {
    local hue workers
    hue=$(link_of "$hadoop")
    workers=$(hosts_with "$hadoop" hadoop-hdfs-datanode)
    expect hadoop-like "$(fetch "${hue}status")" '.namenode.live' "$workers" '.resourcemanager.live' "$workers" \
        '.zookeeper | sort' '["follower","follower","leader"]' '.hbase.region_servers' "$workers" \
        '.hbase.master' "$(hosts_with "$hadoop" hbase-master | jq -c '.[0]')" 'map(objects | has("error")) | any' false
    expect hadoop-like "$(python3 -c 'print("two words " * 20000)' | fetch --data-binary @- "${hue}words/$1")" \
        '.words' '{"two":20000,"words":20000}' '.count' 40000 ".tables[\"$1\"]" "\"/user/hue/$1\""
}
must_be_active "$hadoop" 240
use_hadoop before
answer user 200 -X POST "$url/v2/clusters/$hadoop/grow" -d '{"numMachines":1}' >/dev/null
must_be_active "$hadoop" 120
[ "$(hosts_with "$hadoop" hadoop-hdfs-datanode | jq length)" = 3 ] || die "hadoop-like has not grown by a worker"
use_hadoop after

must_be_active "$puppet" 240
grep -q '<h1>Hello from Puppet</h1>' <<<"$(fetch "$(link_of "$puppet")")" || die "puppet: the balancer does not show the page"

must_be_active "$docker" 240
grep -q '<h1>Hello from a container</h1>' <<<"$(fetch "$(link_of "$docker")")" || die "docker: the balancer does not show the page"

# What its containers are is known of each node.
told=$(as user "$url/v2/clusters/$docker" | jq -c '.nodes[].provisionerResults | select(.containers["container-balancer"])')
expect docker "$told" '.ports' '["80"]' '.containers | keys' '["container-balancer"]' \
    '.containers["container-balancer"] | [.state, .image, .ports["80/tcp"][0].HostPort]' "[\"running\",\"$image\",\"80\"]" \
    ".containers[\"container-balancer\"].id == .[\"$image\"].id" true '.providerid | test("-100[01]$")' true

must_be_active "$ansible" 240
guestbook=$(link_of "$ansible")
fetch --data-urlencode 'words=<it works>' "$guestbook" >/dev/null
grep -q '&lt;it works&gt;' <<<"$(fetch "$guestbook")" || die "ansible: the guestbook does not keep what is written"

# What goes wrong is told in words: which step, its exit code, the task of the role, whether it is tried again.
answer user 200 -X PUT "$url/v2/clusters/$ansible/config" \
    -d '{"config":{"guestbook":{"title":"x","port":"none","database_password":"x"}},"restart":false}' >/dev/null
message=$(reason_of "$ansible" configure)
case $message in
    'configure guestbook-proxy ended with exit code 2: TASK [proxy : Check guestbook.port]: guestbook.port must be an integer from 1 to 65535'*'(try 1 of 3, '*) ;;
    *) die "ansible: the reason reads '$message'" ;;
esac
answer user 200 -X POST "$url/v2/clusters/$ansible/abort" >/dev/null
wait_until_settled "$ansible" 120 >/dev/null

for id in "$hadoop" "$puppet" "$ansible" "$docker"; do answer user 200 -X DELETE "$url/v2/clusters/$id" >/dev/null; done
for id in "$hadoop" "$puppet" "$ansible" "$docker"; do
    status=$(wait_until_settled "$id" 120)
    [ "$status" = terminated ] || die "cluster $id is $status after its deletion: $(explain "$id")"
done
answer admin 200 -X POST "$url/v2/import" --data-binary "@$files/first" >/dev/null
echo "1 passed, 0 failed"
