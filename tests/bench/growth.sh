# The same figures with a hundred clusters that live, and when 9,900 more have been there for a year, with a million tasks. What is asked
# of one cluster, of a day or of all time must not cost more. Sourced by run; `fill` is in api.sh.

begin_usage() {  # begin_usage NAME: that of the machines of the copies with that name
    mariadb --no-defaults --socket="$dir/run/database/db.sock" --user=root cooperage <<SQL
INSERT INTO machine_span (node_id, began_at, ended_at, tenant_id, cluster_id, owner, cluster_template)
SELECT node.id, cluster.created_at, cluster.ended_at, cluster.tenant_id, cluster.id, cluster.owner, 'simulated-ten'
FROM cluster JOIN node ON node.cluster_id = cluster.id WHERE cluster.name LIKE '$1-%';
SQL
}

# grow CLUSTER: copies of one cluster with 100 tasks each that are done, and the usage of their machines; they lived for three hours
# each, on all days of a year
grow() {
    fill "$1" 9900 ended
    mariadb --no-defaults --socket="$dir/run/database/db.sock" --user=root cooperage <<SQL
UPDATE cluster SET status = 'terminated', created_at = created_at - INTERVAL 1 + id % 364 DAY, ended_at = created_at + INTERVAL 3 HOUR
WHERE name LIKE 'ended-%';
INSERT INTO task (job_id, node_id, action, service, state, waits_for, attempt, fence, message, started_at, finished_at)
SELECT cluster.latest_job_id, node.id, 'start', 'one', 'done', 0, 1, 1, '', cluster.created_at, cluster.created_at
FROM seq_1_to_10, cluster JOIN node ON node.cluster_id = cluster.id WHERE cluster.name LIKE 'ended-%';
INSERT INTO attempt (task_id, number, worker, status, status_code, started_at, finished_at)
SELECT task.id, 1, 'bench', 'complete', 0, task.started_at, task.finished_at
FROM task JOIN job ON job.id = task.job_id JOIN cluster ON cluster.id = job.cluster_id WHERE cluster.name LIKE 'ended-%';
SQL
    begin_usage ended
    mariadb --no-defaults --socket="$dir/run/database/db.sock" --user=root cooperage -e 'ANALYZE TABLE task, attempt, machine_span'
}

not_added_up() {
    mariadb --no-defaults --socket="$dir/run/database/db.sock" --user=root cooperage -Ne \
        'SELECT COUNT(*) FROM machine_span WHERE added_up <> 1 AND ended_at IS NOT NULL'
}

# Adds up spans until none is left, as the provisioner does every ten minutes and when it begins.
wait_until_added_up() {
    pkill -TERM -f "^$repo/build/release/bin/cooperage-provisioner --config $dir/etc/cooperage.conf" || true
    for _ in $(seq 600); do
        if [ "$(not_added_up)" = 0 ]; then
            sleep 5  # it does other things, too, when it begins
            return
        fi
        sleep 1
    done
    die "usage is not added up after ten minutes"
}

# quartile COMMAND...: of 61 runs, each of which prints a number, the 16th: what others do on this machine shows in the later ones
quartile() {
    local i
    for i in $(seq 61); do "$@"; done | sort -n | awk 'NR == 16'
}

# timed CURL...: seconds until the answer is there; nothing but a good one counts
timed() {
    local code seconds
    read -r code seconds <<<"$("$@" -o /dev/null -w '%{http_code} %{time_total}')"
    [ "$code" = 200 ] || die "status $code from $*"
    echo "$seconds"
}

seconds_of() { timed as user "$url$1"; }  # seconds_of PATH

# log_in: a browser's session in $cookies
log_in() {
    local password
    password=$(jq -r '.users[] | select(.tenant == "demo" and .role == "user") | .password' "$access")
    cookies=$(mktemp)
    curl -sS -o /dev/null -c "$cookies" -H 'Sec-Fetch-Site: same-origin' "$url/login" --data-urlencode tenant=demo \
        --data-urlencode "user=$(jq -r '.users[] | select(.tenant == "demo" and .role == "user") | .user' "$access")" \
        --data-urlencode "password=$password"
    [ "$(curl -s -o /dev/null -w '%{http_code}' -b "$cookies" "$url/clusters")" = 200 ] || die "no session for the pages"
}

seconds_of_page() { timed curl -s -b "$cookies" "$url$1"; }

seconds_to_create() {
    timed as user -X POST "$url/v2/clusters" -d '{"name":"grown","clusterTemplate":"simulated-one","numMachines":10}'
}

# tasks_per_second: of a job of 2,000 tasks
tasks_per_second() { active_after simulated-one 500 | jq .per_second; }

# growth_figures CLUSTER: name and value a line
growth_figures() {
    echo "create_of_10_nodes $(quartile seconds_to_create)"
    sleep 5
    echo "seconds_a_task $(for _ in 1 2 3 4 5; do tasks_per_second; done | sort -rn | awk 'NR == 2 { print 1 / $1 }')"
    echo "list_of_50 $(quartile seconds_of '/v2/clusters?limit=50')"
    echo "details $(quartile seconds_of "/v2/clusters/$1")"
    echo "status $(quartile seconds_of "/v2/clusters/$1/status")"
    # Of the thousands of machines that were just made and deleted, more each time.
    mariadb --no-defaults --socket="$dir/run/database/db.sock" --user=root cooperage -e \
        "DELETE FROM machine_span WHERE cluster_template = 'simulated-one' AND ended_at IS NOT NULL"
    echo "usage_of_all_time $(quartile seconds_of /v2/metrics/nodes/usage)"
    echo "usage_of_a_day $(quartile seconds_of "/v2/metrics/nodes/usage?start=$(($(date +%s) - 172800))&end=$(($(date +%s) - 86400))")"
    echo "page_of_clusters $(quartile seconds_of_page /clusters)"
    echo "page_of_a_cluster $(quartile seconds_of_page "/clusters/$1")"
}

bench_growth() {
    start_set
    local id before after name value
    load_catalogue "$repo/sql/examples/simulated/catalogue" >&2
    id=$(make_cluster bench simulated-ten 10)
    fill "$((10#$id))" 100 alive >&2
    begin_usage alive
    log_in
    growth_figures "$id" >/dev/null  # the first meets cold caches
    before=$(growth_figures "$id")
    grow "$((10#$id))" >&2
    wait_until_added_up
    after=$(growth_figures "$id")
    while read -r name value; do
        figure "growth.$name" "$(awk -v n="$name" -v b="$value" '$1 == n { printf "%.3f", $2 / b }' <<<"$after")" ratio 1.3 lower
        printf '%s: %s s, then %s s\n' "$name" "$value" "$(awk -v n="$name" '$1 == n { print $2 }' <<<"$after")" >&2
    done <<<"$before"
    rm -f "$cookies"
}
