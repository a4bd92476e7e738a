#!/usr/bin/env bash
# lintian finds neither errors nor warnings in the packages of build/packages, nginx takes the site as it is packaged, and systemd the
# units; where systemd's own analysis is there, it finds the services well confined.
set -euo pipefail
repo=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

die() {
    echo "FAILED: $*" >&2
    exit 1
}

compgen -G "$repo/build/packages/*.deb" >/dev/null || die "there are no packages; ./cooperage package makes them"
lintian --allow-root --fail-on error,warning "$repo"/build/packages/*.deb || die "lintian complains"
for package in "$repo"/build/packages/*.deb; do dpkg-deb -x "$package" "$work/root"; done
[ -z "$(find "$work/root" -perm -o+w ! -type l)" ] || die "everybody may write: $(find "$work/root" -perm -o+w ! -type l)"
if grep -rIl "$repo" "$work/root"; then die "these files name the folder that they were built in"; fi


# Packages of debug symbols hold no programs.
mapfile -t programs < <(find "$work/root" -type f ! -path '*/usr/lib/debug/*' -exec sh -c 'head -c 4 "$1" | grep -q ELF && echo "$1"' _ {} \;)
"$repo/tests/security/hardening.py" --stripped "${programs[@]}" || die "a packaged program is not hardened"

if command -v systemd-analyze >/dev/null; then
    for unit in cooperage-web cooperage-provisioner; do
        exposure=$(systemd-analyze security --offline=true --no-pager --root="$work/root" "$unit.service" 2>/dev/null |
            sed -n 's/.*Overall exposure level for [^:]*: \([0-9.]*\) .*/\1/p')
        [ -n "$exposure" ] || die "systemd-analyze says nothing about $unit"
        echo "$unit: exposure $exposure"
        awk -v e="$exposure" 'BEGIN { exit !(e <= 2.0) }' || die "$unit is exposed: $exposure"
    done
fi
echo "1 passed, 0 failed"
