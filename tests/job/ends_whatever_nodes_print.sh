#!/usr/bin/env bash
# Nodes that print what is no text: random bytes, a Latin-1 letter, half characters, on both streams, and end with exit code 3.
# Every job ends and says why, what was printed can be read, and the cluster can be deleted.
. "$(dirname "$0")/lib.sh"

noise='head -c 3000 /dev/urandom; head -c 3000 /dev/urandom >&2'
service() {  # service NAME COMMANDS
    put "services/$1" "$(jq -n --arg name "$1" --arg args "begins; $2" '{name: $name, dependencies: {provides: [], conflicts: []},
        provisioner: {actions: {start: {type: "shell", fields: {script: "echo", args: $args}}}}}')"
    put "clustertemplates/$1" "{\"name\":\"$1\",\"defaults\":{\"services\":[\"$1\"],\"provider\":\"local\",
        \"hardwaretype\":\"small\",\"imagetype\":\"debian12\"}}"
}
service noisy-failure "$noise; printf '\\ncaf\\351\\n' >&2; exit 3"
service noisy-half "$noise; printf 'caf\\303' >&2; printf '\\342\\202'; exit 3"
service noisy-success "$noise; printf '\\000\\377\\n'"

ended=0
for name in noisy-failure noisy-half noisy-success; do
    id=$(answer user 200 -X POST "$url/v2/clusters" -d "{\"name\":\"$name\",\"clusterTemplate\":\"$name\",\"numMachines\":2}" | jq -r .id)
    status=$(wait_until_settled "$id" 120)
    reason=$(explain "$id")
    case "$name,$status" in
        noisy-success,active) ;;
        noisy-failure,incomplete) [[ $reason == *"ended with exit code 3: caf"* ]] || die "$name says: $reason" ;;
        noisy-half,incomplete) [[ $reason == *"ended with exit code 3"* ]] || die "$name says: $reason" ;;
        *) die "cluster $id of $name is $status: $reason" ;;
    esac
    # The first node that fails for good ends the job: the other one's start may not have begun by then.
    begun=$(answer user 200 "$url/v2/clusters/$id/tasks" | jq -r '.[] | select(.action == "start" and .startTime > 0).id')
    [ -n "$begun" ] || die "no start of $name has begun"
    for task in $begun; do
        printed=$(answer user 200 "$url/v2/tasks/$task/transcript" | jq '[.pieces[] | select(.stream != "note").text | length] | add // 0')
        [ "$printed" -gt 3000 ] || die "of task $task only $printed characters can be read"
    done
    answer user 200 "$url/v2/clusters/$id" >/dev/null
    delete_cluster "$id"
    ended=$((ended + 1))
done
echo "$ended jobs of nodes that print what is no text have ended"
echo "1 passed, 0 failed"
