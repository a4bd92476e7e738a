#!/usr/bin/env bash
# What people do through API and pages is in the audit log with before and after, secrets are not; it is sealed, sent to a
# receiver, and whoever changes it in the database is found.
. "$(dirname "$0")/lib.sh"

# Names of this run's own: events of a run before are not those of this one.
audited=audited-$RANDOM
eve=eve-$RANDOM
mallory=mallory-$RANDOM
secret=pl4nted-audit-$RANDOM
password=pl4nted-password-$RANDOM
config=$dir/etc/cooperage.conf
migrate=$repo/build/release/bin/cooperage-migrate
sql() { mariadb --no-defaults --socket="$dir/run/database/db.sock" --user=root --skip-column-names cooperage -e "$1"; }
superadmin() {
    curl -sS --max-time 30 -H "Coopr-UserID: $(jq -r '.users[] | select(.tenant == "superadmin") | .user' "$access")" \
        -H "Coopr-TenantID: superadmin" -H "Coopr-ApiKey: $(jq -r '.users[] | select(.tenant == "superadmin") | .apikey' "$access")" "$@"
}
# event QUERY: the newest event that fits
event() { answer admin 200 "$url/v2/audit?limit=1&$1" | jq -c '.[0] // empty'; }
# has QUERY JQ-CONDITION: the newest event that fits is as it should be
has() {
    local found
    found=$(event "$1")
    [ -n "$found" ] || die "no event of $1"
    jq -e "$2" <<<"$found" >/dev/null || die "the event of $1 is not $2: $found"
}

# The catalogue.
load_catalogue "$repo/sql/examples/simulated/catalogue" >/dev/null
simulated_provider "$audited" "{\"simulated_account_password\":\"$secret\"}"
has "action=provider.create&object=$audited" '.user != "" and .credential != "" and .client != "" and .request != "" and .before == null'
has "action=provider.create&object=$audited" '.after.provisioner.simulated_account_password == "********"'
answer admin 200 "$url/v2/providers/$audited" | jq '.description = "edited"' >"$dir/entry.json"
put "providers/$audited" "@$dir/entry.json"
has "action=provider.replace&object=$audited" '.before.description != "edited" and .after.description == "edited"'

# A cluster.
request=audit-$RANDOM
id=$(answer user 200 -X POST "$url/v2/clusters" -H "X-Request-Id: $request" \
    -d "{\"name\":\"audited\",\"clusterTemplate\":\"simulated-one\",\"numMachines\":2,\"provider\":\"$audited\",
        \"providerFields\":{\"simulated_password\":\"$secret\"}}" | jq -r .id)
[ "$(wait_until_settled "$id" 60)" = active ] || die "the cluster is not active: $(explain "$id")"
# The end of the job has the request, too, and may be there already.
made=$(answer admin 200 "$url/v2/audit?limit=5&request=$request" | jq -c '.[] | select(.action == "cluster.create")')
jq -e ".object.id == \"$id\" and .after.nodes == 2" <<<"$made" >/dev/null || die "the request is recorded as: $made"
for _ in $(seq 20); do [ -n "$(event "action=cluster.create.end&object=$id")" ] && break; sleep 0.5; done
has "action=cluster.create.end&object=$id" ".outcome == \"done\" and .user == \"provisioner\" and .request == \"$request\""
answer user 200 -X POST "$url/v2/clusters/$id/grow" -d '{"numMachines":1}' >/dev/null
[ "$(wait_until_settled "$id" 60)" = active ] || die "the cluster did not grow: $(explain "$id")"
has "action=cluster.grow&object=$id" '.before.nodes == 2 and .after.nodes == 3'
delete_cluster "$id"
has "action=cluster.delete&object=$id" '.outcome == "done"'

# People and keys.
superadmin -f -X POST "$url/v2/tenants/demo/users" -d "{\"name\":\"$eve\",\"role\":\"user\",\"password\":\"$password\"}" >/dev/null ||
    die "no user could be made"
has "action=user.create&object=$eve" '.userTenant == "superadmin" and .after.role == "user"'
key=$(answer user 200 -X POST "$url/v2/profile/apikeys" -d "{\"name\":\"$audited\"}" | jq -r '.apikey // .key // .secret')
[ "${#key}" -ge 16 ] || die "no key was made: $key"
has "action=api-key.create&object=$audited" '.outcome == "done"'
limits='"scope":"some","rights":["clusters:read"]'
answer user 200 -X POST "$url/v2/profile/apikeys" -d "{\"name\":\"$audited-some\",$limits}" >/dev/null
has "action=api-key.create&object=$audited-some" '.after.scope == "some" and .after.rights == ["clusters:read"] and .after.clusters == []'

# Refusals: once each, a flood is one row with a number. What a test before was refused within the same minute counts into its
# row, so ours may be written when that minute is over; any answer writes what is due.
# rows STATUS OBJECT, refusals STATUS OBJECT: the events of such refusals, and the refusals in them
rows() { sql "SELECT COUNT(*) FROM audit_event WHERE outcome = 'refused' AND status = $1 AND object_name = '$2'"; }
refusals() { sql "SELECT COALESCE(SUM(times), 0) FROM audit_event WHERE outcome = 'refused' AND status = $1 AND object_name = '$2'"; }
# is_recorded STATUS OBJECT BEFORE: waits until there are more refusals than before
is_recorded() {
    for _ in $(seq 80); do
        [ "$(refusals "$1" "$2")" -le "$3" ] || return 0
        sleep 1
        curl -s -o /dev/null "$url/status"
    done
    return 1
}
before=$(refusals 403 "POST /v2/providers")
answer user 403 -X POST "$url/v2/providers" -d '{}' >/dev/null
is_recorded 403 "POST /v2/providers" "$before" || die "a refusal is not recorded"
has 'action=request.refused&outcome=refused&object=POST%20/v2/providers' '.status == 403 and .object.name == "POST /v2/providers"'
before_rows=$(rows 401 "GET /v2/clusters")
before=$(refusals 401 "GET /v2/clusters")
for _ in $(seq 30); do curl -s -o /dev/null -H "Coopr-UserID: $mallory" -H "Coopr-TenantID: demo" "$url/v2/clusters"; done
[ $(($(rows 401 "GET /v2/clusters") - before_rows)) -le 2 ] || die "a flood of refusals fills the database"
is_recorded 401 "GET /v2/clusters" "$before" || die "no refusal of $mallory"

# Pages: signing in, wrongly and rightly, and the page of events.
jar=$dir/audit.jar
rm -f "$jar"
login() {
    local csrf
    csrf=$(curl -s -c "$jar" -b "$jar" "$url/login" | sed -n 's/.*name="csrf" value="\([^"]*\)".*/\1/p' | head -n 1)
    curl -s -o /dev/null -w '%{http_code}' -c "$jar" -b "$jar" -H "Origin: $url" "$url/login" --data-urlencode "csrf=$csrf" \
        --data-urlencode "tenant=demo" --data-urlencode "user=$1" --data-urlencode "password=$2"
}
admin=$(jq -r '.users[] | select(.tenant == "demo" and .role == "admin") | .user' "$access")
[ "$(login "$admin" "wrong-$password")" = 422 ] || die "a wrong password is not refused"
has 'action=sign-in.refused' ".user == \"$admin\" and .outcome == \"refused\" and .client != \"\""
[ "$(login "$admin" "$(jq -r '.users[] | select(.tenant == "demo" and .role == "admin") | .password' "$access")")" = 303 ] ||
    die "cannot sign in"
has 'action=sign-in&outcome=done' ".user == \"$admin\" and .role == \"admin\""
page=$(curl -s -b "$jar" "$url/audit?action=provider.")
grep -q 'provider.replace' <<<"$page" || die "the page of events does not show them"
number=$(event "action=provider.replace&object=$audited" | jq .number)
grep -q 'edited' <<<"$(curl -s -b "$jar" "$url/audit/$number")" || die "the page of an event does not show what changed"

# Who may not see it.
answer user 403 "$url/v2/audit" >/dev/null
answer admin 403 "$url/v2/audit?scope=installation" >/dev/null
answer admin 403 "$url/v2/audit?tenant=superadmin" >/dev/null
answer admin 400 "$url/v2/audit?from=soon" >/dev/null
lines=$(answer admin 200 "$url/v2/audit?format=csv&limit=10" | wc -l)
[ "$lines" = 11 ] || die "the file has $lines lines"

# Nobody has touched it.
"$migrate" verify-audit --config "$config" >"$dir/log/audit.log" || die "the audit log is wrong: $(cat "$dir/log/audit.log")"
for _ in $(seq 80); do
    [ "$(sql "SELECT COUNT(*) FROM audit_seal")" = 0 ] || break
    sleep 1
done
[ "$(sql "SELECT COUNT(*) FROM audit_seal")" != 0 ] || die "no seal was made"
"$migrate" audit-key --config "$config" >"$dir/audit.pub"
"$migrate" verify-audit --config "$config" --public-key "$dir/audit.pub" >"$dir/log/audit.log" ||
    die "the sealed audit log is wrong: $(cat "$dir/log/audit.log")"

# Its key is replaced: the seals of before are good, and the file is the daemon's as it was.
rights=$(stat -c '%U %G %a' "$dir/etc/audit.key")
"$migrate" rotate-audit-key --config "$config" >"$dir/audit.pub.new" || die "the key could not be replaced"
[ "$(stat -c '%U %G %a' "$dir/etc/audit.key")" = "$rights" ] || die "the new key is not as the old one was: $(stat "$dir/etc/audit.key")"
! grep -qxF "$(cat "$dir/audit.pub.new")" "$dir/audit.pub" || die "the key is the old one"
"$migrate" verify-audit --config "$config" >"$dir/log/audit.log" || die "with a new key the audit log is wrong: $(cat "$dir/log/audit.log")"
code=0
"$migrate" verify-audit --config "$config" --public-key "$dir/audit.pub.new" >"$dir/log/audit.log" || code=$?
[ "$code" = 1 ] || die "seals of the old key are good under the new one ($code): $(cat "$dir/log/audit.log")"
superadmin "$url/v2/audit?scope=installation&action=audit-key.replace" | jq -e '.[0].outcome == "done"' >/dev/null || die "no event of the new key"

# No secret is in it.
mariadb-dump --no-defaults --socket="$dir/run/database/db.sock" --user=root cooperage audit_event >"$dir/dump.sql"
grep -q provider.create "$dir/dump.sql" || die "the dump has no events"
! grep -qE "$secret|$password|$key" "$dir/dump.sql" || die "a secret is in the audit log: $(grep -oE ".{60}($secret|$password|$key)" "$dir/dump.sql" | head -n 3)"
rm "$dir/dump.sql"

# Somebody changes a row, and it is named.
tenant=$(sql "SELECT id FROM tenant WHERE name = 'demo'")
sql "UPDATE audit_event SET user_name = 'nobody' WHERE tenant_id = $tenant AND number = $number"
code=0
"$migrate" verify-audit --config "$config" --tenant demo >"$dir/log/audit.log" || code=$?
[ "$code" = 1 ] || die "a changed event is not found ($code): $(cat "$dir/log/audit.log")"
grep -q "tenant demo: event $number was changed" "$dir/log/audit.log" || die "the changed event is not named: $(cat "$dir/log/audit.log")"
[ "$(grep -c 'was changed' "$dir/log/audit.log")" = 1 ] || die "more than one event is named: $(cat "$dir/log/audit.log")"
sql "UPDATE audit_event SET user_name = '$admin' WHERE tenant_id = $tenant AND number = $number"
"$migrate" verify-audit --config "$config" --tenant demo >"$dir/log/audit.log" || die "mended, it is wrong still: $(cat "$dir/log/audit.log")"
echo "1 passed, 0 failed"
