#!/usr/bin/env bash
# Files reach real hosts in pieces and each version once: a large archive comes through nginx to every node without the web or
# the daemon ever holding the whole of it, the next bootstrap sends what has changed, and what was recalled goes.
. "$(dirname "$0")/lib.sh"

files=$(mktemp -d)
trap 'rm -rf "$files"' EXIT
shell=$url/v2/plugins/automatortypes/shell
home=/var/cache/cooperage/shell
megabytes=60

# peak PROGRAM: the largest resident set of a process of this set, in MB
peak() {
    local pid
    for pid in $(pgrep -f "^$repo/build/release/bin/cooperage-$1 --config $dir/etc/cooperage.conf"); do
        awk '/^VmHWM/ { print int($2 / 1024) }' "/proc/$pid/status"
    done | sort -n | tail -n 1
}

# Each bootstrap of the newest job says on its transcript what it sent; "nothing" when all was there.
sent_in_newest_job() {
    local task
    for task in $(answer user 200 "$url/v2/clusters/$id/tasks" | jq -r '.[] | select(.action == "bootstrap") | .id'); do
        answer user 200 "$url/v2/tasks/$task/transcript" | jq -r '[.pieces[].text] | add // "" | match("sent [0-9]+ of").string // ""' |
            grep . || echo nothing
    done | sort | uniq -c | sed 's/^ *//'
}

reconfigure() {
    answer user 200 -X PUT "$url/v2/clusters/$id/config" -d '{"config":{"round":"'"$1"'"},"restart":false}' >/dev/null
    [ "$(wait_until_settled "$id" 120)" = active ] || die "cluster $id did not become active again: $(explain "$id")"
}

# everywhere COMMAND: what it prints on each node, equal lines counted
everywhere() {
    local address
    for address in $(addresses_of "$id"); do on "$address" "$id" "$1" || true; done | sort | uniq -c | sed 's/^ *//'
}

expect() { [ "$2" = "$3" ] || die "$1: '$2' instead of '$3'"; }

mkdir "$files/load"
head -c $((megabytes * 1048576)) /dev/urandom >"$files/load/bytes"
sum=$(sha256sum <"$files/load/bytes")
tar -C "$files" -cf - load | gzip -1 >"$files/load.tar.gz"
echo 'echo one' >"$files/often.sh"
web_before=$(peak web)
upload shell/archives/load "$files/load.tar.gz"
upload shell/scripts/often.sh "$files/often.sh"
answer admin 200 -X POST "$url/v2/plugins/sync" >/dev/null

put_witnesses 0
id=$(make_cluster files witnesses 3)
expect "the archive" "$(everywhere "sha256sum <$home/archives/load/bytes")" "3 $sum"
expect "the script" "$(everywhere "cat $home/scripts/often.sh")" "3 echo one"
web=$(peak web)
daemon=$(peak provisioner)
[ $((web - web_before)) -lt $((megabytes / 2)) ] || die "the web took $((web - web_before)) MB more for a file of $megabytes MB"
[ "$daemon" -lt $((40 + megabytes / 2)) ] || die "the daemon took $daemon MB for files of $megabytes MB"
echo "peak memory: web $web MB, daemon $daemon MB, with a file of $megabytes MB"

reconfigure one
expect "sent when nothing has changed" "$(sent_in_newest_job)" "3 nothing"

echo 'echo two' >"$files/often.sh"
upload shell/scripts/often.sh "$files/often.sh"
answer admin 200 -X POST "$url/v2/plugins/sync" >/dev/null
for address in $(addresses_of "$id" | head -n 1); do on "$address" "$id" "echo changed >$home/archives/load.tar.gz"; done
reconfigure two
expect "the new version" "$(everywhere "cat $home/scripts/often.sh")" "3 echo two"
expect "the archive as before" "$(everywhere "sha256sum <$home/archives/load/bytes")" "3 $sum"
expect "sent after a change" "$(sent_in_newest_job)" "2 sent 1 of
1 sent 2 of"

for one in archives/load scripts/often.sh; do
    version=$(answer admin 200 "$shell/$one?status=active" | jq '.[0].version')
    answer admin 200 -X POST "$shell/$one/versions/$version/recall" >/dev/null
done
answer admin 200 -X POST "$url/v2/plugins/sync" >/dev/null
on "$(addresses_of "$id" | head -n 1)" "$id" "echo mine >$home/scripts/of-somebody-else"
reconfigure three
expect "after the recall" "$(everywhere "ls -d $home/archives/load* $home/scripts/of* 2>/dev/null")" \
    "1 $home/scripts/of-somebody-else"
delete_cluster "$id"
for one in archives/load scripts/often.sh; do answer admin 200 -X DELETE "$shell/$one" >/dev/null; done
