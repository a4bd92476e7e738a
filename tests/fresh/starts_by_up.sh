#!/usr/bin/env bash
# Runs as the first process of the root that on_a_pristine_debian.sh has made: what a newcomer does. Its argument is where the
# project goes: where it lies on the machine, so that the compiler cache knows the files.
set -euo pipefail

project=$1

die() {
    echo "FAILED: $*" >&2
    for log in "$project"/var/log/*.log; do
        if [ -s "$log" ]; then printf -- '---- %s\n' "$log" && tail -n 8 "$log"; fi
    done >&2
    exit 1
}

step() {  # step WHAT COMMAND...: says how long it took, and how long processors worked for it
    local what=$1
    shift
    echo "== $what"
    local TIMEFORMAT=$'\n'"== $what: %1R s, processors %1U + %1S s"
    time "$@" || die "$what"
}

# The README's words: on a Debian without git there is one command before `git clone`.
get_git() { apt-get -q update >/dev/null && apt-get -q install -y --no-install-recommends git >/dev/null; }

get_project() {
    mkdir -p "$(dirname "$project")"
    git clone -q /srv/cooperage.git "$project"
}

# The README's script, as it is printed there; a wait of it has no end of its own.
readme_script() {
    local script=/srv/readme.sh
    awk '/^```sh$/ { inside = 1; next } /^```$/ { inside = 0 } inside' README.md >$script
    grep -q 'v2/clusters' $script || die "README.md has no script"
    # Standard error is a pipe, because the script opens /dev/stderr again, which would empty a file.
    timeout 600 bash -e -o pipefail $script >/srv/readme.out 2> >(cat >&2) || die "README.md's script ended with $?"
}

# What the script left, seen by a script of our own.
script_did_it() {
    local name status
    grep -q '<html' /srv/readme.out || die "README.md's script showed no page of the cluster"
    status=$(api "$url/v2/clusters?status=all" | jq -r '.[].status' | sort -u)
    [ "$status" = terminated ] || die "after README.md's script clusters are: $status"
}

api() {
    local key
    key=$(jq -r '.users[] | select(.user == "demo") | .apikey' var/access.json)
    curl -sS --max-time 30 -H "Coopr-UserID: demo" -H "Coopr-TenantID: demo" -H "Coopr-ApiKey: $key" "$@"
}

# All that runs but this script, the commands it looks with and the provisioner's callers.
others() { ps -e -o pid=,args= | grep -vE "inside\.sh|ps -e|grep -vE" || true; }

nothing_left() {
    local left
    left=$(others)
    [ -z "$left" ] || die "after down there runs: $left"
    left=$(ip -o link | grep -vE ': (lo|tap0):' || true)
    [ -z "$left" ] || die "after down there is: $left"
    left=$(grep -E "$project/var" /proc/self/mounts || true)
    [ -z "$left" ] || die "after down there is mounted: $left"
}

nothing_enabled() {
    local left
    left=$(find /etc/systemd/system -type l 2>/dev/null | grep -E 'nginx|mariadb|mysql|ssh' || true)
    [ -z "$left" ] || die "up has enabled: $left"
}

step "apt-get install git" get_git
step "git clone" get_project
cd "$project"
step "./cooperage up" ./cooperage up
url=$(jq -r .url var/access.json)
before=$(sha256sum var/access.json)
step "the script of README.md" readme_script
script_did_it
step "./cooperage up, again" ./cooperage up
[ "$(sha256sum var/access.json)" = "$before" ] || die "the second up has changed var/access.json"
step "./cooperage status" ./cooperage status
step "./cooperage down" ./cooperage down
if ./cooperage status >/dev/null; then die "status says that it runs after down"; fi
nothing_left
nothing_enabled
echo "1 passed, 0 failed"
