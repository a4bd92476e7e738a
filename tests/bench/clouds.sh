# Two hundred machines on a stand-in for DigitalOcean that allows 50 calls in any second and boots for 30 s, by the cloud's own provider.
# Sourced by run.

allowed=50
boot=30
# How the provider divides what is allowed: machines asked for a second, and all other calls.
creations=41
calls=9

# settings BOOT ALLOWED: those of the stand-in. Nothing but the boot and the limit takes time.
settings() {
    jq -cn --argjson boot "$1" --argjson allowed "$2" '{boot_seconds: $boot, address_seconds: 0, tag_seconds: 0, droplet_limit: 2000,
        burst_limit: $allowed, burst_seconds: 1, hour_limit: 1000000}'
}

# inevitable_of MACHINES: seconds. Calls that nobody can do without: one listing that shows that nothing is there, the firewall's list, tag and
# creation, and one creation a machine. Of calls of which 50 are allowed in any second, number n goes out after (n - 1) / 50 s, rounded
# down. The last machine then boots, and what follows needs no call.
inevitable_of() { echo $((($1 + 4 - 1) / allowed + boot)); }

calls_of() { control calls | jq "$1"; }
made_so_far() { calls_of .made; }

# memory_for SECONDS: the median of what the daemon holds in memory meanwhile, in kB
memory_for() {
    local pid
    pid=$(cat "$dir/run/provisioner/provisioner.lock")
    for _ in $(seq $(($1 * 5))); do
        awk '/^VmRSS/ { print $2 }' "/proc/$pid/status"
        sleep 0.2
    done | sort -n | awk '{ value[NR] = $1 } END { print value[int((NR + 1) / 2)] }'
}

# ask_for_machines NUMBER: the cluster
ask_for_machines() {
    answer user 200 -X POST "$url/v2/clusters" -d "{\"name\":\"clouds\",\"clusterTemplate\":\"rehearsal\",\"numMachines\":$1}" | jq -r .id
}

# wait_until_made NUMBER: until the cloud has so many, and the daemon waits for them
wait_until_made() {
    for _ in $(seq 300); do
        if [ "$(made_so_far)" -ge "$1" ]; then sleep 3 && return; fi
        sleep 0.2
    done
    die "there are $(made_so_far) machines after a minute, not $1"
}

# waiting_memory NUMBER: what the daemon holds while it waits for so many machines, in kB; the cluster is deleted afterwards
waiting_memory() {
    local id before
    before=$(made_so_far)
    id=$(ask_for_machines "$1")
    wait_until_made $((before + $1))
    memory_for 8
    [ "$(wait_until_settled "$id" 120)" = active ] || die "cluster $id did not become active: $(explain "$id")"
    delete_cluster "$id"
}

bench_clouds() {
    start_set
    # shellcheck source=../support/clouds/rehearsal.sh
    . "$here/../support/clouds/rehearsal.sh"
    local id began ended made before inevitable few many
    begin_rehearsal "$(settings 0 $allowed)"
    use_rehearsal "{\"calls_per_second\": \"$calls\", \"creations_per_second\": \"$creations\"}"
    delete_cluster "$(make_cluster clouds rehearsal 2)"  # the first meets cold caches
    control settings -d "$(settings $boot $allowed)" >/dev/null
    before=$(control calls)
    sleep 1
    began=$EPOCHREALTIME
    id=$(ask_for_machines 200)
    [ "$(wait_until_settled "$id" 120)" = active ] || die "cluster $id did not become active: $(explain "$id")"
    ended=$(mariadb --no-defaults --socket="$dir/run/database/db.sock" --user=root -N cooperage -e \
        "SELECT UNIX_TIMESTAMP(MAX(task.finished_at)) FROM task JOIN job ON job.id = task.job_id WHERE job.cluster_id = $((10#$id))")
    made=$(control calls | jq -c --argjson before "$before" '{all: (([.calls[]] | add) - ([$before.calls[]] | add)),
        creations: (.calls.droplets_create - $before.calls.droplets_create), made: (.made - $before.made),
        refused: ((.throttled // 0) - ($before.throttled // 0))}')
    inevitable=$(inevitable_of 200)
    echo "200 machines were active after $(jq -n "($ended - $began) * 100 | round / 100") s; $inevitable s are inevitable (204 calls, $allowed in any" \
        "second, and the last boot); calls: $made" >&2
    figure clouds.200_machines_active_per_inevitable "$(jq -n "($ended - $began) / $inevitable * 1000 | round / 1000")" ratio 1.1 lower
    figure clouds.machines_made "$(jq .made <<<"$made")" "" 200 lower
    figure clouds.calls_refused_for_their_rate "$(jq .refused <<<"$made")" calls 2 lower
    figure clouds.calls_per_machine "$(jq '.all / 200 * 100 | round / 100' <<<"$made")" calls 2 lower
    delete_cluster "$id"

    # What 200 and 1,000 have in common cancels out.
    control settings -d "$(settings 40 100000)" >/dev/null
    use_rehearsal '{"calls_per_second": "500", "creations_per_second": "200"}'
    few=$(waiting_memory 200)
    many=$(waiting_memory 1000)
    echo "the daemon holds $few kB while 200 machines boot, $many kB while 1,000 do" >&2
    figure clouds.memory_of_a_machine_that_boots "$(jq -n "($many - $few) / 800 * 10 | round / 10")" kB 20 lower
    end_rehearsal
}
