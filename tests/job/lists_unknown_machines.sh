#!/usr/bin/env bash
# Machines made by hand beside the engine: one that no cluster knows is seen by superadmins only, one that is called after a cluster
# also by the admins of its tenant, on the page and in the API; both are left alone, and gone from the list when they are gone.
# One that is called after a node of a deleted cluster is taken away.
. "$(dirname "$0")/lib.sh"

tool=$repo/build/release/bin/cooperage-local-host
root=$(sed -n 's/^local.roots = //p' "$dir/etc/cooperage.conf")/debian12
machine() { "$tool" start "$1" --state "$dir/local" --root "$root" --hostname "$1" --cluster hand --user root --key "ssh-ed25519 AAAA x" >/dev/null; }
gone() { "$tool" stop "$1" --state "$dir/local" >/dev/null; }
there() { grep -qxF "$1" <<<"$("$tool" list --state "$dir/local" | jq -r .name)"; }

as_super() {
    curl -sS --max-time 30 -H "Coopr-UserID: admin" -H "Coopr-TenantID: superadmin" \
        -H "Coopr-ApiKey: $(jq -r '.users[] | select(.tenant == "superadmin") | .apikey' "$access")" "$@"
}
# Of the machines of this test: others may have left some, which vanish meanwhile.
names_for() {
    "${@}" "$url/v2/unknownmachines" | jq -r --arg id "$id" --arg nobodys "$nobodys" '[.[].name | select(startswith($id) or . == $nobodys)] | sort | join(" ")'
}

# eventually WORDS COMMAND...: within 90 seconds it prints them
eventually() {
    local wanted=$1 got
    shift
    for _ in $(seq 180); do
        got=$("$@")
        [ "$got" != "$wanted" ] || return 0
        sleep 0.5
    done
    die "$* says '$got' instead of '$wanted'"
}

nobodys=nobodys$$
load_catalogue "$repo/sql/examples/simulated/catalogue" >/dev/null
id=$(make_cluster unknown simulated-one 2)
delete_cluster "$id"
trap 'for name in "$nobodys" "$id-1999" "$id-1000"; do gone "$name" || true; done' EXIT
for name in "$nobodys" "$id-1999" "$id-1000"; do machine "$name"; done

eventually "$id-1999 $nobodys" names_for as_super
eventually "$id-1999" names_for as admin
[ "$(as user -o /dev/null -w '%{http_code}' "$url/v2/unknownmachines")" = 403 ] || die "a user sees unknown machines"
[ "$(as admin "$url/v2/provideraccounts" | jq -c 'map(select(.tenant == ""))')" = '[]' ] || die "an admin sees accounts of the installation"
as_super "$url/v2/provideraccounts" | jq -e 'map(select(.providerType == "local" and .error == "" and .lookedAt > 0)) | length == 1' >/dev/null ||
    die "the account of local hosts is not listed"
as_super "$url/v2/unknownmachines" | jq -e --arg name "$nobodys" 'map(select(.name == $name and .tenant == "" and .firstSeen <= .lastSeen and
    (.addresses.access_v4 | startswith("10.")))) | length == 1' >/dev/null || die "$nobodys is not described"
echo "listed, to whom it belongs"

for _ in $(seq 180); do
    if ! there "$id-1000"; then break; fi
    sleep 0.5
done
! there "$id-1000" || die "the machine of a node that is gone was left"
there "$nobodys" && there "$id-1999" || die "a machine nobody knows was taken away"
grep -h "machine.unknown machine=$nobodys" "$dir"/log/*.log | wc -l | grep -qx 1 || die "it was not told once"
echo "an orphan was taken away, the others were not"

gone "$nobodys"
gone "$id-1999"
eventually "" names_for as_super
eventually "" names_for as admin
echo "1 passed, 0 failed"
