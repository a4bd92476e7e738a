#!/usr/bin/env bash
# first_process.sh ROOT DIR ADDRESS...: the first process of a guest's namespaces: an overlay of ROOT and DIR becomes its root, in which
# Debian's cloud-init runs with the seed in DIR, in the stages a boot has, and sshd.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=../../enter_root.sh
. "$here/../../enter_root.sh"

lower=$1
dir=$2
shift 2
seed=$dir/root/var/lib/cloud/seed/nocloud
gateway=169.254.1.1

# Images for clouds come with their sources of packages and their language.
settings='datasource_list: [NoCloud]
network: {config: disabled}
apt: {preserve_sources_list: true}
locale: C.UTF-8
'

plug_in() {
    local address
    until ip link show eth0 >/dev/null 2>&1; do sleep 0.02; done
    ip link set lo up
    ip link set eth0 up
    for address in "$@"; do ip addr add "$address/32" dev eth0; done
    ip route add $gateway dev eth0 scope link
    ip route add default via $gateway src "$1"
}

boot() {
    # Of an earlier boot; at the first, cloud-init knows it.
    [ ! -s /etc/hostname ] || hostname -F /etc/hostname
    cloud-init init --local
    cloud-init init
    service ssh start
    cloud-init modules --mode=config
    cloud-init modules --mode=final
    # Reaps what services leave behind.
    while true; do
        sleep 3600 &
        wait $! || true
    done
}

mount -t overlay -o "lowerdir=$lower,upperdir=$dir/upper,workdir=$dir/work" overlay "$dir/root"
mkdir -p "$seed"
cp "$dir/user-data" "$dir/meta-data" "$seed/"
printf '%s' "$settings" >"$dir/root/etc/cloud/cloud.cfg.d/90_guests.cfg"
mount_what_a_machine_has "$dir/root"
plug_in "$@"
go_into "$dir/root"
exec env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 TERM=dumb \
    setpriv --bounding-set=-sys_time,-sys_module,-sys_boot,-sys_rawio,-wake_alarm bash -c "$(declare -f boot); boot"
