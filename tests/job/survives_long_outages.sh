#!/usr/bin/env bash
# Outages that last longer than a claim, under load, beside steps of ten minutes: the database stands still for 20, 40 and 90
# seconds and is gone for 60; the links of nodes are down and their sessions are killed in minute six; two daemons are killed or
# stopped at random. No step runs twice, nothing is lost, stuck or left, and work goes on within 15 seconds after the database
# is back. A set of everything of its own, so that others may run beside it.
set -euo pipefail
repo=$(cd "$(dirname "$0")/../.." && pwd)
export COOPERAGE_TEST_DIR=${OUTAGES_DIR:-$repo/var/outages}
"$repo/tests/job/set_up.sh"
. "$repo/tests/job/chaos.sh"

seed=${SEED:-$RANDOM}
echo "SEED=$seed"
RANDOM=$seed
long=${LONG:-600}
program=$repo/build/release/bin/cooperage-provisioner
second=$dir/etc/second.conf
first=$dir/etc/cooperage.conf
longest_recovery=0
declare -A counts

pids_with() { pgrep -f "^$program --config $1" || true; }
count() { counts[$1]=$((${counts[$1]:-0} + 1)); }
percent() { echo $((long * $1 / 600)); }  # seconds, in a run that is shorter than ten minutes

# One after the other, as cron would.
keep_daemon() {
    while [ ! -e "$notes/over" ]; do
        "${as_daemon[@]}" "$program" --config "$1" >>"$dir/log/$2.log" 2>&1 </dev/null || true
        sleep 0.2
    done
}

stopped=()
go_on() { [ ${#stopped[@]} -eq 0 ] || kill -CONT "${stopped[@]}" 2>/dev/null || true; stopped=(); }
end_all() {
    local left
    go_on
    touch "$notes/over" 2>/dev/null || true
    kill -CONT "$(cut -d' ' -f1 "$dir/run/database.pid")" 2>/dev/null || true
    mapfile -t left < <(pids_with "$second")
    [ ${#left[@]} -eq 0 ] || kill "${left[@]}" 2>/dev/null || true
    clean_up
    "$repo/cooperage" --dir "$dir" down >/dev/null 2>&1 || true
}
trap end_all EXIT

# ---- the daemons ----------------------------------------------------------------------------------------------------

# trouble_daemons: something happens to one of them every few seconds, until `calm` is there
trouble_daemons() {
    local config lock
    while [ ! -e "$notes/calm" ]; do
        if [ $((RANDOM % 2)) -eq 0 ]; then config=$first lock=$dir/run/provisioner/provisioner.lock; else config=$second lock=$dir/run/provisioner/second.lock; fi
        if [ $((RANDOM % 3)) -gt 0 ]; then
            kill_daemon "$lock" "$config"
            echo killed >>"$notes/daemons"
        else
            mapfile -t stopped < <(pids_with "$config")
            [ ${#stopped[@]} -eq 0 ] || kill -STOP "${stopped[@]}" 2>/dev/null || true
            sleep $((5 + RANDOM % 25))
            go_on
            echo stopped >>"$notes/daemons"
        fi
        sleep $((5 + RANDOM % 20))
    done
}

# ---- the database ---------------------------------------------------------------------------------------------------

database() { cut -d' ' -f1 "$dir/run/database.pid"; }

# Something began or ended since the moment, by the database's clock.
work_since() {
    [ "$(timeout 5 mariadb --no-defaults --socket="$dir/run/database/db.sock" --user=root -N cooperage -e \
        "SELECT EXISTS (SELECT 1 FROM attempt WHERE started_at > '$1') OR EXISTS (SELECT 1 FROM attempt WHERE finished_at > '$1')" \
        2>/dev/null)" = 1 ]
}

expect_work() {  # expect_work WHAT: within 15 seconds from now
    local began=$EPOCHREALTIME since took
    since=$(date -u '+%F %T.%6N')
    until work_since "$since"; do
        took=$(awk -v a="$began" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.1f", b - a }')
        awk -v t="$took" 'BEGIN { exit t > 15 }' || die "15 s after $1 nothing goes on"
        sleep 0.1
    done
    took=$(awk -v a="$began" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.1f", b - a }')
    longest_recovery=$(awk -v a="$took" -v b="$longest_recovery" 'BEGIN { print (a > b ? a : b) }')
    say "$1: work went on after $took s"
}

stand_still() {  # stand_still SECONDS
    say "the database stands still for $1 s"
    kill -STOP "$(database)"
    sleep "$1"
    kill -CONT "$(database)"
    count "database stopped"
    expect_work "the database stood still for $1 s"
}

be_gone() {  # be_gone SECONDS
    say "the database is gone for $1 s"
    kill -9 "$(database)"
    sleep "$1"
    "$repo/cooperage" --dir "$dir" --port "$port" up >>"$dir/log/chaos.log" 2>&1
    count "database killed"
    expect_work "the database was gone for $1 s"
}

# ---- the nodes ------------------------------------------------------------------------------------------------------

# The host's end of the pair of interfaces of the node with that address.
link_of() { ip -o neigh show "$1" 2>/dev/null | awk '{ print $3, $5 }' | while read -r bridge mac; do
    bridge fdb show br "$bridge" 2>/dev/null | awk -v mac="$mac" 'tolower($1) == tolower(mac) && $2 == "dev" { print $3; exit }'; done; }

take_link_away() {  # take_link_away LINK SECONDS
    ip link set "$1" down
    sleep "$2"
    ip link set "$1" up
    echo "link away for $2 s" >>"$notes/nodes"
}

cut_sessions() {  # cut_sessions ADDRESS: all there are
    on "$1" "$long_real" "pkill -KILL -f '^sshd: root@notty'" || true
    echo "sessions cut" >>"$notes/nodes"
}

trouble_nodes() {
    local addresses link long_outage
    mapfile -t addresses < <(addresses_of_long)
    # Known while it is up: the bridge forgets who was behind a link that goes down. A list that is taken while other hosts come and
    # go may lack it.
    for _ in $(seq 25); do
        link=$(link_of "${addresses[0]}")
        [ -z "$link" ] || break
        sleep 0.2
    done
    [ -n "$link" ] || die "there is no link of ${addresses[0]}"
    take_link_away "$link" 30
    take_link_away "$link" 100 &
    long_outage=$!
    cut_sessions "${addresses[1]}"
    sleep 6
    cut_sessions "${addresses[1]}"
    wait $long_outage
}

addresses_of_long() { surely user "$url/v2/clusters/$long_real" | jq -r '.nodes[].properties.ipaddresses.access_v4'; }

# ---- what is made ---------------------------------------------------------------------------------------------------

witness='begins $$ >>/var/log/long; i=0; while [ $i -lt '$long' ]; do i=$((i + 1)); echo tick $i; sleep 1; done; echo ends $$ >>/var/log/long'

prepare_long_steps() {
    put services/long-real "$(jq -n --arg script "$witness" '{name: "long-real", dependencies: {provides: [], conflicts: []},
        provisioner: {actions: {start: {type: "shell", fields: {script: "echo", args: $script}}}}}')"
    put clustertemplates/long-real '{"name":"long-real","defaults":{"services":["long-real"],"provider":"local",
        "hardwaretype":"small","imagetype":"debian12"}}'
    simulated_provider simulated-long "{\"simulated_boot_ms\":\"500\",\"simulated_step_ms\":\"$((long * 1000))\"}"
    put services/long-simulated '{"name":"long-simulated","dependencies":{"provides":[],"conflicts":[]},"provisioner":{"actions":{
        "start":{"type":"simulated","fields":{}}}}}'
    put clustertemplates/long-simulated '{"name":"long-simulated","defaults":{"services":["long-simulated"],
        "provider":"simulated-long","hardwaretype":"simulated","imagetype":"simulated"}}'
}

wait_for_long_steps() {  # until all of them run
    for _ in $(seq 600); do
        [ "$(sql "SELECT COUNT(*) FROM task WHERE service LIKE 'long-%' AND state = 'claimed'")" -lt "$1" ] || return 0
        sleep 0.2
    done
    die "the long steps do not begin"
}

check_long_real() {
    local address lines printed task
    [ "$(settle "$long_real")" = active ] || die "the cluster of long steps is $(settle "$long_real"): $(explain "$long_real")"
    for address in $(addresses_of_long); do
        lines=$(on "$address" "$long_real" 'cut -d" " -f1 /var/log/long | paste -sd,')
        [ "$lines" = begins,ends ] || die "on $address the long step did not run once: $lines"
    done
    for task in $(surely user "$url/v2/clusters/$long_real/tasks" | jq -r '.[] | select(.service == "long-real") | .id'); do
        printed=$(surely user "$url/v2/tasks/$task/transcript" | jq -r '[.pieces[] | select(.stream == "out").text] | join("")')
        [ "$(grep -c '^tick ' <<<"$printed")" -eq "$long" ] || die "task $task printed $(grep -c '^tick ' <<<"$printed") ticks, not $long"
        [ "$printed" = "$(seq "$long" | sed 's/^/tick /')" ] || die "the output of task $task is not what it printed"
    done
}

check_long_simulated() {
    local found ledgers_of=("$ledgers/machines/$long_simulated"-*)
    [ "$(settle "$long_simulated")" = active ] || die "the simulated cluster of long steps is $(settle "$long_simulated"): $(explain "$long_simulated")"
    found=$(steps_run_wrongly "${ledgers_of[@]}")
    [ -z "$found" ] || die "by the ledgers of $long_simulated: $found"
}

# ---- the test -------------------------------------------------------------------------------------------------------

sed -e "s|^daemon.lock = .*|daemon.lock = $dir/run/provisioner/second.lock|; s|^daemon.nudge = .*|daemon.nudge = $dir/run/provisioner/second.sock|" \
    "$first" >"$second"
chmod 644 "$second"
prepare_chaos
prepare_long_steps
keep_daemon "$second" second &
keep_daemon "$first" provisioner &
long_real=$(create_surely long-real long-real 2)
long_simulated=$(create_surely long-simulated long-simulated 200)
wait_for_long_steps 202
began=$SECONDS
stream real witnesses 2 &
real=$!
stream simulated steady 50 &
simulated=$!
trouble_daemons &
troubles=$!

sleep "$(percent 20)"
stand_still 20
sleep "$(percent 20)"
stand_still 40
sleep "$(percent 15)"
be_gone 60
sleep "$(percent 20)"
stand_still 90
while [ $((SECONDS - began)) -lt "$(percent 360)" ]; do sleep 1; done
trouble_nodes
say "in minute six: $(sort "$notes/nodes" | uniq -c | paste -sd, | tr -s ' ')"
touch "$notes/calm"
wait $troubles
while [ $((SECONDS - began)) -lt "$long" ]; do sleep 1; done

check_long_real
check_long_simulated
again=$(sql "SELECT COUNT(*) FROM attempt JOIN task ON task.id = attempt.task_id WHERE task.service LIKE 'long-%' AND attempt.number > 1")
[ "$again" -eq 0 ] || die "$again attempts at long steps were not the first"
say "two real and 200 simulated steps of $long s ran once, in their first attempts"
touch "$notes/over"
wait $real || die "a stream of real clusters went wrong"
wait $simulated || die "a stream of simulated clusters went wrong"
delete_surely "$long_real"
delete_surely "$long_simulated"
[ "$(sql "SELECT COUNT(*) FROM job WHERE status NOT IN ('complete', 'failed')")" -eq 0 ] || die "there are jobs that did not end"
[ "$(sql "SELECT COUNT(*) FROM task WHERE state IN ('blocked', 'ready', 'claimed')")" -eq 0 ] || die "there are tasks under way"
no_machine_is_left
for kind in real simulated; do
    [ -s "$notes/active-$kind" ] || die "no $kind cluster became active"
    say "$(wc -l <"$notes/active-$kind") $kind clusters became active, were checked and deleted"
done
say "database stopped ${counts[database stopped]:-0} times, killed ${counts[database killed]:-0} times; daemons: $(sort "$notes/daemons" |
    uniq -c | paste -sd, | tr -s ' '); slowest return to work: $longest_recovery s"
echo "1 passed, 0 failed"
