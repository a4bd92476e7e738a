# Reading a cluster's status through nginx, against a file nginx sends by itself and a FastCGI program that only says hello;
# then once more with 10,000 clusters and 100,000 nodes in the database. Sourced by run.

# reads PATH HEADER...: requests a second and the 99th percentile in ms, "rate p99"
reads() {
    local path=$1
    shift
    wrk -t1 -c16 -d4s --latency "${@/#/-H}" "http://127.0.0.1:$bench_port$path" |
        awk '/99%/ { p99 = $2 } /Requests\/sec/ { rate = $2 } /Non-2xx/ { bad = $0 }
             END { if (bad && bad !~ /304/) print bad >"/dev/stderr"
                   ms = p99 ~ /us$/ ? p99 / 1000 : p99 ~ /ms$/ ? p99 + 0 : p99 * 1000
                   print rate, ms }'
}

start_bench_nginx() {
    bench_port=$(($(cat "$dir/etc/port") + 1000))
    "$repo/build/release/bin/bench_hello" "$work/hello.sock" &
    hello_pid=$!
    mkdir -p "$work/nginx" "$work/static"
    echo hello >"$work/static/hello"
    chmod -R a+rX "$work"
    cat >"$work/nginx.conf" <<TEXT
user root;
worker_processes auto;
pid $work/nginx.pid;
error_log $work/nginx.error.log warn;
events { worker_connections 2048; }
http {
    access_log off;
    client_body_temp_path $work/nginx/body;
    fastcgi_temp_path $work/nginx/fastcgi;
    proxy_temp_path $work/nginx/proxy;
    scgi_temp_path $work/nginx/scgi;
    uwsgi_temp_path $work/nginx/uwsgi;
    include $repo/nginx/http.conf;
    server {
        listen 127.0.0.1:$bench_port;
        include $repo/nginx/fastcgi_params;
        location /static/ { alias $work/static/; }
        location /hello { fastcgi_pass unix:$work/hello.sock; }
        location / { fastcgi_pass unix:$dir/run/web/web.sock; }
    }
}
TEXT
    nginx -p "$work/nginx" -c "$work/nginx.conf" -g 'daemon off;' &
    for _ in $(seq 100); do
        curl -s -o /dev/null "http://127.0.0.1:$bench_port/hello" && return
        sleep 0.05
    done
    die "the benchmark's nginx does not answer: $(cat "$work/nginx.error.log")"
}

# fill CLUSTER [COPIES [NAME]]: so many copies of one cluster, of 10,000, with its nodes and last job, called NAME-1, NAME-2 ...
fill() {
    local copies=${2:-10000} name=${3:-copy}
    mariadb --no-defaults --socket="$dir/run/database/db.sock" --user=root cooperage <<SQL
INSERT INTO cluster (tenant_id, owner_id, owner, name, description, status, message, created_at, expires_at, services, config, snapshot,
                     headers, node_count, dns_suffix)
SELECT tenant_id, owner_id, owner, CONCAT('$name-', seq), description, status, message, created_at, expires_at, services, config, snapshot,
       headers, node_count, dns_suffix
FROM cluster, seq_1_to_$copies WHERE id = $1;
INSERT INTO node (uuid, cluster_id, nodenum, hostname, hardware_type, image_type, flavor, image, ssh_user, settings, services,
                  automators, addresses, results)
SELECT UUID(), copy.id, nodenum, hostname, hardware_type, image_type, flavor, image, ssh_user, settings, node.services,
       automators, addresses, results
FROM node, cluster copy WHERE cluster_id = $1 AND copy.name LIKE '$name-%';
INSERT INTO job (cluster_id, operation, status, message, tasks_total, tasks_done, tasks_failed, created_at, finished_at)
SELECT copy.id, operation, job.status, job.message, tasks_total, tasks_done, tasks_failed, job.created_at, finished_at
FROM job, cluster copy WHERE cluster_id = $1 AND operation = 'cluster_create' AND copy.name LIKE '$name-%';
UPDATE cluster, job SET latest_job_id = job.id WHERE job.cluster_id = cluster.id AND cluster.name LIKE '$name-%';
ANALYZE TABLE cluster, node, job;
SQL
}

# Seconds until the first byte.
list_a_page() { curl -s -o /dev/null -w '%{time_starttransfer}\n' "${who[@]/#/-H}" "http://127.0.0.1:$bench_port/v2/clusters?limit=50"; }

bench_api() {
    command -v wrk >/dev/null || { echo "bench: api needs wrk" >&2 && exit 2; }
    start_set
    local hello_pid id tag who user key static hello plain tagged
    work=$(mktemp -d)
    load_catalogue "$repo/sql/examples/simulated/catalogue" >&2
    id=$(make_cluster bench simulated-ten 10)
    start_bench_nginx
    user=$(jq -r '.users[] | select(.tenant == "demo" and .role == "user") | .user' "$access")
    key=$(jq -r '.users[] | select(.tenant == "demo" and .role == "user") | .apikey' "$access")
    who=("Coopr-UserID: $user" "Coopr-TenantID: demo" "Coopr-ApiKey: $key")
    tag=$(as user -o /dev/null -D - "$url/v2/clusters/$id/status" | tr -d '\r' | sed -n 's/^ETag: //pI')
    reads "/v2/clusters/$id/status" "${who[@]}" >/dev/null  # the first meets cold caches

    read -r static _ <<<"$(reads /static/hello)"
    read -r hello _ <<<"$(reads /hello)"
    read -r plain p99 <<<"$(reads "/v2/clusters/$id/status" "${who[@]}")"
    read -r tagged _ <<<"$(reads "/v2/clusters/$id/status" "${who[@]}" "If-None-Match: $tag")"
    figure api.status_per_second "$plain" 1/s 1000 higher
    figure api.status_p99 "$p99" ms 20 lower
    figure api.status_per_hello "$(rounded . "$(jq -n "$plain / $hello")")" ratio 0.35 higher
    figure api.status_with_etag_per_hello "$(rounded . "$(jq -n "$tagged / $hello")")" ratio 0.60 higher
    figure api.hello_per_static_file "$(rounded . "$(jq -n "$hello / $static")")" ratio 0 higher

    fill "$((10#$id))" >&2
    local full full_tagged
    reads "/v2/clusters/$id/status" "${who[@]}" >/dev/null
    read -r full _ <<<"$(reads "/v2/clusters/$id/status" "${who[@]}")"
    read -r full_tagged _ <<<"$(reads "/v2/clusters/$id/status" "${who[@]}" "If-None-Match: $tag")"
    figure api.status_among_10000_clusters_per_alone "$(rounded . "$(jq -n "$full / $plain")")" ratio 0.85 higher
    figure api.status_with_etag_among_10000_clusters_per_alone "$(rounded . "$(jq -n "$full_tagged / $tagged")")" ratio 0.85 higher
    figure api.page_of_50_clusters "$(for _ in $(seq 21); do list_a_page; done | sort -n | awk 'NR == 11 { print $1 * 1000 }')" ms 5 lower
    kill "$(cat "$work/nginx.pid")"  # its workers end with it
    kill -9 "$hello_pid"             # libfcgi does not end at SIGTERM
    wait 2>/dev/null || true
    rm -rf "$work"
}
