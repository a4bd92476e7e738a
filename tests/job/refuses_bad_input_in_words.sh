#!/usr/bin/env bash
# Bad input over the real nginx: a status that fits and a text that names the field and the reason.
. "$(dirname "$0")/lib.sh"

# expect ROLE STATUS TEXT curl-arguments...
expect() {
    local role=$1 status=$2 text=$3 body
    shift 3
    body=$(answer "$role" "$status" "$@")
    case "$body" in *"$text"*) ;; *) die "$* answered '$body' without '$text'" ;; esac
}
clusters=$url/v2/clusters

expect user 400 'cluster name must be specified' -X POST "$clusters" -d '{"clusterTemplate":"web","numMachines":4}'
expect user 400 'cluster template must be specified' -X POST "$clusters" -d '{"name":"x","numMachines":4}'
expect user 400 'cluster size must be greater than 0' -X POST "$clusters" -d '{"name":"x","clusterTemplate":"web"}'
expect user 400 'Size must be at least 3 but not greater than 10' -X POST "$clusters" \
    -d '{"name":"x","clusterTemplate":"web","numMachines":2}'
expect user 404 'cluster template nope does not exist.' -X POST "$clusters" \
    -d '{"name":"x","clusterTemplate":"nope","numMachines":4}'
expect user 404 'provider nope does not exist.' -X POST "$clusters" \
    -d '{"name":"x","clusterTemplate":"web","numMachines":4,"provider":"nope"}'
expect user 400 'is an invalid DNS suffix.' -X POST "$clusters" \
    -d '{"name":"x","clusterTemplate":"web","numMachines":4,"dnsSuffix":".x.org"}'
expect user 400 'invalid name' -X POST "$clusters" -d '{"name":"a b","clusterTemplate":"web","numMachines":4}'
expect user 400 '' -X POST "$clusters" -d '{"name":'
expect user 400 '' -X POST "$clusters" -d ''
expect user 404 'cluster 00009999 not found.' "$clusters/00009999"
expect user 403 'user unauthorized, must be admin.' -X POST "$url/v2/providers" -d '{"name":"p"}'
expect admin 400 'invalid provider type.' -X POST "$url/v2/providers" -d '{"name":"p"}'
expect admin 400 'invalid input' -X POST "$url/v2/providers" -d 'null'
expect admin 400 'mismatch between provider name and name in path.' -X PUT "$url/v2/providers/q" \
    -d '{"name":"p","providertype":"local"}'
expect admin 400 'The limit of start must be from 1s to 1d' -X PUT "$url/v2/services/limited" \
    -d '{"name":"limited","provisioner":{"actions":{"start":{"type":"shell","fields":{"script":"true"},"limit":"2d"}}}}'
expect user 404 'provider nope  not found.' "$url/v2/providers/nope"

[ "$(curl -s -o /dev/null -w '%{http_code}' "$clusters")" = 401 ] || die "no identity is not a 401"
[ "$(as user -o /dev/null -w '%{http_code}' -H 'Coopr-ApiKey: wrong' "$clusters")" = 401 ] || die "a wrong key is not a 401"

# Four machines that no layout can satisfy: refused at once, in words that name the rules.
impossible='{"name":"impossible","defaults":{"services":["web-balancer","web-application"],"provider":"local",
  "hardwaretype":"small","imagetype":"debian12"},
  "constraints":{"layout":{"cantcoexist":[["web-balancer","web-application"]]},
    "services":{"web-balancer":{"quantities":{"min":3}},"web-application":{"quantities":{"min":2}}}}}'
answer admin 200 -X PUT "$url/v2/clustertemplates/impossible" -d "$impossible" >/dev/null
wanted='{"name":"x","clusterTemplate":"impossible","numMachines":4,"services":["web-balancer","web-application","web-database"]}'
began=$EPOCHREALTIME
expect user 422 'web-balancer' -X POST "$clusters/preview" -d "$wanted"
expect user 422 '"Ask for 5 machines."' -X POST "$clusters/preview" -d "$wanted"
sizes=$(answer user 422 -X POST "$clusters/preview" -d "$(jq '.sizes = {from: 4, to: 6}' <<<"$wanted")" | jq -c '[.sizes[] | [.numMachines, has("layout")]]')
[ "$sizes" = '[[4,false],[5,true],[6,true]]' ] || die "other sizes are not shown: $sizes"
why=$(answer user 200 -X POST "$clusters/preview" -d "$(jq '.numMachines = 5 | .explain = true' <<<"$wanted")")
case "$why" in *'web-balancer and web-application must not share a machine'*) ;; *) die "the layout is not explained: $why" ;; esac
expect user 422 '"sizes.to"' -X POST "$clusters/preview" -d "$(jq '.sizes = {from: 4, to: 400}' <<<"$wanted")"
id=$(answer user 200 -X POST "$clusters" -d "$wanted" | jq -r .id)
[ "$(status_of "$id")" = terminated ] || die "an impossible cluster is not terminated at once"
case "$(explain "$id")" in 'Layout solving failed'*) ;; *) die "the reason is not told: $(explain "$id")" ;; esac
awk -v a="$began" -v b="$EPOCHREALTIME" 'BEGIN { exit !(b - a < 5) }' || die "the refusal took more than 5 s"
answer admin 200 -X DELETE "$url/v2/clustertemplates/impossible" >/dev/null

# Sent twice under one key: one cluster.
wanted='{"name":"once","clusterTemplate":"web","numMachines":3}'
first=$(answer user 200 -X POST "$clusters" -H 'Idempotency-Key: once-1' -d "$wanted" | jq -r .id)
again=$(answer user 200 -X POST "$clusters" -H 'Idempotency-Key: once-1' -d "$wanted" | jq -r .id)
[ "$first" = "$again" ] || die "one request under one key made $first and $again"
expect user 409 'Idempotency-Key' -X POST "$clusters" -H 'Idempotency-Key: once-1' -d "${wanted/once/twice}"
tag=$(as user -o /dev/null -D - "$clusters/$first/services" | tr -d '\r' | sed -n 's/^ETag: //pI')
expect user 304 '' "$clusters/$first/services" -H "If-None-Match: $tag"
expect user 404 '"title":"Not Found"' "$clusters/00009999" -H 'Accept: application/problem+json'
wait_until_settled "$first" 120 >/dev/null
delete_cluster "$first"
echo "1 passed, 0 failed"
