# One command on fifty real hosts: ours, by a call to start a service on all of them, against what people do it with today.
# Sourced by run.

hosts_to_reach=50

# fastest COMMAND...: of three runs, "seconds processor-seconds"; what the hosts do is not in the latter
fastest() {
    local TIMEFORMAT='%R %U %S'
    for _ in 1 2 3; do
        { time "$@" >"$work/output" 2>&1 || { cat "$work/output" >&2 && die "$1 failed"; }; } 2>&1
    done | awk '{ print $1, $2 + $3 }' | sort -n | head -n 1
}

# Processor seconds the daemon has used.
daemon_time() {
    awk -v hz="$(getconf CLK_TCK)" '{ sub(/.*\) /, ""); print ($12 + $13) / hz }' "/proc/$(cat "$dir/run/provisioner/provisioner.lock")/stat"
}

with_ssh() {
    xargs -P $hosts_to_reach -I HOST ssh -n -F "$work/ssh_config" HOST "$command" <"$work/hosts"
}
with_parallel_ssh() {
    parallel-ssh -h "$work/hosts" -p $hosts_to_reach -t 60 -x "-F $work/ssh_config" "$command"
}
with_ansible() {
    ANSIBLE_SSH_ARGS="-F $work/ssh_config $1" ANSIBLE_LOCAL_TEMP=$work/ansible ANSIBLE_HOME=$work/ansible \
        ansible all -i "$work/hosts" -f $hosts_to_reach -m raw -a "$command"
}

# run_on_all CLUSTER: seconds from the call to the end of the last task. The call's own time and the job's overlap a little.
run_on_all() {
    local began answered
    began=$EPOCHREALTIME
    answer user 200 -X POST "$url/v2/clusters/$1/services/fifty/start" >/dev/null
    answered=$(elapsed "$began")
    [ "$(wait_until_settled "$1" 60)" = active ] || die "cluster $1 did not become active: $(explain "$1")"
    job_path "$1" | jq --argjson answered "$answered" '$answered + .makespan'
}

# Ends the daemon, and with it every session it keeps; its keeper's successor begins without any.
forget_sessions() {
    local victim
    victim=$(cat "$dir/run/provisioner/provisioner.lock")
    kill -9 "$victim"
    for _ in $(seq 100); do
        sleep 0.1
        [ "$(cat "$dir/run/provisioner/provisioner.lock")" = "$victim" ] || break
    done
    sleep 1
}

# against NAME FIRST KEPT COMMAND...: its time per ours, with the goals for a first run and for kept sessions, and the processor
# time it takes on this side per the daemon's
against() {
    local name=$1 first_goal=$2 kept_goal=$3 took used
    shift 3
    read -r took used <<<"$(fastest "$@")"
    figure "ssh.$name.per_first_run" "$(jq -n "($took / $first * 100 | round) / 100")" ratio "$first_goal" higher
    figure "ssh.$name.per_run_with_kept_sessions" "$(jq -n "($took / $again * 100 | round) / 100")" ratio "$kept_goal" higher
    figure "ssh.$name.processor_time_per_daemons" "$(jq -n "($used / $processor * 10 | round) / 10")" ratio 10 higher
}

bench_ssh() {
    local tool id first='' again='' began processor
    for tool in ansible parallel-ssh; do
        command -v $tool >/dev/null || { echo "bench: ssh needs $tool (packages ansible-core and pssh)" >&2 && exit 2; }
    done
    start_set
    work=$(mktemp -d)
    command='echo ran >>/var/log/fifty'
    put services/fifty "{\"name\":\"fifty\",\"dependencies\":{\"provides\":[],\"conflicts\":[]},\"provisioner\":{\"actions\":{
        \"start\":{\"type\":\"shell\",\"fields\":{\"script\":\"echo\",\"args\":\"ran >>/var/log/fifty\"}}}}}"
    put clustertemplates/fifty '{"name":"fifty","defaults":{"services":["fifty"],"provider":"local","hardwaretype":"small",
        "imagetype":"debian12"}}'
    id=$(make_cluster fifty fifty $hosts_to_reach)
    addresses_of "$id" >"$work/hosts"
    as user "$url/v2/clusters/$id" | jq -r '.nodes[] | .properties.ipaddresses.access_v4 + " ssh-ed25519 " +
        .provisionerResults.ssh_host_keys.ed25519' >"$work/known_hosts"
    printf '%s\n' "Host *" "User root" "IdentityFile $dir/etc/ssh_key" "UserKnownHostsFile $work/known_hosts" \
        "StrictHostKeyChecking yes" "BatchMode yes" >"$work/ssh_config"

    for _ in 1 2 3; do
        forget_sessions
        first="$first $(run_on_all "$id")"
        again="$again $(run_on_all "$id")"
    done
    began=$(daemon_time)
    for _ in 1 2 3; do run_on_all "$id" >/dev/null; done
    processor=$(jq -n "($(daemon_time) - $began) / 3")
    figure ssh.daemon_processor_time_for_50_hosts "$(rounded . "$processor")" s 0.25 lower
    first=$(tr ' ' '\n' <<<"$first" | grep . | sort -n | head -n 1)
    again=$(tr ' ' '\n' <<<"$again" | grep . | sort -n | head -n 1)
    figure ssh.first_run_on_50_hosts "$(rounded . "$first")" s 5 lower
    figure ssh.run_on_50_hosts_with_kept_sessions "$(rounded . "$again")" s 1 lower
    mkdir -p "$work/control"
    against ssh 2.5 6 with_ssh
    against parallel_ssh 5 10 with_parallel_ssh
    against ansible 5 10 with_ansible "-o ControlMaster=no"
    against ansible_with_kept_connections 5 10 with_ansible \
        "-o ControlMaster=auto -o ControlPersist=60 -o ControlPath=$work/control/%h"
    delete_cluster "$id"
    rm -rf "$work"
}
