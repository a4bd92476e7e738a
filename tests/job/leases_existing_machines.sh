#!/usr/bin/env bash
# Machines that exist already: two hosts made by hand, listed by a provider. Two clusters want the last one at once, and one gets it;
# a machine comes back wiped by the owner's script, and one whose script fails stays out until an administrator releases it.
. "$(dirname "$0")/lib.sh"

tool=$repo/build/release/bin/cooperage-local-host
root=$(sed -n 's/^local.roots = //p' "$dir/etc/cooperage.conf")/debian12
files=$(mktemp -d)
names=(cellar$$-1 cellar$$-2)
trap 'for name in "${names[@]}"; do "$tool" stop "$name" --state "$dir/local" >/dev/null || true; done; rm -rf "$files"' EXIT
ssh-keygen -q -t ed25519 -N '' -f "$files/key"
for name in "${names[@]}"; do
    "$tool" start "$name" --state "$dir/local" --root "$root" --hostname "$name" --cluster cellar --user root --key "$(cat "$files/key.pub")" >"$files/$name"
done

# machine NAME FLAVOR: as its owner lists it
machine() {
    jq -c --arg flavor "$2" '{name, address, host_key, flavor: $flavor}' "$files/$1"
}
file=$url/v2/plugins/providertypes/existing/ssh_keys/cellar
version=$(answer admin 200 -X POST "$file" --data-binary "@$files/key" | jq .version)
answer admin 200 -X POST "$file/versions/$version/stage" >/dev/null
answer admin 200 -X POST "$url/v2/plugins/sync" >/dev/null

# save_provider STATUS MACHINES SCRIPT: what it answers
save_provider() {
    jq -n --argjson machines "$2" --arg script "$3" '{name: "cellar", providertype: "existing", provisioner: {
        machines: $machines, ssh_key_resource: "cellar", wipe_script: $script}}' >"$files/provider"
    answer admin "$1" -X PUT "$url/v2/providers/cellar" --data-binary "@$files/provider"
}
wrong=$(save_provider 400 '[{"name": "a", "address": "a.example"}]' true)
case $wrong in *'a: address "a.example" is no IPv4 or IPv6 address'*'a: has no host_key'*) ;; *) die "a wrong list is answered '$wrong'" ;; esac
wipe='echo wiped >>/srv/wiped'
save_provider 200 "[$(machine "${names[0]}" large), $(machine "${names[1]}" small)]" "$wipe" >/dev/null
put hardwaretypes/cellar-large '{"name":"cellar-large","providermap":{"cellar":{"flavor":"large"}}}'
put imagetypes/cellar '{"name":"cellar","providermap":{"cellar":{"image":"debian12","sshuser":"root"}}}'
put services/mark '{"name":"mark","dependencies":{"provides":[],"conflicts":[]},"provisioner":{"actions":{
    "install":{"type":"shell","fields":{"script":"touch","args":"/srv/mark"}}}}}'
put clustertemplates/cellar '{"name":"cellar","defaults":{"services":["mark"],"provider":"cellar","hardwaretype":"cellar-large","imagetype":"cellar"}}'
echo "a list with mistakes is refused, and a right one is taken"

# state_of MACHINE: of its lease; nothing when it is free
state_of() { answer admin 200 "$url/v2/machineleases" | jq -r --arg name "$1" '.[] | select(.machine == $name).state'; }
on_machine() {
    local name=$1
    shift
    jq -r '.address + " " + .host_key' "$files/$name" >"$files/known"
    ssh -n -q -i "$files/key" -o UserKnownHostsFile="$files/known" -o StrictHostKeyChecking=yes -o BatchMode=yes "root@$(jq -r .address "$files/$name")" "$@"
}
ask() { answer user 200 -X POST "$url/v2/clusters" -d "{\"name\":\"$1\",\"clusterTemplate\":\"cellar\",\"numMachines\":1}" | jq -r .id; }

first=$(ask race-a)
second=$(ask race-b)
winners=0
for id in "$first" "$second"; do
    if [ "$(wait_until_settled "$id" 300)" = active ]; then
        winners=$((winners + 1))
        winner=$id
    else
        loser=$id
    fi
done
[ "$winners" = 1 ] || die "$winners of two clusters have the one machine"
message=$(reason_of "$loser" create)
case $message in *'none of the 1 machines that fit is free: 1 in use'*) ;; *) die "the other cluster says '$message'" ;; esac
[ "$(state_of "${names[0]}")" = leased ] || die "the machine is $(state_of "${names[0]}")"
on_machine "${names[0]}" test -e /srv/mark || die "the service was not installed on it"
[ "$(as user -o /dev/null -w '%{http_code}' "$url/v2/machineleases")" = 403 ] || die "a user sees leases"
echo "one of two clusters has the last machine"

as user -X DELETE "$url/v2/clusters/$loser" >/dev/null
delete_cluster "$winner"
[ "$(on_machine "${names[0]}" cat /srv/wiped)" = wiped ] || die "the machine was not wiped once"
[ -z "$(state_of "${names[0]}")" ] || die "after the wipe the machine is $(state_of "${names[0]}")"
left=$(on_machine "${names[0]}" 'ls /var/lib/cooperage/steps | grep -v ^wipe; ls /var/cache/cooperage; grep cluster /etc/hosts; true' 2>/dev/null)
[ -z "$left" ] || die "the last node has left on it: $left"
echo "it came back wiped, once"

save_provider 200 "[$(machine "${names[0]}" large), $(machine "${names[1]}" small)]" "echo 'the disk is dead' >&2; exit 3" >/dev/null
id=$(make_cluster wiped-badly cellar 1)
delete_cluster "$id"
lease=$(answer admin 200 "$url/v2/machineleases" | jq -c --arg name "${names[0]}" '.[] | select(.machine == $name)')
[ "$(jq -r '.state + ": " + .reason' <<<"$lease")" = "broken: wipe_script: wipe_script ended with exit code 3: the disk is dead" ] ||
    die "a machine whose wipe failed is $lease"
answer admin 200 -X POST "$url/v2/machineleases/$(jq .id <<<"$lease")/release" >/dev/null
answer admin 404 -X POST "$url/v2/machineleases/$(jq .id <<<"$lease")/release" >/dev/null
[ -z "$(state_of "${names[0]}")" ] || die "the machine was not released"
echo "a machine that could not be wiped stayed out until it was released"
