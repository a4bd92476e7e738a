#!/usr/bin/env bash
# Runs as the first process of a pristine root: what an administrator does who installs the packages beside nginx and MariaDB, and
# what an unprivileged user of that machine tries afterwards.
set -euo pipefail
logs=(/var/log/cooperage/{web,provisioner,local-hosts}.log /var/log/nginx/{,cooperage.}error.log)
. /srv/story.sh

step() {  # step WHAT COMMAND...: says how long it took
    local what=$1
    shift
    echo "== $what"
    local TIMEFORMAT=$'\n'"== $what: %1R s"
    time "$@" || die "$what"
}

block_of_readme() {  # block_of_readme LANGUAGE: what stands in README.md's block of that language
    awk -v fence="^\`\`\`$1\$" '$0 ~ fence { inside = 1; next } /^```$/ { inside = 0 } inside' /srv/README.md
}


# ---- README.md's five commands, as they are printed there ---------------------------------------------------------------

step "apt-get update" apt-get -q update
step "what a machine has and a root has not" apt-get -q install -y --no-install-recommends systemd-sysv cron
block_of_readme bash >/srv/install.sh
[ "$(grep -c . /srv/install.sh)" -eq 5 ] || die "README.md has not five commands to install it: $(cat /srv/install.sh)"
fetched=0
while IFS= read -r command; do
    if [ $fetched -eq 0 ]; then
        # What is fetched is not counted: first only that.
        step "fetching" bash -ec "${command/apt-get install/apt-get -q install -y --download-only}"
        fetched=$SECONDS
        command=${command/apt-get install/apt-get -q install -y}
    fi
    step "$command" bash -ec "$command"
done </srv/install.sh
export access=/srv/admin/access.json
url=$(jq -r .url $access)
try_for 20 curl -sf -o /dev/null "$url/readyz" || die "readyz: $(curl -s "$url/readyz")"
block_of_readme sh >/srv/readme.sh
grep -q 'v2/clusters' /srv/readme.sh || die "README.md has no script"
first_cluster() { timeout 600 bash -e -o pipefail /srv/readme.sh >/srv/readme.out 2> >(cat >&2); }
step "README.md's script, from the first cluster to its end" first_cluster
grep -q '<html' /srv/readme.out || die "README.md's script showed no page of the cluster"
echo "== from what apt had fetched to the end of the script: $((SECONDS - fetched)) s"

api() {
    local key
    key=$(jq -r '.users[] | select(.user == "demo") | .apikey' $access)
    curl -sS --max-time 30 -H "Coopr-UserID: demo" -H "Coopr-TenantID: demo" -H "Coopr-ApiKey: $key" "$@"
}

# ---- who runs as whom ----------------------------------------------------------------------------------------------------

check_rights() {
    local pid name status
    for name in cooperage-web cooperage-provisioner; do
        [ -n "$(pgrep -u $name -f "^/usr/sbin/$name")" ] || die "$name does not run as $name"
        [ -z "$(pgrep -u root -f "^/usr/sbin/$name")" ] || die "$name runs as root"
        for pid in $(pgrep -u $name -f "^/usr/sbin/$name"); do
            status=/proc/$pid/status
            grep -q '^CapEff:[[:space:]]*0000000000000000$' "$status" || die "$name has capabilities: $(grep Cap "$status")"
            grep -q '^NoNewPrivs:[[:space:]]*1$' "$status" || die "$name may gain privileges"
        done
        grep -lq '^Seccomp:[[:space:]]*2$' $(pgrep -u $name -f "^/usr/sbin/$name" | sed 's|.*|/proc/&/status|') ||
            die "no process of $name has its calls filtered"
    done
}
step "each program runs as its own user, without privileges" check_rights

# ---- what an unprivileged user of the machine tries ----------------------------------------------------------------------

useradd --create-home mallory
as_mallory() { setpriv --reuid mallory --regid mallory --init-groups "$@"; }
fails() { if as_mallory "$@" >/srv/attack.out 2>&1; then die "mallory can: $*: $(head -c 300 /srv/attack.out)"; fi; }

attack() {
    local file socket account
    for file in /etc/cooperage/cooperage.conf /etc/cooperage/ssh_key /etc/cooperage/secrets.keys /etc/cooperage/daemon.keys /srv/admin/access.json \
        /var/log/cooperage/web.log /var/log/cooperage/provisioner.log; do
        [ -e "$file" ] || die "$file is not there: the test looks for the wrong thing"
        fails cat "$file"
    done
    for socket in /run/cooperage-web/web.sock /run/cooperage-provisioner/nudge.sock /run/cooperage-local-hosts/hosts.sock; do
        [ -S "$socket" ] || die "$socket is not there"
        fails python3 -c "
import socket, sys
for kind in socket.SOCK_STREAM, socket.SOCK_DGRAM:
    try:
        socket.socket(socket.AF_UNIX, kind).connect('$socket')
        sys.exit(0)
    except PermissionError:
        pass
sys.exit(1)"
    done
    for account in root cooperage-web cooperage-provisioner cooperage-migrate mallory; do
        fails mariadb --user=$account -e "SELECT 1 INTO OUTFILE '/tmp/written-by-$account'"
        fails mariadb --user=$account -e "SELECT 1"
    done
    fails cooperage-migrate up
    fails ls /var/lib/cooperage/local
    fails sh -c "echo x >>/var/log/cooperage/web.log"
    [ -z "$(find /tmp -name 'written-by-*')" ] || die "the server wrote files"
    # What may use the web's socket must not become more than the web server.
    setpriv --reuid www-data --regid www-data --init-groups cat /etc/cooperage/secrets.keys >/dev/null 2>&1 && die "www-data reads the keys"
    setpriv --reuid cooperage-web --regid cooperage-web --init-groups cat /etc/cooperage/ssh_key >/dev/null 2>&1 &&
        die "the web program reads the key of nodes"
    setpriv --reuid cooperage-web --regid cooperage-web --init-groups cat /etc/cooperage/daemon.keys >/dev/null 2>&1 &&
        die "the web program reads the keys of secrets that only daemons open"
    setpriv --reuid cooperage-web --regid cooperage-web --init-groups cat /etc/cooperage/daemon.public >/dev/null ||
        die "the web program cannot seal for daemons"
    # The accounts of the programs can do what they need and nothing else.
    for account in cooperage-web cooperage-provisioner; do
        run_as() { setpriv --reuid $account --regid $account --init-groups mariadb "$@"; }
        run_as cooperage -e "SELECT COUNT(*) FROM cluster" >/dev/null || die "$account cannot read"
        if run_as cooperage -e "DROP TABLE cluster" 2>/dev/null; then die "$account drops tables"; fi
        if run_as -e "SELECT 1 INTO OUTFILE '/tmp/x'" 2>/dev/null; then die "$account writes files"; fi
        if run_as mysql -e "SELECT * FROM user" 2>/dev/null; then die "$account reads accounts"; fi
    done
}
step "attacks of an unprivileged user" attack

# ---- reload, upgrade, backup and restore ---------------------------------------------------------------------------------

make_cluster() {  # make_cluster NAME: its id, once it is active
    local id
    id=$(api -X POST "$url/v2/clusters" -d "{\"name\":\"$1\",\"clusterTemplate\":\"web\",\"numMachines\":3}" | jq -r .id)
    echo "$id"
}
is_active() { [ "$(api "$url/v2/clusters/$1/status" | jq -r .status)" = active ]; }

upgrade() {
    local id asked=0 failed=0 over=/srv/over
    id=$(make_cluster upgraded)
    (
        while [ ! -e $over ]; do curl -s -o /dev/null -w '%{http_code}\n' "$url/status" || true; done >/srv/codes
    ) &
    # The same version once more goes the way of an upgrade: files are replaced while jobs run.
    dpkg -i /srv/packages/*.deb >/srv/upgrade.log 2>&1 || die "the upgrade failed: $(tail -n 5 /srv/upgrade.log)"
    try_for 120 is_active "$id" || die "the cluster made while everything was upgraded is $(api "$url/v2/clusters/$id/status")"
    touch $over
    wait
    asked=$(grep -c . /srv/codes)
    failed=$(grep -vc '^200$' /srv/codes || true)
    [ "$asked" -gt 20 ] || die "only $asked requests were made"
    [ "$failed" -eq 0 ] || die "$failed of $asked requests failed while everything was upgraded: $(sort /srv/codes | uniq -c)"
    echo "$asked requests, none failed"
    echo "$id" >/srv/upgraded
}
step "upgrade with a job in flight" upgrade

drill() {
    local id
    id=$(cat /srv/upgraded)
    cooperage-migrate backup --to /srv/backup --keys /srv/backup.keys || die "no backup"
    service cooperage-provisioner stop
    service cooperage-web stop
    mariadb -e "DROP DATABASE cooperage"
    rm /etc/cooperage/secrets.keys /etc/cooperage/daemon.keys /etc/cooperage/daemon.public /etc/cooperage/ssh_key /etc/cooperage/ssh_key.pub
    cooperage-migrate setup || die "no accounts"
    cooperage-migrate restore --from /srv/backup --keys /srv/backup.keys || die "no restore"
    service cooperage-web start
    service cooperage-provisioner start
    try_for 30 curl -sf "$url/readyz" || die "not ready after the restore"
    is_active "$id" || die "the cluster is not active after the restore"
    api -X DELETE "$url/v2/clusters/$id" >/dev/null
    try_for 120 is_terminated "$id" || die "the cluster cannot be deleted after the restore: $(api "$url/v2/clusters/$id/status")"
}
is_terminated() { [ "$(api "$url/v2/clusters/$1/status" | jq -r .status)" = terminated ]; }
step "backup, loss of everything, restore" drill

# ---- purge ----------------------------------------------------------------------------------------------------------------

purge() {
    apt-get -q purge -y cooperage-web cooperage-provisioner cooperage-common >/srv/purge.log 2>&1 || die "purge: $(tail -n 20 /srv/purge.log)"
    grep -q 'DROP DATABASE' /srv/purge.log || die "purge does not say that the database stays"
    nginx -t 2>/dev/null || die "nginx does not start any more: $(nginx -t 2>&1)"
    local left
    left=$(find / -xdev \( -path /proc -o -path /sys -o -path /srv -o -path /var/cache/apt -o -path /var/lib/mysql -o -path /var/log/apt \
        -o -path /var/lib/dpkg \) -prune -o -iname '*cooperage*' -print)
    [ -z "$left" ] || die "purge leaves: $left"
    left=$(pgrep -fa '/usr/sbin/cooperage' || true)
    [ -z "$left" ] || die "after purge there runs: $left"
    getent passwd cooperage-web cooperage-provisioner && die "purge leaves users"
    mariadb -e "SELECT COUNT(*) FROM cooperage.cluster" >/dev/null || die "purge removed the database"
}
step "purge" purge
echo "1 passed, 0 failed"
