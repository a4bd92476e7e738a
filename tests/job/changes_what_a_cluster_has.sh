#!/usr/bin/env bash
# A cluster of real hosts grows, gets and loses a service, has a dead machine replaced, and shrinks. Each action leaves a
# line in a file of its node; configuring writes down who is there.
. "$(dirname "$0")/lib.sh"

service() {  # service NAME DEPENDENCIES ACTION...
    local name=$1 needs=$2 actions='' action
    shift 2
    for action in "$@"; do
        actions="$actions,\"$action\":{\"type\":\"shell\",\"fields\":{\"script\":\"echo\",
            \"args\":\"$name $action >>/var/log/witness\"}}"
    done
    printf '{"name":"%s","dependencies":{"provides":[],"conflicts":[],"runtime":{%s}},
        "provisioner":{"actions":{%s}}}' "$name" "$needs" "${actions#,}"
}
settled() {  # settled CLUSTER STATUS
    local status
    status=$(wait_until_settled "$1" 240)
    [ "$status" = "$2" ] || die "cluster $1 is $status instead of $2: $(explain "$1")"
}
change() { answer user 200 -X POST "$url/v2/clusters/$id/$1" -d "$2" >/dev/null; settled "$id" active; }
refuse() {  # refuse STATUS PATH BODY TEXT
    local said
    said=$(answer user "$1" -X POST "$url/v2/clusters/$id/$2" -d "$3")
    case "$said" in *"$4"*) ;; *) die "$2 $3 was refused with '$said', without '$4'" ;; esac
}
layout() {
    as user "$url/v2/clusters/$id" | jq -r '[.nodes[] | "\(.properties.nodenum) \(.properties.services | sort | join("+"))"] |
        join(", ")'
}
address_of() {
    as user "$url/v2/clusters/$id" | jq -r --argjson n "$1" \
        '.nodes[] | select(.properties.nodenum == $n).properties.ipaddresses.access_v4'
}
witness() { on "$(address_of "$1")" "$id" 'paste -sd, /var/log/witness 2>/dev/null; : >/var/log/witness'; }
expect() { [ "$1" = "$2" ] || die "expected '$2', not '$1'"; }

put services/ch-front "$(service ch-front '"requires":["ch-app"]' configure start stop)"
put services/ch-app "$(service ch-app '"uses":["ch-cache"]' configure start stop)"
put services/ch-cache "$(service ch-cache '' install start stop remove)"
put clustertemplates/changing '{"name":"changing","defaults":{"services":["ch-front","ch-app"],
    "provider":"local","hardwaretype":"small","imagetype":"debian12",
    "config":{"apps":"%join(ip.bind_v4.service.ch-app,'"' '"')%","front":"%host.service.ch-front%"}},
    "compatibility":{"services":["ch-front","ch-app","ch-cache"]},
    "constraints":{"layout":{"cantcoexist":[["ch-front","ch-app"],["ch-front","ch-cache"]]},
      "services":{"ch-front":{"quantities":{"min":1,"max":1}},"ch-app":{"quantities":{"min":1}},
                  "ch-cache":{"quantities":{"max":1}}},
      "size":{"min":2,"max":4}}}'

id=$(make_cluster changing changing 2)
expect "$(layout)" "1000 ch-app, 1001 ch-front"
witness 1000 >/dev/null
witness 1001 >/dev/null

# It grows: the new machine is made like the others, who is like it learns of it, and who needs it is restarted.
change grow '{"numMachines":1}'
expect "$(layout)" "1000 ch-app, 1001 ch-front, 1002 ch-app"
expect "$(witness 1002)" "ch-app configure,ch-app start"
expect "$(witness 1000)" "ch-app configure"
expect "$(witness 1001)" "ch-front stop,ch-front configure,ch-front start"
expect "$(as user "$url/v2/clusters" | jq -r --arg id "$id" '.[] | select(.id == $id).numNodes')" 3
refuse 422 grow '{"numMachines":2}' "Size must be at least 2 but not greater than 4"
refuse 422 grow '{}' numMachines
refuse 404 nodes/1009/replace '' "node 1009 does not exist"

# A service is added where it fits, and in the way of the wire contract nobody else hears of it.
refuse 400 services '{"services":["nope"]}' "service nope does not exist"
refuse 400 services '{"services":[]}' "Invalid request body."
change services '{"services":["ch-cache"]}'
expect "$(layout)" "1000 ch-app+ch-cache, 1001 ch-front, 1002 ch-app"
expect "$(witness 1000)" "ch-cache install,ch-cache start"
expect "$(witness 1001)" ""

# It is removed when those who use it were told.
refuse 422 services/remove '{"services":["ch-app"]}' "ch-front requires ch-app"
refuse 404 services/remove '{"services":["nope"]}' "service nope does not exist on cluster $id"
change services/remove '{"services":["ch-cache"]}'
expect "$(layout)" "1000 ch-app, 1001 ch-front, 1002 ch-app"
expect "$(witness 1000)" "ch-app stop,ch-app configure,ch-app start,ch-cache stop,ch-cache remove"
expect "$(answer user 200 "$url/v2/clusters/$id/services" | jq -c sort)" '["ch-app","ch-front"]'

# A machine dies; another takes its place under a number of its own, and nothing of the dead one is left.
dead=$(address_of 1002)
on "$dead" "$id" 'kill -9 -1' || true
witness 1001 >/dev/null
change nodes/1002/replace ''
expect "$(layout)" "1000 ch-app, 1001 ch-front, 1003 ch-app"
expect "$(witness 1001)" "ch-front stop,ch-front configure,ch-front start"
expect "$(witness 1003)" "ch-app configure,ch-app start"
[ ! -e "$dir/local/machines/$id-1002" ] || die "the dead machine's folder is still there"

# It shrinks to what its template allows and no further.
witness 1001 >/dev/null
change shrink '{"nodes":["1000"]}'
expect "$(layout)" "1001 ch-front, 1003 ch-app"
expect "$(witness 1001)" "ch-front stop,ch-front configure,ch-front start"
refuse 422 shrink '{"numMachines":1}' "needs at least 2"
refuse 422 shrink '{}' "Give the number of machines to remove"
expect "$(as user "$url/v2/clusters" | jq -r --arg id "$id" '.[] | select(.id == $id).numNodes')" 2

# What was done is told with the nodes it was done on, gone or not.
expect "$(answer user 200 "$url/v2/clusters/$id/plans" | jq -c '[.[].stages[][] | select(.nodeId == "")]')" '[]'
delete_cluster "$id"
echo "1 passed, 0 failed"
