#!/usr/bin/env bash
# Secrets planted in a provider and in a cluster do their work and are seen nowhere: not in the database, not in a log, not
# in any answer; under another master key they still work.
. "$(dirname "$0")/lib.sh"

account=pl4nted-account-$RANDOM
wrong=pl4nted-wrong-$RANDOM
seen=$dir/seen.txt
: >"$seen"

# Everything that comes back is kept and searched at the end.
recorded() { tee -a "$seen"; }

type=$(answer user 200 "$url/v2/plugins/providertypes/simulated")
[ "$(jq -r '.parameters.admin.fields.simulated_password.sensitive' <<<"$type")" = true ] || die "no secret field: $type"

load_catalogue "$repo/sql/examples/simulated/catalogue" >/dev/null
simulated_provider vaulted "{\"simulated_account_password\":\"$account\"}"
for path in providers/vaulted providers export "plugins/providertypes/simulated"; do
    answer admin 200 "$url/v2/$path" | recorded >/dev/null
done
[ "$(answer admin 200 "$url/v2/providers/vaulted" | jq -r .provisioner.simulated_account_password)" = '********' ] ||
    die "the provider does not show a mask"
# Read, changed and written back, it keeps its secret.
answer admin 200 "$url/v2/providers/vaulted" | jq '.description = "edited"' >"$dir/entry.json"
put providers/vaulted "@$dir/entry.json"

create() { # create NAME PASSWORD: the cluster's id
    answer user 200 -X POST "$url/v2/clusters" -d "{\"name\":\"$1\",\"clusterTemplate\":\"simulated-one\",\"numMachines\":3,
        \"provider\":\"vaulted\",\"providerFields\":{\"simulated_password\":\"$2\"}}" | recorded | jq -r .id
}

refused=$(create refused "$wrong")
status=$(wait_until_settled "$refused" 60)
[ "$status" = terminated ] || die "with a wrong password the cluster is $status: $(explain "$refused")"
reason=$(as user "$url/v2/clusters/$refused/tasks" | jq -r '.[].message | select(. != "")' | head -n 1)
[ "$reason" = 'the account refuses the password "********"' ] || die "the reason is '$reason'"

id=$(create accepted "$account")
status=$(wait_until_settled "$id" 60)
[ "$status" = active ] || die "with the right password the cluster is $status: $(explain "$id")"

# Under new keys, the old ones forgotten.
config=$dir/etc/cooperage.conf
migrate=$repo/build/release/bin/cooperage-migrate
"$migrate" rotate-key --config "$config" >"$dir/log/rotate.log" || die "the key could not be changed: $(cat "$dir/log/rotate.log")"
for keys in "$dir/etc/secrets.keys" "$dir/etc/daemon.keys"; do
    newest=$(tail -n 1 "$keys")
    echo "$newest" >"$keys"
done
# What is sealed in the database, the web cannot open: a provider's password is for daemons alone.
[ "$(stat -c %a:%U "$dir/etc/daemon.keys")" = 600:cooperage-provisioner ] || die "others than the daemon read its keys"
grown=$(answer user 200 -X POST "$url/v2/clusters/$id/grow" -d '{"numMachines":1}')
[ "$(wait_until_settled "$id" 60)" = active ] || die "after the change of keys: $(explain "$id")"
[ "$(as user "$url/v2/clusters/$id" | jq '.nodes | length')" = 4 ] || die "the cluster did not grow: $grown"

for path in "clusters/$id" "clusters/$refused" "clusters/$id/config" "clusters/$id/plans" "clusters/$id/tasks" clusters \
    "clusters/$refused/tasks" "clusters/$id/callbacks" nodes metrics/nodes/usage; do
    answer user 200 "$url/v2/$path" | recorded >/dev/null
done
answer user 200 -X POST "$url/v2/getNodeProperties" -d "{\"clusterId\":\"$id\"}" | recorded >/dev/null
for task in $(as user "$url/v2/clusters/$refused/tasks" | jq -r '.[].id'); do
    answer user 200 "$url/v2/tasks/$task/transcript" | recorded >/dev/null
done

delete_cluster "$id"
[ "$(mariadb --no-defaults --socket="$dir/run/database/db.sock" --user=root --skip-column-names cooperage \
    -e "SELECT COUNT(*) FROM cluster WHERE status = 'terminated' AND secrets <> '{}'")" = 0 ] ||
    die "secrets of clusters that are gone are kept"

mariadb-dump --no-defaults --socket="$dir/run/database/db.sock" --user=root cooperage >"$dir/dump.sql"
grep -q 'sealed' "$dir/dump.sql" || die "nothing is sealed in the database"
grep -oE 'sealed[\\": ]+[0-9]+\.' "$dir/dump.sql" && die "passwords of providers are sealed under master keys, which the web has"
grep -q . "$seen" || die "no answer was kept"
for place in "$dir/dump.sql" "$seen" "$dir/log" "$dir/simulated"; do
    found=$(grep -rlaE "$account|$wrong" "$place" || true)
    [ -z "$found" ] || die "a secret stands in $found: $(grep -raoE ".{60}($account|$wrong)" "$place" | head -n 3)"
done
rm "$dir/dump.sql" "$seen"
echo "1 passed, 0 failed"
