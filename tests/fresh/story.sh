# What the stories about packages share; on_a_pristine_debian.sh puts it beside the one that it runs. A story sets logs, an array of the
# files to show when it fails.

die() {
    echo "FAILED: $*" >&2
    for log in "${logs[@]:-}"; do
        if [ -s "$log" ]; then printf -- '---- %s\n' "$log" && tail -n 8 "$log"; fi
    done >&2
    exit 1
}

try_for() {  # try_for SECONDS COMMAND...
    local patience=$1
    shift
    for _ in $(seq $((patience * 10))); do
        if "$@" >/dev/null 2>&1; then return 0; fi
        sleep 0.1
    done
    return 1
}

# A machine has an init that answers this; in a root by itself none runs, and packages would start nothing.
stand_for_a_machine() {
    dpkg-divert --quiet --local --no-rename --divert /sbin/runlevel.of-an-init /sbin/runlevel
    printf '#!/bin/sh\necho N 2\n' >/sbin/runlevel
    chmod 755 /sbin/runlevel
}

export DEBIAN_FRONTEND=noninteractive
mkdir -p /srv/admin
cd /srv/admin
cp /srv/packages/*.deb .
stand_for_a_machine
