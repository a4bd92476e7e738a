#!/usr/bin/env bash
# What is done to a cluster that lives: services stopped and started in order, a new configuration, work paused, resumed,
# aborted and run on, a lease that ends. Each action leaves a line in a file of its node.
. "$(dirname "$0")/lib.sh"

service() {  # service NAME NEEDS
    local actions='' action
    for action in configure start stop; do
        actions="$actions,\"$action\":{\"type\":\"shell\",\"fields\":{\"script\":\"echo\",
            \"args\":\"$1 $action >>/var/log/witness; sleep 0.5; test ! -e /tmp/broken\"}}"
    done
    printf '{"name":"%s","dependencies":{"provides":[],"conflicts":[],"runtime":{"requires":[%s]}},
        "provisioner":{"actions":{%s}}}' "$1" "$2" "${actions#,}"
}
put() { answer admin 200 -X PUT "$url/v2/$1" -d "$2" >/dev/null; }
post() { answer user 200 -X POST "$url/v2/clusters/$1" -d '' >/dev/null; }
settled() {  # settled CLUSTER STATUS
    local status
    status=$(wait_until_settled "$1" 120)
    [ "$status" = "$2" ] || die "cluster $1 is $status instead of $2: $(explain "$1")"
}
witness() { on "$address" "$id" 'paste -sd, /var/log/witness; : >/var/log/witness'; }
expect() { [ "$1" = "$2" ] || die "expected '$2', not '$1'"; }

put services/op-a "$(service op-a '')"
put services/op-b "$(service op-b '"op-a"')"
put clustertemplates/operated '{"name":"operated","defaults":{"services":["op-a","op-b"],
    "provider":"local","hardwaretype":"small","imagetype":"debian12"}}'

# A circle is told when it is saved.
circle=$(answer admin 400 -X PUT "$url/v2/services/op-a" -d "$(service op-a '"op-b"')")
case "$circle" in *'op-a needs op-b and op-b needs op-a'*) ;; *) die "the circle is not named: $circle" ;; esac

id=$(make_cluster operated operated 1)
address=$(addresses_of "$id")
expect "$(witness)" "op-a configure,op-b configure,op-a start,op-b start"

post "$id/services/stop"; settled "$id" active
expect "$(witness)" "op-b stop,op-a stop"
post "$id/services/op-b/start"; settled "$id" active
expect "$(witness)" "op-a start,op-b start"
post "$id/services/op-a/restart"; settled "$id" active
expect "$(witness)" "op-b stop,op-a stop,op-a start,op-b start"
answer user 404 -X POST "$url/v2/clusters/$id/services/nope/stop" >/dev/null

answer user 200 -X PUT "$url/v2/clusters/$id/config" -d '{"config":{"a":1},"restart":false}' >/dev/null
settled "$id" active
expect "$(answer user 200 "$url/v2/clusters/$id/config")" '{"a":1}'
expect "$(witness | tr , '\n' | sort | paste -sd,)" "op-a configure,op-b configure"

# Paused work stands still, and goes on where it was.
post "$id/services/restart"
sleep 0.3
post "$id/pause"
sleep 1.5
before=$(answer user 200 "$url/v2/clusters/$id/status" | jq -r '"\(.actionstatus) \(.stepscompleted)"')
sleep 1.5
expect "$(answer user 200 "$url/v2/clusters/$id/status" | jq -r '"\(.actionstatus) \(.stepscompleted)"')" "$before"
expect "${before%% *}" paused
post "$id/resume"; settled "$id" active
expect "$(witness)" "op-b stop,op-a stop,op-a start,op-b start"

# Aborted work ends without anybody asking for it, and its rest can be run later. A script that was stopped runs again.
post "$id/services/restart"
sleep 0.3
post "$id/abort"; settled "$id" inconsistent
expect "$(explain "$id")" "Aborted by user."
# Single services cannot be started before; all of them can.
answer user 409 -X POST "$url/v2/clusters/$id/services/op-b/start" >/dev/null
post "$id/retry"; settled "$id" active
expect "$(witness | tr , '\n' | uniq | paste -sd,)" "op-b stop,op-a stop,op-a start,op-b start"

# What fails is tried three times; after a repair only the failed part runs again.
on "$address" "$id" 'touch /tmp/broken'
post "$id/services/op-b/stop"; settled "$id" inconsistent
expect "$(witness)" "op-b stop,op-b stop,op-b stop"
on "$address" "$id" 'rm /tmp/broken'
post "$id/retry"; settled "$id" active
expect "$(witness)" "op-b stop"

# An abort stops a script that would run for an hour, with everybody it started, and what it knew does not stay.
put services/op-slow '{"name":"op-slow","dependencies":{"provides":[],"conflicts":[]},"provisioner":{"actions":{
    "start":{"type":"shell","fields":{"script":"sleep 3601 & sleep","args":"3602"}}}}}'
put clustertemplates/slow '{"name":"slow","defaults":{"services":["op-slow"],
    "provider":"local","hardwaretype":"small","imagetype":"debian12"}}'
slow=$(answer user 200 -X POST "$url/v2/clusters" -d '{"name":"slow","clusterTemplate":"slow","numMachines":1}' | jq -r .id)
slow_processes() {
    on "$(addresses_of "$slow")" "$slow" \
        'for line in /proc/[0-9]*/cmdline; do tr "\0" " " 2>/dev/null <$line | grep -x "sleep 360[12] "; done | sort' || true
}
wait_for_slow_processes() {
    for _ in $(seq 240); do
        [ "$(slow_processes 2>/dev/null | wc -l)" != 2 ] || break
        sleep 0.5
    done
    expect "$(slow_processes | paste -sd,)" "sleep 3601 ,sleep 3602 "
}
wait_for_slow_processes
before=$EPOCHREALTIME
post "$slow/abort"; settled "$slow" incomplete
took=$(awk -v a="$before" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.1f", b - a }')
echo "aborted after $took s"
awk -v took="$took" 'BEGIN { exit took > 10 }' || die "the abort took $took s"
expect "$(slow_processes)" ""
expect "$(answer user 200 "$url/v2/clusters/$slow/tasks" | jq -r '[.[] | select(.action == "start").message] | unique[]')" \
    "stopped because the job was aborted"
expect "$(on "$(addresses_of "$slow")" "$slow" 'ls /var/cache/cooperage/shell | grep -E "json|values"' || true)" ""

# The same while no daemon is there: the next one ends what the script had begun.
post "$slow/retry"
wait_for_slow_processes
kill -9 "$(cat "$dir/run/provisioner/provisioner.lock")"
post "$slow/abort"; settled "$slow" incomplete
expect "$(slow_processes)" ""
delete_cluster "$slow"

# A lease that has ended takes the cluster away.
soon=$(($(date +%s%3N) + 1000))
expect "$(answer user 400 -X POST "$url/v2/clusters/$id" -d '{}')" "expire time not specified"
answer user 200 -X POST "$url/v2/clusters/$id" -d "{\"expireTime\":$soon}" >/dev/null
for _ in $(seq 200); do
    [ "$(status_of "$id")" = terminated ] && break
    sleep 0.5
done
expect "$(status_of "$id")" terminated
answer user 200 "$url/v2/clusters/$id/callbacks" >/dev/null
echo "1 passed, 0 failed"
