#!/usr/bin/env bash
# makes_a_cluster.sh CLOUD: a whole web site of four machines, by curl alone, through strict host keys; nothing is left afterwards.
. "$(dirname "$0")/lib.sh"
enter_the_cloud

upload_login_key
use_cloud
id=$(ask_for site web 4)
wait_for_cluster "$id" 900

link=$(as user "$url/v2/clusters/$id" | jq -r '.links[0].url')
builders=$(for _ in 1 2 3 4; do curl -sSf --max-time 10 "$link"; done | grep -o 'application server <b>[^<]*' | sort -u | wc -l)
[ "$builders" -eq 2 ] || die "the load balancer uses $builders application servers instead of 2"
grep -q 'from a row that database' <<<"$(curl -sSf "$link")" || die "the page was not built from a row"

# No key was taken on trust: each was known before the first packet, and replaced by one of the machine's own.
origins=$(as user "$url/v2/clusters/$id" | jq -r '[.nodes[].provisionerResults.ssh_host_key_origin] | unique | join(", ")')
[ "$origins" = "the machine's own" ] || die "the host keys are: $origins"
for address in $(addresses_of "$id"); do
    in_cloud "$address" "$id" 'sudo -n true' || die "nobody can log in to $address by the key that the API tells"
    [ "$(in_cloud "$address" "$id" 'ls /etc/ssh/*_key.pub')" = /etc/ssh/ssh_host_ed25519_key.pub ] || die "$address has other host keys"
done

[ "$(things_in_cloud | grep -c '^server ')" -eq 4 ] || die "there are not four servers: $(things_in_cloud)"
delete_cluster "$id"
nothing_is_left
passed
