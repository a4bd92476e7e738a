# The same figures on an empty database and after a year: a million tasks of 10,000 clusters, 9,000 of which have ended. What is
# asked of one cluster, or of all time, must not cost more. Sourced by run; `fill` is in api.sh.

# grow CLUSTER: copies of one cluster, as fill makes them, with 100 tasks each that are done, and the usage of their machines
grow() {
    fill "$1"
    mariadb --no-defaults --socket="$dir/run/db.sock" --user=root cooperage <<SQL
UPDATE cluster SET status = 'terminated', ended_at = created_at WHERE name LIKE 'copy-%' AND id % 10 <> 0;
INSERT INTO task (job_id, node_id, action, service, state, waits_for, attempt, fence, message, started_at, finished_at)
SELECT cluster.latest_job_id, node.id, 'start', 'one', 'done', 0, 1, 1, '', cluster.created_at, cluster.created_at
FROM seq_1_to_10, cluster JOIN node ON node.cluster_id = cluster.id WHERE cluster.name LIKE 'copy-%';
INSERT INTO attempt (task_id, number, worker, status, status_code, started_at, finished_at)
SELECT task.id, 1, 'bench', 'complete', 0, task.started_at, task.finished_at
FROM task JOIN job ON job.id = task.job_id JOIN cluster ON cluster.id = job.cluster_id WHERE cluster.name LIKE 'copy-%';
INSERT INTO machine_span (node_id, began_at, ended_at, tenant_id, cluster_id, owner, cluster_template)
SELECT node.id, cluster.created_at - INTERVAL 1 DAY, cluster.ended_at, cluster.tenant_id, cluster.id, cluster.owner, 'simulated-ten'
FROM cluster JOIN node ON node.cluster_id = cluster.id WHERE cluster.name LIKE 'copy-%';
ANALYZE TABLE task, attempt, machine_span;
SQL
}

# Adds up spans until none is left, as the provisioner does every ten minutes.
wait_until_added_up() {
    pkill -TERM -f "^$repo/build/release/bin/cooperage-provisioner --config $dir/etc/cooperage.conf" || true
    for _ in $(seq 600); do
        [ "$(mariadb --no-defaults --socket="$dir/run/db.sock" --user=root cooperage -Ne \
            'SELECT COUNT(*) FROM machine_span WHERE added_up <> 1 AND ended_at IS NOT NULL')" != 0 ] || return 0
        sleep 1
    done
    die "usage is not added up after ten minutes"
}

# median COMMAND...: of 21 runs, each of which prints a number
median() {
    local i
    for i in $(seq 21); do "$@"; done | sort -n | awk 'NR == 11'
}

seconds_of() {  # seconds_of PATH: until the answer is there
    as user -o /dev/null -w '%{time_total}\n' "$url$1"
}

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

seconds_of_page() { curl -s -o /dev/null -w '%{time_total}\n' -b "$cookies" "$url$1"; }

seconds_to_create() {
    local body
    body=$(as user -w '\n%{time_total}' -X POST "$url/v2/clusters" -d '{"name":"grown","clusterTemplate":"simulated-one","numMachines":10}')
    echo "${body##*$'\n'}"
}

# tasks_per_second: of a job of 800 tasks
tasks_per_second() { active_after simulated-one 200 | jq .per_second; }

# growth_figures CLUSTER: name and value a line
growth_figures() {
    echo "create_of_10_nodes $(median seconds_to_create)"
    sleep 5
    echo "seconds_a_task $(for _ in 1 2 3 4 5; do tasks_per_second; done | sort -n | awk 'NR == 3 { print 1 / $1 }')"
    echo "list_of_50 $(median seconds_of '/v2/clusters?limit=50')"
    echo "details $(median seconds_of "/v2/clusters/$1")"
    echo "status $(median seconds_of "/v2/clusters/$1/status")"
    echo "usage_of_all_time $(median seconds_of /v2/metrics/nodes/usage)"
    echo "usage_of_a_day $(median seconds_of "/v2/metrics/nodes/usage?start=$(($(date +%s) - 40000))&end=$(date +%s)")"
    echo "page_of_clusters $(median seconds_of_page /clusters)"
    echo "page_of_a_cluster $(median seconds_of_page "/clusters/$1")"
}

bench_growth() {
    start_set
    local id before after name value
    load_catalogue "$repo/sql/examples/simulated/catalogue" >&2
    id=$(make_cluster bench simulated-ten 10)
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
