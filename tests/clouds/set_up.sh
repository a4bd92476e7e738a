#!/usr/bin/env bash
# set_up.sh CLOUD: a cloud, guests for its servers, and a set of everything in its network.
. "$(dirname "$0")/lib.sh"

repo=$(cd "$here/../.." && pwd)
packages='cloud-init haproxy mariadb-server python3 python3-pymysql'

make_guest_root() {
    local local_host=${COOPERAGE_LOCAL_HOST:-$repo/build/release/bin/cooperage-local-host}
    mkdir -p "$kept"
    exec 9>"$kept/guest.lock"
    flock 9
    if [ "$(cat "$guest_root/etc/cooperage-packages" 2>/dev/null)" != "$packages" ]; then
        rm -rf --one-file-system "$guest_root"
        # shellcheck disable=SC2086
        "$local_host" root "$guest_root" --install ${packages%% *} --cache ${packages#* } 9>&-
    fi
    exec 9>&-
}

start_guests() {
    # shellcheck disable=SC2046
    (enter_network "$(pid_in "$state")" setsid "$support/clouds/guests/guests.py" "$state" "$guest_root" $(guests_follow)) \
        >"$state/guests.log" 2>&1 </dev/null &
    for _ in $(seq 1200); do
        if grep -qs ready "$state/guests.log"; then return; fi
        sleep 0.1
    done
    echo "FAILED: nobody makes guests: $(cat "$state/guests.log")" >&2
    exit 1
}

if [ "${2:-}" = inside ]; then
    things_in_cloud | sort >"$state/things"
    exec "$here/../job/set_up.sh"
fi
began=$SECONDS
"$here/tear_down.sh" "$cloud" >/dev/null 2>&1 || true
make_guest_root
start_cloud
echo "the cloud answers after $((SECONDS - began)) s"
start_guests
enter_network "$(pid_in "$state")" "$0" "$cloud" inside
