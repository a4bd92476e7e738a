#!/usr/bin/env bash
# Twenty simulated machines with every accident there is, and a daemon that is killed (-9) twice: the cluster becomes active
# or says why not, each step ran once by the machines' own ledgers, and nothing is left after the deletion. Then the
# examples and a shell action, on machines that are perfect.
. "$(dirname "$0")/lib.sh"

seed=${SEED:-$RANDOM}
echo "SEED=$seed"
ledgers=$dir/simulated

service() {  # service NAME NEEDS: a step that hangs is killed after two seconds
    local actions='' action
    for action in install configure initialize start; do
        actions="$actions,\"$action\":{\"type\":\"simulated\",\"fields\":{\"limit_s\":\"2\"}}"
    done
    printf '{"name":"%s","dependencies":{"provides":[],"conflicts":[],"runtime":{"requires":[%s]}},
        "provisioner":{"actions":{%s}}}' "$1" "$2" "${actions#,}"
}
load_catalogue "$repo/sql/examples/simulated/catalogue" >/dev/null
rough=$(jq --arg seed "$seed" '.provisioner += {"simulated_seed": $seed, "simulated_keep_ledger": "yes",
    "simulated_failing_percent": "4", "simulated_hung_percent": "2", "simulated_step_ms": "400"}' \
    "$repo/sql/examples/simulated/catalogue/providers/simulated-rough.json")
put providers/simulated-rough "$rough"
put services/rough-a "$(service rough-a '')"
put services/rough-b "$(service rough-b '"rough-a"')"
put clustertemplates/rough '{"name":"rough","defaults":{"services":["rough-a","rough-b"],
    "provider":"simulated-rough","hardwaretype":"simulated","imagetype":"simulated"}}'

id=$(answer user 200 -X POST "$url/v2/clusters" -d '{"name":"rough","clusterTemplate":"rough","numMachines":20}' | jq -r .id)
for pause in 1.3 2.1; do
    sleep $pause
    victim=$(cat "$dir/run/provisioner/provisioner.lock")
    grep -q "$dir/etc/cooperage.conf" <<<"$(tr '\0' ' ' <"/proc/$victim/cmdline")" || die "$victim is not our daemon"
    kill -9 "$victim"
    echo "killed $victim after $(as user "$url/v2/clusters/$id/status" | jq -r '"\(.stepscompleted) of \(.stepstotal) steps"')"
done
status=$(wait_until_settled "$id" 300)
case "$status" in
    active) ;;
    incomplete)
        reason=$(explain "$id")
        case "$reason" in '' | null) die "the cluster is incomplete without a reason" ;; esac
        echo "the cluster is incomplete: $reason"
        ;;
    *) die "the cluster is $status" ;;
esac

wanted='configure rough-a,configure rough-b,initialize rough-a,initialize rough-b,install rough-a,install rough-b,start rough-a,start rough-b'
machines=0
for ledger in "$ledgers/machines/$id"-*; do
    machines=$((machines + 1))
done
found=$(steps_run_wrongly "$ledgers/machines/$id"-*)
[ -z "$found" ] || die "by the ledgers: $found"
if [ "$status" = active ]; then
    found=$(steps_done "$ledgers/machines/$id"-* | grep -v ": $wanted$" || true)
    [ -z "$found" ] || die "these have done something else than $wanted: $found"
fi
if [ "$status" = active ]; then [ $machines -eq 20 ] || die "there are $machines machines instead of 20"; fi
jq -rs 'group_by(.is) | map("\(length) \(.[0].is)") | "records: " + join(", ")' "$ledgers/machines/$id"-*

delete_cluster "$id"
left=$(find "$ledgers/machines" -name "$id-*")
[ -z "$left" ] || die "after the deletion there is still: $left"
kept=$(find "$ledgers/gone" -name "*-$id-*" | wc -l)
[ "$kept" -ge "$machines" ] || die "of $machines ledgers that were to be kept there are $kept"
rm -f "$ledgers/gone/"*-"$id"-*

# What a shell action would do is not done: this one fails wherever it is carried out.
put services/untried '{"name":"untried","dependencies":{"provides":[],"conflicts":[]},"provisioner":{"actions":{
    "start":{"type":"shell","fields":{"script":"exit 3"}}}}}'
put clustertemplates/untried '{"name":"untried","defaults":{"services":["untried"],
    "provider":"simulated","hardwaretype":"simulated","imagetype":"simulated"}}'
for template in simulated-one simulated-ten untried; do
    id=$(make_cluster "$template" "$template" 12 60)
    delete_cluster "$id"
    left=$(find "$ledgers" -name "*$id-*")
    [ -z "$left" ] || die "after the deletion there is still: $left"
done

# An abort stops steps that would hang for half an hour.
simulated_provider simulated-hung '{"simulated_hung_percent":"100"}'
put services/hung '{"name":"hung","dependencies":{"provides":[],"conflicts":[]},"provisioner":{"actions":{
    "start":{"type":"simulated","fields":{}}}}}'
put clustertemplates/hung '{"name":"hung","defaults":{"services":["hung"],"provider":"simulated-hung",
    "hardwaretype":"simulated","imagetype":"simulated"}}'
id=$(answer user 200 -X POST "$url/v2/clusters" -d '{"name":"hung","clusterTemplate":"hung","numMachines":50}' | jq -r .id)
hanging() { cat "$ledgers/machines/$id"-* 2>/dev/null | grep -c '"label":"start hung"' || true; }
for _ in $(seq 120); do
    [ "$(hanging)" -ne 50 ] || break
    sleep 0.25
done
[ "$(hanging)" -eq 50 ] || die "only $(hanging) of 50 steps hang"
answer user 200 -X POST "$url/v2/clusters/$id/abort" -d '' >/dev/null
status=$(wait_until_settled "$id" 10)
[ "$status" = incomplete ] || die "the aborted cluster is $status"
stopped=$(cat "$ledgers/machines/$id"-* | grep -c '"is":"stopped"')
[ "$stopped" -eq 50 ] || die "$stopped of 50 steps were stopped"
delete_cluster "$id"
echo "1 passed, 0 failed"
