#!/usr/bin/env bash
# first_process.sh LAYERS DIR WORD...: the first process of the cloud's namespaces: an overlay of LAYERS and DIR becomes its root, in which
# it becomes `services.sh WORD...`.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=../../enter_root.sh
. "$here/../../enter_root.sh"

layers=$1
dir=$2
shift 2
mkdir -p "$dir/upper" "$dir/work" "$dir/root"
mount -t overlay -o "lowerdir=$layers,upperdir=$dir/upper,workdir=$dir/work" overlay "$dir/root"
mkdir -p "$dir/root/srv/openstack"
mount --bind -o ro "$here" "$dir/root/srv/openstack"
mount_what_a_machine_has "$dir/root"
hostname cloud
printf '127.0.0.1 localhost cloud\n' >"$dir/root/etc/hosts"
: >"$dir/root/etc/resolv.conf"
ip link set lo up
go_into "$dir/root"
exec env -i HOME=/root PATH=/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 TERM=dumb PYTHONDONTWRITEBYTECODE=1 \
    TOKEN_SECONDS="${TOKEN_SECONDS:-3600}" /srv/openstack/services.sh "$@"
