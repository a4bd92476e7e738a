#!/usr/bin/env bash
# Debian's Prometheus scrapes the set: the text is what it takes, every series that an alert reads is there, and alerts fire when
# the daemon is stopped and when the database is away. Health says the same meanwhile, and holds no thread.
. "$(dirname "$0")/lib.sh"
if ! command -v prometheus >/dev/null; then
    echo "skipped: the package prometheus is not installed"
    exit 77
fi
rules=$repo/provisioner/daemon/prometheus/cooperage.rules.yml
work=$(mktemp -d)
prometheus=
database=
stopped=
web=
clean_up() {
    if [ -n "$web" ]; then kill "$web" 2>/dev/null || true; fi
    if [ -n "$stopped" ]; then kill -CONT $stopped 2>/dev/null || true; fi
    if [ -n "$database" ]; then kill -CONT "$database" 2>/dev/null || true; fi
    if [ -n "$prometheus" ]; then kill "$prometheus" 2>/dev/null && wait "$prometheus" 2>/dev/null || true; fi
    rm -rf "$work"
}
trap clean_up EXIT

free_port() {
    local port
    for port in $(seq 19090 19190); do
        if ! (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then echo "$port" && return; fi
    done
    return 1
}

status_and_time() { curl -s -o "$work/body" -w '%{http_code} %{time_total}' --max-time 20 "$url$1"; }  # status_and_time PATH

# expect PATH STATUS SECONDS [WORD]: the answer comes in time and says the word
expect() {
    local code seconds
    read -r code seconds <<<"$(status_and_time "$1")"
    [ "$code" = "$2" ] || die "$1 answered $code instead of $2: $(cat "$work/body")"
    awk -v t="$seconds" -v most="$3" 'BEGIN { exit t > most }' || die "$1 took $seconds s"
    grep -q "${4:-}" "$work/body" || die "$1 does not say '$4': $(cat "$work/body")"
}

# ---- what is served ----------------------------------------------------------------------------------------------------
expect /healthz 200 1 ok
expect /readyz 200 3 '"ready":true'
curl -sS --max-time 20 "$url/metrics" >"$work/metrics"
promtool check metrics <"$work/metrics" || die "promtool has objections"
[ "$(curl -s -o /dev/null -w '%{http_code}' -H 'X-Forwarded-For: 192.0.2.1' "$url/metrics")" = 404 ] ||
    die "the metrics are shown to somebody else than this host"
[ "$(curl -s -o /dev/null -w '%{http_code}' -X POST -d x "$url/metrics")" = 405 ] || die "POST /metrics is not refused"

# A job, whose tasks the daemon counts and whose request both logs name.
load_catalogue "$repo/sql/examples/simulated/catalogue"
request=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
id=$(answer user 200 -H "X-Request-Id: $request" -X POST "$url/v2/clusters" \
    -d '{"name":"watched","clusterTemplate":"simulated-one","numMachines":2}' | jq -r .id)
[ "$(wait_until_settled "$id" 60)" = active ] || die "cluster $id did not become active: $(explain "$id")"
grep -q "request.changed request=$request method=POST path=/v2/clusters" "$dir/log/web.log" ||
    die "the web's log does not name the request"
grep -q "task.done task=$id-[0-9-]* cluster=$id request=$request" "$dir/log/provisioner.log" ||
    die "the daemon's log does not name the request"
delete_cluster "$id"
# With a token only the token counts. A web program of its own, asked as a web server would ask it.
with_token=$dir/etc/token.conf
token=$dir/etc/metrics.token
head -c 24 /dev/urandom | od -An -tx1 | tr -d ' \n' >"$token"
sed -e "s|^web.socket = .*|web.socket = $dir/run/web/token.sock|" "$dir/etc/cooperage.conf" >"$with_token"
echo "metrics.token_file = $token" >>"$with_token"
chmod 644 "$token"
if "${as_web[@]}" "$repo/build/release/bin/cooperage-web" --config "$with_token" 2>"$work/refusal"; then die "a token that everybody may read is taken"; fi
grep -q 'metrics.token_file: everybody may read' "$work/refusal" || die "the refusal says: $(cat "$work/refusal")"
chmod 640 "$token"
chgrp cooperage-web "$token"
"${as_web[@]}" "$repo/build/release/bin/cooperage-web" --config "$with_token" 2>>"$work/web.log" &
web=$!
for _ in $(seq 100); do [ -S "$dir/run/web/token.sock" ] && break || sleep 0.05; done
metrics_status() {  # metrics_status AUTHORIZATION
    REQUEST_METHOD=GET REQUEST_URI=/metrics REMOTE_ADDR=127.0.0.1 HTTP_AUTHORIZATION=$1 CONTENT_LENGTH=0 \
        cgi-fcgi -bind -connect "$dir/run/web/token.sock" | sed -n 's/^Status: \([0-9]*\).*/\1/p'
}
[ "$(metrics_status "Bearer $(cat "$token")")" = 200 ] || die "the token is not taken"
[ "$(metrics_status '')" = 404 ] || die "the metrics are shown without the token"
[ "$(metrics_status "Bearer $(tr 0-9 1-9 <"$token")x")" = 404 ] || die "the metrics are shown for another token"
kill "$web" && wait "$web" || die "cooperage-web did not end well"
web=
given=$(curl -sS -o /dev/null -D - -H 'X-Request-Id: not a name' "$url/healthz" | tr -d '\r' | sed -n 's/^X-Request-Id: //pI')
[[ $given =~ ^[0-9a-f]{32}$ ]] || die "a request with a bad id has the id '$given'"

# ---- Prometheus, with every `for:` and rate so short that the test need not wait ----------------------------------------
sed -E 's/^( +for:) [0-9]+[smh]$/\1 1s/' "$rules" >"$work/rules.yml"
port=$(free_port)
cat >"$work/prometheus.yml" <<TEXT
global: { scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s }
rule_files: [$work/rules.yml]
scrape_configs:
  - job_name: cooperage
    static_configs: [{ targets: ["${url#http://}"] }]
TEXT
prometheus --config.file="$work/prometheus.yml" --storage.tsdb.path="$work/data" \
    --web.listen-address="127.0.0.1:$port" >"$work/log" 2>&1 &
prometheus=$!
api=http://127.0.0.1:$port/api/v1

# until_true SECONDS WHAT COMMAND...
until_true() {
    local seconds=$1 what=$2
    shift 2
    for _ in $(seq $((seconds * 2))); do
        if "$@" >/dev/null 2>&1; then return; fi
        sleep 0.5
    done
    die "$what, after $seconds s; $(curl -s "$api/alerts" | jq -c '[.data.alerts[] | {(.labels.alertname): .state}]'); $(tail -n 3 "$work/log")"
}

is_up() { curl -s "$api/targets" | jq -e '[.data.activeTargets[].health] == ["up"]'; }
is_firing() { curl -s "$api/alerts" | jq -e --arg name "$1" 'any(.data.alerts[]; .labels.alertname == $name and .state == "firing")'; }
is_quiet() { ! is_firing "$1" >/dev/null; }
readyz_says() { grep -q "$1" <<<"$(curl -s --max-time 10 "$url/readyz")"; }
has_series() { curl -s --get "$api/series" --data-urlencode "match[]=$1" | jq -e '.data | length > 0'; }

until_true 30 "the target is not up" is_up
# The words of the descriptions are no series.
for name in $(sed -E '/description:|summary:/d' "$rules" | grep -oE '\bcooperage_[a-z_]+' | sort -u); do
    case "$name" in
        cooperage_provider_accounts_failing) continue ;;  # there only while one fails
    esac
    until_true 20 "no series $name, which an alert reads" has_series "$name"
done
# What the daemon counted of that job travels with its heartbeat.
counts() { curl -s --get "$api/query" --data-urlencode "query=$1 >= $2" | jq -e '.data.result | length > 0'; }
for what in 'cooperage_attempts_total{provider="simulated",action="create",outcome="succeeded"} 2' \
    'cooperage_attempt_duration_seconds_count{action="delete"} 2' 'cooperage_tasks_claimed_total 10' \
    'cooperage_provider_calls_total{provider="simulated",verb="destroy",outcome="answered"} 2' \
    'cooperage_http_requests_total{class="api/clusters",method="POST",code="2xx"} 1' \
    'cooperage_daemon_resident_memory_bytes 1e6' 'cooperage_jobs_ended_recently{status="complete"} 2'; do
    until_true 20 "not counted: $what" counts "${what% *}" "${what##* }"
done
[ "$(curl -s "$api/rules" | jq '[.data.groups[].rules[] | select(.health == "err")] | length')" = 0 ] || die "a rule cannot be evaluated"
is_quiet CooperageNoDaemon || die "CooperageNoDaemon fires although a daemon is there"

# ---- the daemon is stopped: its heartbeat is 15 s old, then the alert fires; and is over when it goes on -----------------
stopped=$(pgrep -f "^$repo/build/release/bin/cooperage-provisioner --config $dir/etc/cooperage.conf")
kill -STOP $stopped
until_true 60 "CooperageNoDaemon does not fire" is_firing CooperageNoDaemon
kill -CONT $stopped
stopped=
until_true 60 "CooperageNoDaemon goes on firing" is_quiet CooperageNoDaemon

# ---- the database stands still: health says so at once, by whoever is asked, and no thread waits --------------------------
database=$(cut -d' ' -f1 "$dir/run/database.pid")
kill -STOP "$database"
until_true 20 "/readyz does not notice" readyz_says 'does not answer'
for _ in $(seq 40); do curl -s -o /dev/null --max-time 20 "$url/readyz" & done
expect /healthz 200 1 ok
wait $(jobs -p | grep -vx "$prometheus") || true
expect /readyz 503 3 '"database":"does not answer"'
until_true 60 "CooperageDatabaseDown does not fire" is_firing CooperageDatabaseDown
kill -CONT "$database"
database=
until_true 30 "/readyz is not ready again" readyz_says '"ready":true'
until_true 60 "CooperageDatabaseDown goes on firing" is_quiet CooperageDatabaseDown
grep -q 'web.not_ready database="does not answer"' "$dir/log/web.log" || die "web.log does not say that it was not ready"
echo "1 passed, 0 failed"
