#!/usr/bin/env bash
# Clusters are made, grown, shrunk and deleted on a stand-in for a cloud that answers at random with errors, late, by half, not at all, or
# asks to slow down, while daemon, database and web are killed (-9). At the end nothing is left in the cloud, and never has a node had two
# machines at once: the stand-in's own record says so.
#   COOPERAGE_CHAOS_SECONDS, COOPERAGE_CHAOS_NODES, SEED: 75, 40, any
. "$(dirname "$0")/chaos.sh"
# shellcheck source=../support/clouds/rehearsal.sh
. "$repo/tests/support/clouds/rehearsal.sh"

seconds=${COOPERAGE_CHAOS_SECONDS:-75}
nodes=${COOPERAGE_CHAOS_NODES:-40}
seed=${SEED:-$RANDOM}
echo "SEED=$seed"
RANDOM=$seed
# Streams of clusters side by side.
streams=4
horrors='{"error": 3, "throttle": 1, "lost_reply": 3, "lost_request": 2, "truncated": 2, "delay": 4, "slow_request": 4, "late": 3, "comes_back": 1}'

end_all() {
    clean_up
    end_rehearsal
}
trap end_all EXIT

# ---- one cluster after the other ------------------------------------------------------------------------------------

change_surely() {  # change_surely CLUSTER grow|shrink MACHINES: its status afterwards. A change without an answer may have been done.
    surely user -X POST "$url/v2/clusters/$1/$2" -d "{\"numMachines\":$3}" >/dev/null
    settle "$1"
}

# A deletion that failed is asked for again, as a person would.
delete_at_last() {
    local status
    for _ in $(seq 20); do
        surely user -X DELETE "$url/v2/clusters/$1" >/dev/null
        status=$(settle "$1")
        if [ "$status" = terminated ]; then return; fi
        echo "deletion" >>"$notes/again"
        sleep 1
    done
    die "cluster $1 is $status after its deletion: $(surely user "$url/v2/clusters/$1" | jq -r .message)"
}

lives() {  # lives STREAM MACHINES
    local round=0 id status run=$RANDOM more=$(($2 / 3 + 1))
    while [ ! -e "$notes/over" ]; do
        round=$((round + 1))
        id=$(create_surely "cloud$1-$run-$round" rehearsal $(($2 - more)))
        status=$(settle "$id")
        if [ "$status" = active ]; then status="grown, $(change_surely "$id" grow "$more")"; fi
        if [ "$status" = "grown, active" ]; then status="shrunk, $(change_surely "$id" shrink "$more")"; fi
        echo "$status" >>"$notes/lives"
        case "$status" in
            *active | *incomplete | *terminated) ;;
            *) die "cluster $id is $status: $(surely user "$url/v2/clusters/$id" | jq -r .message)" ;;
        esac
        [ "$status" = "shrunk, active" ] || say "cluster $id: $status: $(surely user "$url/v2/clusters/$id" | jq -r .message)"
        delete_at_last "$id"
    done
}

# ---- what is left ---------------------------------------------------------------------------------------------------

things_in_cloud() {
    control state | jq -r '(.droplets[] | "droplet \(.name)"), (.volumes[] | "disk \(.name)"), (.firewalls[] | "firewall \(.name)"),
        (.keys[] | select(.name != "rehearsal") | "key \(.name)"), (.tags[] | select(startswith("cooperage-cluster")) | "tag \(.)")'
}

# What appeared too late is found by the sweep of the account, each minute.
nothing_is_left() {
    local left
    for _ in $(seq 180); do
        left=$(things_in_cloud)
        [ -n "$left" ] || return 0
        sleep 1
    done
    die "in the cloud there is still: $left"
}

# ---- the test -------------------------------------------------------------------------------------------------------

begin_rehearsal '{"boot_seconds": 1, "address_seconds": 0.3, "tag_seconds": 0.2, "destroy_seconds": 0.5, "droplet_limit": 5000, "volume_limit": 5000,
    "burst_limit": 1000000, "hour_limit": 10000000}'
use_rehearsal '{"calls_per_second": "300", "creations_per_second": "50", "digitalocean_volume_size_gb": "1"}'
control chaos -d "{\"seed\": $seed, \"percent\": $horrors}" >/dev/null
: >"$notes/lives"
: >"$notes/again"
of_lives=()
for stream in $(seq $streams); do
    lives "$stream" $((nodes / streams)) &
    of_lives+=($!)
done
keep_up &
keeper=$!
declare -A kills
began=$SECONDS
while [ $((SECONDS - began)) -lt "$seconds" ]; do
    # A creation waits ten seconds when the daemon that began it has died: some must live longer.
    sleep $((4 + RANDOM % 12))
    case $((RANDOM % 5)) in
        0 | 1 | 2) victim=daemon && kill_daemon "$dir/run/provisioner/provisioner.lock" "$dir/etc/cooperage.conf" ;;
        3) victim=database && kill_database ;;
        4) victim=web && kill_web ;;
    esac
    kills[$victim]=$((${kills[$victim]:-0} + 1))
done
say "killed: daemon ${kills[daemon]:-0}, database ${kills[database]:-0}, web ${kills[web]:-0}"
come_to_rest
failed=0
for one in "${of_lives[@]}"; do wait "$one" || failed=1; done
[ $failed -eq 0 ] || die "a stream of clusters went wrong"
control chaos -d '{}' >/dev/null
nothing_is_under_way
nothing_is_left
told=$(control calls)
say "calls $(jq '[.calls[]] | add' <<<"$told"), machines made $(jq .made <<<"$told"), doubles $(jq '.doubles | length' <<<"$told"), left 0, faults $(jq -c .faults <<<"$told")"
say "lives of clusters: $(sort "$notes/lives" | uniq -c | sed 's/^ *//' | paste -sd';'); deletions asked for again: $(wc -l <"$notes/again")"
[ "$(jq '.doubles | length' <<<"$told")" -eq 0 ] || die "a node had two machines at once: $(jq -c .doubles <<<"$told")"
grep -q '^shrunk, active' "$notes/lives" || die "no cluster was made, grown and shrunk"
echo "1 passed, 0 failed"
