#!/usr/bin/env bash
# tear_down.sh CLOUD: ends what set_up.sh has started; nothing of it may be left on the machine.
. "$(dirname "$0")/lib.sh"

repo=$(cd "$here/../.." && pwd)
those_in_network() {
    local process
    for process in /proc/[0-9]*; do
        if [ "$(readlink "$process/ns/net")" = "$network" ]; then
            tr '\0' ' ' <"$process/cmdline" || true
            echo
        fi
    done 2>/dev/null
}

# A first process that was killed has no network any more while it waits for the end of its children.
if first=$(pid_in "$state") && network=$(readlink "/proc/$first/ns/net"); then
    (enter_network "$first" "$repo/cooperage" --dir "$COOPERAGE_TEST_DIR" down)
    for process in $(pgrep -f "^[^ ]*python[^ ]* $support/clouds/guests/guests.py $state "); do
        kill "$process" 2>/dev/null || true
        while [ -d "/proc/$process" ]; do sleep 0.1; done
    done
    stop_cloud
    for _ in $(seq 300); do
        left=$(those_in_network)
        [ -n "$left" ] || break
        sleep 0.1
    done
    if [ -n "$left" ]; then
        echo "FAILED: in the network of the cloud there is still: $left" >&2
        exit 1
    fi
else
    stop_cloud
fi
rm -rf --one-file-system "$state"
