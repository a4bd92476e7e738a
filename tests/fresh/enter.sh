#!/usr/bin/env bash
# Runs as the first process of the namespaces that on_a_pristine_debian.sh has made: mounts what a machine has, and goes into
# the root.
set -euo pipefail

root=$1
archives=$2   # where apt keeps packages it has fetched, from one run to the next
cache=$3      # the compiler cache, or nothing
project=$4    # where the project goes

mount --bind "$root" "$root"
mount -t proc -o nosuid,nodev,noexec proc "$root/proc"
mount -t sysfs -o nosuid,nodev,noexec sysfs "$root/sys"
mount -t tmpfs -o nosuid,mode=755 tmpfs "$root/dev"
mount -t tmpfs -o nosuid,nodev,mode=755 tmpfs "$root/run"
for node in null:3 zero:5 full:7 random:8 urandom:9; do
    mknod -m 666 "$root/dev/${node%:*}" c 1 "${node#*:}"
done
mknod -m 666 "$root/dev/tty" c 5 0
mkdir "$root/dev/pts" "$root/dev/shm" "$root/run/lock"
mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
mount -t tmpfs -o nosuid,nodev,mode=1777 tmpfs "$root/dev/shm"
ln -s pts/ptmx "$root/dev/ptmx"
ln -s /proc/self/fd "$root/dev/fd"
ln -s /proc/self/fd/0 "$root/dev/stdin"
ln -s /proc/self/fd/1 "$root/dev/stdout"
ln -s /proc/self/fd/2 "$root/dev/stderr"
mount --bind "$archives" "$root/var/cache/apt/archives"
if [ -n "$cache" ]; then
    mkdir -p "$root/root/.cache/ccache"
    mount --bind "$cache" "$root/root/.cache/ccache"
fi
hostname fresh
ip link set lo up
# Without a network of its own apt would have to wait for it.
for _ in $(seq 100); do
    if ip route | grep -q ^default; then break; fi
    sleep 0.1
done
cd "$root"
mkdir -p .old
pivot_root . .old
umount -l /.old
rmdir /.old

settings_of_ccache() { env | grep -E '^CCACHE_[A-Z_]+=[^ ]*$' | grep -v ^CCACHE_DIR= || true; }

# shellcheck disable=SC2046
exec env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 TERM=dumb \
    $(settings_of_ccache) \
    ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} ${no_proxy:+no_proxy="$no_proxy"} \
    bash /srv/inside.sh "$project"
