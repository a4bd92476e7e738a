#!/usr/bin/env bash
# Ends the tests' set; nothing of its hosts may be left.
. "$(dirname "$0")/lib.sh"
"$repo/cooperage" --dir "$dir" down
left=$(traces_of_hosts)
[ -z "$left" ] || die "after down there is still: $left"
if "$repo/cooperage" --dir "$dir" status >/dev/null; then die "status says that it runs after down"; fi
