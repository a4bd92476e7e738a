#!/usr/bin/env bash
# An action with a limit of its own is ended on its node when that has passed, with all it started, and the job says so. One
# that is done in time is not.
. "$(dirname "$0")/lib.sh"

service() {  # service NAME LIMIT
    put "services/$1" "{\"name\":\"$1\",\"dependencies\":{\"provides\":[],\"conflicts\":[]},\"provisioner\":{\"actions\":{
        \"start\":{\"type\":\"shell\",\"limit\":$2,\"fields\":{\"script\":\"sleep\",\"args\":\"2 & echo begun; sleep 2; echo over\"}}}}}"
    put "clustertemplates/$1" "{\"name\":\"$1\",\"defaults\":{\"services\":[\"$1\"],\"provider\":\"local\",
        \"hardwaretype\":\"small\",\"imagetype\":\"debian12\"}}"
}
service short-of-time 1000
service in-time '"1m"'

[ "$(answer user 200 "$url/v2/services/in-time" | jq .provisioner.actions.start.limit)" = 60000 ] || die "the limit is not told"
delete_cluster "$(make_cluster in-time in-time 1)"

id=$(answer user 200 -X POST "$url/v2/clusters" -d '{"name":"late","clusterTemplate":"short-of-time","numMachines":1}' | jq -r .id)
status=$(wait_until_settled "$id" 120)
[ "$status" = incomplete ] || die "a cluster whose service took too long is $status"
[[ $(explain "$id") == *'start short-of-time was stopped after 1 s'* ]] || die "it says: $(explain "$id")"
left=$(on "$(addresses_of "$id")" "$id" 'pgrep -x sleep || true')
[ -z "$left" ] || die "what the action started goes on: $left"
delete_cluster "$id"
echo "1 passed, 0 failed"
