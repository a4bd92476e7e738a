#!/usr/bin/env bash
# on_a_pristine_debian.sh STORY: runs STORY.sh of this folder on a Debian that has nothing of ours: a root straight from debootstrap, in
# namespaces of its own, with the apt sources of this machine and its compiler cache, and nothing else of it. What is tried is the last
# commit, and the packages of build/packages where the story is about them.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
story=${1:-starts_by_up}
repo=$(cd "$here/../.." && pwd)
fresh=${COOPERAGE_FRESH:-$repo/var/fresh}
root=$fresh/root
archives=$fresh/archives
patience=${COOPERAGE_FRESH_PATIENCE:-1500}

die() {
    echo "FAILED: $*" >&2
    exit 1
}

. /etc/os-release
if [ "${VERSION_CODENAME:-}" != bookworm ]; then
    echo "this machine's apt sources are those of ${PRETTY_NAME:-something else}, not of Debian 12"
    exit 77
fi

mkdir -p "$fresh" "$archives/bootstrap" "$archives/apt/partial"
# A second run beside this one would build in the same root.
exec 9>"$fresh/lock"
flock -n 9 || die "it runs already in $fresh"

# What nobody has wanted for two months is of versions that Debian no longer has.
find "$archives" -name '*.deb' -mtime +60 -delete

remove_root() { rm -rf --one-file-system "$root"; }

# ---- a root as debootstrap leaves it, and what a newcomer has done before `git clone` ---------------------------------

mirror() {
    apt-get indextargets --format '$(SITE) $(RELEASE)' 'Created-By: Packages' |
        awk '$2 == "bookworm" && $1 ~ /\/debian\/?$/ { print $1; exit }'
}

# So that files the machine's apt fetches over https can be had, through a proxy where there is one.
copy_apt_sources() {
    local name
    for name in sources.list sources.list.d trusted.gpg trusted.gpg.d keyrings auth.conf auth.conf.d; do
        rm -rf "$root/etc/apt/$name"
        if [ -e "/etc/apt/$name" ]; then cp -aL "/etc/apt/$name" "$root/etc/apt/$name"; fi
    done
    cp -aL /usr/share/keyrings/. "$root/usr/share/keyrings/"
    apt-config dump | grep -E '^Acquire::(https?|Check-)' >"$root/etc/apt/apt.conf.d/90machine" || true
    if [ -e /etc/ssl/certs/ca-certificates.crt ]; then
        mkdir -p "$root/etc/ssl/certs"
        cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
    fi
}

make_root() {
    remove_root
    debootstrap --variant=minbase --cache-dir="$archives/bootstrap" bookworm "$root" "$(mirror)" >"$fresh/debootstrap.log" 2>&1 || {
        tail -n 20 "$fresh/debootstrap.log" >&2
        die "debootstrap could not make a root"
    }
    copy_apt_sources
    # Of a root that is thrown away nothing has to survive a power cut.
    echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/fast"
    echo "nameserver 10.0.2.3" >"$root/etc/resolv.conf"
    git clone -q --bare --depth 1 "file://$repo" "$root/srv/cooperage.git"
    cp "$here/$story.sh" "$root/srv/inside.sh"
    if [ "$story" != starts_by_up ]; then
        mkdir "$root/srv/packages"
        cp "$repo"/build/packages/*.deb "$root/srv/packages/" || die "there are no packages; ./cooperage package makes them"
        cp "$repo/README.md" "$here/story.sh" "$root/srv/"
    fi
}

# ---- namespaces: when their first process ends, so does every process in them, and with it mounts and networks --------

cache_folder() { ccache --get-config cache_dir 2>/dev/null || true; }

run_inside() {
    local cache first network
    cache=$(cache_folder)
    if [ ! -d "$cache" ]; then cache=; fi
    setpriv --pdeathsig KILL timeout --kill-after 10 "$patience" \
        setpriv --pdeathsig KILL unshare --mount --pid --net --uts --ipc --fork --kill-child --propagation private \
        "$here/enter.sh" "$root" "$archives/apt" "$cache" "$repo" </dev/null 9>&- &
    namespaces=$!
    first=$(first_process "$namespaces") || die "the namespaces could not be made"
    # A network in user space: nothing is routed, filtered or named on the machine.
    setpriv --pdeathsig KILL slirp4netns --configure --mtu=65520 --disable-host-loopback "$first" tap0 \
        >"$fresh/network.log" 2>&1 9>&- &
    network=$!
    local result=0
    wait "$namespaces" || result=$?
    namespaces=
    kill "$network" 2>/dev/null || true
    [ "$result" -ne 124 ] || die "it was not done after $patience s"
    return "$result"
}

# first_process PID: the process that `unshare` below it has put into the namespaces
first_process() {
    local of unshared
    for _ in $(seq 100); do
        for of in $(pgrep -P "$1" -x unshare); do
            if unshared=$(pgrep -P "$of"); then echo "$unshared" && return; fi
        done
        sleep 0.05
    done
    return 1
}

namespaces=

clean_up() {
    if [ -n "$namespaces" ]; then kill -KILL "$namespaces" 2>/dev/null || true; fi
    remove_root
}

trap clean_up EXIT
if [ "$story" = starts_by_up ] && [ -n "$(git -C "$repo" status --porcelain 2>/dev/null | head -n 1)" ]; then
    echo "what is not committed is not part of this"
fi
began=$SECONDS
make_root
echo "the root: $((SECONDS - began)) s"
run_inside || die "see above"
