#!/usr/bin/env bash
# Runs as the first process of the namespaces that on_a_pristine_debian.sh has made: mounts what a machine has, and goes into
# the root.
set -euo pipefail
# shellcheck source=../support/enter_root.sh
. "$(dirname "$0")/../support/enter_root.sh"

root=$1
archives=$2   # where apt keeps packages it has fetched, from one run to the next
cache=$3      # the compiler cache, or nothing
project=$4    # where the project goes

mount --bind "$root" "$root"
mount_what_a_machine_has "$root"
mount --bind "$archives" "$root/var/cache/apt/archives"
if [ -n "$cache" ]; then
    mkdir -p "$root/root/.cache/ccache"
    mount --bind "$cache" "$root/root/.cache/ccache"
fi
hostname fresh
ip link set lo up
# Without a network of its own apt would have to wait for it.
for _ in $(seq 100); do
    if grep -q ^default <<<"$(ip route)"; then break; fi
    sleep 0.1
done
go_into "$root"

settings_of_ccache() { env | grep -E '^CCACHE_[A-Z_]+=[^ ]*$' | grep -v ^CCACHE_DIR= || true; }

# shellcheck disable=SC2046
exec env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 TERM=dumb \
    $(settings_of_ccache) \
    ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} ${no_proxy:+no_proxy="$no_proxy"} \
    bash /srv/inside.sh "$project"
