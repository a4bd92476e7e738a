#!/usr/bin/env bash
# A script with curl alone: four machines, the page they serve, and nothing left afterwards.
. "$(dirname "$0")/lib.sh"

id=$(make_cluster whole-job web 4)

link=$(as user "$url/v2/clusters/$id" | jq -r '.links[0].url')
builders=$(for _ in 1 2 3 4; do curl -sSf --max-time 10 "$link"; done | grep -o 'application server <b>[^<]*' | sort -u | wc -l)
[ "$builders" -eq 2 ] || die "the load balancer uses $builders application servers instead of 2"
grep -q 'from a row that database' <<<"$(curl -sSf "$link")" || die "the page was not built from a row"

names=$(as user "$url/v2/clusters/$id" | jq -r '.nodes[].properties.hostname')
for address in $(addresses_of "$id"); do
    for name in $names; do
        on "$address" "$id" "getent hosts $name >/dev/null" || die "$address cannot resolve $name"
    done
done

delete_cluster "$id"
left=$(traces_of_hosts)
[ -z "$left" ] || die "after the deletion there is still: $left"
echo "1 passed, 0 failed"
