#!/usr/bin/env bash
# SIGHUP while people and daemons are at work: settings are read anew, no request fails, no task is lost; settings with a mistake are
# refused. A keeper that is killed is followed by the one that stands by.
. "$(dirname "$0")/lib.sh"

conf=$dir/etc/cooperage.conf
work=$(mktemp -d)
trap 'touch "$work/over"; cp -p "$work/conf" "$conf"; wait; rm -rf "$work"' EXIT
cp -p "$conf" "$work/conf"

# By their locks: the process that took the web's, and the parent of the one that took the daemon's.
keeper_of() {
    if [ "$1" = web ]; then cat "$dir/run/web/web.sock.lock"; else ps -o ppid= -p "$(cat "$dir/run/provisioner/provisioner.lock")" | tr -d ' '; fi
}
child_of() { pgrep -P "$(keeper_of "$1")" | head -n 1; }
lines_of() { grep -c "$2" "$dir/log/$1.log" || true; }

# ---- requests go on ---------------------------------------------------------------------------------------------------

ask_until_over() {
    local code
    while [ ! -e "$work/over" ]; do
        code=$(curl -s -o /dev/null -w '%{http_code}' --max-time 10 "$url/status" || true)
        echo "$code"
    done >"$work/codes.$1"
}
for i in 1 2 3 4; do ask_until_over "$i" & done

keeper=$(keeper_of web)
for _ in 1 2 3 4 5; do
    before=$(child_of web)
    kill -HUP "$keeper"
    for _ in $(seq 100); do
        if [ ! -e "/proc/$before" ]; then break; fi
        sleep 0.1
    done
    [ ! -e "/proc/$before" ] || die "after SIGHUP the child $before is still there"
    [ "$(keeper_of web)" = "$keeper" ] && [ -e "/proc/$keeper" ] || die "the keeper is another after SIGHUP"
done

# ---- settings with a mistake are refused, all mistakes at once -----------------------------------------------------------

before=$(child_of web)
refused=$(lines_of web settings.refused)
not_reloaded=$(lines_of web settings.not_reloaded)
printf 'web.threads = none\nweb.thread = 4\n' >>"$conf"
kill -HUP "$keeper"
# The last line of a refusal; else the next one would be taken for this one.
for _ in $(seq 100); do
    if [ "$(lines_of web settings.not_reloaded)" -gt "$not_reloaded" ]; then break; fi
    sleep 0.1
done
[ "$(lines_of web settings.refused)" -eq $((refused + 2)) ] || die "not both mistakes were told"
[ "$(child_of web)" = "$before" ] || die "settings with a mistake were taken"
if "$repo/cooperage" --dir "$dir" enter "$repo/build/release/bin/cooperage-web" --config "$conf" --check 2>"$work/check"; then die "--check finds them fine"; fi
grep -q '^web.thread: .*web.threads' "$work/check" || die "--check says: $(cat "$work/check")"
cp -p "$work/conf" "$conf"

# What only the start of a program would find, and a program that does not start at all.
for line in 'web.prefix = cooperage/' 'resources.store = s3' 'metrics.token_file = /nowhere' 'database.password_file = /nowhere' \
    'web.socket_mode = 2660'; do
    refused=$(lines_of web settings.refused)
    not_reloaded=$(lines_of web settings.not_reloaded)
    echo "$line" >>"$conf"
    kill -HUP "$keeper"
    for _ in $(seq 100); do
        if [ "$(lines_of web settings.not_reloaded)" -gt "$not_reloaded" ]; then break; fi
        sleep 0.1
    done
    [ "$(lines_of web settings.refused)" -gt "$refused" ] || die "'$line' is not refused"
    [ "$(child_of web)" = "$before" ] || die "'$line' was taken"
    cp -p "$work/conf" "$conf"
done
# A hundred at once, and a path that somebody has removed.
for _ in $(seq 100); do kill -HUP "$keeper"; done
rm "$dir/run/web/web.sock"
kill -HUP "$keeper"
for _ in $(seq 100); do
    if [ -S "$dir/run/web/web.sock" ] && curl -sf -o /dev/null "$url/status"; then break; fi
    sleep 0.1
done
[ -S "$dir/run/web/web.sock" ] || die "a socket that was removed is not made again"
for _ in $(seq 100); do
    zombies=$(ps --ppid "$keeper" -o stat= | grep -c Z || true)
    if [ "$zombies" -eq 0 ]; then break; fi
    sleep 0.1
done
[ "$zombies" -eq 0 ] || die "the keeper has $zombies children that have ended"

touch "$work/over"
wait
total=$(cat "$work"/codes.* | wc -l)
# While the path was gone nobody could connect: nginx's own 503.
failed=$(cat "$work"/codes.* | grep -vcE '^(200|503)$' || true)
away=$(cat "$work"/codes.* | grep -c '^503$' || true)
[ "$away" -le $((total / 3)) ] || die "$away of $total requests got a 503"
[ "$total" -gt 50 ] || die "only $total requests were made"
[ "$failed" -eq 0 ] || die "$failed of $total requests failed: $(cat "$work"/codes.* | sort | uniq -c)"

# ---- tasks go on -------------------------------------------------------------------------------------------------------

load_catalogue "$repo/sql/examples/simulated/catalogue" >/dev/null
id=$(answer user 200 -X POST "$url/v2/clusters" -d '{"name":"reloaded","clusterTemplate":"simulated-ten","numMachines":10}' | jq -r .id)
keeper=$(keeper_of provisioner)
before=$(child_of provisioner)
kill -HUP "$keeper"
status=$(wait_until_settled "$id" 120)
[ "$status" = active ] || die "cluster $id is $status: $(explain "$id")"
for _ in $(seq 300); do
    if [ ! -e "/proc/$before" ]; then break; fi
    sleep 0.1
done
[ ! -e "/proc/$before" ] || die "the daemon before SIGHUP is still there"
[ -e "/proc/$keeper" ] || die "the keeper of the daemon is gone"
answer user 200 -X DELETE "$url/v2/clusters/$id" >/dev/null
wait_until_settled "$id" 120 >/dev/null

# ---- a keeper that is killed --------------------------------------------------------------------------------------------

setsid "$repo/cooperage" --dir "$dir" --port "${url##*:}" keep web &
disown
for _ in $(seq 50); do
    standby=$(pgrep -f "^$repo/build/release/bin/cooperage-web --config $conf" | grep -vxE "$(keeper_of web)|$(child_of web)" | head -n 1 || true)
    [ -z "$standby" ] || break
    sleep 0.1
done
killed=$(keeper_of web)
kill -9 "$killed"
answered=
for _ in $(seq 100); do
    # The child of the killed keeper may answer once more.
    if [ "$(keeper_of web)" != "$killed" ] && curl -sf -o /dev/null --max-time 5 "$url/status"; then
        answered=yes
        break
    fi
    sleep 0.1
done
[ -n "$answered" ] || die "nobody answers after the keeper was killed"
