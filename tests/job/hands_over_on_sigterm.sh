#!/usr/bin/env bash
# The daemon is told to end (SIGTERM) twice: while short steps run, which end before it does, and while long ones run, which
# the next daemon goes on with. Neither claims anything meanwhile, and every step ran once on its node.
. "$(dirname "$0")/lib.sh"

program=$repo/build/release/bin/cooperage-provisioner
machines=4
drain_limit=20

service() {  # service NAME NEEDS SECONDS
    put "services/$1" "{\"name\":\"$1\",\"dependencies\":{\"provides\":[],\"conflicts\":[],\"runtime\":{\"requires\":[$2]}},
        \"provisioner\":{\"actions\":{\"start\":{\"type\":\"shell\",\"fields\":{\"script\":\"echo\",
            \"args\":\"$1 begins >>/var/log/witness; sleep $3; echo $1 ends >>/var/log/witness\"}}}}}"
}
sql() { mariadb --no-defaults --socket="$dir/run/database/db.sock" --user=root -N cooperage -e "$1"; }
# How many tasks of that service wait for nobody but their node.
at_work() {
    sql "SELECT COUNT(*) FROM task JOIN job ON job.id = task.job_id
         WHERE job.cluster_id = $((10#$id)) AND task.service = '$1' AND task.action = 'start' AND task.state = 'claimed'"
}
wait_for_work() {  # wait_for_work SERVICE: until it starts on every node
    for _ in $(seq 600); do
        [ "$(at_work "$1")" != $machines ] || return 0
        sleep 0.1
    done
    die "the starts of $1 are not at work"
}

# tell_to_end SERVICE: the daemon at work, with another one standing by; sets `took`
tell_to_end() {
    local victim began now claimed
    "${as_daemon[@]}" "$program" --config "$dir/etc/cooperage.conf" --wait 120 >>"$dir/log/provisioner.log" 2>&1 </dev/null &
    wait_for_work "$1"
    victim=$(cat "$dir/run/provisioner/provisioner.lock")
    grep -q "$dir/etc/cooperage.conf" <<<"$(tr '\0' ' ' <"/proc/$victim/cmdline")" || die "$victim is not our daemon"
    began=$EPOCHREALTIME
    now=$(sql "SELECT UTC_TIMESTAMP(6) + INTERVAL 1 SECOND")
    kill -TERM "$victim"
    while kill -0 "$victim" 2>/dev/null; do
        sleep 0.05
        took=$(awk -v a="$began" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.1f", b - a }')
        awk -v t="$took" -v limit=$((drain_limit + 4)) 'BEGIN { exit t > limit }' || die "it still runs after $took s"
    done
    claimed=$(sql "SELECT COUNT(*) FROM attempt WHERE worker LIKE '%/$victim-%' AND started_at > '$now'")
    [ "$claimed" -eq 0 ] || die "it began $claimed tasks after it was told to end"
    echo "told to end while $1 started: over after $took s"
}

service drain-short '' 6
service drain-long '"drain-short"' 35
put clustertemplates/drained '{"name":"drained","defaults":{"services":["drain-short","drain-long"],
    "provider":"local","hardwaretype":"small","imagetype":"debian12"}}'
id=$(answer user 200 -X POST "$url/v2/clusters" -d "{\"name\":\"drained\",\"clusterTemplate\":\"drained\",\"numMachines\":$machines}" |
    jq -r .id)

tell_to_end drain-short
awk -v t="$took" 'BEGIN { exit t > 15 }' || die "it waited for more than the steps that ran"
left=$(at_work drain-short)
[ "$left" -eq 0 ] || die "$left short steps did not end before it did"

tell_to_end drain-long
awk -v t="$took" 'BEGIN { exit t < 15 }' || die "it did not give the long steps their time"

status=$(wait_until_settled "$id" 120)
[ "$status" = active ] || die "the cluster is $status: $(explain "$id")"
again=$(sql "SELECT COUNT(*) FROM attempt JOIN task ON task.id = attempt.task_id JOIN job ON job.id = task.job_id
             WHERE job.cluster_id = $((10#$id)) AND attempt.number > 1")
[ "$again" -eq 0 ] || die "$again attempts were not the first"
for address in $(addresses_of "$id"); do
    lines=$(on "$address" "$id" 'paste -sd, /var/log/witness')
    [ "$lines" = "drain-short begins,drain-short ends,drain-long begins,drain-long ends" ] || die "on $address: $lines"
done
delete_cluster "$id"
echo "1 passed, 0 failed"
