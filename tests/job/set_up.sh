#!/usr/bin/env bash
# Starts a set of everything for the tests, beside whatever else runs, on a port that is free.
set -euo pipefail
repo=$(cd "$(dirname "$0")/../.." && pwd)
dir=${COOPERAGE_TEST_DIR:-$repo/var/test}
free_port() {
    local port
    for port in $(seq "$1" "$2"); do
        if ! (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then echo "$port" && return; fi
    done
    return 1
}
"$repo/cooperage" --dir "$dir" down >/dev/null 2>&1 || true
rm -rf "$dir"
# The clouds of the tests are on this host.
mkdir -p "$dir/etc"
port=$(free_port 18080 18180)
# So is the identity provider.
printf '%s\n' 'http.own_network = on' 'auth.plain_loopback = on' "web.address = http://127.0.0.1:$port" >"$dir/etc/own.conf"
# A server of mail runs only while a test of mails does.
printf 'mail.server = smtp://127.0.0.1:%s\nmail.from = cooperage@host.example\n' "$(free_port 18200 18280)" >>"$dir/etc/own.conf"
# A database that waits for the disk with each commit would take a large part of the time of all tests.
export COOPERAGE_BEFORE_DATABASE=eatmydata
"$repo/cooperage" --dir "$dir" --port "$port" up
