# What the tests of chaos share: two streams of clusters, made, looked at and deleted again and again while things are killed,
# by a client that is told nothing but answers that do not come.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

ledgers=$dir/simulated
port=$(cat "$dir/etc/port")
notes=$(mktemp -d)
# What goes wrong must not leave anybody behind who makes clusters or starts things again.
clean_up() {
    local children child
    touch "$notes/over"
    mapfile -t children < <(jobs -p)
    for child in "${children[@]}"; do
        kill -STOP "$child" 2>/dev/null || continue
        pkill -P "$child" || true
        kill -KILL "$child"
    done
    wait
    rm -rf "$notes"
}
trap clean_up EXIT

say() { echo "$(date +%T) $*"; }

# surely ROLE curl-arguments...: the body of the first answer that is a 2xx, 404 or 409; waits through outages
surely() {
    local body got role=$1
    shift
    for _ in $(seq 600); do
        body=$(as "$role" --max-time 10 -w '\n%{http_code}' "$@" 2>/dev/null || true)
        got=${body##*$'\n'}
        case "$got" in 2?? | 404 | 409) printf '%s' "${body%$'\n'*}" && return ;; esac
        sleep 0.2
    done
    die "$* is not answered for two minutes; at last with $got: $body"
}

cluster_named() { surely user "$url/v2/clusters" | jq -r --arg name "$1" 'map(select(.name == $name))[0].id // empty'; }

# create_surely NAME TEMPLATE SIZE: its id; a create without an answer may have been done
create_surely() {
    local id
    for _ in $(seq 100); do
        id=$(cluster_named "$1")
        [ -z "$id" ] || break
        as user --max-time 10 -o /dev/null -X POST "$url/v2/clusters" \
            -d "{\"name\":\"$1\",\"clusterTemplate\":\"$2\",\"numMachines\":$3}" 2>/dev/null || true
    done
    [ -n "$id" ] || die "cluster $1 cannot be made"
    echo "$id"
}

settle() {  # settle CLUSTER: its status once no job is under way
    local status
    for _ in $(seq 1200); do
        status=$(surely user "$url/v2/clusters/$1/status" | jq -r .status)
        if [ "$status" != pending ]; then echo "$status" && return; fi
        sleep 0.25
    done
    echo "still pending"
}

delete_surely() {
    local status
    surely user -X DELETE "$url/v2/clusters/$1" >/dev/null
    status=$(settle "$1")
    [ "$status" = terminated ] || die "cluster $1 is $status after its deletion: $(surely user "$url/v2/clusters/$1" | jq -r .message)"
}

# check_real CLUSTER SIZE: every machine is there, and every step ran once on each
check_real() {
    local json address lines name
    json=$(surely user "$url/v2/clusters/$1")
    jq -r '.nodes[] | .properties.ipaddresses.access_v4 + " ssh-ed25519 " + .provisionerResults.ssh_host_keys.ed25519' \
        <<<"$json" >"$notes/hosts-$1"
    [ "$(wc -l <"$notes/hosts-$1")" -eq "$2" ] || die "cluster $1 has not $2 machines"
    while read -r address _; do
        lines=$(ssh -n -q -i "$dir/etc/ssh_key" -o UserKnownHostsFile="$notes/hosts-$1" -o StrictHostKeyChecking=yes \
            -o BatchMode=yes "root@$address" 'sort /var/log/witness | uniq -c | awk "{ print \$1, \$2, \$3, \$4 }"')
        [ "$(echo "$lines" | wc -l)" -eq $witness_lines ] || die "on $address of $1 not every step left its lines: $lines"
        if grep -qv '^1 ' <<<"$lines"; then die "on $address of $1 a step ran more than once: $lines"; fi
    done <"$notes/hosts-$1"
}

check_simulated() {
    local found ledgers_of=("$ledgers/machines/$1"-*)
    [ ${#ledgers_of[@]} -eq "$2" ] || die "cluster $1 has ${#ledgers_of[@]} machines instead of $2"
    found=$(steps_run_wrongly "${ledgers_of[@]}")
    [ -z "$found" ] || die "by the ledgers of $1: $found"
    steps_done "${ledgers_of[@]}" >"$notes/done-$1"
    [ "$(wc -l <"$notes/done-$1")" -eq "$2" ] || die "not every machine of $1 has done something"
    found=$(grep -v ": configure steady,initialize steady,install steady,start steady$" "$notes/done-$1" || true)
    [ -z "$found" ] || die "these of $1 have not done everything once: $found"
}

# stream NAME TEMPLATE SIZE: clusters one after the other until the file `over` is there
stream() {
    local round=0 id status reason run=$RANDOM
    while [ ! -e "$notes/over" ]; do
        round=$((round + 1))
        id=$(create_surely "$1-$run-$round" "$2" "$3")
        status=$(settle "$id")
        if [ "$status" = active ]; then
            "check_$1" "$id" "$3"
            echo "$id" >>"$notes/active-$1"
        else
            reason=$(surely user "$url/v2/clusters/$id" | jq -r .message)
            case "$status,$reason" in incomplete,?* | terminated,?*) ;; *) die "cluster $id of $1 is $status: $reason" ;; esac
            say "$1: cluster $id is $status: $reason"
        fi
        delete_surely "$id"
        say "$1: round $round is over, it was $status"
    done
}

# Services of every kind that are killed are started again as a person would: by `up`, again and again.
keep_up() {
    while [ ! -e "$notes/over" ]; do
        "$repo/cooperage" --dir "$dir" --port "$port" up >>"$dir/log/chaos.log" 2>&1 || true
        sleep 0.2
    done
}

kill_database() { kill -9 "$(cut -d' ' -f1 "$dir/run/database.pid")" 2>/dev/null || true; }
kill_web() { kill -9 "$(cat "$dir/run/web/web.sock.lock")" 2>/dev/null || true; }

# kill_daemon LOCK CONFIG: the one that works
kill_daemon() {
    local victim
    victim=$(cat "$1" 2>/dev/null || true)
    if [ -n "$victim" ] && pgrep -f "cooperage-provisioner --config $2" | grep -qx "$victim"; then
        kill -9 "$victim" 2>/dev/null || true
    fi
}

sql() { mariadb --no-defaults --socket="$dir/run/database/db.sock" --user=root -N cooperage -e "$1"; }

# How many machines the daemons took away because their nodes were gone. Somebody made these too late.
orphans_removed() { cat "$dir"/log/*.log | grep -c machine.orphan_removed || true; }

prepare_chaos() {
    machines_there >"$notes/before"
    orphans_before=$(orphans_removed)
    put_witnesses 0.3
    load_catalogue "$repo/sql/examples/simulated/catalogue" >/dev/null
    simulated_provider simulated-steady '{"simulated_boot_ms":"500","simulated_step_ms":"500","simulated_step_spread_ms":"300"}'
    put services/steady '{"name":"steady","dependencies":{"provides":[],"conflicts":[]},"provisioner":{"actions":{
        "install":{"type":"simulated","fields":{}},"configure":{"type":"simulated","fields":{}},
        "initialize":{"type":"simulated","fields":{}},"start":{"type":"simulated","fields":{}}}}}'
    put clustertemplates/steady '{"name":"steady","defaults":{"services":["steady"],"provider":"simulated-steady",
        "hardwaretype":"simulated","imagetype":"simulated"}}'
}

# start_streams REAL SIMULATED: clusters of so many machines each
start_streams() {
    stream real witnesses "$1" &
    real=$!
    stream simulated steady "$2" &
    simulated=$!
    keep_up &
    keeper=$!
}

machines_there() {
    "$repo/build/release/bin/cooperage-local-host" list --state "$dir/local" | jq -r .name
    [ ! -d "$ledgers/machines" ] || find "$ledgers/machines" -type f -printf '%f\n'
}

# A worker that was stopped at the wrong moment may have made one after all was over: the daemon looks for these each minute.
no_machine_is_left() {
    local left
    for _ in $(seq 90); do
        left=$(machines_there | grep -vxF -f "$notes/before" || true)
        [ -n "$left" ] || return 0
        sleep 1
    done
    die "there are machines nobody knows: $left"
}

# come_to_rest: ends the keeper; everything runs afterwards
come_to_rest() {
    touch "$notes/over"
    wait "$keeper" || true
    # What was killed last may still be on its way out.
    for _ in 1 2 3; do
        if "$repo/cooperage" --dir "$dir" --port "$port" up >>"$dir/log/chaos.log" 2>&1; then break; fi
        sleep 1
    done
}

nothing_is_under_way() {
    [ "$(sql "SELECT COUNT(*) FROM job WHERE status NOT IN ('complete', 'failed')")" -eq 0 ] || die "there are jobs that did not end"
    [ "$(sql "SELECT COUNT(*) FROM job WHERE status = 'failed' AND message = ''")" -eq 0 ] || die "a job failed without a reason"
    [ "$(sql "SELECT COUNT(*) FROM task WHERE state IN ('blocked', 'ready', 'claimed')")" -eq 0 ] || die "there are tasks under way"
    [ "$(sql "SELECT COUNT(*) FROM ready_task")" -eq 0 ] || die "there are tasks in the queue"
}

# end_streams: waits for them; then nothing may be under way, unexplained or left
end_streams() {
    local failed=0
    come_to_rest
    wait "$real" || failed=1
    wait "$simulated" || failed=1
    [ $failed -eq 0 ] || die "a stream of clusters went wrong"
    nothing_is_under_way
    no_machine_is_left
    for kind in real simulated; do
        [ -s "$notes/active-$kind" ] || die "no $kind cluster became active"
        say "$(wc -l <"$notes/active-$kind") $kind clusters became active, were checked and deleted"
    done
}
