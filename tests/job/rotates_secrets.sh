#!/usr/bin/env bash
# Login keys are replaced on running nodes, one of which is away and one of which joins meanwhile, by a daemon that is killed;
# then master keys and passwords of the database are, while requests and tasks go on. No request fails.
. "$(dirname "$0")/lib.sh"

conf=$dir/etc/cooperage.conf
migrate=$repo/build/release/bin/cooperage-migrate
work=$(mktemp -d)
away=
# The way to each local host is a route of its own.
go_away() {  # go_away ADDRESS
    away=$1
    way=$(ip -o route show "$away/32" | head -n 1)
    ip route replace blackhole "$away/32"
}
come_back() {
    ip route del blackhole "$away/32"
    # shellcheck disable=SC2086
    if [ -n "$way" ]; then ip route replace $way; fi
    away=
}
clean_up() {
    touch "$work/over"
    if [ -n "$away" ]; then come_back || true; fi
    # The other tests log in to nodes with the installation's key.
    sql "DELETE FROM node_login_key; UPDATE login_key SET state = 'retired', private_key = ''" || true
    if [ -e "$work/conf" ]; then
        cp -p "$work/conf" "$conf"
        "$migrate" setup --config "$conf" >/dev/null || true
        reload web
        reload provisioner
    fi
    wait
    rm -rf "$work"
}
trap clean_up EXIT

sql() { mariadb --no-defaults --socket="$dir/run/database/db.sock" --user=root --skip-column-names cooperage -e "$1"; }
keeper_of() {
    if [ "$1" = web ]; then cat "$dir/run/web/web.sock.lock"; else ps -o ppid= -p "$(cat "$dir/run/provisioner/provisioner.lock")" | tr -d ' '; fi
}
reload() {  # reload NAME: and wait until the child before has ended
    local keeper before
    keeper=$(keeper_of "$1")
    before=$(pgrep -P "$keeper" | head -n 1)
    kill -HUP "$keeper"
    for _ in $(seq 300); do
        if [ ! -e "/proc/$before" ]; then return; fi
        sleep 0.1
    done
    die "$1 does not take new settings"
}
# rotate_login_key: the id of a new key for the provider "local"
rotate_login_key() { answer admin 202 -X POST "$url/v2/loginkeys" -d '{"provider":"local"}' | jq .id; }
key_shows() { answer admin 200 "$url/v2/loginkeys/$1" | jq -r "$2"; }
# wait_for_key ID DONE SECONDS: until so many nodes have it
wait_for_key() {
    for _ in $(seq $(($3 * 2))); do
        if [ "$(key_shows "$1" .done)" = "$2" ]; then return; fi
        sleep 0.5
    done
    die "key $1 is not on $2 nodes: $(key_shows "$1" .)"
}
lets_in() {  # lets_in PRIVATE-KEY-FILE ADDRESS
    ssh -n -q -i "$1" -o UserKnownHostsFile=/dev/null -o StrictHostKeyChecking=no -o BatchMode=yes -o IdentitiesOnly=yes -o ConnectTimeout=10 \
        "root@$2" true
}

# ---- login keys --------------------------------------------------------------------------------------------------------

put_witnesses 0.1
id=$(make_cluster rotated witnesses 3)
mapfile -t nodes < <(addresses_of "$id")
for address in "${nodes[@]}"; do lets_in "$dir/etc/ssh_key" "$address" || die "the installation's key does not let in before"; done
[ "$(answer admin 200 "$url/v2/loginkeys" | jq -r '.providers[] | select(.provider == "local").source')" = installation ] ||
    die "the provider local has a key of the vault before"
answer user 403 -X POST "$url/v2/loginkeys" -d '{}' >/dev/null

first=$(rotate_login_key)
wait_for_key "$first" 3 60
for address in "${nodes[@]}"; do
    if lets_in "$dir/etc/ssh_key" "$address"; then die "the older key still lets in"; fi
done
[ "$(answer admin 200 "$url/v2/loginkeys" | jq -r '.providers[] | select(.provider == "local").source')" = provider ] ||
    die "the provider local has no key of the vault"

# One node is away, one joins, and the daemon is killed again and again.
go_away "${nodes[0]}"
second=$(rotate_login_key)
for kill in 1 2 3 4; do
    sleep "0.$((RANDOM % 10))"
    kill -9 "$(cat "$dir/run/provisioner/provisioner.lock")"
    sleep 2
done
answer user 200 -X POST "$url/v2/clusters/$id/services/restart" >/dev/null || true
for _ in $(seq 240); do
    if [ "$(key_shows "$second" .failed)" = 1 ] && [ "$(key_shows "$second" .done)" = 2 ]; then break; fi
    sleep 0.5
done
[ "$(key_shows "$second" .done)" = 2 ] || die "the two other nodes have not got the second key: $(key_shows "$second" .)"
reason=$(key_shows "$second" '.onNodes[] | select(.step != "done") | .message')
case $reason in *"$away"*) ;; *) die "the node that is away has no reason: '$reason'" ;; esac
[ "$(key_shows "$first" .state)" = replaced ] || die "the first key is $(key_shows "$first" .state) while a node needs it"
[ -n "$(sql "SELECT private_key FROM login_key WHERE id = $first")" ] || die "the key that a node needs is gone"
come_back
wait_until_settled "$id" 300 >/dev/null
grown=$(answer user 200 -X POST "$url/v2/clusters/$id/grow" -d '{"numMachines":1}')
[ "$(wait_until_settled "$id" 300)" = active ] || die "the cluster does not grow with the new key: $(explain "$id") $grown"
wait_for_key "$second" 4 400
for _ in $(seq 40); do
    if [ "$(key_shows "$first" .state)" = retired ]; then break; fi
    sleep 0.5
done
[ "$(key_shows "$first" .state)" = retired ] || die "the first key is $(key_shows "$first" .state) although no node needs it"
[ -z "$(sql "SELECT private_key FROM login_key WHERE id = $first")" ] || die "the retired key is kept"
for address in $(addresses_of "$id"); do
    if lets_in "$dir/etc/ssh_key" "$address"; then die "the installation's key lets in to $address"; fi
done
for action in rotate spread retire; do
    [ "$(answer admin 200 "$url/v2/audit?action=login-key.$action" | jq length)" -ge 1 ] || die "login-key.$action is not in the audit log"
done
echo "login keys: $(key_shows "$second" .done) nodes"

# ---- requests and tasks, meanwhile ---------------------------------------------------------------------------------------

load_catalogue "$repo/sql/examples/simulated/catalogue" >/dev/null
simulated_provider rotating '{"simulated_account_password":"account"}'
entry=$(answer admin 200 "$url/v2/providers/rotating" | jq -c '.provisioner.simulated_account_password = "account"')
: >"$work/codes"
ask_until_over() {
    while [ ! -e "$work/over" ]; do
        as admin -o /dev/null -w '%{http_code}\n' -X PUT "$url/v2/providers/rotating" -d "$entry" >>"$work/codes" || echo lost >>"$work/codes"
        as user -o /dev/null -w '%{http_code}\n' "$url/v2/clusters" >>"$work/codes" || echo lost >>"$work/codes"
    done
}
make_clusters_until_over() {
    local made=0 one
    while [ ! -e "$work/over" ]; do
        one=$(as user -X POST "$url/v2/clusters" -d "{\"name\":\"r$made\",\"clusterTemplate\":\"simulated-one\",\"numMachines\":1,
            \"provider\":\"rotating\",\"providerFields\":{\"simulated_password\":\"account\"}}")
        if ! one=$(jq -er .id <<<"$one" 2>/dev/null); then
            echo "no cluster was made: $one" | tee -a "$work/clusters"
            return
        fi
        echo "$one $(wait_until_settled "$one" 120)" >>"$work/clusters"
        made=$((made + 1))
    done
}
for _ in 1 2 3; do ask_until_over & done
make_clusters_until_over &

# ---- master keys -----------------------------------------------------------------------------------------------------------

for round in 1 2; do
    "$migrate" new-key --config "$conf" >>"$dir/log/rotate.log"
    if "$migrate" retire-key --config "$conf" >>"$dir/log/rotate.log" 2>&1; then die "keys that secrets need were taken away"; fi
    grep -q 'run cooperage-migrate rewrap' "$dir/log/rotate.log" || die "it is not said what is to be done first"
    for _ in $(seq 20); do
        "$migrate" rewrap --config "$conf" >>"$dir/log/rotate.log"
        if "$migrate" retire-key --config "$conf" >>"$dir/log/rotate.log" 2>&1; then break; fi
    done
    for keys in secrets.keys daemon.keys; do
        [ "$(wc -l <"$dir/etc/$keys")" = 1 ] || die "round $round: old keys are still in $keys"
    done
    sleep 2
done
echo "master keys: $(cut -d' ' -f1 "$dir/etc/secrets.keys"), daemon keys: $(cut -d' ' -f1 "$dir/etc/daemon.keys")"

# ---- passwords of the database ------------------------------------------------------------------------------------------------

cp -p "$conf" "$work/conf"
for program in web provisioner; do echo "$program.database.password_file = $dir/etc/$program.password" >>"$conf"; done
# One idle connection: several requests at once have to log in again and again.
echo 'database.pool = 1' >>"$conf"
"$migrate" setup --config "$conf" >>"$dir/log/rotate.log"
reload web
reload provisioner
for program in web provisioner migrate; do
    before=$(cat "$dir/etc/$program.password")
    "$migrate" rotate-password --program "$program" --overlap 2 --config "$conf" >>"$dir/log/rotate.log" || die "the password of $program was not changed"
    [ "$(cat "$dir/etc/$program.password")" != "$before" ] || die "the file of $program has the old password"
    if mariadb --no-defaults --socket="$dir/run/database/db.sock" --user="cooperage-$program" --password="$before" -e 'DO 1' 2>/dev/null; then
        die "the old password of $program lets in"
    fi
    sleep 3
done

touch "$work/over"
wait
total=$(wc -l <"$work/codes")
failed=$(grep -vc '^200$' "$work/codes" || true)
[ "$total" -gt 100 ] || die "only $total requests were made"
[ "$failed" -eq 0 ] || die "$failed of $total requests failed: $(sort "$work/codes" | uniq -c)"
[ "$(wc -l <"$work/clusters")" -gt 3 ] || die "only $(wc -l <"$work/clusters") clusters were made"
if grep -v ' active$' "$work/clusters"; then die "clusters failed meanwhile"; fi
echo "$total requests, $(wc -l <"$work/clusters") clusters"

while read -r one _; do answer user 200 -X DELETE "$url/v2/clusters/$one" >/dev/null; done <"$work/clusters"
while read -r one _; do wait_until_settled "$one" 120 >/dev/null; done <"$work/clusters"
delete_cluster "$id"
echo "1 passed, 0 failed"
