#!/usr/bin/env bash
# goes_on_through_outages.sh CLOUD: while a web site of four machines is made, the daemon is killed (-9) five times and the cloud's API is
# away for a minute: four machines are made and not one more, and nothing is left afterwards.
. "$(dirname "$0")/lib.sh"
enter_the_cloud

seed=${SEED:-$RANDOM}
echo "SEED=$seed"
RANDOM=$seed

kill_daemon() {
    local victim successor
    victim=$(cat "$dir/run/provisioner/provisioner.lock")
    grep -q "$dir/etc/cooperage.conf" <<<"$(tr '\0' ' ' <"/proc/$victim/cmdline")" || die "$victim is not our daemon"
    kill -9 "$victim"
    injected "daemon killed"
    for _ in $(seq 400); do
        successor=$(cat "$dir/run/provisioner/provisioner.lock")
        if [ -n "$successor" ] && [ "$successor" != "$victim" ] && [ -d "/proc/$successor" ]; then
            echo "killed after $(as user "$url/v2/clusters/$id/status" | jq -r '"\(.stepscompleted) of \(.stepstotal) steps"')" && return
        fi
        sleep 0.05
    done
    die "nobody took over after the daemon was killed"
}

wait_for_steps() {  # wait_for_steps NUMBER: until so many are done
    for _ in $(seq 1200); do
        if as user "$url/v2/clusters/$id/status" | jq -e --argjson steps "$1" '.stepscompleted >= $steps or .status != "pending"' >/dev/null; then return; fi
        sleep 0.25
    done
    die "$1 steps are not done: $(explain "$id")"
}

upload_login_key
use_cloud
id=$(ask_for outages web 4)
trap end_outage EXIT
# The first two while servers are being asked for.
for pause in 0 1; do
    sleep "$pause.$((RANDOM % 10))"
    kill_daemon
done
sleep "$((RANDOM % 4))"
begin_outage
injected "$outage_is"
echo "$outage_is"
(
    sleep 60
    end_outage
    echo "it is there again"
) &
outage=$!
sleep 10
kill_daemon
for steps in 6 16; do
    wait_for_steps $steps
    kill_daemon
done
wait $outage
wait_for_cluster "$id" 900
[ "$(things_in_cloud | grep -c '^server ')" -eq 4 ] || die "there are not four servers: $(things_in_cloud)"
grep -q 'from a row that database' <<<"$(curl -sSf "$(as user "$url/v2/clusters/$id" | jq -r '.links[0].url')")" || die "the page was not built from a row"
delete_cluster "$id"
nothing_is_left
passed
