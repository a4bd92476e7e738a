#!/usr/bin/env bash
# tear_down.sh CLOUD: ends what set_up.sh has started; nothing of it may be left on the machine.
. "$(dirname "$0")/lib.sh"

repo=$(cd "$here/../.." && pwd)
if first=$(pid_in "$state"); then
    network=$(readlink "/proc/$first/ns/net")
    (enter_network "$first" "$repo/cooperage" --dir "$COOPERAGE_TEST_DIR" down)
    for process in $(pgrep -f "^[^ ]*python[^ ]* $support/clouds/guests/guests.py $state "); do
        kill "$process"
        while [ -d "/proc/$process" ]; do sleep 0.1; done
    done
    stop_cloud
    for process in /proc/[0-9]*; do
        if [ "$(readlink "$process/ns/net")" = "$network" ]; then
            echo "FAILED: in the network of the cloud there is still: $(tr '\0' ' ' <"$process/cmdline")" >&2
            exit 1
        fi
    done
fi
rm -rf --one-file-system "$state"
