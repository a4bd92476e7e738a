#!/usr/bin/env bash
# The same clusters with two daemons, of which one is stopped (SIGSTOP) for a minute and then goes on with what it holds, while
# the other one, the database and the web are killed: what was taken over meanwhile is not done twice.
. "$(dirname "$0")/chaos.sh"

seed=${SEED:-$RANDOM}
echo "SEED=$seed"
RANDOM=$seed
program=$repo/build/release/bin/cooperage-provisioner
second=$dir/etc/second.conf

pids_with() { pgrep -f "^$program --config $1" || true; }

# One after the other, as cron would: each stands by for a minute at most.
keep_second() {
    while [ ! -e "$notes/over" ]; do
        "${as_daemon[@]}" "$program" --config "$second" >>"$dir/log/second.log" 2>&1 </dev/null || true
        sleep 0.2
    done
}

sed -e "s|^daemon.lock = .*|daemon.lock = $dir/run/provisioner/second.lock|; s|^daemon.nudge = .*|daemon.nudge = $dir/run/provisioner/second.sock|" \
    "$dir/etc/cooperage.conf" >"$second"
chmod 644 "$second"
end_second() {
    local left
    touch "$notes/over"
    mapfile -t left < <(pids_with "$second")
    [ ${#left[@]} -eq 0 ] || kill "${left[@]}" 2>/dev/null || true
}

stopped=()
go_on() { [ ${#stopped[@]} -eq 0 ] || kill -CONT "${stopped[@]}" 2>/dev/null || true; }
trap 'go_on; end_second; clean_up' EXIT

prepare_chaos
keep_second &
keeper_of_second=$!
start_streams "${REAL:-20}" "${SIMULATED:-500}"

sleep 8
mapfile -t stopped < <(pids_with "$dir/etc/cooperage.conf")
[ ${#stopped[@]} -gt 0 ] || die "there is no daemon to stop"
held=$(sql "SELECT COUNT(*) FROM task WHERE state = 'claimed' AND worker LIKE '%provisioner.lock%'")
kill -STOP "${stopped[@]}"
say "stopped ${stopped[*]}, which held $held tasks"
began=$SECONDS
while [ $((SECONDS - began)) -lt "${DURATION:-60}" ]; do
    sleep 3
    case $((RANDOM % 3)) in
        0) kill_daemon "$dir/run/provisioner/second.lock" "$second" ;;
        1) kill_database ;;
        2) kill_web ;;
    esac
done
go_on
say "it goes on"
end_streams
end_second
wait "$keeper_of_second"
say "$(($(orphans_removed) - orphans_before)) machines were made too late and taken away"
[ -z "$(pids_with "$second")" ] || die "the second daemon did not end"
echo "1 passed, 0 failed"
