#!/usr/bin/env bash
# The daemon is killed (-9) at five random moments of a job: the job ends well, and every step ran once on its node.
. "$(dirname "$0")/lib.sh"

seed=${SEED:-$RANDOM}
echo "SEED=$seed"
RANDOM=$seed

put_witnesses 1.5
id=$(answer user 200 -X POST "$url/v2/clusters" \
    -d '{"name":"chaos","clusterTemplate":"witnesses","numMachines":4}' | jq -r .id)
for kill in 1 2 3 4 5; do
    sleep "$((RANDOM % 3)).$((RANDOM % 10))"
    victim=$(cat "$dir/run/provisioner/provisioner.lock")
    grep -q "$dir/etc/cooperage.conf" <<<"$(tr '\0' ' ' <"/proc/$victim/cmdline")" || die "$victim is not our daemon"
    kill -9 "$victim"
    began=$EPOCHREALTIME
    for _ in $(seq 200); do
        successor=$(cat "$dir/run/provisioner/provisioner.lock")
        [ -n "$successor" ] && [ "$successor" != "$victim" ] && [ -d "/proc/$successor" ] && break
        sleep 0.05
    done
    [ "$successor" != "$victim" ] || die "nobody took over after the daemon was killed"
    echo "kill $kill: pid $victim, taken over by $successor after $(awk -v a="$began" -v b="$EPOCHREALTIME" \
        'BEGIN { printf "%.2f", b - a }') s, $(as user "$url/v2/clusters/$id/status" | jq -r '"\(.stepscompleted) of \(.stepstotal) steps"')"
done

status=$(wait_until_settled "$id" 300)
[ "$status" = active ] || die "the cluster is $status: $(explain "$id")"
for address in $(addresses_of "$id"); do
    lines=$(on "$address" "$id" 'sort /var/log/witness | uniq -c | awk "{ print \$1, \$2, \$3, \$4 }"')
    [ "$(echo "$lines" | wc -l)" -eq $witness_lines ] || die "on $address not every step left its two lines: $lines"
    if grep -qv '^1 ' <<<"$lines"; then die "on $address a step ran more than once: $lines"; fi
done
delete_cluster "$id"
echo "1 passed, 0 failed"
